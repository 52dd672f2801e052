"""Replay of the whole log, compared with what is stored (`core.operations.replay` says what is compared)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.operations.goal_replay import GoalReplay
from core.operations.replay import Contradiction, Difference, Rebuilder, Stored, compare, fold
from core.operations.space_replay import SpaceReplay
from core.operations.standing_replay import EVENT, StandingReplay
from core.operations.timed_replay import TimedReplay
from core.ports import Tx
from core.services.context import Context
from core.services.record import micros

REBUILDERS: Sequence[Rebuilder] = (StandingReplay(), TimedReplay(), GoalReplay(), SpaceReplay())
"""One for each kind of target. A new kind is one more here, with the reader of its rows in `STORED`."""


def _events(tx: Tx) -> Iterator[Stored]:
    """Evidence, as far as the operation that cites it tells it, too."""
    for event in tx.kept.events():
        actor, stream = [event.actor_type, event.actor_id], event.stream
        fields = {"namespace": event.namespace_id, "ts": micros(event.ts), "actor": actor, "stream": stream}
        yield Stored(EVENT, event.id, "", fields)


STORED: Sequence[Callable[[Tx], Iterator[Stored]]] = (
    lambda tx: tx.kept.standing(),
    lambda tx: tx.kept.fires(),
    lambda tx: tx.kept.timed(),
    lambda tx: tx.kept.goals(),
    _events,
)


@dataclass(frozen=True, slots=True)
class KindCount:
    """How many stored rows of a kind there are, and of how many operations tell a part only."""

    rows: int
    partial: int


@dataclass(frozen=True, slots=True)
class ReplayReport:
    """What a replay found. `untaken` counts operations whose target is not rebuilt, by its type."""

    chains: int
    operations: int
    kinds: Mapping[str, KindCount]
    untaken: Mapping[str, int]
    contradictions: tuple[Contradiction, ...]
    differences: tuple[Difference, ...]

    @property
    def equal(self) -> bool:
        """Is everything stored as the log tells it, and does the log agree with itself?"""
        return not (self.contradictions or self.differences)


@dataclass(frozen=True, slots=True)
class ReplayAudit:
    """Rebuild every row from the operations of all chains and compare it with the stored one. Writes nothing.

    In one snapshot, operations and rows a page at a time: memory grows with the rows, not with the operations. It does
    not look at hashes: `VerifyAudit` does. Raises StorageError when the store cannot be read.
    """

    ctx: Context

    def __call__(self) -> ReplayReport:
        with self.ctx.store.read() as tx:
            names = tx.operations.namespaces()
            state = fold({name: tx.operations.chain(name) for name in names}, REBUILDERS)
            found = compare(state, (row for read in STORED for row in read(tx)), REBUILDERS)
        kinds = [kind for one in REBUILDERS for kind in one.kinds]
        return ReplayReport(
            len(names),
            state.operations,
            {kind: KindCount(found.rows[kind], found.partial[kind]) for kind in kinds},
            dict(state.untaken),
            tuple(state.contradictions),
            tuple(found.differences),
        )
