"""The library's client, told apart from it in one thing: a token that is refused while polling is heard of."""

import os
from collections.abc import Callable
from typing import Any

from telegram import Update
from telegram.error import InvalidToken
from telegram.ext import ExtBot
from telegram.request import HTTPXRequest

from adapters.telegram.pacing import Pacing

CONNECTIONS = 256
HOST = "https://api.telegram.org"

# The library's own way from here on; without it every wait that the service asks for warns of the old one. In an
# application of somebody else that is theirs to decide: this module belongs to our own process.
os.environ.setdefault("PTB_TIMEDELTA", "true")


class PollingBot(ExtBot[Any]):
    """Asks for updates; where the token is not valid (any more) the library stops asking without a word to anybody."""

    def __init__(self, token: str, api_url: str, refused: Callable[[], None]) -> None:
        host = api_url or HOST
        super().__init__(
            token,
            f"{host}/bot",
            f"{host}/file/bot",
            request=HTTPXRequest(connection_pool_size=CONNECTIONS),
            get_updates_request=HTTPXRequest(connection_pool_size=1),
            rate_limiter=Pacing(),
        )
        self._refused = refused

    async def get_updates(self, *args: Any, **kwargs: Any) -> tuple[Update, ...]:
        """Ask for updates. Raises what the library raises."""
        try:
            return await super().get_updates(*args, **kwargs)
        except InvalidToken:
            self._refused()
            raise
