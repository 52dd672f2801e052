"""Which dates a day that was said can be, the first one first. Pure; every walk over the calendar is bounded."""

import calendar
from collections.abc import Iterator
from datetime import date, timedelta

from core.catalogue import say
from core.errors import InvalidInput
from core.timed.said import ANY_DAY, WORKDAY, WORKDAYS, Dated, Day, Edge, Nth, Relative, Slashed, Week, Weekdays

_WEEKS = 2
_MONTHS = 13
_YEARS = 9  # from one 29 February to the next, even over a turn of the century
_QUARTER = 3


def dates_of(day: Day, today: date) -> Iterator[date]:
    """The dates that were possibly meant, in order, from `today` on unless a past one was named.

    Raises InvalidInput for a date that there is not, and for one that can be read in two ways.
    """
    match day:
        case Relative():
            yield today + timedelta(days=day.days)
        case Weekdays():
            yield from _weekdays(day, today)
        case Dated():
            yield from _dated(day, today)
        case Nth():
            yield from _nth(day, today)
        case Edge():
            yield from _edge(day, today)
        case Slashed():
            raise _two_readings(day)


def _weekdays(day: Weekdays, today: date) -> Iterator[date]:
    monday = today - timedelta(days=today.weekday())
    if day.week in {Week.NEXT, Week.FOLLOWING}:
        yield monday + timedelta(days=7 + day.days[0])
    elif day.week is Week.LAST:
        yield today - timedelta(days=(today.weekday() - day.days[0] - 1) % 7 + 1)
    else:
        for week in range(_WEEKS):
            for number in day.days:
                if (found := monday + timedelta(days=7 * week + number)) >= today:
                    yield found


def _dated(day: Dated, today: date) -> Iterator[date]:
    if not 1 <= day.day <= 31 or not 0 <= day.month <= 12:
        raise _no_day(day.day, day.month, day.year)
    if day.month and day.day > (29 if day.month == 2 else calendar.monthrange(2001, day.month)[1]):
        raise _no_day(day.day, day.month, day.year)
    if day.year:
        yield _checked(_on(day.year, day.month, day.day), day)
    elif day.ahead is not None:
        year, month = month_ahead(today, day.ahead)
        yield _checked(_on(year, month, day.day), day)
    else:
        for year, month in _coming_months(today, day.month):
            if day.day <= calendar.monthrange(year, month)[1] and (found := date(year, month, day.day)) >= today:
                if day.weekday < 0 or found.weekday() == day.weekday:
                    yield found
                elif day.month:
                    raise _other_weekday(found)


def _coming_months(today: date, month: int) -> Iterator[tuple[int, int]]:
    if month:
        return ((today.year + number, month) for number in range(_YEARS))
    return (month_ahead(today, number) for number in range(_MONTHS))


def month_ahead(today: date, months: int) -> tuple[int, int]:
    """The year and the month so many months on."""
    years, month = divmod(today.month - 1 + months, 12)
    return today.year + years, month + 1


def _on(year: int, month: int, day: int) -> date:
    if day > calendar.monthrange(year, month)[1]:
        raise _no_day(day, month, year)
    return date(year, month, day)


def _checked(found: date, day: Dated) -> date:
    if day.weekday >= 0 and found.weekday() != day.weekday:
        raise _other_weekday(found)
    return found


def _nth(day: Nth, today: date) -> Iterator[date]:
    if day.year or day.ahead is not None:
        year, month = (day.year, day.month) if day.year else month_ahead(today, day.ahead or 0)
        found = nth_of_month(day, year, month)
        if found is None:
            raise _no_such(day, month, year)
        yield found
        return
    none = True
    for year, month in _coming_months(today, day.month):
        found = nth_of_month(day, year, month)
        none = none and found is None
        if found is not None and found >= today:
            yield found
    if none:
        raise _no_such(day, day.month or today.month, day.year)


def nth_of_month(day: Nth, year: int, month: int) -> date | None:
    """`first monday`, `last weekday` of that month; None when it has no such one."""
    days = [date(year, month, number) for number in range(1, calendar.monthrange(year, month)[1] + 1)]
    wanted = WORKDAYS if day.weekday == WORKDAY else range(7) if day.weekday == ANY_DAY else (day.weekday,)
    found = [one for one in days if one.weekday() in wanted]
    number = day.number if day.number < 0 else day.number - 1
    return found[number] if number < len(found) else None


def _edge(day: Edge, today: date) -> Iterator[date]:
    if day.month:
        years = [day.year] if day.year else [today.year, today.year + 1]
        for year in years:
            found = _month_edge(year, day.month, day.last)
            if day.year or found >= today:
                yield found
        return
    match day.unit:
        case "day":
            yield today + timedelta(days=day.ahead)
        case "week":
            yield today + timedelta(days=7 * day.ahead - today.weekday() + 6 * day.last)
        case "weekend":
            yield today + timedelta(days=7 * day.ahead - today.weekday() + 5 + day.last)
        case "month":
            yield _month_edge(*month_ahead(today, day.ahead), day.last)
        case "quarter":
            first = today.replace(day=1, month=(today.month - 1) // _QUARTER * _QUARTER + 1)
            months = day.ahead * _QUARTER + (_QUARTER - 1 if day.last else 0)
            yield _month_edge(*month_ahead(first, months), day.last)
        case _:
            yield _month_edge(today.year + day.ahead, 12 if day.last else 1, day.last)


def _month_edge(year: int, month: int, last: bool) -> date:
    return date(year, month, calendar.monthrange(year, month)[1] if last else 1)


def add_months(day: date, months: int) -> date:
    """So many months on; the last day of the month where it is shorter."""
    year, month = month_ahead(day, months)
    return date(year, month, min(day.day, calendar.monthrange(year, month)[1]))


def month_name(month: int) -> str:
    """As people read it."""
    return say(f"time.month.{month}")


def day_name(weekday: int) -> str:
    """As people read it."""
    return say(f"time.day.{weekday}")


def _no_day(day: int, month: int, year: int) -> InvalidInput:
    if month > 12:
        return InvalidInput(say("time.no_month", month=month), say("time.no_month.hint"))
    if not month:
        return InvalidInput(say("time.no_date", day=day), say("time.no_day.hint"))
    name = month_name(month) if not year else f"{month_name(month)} {year}"
    return InvalidInput(say("time.no_day", month=name, day=day), say("time.no_day.hint"), day=day)


def _other_weekday(found: date) -> InvalidInput:
    shown = f"{found.day} {month_name(found.month)} {found.year}"
    sentence = say("time.weekday", date=shown, day=day_name(found.weekday()))
    return InvalidInput(sentence, say("time.weekday.hint"))


def _no_such(day: Nth, month: int, year: int) -> InvalidInput:
    name = month_name(month) if not year else f"{month_name(month)} {year}"
    return InvalidInput(say("time.no_nth", month=name, number=day.number), say("time.no_day.hint"))


def _two_readings(day: Slashed) -> InvalidInput:
    said = f"{day.first}/{day.second}"
    one, other = f"{day.first} {month_name(day.second)}", f"{day.second} {month_name(day.first)}"
    return InvalidInput(say("time.slashed", said=said, one=one, other=other), say("time.slashed.hint", one=one))
