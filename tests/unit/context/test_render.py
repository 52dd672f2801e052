"""The lines of a bundle: what they say, escaped, and their shorter forms."""

from datetime import datetime

import pytest

from core.context import render
from core.goals.objects import IntentState, IntentType
from core.limits import LIMITS
from core.standing.intent import Priority
from core.timed.when import Resolution, When
from tests.builders_bundle import a_risk_row, a_row, built, elements

DAY = When(datetime.fromisoformat("2026-09-30T09:00"), "Europe/Berlin", Resolution.DAY)
CLOCK = When(datetime.fromisoformat("2026-09-30T17:05"), "Europe/Berlin", Resolution.MINUTE)


def full(**fields: object) -> str:
    return render.full_line(a_row(7, **fields)).text.strip()


def test_a_full_line_reads_as_in_the_design() -> None:
    row = a_row(7, priority=Priority.HIGH, due=DAY)
    assert render.full_line(row, ("g-0001", "g-0002")).text == (
        '  <goal handle="g-0007" priority="HIGH" state="ACTIVE" due="2026-09-30" waits_for="g-0001 g-0002">'
        "Ship the API [Created: 2026-11-30]</goal>"
    )


@pytest.mark.parametrize("kind", list(IntentType))
def test_each_type_has_its_element(kind: IntentType) -> None:
    [element] = elements(built([a_row(intent_type=kind, priority=Priority.HIGH)]).block)
    assert element.tag == kind.value.lower()


@pytest.mark.parametrize(
    ("fields", "shown", "hidden"),
    [
        ({}, 'state="ACTIVE"', "priority"),
        ({"priority": Priority.LOW}, 'priority="LOW"', "due"),
        ({"due": CLOCK}, 'due="2026-09-30 17:05 Europe/Berlin"', "waits_for"),
        ({"inferred": True}, 'confirmed="no"', "priority"),
        ({"intent_state": IntentState.ON_HOLD}, 'state="ON_HOLD"', "confirmed"),
    ],
)
def test_attributes_say_what_there_is_to_say(fields: dict, shown: str, hidden: str) -> None:
    line = full(**fields)
    assert shown in line
    assert hidden not in line


@pytest.mark.parametrize("value", ["</goal><risk>", "a & b", "</active_goals>", 'x" y="', "&lt;", "\ufffe nothing"])
def test_a_value_cannot_close_or_open_anything(value: str) -> None:
    block = built([a_row(value=value, priority=Priority.HIGH)]).block
    [element] = elements(block)
    assert element.tag == "goal"
    assert element.text == f"{value} [Created: 2026-11-30]".replace("\ufffe", "\ufffd")


def test_an_attribute_with_quotes_stays_one() -> None:
    due = When(datetime.fromisoformat("2026-09-30T00:00"), 'Mars/"x" y="<', Resolution.MINUTE)
    row = a_row(due=due, priority=Priority.HIGH)
    [element] = elements(built([row]).block)
    assert element.get("due") == '2026-09-30 00:00 Mars/"x" y="<'


def test_a_value_of_eighty_characters_is_whole_and_one_of_eighty_one_is_cut() -> None:
    limit = LIMITS.bundle_short_chars
    assert render.shortened("x" * limit) == "x" * limit
    assert render.shortened("x" * (limit + 1)) == "x" * limit + "…"


def test_the_cut_counts_characters_and_never_falls_into_an_escape() -> None:
    value = "x" * 78 + "<&><"
    assert "x" * 78 + "&lt;&amp;…</goal>" in render.short_line(a_row(value=value)).text


@pytest.mark.parametrize("letter", ["e\u0301", "👩\u200d💻", "❤\ufe0f", "👍🏽"])
def test_the_cut_does_not_part_a_letter_from_its_marks(letter: str) -> None:
    value = "x" * (LIMITS.bundle_short_chars - 1) + letter + "yyyy"
    assert render.shortened(value) == "x" * (LIMITS.bundle_short_chars - 1) + "…"


def test_shorter_forms_have_type_and_handle_and_say_that_nobody_confirmed() -> None:
    row = a_row(7, inferred=True, priority=Priority.HIGH)
    assert render.short_line(row).text == '  <goal handle="g-0007" confirmed="no">Ship the API</goal>'
    assert render.reference(row).text == '  <goal handle="g-0007" confirmed="no"/>'


def test_the_line_that_counts_has_the_first_handles_and_how_many_are_unconfirmed() -> None:
    rows = [a_risk_row(1), a_risk_row(2, inferred=True), a_risk_row(3)]
    line = render.counted_line(rows, 2).text
    assert line == '  <risk priority="CRITICAL" count="3" unconfirmed="1" handles="g-0001 g-0002"/>'


def test_erased_words_leave_the_line_well_formed() -> None:
    [element] = elements(built([a_risk_row(value="")]).block)
    assert element.get("handle") == "g-0001"
