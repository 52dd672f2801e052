"""A channel that was public and is private by now: what is said there is told to nobody who cannot be there."""

from dataclasses import replace
from datetime import timedelta

import pytest

from core.errors import InvalidInput, NotFound
from core.services.change_intent import EditIntent
from core.services.context import Context
from core.services.create_intent import CreateIntent
from core.services.explain_turn import ExplainTurn
from core.services.history import ReadHistory
from core.services.preview_intent import PreviewIntent
from core.services.read_fire import ReadFire
from core.services.read_intents import ShowIntent
from core.services.receive_turn import ReceiveTurn
from core.standing.gates import Reason
from core.standing.intent import Change, ChannelScope, Deliver
from core.turn import ADMIN, Visibility
from core.wording.preview import history_lines
from core.wording.shown import Clockface
from tests.builders import BOB, HOME, NOW, a_draft, a_place, a_turn, an_owner

ROOM = a_place("board-room", channel_name="board-room")
SHUT = replace(ROOM, visibility=Visibility.PRIVATE)
EVE = an_owner(BOB)
ADA = an_owner()


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return Context(store, clock, ids)


def made(ctx, where=HOME, actor=ADA, **fields):
    draft = a_draft(**({"cooldown": timedelta(0), "max_fires": 100} | fields))
    return CreateIntent(ctx)(draft, actor, where, "created")


def said(ctx, clock, where, text="the launch checklist"):
    clock.advance(minutes=1)
    turn = a_turn(text, clock.now(), where=where, link="https://example.test/secret")
    explained = {row.intent.handle for row in ExplainTurn(ctx)(turn, ADMIN, None).intents if row.fires}
    fired = ReceiveTurn(ctx)(turn).fires
    assert {one.handle for one in fired} == explained
    return fired


@pytest.mark.parametrize("deliver", [Deliver.HERE, Deliver.DIRECT, Deliver.PLACE])
def test_a_rule_of_the_space_does_not_hear_a_channel_once_it_is_private(ctx, clock, deliver):
    to = HOME if deliver is Deliver.PLACE else None
    made(ctx, actor=EVE, channel_scope=ChannelScope.SPACE, deliver=deliver, deliver_to=to)
    assert len(said(ctx, clock, ROOM)) == 1
    assert not said(ctx, clock, SHUT)
    made(ctx, ROOM, triggers="plan")
    assert len(said(ctx, clock, SHUT, "the plan")) == 1, "which stores that it is private"
    assert not said(ctx, clock, SHUT)
    assert not said(ctx, clock, ROOM), "it stays private"
    assert len(said(ctx, clock, HOME)) == 1


@pytest.mark.parametrize("scope", [ChannelScope.SPACE, ChannelScope.CHANNEL, ChannelScope.CONVERSATION])
def test_rules_made_in_the_channel_while_it_was_public_go_on_there(ctx, clock, scope):
    rule = made(ctx, ROOM, channel_scope=scope)
    for _ in range(2):
        assert [one.handle for one in said(ctx, clock, SHUT)] == [rule.handle]
    assert not said(ctx, clock, HOME), "and hear nothing else"
    [row] = ExplainTurn(ctx)(a_turn(at=clock.now()), ADA, HOME, rule.handle).intents
    assert (row.fires, row.reason) == (False, Reason.OUT_OF_SCOPE)
    preview = PreviewIntent(ctx)(rule.handle, ADA, HOME, [a_turn(at=clock.now())]).preview
    assert not preview.hits


def test_what_goes_to_another_channel_stays_in_one_that_became_private(ctx, clock):
    made(ctx, ROOM, deliver=Deliver.PLACE, deliver_to=HOME)
    [open_] = said(ctx, clock, ROOM)
    [shut] = said(ctx, clock, SHUT)
    assert open_.post_in is not None and open_.post_in.channel == HOME.channel
    assert (shut.post_in, shut.said_in) == (None, None) and shut.reply_to


def test_nobody_sends_its_reminders_elsewhere_once_it_is_private(ctx, clock):
    rule = made(ctx, ROOM)
    said(ctx, clock, SHUT)
    with pytest.raises(InvalidInput):
        EditIntent(ctx)(rule.handle, Change(deliver=Deliver.PLACE, deliver_to=HOME), EVE, HOME)


def test_fires_of_a_private_channel_are_shown_to_who_stands_in_it_and_to_the_creator_alone(ctx, clock):
    rule = made(ctx, ROOM)
    [fired] = said(ctx, clock, SHUT)
    for actor, where, seen in [(EVE, HOME, 0), (EVE, SHUT, 1), (ADA, HOME, 1), (ADMIN, None, 1)]:
        assert len(ReadHistory(ctx)(rule.handle, actor, where).fires) == seen
        assert len(ShowIntent(ctx)(rule.handle, actor, where).fires) == seen
    shown = history_lines(ReadHistory(ctx)(rule.handle, EVE, HOME), Clockface(clock.now(), ctx.zone_of("UTC")))
    assert [one.text for one in shown] == [
        f"{rule.handle} (armed): what it heard on this page was said in private channels."
    ]
    with pytest.raises(NotFound):
        ReadFire(ctx)(fired.fire_id, EVE, HOME)
    assert ReadFire(ctx)(fired.fire_id, EVE, SHUT).fire.id == fired.fire_id
