"""One person at work in one place: what the shared commands need of a channel, whatever the platform."""

from collections.abc import Sequence
from datetime import datetime, tzinfo
from typing import Protocol

from core.errors import RemembrancerError
from core.services.context import Context
from core.turn import Actor, Principal, Turn, Where
from core.wording.lines import Line, Mood, line
from core.wording.readback import Question


class Desk(Protocol):
    """Synchronous: the rights were asked from the platform, at the moment of the act, before work began."""

    @property
    def ctx(self) -> Context: ...

    @property
    def where(self) -> Where: ...

    @property
    def zone(self) -> tzinfo:
        """The zone of this space, in which times are read and shown."""
        ...

    def now(self) -> datetime: ...

    def actor(self) -> Actor:
        """The person, with the rights of this moment."""
        ...

    def private(self, *lines: Line) -> None:
        """Answer that person alone."""
        ...

    def ask(self, question: Question) -> None:
        """Show a question with its choices; what is answered is brought to whoever asked."""
        ...

    def person(self, name: str) -> tuple[Principal, str]:
        """The person of that name (with or without @) and the name as shown. Raises InvalidInput.

        A bot or a webhook of that name is one, too: `core.turn.machine` makes its principal.
        """
        ...

    def unreached(self) -> bool:
        """May this person not be written to privately, as far as the platform tells before it is tried?"""
        ...

    def place(self, name: str, *, posting: bool = True) -> Where:
        """The channel (or `channel/thread`) of that name that a rule made here may name. Raises InvalidInput.

        Without `posting` nothing is to be posted there: it may be a forum, too.
        """
        ...

    def turn(self, text: str) -> Turn:
        """A message with these words, as if that person said it here and now."""
        ...

    def newest(self) -> Turn | None:
        """The newest message here, None when there is none that is remembered."""
        ...

    def history(self) -> Sequence[Turn] | None:
        """What was said here, oldest first; None where the platform gives no history.

        A `core.standing.preview.Past` tells what is missing of it.
        """
        ...


def error_lines(error: RemembrancerError) -> list[Line]:
    """A refusal and what to do next."""
    lines = [line("console.error", Mood.BAD, text=error.sentence)]
    return [*lines, line("console.hint", Mood.FAINT, text=error.hint)] if error.hint else lines
