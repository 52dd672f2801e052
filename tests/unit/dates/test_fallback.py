"""What dateparser is let read, and what it is not."""

from datetime import datetime, time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.dates.fallback import DateparserReader
from core.limits import LIMITS
from tests.fakes.zones import wall_time

NOW = wall_time(2026, 11, 30, 11, 0, 30)
READER = DateparserReader()


@pytest.mark.parametrize(
    ("text", "language", "local"),
    [
        ("morgen", "de", "2026-12-01T09:00"),
        ("4. Dezember", "de", "2026-12-04T09:00"),
        ("4. Dezember 9:30", "de", "2026-12-04T09:30"),
        ("in 2 Tagen", "de", "2026-12-02T09:00"),
        ("in 3 Stunden", "de", "2026-11-30T14:00:30"),
        ("dans 2 heures", "fr", "2026-11-30T13:00:30"),
        ("завтра в 10:00", "ru", "2026-12-01T10:00"),
    ],
)
def test_a_day_of_another_language_is_read_with_the_default_hour(text, language, local):
    assert READER.read(text, NOW, language) == datetime.fromisoformat(local)


@pytest.mark.parametrize(
    ("text", "language"),
    [("", "en"), (" ", "en"), ("purple", "en"), ("in purple", "en"), ("9", "en"), ("10 30", "en"), ("1.5", "en"),
     ("december", "en"), ("2027", "en"), ("dana", "en"), ("the 4 logs", "en"), ("tomorrow", "xx"), ("tomorrow", "")],
)  # fmt: skip
def test_what_is_no_time_or_only_a_vague_one_is_not_read(text, language):
    assert READER.read(text, NOW, language) is None


def test_a_reading_that_leaves_a_number_out_is_not_taken():
    assert READER.read("morgen", NOW, "de") is not None
    assert READER.read("morgen um 9 Uhr", NOW, "de") is None


@pytest.mark.parametrize("text", ["4.12. at 9", "on 4.12 at 9", "24.12. 15:00", "Fri 4.12. at 9", "dec 4 at 12 at 9"])
def test_a_guess_that_moves_a_number_to_another_field_is_not_taken(text):
    assert READER.read(text, NOW, "en") is None


def test_the_default_hour_is_the_readers():
    assert DateparserReader(time(7, 30)).read("morgen", NOW, "de") == wall_time(2026, 12, 1, 7, 30)


def test_a_text_is_read_up_to_its_bound():
    assert READER.read("morgen".rjust(LIMITS.reader_chars), NOW, "de") is not None
    assert READER.read("morgen".rjust(LIMITS.reader_chars + 1), NOW, "de") is None


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=LIMITS.reader_chars), st.sampled_from(["en", "de", "", "nope"]))
def test_whatever_is_typed_the_reader_does_not_raise(text, language):
    found = READER.read(text, NOW, language)
    assert found is None or found.tzinfo is None
