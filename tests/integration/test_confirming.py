"""The yes to an imported rule on real stores: who may say it, to what, and what holds until then."""

from dataclasses import replace
from datetime import timedelta

import pytest

from core.errors import InvalidInput, InvalidTransition, LimitExceeded, NotAllowed, NotFound
from core.limits import LIMITS
from core.operations.log import OpType
from core.services.change_intent import CancelIntent, EditIntent, PauseIntent, ResumeIntent
from core.services.confirm_intent import ConfirmIntent, ReadUnconfirmed
from core.services.context import Context
from core.services.keep import KeepIntent
from core.services.mute import MuteIntent
from core.services.notices import TakeNotices
from core.services.receive_turn import ReceiveTurn
from core.standing.intent import Change, ChannelScope, Status
from core.turn import ADMIN
from tests.builders import ADA, BOB, HOME, NOW, a_turn, an_owner
from tests.fakes.documents import a_row
from tests.fakes.importing import VAULT, bring, create, operations, state, version


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return Context(store, clock, ids)


def test_only_the_creator_can_say_yes(ctx):
    [made] = bring(ctx, a_row())
    before = state(ctx)
    for actor in (an_owner(BOB), an_owner(BOB, is_operator=True)):
        with pytest.raises(NotFound):
            ConfirmIntent(ctx)(made.handle, actor, HOME, version(ctx, made))
        with pytest.raises(NotFound):
            ReadUnconfirmed(ctx)(made.handle, actor, HOME)
    with pytest.raises(NotAllowed):
        ConfirmIntent(ctx)(made.handle, ADMIN, HOME, version(ctx, made))
    with pytest.raises(NotAllowed):
        ConfirmIntent(ctx)(made.handle, an_owner(is_owner=False), HOME, version(ctx, made))
    with pytest.raises(NotAllowed, match="where it was made"):
        ConfirmIntent(ctx)(made.handle, an_owner(), replace(HOME, space="away"), version(ctx, made))
    with pytest.raises(NotAllowed):
        ConfirmIntent(ctx)(made.handle, an_owner(), VAULT, version(ctx, made))
    assert state(ctx) == before


def test_a_yes_is_one_operation_of_the_creator(ctx, clock):
    [made] = bring(ctx, a_row())
    clock.advance(minutes=5)
    row = ConfirmIntent(ctx)(made.handle, an_owner(), HOME, version(ctx, made))
    assert (row.status, row.unconfirmed, row.armed_at) == (Status.ARMED, False, clock.now())
    newest, _ = operations(ctx, row)
    assert (newest.op_type, newest.actor_id) == (OpType.STANDING_TRANSITION, "ada")
    with pytest.raises(InvalidTransition):
        ConfirmIntent(ctx)(made.handle, an_owner(), HOME, version(ctx, made))
    PauseIntent(ctx)(made.handle, an_owner(), HOME)
    with pytest.raises(InvalidTransition):
        ConfirmIntent(ctx)(made.handle, an_owner(), HOME, version(ctx, made))
    assert ResumeIntent(ctx)(made.handle, an_owner(), HOME).status is Status.ARMED


def test_a_rule_that_listens_everywhere_needs_an_operator(ctx):
    [made] = bring(ctx, a_row(scope="anywhere"))
    with pytest.raises(NotAllowed):
        ConfirmIntent(ctx)(made.handle, an_owner(), HOME, version(ctx, made))
    row = ConfirmIntent(ctx)(made.handle, an_owner(is_operator=True), HOME, version(ctx, made))
    assert row.channel_scope is ChannelScope.ANYWHERE


def test_a_rule_that_ended_meanwhile_is_not_woken(ctx, clock):
    [made] = bring(ctx, a_row(expires_at="2026-11-30T11:00:00Z"))
    clock.advance(hours=1)
    with pytest.raises(InvalidTransition, match="expired"):
        ConfirmIntent(ctx)(made.handle, an_owner(), HOME, version(ctx, made))


def test_a_yes_is_refused_where_another_rule_waits_for_the_same(ctx):
    [made] = bring(ctx, a_row(description="Something else."))
    create(ctx)
    with pytest.raises(InvalidInput):
        ConfirmIntent(ctx)(made.handle, an_owner(), HOME, version(ctx, made))


def test_a_yes_is_refused_where_too_many_listen_for_the_same_word(ctx, clock, ids):
    [made] = bring(ctx, a_row())
    crowded = Context(ctx.store, clock, ids, replace(LIMITS, entries_per_scope_and_anchor=0))
    before = state(ctx)
    with pytest.raises(LimitExceeded):
        ConfirmIntent(crowded)(made.handle, an_owner(), HOME, version(ctx, made))
    assert state(ctx) == before


def test_a_yes_counts_the_rule_itself_among_those_that_one_may_have(ctx, clock, ids):
    [made, other] = bring(ctx, a_row(), a_row(entries=["budget"]))
    for name in ("live_intents_per_creator", "live_intents_per_space"):
        with pytest.raises(LimitExceeded):
            ConfirmIntent(Context(ctx.store, clock, ids, replace(LIMITS, **{name: 1})))(
                made.handle, an_owner(), HOME, version(ctx, made)
            )
    for name, one in (("live_intents_per_creator", made), ("live_intents_per_space", other)):
        enough = Context(ctx.store, clock, ids, replace(LIMITS, **{name: 2}))
        assert ConfirmIntent(enough)(one.handle, an_owner(), HOME, version(ctx, one)).status is Status.ARMED


def test_a_rule_that_waits_can_be_changed_and_cancelled(ctx):
    [made, other] = bring(ctx, a_row(), a_row(entries=["budget"]))
    row = EditIntent(ctx)(made.handle, Change(triggers="rollback", max_fires=9), an_owner(), HOME)
    assert (row.status, row.unconfirmed, row.entries) == (Status.PENDING, True, ("rollback",))
    assert not ReceiveTurn(ctx)(a_turn("rollback")).fires
    assert CancelIntent(ctx)(other.handle, an_owner(), HOME).status is Status.CANCELLED
    assert ConfirmIntent(ctx)(made.handle, an_owner(), HOME, row.version).status is Status.ARMED
    assert ReceiveTurn(ctx)(a_turn("rollback", at=NOW + timedelta(seconds=1))).fires


def test_what_changed_since_it_was_read_is_not_confirmed(ctx):
    [made] = bring(ctx, a_row())
    read = ReadUnconfirmed(ctx)(made.handle, an_owner(), HOME).intent
    EditIntent(ctx)(made.handle, Change(triggers="rollback"), an_owner(), HOME)
    before = state(ctx)
    with pytest.raises(InvalidInput, match="changed meanwhile"):
        ConfirmIntent(ctx)(made.handle, an_owner(), HOME, read.version)
    assert state(ctx) == before
    again = ReadUnconfirmed(ctx)(made.handle, an_owner(), HOME).intent
    assert ConfirmIntent(ctx)(made.handle, an_owner(), HOME, again.version).status is Status.ARMED


def test_nobody_but_its_creator_changes_a_rule_that_waits_for_their_yes(ctx):
    [made] = bring(ctx, a_row())
    before = state(ctx)
    for other in (an_owner(BOB), an_owner(BOB, is_operator=True)):
        for change in (
            lambda other=other: EditIntent(ctx)(made.handle, Change(triggers="rollback"), other, HOME),
            lambda other=other: MuteIntent(ctx)(made.handle, other, HOME),
            lambda other=other: KeepIntent(ctx)(made.handle, other, HOME),
        ):
            with pytest.raises(NotAllowed, match="waits for its creator"):
                change()
    assert state(ctx) == before
    assert CancelIntent(ctx)(made.handle, an_owner(BOB), HOME).status is Status.CANCELLED


def test_each_creator_is_told_once_how_many_wait(ctx):
    bring(ctx, a_row(), a_row(entries=["budget"]), a_row({"creator.user": "bob"}))
    told = {who: TakeNotices(ctx)(who) for who in (ADA, BOB)}
    assert {who: [news.count for news in notice.news] for who, notice in told.items()} == {ADA: [2], BOB: [1]}


def test_a_creator_is_not_told_of_rules_that_wait_no_more(ctx):
    [made, other] = bring(ctx, a_row(), a_row(entries=["budget"]))
    for row in (made, other):
        CancelIntent(ctx)(row.handle, an_owner(), HOME)
    assert TakeNotices(ctx)(ADA) is None
