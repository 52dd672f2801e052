"""Delivery on a real SQLite file against a model: turns, sends that fail in every way, crashes, nights, time."""

import shutil
import tempfile
from collections import Counter
from datetime import timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from core.limits import LIMITS
from core.services.audit import VerifyAudit
from core.services.change_intent import CancelIntent
from core.services.context import Context
from core.services.dispatch import ParcelFailed, ParcelLater, ParcelSent
from core.services.receive_turn import ReceiveTurn
from core.services.space_settings import ChangeSetting
from core.services.tick import Tick
from core.settings import Setting
from core.standing.intent import ChannelScope, Deliver, FireState, OutboxState
from storage.unit_of_work import open_store
from tests.builders import NOW, a_turn, an_owner
from tests.fakes.clock import FakeClock
from tests.fakes.ids import SeededIds
from tests.fakes.platform import ADA, BOB, GROUP, a_chat, claim, create, fire_of, topic
from tests.fakes.replayed import differing

PHASES = (Phase.explicit, Phase.reuse, Phase.generate)  # shrinking many steps on a file takes minutes
SPANS = [timedelta(seconds=1), timedelta(seconds=30), timedelta(minutes=2), timedelta(minutes=20), timedelta(hours=5)]
PLACES = [GROUP, topic("t"), a_chat("other")]
MANY = {"cooldown": timedelta(0), "max_fires": 99}
ENDS = {FireState.DELIVERED, FireState.REFUNDED}


class Delivery(RuleBasedStateMachine):
    """`fires` is every fire in the order it was made; `seen` counts what the platform accepted."""

    template: Path

    def __init__(self):
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.url = f"sqlite:///{shutil.copy(self.template, self.folder / 'store.db')}"
        self.clock, self.ids = FakeClock(NOW), SeededIds(7)
        self.fires, self.under_way = [], []
        self.seen, self.in_doubt, self.order = Counter(), set(), {}
        self.open()

    def open(self):
        self.ctx = Context(open_store(self.url), self.clock, self.ids, zone_of=ZoneInfo)

    @initialize()
    def rules(self):
        self.rows = [
            create(self.ctx, triggers="fig", channel_scope=ChannelScope.SPACE, **MANY),
            create(self.ctx, a_chat("other"), triggers="fig", **MANY),
            create(
                self.ctx, who=BOB, triggers="plum", deliver=Deliver.DIRECT, channel_scope=ChannelScope.SPACE, **MANY
            ),
        ]

    @rule(where=st.sampled_from(PLACES), text=st.sampled_from(["a fig", "a plum", "fig plum"]))
    def somebody_talks(self, where, text):
        self.clock.advance(timedelta(milliseconds=1))
        turn = a_turn(text, at=self.clock.now(), where=where, sender=BOB)
        self.fires += [reminder.fire_id for reminder in ReceiveTurn(self.ctx)(turn).fires]

    @rule(limit=st.integers(1, 3))
    def take(self, limit):
        busy = frozenset(parcel.chat for parcel in self.under_way)
        taken = claim(self.ctx, limit, busy)
        chats = [parcel.chat for parcel in taken]
        assert len(set(chats)) == len(chats) <= limit and not busy & set(chats)
        assert all(1 <= parcel.attempts <= LIMITS.send_attempts for parcel in taken if parcel not in self.under_way)
        self.under_way += taken

    def pop(self, data):
        return self.under_way.pop(data.draw(st.integers(0, len(self.under_way) - 1)))

    def accepted(self, parcel):
        """The platform shows it."""
        if parcel.reminder is not None:
            fire_id = parcel.reminder.fire_id
            self.seen[fire_id] += 1
            if self.seen[fire_id] == 1 and parcel.reply_to:
                self.order.setdefault(parcel.chat, []).append(self.fires.index(fire_id))

    @precondition(lambda self: self.under_way)
    @rule(data=st.data())
    def it_is_sent(self, data):
        parcel = self.pop(data)
        self.accepted(parcel)
        ParcelSent(self.ctx)(parcel, ["m"])

    @precondition(lambda self: self.under_way)
    @rule(data=st.data())
    def it_is_sent_and_the_process_ends_before_that_is_recorded(self, data):
        parcel = self.pop(data)
        self.accepted(parcel)
        if parcel.reminder is not None:
            self.in_doubt.add((parcel.reminder.fire_id, self.seen[parcel.reminder.fire_id]))
        self.crash()

    @precondition(lambda self: self.under_way)
    @rule(data=st.data(), wait=st.sampled_from([None, None, timedelta(seconds=40)]))
    def it_may_work_later(self, data, wait):
        ParcelLater(self.ctx)(self.pop(data), wait, "network")

    @precondition(lambda self: self.under_way)
    @rule(data=st.data(), why=st.sampled_from(["gone", "blocked"]))
    def it_will_never_work(self, data, why):
        ParcelFailed(self.ctx)(self.pop(data), why)

    @rule()
    def crash(self):
        """What was under way is forgotten; the rows come back when their leases end."""
        self.under_way.clear()
        self.ctx.store.close()
        self.open()

    @rule(hours=st.sampled_from(["22:00-07:00", "09:00-12:00", "off"]))
    def quiet_hours(self, hours):
        ChangeSetting(self.ctx)(Setting.QUIET_HOURS, hours, an_owner(ADA), GROUP)

    @rule(span=st.sampled_from(SPANS))
    def time_passes(self, span):
        """No send lasts as long as its lease: those under way have ended."""
        if span >= LIMITS.send_lease:
            for parcel in self.under_way:
                ParcelLater(self.ctx)(parcel, None, "timeout")
            self.under_way.clear()
        self.clock.advance(span)

    @rule()
    def heartbeat(self):
        Tick(self.ctx)()

    @precondition(lambda self: len(self.rows) > 1)
    @rule()
    def a_rule_is_cancelled(self):
        CancelIntent(self.ctx)(self.rows.pop().handle, an_owner(ADA), GROUP)

    @invariant()
    def nothing_reserved_is_forgotten(self):
        for fire_id in self.fires:
            fire = fire_of(self.ctx, fire_id)
            with self.ctx.store.read() as tx:
                item = tx.outbox.of_fire(fire_id)
            live = item.state in {OutboxState.QUEUED, OutboxState.HELD}
            assert live is (fire.state is FireState.RESERVED)
            assert item.attempts <= LIMITS.send_attempts

    @invariant()
    def only_a_crash_before_the_record_repeats_one(self):
        for fire_id, times in self.seen.items():
            doubts = sum(1 for doubted, _ in self.in_doubt if doubted == fire_id)
            assert times <= 1 + doubts

    @invariant()
    def replies_come_in_the_order_of_their_chat(self):
        """What quiet hours hold may come behind what was said later."""
        for order in self.order.values():
            assert order == sorted(order)

    def teardown(self):
        self.under_way.clear()
        self.clock.advance(LIMITS.send_age + timedelta(hours=1))
        Tick(self.ctx)()
        assert {fire_of(self.ctx, fire_id).state for fire_id in self.fires} <= ENDS
        assert all(report.bad is None and not report.why for report in VerifyAudit(self.ctx)())
        assert differing(self.ctx.store) == []
        self.ctx.store.close()
        shutil.rmtree(self.folder)


def run_machine(template: Path, examples: int) -> None:
    Delivery.template = template
    checks = [HealthCheck.too_slow, HealthCheck.data_too_large]
    run_state_machine_as_test(
        Delivery,
        settings=settings(
            max_examples=examples, stateful_step_count=40, deadline=None, phases=PHASES, suppress_health_check=checks
        ),
    )


def test_every_fire_is_delivered_or_refunded_and_none_is_repeated_but_by_a_crash(sqlite_template):
    run_machine(sqlite_template, 12)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_every_fire_is_delivered_or_refunded_at_length(sqlite_template):
    run_machine(sqlite_template, 500)
