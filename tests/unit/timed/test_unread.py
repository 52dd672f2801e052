"""Words that restrict or name a time and are not understood are refused by name, seen on a Monday at 18:40."""

from datetime import UTC, datetime

import pytest

from core.errors import InvalidInput
from core.timed.asked import parse_remind
from tests.fakes.zones import BERLIN, zone_of

NOW = datetime(2026, 11, 30, 17, 40, tzinfo=UTC)


def ask(text: str):
    return parse_remind(text, NOW, BERLIN, zone_of)


def refusal(text: str) -> InvalidInput:
    with pytest.raises(InvalidInput) as refused:
        ask(text)
    return refused.value


@pytest.mark.parametrize(
    ("text", "part", "hint"),
    [
        ("every day except Sunday at 9 pills", "except Sunday", "every weekday at 9"),
        ("every day at 9 except weekends", "except weekends", "every weekday at 9"),
        ("every day at 9 except weekends pills", "except weekends", "every weekday at 9"),
        ("pills every day at 9 except weekends", "except weekends", "every weekday at 9"),
        ("every day at 9 but not on Sunday pills", "but not on Sunday", "every weekday at 9"),
        ("every day except Saturday and Sunday at 9 pills", "except Saturday and Sunday", "every weekday at 9"),
        ("every day at 9 only on weekdays pills", "only on weekdays", "every weekday at 9"),
        ("every day at 9 unless it rains pills", "unless it", "every weekday at 9"),
        ("every weekday at 9 but not in August pills", "but not in August", "every weekday at 9"),
        ("every Monday in January at 9 pills", "in January", "Which day in January?"),
        ("every 2 hours between 9 and 17 drink", "between 9 and 17", "single times"),
        ("drink every 2 hours between 9 and 17", "between 9 and 17", "single times"),
        ("every hour until 6pm drink", "until 6pm", "single times"),
        ("every hour from 9 to 17 drink", "from 9 to 17", "single times"),
        ("every day at 9 starting soon pills", "starting soon", "every weekday at 9"),
        ("tomorrow 9-17 workshop", "9-17", "single times"),
        ("tomorrow between 9 and 10 call", "between 9 and 10", "single times"),
        ("every hour from 9am to 5pm drink", "to 5pm", "single times"),
    ],
)
def test_t241_a_restriction_of_what_repeats_is_never_text(text, part, hint):
    refused = refusal(text)
    assert f"“{part}”" in refused.sentence
    assert hint in refused.hint


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("every day at 9 and 17 pills", "and 17"),
        ("pills every day at 9 and 17", "and 17"),
        ("every day pills at 9 and 17", "and 17"),
        ("tomorrow at 9 and 17 pills", "and 17"),
        ("every monday at 9 and 14 pills", "and 14"),
        ("every day at 9, 14 and 17 pills", "14 and 17"),
        ("on the 1st and 15th to pay", "and 15th"),
        ("on the 1st and the 15th to pay", "and the 15th"),
        ("at 9 or 10 tomorrow to dance", "or 10"),
        ("to dance at 9 or 10 tomorrow", "or 10"),
        ("tomorrow at 9 and noon pills", "and noon"),
        ("call Dana at 9 tomorrow and Bob on Friday at 10", "and Bob"),
    ],
)
def test_t242_the_second_of_two_times_is_not_lost(text, part):
    refused = refusal(text)
    assert f"“{part}”" in refused.sentence
    assert "second reminder" in refused.hint


@pytest.mark.parametrize("text", ["at 3pm EST in July to call", "at 3pm in July EST to call", "call at 3pm in July",
                                  "3pm EST next July to call"])  # fmt: skip
def test_t225_a_month_without_a_day_is_asked_about(text):
    assert "July" in refusal(text).sentence
    assert "Which day in July?" in refusal(text).hint


@pytest.mark.parametrize("text", ["at 3pm Boston time to call", "3pm San Francisco time"])
def test_a_zone_that_the_zone_data_does_not_name_is_refused(text):
    assert " time”" in refusal(text).sentence
    assert "America/New_York" in refusal(text).hint


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("me after 5pm to check", "after 5pm"),
        ("call after 5pm", "after 5pm"),
        ("tomorrow after 5pm call", "after 5pm"),
        ("before 5pm call", "before 5pm"),
    ],
)
def test_a_bound_is_no_time(text, part):
    assert f"“{part}”" in refusal(text).sentence


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("wendesday at 9 to call", "wednesday"),
        ("call Dana tommorow", "tomorrow"),
        ("call Dana wendesday at 9", "wednesday"),
        ("at 9 tommorow to call", "tomorrow"),
        ("on firday to call", "friday"),
    ],
)
def test_a_misspelt_day_is_named_with_the_one_that_was_meant(text, near):
    assert refusal(text).hint == f"Did you mean {near}?"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("in 2 hours a second look at the PR", "a second look at the PR"),
        ("in 20 min a minute of silence", "a minute of silence"),
        ("in 5 min ping", "ping"),
        ("in 5 min ping Bob", "ping Bob"),
        ("in 5 min remind Bob", "remind Bob"),
        ("in 5 min please", "please"),
        ("ping the server in 5 min", "ping the server"),
        ("1.5 hours eat", "eat"),
        ("tonight at midnight b", "b"),
        ("tomorrow at 9am London time to call", "call"),
        ("4.12. at 9 party", "party"),
        ("party 24.12. 15:00", "party"),
        ("release 4.12 tomorrow", "release 4.12"),
        ("tomorrow at 9 dinner time", "dinner time"),
        ("at 9 and then home", "and then home"),
        ("tomorrow at 9 to plan Monday and 2 more days", "plan Monday and 2 more days"),
        ("tomorrow to see the film in 3d and eat", "see the film in 3d and eat"),
        ("in 5 min 🎂", "🎂"),
        ("in 5 min @ada: go", "@ada: go"),
    ],
)
def test_what_is_no_part_of_the_time_stays_text(text, what):
    assert ask(text).text == what


@pytest.mark.parametrize("text", ['in 5 min ""', "in 5 min .", "in 5 min @ada", "in 5 min - -", "tomorrow at 9 ?"])
def test_a_text_of_signs_alone_is_none(text):
    assert "nothing to be reminded of" in refusal(text).sentence


@pytest.mark.parametrize("text", ["pls remind me in 2h to call", "@remembrancer_bot remind me in 2h to call",
                                  "@remembrancer_bot please remind me in 2h to call"])  # fmt: skip
def test_whoever_is_asked_may_be_spoken_to(text):
    assert (ask(text).text, ask(text).person) == ("call", "")
