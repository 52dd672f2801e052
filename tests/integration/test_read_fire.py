"""What a button is about, read on a real store: for who may change the rule alone."""

import pytest

from core.errors import NotAllowed, NotFound
from core.services.context import Context
from core.services.create_intent import CreateIntent
from core.services.read_fire import ReadFire
from core.services.receive_turn import ReceiveTurn
from core.turn import ADMIN, Visibility
from tests.builders import ADA, BOB, HOME, NOW, a_draft, a_member, a_place, a_turn, an_owner
from tests.fakes.reminding import a_context, remind

OPS = a_place("ops")
ELSEWHERE = a_place(space="elsewhere", channel="elsewhere")
SECRET = a_place("secret", visibility=Visibility.PRIVATE)


@pytest.fixture
def ctx(store, clock, ids) -> Context:
    clock.set(NOW)
    return a_context(store, clock, ids)


@pytest.fixture
def made(ctx):
    return CreateIntent(ctx)(a_draft(), an_owner(), HOME, "made")


@pytest.fixture
def fired(ctx, made):
    thread = a_place(thread="rollback")
    [reminder] = ReceiveTurn(ctx)(a_turn(at=ctx.clock.now(), where=thread)).fires
    return reminder


def test_its_creator_reads_the_fire_its_rule_and_where_it_was_said(ctx, made, fired):
    seen = ReadFire(ctx)(fired.fire_id, an_owner(), HOME)
    assert (seen.fire.id, seen.intent.handle, seen.fire.sender) == (fired.fire_id, made.handle, BOB)
    assert (seen.where.channel, seen.where.conversation) == ("general", "rollback")


def test_another_owner_of_the_space_reads_it_too(ctx, made, fired):
    assert ReadFire(ctx)(fired.fire_id, an_owner(BOB), OPS).intent.handle == made.handle
    assert ReadFire(ctx).handle(made.id, an_owner(BOB), OPS) == made.handle


@pytest.mark.parametrize(
    ("actor", "where"),
    [(a_member(), HOME), (an_owner(BOB), ELSEWHERE), (an_owner(BOB), SECRET), (an_owner(BOB), None)],
)
def test_for_everybody_else_there_is_no_such_thing(ctx, made, fired, actor, where):
    with pytest.raises(NotFound) as refused:
        ReadFire(ctx)(fired.fire_id, actor, where)
    with pytest.raises(NotFound) as unknown:
        ReadFire(ctx)("no-such-fire", actor, where)
    assert refused.value.sentence == unknown.value.sentence
    with pytest.raises(NotFound):
        ReadFire(ctx).handle(made.id, actor, where)


def test_an_administrator_changes_no_rule_by_a_button(ctx, made, fired):
    with pytest.raises(NotFound):
        ReadFire(ctx)(fired.fire_id, ADMIN, None)
    with pytest.raises(NotAllowed):
        ReadFire(ctx).handle(made.id, ADMIN, None)


def test_the_place_of_a_fire_of_a_rule_and_of_a_timed_reminder_is_known(ctx, made, fired):
    row = remind(ctx, actor=an_owner(ADA), where=OPS)
    read = ReadFire(ctx)
    assert read.place(fired.fire_id).conversation == "rollback"
    assert read.place(made.id).channel == "general"
    assert read.place(row.id).channel == "ops"
    assert read.place("00000000-0000-7000-8000-00000000000f") is None


def test_the_handle_of_what_does_not_exist_is_refused(ctx):
    with pytest.raises(NotFound):
        ReadFire(ctx).handle("00000000-0000-7000-8000-00000000000f", an_owner(), HOME)
    with pytest.raises(NotFound):
        ReadFire(ctx).timed_handle("00000000-0000-7000-8000-00000000000f")


def test_the_handle_of_a_timed_reminder_is_told(ctx):
    row = remind(ctx)
    assert ReadFire(ctx).timed_handle(row.id) == row.handle
