"""`remembrancer run` as a child process against the loopback Telegram: started, killed and started again."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from core.ports import Tx
from core.standing.intent import StandingIntent
from core.stored import IntentFilter
from storage.unit_of_work import open_store
from tests.fakes.telegram.chats import Chat, Message, Topic
from tests.fakes.telegram.people import Person
from tests.fakes.telegram.robots import Bot
from tests.fakes.telegram.world import World

HANDLE = re.compile(r"\b[ir]-[0-9a-z]{4,6}\b")
RULE = "launch checklist => Confirm the rollback owner --anyone"
ROOT = Path(__file__).parents[2]
QUICK = {
    "REMEMBRANCER_HEARTBEAT_SECONDS": "0.3",
    "REMEMBRANCER_DELIVERY_POLL_SECONDS": "0.1",
    "REMEMBRANCER_SEND_LEASE_SECONDS": "2",
    "REMEMBRANCER_NOTICE_GAP_SECONDS": "1",
}
"""Durations of a child process, which has no fake clock."""


def reply_to(world: World, said: Message, part: str = "", seconds: float = 8.0) -> Message:
    """Wait for the bot's reply to a message."""

    def found() -> Message | None:
        for message in reversed(world.bot_messages(said.chat)):
            if message.reply_to is not None and message.reply_to.id == said.id and part in message.text:
                return message
        return None

    return world.until(found, seconds, f"a reply to {said} with {part!r}")


def replies(world: World, said: Message) -> list[Message]:
    """Everything that bots replied to a message so far."""
    return [one for one in world.bot_messages(said.chat) if one.reply_to is said]


def make(world: World, owner: Person, place: Chat | Topic, rule: str = RULE, **more: Topic) -> str:
    """A rule made by command and saved by its button; its handle."""
    question = reply_to(world, owner.says(place, f"/intent add {rule}", **more))
    owner.presses(question, "Yes, save it")
    world.until(lambda: "Saved as" in question.text, what="the rule is saved")
    return HANDLE.findall(question.text)[-1]


class Running:
    """One bot of ours in a process of its own. Its data stays in `folder` between two starts."""

    def __init__(self, world: World, bot: Bot, folder: Path, **settings: str) -> None:
        self.world = world
        self.bot = bot
        self.folder = folder
        self.log = folder / "bot.log"
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def database(self) -> str:
        """The URL of its database."""
        return self._settings.get("database_url", f"sqlite:///{self.folder / 'remembrancer.db'}")

    @property
    def runs(self) -> bool:
        """Was it started, and neither stopped nor killed since?"""
        return self._process is not None

    def start(self, wait: bool = True) -> None:
        """Start it; with `wait`, until it listens."""
        env = {key: value for key, value in os.environ.items() if not key.startswith("REMEMBRANCER_")}
        env |= QUICK | {
            "REMEMBRANCER_DATA_DIR": str(self.folder),
            "REMEMBRANCER_TELEGRAM_API_URL": self.world.url,
            "TELEGRAM_TOKEN": self.bot.token,
            "PYTHONPATH": str(ROOT),
        }
        env |= {f"REMEMBRANCER_{key.upper()}": value for key, value in self._settings.items()}
        before = len(self.output())
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "bots", "run"],
                cwd=ROOT,
                env=env,
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
            )
        if wait:
            self.listens(before)

    def listens(self, before: int = 0) -> None:
        """Wait until it says that it listens."""
        end = time.monotonic() + 30
        while "is listening" not in self.output()[before:]:
            assert self._process is not None and self._process.poll() is None, self.output()
            assert time.monotonic() < end, self.output()
            time.sleep(0.02)

    @property
    def pid(self) -> int:
        """The process that runs now."""
        assert self._process is not None, "it does not run"
        return self._process.pid

    def output(self) -> str:
        """What it printed and logged so far."""
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    @contextlib.contextmanager
    def reading(self) -> Iterator[Tx]:
        """What it has stored."""
        store = open_store(self.database, migrate=False)
        try:
            with store.read() as tx:
                yield tx
        finally:
            store.close()

    def rules(self) -> dict[str, StandingIntent]:
        """Every rule by its handle."""
        with self.reading() as tx:
            return {row.handle: row for row in tx.intents.list(IntentFilter(), 1_000, 0)}

    def owes_nothing(self) -> bool:
        """Is everything settled that was to be posted in chats?"""
        with self.reading() as tx:
            return tx.outbox.due([], 1) == ()

    def kill(self) -> None:
        """SIGKILL."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait(10)
            self._process = None

    def stop(self, seconds: float = 30) -> int:
        """SIGTERM; its exit code."""
        assert self._process is not None, "it does not run"
        self._process.terminate()
        code = self._process.wait(seconds)
        self._process = None
        return code


@contextlib.contextmanager
def running(world: World, bot: Bot, folder: Path, start: bool = True, **settings: str) -> Iterator[Running]:
    """One bot of ours, ended with the block whatever happens."""
    made = Running(world, bot, folder, **settings)
    try:
        if start:
            made.start()
        yield made
    finally:
        made.kill()
