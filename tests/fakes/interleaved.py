"""Real stores in which something happens between a service's look and its write."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import timedelta

from core.errors import StorageError
from core.ports import Store, Tx


@dataclass
class InterleavedStore:
    """Passes everything on to `store`; runs `between` once, just before the first write transaction begins."""

    store: Store
    between: Callable[[], object] | None = None

    def read(self) -> AbstractContextManager[Tx]:
        return self.store.read()

    def write(self, patience: timedelta | None = None) -> AbstractContextManager[Tx]:
        between, self.between = self.between, None
        if between is not None:
            between()
        return self.store.write(patience)


@dataclass
class RacedStore:
    """Passes everything on to `store`; the first `losses` write transactions lose a race as they begin."""

    store: Store
    losses: int
    writes: int = 0

    def read(self) -> AbstractContextManager[Tx]:
        return self.store.read()

    def write(self, patience: timedelta | None = None) -> AbstractContextManager[Tx]:
        self.writes += 1
        if self.writes <= self.losses:
            raise StorageError("Another transaction was in the way.", "Again.", retry=True)
        return self.store.write(patience)
