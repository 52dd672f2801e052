"""The end of a membership, and cancelling all of a person, on a real store."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from core.errors import NotAllowed, NotFound
from core.services.audit import VerifyAudit
from core.services.cancel_all import CancelAll
from core.services.change_intent import CancelIntent, PauseIntent, ResumeIntent
from core.services.context import Context
from core.services.create_intent import CreateIntent
from core.services.end_membership import EndMembership
from core.services.notices import NoticeKind, TakeNotices
from core.services.read_intents import ShowIntent
from core.services.receive_turn import ReceiveTurn
from core.standing.intent import ChannelScope, Status
from core.turn import ADMIN, SYSTEM, Principal, Visibility
from tests.builders import ADA, BOB, HOME, NOW, a_draft, a_member, a_place, a_turn, an_owner

ZOE = Principal("console", "local", "zoe")
AWAY = replace(HOME, space="away")
VAULT = a_place("vault", visibility=Visibility.PRIVATE)


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return Context(store, clock, ids)


def create(ctx, where=HOME, who=BOB, triggers="launch checklist", **fields):
    return CreateIntent(ctx)(a_draft(triggers, **fields), an_owner(who), where, "created")


def status(ctx, row):
    with ctx.store.read() as tx:
        return tx.intents.by_id(row.id).status


def last_operation(ctx, row):
    with ctx.store.read() as tx:
        found = tx.operations.of_target(row.id, 1)[0]
        return found.op_type, found.actor_id, json.loads(found.payload)


def news(ctx, who):
    notice = TakeNotices(ctx)(who)
    return () if notice is None else notice.news


# leaving


def test_the_rules_of_somebody_who_leaves_are_paused_in_that_space_alone(ctx):
    here, hidden, away = create(ctx), create(ctx, VAULT), create(ctx, AWAY)
    others, paused = create(ctx, who=ADA), create(ctx, triggers="zebra")
    PauseIntent(ctx)(paused.handle, an_owner(BOB), HOME)
    assert EndMembership(ctx)(BOB, HOME, [ADA], SYSTEM) == 2
    assert [status(ctx, row) for row in (here, hidden, away, others)] == ["pending", "pending", "armed", "armed"]
    payload = {"from": "armed", "to": "pending", "reason": "creator left", "fields": {"version": [1, 2]}}
    assert last_operation(ctx, here) == ("STANDING_TRANSITION", "system", payload)
    assert last_operation(ctx, paused)[2]["reason"] == "paused"
    assert EndMembership(ctx)(BOB, HOME, [ADA], SYSTEM) == 0
    assert all(not report.why for report in VerifyAudit(ctx)())


def test_what_is_paused_by_leaving_does_not_fire(ctx):
    create(ctx)
    EndMembership(ctx)(BOB, HOME, [ADA], SYSTEM)
    assert ReceiveTurn(ctx)(a_turn()).fires == ()


def test_a_quiet_rule_is_paused_and_an_ended_one_left_alone(ctx, clock):
    quiet, ended = create(ctx), create(ctx, triggers="zebra", expires_in=timedelta(days=1))
    assert ReceiveTurn(ctx)(a_turn()).fires
    clock.advance(timedelta(days=1) - timedelta(seconds=1))
    assert status(ctx, quiet) is Status.FIRED
    clock.advance(timedelta(seconds=1))
    assert EndMembership(ctx)(BOB, HOME, [ADA], SYSTEM) == 1
    assert (status(ctx, quiet), status(ctx, ended)) == (Status.PENDING, Status.ARMED)


def test_every_owner_is_told_how_many_and_who_left_is_not(ctx):
    create(ctx)
    create(ctx, a_place("ops"))
    EndMembership(ctx)(BOB, HOME, [ADA, BOB, ZOE], an_owner(BOB))
    for owner in (ADA, ZOE):
        [told] = news(ctx, owner)
        assert (told.kind, told.who, told.count) == (NoticeKind.LEFT, BOB, 2)
    assert news(ctx, BOB) == ()


def test_what_was_made_in_private_is_paused_and_nobody_is_told_of_it(ctx):
    hidden = create(ctx, VAULT)
    assert EndMembership(ctx)(BOB, HOME, [ADA], SYSTEM) == 1
    assert (status(ctx, hidden), news(ctx, ADA)) == (Status.PENDING, ())
    create(ctx)
    create(ctx, VAULT, triggers="zebra")
    wide = CreateIntent(ctx)(
        a_draft("giraffe", channel_scope=ChannelScope.ANYWHERE), an_owner(BOB, is_operator=True), HOME, "wide"
    )
    assert EndMembership(ctx)(BOB, HOME, [ADA], SYSTEM) == 3
    assert status(ctx, wide) is Status.PENDING
    assert [told.count for told in news(ctx, ADA)] == [1]


def test_nobody_is_told_of_somebody_without_rules(ctx):
    create(ctx, who=ADA)
    assert EndMembership(ctx)(BOB, HOME, [ADA], SYSTEM) == 0
    assert EndMembership(ctx)(BOB, replace(HOME, space="unknown"), [ADA], SYSTEM) == 0
    assert news(ctx, ADA) == ()


@pytest.mark.parametrize(("count", "paused"), [(3, 3), (4, 4)])
def test_all_rules_of_a_person_are_paused_at_once(ctx, count, paused):
    ctx = replace(ctx, limits=replace(ctx.limits, live_intents_per_creator=4))
    for number in range(count):
        create(ctx, triggers=f"word{number}")
    assert EndMembership(ctx)(BOB, HOME, [], SYSTEM) == paused


def test_a_membership_is_ended_by_that_person_an_owner_or_the_platform(ctx):
    create(ctx)
    with pytest.raises(NotAllowed):
        EndMembership(ctx)(BOB, HOME, [ADA], a_member(ZOE))
    assert EndMembership(ctx)(BOB, HOME, [ADA], a_member(BOB)) == 1


def test_an_owner_wakes_what_was_paused_and_who_left_does_not(ctx):
    row = create(ctx)
    EndMembership(ctx)(BOB, HOME, [ADA], SYSTEM)
    with pytest.raises(NotAllowed, match="Only owners"):
        ResumeIntent(ctx)(row.handle, a_member(BOB), HOME)
    with pytest.raises(NotFound):
        ResumeIntent(ctx)(row.handle, a_member(ZOE), HOME)
    with pytest.raises(NotFound):
        ResumeIntent(ctx)(row.handle, an_owner(), AWAY)
    assert ResumeIntent(ctx)(row.handle, an_owner(), HOME).status is Status.ARMED
    assert ReceiveTurn(ctx)(a_turn()).fires


# one rule of a member


def test_t129_an_owner_cancels_the_rule_of_a_member_in_their_own_space_only(ctx):
    here, away = create(ctx), create(ctx, AWAY)
    with pytest.raises(NotFound):
        CancelIntent(ctx)(away.handle, an_owner(), HOME)
    assert CancelIntent(ctx)(here.handle, an_owner(), HOME).status is Status.CANCELLED
    assert status(ctx, away) is Status.ARMED


# all of a person


def test_t135_an_owner_cancels_all_of_a_person_in_the_namespace_they_stand_in(ctx):
    mine, there = create(ctx), create(ctx, a_place("ops"), triggers="zebra")
    away, hidden, others = create(ctx, AWAY), create(ctx, VAULT), create(ctx, who=ADA)
    PauseIntent(ctx)(there.handle, an_owner(BOB), HOME)
    assert CancelAll(ctx).count(BOB, an_owner(), HOME) == 2
    assert CancelAll(ctx)(BOB, an_owner(), HOME) == 2
    assert {status(ctx, row) for row in (mine, there)} == {Status.CANCELLED}
    assert {status(ctx, row) for row in (away, hidden, others)} == {Status.ARMED}
    kind, actor, payload = last_operation(ctx, there)
    assert (kind, actor, payload["from"], payload["to"]) == ("STANDING_TRANSITION", "ada", "pending", "cancelled")
    assert CancelAll(ctx)(BOB, an_owner(), HOME) == 0
    assert ReceiveTurn(ctx)(a_turn()).fires[0].creator == ADA


def test_t135_the_creator_is_told_once(ctx):
    create(ctx)
    create(ctx, triggers="zebra")
    CancelAll(ctx)(BOB, an_owner(), HOME)
    [told] = news(ctx, BOB)
    assert (told.kind, told.who, told.count, told.intent) == (NoticeKind.CANCELLED, ADA, 2, None)


def test_of_a_single_rule_its_handle_is_told(ctx):
    row = create(ctx)
    CancelAll(ctx)(BOB, an_owner(), HOME)
    assert news(ctx, BOB)[0].intent.handle == row.handle


def test_members_cancel_all_of_their_own_and_of_nobody_else(ctx):
    row = create(ctx)
    for asker in (a_member(ZOE), replace(a_member(ZOE), principal=None)):
        with pytest.raises(NotAllowed, match="Only owners"):
            CancelAll(ctx)(BOB, asker, HOME)
        with pytest.raises(NotAllowed):
            CancelAll(ctx).count(BOB, asker, HOME)
    assert status(ctx, row) is Status.ARMED
    assert CancelAll(ctx)(BOB, a_member(BOB), HOME) == 1
    assert news(ctx, BOB) == ()


def test_an_owner_in_a_direct_message_reaches_their_own_alone(ctx):
    dm = replace(HOME, space="dm", channel="dm", conversation="dm", visibility=Visibility.DIRECT)
    create(ctx)
    with pytest.raises(NotAllowed):
        CancelAll(ctx)(BOB, an_owner(), dm)
    assert CancelAll(ctx)(BOB, an_owner(is_operator=True), dm) == 1


def test_an_operator_who_owns_nothing_reaches_the_namespace_they_stand_in(ctx):
    here, away = create(ctx), create(ctx, AWAY)
    operator = an_owner(ZOE, is_owner=False, is_operator=True)
    assert CancelAll(ctx)(BOB, operator, HOME) == 1
    assert (status(ctx, here), status(ctx, away)) == (Status.CANCELLED, Status.ARMED)


def test_an_administrator_reaches_all_of_them(ctx):
    rows = [create(ctx), create(ctx, AWAY), create(ctx, VAULT, channel_scope=ChannelScope.CONVERSATION)]
    assert CancelAll(ctx)(BOB, ADMIN, None) == 3
    assert {status(ctx, row) for row in rows} == {Status.CANCELLED}
    assert ShowIntent(ctx)(rows[0].handle, a_member(BOB), HOME).intent.status is Status.CANCELLED


def test_a_rule_past_its_end_is_not_counted(ctx, clock):
    create(ctx, expires_in=timedelta(days=1))
    clock.advance(timedelta(days=1))
    assert CancelAll(ctx).count(BOB, an_owner(), HOME) == 0
    assert CancelAll(ctx)(BOB, an_owner(), HOME) == 0
