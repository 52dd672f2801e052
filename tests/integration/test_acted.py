"""Acting on an update once, on a real store."""

from datetime import timedelta

import pytest

from core.services.acted import KEPT_FOR, KEPT_IDS, ActOnce, MarkActed
from core.services.context import Context


@pytest.fixture
def act(store, clock, ids):
    return MarkActed(Context(store, clock, ids))


@pytest.fixture
def once(store, clock, ids):
    return ActOnce(Context(store, clock, ids))


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


# messages, whose ids come in no order


def test_a_message_is_acted_on_once_whatever_came_in_between(once):
    asked = ["5", "4", "5", "40", "4", "6", "40"]
    assert [once("discord", "1", one) for one in asked] == [True, True, False, True, False, True, False]


def test_each_bot_and_each_platform_has_messages_of_its_own_and_numbers_of_updates_are_others(once, act):
    assert once("discord", "1", "5")
    assert once("discord", "2", "5")
    assert once("other", "1", "5")
    assert act("discord", "1", 5)
    assert not once("discord", "2", "5")


@pytest.mark.parametrize(("others", "new"), [(KEPT_IDS - 1, False), (KEPT_IDS, True)])
def test_so_many_messages_are_kept_those_recorded_last(once, others, new):
    assert once("discord", "1", "9999")
    for number in range(others):
        assert once("discord", "1", str(number))
    assert once("discord", "1", "9999") is new
    assert not once("discord", "1", str(others - 1))


def test_a_message_is_acted_on_by_one_of_two_processes(database, clock, ids):
    one, two = (ActOnce(Context(database.open(migrate=False), clock, ids)) for _ in range(2))
    assert [one("discord", "1", "5"), two("discord", "1", "5")] == [True, False]
    assert [two("discord", "1", "6"), one("discord", "1", "6")] == [True, False]
