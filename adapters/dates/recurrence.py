"""Repeating rules by python-dateutil: naive wall times in, naive wall times out."""

from datetime import datetime, timedelta
from itertools import islice

from dateutil.rrule import rrule, rrulestr

from core.catalogue import say
from core.errors import InvalidInput
from core.limits import LIMITS
from core.timed.rules import UNTIL, Rule, read_rule
from core.timed.said import Freq

_AHEAD = timedelta(days=10 * 366)
"""Beyond this no occurrence is looked for: longer than from one 29 February to the next."""
_UNITS = {
    Freq.SECONDLY: timedelta(seconds=1),
    Freq.MINUTELY: timedelta(minutes=1),
    Freq.HOURLY: timedelta(hours=1),
    Freq.DAILY: timedelta(days=1),
    Freq.WEEKLY: timedelta(weeks=1),
}
_LAST = datetime(9999, 1, 1)  # noqa: DTZ001 - a wall time


class DateutilRecurrences:
    """`core.timed.calendar.Recurrences` with the calendar of python-dateutil."""

    def after(self, rule: str, first: datetime, past: datetime) -> datetime | None:
        """The first wall time of `rule`, begun at `first`, that is later than `past`; None when there is none.

        Raises InvalidInput for a rule that cannot be read, that repeats too often, or that would take more than
        `rule_steps` occurrences to follow.
        """
        read = read_rule(rule)
        end = min(max(past, first), _LAST - _AHEAD) + _AHEAD
        steps = islice(_calendar(read, rule, _begin(read, first, past), end), LIMITS.rule_steps)
        number = 0
        for number, local in enumerate(steps, 1):
            if read.count and number > read.count:
                return None
            if local > past:
                return local
        if number == LIMITS.rule_steps:
            raise InvalidInput(say("time.rule", rule=rule), say("time.rule.hint"))
        return None


def _begin(rule: Rule, first: datetime, past: datetime) -> datetime:
    """An occurrence, or a like moment, shortly before `past` from which the rule goes on as from its first."""
    unit = _UNITS.get(rule.freq)
    if unit is None or rule.count or past <= first:
        return first
    period = unit * rule.every
    return first + max((past - first) // period - 1, 0) * period


def _calendar(read: Rule, rule: str, first: datetime, end: datetime) -> rrule:
    """The rule without its COUNT, which is counted by who asks, and never beyond `end`."""
    until = min(read.until or "9", end.strftime(UNTIL))
    parts = {name: value for name, value in read.parts.items() if name not in {"COUNT", "UNTIL"}} | {"UNTIL": until}
    try:
        made = rrulestr(";".join(f"{name}={value}" for name, value in parts.items()), dtstart=first)
    except (ValueError, OverflowError) as error:
        raise InvalidInput(say("time.rule", rule=rule), say("time.rule.hint")) from error
    assert isinstance(made, rrule)  # noqa: S101 - `rrulestr` makes a set only of several lines
    return made
