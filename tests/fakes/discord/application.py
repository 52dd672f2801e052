"""The application under test as its developer portal shows it."""

import base64
import itertools
from dataclasses import dataclass, field

PRIVILEGED = {
    "presences": (1 << 8, 1 << 12, 1 << 13),
    "members": (1 << 1, 1 << 14, 1 << 15),
    "message_content": (1 << 15, 1 << 18, 1 << 19),
}
"""An intent: its bit of IDENTIFY, the flag of a verified application, the flag of any other (LIMITED)."""

_tokens = itertools.count(1)


def new_token(id: int) -> str:
    """A token in Discord's form."""
    head = base64.urlsafe_b64encode(str(id).encode()).decode().rstrip("=")
    return f"{head}.GLoopb.{next(_tokens):0>4}{'loopback_token_of_the_tests_' * 2:.34}"


@dataclass(slots=True)
class Application:
    """Its ids, its token, and which privileged intents are switched on. A change holds from the next use on."""

    id: int
    bot_id: int
    message_content: bool = True
    members: bool = True
    presences: bool = False
    limited: bool = True
    token: str = field(init=False)

    def __post_init__(self) -> None:
        self.token = new_token(self.bot_id)

    def resets_token(self) -> str:
        """Make the old token worthless; the new one."""
        self.token = new_token(self.bot_id)
        return self.token

    @property
    def flags(self) -> int:
        """The flags of `/applications/@me`."""
        return sum(bits[2 if self.limited else 1] for name, bits in PRIVILEGED.items() if getattr(self, name))

    def disallowed(self, intents: int) -> list[str]:
        """The privileged intents that IDENTIFY asks for and the portal does not allow."""
        return [name for name, bits in PRIVILEGED.items() if intents & bits[0] and not getattr(self, name)]
