"""Requests as they arrived, and the registry of the methods that are answered."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from tests.fakes.telegram.chats import Chat, Message, Payload
from tests.fakes.telegram.robots import Bot

if TYPE_CHECKING:
    from tests.fakes.telegram.world import World


@dataclass
class Call:
    """One request: `status` is the HTTP status (None: the connection was broken), `effect` whether it did something.

    `at` is a monotonic time in seconds, `message` the message it sent or edited.
    """

    bot: Bot
    method: str
    params: Payload
    at: float
    when: datetime
    status: int | None = None
    error: str | None = None
    effect: bool = False
    message: Message | None = None

    @property
    def chat_id(self) -> Any:
        """The chat it is about, where it names one."""
        return self.params.get("chat_id")


@dataclass
class Request:
    """What a method is given."""

    world: "World"
    bot: Bot
    params: Payload
    call: Call

    def chat(self) -> Chat:
        """The chat named by `chat_id`, readable by this bot."""
        return self.world.readable(self.bot, self.params["chat_id"])


Answer = Callable[[Request], Any]
ANSWERS: dict[str, tuple[Answer, frozenset[str]]] = {}


def answers(name: str, *parameters: str) -> Callable[[Answer], Answer]:
    """Register the function that answers a method and the parameters that it minds."""

    def register(function: Answer) -> Answer:
        ANSWERS[name.lower()] = (function, frozenset(parameters))
        return function

    return register
