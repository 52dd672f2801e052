"""What a chat platform does for Remembrancer: normalise what comes in, send what goes out. It decides nothing.

Every adapter passes the same tests (`tests/contract/test_adapters*.py`). All waiting is asynchronous; what an adapter
cannot do is told by its `capabilities`, never by an error when it is asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

from core.turn import Principal, Turn, Where
from core.wording.lines import Line


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a platform has. Without `posts` a turn is never matched: nothing could be delivered."""

    posts: bool = True
    direct: bool = True
    replies: bool = True
    buttons: bool = True
    edits: bool = True
    reactions: bool = False
    history: bool = False
    text_chars: int = 4_096
    button_bytes: int = 64


@dataclass(frozen=True, slots=True)
class Button:
    """`data` comes back when it is pressed (at most `button_bytes` in UTF-8); with `url` it opens that instead.

    One that is `done` only says something; where the platform can, it cannot be pressed.
    """

    label: str
    data: str = ""
    url: str = ""
    done: bool = False


@dataclass(frozen=True, slots=True)
class Post:
    """One message to send: to a conversation, or to a person as a direct message.

    Only segments that name a person (`who`) may ping them. A text beyond `text_chars` is sent in several messages, the
    buttons under the last. `reply_to` is left out where that message is gone. `nonce` is the same for a repetition.
    `about` is the place whose words it holds, where it goes to a person: who may not look into that place any more does
    not get it, as far as the platform tells.
    """

    to: Where | Principal
    lines: tuple[Line, ...]
    buttons: tuple[tuple[Button, ...], ...] = ()
    reply_to: str = ""
    nonce: str = ""
    about: Where | None = None


@dataclass(frozen=True, slots=True)
class Sent:
    """Ids of the messages that the platform made of a post, in order."""

    message_ids: tuple[str, ...]


class SendFailed(Exception):
    """A message was not sent. `why` is a short code for the log: `blocked`, `kicked`, `gone`, `network`, `server`."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class RetryLater(SendFailed):
    """It may work later: after `wait`, which the platform named (None when it named none)."""

    def __init__(self, why: str, wait: timedelta | None = None) -> None:
        super().__init__(why)
        self.wait = wait


class NeverSent(SendFailed):
    """It will never work."""


class Adapter(Protocol):
    """One bot login on one platform. What begins and ends receiving is its host, which may be somebody else's."""

    @property
    def provider(self) -> str: ...

    @property
    def account(self) -> str: ...

    @property
    def capabilities(self) -> Capabilities: ...

    def normalise(self, event: object) -> Turn | None:
        """The turn that an event of the platform is; None for what is no message."""
        ...

    async def send(self, post: Post) -> Sent:
        """Send. Raises RetryLater or NeverSent."""
        ...

    async def edit(self, where: Where, message_id: str, post: Post) -> None:
        """Put other words and buttons in a message of ours. Raises as `send`."""
        ...

    async def react(self, where: Where, message_id: str, emoji: str) -> None:
        """Put a reaction under a message, where the platform has them."""
        ...

    async def history(self, where: Where, limit: int) -> Sequence[Turn]:
        """The last messages of a conversation, oldest first; empty where the platform gives none."""
        ...

    async def is_owner(self, who: Principal, where: Where) -> bool:
        """May that person, now, decide for the space? Asked from the platform."""
        ...
