"""Replay of timed reminders that never saw a store."""

import pytest

from core.audit.recorded import recorded_timed
from core.operations.log import OpType
from core.operations.recorded import with_new
from tests.builders import a_timed
from tests.unit.operations.logs import Log, said

KEY = "reminder-1"
DUE = 5_000


def a_log(**fields):
    made = recorded_timed(a_timed()) | {"due_at": DUE, "namespace": "home"} | fields
    return Log()(OpType.ASSERT, with_new({"words": ["c", "h"], "to": "active"}, made), **ABOUT)


ABOUT = {"target": KEY, "kind": "timed_reminder"}


def row_of(log):
    return log.fold().of("timed_reminder")[KEY]


def fire(log, number=1, due=DUE, following=None):
    pair = [due, following]
    told = {"item": f"item-{number}", "number": number, "due_at": pair, "from": "active"}
    return log(OpType.FIRED, {**told, "to": "active" if following else "done", "missed": 0}, **ABOUT)


def test_a_reminder_is_what_made_it():
    row = row_of(a_log())
    assert (row["words"], row["due_at"], row["version"], row["status"]) == ([["c", "h"]], DUE, 1, "active")


def test_each_time_that_it_comes_moves_it_on():
    log = fire(fire(a_log(), following=DUE + 1), 2, DUE + 1)
    row = row_of(log)
    assert [row[name] for name in ("status", "fired", "due_at", "last_due_at", "outbox", "version")] == [
        "done", 2, None, DUE + 1, "item-2", 3,
    ]  # fmt: skip
    assert said(log.fold()) == []


def test_it_is_done_or_put_off_until_it_comes_again():
    log = fire(a_log(), following=DUE + 1)
    log(OpType.ACKNOWLEDGED, {"number": 1, "at": 7}, **ABOUT)
    assert (row_of(log)["acknowledged_at"], row_of(log)["version"]) == (7, 3)
    log(OpType.SNOOZED, {"to": "other", "due_at": 99, "acknowledged_at": 7}, **ABOUT)
    assert (row_of(log)["acknowledged_at"], row_of(log)["due_at"], row_of(log)["version"]) == (7, DUE + 1, 4)
    assert row_of(fire(log, 2, DUE + 1))["acknowledged_at"] is None


def test_a_cancelled_one_never_comes_again():
    log = a_log()
    log(OpType.EDITED, {"status": ["active", "cancelled"], "due_at": [DUE, None], "dropped": False}, **ABOUT)
    assert [row_of(log)[name] for name in ("status", "due_at", "version")] == ["cancelled", None, 2]


def test_erasing_ends_it_and_takes_its_words():
    log = a_log()
    log(OpType.STANDING_TRANSITION, {"from": "active", "to": "cancelled", "reason": "texts erased"}, **ABOUT)
    log(OpType.ERASED, {"content": ["c"], "why": "bot removed"}, **ABOUT)
    assert [row_of(log)[name] for name in ("status", "due_at", "words")] == ["cancelled", None, [["c", ""]]]


def test_a_moved_chat_changes_places_and_is_no_change_of_its_version():
    log = a_log()
    log(OpType.EDITED, {"fields": {"space": ["1", "9"], "namespace": ["home", "away"], "reply_to": ["", "5"]}}, **ABOUT)
    fire(log)
    [first, second, _] = log.chains["home"]
    assert [row_of(log)[name] for name in ("space", "version")] == ["9", 2]
    log.chains["home"] = [first, second]
    log(OpType.DELIVERED, {"item": "item-1", "number": 1}, **ABOUT)  # whoever settles it had read the old chain
    assert said(log.fold()) == []


@pytest.mark.parametrize("op_type", [OpType.DELIVERED, OpType.REFUNDED])
def test_what_became_of_a_message_leaves_it_as_it_is(op_type):
    log = fire(a_log())
    before = row_of(log)
    log(op_type, {"item": "item-1", "number": 1}, **ABOUT)
    assert row_of(log) == before


def test_a_due_time_that_is_not_the_one_before_contradicts():
    assert said(fire(a_log(), due=DUE + 1).fold()) == [("due_at", DUE, DUE + 1)]


def test_one_that_came_without_being_told_shows_in_the_count():
    assert said(fire(a_log(), number=2).fold()) == [("fired", 0, 1)]


def test_one_of_an_older_release_is_compared_as_far_as_it_was_told():
    log = Log()
    payload = {"handle": "r-1", "to": "active", "words": ["c", "h"], "due_at": DUE, "zone": "UTC"}
    log(OpType.ASSERT, payload, **ABOUT)
    fire(log)
    row = row_of(log)
    assert [row[name] for name in ("handle", "status", "fired", "due_at", "outbox")] == [
        "r-1",
        "done",
        1,
        None,
        "item-1",
    ]
    assert not row.keys() & {"version", "resolution", "creator_name", "space"}
    assert said(log.fold()) == []


def test_operations_on_a_reminder_that_nobody_made_contradict_and_stop_nothing():
    for op_type in OpType:
        if op_type is not OpType.ASSERT:
            state = Log()(op_type, {}, **ABOUT).fold()
            assert said(state)[0] == ("row", None, op_type)
