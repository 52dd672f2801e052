"""Times read back in full."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from core.timed.grammar import parse_when
from core.timed.instants import due_of
from core.timed.when import Note, Resolution, When
from core.wording.whens import note_lines, when_line
from tests.fakes.zones import BERLIN, wall_time, zone_of

NOW = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)


def words(text: str, reader: str = BERLIN) -> str:
    when = parse_when(text, NOW, BERLIN, zone_of)
    return when_line(when, due_of(when, zone_of), ZoneInfo(reader), NOW).text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("4 dec", "Fri 4 Dec 2026 09:00 CET"),
        ("4 july 2027 3pm EST", "Sun 4 Jul 2027 21:00 CEST"),
        ("in 5 minutes", "Mon 30 Nov 2026 11:05 CET (in 5 min)"),
        ("every weekday at 9:30", "every weekday at 09:30, next on Tue 1 Dec 2026 09:30 CET"),
        ("every 2 days at 9", "every 2 days at 09:00, next on Tue 1 Dec 2026 09:00 CET"),
        ("every mon and thu at 9", "every Monday and Thursday at 09:00, next on Thu 3 Dec 2026 09:00 CET"),
        ("every 2 weeks on tue at 9", "every 2 weeks on Tuesday at 09:00, next on Tue 1 Dec 2026 09:00 CET"),
        ("every month on the 15th at 9", "every month on day 15 at 09:00, next on Tue 15 Dec 2026 09:00 CET"),
        (
            "every month on the 30th at 9",
            "every month on the 30th, or the last day of a shorter month, at 09:00, next on Wed 30 Dec 2026 09:00 CET",
        ),
        (
            "every month on the 31st at 9",
            "every month on the 31st, or the last day of a shorter month, at 09:00, next on Thu 31 Dec 2026 09:00 CET",
        ),
        ("every month on the last day at 9", "every month on the last day at 09:00, next on Thu 31 Dec 2026 09:00 CET"),
        ("every last fri at 9", "every month on the last Friday at 09:00, next on Fri 25 Dec 2026 09:00 CET"),
        (
            "every quarter on the last weekday at 9",
            "every 3 months on the last weekday at 09:00, next on Thu 31 Dec 2026 09:00 CET",
        ),
        ("every 4 dec at 9", "every year on 4 December at 09:00, next on Fri 4 Dec 2026 09:00 CET"),
        (
            "every 29 feb at 9",
            "every year on the last day of February at 09:00, next on Sun 28 Feb 2027 09:00 CET",
        ),
        ("every 3 hours", "every 3 hours, next on Mon 30 Nov 2026 14:00 CET"),
        ("every 90 minutes 4 times", "every 90 minutes, 4 times, next on Mon 30 Nov 2026 12:30 CET"),
        (
            "daily at 9 until 31 dec",
            "every day at 09:00, until 31 December 2026, next on Tue 1 Dec 2026 09:00 CET",
        ),
        (
            "daily at 9 America/New_York",
            "every day at 09:00 (America/New_York), next on Mon 30 Nov 2026 15:00 CET",
        ),
    ],
)
def test_a_time_is_read_back_in_full(text, shown):
    assert words(text) == shown


def test_a_reader_elsewhere_sees_their_own_time_and_the_zone_of_the_rule():
    assert words("daily at 9", "Asia/Tokyo") == "every day at 09:00 (Europe/Berlin), next on Tue 1 Dec 2026 17:00 JST"


@pytest.mark.parametrize("text", ["4 dec", "28 march 2027 at 2:30", "end of the year", "tomorrow at noon"])
def test_what_is_read_back_is_read_as_the_same_time(text):
    assert due_of(parse_when(words(text), NOW, BERLIN, zone_of), zone_of) == due_of(
        parse_when(text, NOW, BERLIN, zone_of), zone_of
    )


def test_every_note_has_a_sentence_of_its_own():
    when = When(wall_time(2027, 3, 28, 2, 30), BERLIN, Resolution.MINUTE, "", tuple(Note))
    said = [line.text for line in note_lines(when)]
    assert len(set(said)) == len(Note)
    assert all("{" not in sentence and sentence.endswith(".") for sentence in said)
    assert said[0] == "You named no hour, so it is 02:30."
