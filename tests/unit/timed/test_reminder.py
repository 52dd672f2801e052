"""The table of moves of a timed reminder."""

import itertools
from datetime import timedelta

import pytest

from core.errors import InvalidTransition
from core.timed.reminder import (
    MOVES,
    TimedStatus,
    acknowledged,
    came_due,
    cancelled,
    is_due,
    move,
    put_off,
)
from tests.builders import NOW, a_timed

HOUR = timedelta(hours=1)
PAST = a_timed(status=TimedStatus.DONE, due_at=None, fired=1, last_due_at=NOW - HOUR)


@pytest.mark.parametrize(("old", "new"), list(itertools.product(TimedStatus, repeat=2)))
def test_a_move_is_in_the_table_or_refused_with_both_states(old, new):
    row = a_timed(status=old)
    if new in MOVES[old]:
        assert move(row, new).status is new
    else:
        with pytest.raises(InvalidTransition, match="r-7k2m") as caught:
            move(row, new)
        assert (caught.value.details["old"], caught.value.details["new"]) == (old, new)


def test_nothing_leaves_the_cancelled_state():
    assert not MOVES[TimedStatus.CANCELLED]


def test_it_is_due_from_its_instant_on_while_it_is_active():
    row = a_timed(due_at=NOW)
    assert is_due(row, NOW) and not is_due(row, NOW - timedelta(microseconds=1))
    assert not is_due(cancelled(row), NOW)
    assert not is_due(PAST, NOW)


def test_after_it_fired_it_goes_on_or_is_over():
    row = a_timed(due_at=NOW, acknowledged_at=NOW - HOUR)
    over = came_due(row, None, "item")
    assert (over.status, over.due_at, over.fired, over.last_due_at) == (TimedStatus.DONE, None, 1, NOW)
    assert (over.outbox_id, over.waiting) == ("item", True)
    on = came_due(row, NOW + HOUR, "item")
    assert (on.status, on.due_at, on.waiting) == (TimedStatus.ACTIVE, NOW + HOUR, True)
    with pytest.raises(InvalidTransition):
        came_due(over, None, "item")


def test_done_counts_for_the_newest_one_and_once():
    done = acknowledged(PAST, NOW)
    assert (done.acknowledged_at, done.waiting) == (NOW, False)
    with pytest.raises(InvalidTransition, match="marked as done before"):
        acknowledged(done, NOW)
    with pytest.raises(InvalidTransition, match="has not come yet"):
        acknowledged(a_timed(), NOW)


def test_what_came_can_be_put_off_whether_done_or_not_but_not_what_was_cancelled():
    assert put_off(PAST, NOW).acknowledged_at == NOW
    assert put_off(acknowledged(PAST, NOW - HOUR), NOW).acknowledged_at == NOW - HOUR
    with pytest.raises(InvalidTransition, match="has not come yet"):
        put_off(a_timed(), NOW)
    for act in (put_off, acknowledged):
        with pytest.raises(InvalidTransition, match="was cancelled"):
            act(cancelled(PAST), NOW)
