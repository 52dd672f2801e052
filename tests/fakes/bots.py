"""`remembrancer run` as a child process against the loopback Telegram, and what tests ask of it."""

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path

from tests.fakes.child import Child
from tests.fakes.telegram.chats import Chat, Message, Topic
from tests.fakes.telegram.people import Person
from tests.fakes.telegram.robots import Bot
from tests.fakes.telegram.world import World

HANDLE = re.compile(r"\b[ir]-[0-9a-z]{4,6}\b")
RULE = "launch checklist => Confirm the rollback owner --anyone"


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


class Running(Child):
    """Our Telegram bot in a process of its own."""

    def __init__(self, world: World, bot: Bot, folder: Path, **settings: str) -> None:
        super().__init__(folder, **settings)
        self.world = world
        self.bot = bot

    def reaches(self) -> dict[str, str]:
        """The loopback Telegram."""
        return {"REMEMBRANCER_TELEGRAM_API_URL": self.world.url, "TELEGRAM_TOKEN": self.bot.token}


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
