"""One tree of errors. Each carries a stable code, a sentence for the person and a hint what to do next.

Adapters render `sentence` and `hint`; nothing above `core` shows a traceback to a person.
"""

from typing import Any, ClassVar


class RemembrancerError(Exception):
    """Base of every error this project raises on purpose.

    `code` is stable and machine-readable, `sentence` is for the person who acted, `hint` says what to do
    next; everything else that is known is kept in `details`.
    """

    code: ClassVar[str] = "error"

    def __init__(self, sentence: str, hint: str = "", **details: Any) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.hint = hint
        self.details = details

    @property
    def permanent(self) -> bool:
        """Whether trying again is of no use before somebody corrects something: `permanent=True` in the details."""
        return self.details.get("permanent") is True

    def __str__(self) -> str:
        return f"{self.sentence} {self.hint}".strip()


class InvalidInput(RemembrancerError):
    """What a person typed cannot be used; nothing was stored."""

    code = "invalid_input"


class InvalidTrigger(InvalidInput):
    """A trigger entry cannot be used. `details["entry"]` is the entry as typed."""

    code = "invalid_trigger"


class LimitExceeded(InvalidInput):
    """A named bound of `core.limits.Limits` would be passed. Details: `limit`, `used`, `name`."""

    code = "limit_exceeded"


class NotFound(RemembrancerError):
    """No such thing, or not the asker's: the two look the same on purpose."""

    code = "not_found"


class NotAllowed(RemembrancerError):
    """The person may see this but not do this."""

    code = "not_allowed"


class InvalidTransition(RemembrancerError):
    """A state change that the transition table does not have. Details: `kind`, `old`, `new`."""

    code = "invalid_transition"


class DeadlineExceeded(RemembrancerError):
    """The turn's deadline passed before commit; everything was rolled back and nothing was charged."""

    code = "deadline"


class StorageError(RemembrancerError):
    """The store cannot be used as it is: locked too long, full, read-only, damaged, newer than the program."""

    code = "storage"


class ConfigError(RemembrancerError):
    """The configuration cannot be used; says which key and which file."""

    code = "config"

    @property
    def permanent(self) -> bool:
        """It stays as it is while the program runs."""
        return True
