"""From wall time to the instant, and which instant comes next. Pure; zones and calendar rules come in.

A wall time that the clock skips is moved to the first one behind the gap; one that comes twice is the first of the
two, unless its `fold` says the second. Repeating rules keep their wall time; those of hours and minutes are counted
in elapsed time.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo

from core.timed.calendar import Recurrences
from core.timed.rules import UNTIL, Rule, read_rule
from core.timed.when import Note, Resolution, When

ZoneOf = Callable[[str], tzinfo]
MAX_STEPS = 16
"""Occurrences looked at before one is found: rules of a day or more meet two or three wall times in the margin."""
_MARGIN = timedelta(days=2)  # no clock was ever moved by more than a day
_SECOND = timedelta(seconds=1)


def instant(local: datetime, zone: tzinfo) -> datetime:
    """The aware UTC instant of a naive wall time; of one that does not exist, the end of the gap."""
    if is_lost(local, zone):
        return _gap_end(local, zone)
    return local.replace(tzinfo=zone).astimezone(UTC)


def is_lost(local: datetime, zone: tzinfo) -> bool:
    """Does the clock skip this wall time?"""
    aware = local.replace(tzinfo=zone)
    return aware.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != local.replace(fold=0)


def is_doubled(local: datetime, zone: tzinfo) -> bool:
    """Does this wall time come twice?"""
    first, second = (local.replace(tzinfo=zone, fold=fold).utcoffset() for fold in (0, 1))
    return first != second and not is_lost(local, zone)


def _gap_end(local: datetime, zone: tzinfo) -> datetime:
    """The instant at which the clock is put forward over `local`, found by halving: clocks change at full seconds."""
    low, high = sorted(local.replace(tzinfo=zone, fold=fold, microsecond=0).astimezone(UTC) for fold in (0, 1))
    low, high = low - _SECOND, high + _SECOND
    before = low.astimezone(zone).utcoffset()
    while high - low > _SECOND:
        middle = low + timedelta(seconds=int((high - low).total_seconds()) // 2)
        if middle.astimezone(zone).utcoffset() == before:
            low = middle
        else:
            high = middle
    return high


def wall(moment: datetime, zone: tzinfo) -> datetime:
    """The naive wall time of an aware instant, its fold kept."""
    return moment.astimezone(zone).replace(tzinfo=None)


def due_of(when: When, zone_of: ZoneOf) -> datetime:
    """When it is due (the first time, for a rule), as aware UTC."""
    return instant(when.local, zone_of(when.zone))


def with_notes(when: When, zone_of: ZoneOf) -> When:
    """With a note when the clock skips its wall time or shows it twice. Saying it again changes nothing."""
    zone, found = zone_of(when.zone), []
    if is_lost(when.local, zone):
        found.append(Note.LOST_HOUR)
    elif when.resolution is not Resolution.EXACT and not when.local.fold and is_doubled(when.local, zone):
        found.append(Note.DOUBLED_HOUR)
    return replace(when, notes=tuple(dict.fromkeys((*when.notes, *found))))


def next_due(
    when: When, recurrences: Recurrences, zone_of: ZoneOf, after: datetime
) -> tuple[datetime, datetime] | None:
    """The first occurrence whose instant is later than the aware `after`: its wall time and the instant in UTC.

    None when there is none any more. Raises InvalidInput for a rule that cannot be read.
    """
    zone = zone_of(when.zone)
    first = due_of(when, zone_of)
    if not when.rule:
        return (when.local, first) if first > after else None
    if step := elapsed(when.rule):
        return _next_elapsed(first, step, zone, after)
    if after < first - 2 * _MARGIN:
        after = first - 2 * _MARGIN
    past = wall(after, zone).replace(fold=0) - _MARGIN
    for _ in range(MAX_STEPS):
        local = recurrences.after(when.rule, when.local.replace(fold=0), past)
        if local is None:
            return None
        found = instant(local, zone)
        if found > after:
            return local, found
        past = local
    return None


def elapsed(rule: str) -> Rule | None:
    """The rule, if it is one of hours or minutes, which are counted in elapsed time."""
    read = read_rule(rule)
    return read if read.step else None


def _next_elapsed(first: datetime, rule: Rule, zone: tzinfo, after: datetime) -> tuple[datetime, datetime] | None:
    number = 0 if after < first else (after - first) // rule.step + 1
    found = first + number * rule.step
    local = wall(found, zone)
    if (rule.count and number >= rule.count) or (rule.until and local.strftime(UNTIL) > rule.until):
        return None
    return local, found
