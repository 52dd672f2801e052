"""Times as people type them, seen on a Monday at 11:00 in Berlin unless said otherwise."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from core.errors import InvalidInput, LimitExceeded
from core.limits import LIMITS
from core.timed.grammar import parse_when
from core.timed.instants import due_of
from core.timed.when import Note, Resolution
from tests.fakes.zones import BERLIN, wall_time, zone_of

NOW = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)


def at(text: str, zone: str = BERLIN) -> datetime:
    """An instant by its wall time."""
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


def read(text: str, now: datetime = NOW, zone: str = BERLIN):
    return parse_when(text, now, zone, zone_of)


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("in 5 minutes", "2026-11-30 11:05"),
        ("in 2h", "2026-11-30 13:00"),
        ("in 1h30m", "2026-11-30 12:30"),
        ("in 1 hour and 30 minutes", "2026-11-30 12:30"),
        ("in half an hour", "2026-11-30 11:30"),
        ("in a quarter of an hour", "2026-11-30 11:15"),
        ("in an hour and a half", "2026-11-30 12:30"),
        ("in two and a half hours", "2026-11-30 13:30"),
        ("in 1.5 hours", "2026-11-30 12:30"),
        ("in a couple of hours", "2026-11-30 13:00"),
        ("20 minutes from now", "2026-11-30 11:20"),
        ("10m", "2026-11-30 11:10"),
        ("in a week", "2026-12-07 11:00"),
        ("in a week's time", "2026-12-07 11:00"),
        ("in 3 days", "2026-12-03 11:00"),
        ("in 3 days at 9", "2026-12-03 09:00"),
        ("in 3 days in the evening", "2026-12-03 19:00"),
        ("in a fortnight", "2026-12-14 11:00"),
        ("in 2 months' time", "2027-01-30 11:00"),
        ("in half a year", "2027-05-30 11:00"),
        ("in 5 years", "2031-11-30 11:00"),
    ],
)
def test_a_length_of_time_is_counted_from_now(text, due):
    assert due_of(read(text), zone_of) == at(due)


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("tomorrow at 9", "2026-12-01 09:00"),
        ("9am tomorrow", "2026-12-01 09:00"),
        ("the day after tomorrow at noon", "2026-12-02 12:00"),
        ("tonight", "2026-11-30 21:00"),
        ("tonight at 9", "2026-11-30 21:00"),
        ("tonight at 2", "2026-12-01 02:00"),
        ("this evening", "2026-11-30 19:00"),
        ("tomorrow morning", "2026-12-01 09:00"),
        ("tomorrow afternoon", "2026-12-01 15:00"),
        ("tomorrow at 8 in the evening", "2026-12-01 20:00"),
        ("on friday at 9", "2026-12-04 09:00"),
        ("Friday, 9:30 pm", "2026-12-04 21:30"),
        ("this friday at 9", "2026-12-04 09:00"),
        ("next monday at 9", "2026-12-07 09:00"),
        ("next friday at 9", "2026-12-11 09:00"),
        ("friday next week at 9", "2026-12-11 09:00"),
        ("next week friday at 9", "2026-12-11 09:00"),
        ("at 9:30 pm", "2026-11-30 21:30"),
        ("9.30pm", "2026-11-30 21:30"),
        ("9 p.m.", "2026-11-30 21:00"),
        ("14:05", "2026-11-30 14:05"),
        ("at 1430", "2026-11-30 14:30"),
        ("12 noon", "2026-11-30 12:00"),
        ("at 12", "2026-11-30 12:00"),
        ("at 3", "2026-11-30 15:00"),
        ("half past nine tonight", "2026-11-30 21:30"),
        ("quarter to ten tomorrow", "2026-12-01 09:45"),
        ("ten past four", "2026-11-30 16:10"),
        ("tomorrow at nine thirty", "2026-12-01 09:30"),
        ("9 o'clock tomorrow", "2026-12-01 09:00"),
        ("24:00", "2026-12-01 00:00"),
        ("friday at midnight", "2026-12-05 00:00"),
        ("2026-12-04 09:00", "2026-12-04 09:00"),
        ("2026-12-04T09:00", "2026-12-04 09:00"),
        ("2026-12-04T09:00Z", "2026-12-04 10:00"),
        ("2026-12-04T09:00+05:00", "2026-12-04 05:00"),
        ("2026-12-04 09:00+05:30", "2026-12-04 04:30"),
        ("4 dec at 9", "2026-12-04 09:00"),
        ("dec 4th 9am", "2026-12-04 09:00"),
        ("December the 4th, 2026, at 9", "2026-12-04 09:00"),
        ("on the 4th of december at 9", "2026-12-04 09:00"),
        ("4 nov at 9", "2027-11-04 09:00"),
        ("Fri 4 Dec 2026 09:00 CET", "2026-12-04 09:00"),
        ("on the 15th at 9", "2026-12-15 09:00"),
        ("the 31st at 9", "2026-12-31 09:00"),
        ("the 15th of next month at 9", "2026-12-15 09:00"),
        ("15/12 at 9", "2026-12-15 09:00"),
        ("12/15/2026 at 9", "2026-12-15 09:00"),
        ("4.12.2026 at 9", "2026-12-04 09:00"),
        ("29 feb at 9", "2028-02-29 09:00"),
        ("end of day", "2026-11-30 23:59"),
        ("eod", "2026-11-30 23:59"),
        ("end of the week", "2026-12-06 23:59"),
        ("end of next month", "2026-12-31 23:59"),
        ("by the end of next month at 5pm", "2026-12-31 17:00"),
        ("end of the quarter", "2026-12-31 23:59"),
        ("end of next quarter", "2027-03-31 23:59"),
        ("end of the year", "2026-12-31 23:59"),
        ("end of february", "2027-02-28 23:59"),
        ("by friday", "2026-12-04 23:59"),
        ("last day of July at 9", "2027-07-31 09:00"),
        ("first monday of june at 9", "2027-06-07 09:00"),
        ("the last friday of this month at 9 pm", None),
        ("at 9 UTC+2 tomorrow", "2026-12-01 08:00"),
        ("tomorrow at 9 America/New_York", "2026-12-01 15:00"),
        ("tomorrow at 9 america/new_york", "2026-12-01 15:00"),
        ("3pm EST", "2026-11-30 21:00"),
        ("3pm est", "2026-11-30 21:00"),
        ("3pm BST", "2026-11-30 16:00"),
        ("12pm ET", "2026-11-30 18:00"),
    ],
)
def test_a_time_is_read_as_people_mean_it(text, due):
    if due is None:
        with pytest.raises(InvalidInput, match="is past"):
            read(text)
    else:
        assert due_of(read(text), zone_of) == at(due)


@pytest.mark.parametrize(
    "text",
    ["", "  ", "purple", "in purple", "9", "5 apples", "call Dana", "at", "on", "the", "in", "every", "every purple",
     "dec", "tomorrow purple", "at 9 and", "15th", "twice", "until friday", "in 5", '"tomorrow"', "at 9 Mars/Phobos",
     "9:30x", "2026-12-04Tpurple", "12 apples at 9", "next", "an hour", "'at 9'"],
)  # fmt: skip
def test_what_is_no_time_is_left_alone(text):
    assert read(text) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("31 april", "April has no day 31"),
        ("april 31st 2027", "April 2027 has no day 31"),
        ("30 feb", "February has no day 30"),
        ("29 feb 2027", "February 2027 has no day 29"),
        ("the 32nd", "No month has a day 32"),
        ("2026-13-01", "There is no month 13"),
        ("13/13/2027", "There is no month 13"),
        ("25:00", "No clock shows 25:00"),
        ("at 9:75", "No clock shows 9:75"),
        ("13pm", "No clock shows 13:00pm"),
        ("0am", "No clock shows 0:00am"),
        ("yesterday", "Sun 29 Nov 2026 09:00 CET is past"),
        ("last friday", "Fri 27 Nov 2026 09:00 CET is past"),
        ("5 minutes ago", "Mon 30 Nov 2026 10:55 CET is past"),
        ("2025-01-01", "Wed 1 Jan 2025 09:00 CET is past"),
        ("4 nov 2026", "is past"),
        ("today", "09:00 CET is past"),
        ("this morning", "09:00 CET is past"),
        ("in 0 minutes", "no time ahead"),
        ("in 6 years", "too far"),
        ("in 999999 years", "too far"),
        ("in 999999 months", "too far"),
        ("in 999999 weeks", "too far"),
        ("2999-01-01", "too far"),
        ("4/12", "can be 4 December or 12 April"),
        ("0/1", "No month has a day 0"),
        ("00/12/2026 at 9", "No month has a day 0"),
        ("0/15", "No month has a day 0"),
        ("15/0", "No month has a day 0"),
        ("Mon 4 Dec 2026", "4 December 2026 is a Friday"),
        ("tomorrow friday", "more than one time"),
        ("at 9 at 10", "more than one time"),
        ("in 2 hours at 9", "more than one time"),
        ("monday and thursday at 9", "several days"),
        ("fifth monday of february", "no such day number 5"),
        ("every 0 days", "every 0 days"),
        ("every 4 minutes", "too often"),
        ("every minute", "too often"),
        ("every 30 seconds", "too often"),
        ("every second friday", "every other week, or the second"),
        ("every month on friday", "do not go together"),
        ("every year on the 15th", "do not go together"),
        ("every month on friday the 13th", "do not go together"),
        ("every month at the end of june", "do not go together"),
        ("every day until yesterday", "end before it begins"),
        ("every day at 9 0 times", "no time ahead"),
        ("every monday night at 1", "not clear on which day"),
        ("every day at 9 +05:30", "needs a region"),
        ("at 9 Europe/Atlantis", "no time zone Europe/Atlantis"),
    ],
)
def test_a_time_that_cannot_be_is_refused_with_what_and_what_next(text, words):
    with pytest.raises(InvalidInput) as refused:
        read(text)
    assert words in refused.value.sentence
    assert refused.value.hint


@pytest.mark.parametrize(
    ("text", "first", "rule"),
    [
        ("every day at 9", "2026-12-01 09:00", "FREQ=DAILY"),
        ("daily at noon", "2026-11-30 12:00", "FREQ=DAILY"),
        ("every morning", "2026-12-01 09:00", "FREQ=DAILY"),
        ("every night at 10", "2026-11-30 22:00", "FREQ=DAILY"),
        ("every day at midnight", "2026-12-01 00:00", "FREQ=DAILY"),
        ("every 2 days at 9", "2026-12-01 09:00", "FREQ=DAILY;INTERVAL=2"),
        ("every second day at 9", "2026-12-01 09:00", "FREQ=DAILY;INTERVAL=2"),
        ("every weekday at 9:30", "2026-12-01 09:30", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ("every working day at 9:30", "2026-12-01 09:30", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ("on weekdays at 9:30", "2026-12-01 09:30", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ("every weekend at 9", "2026-12-05 09:00", "FREQ=WEEKLY;BYDAY=SA,SU"),
        ("weekly on friday at 15:00", "2026-12-04 15:00", "FREQ=WEEKLY;BYDAY=FR"),
        ("every monday and thursday at 9", "2026-12-03 09:00", "FREQ=WEEKLY;BYDAY=MO,TH"),
        ("every mon, wed and fri at 9", "2026-12-02 09:00", "FREQ=WEEKLY;BYDAY=MO,WE,FR"),
        ("on mondays at 9", "2026-12-07 09:00", "FREQ=WEEKLY;BYDAY=MO"),
        ("every 2 weeks on tuesday at 9", "2026-12-01 09:00", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"),
        ("every other tuesday at 9", "2026-12-01 09:00", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"),
        ("fortnightly on friday at 9", "2026-12-04 09:00", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR"),
        ("once a week at 9", "2026-12-07 09:00", "FREQ=WEEKLY;BYDAY=MO"),
        ("weekly at 9", "2026-12-07 09:00", "FREQ=WEEKLY;BYDAY=MO"),
        ("every month on the 15th at 9", "2026-12-15 09:00", "FREQ=MONTHLY;BYMONTHDAY=15"),
        ("on the 15th of every month at 9", "2026-12-15 09:00", "FREQ=MONTHLY;BYMONTHDAY=15"),
        ("every 15th at 9", "2026-12-15 09:00", "FREQ=MONTHLY;BYMONTHDAY=15"),
        ("monthly on the last day at 9", "2026-12-31 09:00", "FREQ=MONTHLY;BYMONTHDAY=-1"),
        ("at the end of every month", "2026-11-30 23:59", "FREQ=MONTHLY;BYMONTHDAY=-1"),
        ("every month on the 31st at 9", "2026-12-31 09:00", "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1"),
        ("every month on the 30th at 9", "2026-12-30 09:00", "FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1"),
        ("every month on the 29th at 9", "2026-12-29 09:00", "FREQ=MONTHLY;BYMONTHDAY=28,29;BYSETPOS=-1"),
        ("on the last friday of every month at 9", "2026-12-25 09:00", "FREQ=MONTHLY;BYDAY=-1FR"),
        ("every last friday of the month at 9", "2026-12-25 09:00", "FREQ=MONTHLY;BYDAY=-1FR"),
        ("on the first monday of each month at 9", "2026-12-07 09:00", "FREQ=MONTHLY;BYDAY=1MO"),
        ("every month on the last weekday at 9", "2026-12-31 09:00",
         "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"),
        ("every quarter on the 1st at 9", "2026-12-01 09:00", "FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=1"),
        ("every year on 4 dec at 9", "2026-12-04 09:00", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=4"),
        ("yearly on dec 4 at 9", "2026-12-04 09:00", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=4"),
        ("every 29 feb at 9", "2027-02-28 09:00", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1"),
        ("every 3 hours", "2026-11-30 14:00", "FREQ=HOURLY;INTERVAL=3"),
        ("every 30 minutes", "2026-11-30 11:30", "FREQ=MINUTELY;INTERVAL=30"),
        ("every 5min", "2026-11-30 11:05", "FREQ=MINUTELY;INTERVAL=5"),
        ("every 3 hours starting at 9", "2026-12-01 09:00", "FREQ=HOURLY;INTERVAL=3"),
        ("every day at 9 until 31 december", "2026-12-01 09:00", "FREQ=DAILY;UNTIL=20261231T235959"),
        ("every day at 9 for 5 times", "2026-12-01 09:00", "FREQ=DAILY;COUNT=5"),
        ("every day at 9 for 2 weeks", "2026-12-01 09:00", "FREQ=DAILY;UNTIL=20261214T235959"),
        ("every day at 9 starting on friday", "2026-12-04 09:00", "FREQ=DAILY"),
    ],
)  # fmt: skip
def test_what_repeats_is_written_as_a_rule(text, first, rule):
    when = read(text)
    assert (when.local, when.rule) == (datetime.fromisoformat(first), rule)


@pytest.mark.parametrize(
    ("text", "resolution", "notes"),
    [
        ("in 5 minutes", Resolution.EXACT, ()),
        ("every 3 hours", Resolution.EXACT, ()),
        ("in 3 days", Resolution.MINUTE, ()),
        ("tomorrow at 9", Resolution.MINUTE, ()),
        ("tomorrow", Resolution.DAY, (Note.DEFAULT_HOUR,)),
        ("every monday", Resolution.DAY, (Note.DEFAULT_HOUR,)),
        ("at 9", Resolution.MINUTE, (Note.NEXT_DAY,)),
        ("on monday at 9", Resolution.MINUTE, (Note.NEXT_DAY,)),
        ("today at 9", Resolution.MINUTE, (Note.AFTERNOON,)),
        ("midnight", Resolution.MINUTE, ()),
        ("3pm EDT", Resolution.MINUTE, (Note.ZONE_RULES,)),
        ("3pm EST", Resolution.MINUTE, ()),
        ("3pm ET", Resolution.MINUTE, ()),
        ("every month on the 31st at 9", Resolution.MINUTE, (Note.SHORT_MONTH,)),
        ("28 march 2027 at 2:30", Resolution.MINUTE, (Note.LOST_HOUR,)),
        ("31 october 2027 at 2:30", Resolution.MINUTE, (Note.DOUBLED_HOUR,)),
    ],
)
def test_what_was_left_open_or_surprises_is_noted(text, resolution, notes):
    when = read(text)
    assert (when.resolution, when.notes) == (resolution, notes)


def test_the_default_hour_is_the_callers():
    assert parse_when("tomorrow", NOW, BERLIN, zone_of, time(8, 15)).local == wall_time(2026, 12, 1, 8, 15)


def test_a_time_is_five_years_ahead_at_most():
    last = (NOW + LIMITS.due_ahead).strftime("%Y-%m-%d %H:%M UTC")
    assert due_of(read(last), zone_of) == NOW + LIMITS.due_ahead
    beyond = (NOW + LIMITS.due_ahead + timedelta(minutes=1)).strftime("%Y-%m-%d %H:%M UTC")
    with pytest.raises(LimitExceeded, match="too far"):
        read(beyond)


def test_a_rule_repeats_after_five_minutes_at_least_and_a_thousand_times_at_most():
    assert read(f"every {LIMITS.repeat_gap.total_seconds():.0f} seconds").rule == "FREQ=SECONDLY;INTERVAL=300"
    with pytest.raises(LimitExceeded, match="too often"):
        read(f"every {LIMITS.repeat_gap.total_seconds() - 1:.0f} seconds")
    assert read(f"every day at 9 for {LIMITS.repeat_count} times").rule == f"FREQ=DAILY;COUNT={LIMITS.repeat_count}"
    with pytest.raises(LimitExceeded, match="too many"):
        read(f"every day at 9 for {LIMITS.repeat_count + 1} times")


def test_a_text_beyond_the_bounds_is_no_time():
    assert read("tomorrow at 9" + " " * (LIMITS.when_chars - 13))
    assert read("tomorrow at 9" + " " * (LIMITS.when_chars - 12)) is None
    with pytest.raises(InvalidInput, match="more than one"):
        read(" ".join(["today"] * LIMITS.when_words))
    assert read(" ".join(["today"] * (LIMITS.when_words + 1))) is None


@pytest.mark.parametrize("zone", ["America/Chicago", "Asia/Kolkata"])
def test_an_abbreviation_of_the_speakers_own_zone_is_theirs(zone):
    name = {"America/Chicago": "CST", "Asia/Kolkata": "IST"}[zone]
    assert read(f"tomorrow at 9 {name}", zone=zone).zone == zone


@pytest.mark.parametrize("name", ["IST", "CST", "MST", "AST", "AEST"])
def test_an_abbreviation_of_several_regions_is_asked_about(name):
    with pytest.raises(InvalidInput) as refused:
        read(f"tomorrow at 9 {name}")
    assert refused.value.sentence.count("/") >= 2
    assert "Which one?" in refused.value.hint


def test_the_second_of_a_doubled_hour_is_taken_when_the_first_is_past():
    now = datetime(2026, 10, 25, 1, 10, tzinfo=UTC)  # 02:10 for the second time
    when = read("today at 2:30", now)
    assert when.local.fold == 1
    assert due_of(when, zone_of) == datetime(2026, 10, 25, 1, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("now", "text", "due"),
    [
        ("2026-12-31 22:00", "tomorrow at 9", "2027-01-01 09:00"),
        ("2026-12-31 22:00", "in 3 hours", "2027-01-01 01:00"),
        ("2026-12-31 22:00", "1 jan at 9", "2027-01-01 09:00"),
        ("2026-12-31 22:00", "end of the year", "2026-12-31 23:59"),
        ("2026-12-31 22:00", "end of next week", "2027-01-10 23:59"),
        ("2027-12-30 10:00", "in 2 months", "2028-02-29 10:00"),
        ("2027-01-31 10:00", "in 1 month", "2027-02-28 10:00"),
        ("2028-01-31 10:00", "in 1 month", "2028-02-29 10:00"),
        ("2028-02-29 10:00", "in 1 year", "2029-02-28 10:00"),
        ("2027-04-30 10:00", "the 31st at 9", "2027-05-31 09:00"),
        ("2027-02-01 10:00", "the 30th at 9", "2027-03-30 09:00"),
    ],
)  # fmt: skip
def test_months_and_years_end_where_the_calendar_ends_them(now, text, due):
    assert due_of(read(text, at(now)), zone_of) == at(due)
