"""What was reported of other bots whose chat got another id: each row is a test that bears its id."""

from dataclasses import replace
from datetime import timedelta

import pytest

from core.services.context import Context
from core.services.deliver import ConfirmDelivery, PendingReminders
from core.services.end_space import EndSpace, ReturnSpace
from core.services.move_place import MovePlace
from core.services.read_intents import ListIntents, ShowIntent
from core.turn import ADMIN, SYSTEM
from tests.builders import NOW
from tests.fakes.chats import NEW, OLD, create, fired, hear, owner


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return Context(store, clock, ids)


def test_t203_what_a_send_error_says_of_a_new_id_moves_the_rows_and_the_message_is_sent_there(ctx, database):
    made = create(ctx, cooldown=timedelta(0), max_fires=9)
    hear(ctx, OLD, "1")
    [owed] = PendingReminders(ctx)(OLD)
    assert owed.reply_to == "1"
    to = owed.conversation
    answer = NEW.space  # Bad Request: group chat was upgraded to a supergroup chat
    assert MovePlace(ctx)("telegram", "bot", OLD.space, answer)
    [again] = PendingReminders(ctx).to_places(timedelta(0))
    assert (again.fire_id, again.conversation, again.post_in.channel) == (owed.fire_id, to, NEW.channel)
    assert ConfirmDelivery(ctx).delivered(again.fire_id)
    assert not MovePlace(ctx)("telegram", "bot", OLD.space, answer), "the service message that comes later"
    started_again = replace(ctx, store=database.open(migrate=False))
    assert not MovePlace(started_again)("telegram", "bot", OLD.space, answer)
    assert fired(hear(started_again, NEW, "1")) == [made.handle]
    assert PendingReminders(started_again).to_places(timedelta(0))[0].post_in.channel == NEW.channel


@pytest.mark.parametrize("first", ["old", "new"])
def test_t205_the_old_id_is_only_an_alias_and_events_of_the_old_group_do_nothing(ctx, first):
    made = create(ctx, cooldown=timedelta(0), max_fires=9)
    MovePlace(ctx)("telegram", "bot", OLD.space, NEW.space)
    assert EndSpace(ctx)(OLD, SYSTEM) == 0
    assert fired(hear(ctx, NEW, "1")) == [made.handle]
    for where in (OLD, NEW) if first == "old" else (NEW, OLD):
        EndSpace(ctx)(where, SYSTEM)
    assert str(ShowIntent(ctx)(made.handle, ADMIN, None).intent.status) == "pending"
    for where in (OLD, NEW):
        assert [row.handle for row in ListIntents(ctx)(owner(), where).rows] == [made.handle]
    assert (ReturnSpace(ctx)(OLD), ReturnSpace(ctx)(NEW)) == (0, 1)
