"""The exported log: what its lines say, and what a changed file is told to be."""

import json
from dataclasses import replace

import pytest

from core.audit.exported import Head, end_line, event_line, header_line, operation_line, verify_lines
from core.errors import InvalidInput
from core.operations.log import GENESIS, OpType
from core.stored import Event
from tests.builders import NOW
from tests.unit.operations.logs import Log

EVENT = Event("e-1", NOW, "3", "ada", "HUMAN_USER", "USER", "c-1", "hash", "home", {"message": "17"})


def a_log():
    log = Log().made().fired()
    return log(OpType.INTEGRITY_CHECK, {"chains": 2, "text": "¿quién? 🚀"}, "system", None, "log")


def lines_of(log, events=(EVENT,)):
    heads = [Head(name, "space", name.title(), len(rows), rows[-1].hash) for name, rows in sorted(log.chains.items())]
    heads.append(Head("zero", "direct", "", 0, GENESIS))
    rows = [operation_line(row) for name in sorted(log.chains) for row in log.chains[name]]
    told = [event_line(event) for event in events]
    return [header_line("1", "sqlite:///x", NOW, heads), *rows, *told, end_line(len(rows), len(told))]


def broken(lines):
    return {one.namespace_id: one.why for one in verify_lines(lines).reports if one.why or one.bad is not None}


def refused(lines):
    with pytest.raises(InvalidInput) as refusal:
        verify_lines(lines)
    return refusal.value.sentence


def test_a_line_is_one_object_with_all_fields_and_its_payload_as_an_object():
    log = a_log()
    [row] = log.chains["system"]
    line = operation_line(row)
    assert "\n" not in line and line.isascii()
    told = json.loads(line)
    assert told.pop("kind") == "operation"
    assert told.pop("payload") == {"chains": 2, "text": "¿quién? 🚀"}
    assert told == {name: getattr(row, name) for name in row.__slots__ if name != "payload"}


def test_what_was_written_verifies():
    found = verify_lines(lines_of(a_log()))
    assert broken(lines_of(a_log())) == {}
    assert {one.namespace_id: one.rows for one in found.reports} == {"home": 2, "system": 1, "zero": 0}
    assert (found.database, found.events, found.heads["home"].place) == ("sqlite:///x", 1, "Home")


@pytest.mark.parametrize(
    ("name", "value"), [("payload", {}), ("ts", 5), ("actor_id", "eve"), ("hash", "0" * 64), ("sequence_num", 7)]
)
def test_a_changed_operation_breaks_its_chain_and_no_other(name, value):
    lines = lines_of(a_log())
    lines[1] = json.dumps(json.loads(lines[1]) | {name: value})
    assert set(broken(lines)) == {"home"}


def test_operations_that_were_cut_off_at_the_end_of_a_chain_are_missed():
    log = a_log()
    lines = lines_of(log)
    del lines[2]
    lines[-1] = end_line(2, 1)
    assert set(broken(lines)) == {"home"}


def test_a_chain_that_was_taken_out_or_put_in_is_broken():
    log = a_log()
    lines = [line for line in lines_of(log) if '"namespace_id":"system","target' not in line]
    lines[-1] = end_line(2, 1)
    assert set(broken(lines)) == {"system"}
    other = Log().made("other").chains["other"]
    lines = lines_of(log)
    lines[1:1] = [operation_line(row) for row in other]
    lines[-1] = end_line(4, 1)
    assert set(broken(lines)) == {"other"}


def test_a_chain_that_comes_twice_is_broken():
    lines = lines_of(a_log())
    lines[4:4] = lines[1:3]
    lines[-1] = end_line(5, 1)
    assert set(broken(lines)) == {"home"}


@pytest.mark.parametrize("payload", ["{", '{"a": 1}', "[]", '{"a":1.5}', '{"b":1,"a":1}'])
def test_a_payload_that_is_not_canonical_is_exported_as_it_stands(payload):
    log = a_log()
    [row] = log.chains["system"]
    log.chains["system"] = [replace(row, payload=payload)]
    lines = lines_of(log)
    assert [json.loads(line).get("payload_text") for line in lines[3:4]] == [payload]
    assert set(broken(lines)) == {"system"}


@pytest.mark.parametrize("place", range(6))
def test_a_line_that_is_missing_or_no_line_of_an_export_is_named(place):
    whole = lines_of(a_log())
    for line in ("", "{", "[]", '{"kind":"operation"}', '{"kind":"other"}'):
        lines = [*whole]
        lines[place] = line
        assert refused(lines).startswith(("Line ", "This is no export"))
    assert refused(whole[:place]).startswith(("Line ", "This is no export"))


def test_lines_after_the_end_and_wrong_counts_are_refused():
    whole = lines_of(a_log())
    assert refused([*whole, whole[-2]]).startswith(f"Line {len(whole)} ")
    assert refused([*whole[:-1], end_line(3, 2)]).startswith("Line ")
    assert refused([*whole[:-2], whole[-1]]).startswith("Line ")


def test_another_version_is_refused():
    whole = lines_of(a_log())
    header = json.loads(whole[0])
    assert "version 2" in refused([json.dumps(header | {"version": 2}), *whole[1:]])
    assert refused([json.dumps(header | {"chains": [{}]}), *whole[1:]]).startswith("Line 1 ")
