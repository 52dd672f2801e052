"""`remembrancer run` in a process of its own, with a small bot that asks a Bot API by the real library.

    python -m tests.fakes.running WORK [arguments of run]

WORK is how many seconds the bot has work under way when it is told to stop; -1 never ends. What it did is written
into the database by the hot thread, as the fact `work`.
"""

import asyncio
import sys
import time
from collections.abc import Callable

from telegram import Bot as Client
from telegram.error import InvalidToken

from adapters.base.runner import Runner
from bots import bots
from bots.bootstrap import App
from bots.cli import main
from core.errors import RemembrancerError


class SmallBot:
    """Asks who it is, then has one piece of work under way."""

    name = "telegram"

    def __init__(self, app: App, run: Runner, seconds: float) -> None:
        self._app, self._run, self._seconds = app, run, seconds

    def described(self) -> str:
        return f"@{self._me} is listening"

    async def run(self, ready: Callable[[], None], stop: asyncio.Event) -> None:
        settings = self._app.settings
        client = Client(settings.telegram_token.get_secret_value(), f"{settings.telegram_api_url}/bot")
        try:
            async with client:
                self._me = client.username
        except InvalidToken as error:
            raise RemembrancerError(f"The token was refused: {error}", "Copy it again.", permanent=True) from error
        await self._run(lambda: self._note("under way"))
        ready()
        await stop.wait()
        await asyncio.sleep(3600 if self._seconds < 0 else 0)
        await self._run(self._work)

    def _work(self) -> None:
        time.sleep(self._seconds)
        self._note("finished")

    def _note(self, what: str) -> None:
        with self._app.store.write() as tx:
            tx.records.put_fact("work", what)
            tx.commit()


if __name__ == "__main__":
    seconds = float(sys.argv[1])
    bots.BOTS["telegram"] = bots.Bot(bots.telegram_wanted, lambda app, run, *more: SmallBot(app, run, seconds))
    sys.exit(main(["--log-level", "debug", "run", *sys.argv[2:]]))
