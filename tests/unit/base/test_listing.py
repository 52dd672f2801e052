"""Buttons to other pages: what they carry is read back as it was, whatever the filter."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.base.listing import CLOCK, GOALS, RULES, beside, data_of, read_page
from core.goals.objects import IntentState, IntentType
from core.goals.typed import GoalListing
from core.standing.intent import Status
from core.standing.typed import Listing
from core.timed.commands import TimedListing

LISTINGS = st.builds(
    Listing,
    st.text(max_size=30),
    st.lists(st.sampled_from(list(Status)), unique=True, max_size=6).map(tuple),
    st.integers(1, 100_000),
)
GOAL_LISTINGS = st.builds(
    GoalListing,
    st.lists(st.sampled_from(list(IntentType)), unique=True).map(tuple),
    st.lists(st.sampled_from(list(IntentState)), unique=True).map(tuple),
    st.booleans(),
    st.text(max_size=30),
    st.booleans(),
    st.integers(1, 100_000),
)


@given(GOAL_LISTINGS)
def test_a_page_of_goals_comes_back_as_it_was(wanted):
    assert read_page(*data_of(wanted, wanted.page).split(":", 3)) == wanted


@given(LISTINGS)
def test_a_page_of_rules_comes_back_as_it_was(wanted):
    assert read_page(*data_of(wanted, wanted.page).split(":", 3)) == wanted


@given(st.booleans(), st.integers(1, 100_000))
def test_a_page_of_reminders_comes_back_as_it_was(everything, page):
    wanted = TimedListing(everything, page)
    assert read_page(*data_of(wanted, page).split(":", 3)) == wanted


@pytest.mark.parametrize(
    "fields",
    [
        ("other", "1", "a", ""),
        (RULES, "", "a", ""),
        (RULES, "-1", "a", ""),
        (RULES, "1.0", "a", ""),
        (RULES, "²", "a", ""),
        (RULES, "１", "a", ""),
        (RULES, "1", "z", ""),
        (RULES, "1", "A", ""),
        (CLOCK, "1", "some", ""),
        (GOALS, "1", "z", ""),
        (GOALS, "1", "gg-", ""),
        (GOALS, "x", "g", ""),
        (CLOCK, "x", "", ""),
    ],
)
def test_a_page_that_nobody_made_is_none(fields):
    assert read_page(*fields) is None


@pytest.mark.parametrize(
    ("number", "pages", "found"), [(1, 1, []), (1, 2, [2]), (2, 2, [1]), (2, 3, [1, 3]), (3, 2, [2]), (9, 2, [])]
)
def test_there_are_buttons_to_the_pages_that_there_are(number, pages, found):
    rows = beside(str, number, pages, 10)
    assert [int(button.data) for row in rows for button in row] == found


@pytest.mark.parametrize("over", [0, 1])
def test_data_of_as_many_bytes_as_fit_have_a_button_and_of_one_more_none(over):
    rows = beside(lambda number: "é" * 5 + "x" * over, 1, 2, 10)
    assert bool(rows) is not bool(over)
