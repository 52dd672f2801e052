"""Replay in tests."""

from core.ports import Store
from core.services.context import Context
from core.services.replay import ReplayAudit, ReplayReport
from tests.fakes.clock import FakeClock
from tests.fakes.ids import SeededIds


def replay(store: Store) -> ReplayReport:
    """The report on a store."""
    return ReplayAudit(Context(store, FakeClock(), SeededIds(1)))()


def differing(store: Store) -> list[object]:
    """Everything that is stored otherwise than the log tells, or that it tells in part only; none if all is well."""
    report = replay(store)
    partial = [f"{kind}: {count.partial} in part" for kind, count in report.kinds.items() if count.partial]
    return [*report.contradictions, *report.differences, *partial]
