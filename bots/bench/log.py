"""What `remembrancer bench log` measures: verifying and replaying a log that the use cases themselves wrote."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from bots.bench.figures import timed
from bots.bench.history import History
from core.ports import Store, Tx
from core.services.audit import VerifyAudit
from core.services.context import Context
from core.services.replay import STORED, ReplayAudit

SECOND = 1e9
TIMES = 3
T = TypeVar("T")


def measure(
    store: Store, operations: int, seed: int, tell: Callable[[str], None] = lambda _text: None
) -> dict[str, Any]:
    """Fill a store with a history of so many operations and walk it; `differing` counts what was not as it should be.

    Each walk is taken `TIMES` times, in turns with its floor, and the fastest of each counts. The floor of verifying is
    reading the same operations without hashing them, that of replaying reading them and every stored row.
    """
    history = History(store, seed)
    made = timed(lambda: history.run(operations, tell))[0][0] / SECOND
    told = walks(history.context)
    return {"seed": seed, **told, "made": dict(sorted(history.done.items())), "made_seconds": round(made, 1)}


def walks(context: Context) -> dict[str, Any]:
    """The figures of the log that is there."""
    verify, replay, floors = Walk(), Walk(), (Walk(), Walk())
    for _ in range(TIMES):
        floors[0].take(lambda: _read(context, ()))
        reports = verify.take(VerifyAudit(context))
        floors[1].take(lambda: _read(context, STORED))
        report = replay.take(ReplayAudit(context))
    broken = sum(one.bad is not None or bool(one.why) for one in reports)
    partial = sum(count.partial for count in report.kinds.values())
    return {
        "operations": report.operations,
        "chains": report.chains,
        "rows": {kind: count.rows for kind, count in report.kinds.items()},
        "verify": verify.told(report.operations),
        "replay": replay.told(report.operations),
        "floors": {"operations": floors[0].told(report.operations), "rows_too": floors[1].told(report.operations)},
        "ratios": {
            "verify_over_floor": round(verify.seconds / floors[0].seconds, 1),
            "replay_over_floor": round(replay.seconds / floors[1].seconds, 1),
        },
        "differing": broken + partial + len(report.differences) + len(report.contradictions),
    }


@dataclass(slots=True)
class Walk:
    """The fastest of several runs of the same."""

    seconds: float = float("inf")

    def take(self, work: Callable[[], T]) -> T:
        """One run; answers what it answers."""
        sample, answer = timed(work)
        self.seconds = min(self.seconds, sample[0] / SECOND)
        return answer

    def told(self, operations: int) -> dict[str, float]:
        """Seconds, and operations a second."""
        return {"seconds": round(self.seconds, 2), "operations_a_second": round(operations / self.seconds)}


def _read(context: Context, rows: Sequence[Callable[[Tx], Any]]) -> int:
    """Read every operation, and the rows, and do nothing with them."""
    with context.store.read() as tx:
        count = sum(1 for name in tx.operations.namespaces() for _ in tx.operations.chain(name))
        return count + sum(1 for read in rows for _ in read(tx))
