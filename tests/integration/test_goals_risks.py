"""The daily word about open risks (D19): one a person, space and day."""

from dataclasses import replace
from datetime import timedelta

import pytest

from core.goals.objects import IntentState, IntentType, Session
from core.limits import LIMITS
from core.services.audit import VerifyAudit
from core.services.goal_moves import CancelGoal, HoldGoal
from core.services.notices import NoticeKind
from core.services.tick import Tick
from core.standing.intent import Priority
from tests.builders import ADA, BOB, HOME, NOW, an_owner
from tests.builders_goals import (
    AGENT,
    AWAY,
    CYD,
    SECOND,
    a_person,
    add,
    beat,
    due,
    kinds_told,
    log_length,
    propose,
    risk,
    told,
)
from tests.fakes.reminding import a_context

HOUR = timedelta(hours=1)
E, A = IntentState.EXPIRED, IntentState.ACTIVE
LOW, MEDIUM, HIGH, CRITICAL = Priority


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return a_context(store, clock, ids)


def test_open_urgent_risks_are_told_together_once_a_day_in_a_space(ctx):
    first = risk(ctx, "one", priority=CRITICAL)
    second = risk(ctx, "two", priority=HIGH)
    away = add(ctx, "away", intent_type=IntentType.RISK, priority=HIGH, where=AWAY)
    risk(ctx, "calm", priority=MEDIUM)
    add(ctx, "no risk", priority=CRITICAL)
    held = risk(ctx, "held", priority=HIGH)
    HoldGoal(ctx)(held.handle, an_owner(), HOME)
    beat(ctx)
    beat(ctx)
    news = told(ctx, ADA)
    assert [one.kind for one in news] == [NoticeKind.RISKS] * 2
    assert sorted([sorted(row.handle for row in one.goals) for one in news]) == sorted(
        [sorted([first.handle, second.handle]), [away.handle]]
    )
    ctx.clock.advance(LIMITS.risk_gap - SECOND)
    beat(ctx)
    assert told(ctx, ADA) == []
    ctx.clock.advance(2 * SECOND)
    beat(ctx)
    assert len(told(ctx, ADA)) == 2


def test_a_new_risk_waits_for_the_next_days_word(ctx):
    risk(ctx, "one", priority=CRITICAL)
    beat(ctx)
    assert len(told(ctx, ADA)) == 1
    ctx.clock.advance(hours=2)
    risk(ctx, "two", priority=CRITICAL)
    beat(ctx)
    assert told(ctx, ADA) == []
    ctx.clock.advance(hours=23)
    beat(ctx)
    assert [len(one.goals) for one in told(ctx, ADA)] == [2]


def test_one_that_is_over_makes_no_room_for_a_second_word_that_day(ctx):
    row = risk(ctx, "one", priority=CRITICAL)
    beat(ctx)
    assert len(told(ctx, ADA)) == 1
    ctx.clock.advance(hours=2)
    CancelGoal(ctx)(row.handle, an_owner(), HOME)
    risk(ctx, "two", priority=CRITICAL)
    beat(ctx)
    assert told(ctx, ADA) == []


def test_one_whose_deadline_passes_that_day_has_its_alert_and_no_second_word(ctx):
    risk(ctx, "one", priority=HIGH, due=due(ctx, 5 * HOUR))
    beat(ctx)
    told(ctx, ADA)
    ctx.clock.advance(hours=6)
    beat(ctx)
    assert kinds_told(ctx, ADA) == ["notice.goal.risk"]


def test_a_high_risk_that_a_block_surfaced_is_left_out_and_a_critical_one_is_not(ctx):
    high, critical = risk(ctx, "one", priority=HIGH), risk(ctx, "two", priority=CRITICAL)
    with ctx.store.write() as tx:
        tx.goals.put_session(Session(high.conversation, NOW, NOW, frozenset({high.key, critical.key})))
        tx.commit()
    beat(ctx)
    [news] = told(ctx, ADA)
    assert [row.handle for row in news.goals] == [critical.handle]


def test_risks_of_a_machine_are_told_to_who_made_them_and_proposals_to_nobody(ctx):
    risk(ctx, "the agent's", owner=a_person(AGENT), priority=CRITICAL)
    propose(ctx, "maybe", intent_type=IntentType.RISK, priority=CRITICAL)
    beat(ctx)
    assert kinds_told(ctx, ADA) == ["notice.goal.risks"]
    assert kinds_told(ctx, BOB) == []


def test_a_person_at_the_edge_of_a_chunk_is_told_of_all_in_one(store, clock, ids):
    ctx = a_context(store, clock, ids, replace(LIMITS, chunk=3))
    for who in (ADA, BOB, CYD):
        for number in range(2):
            risk(ctx, f"{who.user_id} {number}", owner=a_person(who), priority=CRITICAL)
    beat(ctx)
    for who in (ADA, BOB, CYD):
        news = [one for one in told(ctx, who) if one.kind is NoticeKind.RISKS]
        assert [len(one.goals) for one in news] == [2], who


def test_the_heartbeat_of_everything_looks_after_goals_too(ctx):
    risk(ctx, priority=LOW, due=due(ctx, HOUR))
    ctx.clock.advance(hours=1)
    assert Tick(ctx)().goals_expired == 1
    length = log_length(ctx)
    assert Tick(ctx)().goals_expired == 0
    assert log_length(ctx) == length
    assert all(report.bad is None for report in VerifyAudit(ctx)())
