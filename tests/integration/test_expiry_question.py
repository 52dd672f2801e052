"""The question before the end of an unused rule, and keeping it, on a real store."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from core.errors import InvalidTransition, NotFound
from core.services.change_intent import CancelIntent, EditIntent
from core.services.context import Context
from core.services.keep import KeepIntent
from core.services.notices import NoticeKind
from core.services.read_intents import ShowIntent
from core.services.receive_turn import ReceiveTurn
from core.services.tick import Tick
from core.standing.intent import Change, Priority
from core.turn import ADMIN, Principal
from tests.builders import HOME, NOW, a_member, a_turn, an_owner
from tests.fakes.notices import create, kinds, owe, take

SECOND = timedelta(seconds=1)
WEEK_BEFORE = NOW + timedelta(days=83)


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return Context(store, clock, ids)


def operations(ctx, row):
    with ctx.store.read() as tx:
        found = tx.operations.of_target(row.id, 100)
        return [(operation.op_type, json.loads(operation.payload)) for operation in found][::-1]


def now_of(ctx, row):
    return ShowIntent(ctx)(row.handle, ADMIN, None).intent


# before the end


def test_t031_the_creator_of_an_unused_rule_is_asked_once_a_week_before_its_end(ctx, clock):
    row = create(ctx)
    clock.set(WEEK_BEFORE - SECOND)
    assert Tick(ctx)().asked == 0 and take(ctx) is None
    clock.set(WEEK_BEFORE)
    assert Tick(ctx)().asked == 1
    assert Tick(ctx)().asked == 0
    [news] = take(ctx).news
    assert (news.kind, news.intent.handle) == (NoticeKind.EXPIRING, row.handle)
    kind, payload = operations(ctx, row)[-1]
    assert (kind, payload["expiry_asked_at"][0]) == ("EDITED", None)
    assert now_of(ctx, row).expiry_asked_at == WEEK_BEFORE


def test_t031_a_rule_for_60_days_that_is_not_used_is_announced_before_it_ends(ctx, clock):
    create(ctx, expires_in=timedelta(days=60))
    clock.set(NOW + timedelta(days=53))
    Tick(ctx)()
    assert kinds(take(ctx)) == [NoticeKind.EXPIRING]


@pytest.mark.parametrize(("days", "asked"), [(6, 0), (7, 1)])
def test_a_rule_made_for_less_than_a_week_is_not_asked_about(ctx, days, asked):
    create(ctx, expires_in=timedelta(days=days))
    assert Tick(ctx)().asked == asked


def test_a_rule_that_was_needed_is_not_asked_about(ctx, clock):
    create(ctx)
    assert ReceiveTurn(ctx)(a_turn()).fires
    clock.set(WEEK_BEFORE)
    assert Tick(ctx)().asked == 0


def test_many_are_asked_about_in_chunks(ctx, clock):
    ctx = replace(ctx, limits=replace(ctx.limits, chunk=2))
    for number in range(5):
        create(ctx, triggers=f"word{number}")
    clock.set(WEEK_BEFORE)
    assert Tick(ctx)().asked == 5
    assert len(take(ctx).news) == 5


def test_a_rule_that_expires_at_this_tick_is_not_asked_about(ctx, clock):
    create(ctx)
    clock.set(NOW + timedelta(days=90))
    report = Tick(ctx)()
    assert (report.expired, report.asked) == (1, 0)


def test_the_question_of_a_high_rule_comes_at_once(ctx, clock):
    row = create(ctx, priority=Priority.HIGH)
    clock.set(WEEK_BEFORE)
    owe(ctx, row)
    take(ctx)
    Tick(ctx)()
    assert kinds(take(ctx)) == [NoticeKind.EXPIRING]


@pytest.mark.parametrize("answer", ["fires", "is cancelled", "is kept", "is edited"])
def test_a_question_that_is_settled_is_not_asked_any_more(ctx, clock, answer):
    row = create(ctx)
    clock.set(WEEK_BEFORE)
    Tick(ctx)()
    match answer:
        case "fires":
            assert ReceiveTurn(ctx)(a_turn(at=WEEK_BEFORE)).fires
        case "is cancelled":
            CancelIntent(ctx)(row.handle, an_owner(), HOME)
        case "is kept":
            KeepIntent(ctx)(row.handle, an_owner(), HOME)
        case "is edited":
            EditIntent(ctx)(row.handle, Change(expires_in=timedelta(days=30)), an_owner(), HOME)
    assert take(ctx) is None
    owe(ctx, row)
    assert kinds(take(ctx)) == [NoticeKind.LEFT], "an hour is not spent on what is not told"


# keeping


def test_a_kept_rule_lives_90_days_more_and_is_asked_about_again(ctx, clock):
    row = create(ctx)
    clock.set(WEEK_BEFORE)
    Tick(ctx)()
    kept = KeepIntent(ctx)(row.handle, an_owner(), HOME)
    assert (kept.expires_at, kept.expiry_asked_at) == (WEEK_BEFORE + timedelta(days=90), None)
    assert [kind for kind, _ in operations(ctx, row)] == ["ASSERT", "EDITED", "EDITED"]
    assert set(operations(ctx, row)[-1][1]) == {"expires_at", "expiry_asked_at", "fields"}
    clock.set(WEEK_BEFORE + timedelta(days=83))
    assert Tick(ctx)().asked == 1


def test_a_kept_rule_whose_quiet_time_is_over_says_so_in_the_log(ctx, clock):
    row = create(ctx)
    assert ReceiveTurn(ctx)(a_turn()).fires
    clock.set(NOW + timedelta(days=2))
    assert KeepIntent(ctx)(row.handle, an_owner(), HOME).status == "armed"
    kind, payload = operations(ctx, row)[-1]
    assert (kind, payload["status"], set(payload)) == ("EDITED", ["fired", "armed"], {"expires_at", "status", "fields"})


def test_keeping_never_brings_an_end_forward(ctx):
    row = create(ctx, expires_in=timedelta(days=200))
    assert KeepIntent(ctx)(row.handle, an_owner(), HOME).expires_at == NOW + timedelta(days=200)
    assert [kind for kind, _ in operations(ctx, row)] == ["ASSERT"]


def test_what_is_over_cannot_be_kept(ctx, clock):
    row = create(ctx)
    clock.set(NOW + timedelta(days=90))
    with pytest.raises(InvalidTransition, match="expired and cannot be changed"):
        KeepIntent(ctx)(row.handle, an_owner(), HOME)


def test_whoever_may_not_edit_may_not_keep(ctx):
    row = create(ctx)
    for actor in (a_member(), an_owner(Principal("console", "local", "zoe"), is_owner=False)):
        with pytest.raises(NotFound, match="There is no rule"):
            KeepIntent(ctx)(row.handle, actor, HOME)
