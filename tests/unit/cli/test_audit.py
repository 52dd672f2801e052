"""`audit replay`, `audit export` and `audit verify --file`."""

import json
import sqlite3
import stat
from contextlib import closing

import pytest

from bots.cli import replayed
from core.catalogue import say
from core.operations.log import OpType
from core.services.replay import REBUILDERS
from tests.unit.cli.conftest import Terminal


def tamper(terminal: Terminal, *statements: str) -> None:
    with closing(sqlite3.connect(terminal.database)) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()


@pytest.fixture
def handle(terminal: Terminal) -> str:
    made: str = terminal.create(triggers="secret words").handle
    terminal("intents", "cancel", made)
    return made


def test_a_replay_that_is_equal_says_so(terminal: Terminal, handle: str) -> None:
    answer = terminal("audit", "replay")
    assert (answer.code, handle in answer.out) == (0, False)
    assert "2 operations in 2 chains replayed: everything is stored as the log tells it." in answer.out
    told = terminal("audit", "replay", "--json").json
    assert (told["equal"], told["differences"], told["contradictions"]) == (True, [], [])
    assert told["kinds"]["standing_intent"] == {"rows": 1, "partial": 0}
    assert str(terminal.database) in told["database"]


def test_a_replay_writes_nothing(terminal: Terminal, handle: str) -> None:
    before = terminal.database.read_bytes()
    assert terminal("audit", "replay").code == 0
    assert terminal.database.read_bytes() == before


def test_a_row_that_was_changed_is_named_with_field_and_both_values(terminal: Terminal, handle: str) -> None:
    tamper(terminal, "UPDATE standing_intents SET status = 'armed'")
    answer = terminal("audit", "replay")
    assert answer.code == 1
    assert f"rule {handle} (" in answer.out
    assert 'status is "armed"; the log tells "cancelled".' in answer.out
    assert "1 difference, 0 contradictions" in answer.out
    found = terminal("audit", "replay", "--json")
    [difference] = found.json["differences"]
    assert found.code == 1
    assert (difference["handle"], difference["field"]) == (handle, "status")
    assert (difference["recorded"], difference["stored"]) == ("cancelled", "armed")


def test_rows_and_operations_that_are_missing_are_told(terminal: Terminal, handle: str) -> None:
    tamper(terminal, "DROP TRIGGER operations_no_delete", "DELETE FROM operations WHERE op_type = 'ASSERT'")
    out = terminal("audit", "replay").out
    assert "does not follow from those before it" in out
    tamper(terminal, "DELETE FROM operations")
    assert "is stored; the log does not tell of it." in terminal("audit", "replay").out


def test_a_row_that_is_gone_or_unreadable_is_told(terminal: Terminal, handle: str) -> None:
    tamper(terminal, "PRAGMA ignore_check_constraints = ON", "UPDATE standing_intents SET status = 'nonsense'")
    assert f"rule {handle}" in terminal("audit", "replay").out
    assert "holds a value that this version does not know." in terminal("audit", "replay").out
    statements = [f"DELETE FROM {table}" for table in ("trig", "standing_entries", "standing_intents")]
    tamper(terminal, "PRAGMA foreign_keys = OFF", *statements)
    assert "is not stored; the log tells of it." in terminal("audit", "replay").out


@pytest.mark.parametrize(("more", "told"), [(0, False), (1, True)])
def test_so_many_differences_are_named_and_of_the_rest_the_number(
    terminal: Terminal, handle: str, monkeypatch: pytest.MonkeyPatch, more: int, told: bool
) -> None:
    monkeypatch.setattr(replayed, "SHOWN", 2)
    columns = ["max_fires", "expires_at", "created_at"][: 2 + more]
    tamper(terminal, f"UPDATE standing_intents SET {', '.join(f'{name} = {name} + 1' for name in columns)}")
    out = terminal("audit", "replay").out
    assert out.count("the log tells") == 2
    assert ("1 more; --json lists all." in out) is told


def test_rows_of_an_older_release_are_counted_as_recorded_in_part(terminal: Terminal, handle: str) -> None:
    tamper(
        terminal,
        "DROP TRIGGER operations_no_update",
        "UPDATE operations SET payload = json_remove(payload, '$.fields')",
    )
    answer = terminal("audit", "replay")
    assert (answer.code, answer.err) == (0, say("replay.partial") + "\n")
    assert terminal("audit", "replay", "--json").json["kinds"]["standing_intent"] == {"rows": 1, "partial": 1}


def test_every_kind_that_is_compared_has_a_name_for_people() -> None:
    assert all(say(f"replay.kind.{kind}") for one in REBUILDERS for kind in one.kinds)


def test_an_export_is_json_lines_for_ones_own_eyes_without_words(terminal: Terminal, handle: str) -> None:
    file = terminal.folder / "log.jsonl"
    answer = terminal("audit", "export", "--out", str(file))
    assert (answer.code, str(file) in answer.out, "1 event" in answer.out) == (0, True, True)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [line["kind"] for line in lines] == ["header", "operation", "operation", "event", "end"]
    assert [line["op_type"] for line in lines[1:3]] == [OpType.ASSERT, OpType.STANDING_TRANSITION]
    assert lines[1]["payload"]["handle"] == handle
    assert "secret" not in file.read_text()
    assert list(terminal.folder.glob(".remembrancer*")) == []


def test_an_export_is_printed_where_no_file_is_named(terminal: Terminal, handle: str) -> None:
    answer = terminal("audit", "export")
    assert [json.loads(line)["kind"] for line in answer.out.splitlines()][0::4] == ["header", "end"]


def test_an_export_never_writes_over_a_file(terminal: Terminal, handle: str) -> None:
    file = terminal.folder / "log.jsonl"
    file.write_text("mine")
    answer = terminal("audit", "export", "--out", str(file))
    assert (answer.code, file.read_text()) == (1, "mine")
    assert f"{file} is there already." in answer.err
    answer = terminal("audit", "export", "--out", str(terminal.folder / "none" / "log.jsonl"))
    assert (answer.code, "cannot be written" in answer.err) == (1, True)


def test_an_export_says_in_json_what_it_wrote(terminal: Terminal, handle: str) -> None:
    file = terminal.folder / "log.jsonl"
    told = terminal("audit", "export", "--out", str(file), "--json").json
    assert (told["written"], told["operations"], told["events"]) == (str(file), 2, 1)


def test_an_exported_file_verifies_without_the_database(terminal: Terminal, handle: str) -> None:
    file = terminal.folder / "log.jsonl"
    terminal("audit", "export", "--out", str(file))
    for one in terminal.database.parent.glob("remembrancer.db*"):
        one.unlink()
    answer = terminal("audit", "verify", "--file", str(file))
    assert (answer.code, "2 chains, 2 rows verified; 0 broken." in answer.out) == (0, True)
    told = terminal("audit", "verify", "--file", str(file), "--json").json
    assert (told["holds"], told["file"]) == (True, str(file))
    assert str(terminal.database) in told["database"]


def test_a_changed_export_names_its_row_and_a_shortened_one_its_line(terminal: Terminal, handle: str) -> None:
    file = terminal.folder / "log.jsonl"
    terminal("audit", "export", "--out", str(file))
    whole = file.read_text()
    file.write_text(whole.replace('"reason":"cancelled"', '"reason":"pardoned!"'))
    answer = terminal("audit", "verify", "--file", str(file))
    assert (answer.code, "row 2 of 2 is broken (STANDING_TRANSITION" in answer.out) == (1, True)
    file.write_text(whole[:-20])
    answer = terminal("audit", "verify", "--file", str(file))
    assert (answer.code, "Line 5 of the export" in answer.err) == (1, True)
    for text in ("", "hello\n", "\udcff"):
        file.write_text(text, errors="surrogateescape")
        assert terminal("audit", "verify", "--file", str(file)).code == 1
    answer = terminal("audit", "verify", "--file", str(terminal.folder / "none.jsonl"))
    assert (answer.code, "cannot be read" in answer.err) == (1, True)
