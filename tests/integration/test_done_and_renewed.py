"""[Done] and [Renew] under a reminder, on a real store."""

from dataclasses import replace
from datetime import UTC, timedelta

import pytest

from core.errors import InvalidInput, InvalidTransition, LimitExceeded, NotAllowed, NotFound
from core.services.acknowledge import Acknowledge
from core.services.change_intent import CancelIntent
from core.services.context import Context
from core.services.create_intent import CreateIntent
from core.services.history import ReadHistory
from core.services.renew_intent import RenewIntent
from core.standing.intent import ChannelScope, FireState, Status
from core.turn import ADMIN
from core.wording.preview import history_lines
from core.wording.shown import Clockface
from tests.builders import ADA, BOB, HOME, NOW, a_draft, a_member, an_owner
from tests.fakes.platform import create, fire, fire_of, operations

DAY = timedelta(days=1)
CYD = replace(ADA, user_id="cyd")
AWAY = replace(HOME, space="away")


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return Context(store, clock, ids)


def made(ctx, **fields):
    return create(ctx, HOME, ADA, **({"max_fires": 1} | fields))


def fired(ctx, **fields):
    return fire(ctx, HOME, BOB, **fields)


def stored(ctx, row):
    with ctx.store.read() as tx:
        return tx.intents.by_id(row.id)


# -- done


@pytest.mark.parametrize(
    "actor",
    [a_member(ADA), an_owner(BOB), replace(a_member(CYD), is_operator=True)],
    ids=["creator", "owner", "operator"],
)
def test_done_is_recorded_once_and_leaves_every_state_as_it_is(ctx, clock, actor):
    row = made(ctx)
    reminder = fired(ctx)
    clock.advance(DAY)
    assert Acknowledge(ctx)(reminder.fire_id, actor, HOME).first
    clock.advance(DAY)
    again = Acknowledge(ctx)(reminder.fire_id, an_owner(), HOME)
    assert (again.first, again.intent.handle) == (False, row.handle)
    found = fire_of(ctx, reminder.fire_id)
    assert (found.acknowledged_at, found.state) == (NOW + DAY, FireState.RESERVED)
    assert stored(ctx, row).status is Status.DONE
    assert operations(ctx, row) == ["ASSERT", "FIRED", "ACKNOWLEDGED"]


@pytest.mark.parametrize("actor", [a_member(BOB), an_owner(BOB), ADMIN], ids=["member", "owner elsewhere", "admin"])
def test_not_yours_looks_the_same_as_does_not_exist(ctx, actor):
    made(ctx)
    reminder = fired(ctx)
    where = AWAY if actor.is_owner else HOME
    with pytest.raises(NotFound) as refused:
        Acknowledge(ctx)(reminder.fire_id, actor, where)
    with pytest.raises(NotFound) as unknown:
        Acknowledge(ctx)("no such fire", actor, where)
    assert str(refused.value) == str(unknown.value)
    assert fire_of(ctx, reminder.fire_id).acknowledged_at is None


def test_the_history_tells_when_it_was_done(ctx):
    row = made(ctx)
    Acknowledge(ctx)(fired(ctx).fire_id, an_owner(), HOME)
    found = ReadHistory(ctx)(row.handle, an_owner(), HOME)
    shown = [line.text for line in history_lines(found, Clockface(NOW, UTC))]
    assert any(text.startswith("     done ") for text in shown)


# -- renew


def test_a_rule_that_is_done_begins_anew_and_points_at_the_old(ctx, clock):
    old = made(ctx, channel_scope=ChannelScope.SPACE, cooldown=2 * DAY, expires_in=30 * DAY)
    fired(ctx)
    clock.advance(DAY)
    new = RenewIntent(ctx)(old.handle, an_owner(), HOME, "pressed")
    same = ("description", "entries", "channel_scope", "cooldown", "max_fires", "creator", "namespace_id", "deliver")
    assert all(getattr(new, name) == getattr(old, name) for name in same)
    assert (new.status, new.fire_count, new.renewed_from) == (Status.ARMED, 0, old.id)
    assert (new.expires_at, new.source_message_id) == (NOW + 31 * DAY, "pressed")
    assert new.handle != old.handle and stored(ctx, old).status is Status.DONE
    assert operations(ctx, new) == ["ASSERT"]
    clock.advance(DAY)
    assert fired(ctx).handle == new.handle


def test_a_rule_that_expired_is_renewed_whether_or_not_the_heartbeat_ran(ctx, clock):
    old = made(ctx, expires_in=DAY)
    clock.advance(2 * DAY)
    assert RenewIntent(ctx)(old.handle, an_owner(), HOME).expires_at == clock.now() + DAY


def test_who_renews_makes_it_their_own(ctx):
    old = made(ctx, anyone=False)
    fire(ctx, HOME, ADA)
    new = RenewIntent(ctx)(old.handle, an_owner(BOB), HOME)
    assert (new.creator, new.creator_name, new.watches, new.watches_name) == (BOB, "Bob", BOB, "Bob")


@pytest.mark.parametrize(
    ("actor", "where", "refusal"),
    [
        (a_member(ADA), HOME, NotAllowed),
        (an_owner(ADA), AWAY, NotAllowed),
        (a_member(BOB), HOME, NotFound),
        (an_owner(BOB), AWAY, NotFound),
        (ADMIN, HOME, NotAllowed),
    ],
)
def test_renewing_needs_the_rights_of_creation_where_the_rule_lives(ctx, actor, where, refusal):
    old = made(ctx)
    fired(ctx)
    with pytest.raises(refusal):
        RenewIntent(ctx)(old.handle, actor, where)


def test_only_operators_renew_what_listens_everywhere(ctx):
    operator = an_owner(ADA, is_operator=True)
    old = CreateIntent(ctx)(a_draft(channel_scope=ChannelScope.ANYWHERE, max_fires=1), operator, HOME, "m")
    fired(ctx)
    with pytest.raises(NotAllowed):
        RenewIntent(ctx)(old.handle, an_owner(ADA), HOME)
    assert RenewIntent(ctx)(old.handle, operator, HOME).channel_scope is ChannelScope.ANYWHERE


@pytest.mark.parametrize("end", ["live", "cancelled"])
def test_what_is_live_or_was_cancelled_is_not_renewed(ctx, end):
    old = made(ctx)
    if end == "cancelled":
        CancelIntent(ctx)(old.handle, an_owner(), HOME)
    with pytest.raises(InvalidTransition):
        RenewIntent(ctx)(old.handle, an_owner(), HOME)


def test_a_twin_is_refused_as_at_creation(ctx):
    old = made(ctx)
    fired(ctx)
    RenewIntent(ctx)(old.handle, an_owner(), HOME)
    with pytest.raises(InvalidInput):
        RenewIntent(ctx)(old.handle, an_owner(), HOME)


@pytest.mark.parametrize(("bound", "fits"), [(1, False), (2, True)])
@pytest.mark.parametrize("name", ["live_intents_per_creator", "live_intents_per_space"])
def test_there_must_be_room_as_at_creation(ctx, name, bound, fits):
    old = made(ctx)
    fired(ctx)
    made(ctx, triggers="zebra")
    narrow = replace(ctx, limits=replace(ctx.limits, **{name: bound}))
    if fits:
        assert RenewIntent(narrow)(old.handle, an_owner(), HOME).status is Status.ARMED
        return
    with pytest.raises(LimitExceeded):
        RenewIntent(narrow)(old.handle, an_owner(), HOME)


def test_erased_words_cannot_be_renewed(ctx):
    old = made(ctx)
    fired(ctx)
    with ctx.store.write() as tx:
        tx.records.erase_content(old.description_id)
        tx.commit()
    with pytest.raises(InvalidInput, match="erased"):
        RenewIntent(ctx)(old.handle, an_owner(), HOME)
