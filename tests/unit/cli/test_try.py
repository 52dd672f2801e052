"""`remembrancer try`."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.unit.cli.conftest import Answer, Terminal

GOOD = {"id": "m1", "entry": "launch checklist", "text": "checklist for the launch, please"}


def lines(*cases: Any) -> bytes:
    return b"".join((case if isinstance(case, bytes) else json.dumps(case).encode()) + b"\n" for case in cases)


def tried(terminal: Terminal, content: bytes) -> tuple[Answer, list[dict[str, Any]]]:
    file = terminal.folder / "cases.jsonl"
    file.write_bytes(content)
    answer = terminal("try", "--cases", str(file))
    return answer, [json.loads(line) for line in answer.out.splitlines()]


def test_each_case_is_one_line(terminal: Terminal) -> None:
    answer, results = tried(terminal, lines(GOOD, GOOD | {"id": "m2", "text": "launch is on"}))
    assert answer.code == 0
    assert [(line["id"], line["match"]) for line in results] == [("m1", True), ("m2", False)]
    assert all(line.keys() == {"id", "match", "entry", "reason"} for line in results)


def test_it_agrees_with_every_case_of_the_collection(terminal: Terminal) -> None:
    file = Path(__file__).parents[2] / "data" / "cases" / "matching.jsonl"
    cases = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    answer, results = tried(terminal, file.read_bytes())
    assert answer.code == 0
    wrong = [case["id"] for case, line in zip(cases, results, strict=True) if case["match"] != line["match"]]
    assert wrong == []


def test_standard_input_is_read(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines(GOOD))))
    answer = terminal("try", "--cases", "-")
    assert json.loads(answer.out)["match"] is True


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b"{", "not JSON"),
        (b"[]", "not a JSON object"),
        (b"\xff", "not UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
        ({"id": "x", "entry": "a"}, "'text' is missing"),
        ({"id": 3, "entry": "a", "text": "b"}, "'id' is not a text"),
        (GOOD | {"entry": None}, "'entry' is not a text"),
        (GOOD | {"format": "html"}, "'format' is none of"),
        (GOOD | {"settings": []}, "'settings' is not an object"),
    ],
)
def test_a_bad_line_is_named_and_the_others_are_tried(terminal: Terminal, line: Any, told: str) -> None:
    answer, results = tried(terminal, lines(GOOD, line, GOOD))
    assert answer.code == 1
    assert len(results) == 2
    assert "line 2: " in answer.err
    assert told in answer.err


def test_a_byte_order_mark_empty_lines_and_a_missing_last_line_end_are_harmless(terminal: Terminal) -> None:
    answer, results = tried(terminal, b"\xef\xbb\xbf" + lines(GOOD, b"") + lines(GOOD).rstrip())
    assert answer.code == 0
    assert len(results) == 2


def test_many_bad_lines_end_it(terminal: Terminal) -> None:
    answer, _ = tried(terminal, b"{\n" * 1_000)
    assert answer.code == 1
    assert answer.err.count("not JSON") == 20


def test_a_file_that_cannot_be_read_is_refused(terminal: Terminal) -> None:
    for name in ("missing.jsonl", "."):
        answer = terminal("try", "--cases", name)
        assert answer.code == 2
        assert "cannot be read" in answer.err


@pytest.mark.parametrize("entry", ["", "\u200b", '-"a b"', "a" * 501, "a " * 9, "\ud800", "\x00", "x" * 65])
def test_an_entry_that_cannot_be_used_is_no_traceback(terminal: Terminal, entry: str) -> None:
    answer, _ = tried(terminal, lines(GOOD | {"entry": entry}, GOOD))
    assert answer.code in {0, 1}
    assert '"m1"' in answer.out
