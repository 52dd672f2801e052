"""Whatever is typed, the grammar of times answers; whatever repeats, it goes on in order."""

from datetime import UTC, datetime, timedelta

from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.errors import InvalidInput
from core.limits import LIMITS
from core.standing.phrases import words_of, wordset
from core.timed import reading
from core.timed.asked import parse_remind
from core.timed.grammar import parse_when
from core.timed.instants import due_of, is_lost, next_due, wall
from core.timed.said import tokens_of
from core.timed.when import Resolution, When
from tests.fakes.zones import RULES, wall_time, zone_of

ZONES = wordset(
    "Europe/Berlin America/New_York Australia/Lord_Howe Asia/Kolkata Pacific/Apia Africa/Casablanca Asia/Beirut "
    "America/Havana America/St_Johns Pacific/Chatham Asia/Gaza America/Nuuk Antarctica/Troll UTC"
)
WORDS = wordset(
    "in 5 0 31 2 a an half minutes hours days weeks month months' time today tonight tomorrow yesterday the day after "
    "this next last on at by before every each other daily weekly monthly hourly "
    "friday mondays and mon weekday weekend "
    "9 9am 9:30 25:00 14:05 noon midnight o'clock past quarter to ten pm 2026-12-04 2027-02-29T09:00Z 4 dec "
    "29 feb 31st "
    "15th first second of end start month quarter year week july until for times twice starting ago from now morning "
    'evening night EST CST UTC +05:30 Europe/Berlin 15/12 4/12 1h30m eod me us @bob remind that please , " 999999'
)
zones = st.sampled_from(sorted(ZONES))
moments = st.datetimes(wall_time(2024, 1, 1), wall_time(2035, 1, 1), timezones=st.just(UTC))
texts = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(sorted(WORDS)), max_size=14).map(" ".join))


@settings(max_examples=400, deadline=None)
@given(texts, moments, zones)
@example("every day until 29 feb", datetime(2026, 1, 1, tzinfo=UTC), "UTC")
@example("0/1", datetime(2026, 1, 1, tzinfo=UTC), "UTC")
def test_any_text_is_a_time_to_come_or_none_or_refused(text, now, zone):
    try:
        when = parse_when(text, now, zone, zone_of)
    except InvalidInput as refused:
        assert refused.sentence
        assert refused.hint
        return
    if when is None:
        return
    due = due_of(when, zone_of)
    assert now < due <= now + LIMITS.due_ahead
    first = next_due(when, RULES, zone_of, due - timedelta(microseconds=1))
    assert first is not None
    assert first[1] == due


@settings(max_examples=300, deadline=None)
@given(texts, moments, zones)
def test_any_request_is_read_or_refused(text, now, zone):
    try:
        asked = parse_remind(text, now, zone, zone_of)
    except InvalidInput as refused:
        assert refused.hint
        return
    assert asked.text
    assert due_of(asked.when, zone_of) > now


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(sorted(WORDS)), min_size=1, max_size=400))
def test_a_text_is_read_in_a_bounded_number_of_steps(words):
    tokens, looked = tokens_of(words_of(" ".join(words))), 0

    class Counted(list):
        def __getitem__(self, index):
            nonlocal looked
            looked += 1
            return super().__getitem__(index)

    reading.read_said(Counted(tokens))
    assert looked <= 500 * LIMITS.when_words


@settings(max_examples=5, deadline=None)
@given(
    zones,
    st.datetimes(wall_time(2024, 1, 1), wall_time(2029, 1, 1)).map(lambda one: one.replace(second=0, microsecond=0)),
)
@example("Asia/Beirut", wall_time(2026, 3, 1, 0, 30))
@example("Australia/Lord_Howe", wall_time(2026, 9, 1, 2, 15))
def test_a_daily_rule_comes_on_each_date_exactly_once(zone, first):
    when = When(first, zone, Resolution.MINUTE, "FREQ=DAILY")
    found, after = [], due_of(when, zone_of) - timedelta(microseconds=1)
    for _ in range(400):
        local, due = next_due(when, RULES, zone_of, after)
        assert due > after
        found.append((local, due))
        after = due
    assert [local.date() for local, _ in found] == [first.date() + timedelta(days=number) for number in range(400)]
    for local, due in found:
        assert wall(due, zone_of(zone)) == local or is_lost(local, zone_of(zone))


@settings(max_examples=80, deadline=None)
@given(
    zones,
    moments,
    st.sampled_from(
        [
            "every 3 hours",
            "every 5 minutes",
            "every weekday at 2:30",
            "every month on the 31st at 0:30",
            "on the last friday of every month",
            "every 2 weeks on sunday at 2:15",
            "every 29 feb",
            "every day 7 times",
        ]
    ),
)
def test_what_repeats_goes_on_in_order(zone, now, text):
    when = parse_when(text, now, zone, zone_of)
    after, seen = now, []
    for _ in range(12):
        step = next_due(when, RULES, zone_of, after)
        if step is None:
            break
        assert step[1] > after
        seen.append(step)
        after = step[1]
    assert len(seen) == (7 if "times" in text else 12)
    assert len({local for local, _ in seen}) == len(seen) or "hours" in text or "minutes" in text
