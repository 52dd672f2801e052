"""What every use case is built from. A new operation is one class that takes a `Context`."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.limits import LIMITS, Limits
from core.ports import Clock, Ids, Store
from core.settings import Setting, resolve


@dataclass(frozen=True, slots=True)
class Context:
    """The store, the clock, the ids and the bounds that a use case works with."""

    store: Store
    clock: Clock
    ids: Ids
    limits: Limits = LIMITS
    defaults: Mapping[Setting, object] = field(default_factory=dict)

    def settings(self, stored: Mapping[str, object]) -> dict[Setting, object]:
        """Settings of a space: stored over the installation's defaults over the built-in ones."""
        return resolve(stored, self.defaults)
