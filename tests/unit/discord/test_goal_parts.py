"""What options of `/goal` are made into: whatever stands in one of them stays in it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.discord import goal_parts as parts
from core.errors import InvalidInput
from core.goals.objects import IntentState, IntentType
from core.goals.said import unquoted
from core.goals.typed import Answering, Depending, GoalListing, Linking, OneGoal, Searching
from core.standing.intent import Priority

NASTY = st.one_of(
    st.text(max_size=60),
    st.lists(
        st.sampled_from(["type:risk", "due:friday", "--due never", "—owner", "with:@bob", "g-7k2m", '"', "a", "\n"]),
        max_size=8,
    ).map(" ".join),
).filter(lambda text: text.strip() and unquoted(text.strip()).strip())
EVERYTHING = {
    "type": "followup",
    "due": "friday 17:00",
    "priority": "critical",
    "owner": "<@12>",
    "with": "<@12> <@13>",
    "criteria": "one; two",
    "note": "ask --due",
    "depends": "g-9a1c Sign it, g-4tq9",
    "blocks": "g-5r3w",
}


@given(NASTY)
def test_words_arrive_as_they_were_given_and_are_never_an_option(text):
    fields = parts.add(text, {}).fields
    assert fields.text == unquoted(text.strip())
    assert (fields.intent_type, fields.due, fields.owner, fields.stakeholders) == (None, "", "", None)
    assert parts.edit("g-7k2m", text, {}).fields == fields
    assert parts.supersede("g-7k2m", text, {}).fields == fields


@given(NASTY)
def test_a_value_never_becomes_another_option(value):
    fields = parts.add("a", {"due": value, "note": value}).fields
    assert (fields.due, fields.owner, fields.priority) == (value.strip(), "", None)


def test_every_option_is_understood():
    fields = parts.add("Ship it", EVERYTHING).fields
    assert (fields.intent_type, fields.priority) == (IntentType.FOLLOW_UP, Priority.CRITICAL)
    assert (fields.due, fields.owner, fields.stakeholders) == ("friday 17:00", "<@12>", ("<@12>", "<@13>"))
    assert (fields.criteria, fields.note) == ("one\ntwo", "ask --due")
    assert (fields.depends_on, fields.blocks) == (("g-9a1c", "g-4tq9"), ("g-5r3w",))


def test_what_was_not_chosen_changes_nothing_and_none_takes_it_away():
    fields = parts.edit("`g-7k2m`", "", {"note": None, "criteria": "none", "due": "none", "with": "none"}).fields
    assert (fields.text, fields.note, fields.criteria, fields.due, fields.stakeholders) == ("", None, "", "none", ())


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("g-7k2m", ("g-7k2m",)),
        ("g-7k2m Ship the API, g-9a1c", ("g-7k2m", "g-9a1c")),
        ("`g-7k2m`,g-7k2m", ("g-7k2m",)),
        ("7k2m; 9a1c", ("7k2m", "9a1c")),
        (" , ", ()),
    ],
)
def test_handles_are_found_among_the_words_that_a_choice_shows(text, found):
    assert parts.handles(text) == found


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (parts.one("done", " `g-7k2m` "), OneGoal("done", "g-7k2m")),
        (parts.listing("", "", "", False, 1), GoalListing()),
        (
            parts.listing(" --all ", "question", "hold", True, 2),
            GoalListing((IntentType.OPEN_QUESTION,), (IntentState.ON_HOLD,), True, "--all", page=2),
        ),
        (parts.review(3), GoalListing(review=True, page=3)),
        (parts.search("--page 2", 1), Searching("--page 2")),
        (parts.depend("g-1aaa", "g-2bbb", blocks=False, off=True), Depending("g-1aaa", ("g-2bbb",), off=True)),
        (
            parts.answer("g-1aaa", "replace", "g-2bbb", "g-3ccc Text"),
            Answering("g-1aaa", "replace", "g-2bbb", "g-3ccc"),
        ),
        (parts.link("i-5r3w", "g-7k2m", False), Linking("i-5r3w", "g-7k2m")),
        (parts.link("i-5r3w", "", True), Linking("i-5r3w")),
    ],
)
def test_each_verb_asks_for_what_was_chosen(wanted, found):
    assert wanted == found


@pytest.mark.parametrize(
    "act",
    [
        lambda: parts.add("", {}),
        lambda: parts.supersede("g-7k2m", " ", {}),
        lambda: parts.depend("g-7k2m", ",", blocks=True, off=False),
        lambda: parts.link("i-5r3w", "", False),
        lambda: parts.link("i-5r3w", "g-7k2m", True),
        lambda: parts.add("a", {"type": "dream"}),
    ],
)
def test_what_is_missing_or_too_much_is_refused_with_what_to_do(act):
    with pytest.raises(InvalidInput) as refusal:
        act()
    assert refusal.value.hint


def test_it_is_kept_as_somebody_would_have_typed_it():
    said = parts.spelt("add", "Ship it", chosen={"type": "risk", "due": "friday", "note": None})
    assert said == "/goal add Ship it --type risk --due friday"
