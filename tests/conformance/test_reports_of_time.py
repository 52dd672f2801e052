"""What was reported of other bots' clocks, calendars and time zones: each row is a test that bears its id."""

import os
import time
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from adapters.dates.fallback import DateparserReader
from core.errors import InvalidInput
from core.timed.asked import parse_remind
from core.timed.grammar import parse_when
from core.timed.instants import due_of, next_due
from core.timed.when import Note, Resolution
from core.wording.whens import note_lines, when_line
from tests.fakes.zones import BERLIN, RULES, wall_time, zone_of


def local(text: str, zone: str = BERLIN) -> datetime:
    """The instant of a wall time."""
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


def read(text: str, now: datetime, zone: str = BERLIN):
    return parse_when(text, now, zone, zone_of)


def due(text: str, now: datetime, zone: str = BERLIN) -> datetime:
    return due_of(read(text, now, zone), zone_of)


def occurrences(text: str, now: datetime, count: int, zone: str = BERLIN) -> list[datetime]:
    """Aware times in `zone` of the next occurrences."""
    when, after, found = read(text, now, zone), now, []
    for _ in range(count):
        _, after = next_due(when, RULES, zone_of, after)
        found.append(after.astimezone(ZoneInfo(zone)))
    return found


def test_t143_a_time_that_is_none_is_refused_and_the_next_one_works():
    now = local("2026-11-30 11:00")
    for text in ("in purple", "remind in purple", "me in purple to call Dana"):
        with pytest.raises(InvalidInput, match="No time was found"):
            parse_remind(text, now, BERLIN, zone_of, DateparserReader())
    assert parse_remind("tomorrow at 9 call Dana", now, BERLIN, zone_of).text == "call Dana"


@pytest.mark.parametrize("now", ["2024-10-25 10:00", "2027-03-26 10:00"])
def test_t221_a_daily_reminder_keeps_its_wall_time_over_a_clock_change(now):
    found = occurrences("daily at 09:00", local(now), 4)
    assert {f"{one:%H:%M}" for one in found} == {"09:00"}
    assert len({one.utcoffset() for one in found}) == 2
    assert [one.date() for one in found] == [found[0].date() + timedelta(days=number) for number in range(4)]


def test_t223_a_time_that_does_not_exist_is_the_next_valid_one_and_that_is_said():
    now = local("2027-03-20 10:00")
    when = read("28 march 2027 at 2:30", now)
    assert due_of(when, zone_of) == local("2027-03-28 03:00")
    assert Note.LOST_HOUR in when.notes
    assert "put forward over 02:30" in note_lines(when)[0].text
    assert when_line(when, due_of(when, zone_of), ZoneInfo(BERLIN), now).text == "Sun 28 Mar 2027 03:00 CEST"


@pytest.mark.parametrize(
    ("zone", "now"),
    [
        ("Europe/Berlin", "2026-10-22 10:00"),
        ("Europe/Berlin", "2027-03-25 10:00"),
        ("Asia/Beirut", "2027-03-25 10:00"),
        ("America/Havana", "2026-10-29 10:00"),
    ],
)
def test_t225_a_reminder_in_the_night_of_the_change_comes_each_day_once_however_late_it_is_asked(zone, now):
    when, after, dates = read("daily at 00:30", local(now, zone), zone), local(now, zone), []
    for _ in range(7):
        _, found = next_due(when, RULES, zone_of, after)
        dates.append(found.astimezone(ZoneInfo(zone)).date())
        after = found + timedelta(seconds=5)  # whoever wakes late asks with the time of waking
    assert dates == [dates[0] + timedelta(days=number) for number in range(7)]


def test_t227_a_reminder_in_the_skipped_hour_runs_once_at_its_end():
    found = occurrences("daily at 02:15", local("2027-03-27 01:00"), 3)
    assert [f"{one:%d %H:%M}" for one in found] == ["27 02:15", "28 03:00", "29 02:15"]


def test_t229_a_day_without_an_hour_has_the_default_hour_and_past_times_are_refused():
    now = local("2026-11-30 11:00")
    when = read("on Sunday", now)
    assert (when.local, when.resolution, when.notes) == (
        wall_time(2026, 12, 6, 9),
        Resolution.DAY,
        (Note.DEFAULT_HOUR,),
    )
    assert note_lines(when)[0].text == "You named no hour, so it is 09:00."
    with pytest.raises(InvalidInput, match="is past"):
        read("29 nov 2026", now)


@pytest.mark.parametrize(("zone", "day"), [(BERLIN, "2026-12-01"), ("America/Los_Angeles", "2026-12-01")])
def test_t231_midnight_is_the_coming_one_in_the_persons_zone(zone, day):
    assert due("midnight", local("2026-11-30 20:00", zone), zone) == local(f"{day} 00:00", zone)


def test_t231_an_hour_that_is_past_in_utc_but_not_for_the_person_is_todays():
    now = local("2026-11-30 14:00", "America/Los_Angeles")
    assert due("at 15:00", now, "America/Los_Angeles") == local("2026-11-30 15:00", "America/Los_Angeles")


@pytest.mark.parametrize("text", ["before end of Nov", "before the end of Nov", "before the end of the month"])
def test_t233_the_end_of_a_month_is_its_last_day(text):
    assert due(text, local("2026-11-03 10:00")) == local("2026-11-30 23:59")


@pytest.mark.parametrize(("year", "day"), [(2027, 28), (2028, 29)])
def test_t235_a_month_from_the_31st_is_the_last_of_february(year, day):
    when = read("in 1 month", local(f"{year}-01-31 10:00"))
    assert (when.local, when.notes) == (wall_time(year, 2, day, 10), (Note.SHORT_MONTH,))


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("every month on the 31st at 9", ["31 Jan", "28 Feb", "31 Mar", "30 Apr"]),
        ("every month on the 30th at 9", ["30 Jan", "28 Feb", "30 Mar", "30 Apr"]),
    ],
)
def test_t235_what_repeats_monthly_keeps_the_end_of_the_month(text, days):
    found = occurrences(text, local("2027-01-05 10:00"), 4)
    assert [f"{one:%d %b}" for one in found] == days


def test_t237_an_hour_of_today_whose_morning_is_past_is_this_afternoons():
    assert due("today at 2:15", local("2026-11-30 14:05")) == local("2026-11-30 14:15")
    assert due("today at 3:15", local("2026-11-30 15:05")) == local("2026-11-30 15:15")
    with pytest.raises(InvalidInput, match="is past"):
        read("today at 2:15", local("2026-11-30 14:20"))


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("by end of June", "2026-06-30 23:59"),
        ("by the end of the month", "2026-05-31 23:59"),
        ("end of the month", "2026-05-31 23:59"),
        ("end of July", "2026-07-31 23:59"),
        ("last day of July", "2026-07-31 09:00"),
    ],
)
def test_t239_the_end_of_a_month_is_found_however_it_is_said(text, end):
    assert due(text, local("2026-05-12 10:00")) == local(end)


def test_t241_an_abbreviation_in_summer_takes_the_rules_of_its_region_and_says_so():
    when = read("3pm EST", local("2026-07-10 10:00"))
    assert (when.zone, when.notes) == ("America/New_York", (Note.ZONE_RULES,))
    assert due_of(when, zone_of) == datetime(2026, 7, 10, 19, tzinfo=UTC)
    assert "America/New_York" in note_lines(when)[0].text
    assert read("3pm EST", local("2026-12-10 10:00")).notes == ()


@pytest.fixture(params=["UTC", "Asia/Tokyo", "America/Chicago"])
def host_zone(request, monkeypatch):
    """The zone of the machine."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    monkeypatch.undo()
    time.tzset()


def test_t243_the_zone_of_the_machine_changes_nothing(host_zone):
    assert os.environ["TZ"] == host_zone
    now = datetime(2026, 11, 30, 3, 59, 58, 123456, tzinfo=UTC)
    when = read("in 5 minutes", now, "America/Chicago")
    assert due_of(when, zone_of) == now + timedelta(minutes=5)
    assert due_of(when, zone_of).tzinfo is UTC
    assert when.local.tzinfo is None
    assert (when.local, when.zone) == (wall_time(2026, 11, 29, 22, 4, 58, 123456), "America/Chicago")
    assert due("tomorrow at 9", now, "America/Chicago") == datetime(2026, 11, 30, 15, tzinfo=UTC)
    found = DateparserReader().read("in 3 Stunden", wall_time(2026, 11, 29, 21, 59), "de")
    assert found == wall_time(2026, 11, 30, 0, 59)
