"""A time read back in full: what will happen when, how it repeats, and what would surprise. Pure."""

from datetime import datetime, timedelta, tzinfo

from core.catalogue import say
from core.standing.durations import show_duration, show_moment
from core.timed.dates import day_name, month_name
from core.timed.rules import DAYS, UNTIL, Rule, read_rule
from core.timed.said import WORKDAYS, Freq
from core.timed.when import Resolution, When
from core.wording.lines import Line, line

_LAST = -1
_PLACES = {31: "31st"}
_ALL_DAYS = tuple(range(7))


def when_line(when: When, due: datetime, zone: tzinfo, now: datetime) -> Line:
    """`Fri 4 Dec 2026 09:00 CET`, for a length of time with it: `... (in 5 min)`; a rule in words and its next time.

    `due` is the aware instant that comes next, `zone` the reader's zone.
    """
    moment = show_moment(due, zone)
    if when.rule:
        return line("when.rule", rule=rule_words(when, zone), time=moment)
    if when.resolution is Resolution.EXACT and due > now:
        return line("when.exact", time=moment, length=show_duration(_rounded(due - now)))
    return line("when.once", time=moment)


def _rounded(length: timedelta) -> timedelta:
    """To the second: a little of it has passed since it was said."""
    return timedelta(seconds=round(length / timedelta(seconds=1)))


def rule_words(when: When, zone: tzinfo) -> str:
    """`every weekday at 09:30`; with the rule's zone where the reader has another."""
    rule = read_rule(when.rule)
    words = _base(rule)
    if not rule.step:
        words = say("when.at", rule=words, time=f"{when.local:%H:%M}")
        if str(zone) != when.zone:
            words = say("when.zone", rule=words, zone=when.zone)
    if rule.count:
        words = say("when.count", rule=words, count=rule.count)
    if rule.until:
        words = say("when.until", rule=words, date=_date(rule.until))
    return words


def note_lines(when: When) -> list[Line]:
    """One sentence for each note, in the order of the notes."""
    local = when.local
    date = f"{local.day} {month_name(local.month)} {local.year}"
    facts = {"time": f"{local:%H:%M}", "zone": when.zone, "day": day_name(local.weekday()), "date": date}
    return [line(f"when.note.{note}", **facts) for note in when.notes]


def _base(rule: Rule) -> str:
    """How often, and on which days."""
    days = _on_days(rule)
    if rule.freq is Freq.WEEKLY and rule.every == 1 and days:
        return say("when.every.days", days=days)
    unit = rule.freq.lower()
    every = say(f"when.every.{unit}") if rule.every == 1 else say(f"when.every.{unit}.many", count=rule.every)
    return say("when.on", rule=every, days=days) if days else every


def _on_days(rule: Rule) -> str:
    """The days of a rule in words; "" when it names none."""
    parts = rule.parts
    month = month_name(int(parts["BYMONTH"])) if "BYMONTH" in parts else ""
    if "BYDAY" in parts:
        days = _weekdays(parts["BYDAY"], parts.get("BYSETPOS", ""))
    elif "BYMONTHDAY" in parts:
        numbers = [int(number) for number in parts["BYMONTHDAY"].split(",")]
        if month and numbers[-1] != _LAST:
            return say("when.date", number=numbers[-1], month=month)
        if len(numbers) > 1:
            return say("when.day.short", place=_PLACES.get(numbers[-1], f"{numbers[-1]}th"))
        days = say("when.day.last") if numbers[-1] == _LAST else say("when.day", number=numbers[-1])
    else:
        return ""
    return say("when.day.of", day=days, month=month) if month else days


def _weekdays(text: str, place: str) -> str:
    names = text.split(",")
    numbers = tuple(DAYS.index(name[-2:]) for name in names)
    if numbers == WORKDAYS:
        days = say("when.workday")
    elif numbers == _ALL_DAYS:
        days = say("when.anyday")
    else:
        days = say("when.and").join(day_name(number) for number in numbers)
    place = place or names[0][:-2]
    if not place:
        return days
    known = say("when.place.last") if int(place) == _LAST else say(f"when.place.{place}")
    return say("when.nth", place=known, day=days)


def _date(until: str) -> str:
    day = datetime.strptime(until, UNTIL)  # noqa: DTZ007 - a wall time
    return f"{day.day} {month_name(day.month)} {day.year}"
