"""Lengths of time and instants: as people type them, and back."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InvalidInput
from core.standing.durations import (
    Moment,
    looks_like_moment,
    parse_duration,
    parse_moment,
    show_dated,
    show_day,
    show_duration,
    show_moment,
    show_soon,
)

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)  # a Monday


@pytest.mark.parametrize(
    "text, seconds",
    [
        ("24h", 86_400),
        ("90d", 90 * 86_400),
        ("2 weeks", 14 * 86_400),
        ("0s", 0),
        ("0", 0),
        ("1h30m", 5_400),
        ("1 h 30 min", 5_400),
        ("1 hour and 30 minutes", 5_400),
        ("an hour", 3_600),
        ("two weeks", 14 * 86_400),
        (" 3  DAYS ", 3 * 86_400),
        ("1 month", 30 * 86_400),
        ("1y", 365 * 86_400),
    ],
)
def test_a_length_of_time_is_read(text, seconds):
    assert parse_duration(text) == timedelta(seconds=seconds)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "-1",
        "-1h",
        "−1h",
        "+1h",
        "h",
        "1.5h",
        "1x",
        "soon",
        "1h later",
        "٣h",
        "1" * 10 + "h",
        "1h" * 40,
    ],
)
def test_what_is_no_length_of_time_is_refused_with_an_example(text):
    with pytest.raises(InvalidInput) as caught:
        parse_duration(text)
    assert "2h" in caught.value.hint


def test_a_number_alone_is_asked_for_its_unit():
    with pytest.raises(InvalidInput) as caught:
        parse_duration(" 90 ")
    assert str(caught.value) == "“90” has no unit. Write for example 90s, 90min, 90h or 90d."


def test_a_length_beyond_the_calendar_is_refused():
    with pytest.raises(InvalidInput):
        parse_duration("999999999y")


@given(st.integers(0, 10**9))
def test_what_is_shown_is_read_back(seconds):
    length = timedelta(seconds=seconds)
    assert parse_duration(show_duration(length)) == length


@pytest.mark.parametrize(
    "length, shown",
    [
        (timedelta(hours=24), "24 h"),
        (timedelta(days=90), "90 days"),
        (timedelta(hours=2), "2 h"),
        (timedelta(minutes=90), "1 h 30 min"),
        (timedelta(0), "0 s"),
        (timedelta(days=1, hours=1), "1 day 1 h"),
    ],
)
def test_lengths_are_shown_shortly(length, shown):
    assert show_duration(length) == shown


@pytest.mark.parametrize(
    "text, moment",
    [
        ("2027-01-31", datetime(2027, 1, 31, 22, 59, tzinfo=UTC)),
        ("2027-01-31 10:00", datetime(2027, 1, 31, 9, 0, tzinfo=UTC)),
        ("2027-01-31T10:00", datetime(2027, 1, 31, 9, 0, tzinfo=UTC)),
        ("2027-01-31T10:00Z", datetime(2027, 1, 31, 10, 0, tzinfo=UTC)),
        ("2027-01-31t10:00+05:00", datetime(2027, 1, 31, 5, 0, tzinfo=UTC)),
        ("2027-07-31 10:00", datetime(2027, 7, 31, 8, 0, tzinfo=UTC)),
    ],
)
def test_a_date_is_read_in_the_readers_zone_and_means_the_whole_day(text, moment):
    assert looks_like_moment(text)
    assert parse_moment(text, BERLIN) == moment


@pytest.mark.parametrize("text", ["2027-02-30", "2027-13-01", "0001-01-01T00:00+14:00", "31.1.2027", "2027-01-31x", ""])
def test_what_is_no_date_is_refused(text):
    with pytest.raises(InvalidInput):
        parse_moment(text, BERLIN)


def test_a_full_time_names_weekday_year_and_zone():
    assert show_moment(datetime(2027, 3, 1, 10, 0, tzinfo=UTC), UTC) == "Mon 1 Mar 2027 10:00 UTC"
    assert show_moment(datetime(2027, 3, 1, 10, 0, tzinfo=UTC), BERLIN) == "Mon 1 Mar 2027 11:00 CET"


@pytest.mark.parametrize(
    "moment, shown",
    [
        (NOW + timedelta(hours=28, minutes=5), "Tue 14:05"),
        (NOW + timedelta(days=6), "Sun 10:00"),
        (NOW + timedelta(days=7), "Mon 7 Dec 10:00"),
        (NOW - timedelta(days=3), "Fri 10:00"),
        (NOW + timedelta(days=90), "Sun 28 Feb 2027 10:00"),
    ],
)
def test_a_near_time_is_shown_by_its_weekday_alone(moment, shown):
    assert show_soon(moment, NOW, UTC) == shown


def test_the_ends_of_the_calendar_can_be_shown():
    for moment in (datetime.max.replace(tzinfo=UTC), datetime.min.replace(tzinfo=UTC)):
        for zone in (BERLIN, ZoneInfo("America/New_York")):
            assert show_moment(moment, zone)
            assert show_soon(moment, NOW, zone)


# times that know their instant

AT = datetime(2027, 3, 1, 10, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("shown", "full"),
    [
        (show_moment(AT, BERLIN), True),
        (show_soon(AT, NOW, BERLIN), False),
        (show_soon(AT, AT, BERLIN), False),
        (show_dated(AT, NOW, BERLIN), False),
    ],
)
def test_a_time_in_words_knows_its_instant_whatever_the_zone(shown, full):
    assert (shown.at, shown.full) == (AT, full)


def test_a_time_is_a_text_like_any_other():
    made = show_moment(AT, UTC)
    assert isinstance(made, str)
    assert made == "Mon 1 Mar 2027 10:00 UTC"
    assert f"due {made}" == "due Mon 1 Mar 2027 10:00 UTC"
    assert {made: 1}["Mon 1 Mar 2027 10:00 UTC"] == 1
    assert Moment("x", AT, full=False) == "x"


def test_a_part_of_a_time_is_no_time_any_more():
    made = show_moment(AT, UTC)
    assert not any(isinstance(part, Moment) for part in (made[:3], made.upper(), made + "", f"{made}"))


def test_a_day_alone_is_no_instant():
    assert not isinstance(show_day(AT), Moment)
