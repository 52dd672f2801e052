"""From wall times to instants, over clock changes of three zones."""

from datetime import UTC, datetime, timedelta

import pytest

from core.errors import InvalidInput
from core.timed.instants import due_of, is_doubled, is_lost, next_due, with_notes
from core.timed.when import Note, Resolution, When
from tests.fakes.zones import BERLIN, RULES, wall_time, zone_of

NEW_YORK, LORD_HOWE, APIA = "America/New_York", "Australia/Lord_Howe", "Pacific/Apia"


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def a_when(local: str, zone: str = BERLIN, rule: str = "", **fields) -> When:
    return When(datetime.fromisoformat(local), zone, fields.pop("resolution", Resolution.MINUTE), rule, **fields)


def follow(when: When, count: int, after: datetime | None = None) -> list[tuple[datetime, datetime]]:
    """The next `count` occurrences, each asked for with the one before."""
    found, after = [], after or due_of(when, zone_of) - timedelta(microseconds=1)
    for _ in range(count):
        step = next_due(when, RULES, zone_of, after)
        if step is None:
            break
        found.append(step)
        after = step[1]
    return found


@pytest.mark.parametrize(
    ("local", "zone", "due"),
    [
        ("2027-03-28T01:59", BERLIN, "2027-03-28T00:59"),
        ("2027-03-28T02:00", BERLIN, "2027-03-28T01:00"),
        ("2027-03-28T02:30", BERLIN, "2027-03-28T01:00"),
        ("2027-03-28T02:59:59", BERLIN, "2027-03-28T01:00"),
        ("2027-03-28T03:00", BERLIN, "2027-03-28T01:00"),
        ("2027-03-14T02:30", NEW_YORK, "2027-03-14T07:00"),
        ("2026-10-04T02:15", LORD_HOWE, "2026-10-03T15:30"),  # half an hour is lost
        ("2026-10-04T02:30", LORD_HOWE, "2026-10-03T15:30"),
        ("2011-12-30T09:00", APIA, "2011-12-30T10:00"),  # a day is lost
    ],
)
def test_a_time_that_the_clock_skips_is_moved_to_the_end_of_the_gap(local, zone, due):
    assert due_of(a_when(local, zone), zone_of) == utc(due)


@pytest.mark.parametrize(
    ("local", "zone", "first", "second"),
    [
        ("2026-10-25T02:30", BERLIN, "2026-10-25T00:30", "2026-10-25T01:30"),
        ("2026-11-01T01:30", NEW_YORK, "2026-11-01T05:30", "2026-11-01T06:30"),
        ("2027-04-04T01:45", LORD_HOWE, "2027-04-03T14:45", "2027-04-03T15:15"),
    ],
)
def test_a_time_that_comes_twice_is_the_first_unless_the_second_is_said(local, zone, first, second):
    when = a_when(local, zone)
    assert due_of(when, zone_of) == utc(first)
    assert due_of(When(when.local.replace(fold=1), zone, when.resolution), zone_of) == utc(second)


def test_lost_and_doubled_times_are_told_apart():
    zone = zone_of(BERLIN)
    for local, lost, doubled in [
        ("2027-03-28T02:30", True, False),
        ("2026-10-25T02:30", False, True),
        ("2026-10-25T03:00", False, False),
        ("2027-03-28T03:00", False, False),
    ]:
        moment = datetime.fromisoformat(local)
        assert (is_lost(moment, zone), is_doubled(moment, zone)) == (lost, doubled)


@pytest.mark.parametrize(
    ("local", "fields", "notes"),
    [
        ("2027-03-28T02:30", {}, (Note.LOST_HOUR,)),
        ("2026-10-25T02:30", {}, (Note.DOUBLED_HOUR,)),
        ("2026-10-25T02:30", {"notes": (Note.DEFAULT_HOUR,)}, (Note.DEFAULT_HOUR, Note.DOUBLED_HOUR)),
        ("2026-10-25T02:30", {"resolution": Resolution.EXACT}, ()),
        ("2026-10-25T09:00", {}, ()),
    ],
)
def test_a_clock_change_is_noted_once(local, fields, notes):
    noted = with_notes(a_when(local, **fields), zone_of)
    assert noted.notes == notes
    assert with_notes(noted, zone_of) == noted


def test_a_time_that_comes_once_comes_once():
    when = a_when("2026-12-04T09:00")
    due = utc("2026-12-04T08:00")
    assert next_due(when, RULES, zone_of, due - timedelta(microseconds=1)) == (when.local, due)
    assert next_due(when, RULES, zone_of, due) is None


@pytest.mark.parametrize(("zone", "day"), [(BERLIN, "2026-10-23"), (NEW_YORK, "2026-10-30"), (LORD_HOWE, "2026-10-02")])
def test_a_daily_rule_keeps_its_wall_time_over_a_clock_change(zone, day):
    found = follow(a_when(f"{day}T09:00", zone, "FREQ=DAILY"), 5)
    assert {local.strftime("%H:%M") for local, _ in found} == {"09:00"}
    assert len({due - timedelta(days=number) for number, (_, due) in enumerate(found)}) == 2


def test_a_rule_of_hours_is_counted_in_elapsed_time():
    when = a_when("2026-10-25T00:00", rule="FREQ=HOURLY;INTERVAL=3", resolution=Resolution.EXACT)
    found = follow(when, 4)
    assert [due for _, due in found] == [utc("2026-10-24T22:00") + timedelta(hours=3 * number) for number in range(4)]
    assert [local.hour for local, _ in found] == [0, 2, 5, 8]
    assert found[1][0].fold == 1


def test_a_rule_of_hours_ends_by_count_and_by_date():
    after = utc("2026-12-01T08:00")
    counted = a_when("2026-12-01T09:00", rule="FREQ=HOURLY;COUNT=3")
    assert [local.hour for local, _ in follow(counted, 9, after - timedelta(seconds=1))] == [9, 10, 11]
    until = a_when("2026-12-01T09:00", rule="FREQ=HOURLY;UNTIL=20261201T103000")
    assert [local.hour for local, _ in follow(until, 9, after - timedelta(seconds=1))] == [9, 10]


def test_after_a_long_sleep_the_next_one_is_found_and_the_missed_ones_are_not():
    when = a_when("2026-12-01T09:00", rule="FREQ=DAILY")
    assert next_due(when, RULES, zone_of, utc("2029-06-01T12:00")) == (
        wall_time(2029, 6, 2, 9),
        utc("2029-06-02T07:00"),
    )
    hourly = a_when("2026-12-01T09:00", rule="FREQ=HOURLY;INTERVAL=2")
    assert next_due(hourly, RULES, zone_of, utc("2029-06-01T12:30"))[1] == utc("2029-06-01T14:00")


def test_asked_long_before_it_begins_a_rule_gives_its_first_time():
    when = a_when("2026-12-01T09:00", rule="FREQ=WEEKLY;BYDAY=TU")
    assert next_due(when, RULES, zone_of, utc("2020-01-01T00:00")) == (when.local, utc("2026-12-01T08:00"))


def test_a_day_that_a_zone_leaves_out_is_made_up_for_once():
    found = follow(a_when("2011-12-29T09:00", APIA, "FREQ=DAILY"), 3)
    assert [due for _, due in found] == [utc("2011-12-29T19:00"), utc("2011-12-30T10:00"), utc("2011-12-30T19:00")]


def test_a_rule_that_cannot_be_read_is_refused():
    with pytest.raises(InvalidInput, match="no rule"):
        next_due(a_when("2026-12-01T09:00", rule="FREQ=NEVER"), RULES, zone_of, utc("2026-01-01T00:00"))
