"""Inputs with the right answer: each line of the shared case file, and of our own `more.jsonl`, is a test."""

import json
from pathlib import Path
from typing import Any

import pytest

from bots.trycases import run_case

_FOLDER = Path(__file__).parent.parent / "data" / "cases"


def _cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (_FOLDER / name).read_text(encoding="utf-8").splitlines()]


_SHARED, _MORE = _cases("matching.jsonl"), _cases("more.jsonl")


@pytest.mark.parametrize("case", _SHARED + _MORE, ids=lambda case: case["id"])
def test_a_case_has_the_right_answer(case: dict[str, Any]) -> None:
    result = run_case(case)
    assert result.match is case["match"], (case["why"], result.reason)
    assert result.id == case["id"]


def test_the_case_files_are_whole() -> None:
    assert len(_SHARED) >= 100
    assert len(_MORE) >= 800
    assert len({case["id"] for case in _SHARED + _MORE}) == len(_SHARED) + len(_MORE)
