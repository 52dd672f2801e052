"""Quiet hours: how they are read, and when they end, across midnight and both changes of the clock."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from core.errors import InvalidInput
from core.services.context import only_utc
from core.settings import QuietHours, Setting, quiet_hours, quiet_until, read

BERLIN = ZoneInfo("Europe/Berlin")
NIGHT = QuietHours(time(22), time(7))
SECOND = timedelta(seconds=1)


def utc(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("22:00-07:00", "22:00-07:00"),
        (" 9:30 – 17:05 ", "09:30-17:05"),
        ("00:00-23:59", "00:00-23:59"),
        ("OFF", "off"),
        ("none", "off"),
    ],
)
def test_quiet_hours_are_read_and_stored_in_one_form(text, stored):
    assert read("quiet_hours", text) == (Setting.QUIET_HOURS, stored)
    assert read("quiet_hours", stored) == (Setting.QUIET_HOURS, stored)


@pytest.mark.parametrize(
    "text", ["night", "22-7", "22:00", "24:00-07:00", "22:60-07:00", "22:00-07:00-08:00", "٢٢:٠٠-٠٧:٠٠", "", "on"]
)
def test_what_are_no_quiet_hours_is_refused_with_an_example(text):
    with pytest.raises(InvalidInput) as refused:
        quiet_hours(text)
    assert "22:00-07:00" in refused.value.hint


def test_equal_ends_are_refused():
    with pytest.raises(InvalidInput, match="begin and end at the same time"):
        quiet_hours("07:00-07:00")


def test_no_quiet_hours_never_hold():
    assert quiet_until(None, utc("2026-11-30 03:00"), UTC) is None


@pytest.mark.parametrize(
    ("now", "end"),
    [
        ("2026-11-30 21:59:59.999999", None),
        ("2026-11-30 22:00", "2026-12-01 07:00"),
        ("2026-12-01 00:00", "2026-12-01 07:00"),
        ("2026-12-01 06:59:59.999999", "2026-12-01 07:00"),
        ("2026-12-01 07:00", None),
    ],
)
def test_a_night_begins_and_ends_at_its_instants(now, end):
    assert quiet_until(NIGHT, utc(now), UTC) == (utc(end) if end else None)


@pytest.mark.parametrize(
    ("now", "end"),
    [("2026-11-30 11:59:59", None), ("2026-11-30 12:00", "2026-11-30 14:00"), ("2026-11-30 14:00", None)],
)
def test_hours_within_a_day_hold_too(now, end):
    assert quiet_until(QuietHours(time(12), time(14)), utc(now), UTC) == (utc(end) if end else None)


def test_they_run_in_the_zone_of_the_space():
    assert quiet_until(NIGHT, utc("2026-11-30 21:00"), BERLIN) == utc("2026-12-01 06:00")
    assert quiet_until(NIGHT, utc("2026-07-01 20:00"), BERLIN) == utc("2026-07-02 05:00")
    assert quiet_until(NIGHT, utc("2026-11-30 06:30"), BERLIN) is None


def test_a_night_in_which_the_clock_is_put_forward_is_an_hour_shorter():
    assert quiet_until(NIGHT, utc("2026-03-28 21:00"), BERLIN) == utc("2026-03-29 05:00")


def test_a_night_in_which_the_clock_is_put_back_is_an_hour_longer():
    assert quiet_until(NIGHT, utc("2026-10-24 20:00"), BERLIN) == utc("2026-10-25 06:00")


def test_an_end_that_the_clock_leaves_out_is_the_instant_of_the_change():
    hours, change = QuietHours(time(22), time(2, 30)), utc("2026-03-29 01:00")
    assert quiet_until(hours, change - SECOND, BERLIN) == change
    assert quiet_until(hours, change, BERLIN) is None


def test_a_start_that_the_clock_leaves_out_is_the_instant_of_the_change():
    hours, change = QuietHours(time(2, 30), time(6)), utc("2026-03-29 01:00")
    assert quiet_until(hours, change - SECOND, BERLIN) is None
    assert quiet_until(hours, change, BERLIN) == utc("2026-03-29 04:00")


def test_an_end_that_comes_twice_ends_them_the_first_time():
    hours = QuietHours(time(22), time(2, 30))
    first, again = utc("2026-10-25 00:30"), utc("2026-10-25 01:10")
    assert quiet_until(hours, first - SECOND, BERLIN) == first
    assert quiet_until(hours, first, BERLIN) is None
    assert quiet_until(hours, again, BERLIN) is None, "02:10 for the second time"


def test_a_start_that_comes_twice_begins_them_the_first_time():
    hours, first = QuietHours(time(2, 30), time(6)), utc("2026-10-25 00:30")
    assert quiet_until(hours, first - SECOND, BERLIN) is None
    for minutes in (0, 35, 60):
        assert quiet_until(hours, first + timedelta(minutes=minutes), BERLIN) == utc("2026-10-25 05:00")


def test_every_instant_of_a_year_agrees_with_the_wall_clock_away_from_the_changes():
    now = utc("2026-01-01 00:00")
    while now < utc("2027-01-01 00:00"):
        wall = now.astimezone(BERLIN).time()
        found = quiet_until(NIGHT, now, BERLIN)
        assert (found is not None) == (wall >= time(22) or wall < time(7))
        assert found is None or (found > now and found.astimezone(BERLIN).time() == time(7))
        now += timedelta(minutes=47)


def test_core_knows_no_zone_but_utc():
    assert only_utc("UTC") is UTC
    with pytest.raises(KeyError):
        only_utc("Europe/Berlin")
