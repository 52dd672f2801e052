"""One case tried: the answer, the entry that matched, and what is wrong with a bad case."""

from typing import Any

import pytest

from bots.trycases import CaseResult, run_case
from core.errors import InvalidInput


def case(**changes: Any) -> dict[str, Any]:
    return {"id": "c1", "entry": "launch", "text": "the launch", "format": "plain", "settings": {}} | changes


def test_a_match_names_the_entry_and_its_terms() -> None:
    assert run_case(case(entry="x\nlaunch the")) == CaseResult("c1", True, "launch the", "matched: launch, the")


def test_a_miss_says_what_is_missing_in_each_entry() -> None:
    assert run_case(case(entry="x; launch -the")) == CaseResult("c1", False, None, "missing: x; excluded: the")


def test_format_and_settings_may_be_left_out() -> None:
    assert run_case({"id": "c1", "entry": "launch", "text": "launch"}).match


def test_an_entry_that_is_refused_matches_nothing_and_says_why() -> None:
    result = run_case(case(entry='"launch'))
    assert (result.match, result.entry) == (False, None)
    assert result.reason.startswith("refused: ")


def test_settings_reach_the_analysis() -> None:
    assert not run_case(case(text="launches", settings={"word_forms": False})).match
    assert run_case(case(entry="cafe", text="café", settings={"fold_accents": True})).match
    assert run_case(case(entry="Haus", text="Häuser", settings={"language": "de"})).match


def test_a_discord_case_is_read_as_discord_markdown() -> None:
    assert run_case(case(text="la**un**ch", format="discord")).match
    assert not run_case(case(text="la**un**ch")).match
    mentions = {"mentions": {"1": "Dana"}}
    assert run_case(case(entry="<@1>", text="hi <@1>", format="discord", settings=mentions)).match
    assert run_case(case(entry="<:a:12>", text="hi <:a:34>", format="discord")).match


@pytest.mark.parametrize("key", ["id", "entry", "text"])
def test_a_missing_key_is_named(key: str) -> None:
    bad = case()
    del bad[key]
    with pytest.raises(InvalidInput) as raised:
        run_case(bad)
    assert raised.value.details["key"] == key


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"format": "telegraph"}, "format"),
        ({"text": 5}, "text"),
        ({"settings": []}, "settings"),
        ({"settings": {"stemming": True}}, "stemming"),
        ({"settings": {"word_forms": "yes"}}, "word_forms"),
        ({"settings": {"mentions": []}}, "mentions"),
        ({"format": "discord", "settings": {"mentions": {"1": 2}}}, "mentions"),
    ],
)
def test_a_bad_value_is_named_by_its_key(changes: dict[str, Any], key: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        run_case(case(**changes))
    assert raised.value.details["key"] == key
