"""Inputs with the right answer: each line of the shared case file is a test."""

import json
from pathlib import Path
from typing import Any

import pytest

from bots.trycases import run_case

_FILE = Path(__file__).parent.parent / "data" / "cases" / "matching.jsonl"
_CASES = [json.loads(line) for line in _FILE.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["id"])
def test_a_case_has_the_right_answer(case: dict[str, Any]) -> None:
    result = run_case(case)
    assert result.match is case["match"], (case["why"], result.reason)
    assert result.id == case["id"]


def test_the_case_file_is_whole() -> None:
    assert len(_CASES) >= 100
