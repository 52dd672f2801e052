"""Acting on an update once, on a real store."""

from datetime import timedelta

import pytest

from core.services.acted import KEPT_FOR, MarkActed
from core.services.context import Context


@pytest.fixture
def act(store, clock, ids):
    return MarkActed(Context(store, clock, ids))


def test_an_update_is_acted_on_once_and_later_ones_are_new(act):
    assert [act("telegram", "1", number) for number in (5, 5, 4, 6, 6, 100)] == [True, False, False, True, False, True]


def test_each_bot_and_each_platform_counts_for_itself(act):
    assert act("telegram", "1", 5)
    assert act("telegram", "2", 5)
    assert act("other", "1", 5)
    assert not act("telegram", "2", 5)


def test_numbers_may_begin_anew_after_a_pause_and_not_before_it_is_over(act, clock):
    assert act("telegram", "1", 500)
    clock.advance(KEPT_FOR - timedelta(microseconds=1))
    assert not act("telegram", "1", 5)
    clock.advance(timedelta(microseconds=1))
    assert act("telegram", "1", 5)
    assert act("telegram", "1", 6)
    assert not act("telegram", "1", 6)


def test_a_clock_that_was_set_back_by_days_does_not_stop_it_for_good(act, clock):
    assert act("telegram", "1", 500)
    clock.advance(-KEPT_FOR)
    assert act("telegram", "1", 5)


def test_another_process_knows_what_was_acted_on(database, clock, ids):
    assert MarkActed(Context(database.open(migrate=False), clock, ids))("telegram", "1", 5)
    assert not MarkActed(Context(database.open(migrate=False), clock, ids))("telegram", "1", 5)
