"""Analysed samples that must not change unnoticed: a dependency that changes one token fails here.

When a change is meant: raise `core.text.analyse.VERSION` and run this file to write the samples anew.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from core.text.analyse import analyse
from core.text.commonwords import LISTS, words

_FILE = Path(__file__).parents[2] / "data" / "golden" / "analysis.jsonl"
_CASES = Path(__file__).parents[2] / "data" / "cases" / "matching.jsonl"


def _analysed(text: str, language: str) -> dict[str, Any]:
    turn = analyse(text, (), language)
    return {"language": language, "text": text, "terms": list(turn.layout.texts), "keys": sorted(turn.keys)}


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _samples() -> list[tuple[str, str]]:
    cases = [(case["text"], case["settings"].get("language", "en")) for case in _lines(_CASES)]
    return cases + [(" ".join(words(language)[1_000:1_060]), language) for language in LISTS]


@pytest.mark.parametrize("sample", _lines(_FILE) if _FILE.exists() else [], ids=lambda sample: sample["text"][:24])
def test_a_sample_is_analysed_as_before(sample: dict[str, Any]) -> None:
    assert _analysed(sample["text"], sample["language"]) == sample


def test_there_are_samples_in_every_language_with_a_list() -> None:
    assert {sample["language"] for sample in _lines(_FILE)} >= set(LISTS)


if __name__ == "__main__":
    lines = (json.dumps(_analysed(*sample), ensure_ascii=False) + "\n" for sample in _samples())
    _FILE.write_text("".join(lines), encoding="utf-8")
