"""What every use case is built from. A new operation is one class that takes a `Context`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo

from core.catalogue import say
from core.errors import InvalidInput
from core.limits import LIMITS, Limits
from core.ports import AspirationFiles, Clock, Ids, Store
from core.settings import Setting, resolve
from core.timed.calendar import DateReader, Recurrences


def only_utc(name: str) -> tzinfo:
    """The zone of that name where there is no zone data: KeyError for all but UTC."""
    return {"UTC": UTC}[name]


class OnlyOnce:
    """`core.timed.calendar.Recurrences` where there is no library of dates: no rule can be read."""

    def after(self, rule: str, first: datetime, past: datetime) -> datetime | None:  # noqa: ARG002
        """Raises InvalidInput."""
        raise InvalidInput(say("timed.no_rules"), say("timed.no_rules.hint"))


class NoReader:
    """`core.timed.calendar.DateReader` where there is no library of dates: it reads nothing."""

    def read(self, text: str, now: datetime, language: str) -> datetime | None:  # noqa: ARG002
        """None."""
        return None


_ONLY_ONCE, _NO_READER = OnlyOnce(), NoReader()


@dataclass(frozen=True, slots=True)
class Context:
    """The store, the clock, the ids and the bounds that a use case works with.

    `zone_of` gives the zone behind a name: `core` has no zone data; nor has it a library of dates, which
    `recurrences` and `reader` stand for. `aspirations` is None where none are kept.
    """

    store: Store
    clock: Clock
    ids: Ids
    limits: Limits = LIMITS
    defaults: Mapping[Setting, object] = field(default_factory=dict)
    zone_of: Callable[[str], tzinfo] = only_utc
    aspirations: AspirationFiles | None = None
    recurrences: Recurrences = _ONLY_ONCE
    reader: DateReader = _NO_READER

    def settings(self, stored: Mapping[str, object]) -> dict[Setting, object]:
        """Settings of a space: stored over the installation's defaults over the built-in ones."""
        return resolve(stored, self.defaults)
