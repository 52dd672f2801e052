"""The table of moves, the effective state and the arithmetic of fires and refunds."""

from dataclasses import replace
from datetime import timedelta
from itertools import product

import pytest

from core.errors import InvalidTransition
from core.standing.intent import LIVE, Status
from core.standing.lifecycle import (
    MOVES,
    effective_status,
    fired,
    move,
    paused,
    refunded,
    resumed,
    settled,
    status_name,
)
from tests.builders import NOW, a_fire, an_intent

TICK = timedelta(microseconds=1)
LEGAL = {
    ("pending", "armed"),
    ("pending", "fired"),
    ("pending", "cancelled"),
    ("pending", "expired"),
    ("armed", "fired"),
    ("armed", "done"),
    ("armed", "pending"),
    ("armed", "cancelled"),
    ("armed", "expired"),
    ("fired", "armed"),
    ("fired", "pending"),
    ("fired", "cancelled"),
    ("fired", "expired"),
    ("done", "armed"),
    ("done", "fired"),
}


@pytest.mark.parametrize("old, new", list(product(Status, Status)))
def test_exactly_the_moves_of_the_table_are_legal(old, new):
    intent = an_intent(status=old)
    if (old, new) in LEGAL:
        assert move(intent, new).status is new
        return
    with pytest.raises(InvalidTransition) as refusal:
        move(intent, new)
    assert refusal.value.details["old"] is old and refusal.value.details["new"] is new
    words = refusal.value.sentence
    assert status_name(old) in words and refusal.value.hint
    assert status_name(new) in words or (new is Status.ARMED and "awake already" in words)


@pytest.mark.parametrize(
    "old, new, words, hint",
    [
        (Status.PENDING, Status.PENDING, "i-7k2m is paused already.", "/intent resume i-7k2m"),
        (Status.ARMED, Status.ARMED, "i-7k2m is awake already: it is armed, not paused.", "/intent pause i-7k2m"),
        (Status.FIRED, Status.ARMED, "i-7k2m is awake already: it is quiet, not paused.", "/intent pause i-7k2m"),
        (Status.CANCELLED, Status.CANCELLED, "i-7k2m is cancelled already.", "/intent list --all"),
        (Status.DONE, Status.CANCELLED, "i-7k2m is done already and cannot be cancelled any more.", "new rule"),
        (Status.EXPIRED, Status.CANCELLED, "i-7k2m is expired already and cannot be cancelled any more.", "new rule"),
        (Status.CANCELLED, Status.PENDING, "i-7k2m is cancelled already and cannot be paused any more.", "new rule"),
        (Status.DONE, Status.ARMED, "i-7k2m is done already and cannot be armed any more.", "new rule"),
    ],
)
def test_what_is_so_already_is_said_in_the_words_of_the_list(old, new, words, hint):
    with pytest.raises(InvalidTransition) as refusal:
        resumed(an_intent(status=old), NOW) if new is Status.ARMED else move(an_intent(status=old), new)
    assert refusal.value.sentence == words and hint in refusal.value.hint


def test_cancelled_and_expired_are_final():
    assert MOVES[Status.CANCELLED] == MOVES[Status.EXPIRED] == frozenset()


def test_an_intent_expires_at_its_instant_and_not_before():
    intent = an_intent(expires_at=NOW)
    assert effective_status(intent, NOW - TICK) is Status.ARMED
    assert effective_status(intent, NOW) is Status.EXPIRED


@pytest.mark.parametrize("status", [Status.DONE, Status.CANCELLED])
def test_a_final_intent_does_not_expire(status):
    assert effective_status(an_intent(status=status, expires_at=NOW), NOW) is status


def test_a_cooldown_ends_at_its_instant_and_not_before():
    intent = an_intent(status=Status.FIRED, fire_count=1, last_fired_at=NOW)
    assert effective_status(intent, NOW + intent.cooldown - TICK) is Status.FIRED
    assert effective_status(intent, NOW + intent.cooldown) is Status.ARMED


def test_a_clock_that_goes_back_does_not_shorten_a_cooldown():
    intent = an_intent(status=Status.FIRED, fire_count=1, last_fired_at=NOW)
    assert effective_status(intent, NOW - timedelta(days=1)) is Status.FIRED


def test_a_row_that_was_moved_to_expired_stays_expired_when_the_clock_goes_back():
    assert effective_status(an_intent(status=Status.EXPIRED), NOW - timedelta(days=400)) is Status.EXPIRED


def test_a_fire_spends_one_of_the_budget_and_the_last_one_ends_it():
    first = fired(an_intent(max_fires=2, cooldown=timedelta(0)), "f1", NOW)
    assert (first.status, first.fire_count, first.last_fired_at) == (Status.FIRED, 1, NOW)
    second = fired(first, "f2", NOW)
    assert (second.status, second.fire_count, second.last_fire_id) == (Status.DONE, 2, "f2")
    assert effective_status(second, NOW + timedelta(days=9)) is Status.DONE


def test_an_intent_in_cooldown_is_not_armed_and_cannot_fire():
    first = fired(an_intent(), "f1", NOW)
    assert effective_status(first, NOW) is Status.FIRED
    with pytest.raises(InvalidTransition):
        fired(first, "f2", NOW)


def test_settling_moves_to_the_effective_state_and_else_returns_the_same_row():
    intent = an_intent()
    assert settled(intent, NOW) is intent
    assert settled(intent, intent.expires_at).status is Status.EXPIRED


def test_pausing_and_resuming_arms_again_from_that_instant():
    row = resumed(paused(an_intent()), NOW)
    assert (row.status, row.armed_at) == (Status.ARMED, NOW)


def test_resuming_while_a_cooldown_runs_goes_to_fired():
    cooling = an_intent(status=Status.PENDING, fire_count=1, last_fired_at=NOW)
    assert resumed(cooling, NOW + timedelta(hours=1)).status is Status.FIRED
    assert resumed(cooling, NOW + timedelta(hours=24)).status is Status.ARMED


@pytest.mark.parametrize("status", [s for s in Status if s is not Status.PENDING])
def test_only_a_pending_intent_can_be_resumed(status):
    with pytest.raises(InvalidTransition):
        resumed(an_intent(status=status), NOW)


@pytest.mark.parametrize("max_fires", [1, 3])
def test_a_refund_gives_back_budget_and_time(max_fires):
    before = an_intent(max_fires=max_fires)
    assert refunded(fired(before, "fire-1", NOW), None, NOW) == before


def test_a_refund_restores_the_earlier_time_and_its_cooldown():
    earlier = NOW - timedelta(hours=25)
    row = fired(an_intent(status=Status.FIRED, fire_count=1, last_fired_at=earlier, last_fire_id="f0"), "fire-1", NOW)
    kept = a_fire(id="f0", fired_at=earlier)
    back = refunded(row, kept, NOW)
    assert (back.fire_count, back.last_fired_at, back.last_fire_id, back.status) == (1, earlier, "f0", Status.ARMED)
    assert refunded(row, kept, earlier + timedelta(hours=23)).status is Status.FIRED


@pytest.mark.parametrize("status", [Status.CANCELLED, Status.EXPIRED])
def test_a_refund_leaves_a_final_row_alone(status):
    row = replace(fired(an_intent(), "fire-1", NOW), status=status)
    assert refunded(row, None, NOW) is row


def test_a_refund_of_a_paused_row_gives_the_budget_back_and_leaves_it_paused():
    row = replace(fired(an_intent(), "fire-1", NOW), status=Status.PENDING)
    back = refunded(row, None, NOW)
    assert (back.status, back.fire_count, back.last_fired_at) == (Status.PENDING, 0, None)


def test_a_refund_of_an_older_fire_gives_the_budget_back_and_leaves_the_newer_ones_cooldown():
    row = fired(fired(an_intent(max_fires=2, cooldown=timedelta(0)), "fire-1", NOW), "fire-2", NOW)
    assert row.status is Status.DONE
    row = replace(row, cooldown=timedelta(hours=1))
    back = refunded(row, a_fire(id="fire-2"), NOW)
    assert (back.status, back.fire_count, back.last_fire_id) == (Status.FIRED, 1, "fire-2")


def test_a_refund_of_a_row_that_was_rearmed_since_still_gives_the_budget_back():
    row = replace(fired(an_intent(), "fire-1", NOW), status=Status.ARMED)
    assert refunded(row, None, NOW) == an_intent()


def test_live_means_pending_armed_or_fired():
    assert {Status.PENDING, Status.ARMED, Status.FIRED} == LIVE
