"""From "every month on the 31st" to the text of a rule and the dates it can begin on. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta

from core.catalogue import say
from core.errors import InvalidInput
from core.timed.dates import add_months, dates_of
from core.timed.rules import DAYS
from core.timed.said import ANY_DAY, WORKDAY, WORKDAYS, Dated, Day, Edge, Freq, Nth, Repeat, Weekdays

_SHORTEST = 28
_LONGEST = 31


@dataclass(frozen=True, slots=True)
class Pattern:
    """The BY part of a rule, the dates it can begin on, and whether short months end it early."""

    freq: Freq
    days: str
    dates: Iterator[date]
    short: bool = False


def pattern_of(repeat: Repeat, day: Day | None, today: date) -> Pattern:
    """How the rule of `repeat` on `day` is written, seen from `today`. Raises InvalidInput when they do not fit."""
    if repeat.doubtful:
        raise InvalidInput(say("time.second"), say("time.second.hint"))
    if isinstance(day, Dated | Nth) and day.ahead == 0:  # "every last friday of the month"
        day = replace(day, ahead=None)
    match repeat.freq, day:
        case _, None:
            return _open(repeat.freq, today)
        case ((Freq.WEEKLY | Freq.DAILY), Weekdays()) if repeat.freq is Freq.WEEKLY or repeat.every == 1:
            return Pattern(Freq.WEEKLY, _weekly(day), dates_of(day, today))
        case Freq.MONTHLY, Dated(month=0, year=0, ahead=None, weekday=-1):
            return Pattern(Freq.MONTHLY, month_days(day.day), _monthly(day, today), day.day > _SHORTEST)
        case ((Freq.MONTHLY | Freq.YEARLY), Nth() | Edge()) if bool(day.month) == (repeat.freq is Freq.YEARLY):
            return _of_month(repeat.freq, day, today)
        case Freq.YEARLY, Dated(year=0) if day.month:
            return _yearly(day, today)
        case Freq.YEARLY, Edge(unit="year"):
            month, number = (12, _LONGEST) if day.last else (1, 1)
            return _yearly(Dated(number, month), today)
    raise InvalidInput(say("time.mixed"), say("time.mixed.hint"))


def _open(freq: Freq, today: date) -> Pattern:
    """Nothing but how often: from today's day on."""
    match freq:
        case Freq.DAILY:
            return Pattern(freq, "", iter((today, today + timedelta(days=1))))
        case Freq.WEEKLY:
            return Pattern(freq, f"BYDAY={DAYS[today.weekday()]}", iter((today, today + timedelta(days=7))))
        case Freq.MONTHLY:
            dates = iter((today, add_months(today, 1)))
            return Pattern(freq, month_days(today.day), dates, today.day > _SHORTEST)
    return _yearly(Dated(today.day, today.month), today)


def _weekly(day: Weekdays) -> str:
    return "BYDAY=" + ",".join(DAYS[number] for number in day.days)


def month_days(day: int) -> str:
    """The day of every month, its last one where it is shorter."""
    if day > _SHORTEST:
        return f"BYMONTHDAY={','.join(str(number) for number in range(_SHORTEST, day + 1))};BYSETPOS=-1"
    return f"BYMONTHDAY={day}"


def _monthly(day: Dated, today: date) -> Iterator[date]:
    """That day of this month and of the next ones, their last day where they are shorter."""
    next(dates_of(day, today), None)  # refuses a day that no month has
    for months in range(3):
        first = add_months(today.replace(day=1), months)
        found = min(first.replace(day=1) + timedelta(days=day.day - 1), add_months(first, 1) - timedelta(days=1))
        if found >= today:
            yield found


def _yearly(day: Dated, today: date) -> Pattern:
    if day.weekday >= 0:
        raise InvalidInput(say("time.mixed"), say("time.mixed.hint"))
    days = f"BYMONTH={day.month};BYMONTHDAY={day.day}"
    if (day.day, day.month) != (29, 2):
        return Pattern(Freq.YEARLY, days, dates_of(day, today))
    return Pattern(Freq.YEARLY, "BYMONTH=2;BYMONTHDAY=-1", dates_of(Edge("month", month=2), today), True)


def _of_month(freq: Freq, day: Nth | Edge, today: date) -> Pattern:
    month = f"BYMONTH={day.month};" if day.month else ""
    if isinstance(day, Edge):
        if day.unit != "month" or day.ahead or day.year:
            raise InvalidInput(say("time.mixed"), say("time.mixed.hint"))
        return Pattern(freq, f"{month}BYMONTHDAY={-1 if day.last else 1}", _edges(day, today))
    if day.ahead is not None or day.year or day.number > 4:
        raise InvalidInput(say("time.mixed"), say("time.mixed.hint"))
    if day.weekday in {WORKDAY, ANY_DAY}:
        names = ",".join(DAYS[number] for number in (WORKDAYS if day.weekday == WORKDAY else range(7)))
        return Pattern(freq, f"{month}BYDAY={names};BYSETPOS={day.number}", dates_of(day, today))
    return Pattern(freq, f"{month}BYDAY={day.number}{DAYS[day.weekday]}", dates_of(day, today))


def _edges(day: Edge, today: date) -> Iterator[date]:
    if day.month:
        yield from dates_of(day, today)
        return
    for ahead in range(3):
        found = next(dates_of(Edge("month", ahead, day.last), today))
        if found >= today:
            yield found
