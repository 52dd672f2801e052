"""Deadlines as people say them."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from core.errors import InvalidInput, LimitExceeded
from core.goals.deadlines import read_deadline
from core.limits import LIMITS
from core.timed.instants import due_of
from core.timed.when import Note
from tests.builders import NOW


class Reader:
    """A library of dates that knows one word."""

    def read(self, text, now, language):
        return datetime.fromisoformat("2026-12-02T09:00") if text == "übermorgen" and language == "de" else None


def read(text, zone="UTC", reader=None, language="en"):
    return read_deadline(text, NOW, zone, ZoneInfo, reader, language)


@pytest.mark.parametrize(
    ("text", "local"),
    [
        ("friday", "2026-12-04T23:59:59"),
        ("tomorrow", "2026-12-01T23:59:59"),
        ("2027-01-31", "2027-01-31T23:59:59"),
        ("by friday", "2026-12-04T23:59:00"),
        ("friday 17:00", "2026-12-04T17:00:00"),
        ("tomorrow at 9", "2026-12-01T09:00:00"),
        ("in 2 weeks", "2026-12-14T10:00:00"),
    ],
)
def test_a_day_without_an_hour_is_the_end_of_that_day(text, local):
    assert read(text).local.replace(fold=0).isoformat() == local


def test_it_is_the_end_of_the_day_where_it_was_said():
    when = read("friday", "America/New_York")
    assert due_of(when, ZoneInfo) == datetime(2026, 12, 5, 4, 59, 59, tzinfo=UTC)
    assert Note.DEFAULT_HOUR in when.notes


def test_what_a_library_reads_is_marked_as_a_guess():
    when = read("übermorgen", reader=Reader(), language="de")
    assert Note.GUESSED in when.notes and when.local.day == 2


@pytest.mark.parametrize("text", ["soonish", "übermorgen", "x" * (LIMITS.when_chars + 1), ""])
def test_what_nobody_can_read_is_refused_by_name(text):
    with pytest.raises(InvalidInput) as caught:
        read(text, reader=Reader())
    assert text[:40] in caught.value.sentence and "--due friday" in caught.value.hint


def test_a_guess_beyond_the_bound_of_the_library_is_not_tried():
    class Everything(Reader):
        def read(self, text, now, language):
            return now + timedelta(days=1)

    assert read("q" * LIMITS.reader_chars, reader=Everything())
    with pytest.raises(InvalidInput):
        read("q" * (LIMITS.reader_chars + 1), reader=Everything())


def test_the_past_and_what_is_too_far_are_refused():
    with pytest.raises(InvalidInput):
        read("2020-01-01")
    with pytest.raises(LimitExceeded):
        read("in 40 years")


def test_a_guess_in_the_past_is_refused():
    class Past(Reader):
        def read(self, text, now, language):
            return now - timedelta(days=1)

    with pytest.raises(InvalidInput):
        read("gestern", reader=Past())
