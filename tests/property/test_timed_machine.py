"""Timed reminders on a real SQLite file against a model: made, cancelled, put off, time passing, nobody looking.

Each occurrence fires at most once and never early, none is lost, and what is late comes once for all it missed.
"""

import shutil
import tempfile
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, multiple, rule, run_state_machine_as_test

from core.errors import InvalidTransition
from core.limits import LIMITS
from core.services.audit import VerifyAudit
from core.services.fire_timed import FireTimed, NextDue
from core.services.remind import SnoozeTimed
from core.services.tick import Tick
from core.services.timed import AcknowledgeTimed, CancelTimed, ListTimed
from core.services.timed_delivery import PendingTimed, TimedDelivery
from core.turn import ADMIN
from storage.unit_of_work import open_store
from tests.builders import HOME, NOW, a_member
from tests.fakes.clock import FakeClock
from tests.fakes.ids import SeededIds
from tests.fakes.reminding import a_context, remind
from tests.fakes.replayed import differing

PHASES = (Phase.explicit, Phase.reuse, Phase.generate)  # shrinking many steps on a file takes minutes
STEPS = {"": None, "FREQ=HOURLY": timedelta(hours=1), "FREQ=DAILY": timedelta(days=1)}
SPANS = st.sampled_from([timedelta(minutes=1), timedelta(minutes=40), timedelta(hours=5), timedelta(days=2)])


@dataclass
class Model:
    """What should be true of one reminder. `pending` are the occurrences of the message that nobody got yet."""

    handle: str
    due: datetime | None
    step: timedelta | None
    state: str = "active"
    fired: int = 0
    waiting: bool = False
    pending: list[datetime] = field(default_factory=list)
    got: list[datetime] = field(default_factory=list)

    def fire(self, now: datetime) -> None:
        """All occurrences up to now go into one message."""
        if self.due is None or self.due > now:
            return
        self.fired, self.waiting = self.fired + 1, True
        while self.due is not None and self.due <= now:
            self.pending.append(self.due)
            self.due = None if self.step is None else self.due + self.step
        if self.due is None:
            self.state = "done"


class Machine(RuleBasedStateMachine):
    """Every step is done to the program and to the model; what they say must agree."""

    template: Path
    made = Bundle("made")

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="timed"))
        shutil.copy(self.template, self.folder / "store.db")
        self.clock, self.ids = FakeClock(NOW), SeededIds(1)
        self.store = open_store(f"sqlite:///{self.folder / 'store.db'}")
        self.ctx = a_context(self.store, self.clock, self.ids, replace(LIMITS, missed_counted=10**6))
        self.models: dict[str, Model] = {}

    @rule(target=made, span=SPANS, text=st.sampled_from(list(STEPS)))
    def create(self, span, text):
        row = remind(self.ctx, span, rule=text)
        self.models[row.handle] = Model(row.handle, row.due_at, STEPS[text])
        return row.handle

    @rule(handle=made)
    def cancel(self, handle):
        model = self.models[handle]
        if model.state == "cancelled":
            with pytest.raises(InvalidTransition):
                CancelTimed(self.ctx)(handle, a_member(), HOME)
            return
        CancelTimed(self.ctx)(handle, a_member(), HOME)
        model.state, model.due, model.pending = "cancelled", None, []

    @rule(target=made, handle=made, span=SPANS)
    def put_off(self, handle, span):
        model = self.models[handle]
        if model.state == "cancelled" or not model.fired:
            with pytest.raises(InvalidTransition):
                SnoozeTimed(self.ctx)(handle, span, a_member(), HOME)
            return multiple()
        row = SnoozeTimed(self.ctx)(handle, span, a_member(), HOME)
        model.waiting = False
        self.models[row.handle] = Model(row.handle, self.clock.now() + span, None)
        return row.handle

    @rule(handle=made)
    def acknowledge(self, handle):
        model = self.models[handle]
        if model.state == "cancelled" or not model.waiting:
            with pytest.raises(InvalidTransition):
                AcknowledgeTimed(self.ctx)(handle, a_member(), HOME)
            return
        AcknowledgeTimed(self.ctx)(handle, a_member(), HOME)
        model.waiting = False

    @rule(span=SPANS)
    def time_passes_and_nobody_looks(self, span):
        self.clock.advance(span)

    @rule(span=st.sampled_from([timedelta(minutes=1), timedelta(hours=3)]))
    def the_clock_is_set_back(self, span):
        self.clock.advance(-span)

    @rule()
    def the_heartbeat_comes(self):
        self._fire(lambda: Tick(self.ctx)().reminded)

    @rule()
    def the_alarm_rings(self):
        due = NextDue(self.ctx)()
        if due is not None and due > self.clock.now():
            self.clock.set(due)
        self._fire(FireTimed(self.ctx))

    def _fire(self, work):
        before = {handle: model.fired for handle, model in self.models.items()}
        for model in self.models.values():
            model.fire(self.clock.now())
        assert work() == sum(model.fired - before[handle] for handle, model in self.models.items())

    @rule()
    def all_is_delivered(self):
        for due in PendingTimed(self.ctx).to_places("console", lambda _where: True):
            model = self.models[due.reminder.handle]
            assert model.pending, "it comes although nothing was due, or once more"
            assert due.missed == len(model.pending) - 1
            assert due.due_at in model.pending
            assert TimedDelivery(self.ctx).delivered(due.item_id)
            model.got += model.pending
            model.pending = []
        assert not any(model.pending for model in self.models.values()), "lost"

    @invariant()
    def rows_are_those_of_the_model(self):
        rows = {row.handle: row for row in ListTimed(self.ctx)(ADMIN, None, everything=True, size=1_000).rows}
        assert rows.keys() == self.models.keys()
        for handle, model in self.models.items():
            row = rows[handle]
            assert (row.status, row.due_at, row.fired) == (model.state, model.due, model.fired)
            assert row.waiting == model.waiting
            assert len(set(model.got)) == len(model.got), "an occurrence came twice"
        waiting = [model.due for model in self.models.values() if model.due is not None]
        assert NextDue(self.ctx)() == min(waiting, default=None)

    def teardown(self) -> None:
        assert all(report.bad is None for report in VerifyAudit(self.ctx)())
        assert differing(self.store) == []
        self.store.close()
        shutil.rmtree(self.folder)


def run(template: Path, examples: int, steps: int) -> None:
    machine = type("Told", (Machine,), {"template": template})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            phases=PHASES,
            suppress_health_check=list(HealthCheck),
        ),
    )


@pytest.mark.timeout(300)
def test_every_occurrence_fires_at_most_once_never_early_and_none_is_lost(sqlite_template):
    run(sqlite_template, 25, 30)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_the_same_for_long(sqlite_template):
    run(sqlite_template, 1_000, 60)
