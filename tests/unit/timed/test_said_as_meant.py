"""Times in the words of people, seen on a Monday at 18:40 in Berlin: read as meant, and what was assumed is said."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from core.errors import InvalidInput
from core.timed.grammar import parse_when
from core.timed.instants import due_of
from core.timed.when import Note
from core.wording.whens import note_lines
from tests.fakes.zones import BERLIN, zone_of

NOW = datetime(2026, 11, 30, 17, 40, tzinfo=UTC)


def read(text: str, now: datetime = NOW):
    return parse_when(text, now, BERLIN, zone_of)


def shown(text: str, now: datetime = NOW) -> str:
    return f"{due_of(read(text, now), zone_of).astimezone(ZoneInfo(BERLIN)):%Y-%m-%d %H:%M %Z}"


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("tomorrow at 9am London time", "2026-12-01 10:00 CET"),
        ("3pm New York time", "2026-11-30 21:00 CET"),
        ("3pm in New York", "2026-11-30 21:00 CET"),
        ("10pm Tokyo time on 1 Dec", "2026-12-01 14:00 CET"),
        ("1pm Pacific time", "2026-11-30 22:00 CET"),
        ("1pm pacific standard time", "2026-11-30 22:00 CET"),
        ("3pm Port-au-Prince time", "2026-11-30 21:00 CET"),
        ("9pm Dar es Salaam time", "2026-11-30 19:00 CET"),
        ("9pm local time", "2026-11-30 21:00 CET"),
        ("9pm my time", "2026-11-30 21:00 CET"),
    ],
)
def test_t225_a_zone_is_named_in_words(text, due):
    assert shown(text) == due


@pytest.mark.parametrize(
    ("text", "noted"), [("1pm Pacific time", True), ("3pm in New York", True), ("9pm in Berlin", False)]
)
def test_whose_rules_are_used_is_said_for_a_zone_in_words(text, noted):
    assert (Note.ZONE_RULES in read(text).notes) is noted


@pytest.mark.parametrize("text", ["tomorrow at 9 dinner time", "tomorrow at 9 in berlin", "London time"])
def test_other_words_name_no_zone(text):
    assert read(text) is None


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("4.12. at 9", "2026-12-04 09:00 CET"),
        ("Fri 4.12. at 9", "2026-12-04 09:00 CET"),
        ("on 4.12 at 9", "2026-12-04 09:00 CET"),
        ("24.12. 15:00", "2026-12-24 15:00 CET"),
        ("24.12 at 18:00", "2026-12-24 18:00 CET"),
        ("1.2.27", "2027-02-01 09:00 CET"),
        ("1.2.2027", "2027-02-01 09:00 CET"),
        ("1 Jan 27", "2027-01-01 09:00 CET"),
        ("1 Jan 27 at 10", "2027-01-01 10:00 CET"),
        ("friday week", "2026-12-11 09:00 CET"),
        ("tonight at midnight", "2026-12-01 00:00 CET"),
        ("at 17h30", "2026-12-01 17:30 CET"),
        ("at 4.12 pm", "2026-12-01 16:12 CET"),
        ("in 1h 30m", "2026-11-30 20:10 CET"),
        ("in 1 hour 30 minutes", "2026-11-30 20:10 CET"),
        ("in 1 week, 2 days and 3 hours", "2026-12-09 21:40 CET"),
        ("on 31 Oct 2027 at 2:30 CEST", "2027-10-31 02:30 CEST"),
        ("on 31 Oct 2027 at 2:30 CET", "2027-10-31 02:30 CET"),
        ("on 31 Oct 2027 at 2:30 +01:00", "2027-10-31 02:30 CET"),
    ],
)
def test_a_form_of_the_calendar_or_the_clock_is_read(text, due):
    assert shown(text) == due


@pytest.mark.parametrize("text", ["13.13. at 9", "13/13/2027", "2027-13-01"])
def test_a_month_that_there_is_not_is_named(text):
    with pytest.raises(InvalidInput, match="There is no month 13"):
        read(text)


@pytest.mark.parametrize(
    ("text", "due", "note"),
    [
        ("at 3", "2026-12-01 15:00", "taken to be 15:00; say am"),
        ("at 4", "2026-12-01 16:00", "taken to be 16:00; say am"),
        ("today at 10:30", "2026-11-30 22:30", "taken to be 22:30; say am"),
        ("tomorrow at 3", "2026-12-01 15:00", "taken to be 15:00; say am"),
        ("half past 3 tomorrow", "2026-12-01 15:30", "taken to be 15:30; say am"),
        ("friday at 5", "2026-12-04 17:00", "taken to be 17:00; say am"),
        ("every day at 6", "2026-12-01 18:00", "taken to be 18:00; say am"),
        ("tonight", "2026-11-30 21:00", "no hour for that part of the day, so it is 21:00"),
        ("tomorrow evening", "2026-12-01 19:00", "no hour for that part of the day, so it is 19:00"),
        ("by friday", "2026-12-04 23:59", "The end of a day is taken to be 23:59"),
        ("eod", "2026-11-30 23:59", "The end of a day is taken to be 23:59"),
        ("next friday at 9", "2026-12-11 09:00", "the Friday of next week, 11 December 2026"),
        ("every 10 years", "2027-11-30 09:00", "The first one is on Tuesday, 30 November 2027"),
        ("every 400 days", "2026-12-01 09:00", "The first one is on Tuesday, 1 December 2026"),
    ],
)
def test_t237_what_was_assumed_is_said(text, due, note):
    when = read(text)
    assert when.local == datetime.fromisoformat(due)
    assert any(note in line.text for line in note_lines(when))


@pytest.mark.parametrize(
    "text",
    [
        "tomorrow at 3am",
        "tomorrow at 03:00",
        "tonight at 2",
        "next monday at 9",
        "friday next week at 9",
        "every 2 weeks on friday at 9",
    ],
)
def test_what_was_said_in_full_is_not_remarked_upon(text):
    assert read(text).notes == ()


@pytest.mark.parametrize("text", ["in 2 hours a second", "in 20 min a minute", "in 5 minutes 2 hours"])
def test_lengths_of_time_are_one_only_where_they_descend(text):
    assert read(text) is None
