"""What end-to-end tests ask of a bot on Discord again and again."""

from typing import Any

from tests.fakes.bots import HANDLE
from tests.fakes.discord.answers import Answer
from tests.fakes.discord.messages import Message
from tests.fakes.discord.people import Person
from tests.fakes.discord.places import Channel
from tests.fakes.discord.world import World

WORDS, TEXT = "launch checklist", "Confirm the rollback owner"
OFTEN = {"cooldown": "0s", "max": 50}
"""A rule with these options answers every message."""


def replies(world: World, said: Message) -> list[Message]:
    """Everything that the bot replied to a message so far."""
    found = [(one, one.reply_to) for one in world.bot_messages(said.channel)]
    return [one for one, answered in found if answered is not None and answered.id == said.id]


def reply_to(world: World, said: Message, part: str = "", seconds: float = 8.0) -> Message:
    """Wait for the bot's reply to a message."""

    def found() -> Message | None:
        return next((one for one in reversed(replies(world, said)) if part in one.words), None)

    message = world.until(found, seconds, f"a reply to {said} with {part!r}")
    assert message is not None
    return message


def quiet(world: World, said: Message, seconds: float = 0.4) -> None:
    """Nobody replies."""
    world.stays(lambda: replies(world, said) == [], seconds, "silence")


def asked(owner: Person, place: Channel, words: str = WORDS, text: str = TEXT, **options: Any) -> Message:
    """The question that a new rule is read back with."""
    return owner.slash(place, "intent add", words=words, text=text, **{"who": "anyone"} | options).says("Reminder")


def make(owner: Person, place: Channel, words: str = WORDS, text: str = TEXT, **options: Any) -> str:
    """A rule made by command and saved by its button; its handle."""
    question = asked(owner, place, words, text, **options)
    owner.clicks(question, "Yes, save it").says("Saved as")
    return HANDLE.findall(question.words)[-1]


def clock(who: Person, place: Channel, time: str = "in 2h", text: str = "water the plants", **options: Any) -> str:
    """A reminder by the clock; its handle."""
    made = who.slash(place, "remind me", time=time, text=text, **options).says("r-")
    return HANDLE.findall(made.words)[0]


def told(answer: Answer, part: str = "") -> str:
    """What only whoever asked is told."""

    def found() -> str:
        mine = (one.words for one in reversed(answer.messages) if one.ephemeral)
        return next((words for words in mine if part.lower() in words.lower()), "")

    return answer.until(found, 5.0, f"what is told with {part!r}")


def refused(answer: Answer, part: str = "") -> str:
    """The same, where a press of somebody else must not change the message."""
    words = told(answer, part)
    assert not answer.edits, answer.edits
    return words
