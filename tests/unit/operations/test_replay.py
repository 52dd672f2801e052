"""Replay of operations that never saw a store."""

import json
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.operations.log import OpType
from core.operations.replay import Contradiction, Difference, Stored, compare, fold
from core.services.replay import REBUILDERS
from tests.unit.operations.logs import KEY, Log, said


def intent(state):
    return state.of("standing_intent")[KEY]


# -- folding ----------------------------------------------------------------------------------------------------------


def test_a_row_is_what_made_it_and_every_change_since():
    log = Log().made()
    log(OpType.STANDING_TRANSITION, {"from": "armed", "to": "pending", "fields": {"version": [1, 2]}})
    log(OpType.EDITED, {"max_fires": [3, 4], "fields": {"version": [2, 3]}})
    state = log.fold()
    assert (intent(state)["status"], intent(state)["max_fires"], intent(state)["version"]) == ("pending", 4, 3)
    assert (said(state), state.operations) == ([], 3)


def test_a_fire_is_told_by_its_payload_alone():
    state = Log().made().fired().fold()
    row, fire = intent(state), state.of("fire")["fire-1"]
    assert [row[name] for name in ("status", "fire_count", "last_fired_at", "last_fire_id", "version")] == [
        "fired", 1, 9, "fire-1", 2,
    ]  # fmt: skip
    assert row["ready_at"] == 60_000_009
    assert (fire["previous_status"], fire["previous_fire_id"], fire["previous_fired_at"]) == ("armed", None, None)
    assert (fire["state"], fire["entry"]) == ("reserved", [["c.0", "h0"]])


@pytest.mark.parametrize(("op_type", "end"), [(OpType.DELIVERED, "delivered"), (OpType.REFUNDED, "refunded")])
def test_a_fire_ends_once(op_type, end):
    log = Log().made().fired()
    log(op_type, {"fire": "fire-1", "fields": {}})
    log(OpType.ACKNOWLEDGED, {"fire": "fire-1"})
    fire = log.fold().of("fire")["fire-1"]
    assert (fire["state"], fire["settled_at"], fire["acknowledged_at"]) == (end, 3, 4)
    log(op_type, {"fire": "fire-1", "fields": {}})
    assert said(log.fold()) == [("state", end, "reserved"), ("settled_at", 3, None)]


def test_a_cooldown_by_sender_has_no_end_of_its_own():
    state = Log().made(cooldown_per="sender").fired().fold()
    assert intent(state)["ready_at"] is None


def test_a_row_that_another_chain_hands_over_is_followed_whatever_the_names_of_the_chains_and_the_clocks():
    """`away` is read first, and its clock was behind."""
    log = Log().made("home").moved("away")
    log(OpType.EDITED, {"max_fires": [3, 4], "fields": {"version": [3, 4]}}, "away", ts=1)
    log.moved("home", "away", (4, 6))
    log(OpType.EDITED, {"max_fires": [4, 5], "fields": {"version": [6, 7]}}, "home", ts=1)
    state = log.fold()
    assert said(state) == []
    assert (intent(state)["max_fires"], intent(state)["version"], intent(state)["namespace"]) == (5, 7, "home")


def test_what_became_of_a_fire_may_stand_in_either_chain():
    log = Log().made("home").fired().moved("away", version=(2, 4))
    log(OpType.DELIVERED, {"fire": "fire-1"}, "home")
    log(OpType.ACKNOWLEDGED, {"fire": "fire-1"}, "away")
    assert said(log.fold()) == []


def test_chains_that_wait_for_each_other_go_on_and_say_so():
    log = Log()
    for chain, target in (("a", "one"), ("b", "two")):
        log(OpType.EDITED, {"max_fires": [3, 4], "fields": {}}, chain, target)
    log.made("a", "two")
    log.made("b", "one")
    state = log.fold()
    assert state.operations == 4
    assert {(one.id, one.field) for one in state.contradictions} >= {("one", "row")}


def test_an_operation_on_a_row_that_nobody_made_contradicts_and_the_rest_is_replayed():
    log = Log()
    log(OpType.STANDING_TRANSITION, {"from": "armed", "to": "pending", "fields": {}}, target="lost")
    log.made()
    state = log.fold()
    [found] = state.contradictions
    assert (found.namespace_id, found.sequence_num, found.id, found.field) == ("home", 1, "lost", "row")
    assert KEY in state.of("standing_intent")


def test_an_old_value_that_is_not_the_one_before_contradicts():
    log = Log().made()
    log(OpType.STANDING_TRANSITION, {"from": "pending", "to": "armed", "fields": {"version": [1, 2]}})
    [found] = log.fold().contradictions
    assert found == Contradiction("home", 2, "op-2", "standing_intent", KEY, "status", "armed", "pending")


def test_a_change_that_is_missing_shows_in_the_number_of_changes():
    log = Log().made()
    log(OpType.EDITED, {"max_fires": [3, 4], "fields": {"version": [2, 3]}})
    assert said(log.fold()) == [("version", 1, 2)]


def test_a_fire_that_is_missing_shows_in_the_count():
    assert said(Log().made().fired(count=2, last_fired_at=[None, 9]).fold()) == [("fire_count", 0, 1)]


def test_being_made_twice_contradicts():
    assert said(Log().made().made().fold()) == [("row", "there", "ASSERT")]


def test_operations_of_other_targets_are_counted_and_change_nothing():
    log = Log().made()
    log(OpType.INTEGRITY_CHECK, {}, "system", None, "log")
    log(OpType.ASPIRATION_DONE, {}, "home", "a-1", "aspiration")
    state = log.fold()
    assert (state.untaken, state.operations) == ({"log": 1, "aspiration": 1}, 3)


@pytest.mark.parametrize("payload", ["{", "[]", "1", '{"fields":3}'])
def test_a_payload_that_cannot_be_read_stops_nothing(payload):
    log = Log().made()
    for kind in OpType:
        log(kind, {})
        log.chains["home"][-1] = replace(log.chains["home"][-1], payload=payload)
    assert log.fold().operations == 1 + len(OpType)


# -- an older release -------------------------------------------------------------------------------------------------


def test_what_an_older_release_told_is_compared_and_what_it_did_not_is_left_out():
    log = Log()
    payload = {"handle": "i-1", "to": "armed", "words": [], "cooldown": 60, "max_fires": 3, "cooldown_per": "intent"}
    log(OpType.ASSERT, payload)
    log(OpType.FIRED, {"fire": "f", "from": "armed", "to": "fired", "fire_count": 1, "last_fired_at": [None, 9]})
    log(OpType.EDITED, {"cooldown": [60, 120]})
    log(OpType.STANDING_TRANSITION, {"from": "fired", "to": "pending", "reason": "paused"})
    log(OpType.STANDING_TRANSITION, {"from": "pending", "to": "armed", "reason": "resumed"})
    state = log.fold()
    row = intent(state)
    assert said(state) == []
    assert (row["status"], row["cooldown"], row["fire_count"], row["ready_at"]) == (
        "armed",
        120_000_000,
        1,
        120_000_009,
    )
    assert not row.keys() & {"version", "armed_at", "creator_name"}
    log(OpType.REFUNDED, {"fire": "f", "from": "armed", "to": "armed", "fire_count": 0, "last_fired_at": [9, None]})
    row = intent(log.fold())
    assert (row["fire_count"], row["last_fired_at"], "last_fire_id" in row) == (0, None, False)


def test_what_a_newer_release_told_of_a_row_is_forgotten_where_an_older_one_changed_it_untold():
    log = Log().made(armed_at=1, watches=None)
    log(OpType.STANDING_TRANSITION, {"from": "armed", "to": "pending", "reason": "paused"})
    log(OpType.STANDING_TRANSITION, {"from": "pending", "to": "armed", "reason": "resumed"})
    log(OpType.EDITED, {"anyone": [True, False]})
    row = intent(log.fold())
    assert row["status"] == "armed"
    assert not row.keys() & {"version", "armed_at", "watches", "watches_name"}


def test_a_merge_that_an_older_release_told_leaves_places_out():
    log = Log().made("gone").made("kept", "other")
    log(OpType.NAMESPACE_POLICY_UPDATE, {"setting": "alias_of", "from": None, "to": "1"}, "gone", "2", "space")
    moved = {"setting": "external_id", "from": "-1", "to": "-2", "merged": "2", "intents": [KEY]}
    log(OpType.NAMESPACE_POLICY_UPDATE, moved, "kept", "1", "space")
    log(OpType.EDITED, {"max_fires": [3, 4], "fields": {"version": [3, 4]}}, "kept")
    state = log.fold()
    assert said(state) == []
    assert (intent(state)["max_fires"], state.places_unknown) == (4, True)


# -- comparing --------------------------------------------------------------------------------------------------------


def compared(log, *stored):
    return compare(log.fold(), stored, REBUILDERS)


def row_of(log, **fields):
    return Stored("standing_intent", KEY, "i-1", {**intent(log.fold()), **fields})


def test_equal_rows_have_no_difference():
    log = Log().made()
    found = compared(log, row_of(log))
    assert (found.differences, found.rows["standing_intent"], found.partial["standing_intent"]) == ([], 1, 0)


def test_a_difference_names_row_field_and_both_values():
    log = Log().made()
    [found] = compared(log, row_of(log, status="cancelled")).differences
    assert found == Difference("standing_intent", KEY, "i-1", "status", "armed", "cancelled")


def test_a_field_that_was_not_told_counts_as_recorded_in_part():
    log = Log().made()
    found = compared(log, row_of(log, later="x"))
    assert (found.differences, found.partial["standing_intent"]) == ([], 1)


def test_rows_that_only_one_side_has_differ_as_a_whole():
    log = Log().made()
    found = compared(log, Stored("standing_intent", "other", "i-2", {}))
    assert [(one.id, one.field, one.recorded, one.stored) for one in found.differences] == [
        ("other", "row", "missing", "there"),
        (KEY, "row", "there", "missing"),
    ]


def test_a_row_that_cannot_be_read_differs():
    [found] = compared(Log().made(), Stored("standing_intent", KEY, "i-1", None)).differences
    assert (found.field, found.recorded, found.stored) == ("row", "there", "unreadable")


@pytest.mark.parametrize(
    ("words", "differs"),
    [
        ([["c", "h"], ["c.0", "h0"]], False),
        ([["c", ""], ["c.0", "h0"]], False),
        ([["c", "other"], ["c.0", "h0"]], True),
        ([["d", "h"], ["c.0", "h0"]], True),
        ([["c", "h"]], True),
    ],
)
def test_words_are_compared_by_id_and_where_the_store_has_them_by_hash(words, differs):
    log = Log().made()
    assert bool(compared(log, row_of(log, words=words)).differences) is differs


def test_words_that_were_erased_must_not_be_there():
    log = Log().made()
    log(OpType.ERASED, {"content": ["c"]})
    whole, erased = [["c", "h"], ["c.0", "h0"]], [["c", ""], ["c.0", "h0"]]
    assert compared(log, row_of(log, words=erased)).differences == []
    [found] = compared(log, row_of(log, words=whole)).differences
    assert (found.field, found.recorded) == ("words", erased)


@pytest.mark.parametrize("words", ["c", ["c"], [["c"]], [["c", "h", 1]], [1]])
def test_words_that_are_told_in_no_known_form_stop_nothing(words):
    log = Log().made(words=words).fired()
    log(OpType.ERASED, {"content": ["c"]})
    assert compared(log, row_of(log, words=[["c", ""]])).rows["standing_intent"] == 1


def test_places_are_the_same_that_stand_for_one_by_now():
    log = Log().made(space="2", except_in=["2", "5"])
    moved = {"setting": "external_id", "rows": 1, "merged": "2", "places": [["2", "1"], ["5", "4"], ["1", "2"]]}
    log(OpType.NAMESPACE_POLICY_UPDATE, moved, target="1", kind="space")
    assert compared(log, row_of(log, space="1", except_in=["1", "4"])).differences == []
    assert [one.field for one in compared(log, row_of(log, space="4")).differences] == ["space"]


@pytest.mark.parametrize(
    ("recorded", "stored", "differs"),
    [("17", "17@-1", False), ("17", "17", False), ("17", "18@-1", True), ("17", "171", True), ("", "@-1", True)],
)
def test_a_message_of_a_chat_that_moved_is_the_same(recorded, stored, differs):
    log = Log().made(source_message_id=recorded)
    assert bool(compared(log, row_of(log, source_message_id=stored)).differences) is differs


def test_memory_does_not_grow_with_operations():
    """A chain is taken an operation at a time: nothing of the earlier ones is kept."""
    log = Log().made()
    [first] = log.chains["home"]
    taken = []

    def chain():
        yield first
        for number in range(1000):
            log.chains["home"].clear()
            log(OpType.EDITED, {"max_fires": [number, number + 1], "fields": {"version": [number + 1, number + 2]}})
            [row] = log.chains["home"]
            taken.append(row)
            yield row

    state = fold({"home": chain()}, REBUILDERS)
    assert len(taken) == 1000
    assert len(json.dumps(state.objects)) < 1000


TOLD = ("fields", "words", "fire", "from", "to", "fire_count", "last_fired_at", "cooldown", "entry_no", "content")
MORE = ("evidence", "setting", "places", "merged", "intents", "number", "due_at", "edge", "changes", "item", "status")
scalars = st.sampled_from([None, True, -1, 0, 2**53 - 1, "", KEY, "alias_of", "external_id"])
values = scalars | st.lists(scalars | st.lists(scalars, max_size=2), max_size=3)
values |= st.dictionaries(st.sampled_from(TOLD), values, max_size=2)
payloads = st.dictionaries(st.sampled_from(TOLD + MORE), values, max_size=4)
kinds = st.sampled_from(sorted(name for one in REBUILDERS for name in one.takes))
operations = st.lists(
    st.tuples(st.sampled_from(OpType), payloads, st.sampled_from("ab"), st.sampled_from([KEY, None, "x"]), kinds),
    max_size=6,
)


@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow])
@given(operations)
def test_whatever_is_in_the_log_is_replayed_to_its_end(told):
    log = Log().made("a")
    for one in told:
        log(*one)
    state = log.fold()
    assert state.operations == len(told) + 1
    compare(state, [Stored("standing_intent", KEY, "i-1", {"words": [["c", "h"]], "space": "1"})], REBUILDERS)
