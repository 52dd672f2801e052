"""Who sees and changes a rule: what listens everywhere, and what somebody may still do who is no owner any more."""

from datetime import timedelta

import pytest

from core.errors import NotAllowed, NotFound
from core.services.cancel_all import CancelAll
from core.services.change_intent import CancelIntent, EditIntent, PauseIntent, ResumeIntent
from core.services.context import Context
from core.services.create_intent import CreateIntent
from core.services.explain_turn import ExplainTurn
from core.services.history import ReadHistory
from core.services.keep import KeepIntent
from core.services.mute import MuteIntent
from core.services.read_intents import ListIntents, ShowIntent
from core.services.receive_turn import ReceiveTurn
from core.standing.intent import Change, ChannelScope, Deliver, Status
from core.turn import ADMIN
from tests.builders import ADA, BOB, HOME, NOW, a_draft, a_member, a_turn, an_owner

OPERATOR = an_owner(ADA, is_operator=True)


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return Context(store, clock, ids)


@pytest.fixture
def everywhere(ctx):
    draft = a_draft(channel_scope=ChannelScope.ANYWHERE)
    return CreateIntent(ctx)(draft, OPERATOR, HOME, "created")


def create(ctx, who=BOB, **fields):
    return CreateIntent(ctx)(a_draft(**fields), an_owner(who), HOME, "created")


def changes(ctx, row, actor):
    """Everything that changes a rule and asks for an owner of the moment."""
    return (
        lambda: EditIntent(ctx)(row.handle, Change(cooldown=timedelta(0)), actor, HOME),
        lambda: MuteIntent(ctx)(row.handle, actor, HOME),
        lambda: KeepIntent(ctx)(row.handle, actor, HOME),
    )


def seen(ctx, actor, where=HOME):
    return [row.handle for row in ListIntents(ctx)(actor, where).rows]


def test_a_rule_that_listens_everywhere_does_not_exist_for_an_owner_of_where_it_was_made(ctx, everywhere):
    own, other = create(ctx), an_owner(BOB)
    assert seen(ctx, other) == [own.handle] and ListIntents(ctx)(other, HOME).total == 1
    assert [one.intent.handle for one in ExplainTurn(ctx)(a_turn(), other, HOME).intents] == [own.handle]
    for refused in (
        lambda: ShowIntent(ctx)(everywhere.handle, other, HOME),
        lambda: ReadHistory(ctx)(everywhere.handle, other, HOME),
        lambda: ExplainTurn(ctx)(a_turn(), other, HOME, everywhere.handle),
        lambda: PauseIntent(ctx)(everywhere.handle, other, HOME),
        lambda: ResumeIntent(ctx)(everywhere.handle, other, HOME),
        lambda: CancelIntent(ctx)(everywhere.handle, other, HOME),
        *changes(ctx, everywhere, other),
    ):
        with pytest.raises(NotFound, match="There is no rule"):
            refused()
    assert CancelAll(ctx).count(ADA, other, HOME) == CancelAll(ctx)(ADA, other, HOME) == 0
    assert {fire.handle for fire in ReceiveTurn(ctx)(a_turn()).fires} == {own.handle, everywhere.handle}


def test_a_rule_that_listens_everywhere_is_seen_by_its_creator_operators_and_administrators(ctx, everywhere):
    for actor in (an_owner(), a_member(ADA), an_owner(BOB, is_operator=True), ADMIN):
        assert ShowIntent(ctx)(everywhere.handle, actor, HOME).intent.handle == everywhere.handle
        assert seen(ctx, actor) == [everywhere.handle]


def test_its_creator_changes_it_while_operator_only_and_may_still_pause_and_cancel_it(ctx, everywhere):
    for change in changes(ctx, everywhere, an_owner()):
        with pytest.raises(NotAllowed, match="Only an operator"):
            change()
    assert PauseIntent(ctx)(everywhere.handle, an_owner(), HOME).status is Status.PENDING
    with pytest.raises(NotAllowed, match="Only an operator"):
        ResumeIntent(ctx)(everywhere.handle, an_owner(), HOME)
    assert ResumeIntent(ctx)(everywhere.handle, an_owner(BOB, is_operator=True), HOME).status is Status.ARMED
    for change in changes(ctx, everywhere, OPERATOR):
        change()
    assert CancelIntent(ctx)(everywhere.handle, an_owner(), HOME).status is Status.CANCELLED


def test_who_is_no_owner_any_more_sees_pauses_and_cancels_their_own_and_changes_nothing(ctx):
    row, gone = create(ctx), a_member(BOB)
    for change in changes(ctx, row, gone):
        with pytest.raises(NotAllowed, match="Only owners of this space can change"):
            change()
    assert ShowIntent(ctx)(row.handle, gone, HOME).intent == row
    PauseIntent(ctx)(row.handle, gone, HOME)
    with pytest.raises(NotAllowed, match="Only owners"):
        ResumeIntent(ctx)(row.handle, gone, HOME)
    assert CancelIntent(ctx)(row.handle, gone, HOME).status is Status.CANCELLED


def test_a_rule_that_tells_its_creator_by_direct_message_is_woken_by_them_alone(ctx):
    row = create(ctx, deliver=Deliver.DIRECT)
    PauseIntent(ctx)(row.handle, an_owner(BOB), HOME)
    for actor in (an_owner(), OPERATOR):
        with pytest.raises(NotAllowed, match="by direct message"):
            ResumeIntent(ctx)(row.handle, actor, HOME)
    assert ResumeIntent(ctx)(row.handle, an_owner(BOB), HOME).status is Status.ARMED
