"""The text of rules, and the calendar behind them."""

from datetime import datetime, timedelta

import pytest

from adapters.dates.recurrence import DateutilRecurrences
from core.errors import InvalidInput, LimitExceeded
from core.limits import LIMITS
from core.timed.rules import read_rule, write_rule
from core.timed.said import Freq
from tests.fakes.zones import wall_time

RULES = DateutilRecurrences()
FIRST = wall_time(2027, 1, 31, 9)


def dates(rule: str, count: int, first: datetime = FIRST) -> list[str]:
    found, past = [], first - timedelta(days=1)
    for _ in range(count):
        local = RULES.after(rule, first, past)
        if local is None:
            break
        found.append(local.strftime("%m-%d"))
        past = local
    return found


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("FREQ=MONTHLY;BYMONTHDAY=-1", ["01-31", "02-28", "03-31", "04-30", "05-31"]),
        ("FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1", ["01-30", "02-28", "03-30", "04-30", "05-30"]),
        ("FREQ=MONTHLY;BYMONTHDAY=28,29;BYSETPOS=-1", ["01-29", "02-28", "03-29", "04-29", "05-29"]),
        ("FREQ=MONTHLY;BYDAY=-1FR", ["01-29", "02-26", "03-26", "04-30", "05-28"]),
        ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", ["01-29", "02-26", "03-31", "04-30", "05-31"]),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1", ["02-28", "02-29", "02-28", "02-28"]),
        ("FREQ=DAILY;COUNT=2", ["01-31", "02-01"]),
        ("FREQ=DAILY;UNTIL=20270201T235959", ["01-31", "02-01"]),
    ],
)
def test_a_rule_gives_the_days_it_says(rule, expected):
    first = FIRST if rule.startswith(("FREQ=DAILY", "FREQ=YEARLY")) else FIRST.replace(day=1)
    assert dates(rule, len(expected) + ("COUNT" in rule or "UNTIL" in rule), first) == expected


def test_count_is_counted_from_the_first_wherever_one_asks():
    assert RULES.after("FREQ=DAILY;COUNT=3", FIRST, wall_time(2027, 2, 1, 10)) == wall_time(2027, 2, 2, 9)
    assert RULES.after("FREQ=DAILY;COUNT=3", FIRST, wall_time(2027, 2, 2, 9)) is None


@pytest.mark.parametrize(
    "rule",
    ["", "FREQ", "FREQ=", "FREQ=NEVER", "INTERVAL=2", "FREQ=DAILY;INTERVAL=0", "FREQ=DAILY;COUNT=0",
     "FREQ=DAILY;FREQ=DAILY", "FREQ=DAILY;BYHOUR=1,2,3", "FREQ=DAILY;BYMINUTE=1", "RRULE:FREQ=DAILY",
     "FREQ=DAILY\nEXDATE:20270101", "FREQ=DAILY;BYDAY=XX", "FREQ=DAILY;UNTIL=tomorrow", "FREQ=MONTHLY;BYMONTHDAY=99",
     "FREQ=DAILY;UNTIL=20279999T000000", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=YEARLY;BYMONTHDAY=4",
     "FREQ=YEARLY;BYMONTH=4", "FREQ=DAILY;BYDAY=MO", "FREQ=WEEKLY;BYDAY=1MO", "FREQ=MONTHLY;BYDAY=1MO;BYSETPOS=2",
     "FREQ=MONTHLY;BYMONTHDAY=1,2;BYSETPOS=3", "FREQ=MONTHLY;BYDAY=MO;BYMONTHDAY=1", "FREQ=MONTHLY;BYSETPOS=1"],
)  # fmt: skip
def test_a_rule_that_is_none_is_refused(rule):
    with pytest.raises(InvalidInput) as refused:
        RULES.after(rule, FIRST, FIRST)
    assert refused.value.hint


def test_a_rule_is_as_long_as_the_bound_at_most():
    rule = "FREQ=MONTHLY;BYMONTHDAY=1" + ",10" * 26 + ";UNTIL=20991231T235959;INTERVAL="
    rule += "1".zfill(LIMITS.rule_chars - len(rule))
    assert len(rule) == LIMITS.rule_chars
    assert read_rule(rule).freq is Freq.MONTHLY
    with pytest.raises(InvalidInput):
        read_rule(rule.replace("BYMONTHDAY=1,", "BYMONTHDAY=10,"))


@pytest.mark.parametrize(("freq", "least"), [("MINUTELY", 5), ("SECONDLY", 300)])
def test_a_rule_that_repeats_too_often_is_refused(freq, least):
    assert RULES.after(f"FREQ={freq};INTERVAL={least}", FIRST, FIRST) == FIRST + LIMITS.repeat_gap
    with pytest.raises(LimitExceeded):
        RULES.after(f"FREQ={freq};INTERVAL={least - 1}", FIRST, FIRST)


@pytest.mark.parametrize(
    "rule", ["FREQ=DAILY;INTERVAL=3", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU", "FREQ=WEEKLY;BYDAY=WE", "FREQ=HOURLY"]
)
def test_an_old_rule_goes_on_where_following_it_from_its_first_day_leads(rule):
    step, first = timedelta(days=5), FIRST
    for number in range(1, 40):
        past = first + number * step
        counted = f"{rule};COUNT=99999"  # what is counted is followed from the first day on
        assert RULES.after(rule, first, past) == RULES.after(counted, first, past)


def test_a_rule_is_followed_for_a_bounded_number_of_steps():
    step, rule = LIMITS.repeat_gap, "FREQ=MINUTELY;INTERVAL=5;COUNT=900000"
    last = FIRST + step * (LIMITS.rule_steps - 1)
    assert RULES.after(rule, FIRST, last - step) == last
    with pytest.raises(InvalidInput):
        RULES.after(rule, FIRST, last)


def test_what_is_written_is_read_back():
    rule = write_rule(Freq.WEEKLY, 2, "BYDAY=MO,TH", 5, "20271231T235959")
    assert rule == "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;COUNT=5;UNTIL=20271231T235959"
    read = read_rule(rule)
    assert (read.freq, read.every, read.count, read.until) == (Freq.WEEKLY, 2, 5, "20271231T235959")
