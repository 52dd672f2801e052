"""What every use case is built from. A new operation is one class that takes a `Context`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, tzinfo

from core.limits import LIMITS, Limits
from core.ports import AspirationFiles, Clock, Ids, Store
from core.settings import Setting, resolve


def only_utc(name: str) -> tzinfo:
    """The zone of that name where there is no zone data: KeyError for all but UTC."""
    return {"UTC": UTC}[name]


@dataclass(frozen=True, slots=True)
class Context:
    """The store, the clock, the ids and the bounds that a use case works with.

    `zone_of` gives the zone behind a name: `core` has no zone data. `aspirations` is None where none are kept.
    """

    store: Store
    clock: Clock
    ids: Ids
    limits: Limits = LIMITS
    defaults: Mapping[Setting, object] = field(default_factory=dict)
    zone_of: Callable[[str], tzinfo] = only_utc
    aspirations: AspirationFiles | None = None

    def settings(self, stored: Mapping[str, object]) -> dict[Setting, object]:
        """Settings of a space: stored over the installation's defaults over the built-in ones."""
        return resolve(stored, self.defaults)
