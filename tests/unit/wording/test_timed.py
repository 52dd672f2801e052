"""Timed reminders in words."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from core.services.timed import TimedPage
from core.timed.due import DueReminder
from core.timed.reminder import TimedStatus
from core.timed.when import Note, Resolution, When
from core.wording.shown import Clockface
from core.wording.timed import guess_lines, made_lines, timed_line, timed_page_lines, timed_view_lines
from tests.builders import ADA, BOB, HOME, NOW, a_timed

FACE = Clockface(NOW, UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
WEEKDAYS = When(
    datetime.fromisoformat("2026-11-27T09:30"), "UTC", Resolution.MINUTE, "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"
)
NEXT = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)


def due(row, **fields):
    return DueReminder("item", row, HOME, None, **({"due_at": NOW, "late": False} | fields))


def text(line):
    return line.text


def test_the_fixed_template():
    row = a_timed(text="check the logs", when=WEEKDAYS, due_at=NEXT)
    words = "Reminder for @Ada: Check the logs. · every weekday at 09:30, next Tue 1 Dec 09:30 · r-7k2m"
    assert timed_line(due(row), FACE).text == words


def test_a_late_one_says_when_it_was_due_and_what_was_missed():
    row = a_timed(due_at=None, status=TimedStatus.DONE)
    late = due(row, due_at=NOW - HOUR, late=True)
    assert timed_line(late, FACE).text == "Reminder for @Ada: Check the logs. · was due Mon 30 Nov 09:00 · r-7k2m"
    last_year = due(row, due_at=NOW - 365 * DAY, late=True, missed=1)
    assert "was due Sun 30 Nov 2025 10:00 · 1 more was missed · " in timed_line(last_year, FACE).text
    assert (
        "· 3 more were missed · r-7k2m · This was the last one." in timed_line(due(row, missed=3, last=True), FACE).text
    )


def test_t049_the_person_it_is_for_is_mentioned_once_and_who_made_it_is_named():
    line = timed_line(due(a_timed(creator=BOB, creator_name="Bob", target=ADA, target_name="Ada")), FACE)
    assert line.text.startswith("Reminder for @Ada, from Bob: Check the logs.")
    assert [segment.who for segment in line.segments if segment.who is not None] == [ADA]


def test_one_for_everybody_mentions_nobody():
    line = timed_line(due(a_timed(for_all=True, text="@everyone, look <b>")), FACE)
    assert line.text.startswith("Reminder for everybody here, from Ada: @everyone, look <b>")
    assert not any(segment.who for segment in line.segments)


def test_the_read_back_has_the_whole_time_what_was_assumed_and_how_to_cancel_it():
    when = When(datetime.fromisoformat("2026-12-04T09:00"), "UTC", Resolution.DAY, "", (Note.DEFAULT_HOUR,))
    row = a_timed(when=when, due_at=datetime(2026, 12, 4, 9, tzinfo=UTC), direct=True)
    lines = [line.text for line in made_lines(row, FACE)]
    assert lines[:2] == ["I will remind you by the clock: Check the logs.", "When: Fri 4 Dec 2026 09:00 UTC"]
    assert "09:00" in lines[2] and len(lines) == 5
    assert lines[3:] == ["It comes by direct message.", "It is r-7k2m. Cancel it: /remind cancel r-7k2m"]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"target": BOB, "target_name": "Bob"}, "I will remind @Bob by the clock"),
        ({"for_all": True}, "I will remind everybody here by the clock, nobody is pinged"),
    ],
)
def test_the_read_back_says_whom(fields, words):
    assert made_lines(a_timed(**fields), FACE)[0].text.startswith(words)


def test_times_are_shown_in_the_zone_of_who_reads():
    row = a_timed()
    assert "13:00 CET" in made_lines(row, Clockface(NOW, ZoneInfo("Europe/Berlin")))[1].text


def test_a_guess_is_shown_in_full():
    lines = [line.text for line in guess_lines(a_timed().when, FACE, ZoneInfo)]
    assert "Mon 30 Nov 2026 12:00 UTC" in lines[0] and lines[1].endswith("?")


def page(*rows, total=None, number=1, here=2):
    return TimedPage(rows, len(rows) if total is None else total, number, 10, here, {2: "general", 9: ""})


def shown(*rows, **fields):
    return [line.text for line in timed_page_lines(page(*rows, **fields), FACE)]


def test_a_list_tells_time_words_whom_and_how_to_have_a_past_one_again():
    past = a_timed(handle="r-past", status=TimedStatus.DONE, due_at=None, fired=1, last_due_at=NOW - HOUR)
    lines = shown(
        a_timed(),
        a_timed(when=WEEKDAYS, due_at=NEXT, target=BOB, target_name="Bob", channel=3),
        past,
        a_timed(handle="r-done", status=TimedStatus.DONE, due_at=None, last_due_at=NOW, acknowledged_at=NOW),
        a_timed(status=TimedStatus.CANCELLED, due_at=None, channel=9, text=""),
    )
    assert lines[0] == "r-7k2m · Mon 30 Nov 12:00 · Check the logs."
    assert lines[1] == "    for @Ada"
    assert lines[3] == "    for @Bob, from Ada · every weekday at 09:30 · by direct message"
    assert lines[4:6] == [
        "r-past · past, not done: Mon 30 Nov 09:00 · Check the logs.",
        "    for @Ada · remind again: /remind again r-past 1h",
    ]
    assert lines[6] == "r-done · done: Mon 30 Nov 10:00 · Check the logs."
    assert lines[8] == "r-7k2m · cancelled for good · (its words were erased)"
    assert lines[-1] == "5 timed reminders."


def test_a_list_counts_and_pages():
    assert shown()[0].startswith("No timed reminders here.")
    assert shown(a_timed())[-1] == "1 timed reminder."
    assert shown(a_timed(), total=21, number=2)[-1].startswith("21 timed reminders, page 2 of 3.")


def test_one_reminder_in_full():
    row = a_timed(when=WEEKDAYS, due_at=NEXT, fired=2, last_due_at=NOW - HOUR)
    lines = [line.text for line in timed_view_lines(row, FACE)]
    assert lines == [
        "r-7k2m: Check the logs.",
        "for @Ada; made Mon 30 Nov 2026 10:00 UTC",
        "Next: every weekday at 09:30, next on Tue 1 Dec 2026 09:30 UTC (said in UTC)",
        "Last: Mon 30 Nov 2026 09:00 UTC; times so far: 2",
        "Mark it as done: /remind done r-7k2m. Have it again: /remind again r-7k2m 1h",
    ]
    over = a_timed(status=TimedStatus.CANCELLED, due_at=None)
    assert [line.text for line in timed_view_lines(over, FACE)][-1] == "State: cancelled for good"
