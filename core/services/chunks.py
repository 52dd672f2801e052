"""Work in chunks: each is a transaction of its own, so that turns never wait long for the write lock."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from core.ports import Tx
from core.services.context import Context

MAX_CHUNKS = 5_000
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Chunks:
    """`rest` is called between two chunks: whoever waits for the write lock gets it meanwhile."""

    ctx: Context
    rest: Callable[[], object] = lambda: None

    def __call__(self, due: Callable[[Tx, int], tuple[T, ...]], work: Callable[[Tx, tuple[T, ...]], int]) -> int:
        """Work through what is due, a chunk a transaction; with nothing due no write lock is taken."""
        done = 0
        for number in range(MAX_CHUNKS):
            with self.ctx.store.read() as tx:
                if not due(tx, 1):
                    break
            if number:
                self.rest()
            with self.ctx.store.write() as tx:
                changed = work(tx, due(tx, self.ctx.limits.chunk))
                tx.commit()
            done += changed
            if not changed:
                break
        return done

    def each(self, rows: Iterable[T], work: Callable[[T], bool]) -> int:
        """Work on rows until the time is up for which the write lock may be held; answers how many were changed."""
        until = self.ctx.clock.now() + self.ctx.limits.chunk_time
        changed = 0
        for row in rows:
            changed += work(row)
            if self.ctx.clock.now() >= until:
                break
        return changed
