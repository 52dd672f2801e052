"""Times as people type them, read by our own grammar. English. Pure, deterministic, total, linear in the text.

`parse_when` reads a whole text. What is left open is filled in and noted: no hour is the default hour, a time that is
past today is the next one, an hour of today without am or pm whose morning is past is the afternoon's. A month is
never left to its neighbour: one from 31 January is the last of February, and the end of June is 30 June.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta, tzinfo

from core.catalogue import say
from core.errors import InvalidInput, LimitExceeded
from core.limits import LIMITS
from core.standing.durations import show_moment
from core.standing.phrases import words_of
from core.timed.clock import LATE, may_be_later, possible, readings, shown, times_on
from core.timed.dates import add_months, dates_of
from core.timed.instants import ZoneOf, due_of, instant, is_doubled, wall, with_notes
from core.timed.reading import read_said
from core.timed.repeating import Pattern, pattern_of
from core.timed.rules import UNTIL, too_often, write_rule
from core.timed.said import (
    EVENING,
    EXACT_FREQS,
    NIGHT,
    Day,
    Edge,
    Freq,
    Half,
    Relative,
    Repeat,
    Said,
    Span,
    Week,
    Weekdays,
    tokens_of,
)
from core.timed.when import Note, Resolution, When
from core.timed.zones import FoundZone, find_zone, names_in

DEFAULT_TIME = time(9)
_LAST_SECOND = time(23, 59, 59)
_STEPS = {Freq.SECONDLY: 1, Freq.MINUTELY: 60, Freq.HOURLY: 3_600}


@dataclass(frozen=True, slots=True)
class Here:
    """From where a time is seen: the aware instant, the speaker's zone, the zone data, and the default hour."""

    now: datetime
    zone: str
    zone_of: ZoneOf
    default: time = DEFAULT_TIME


def parse_when(text: str, now: datetime, zone: str, zone_of: ZoneOf, default: time = DEFAULT_TIME) -> When | None:
    """The time that `text` as a whole names, seen from the aware `now` in the zone named `zone`; always in the future.

    None for what the grammar does not know and for a text beyond `when_chars` or `when_words`. Raises InvalidInput for
    a time that cannot be, is past, is too far, or can be read in two ways; it says which, and what to write.
    """
    said = read_whole(text)
    return None if said is None else resolve(said, Here(now, zone, zone_of, default))


def read_whole(text: str) -> Said | None:
    """The parts of a text that is nothing but a time."""
    if len(text) > LIMITS.when_chars:
        return None
    tokens = tokens_of(words_of(text))
    said, end = read_said(tokens)
    return said if tokens and end == len(tokens) and said.names_time else None


def resolve(said: Said, here: Here) -> When:
    """The time that the parts name together. Raises InvalidInput as `parse_when` does."""
    if said.twice or (said.span and (said.repeat or (said.span.seconds and (said.clock or said.part)) or said.day)):
        raise InvalidInput(say("time.twice"), say("time.twice.hint"))
    if said.clock and not possible(said.clock):
        raise InvalidInput(say("time.no_clock", time=shown(said.clock)), say("time.no_clock.hint"))
    zone = _zone(said, here)
    try:
        when = _resolved(said, _seen_in(zone, here))
        if zone.rules:
            when = _at_home(when, zone, here)
        check_future(when, here)
        return with_notes(_with_zone_note(when, zone, here), here.zone_of)
    except (OverflowError, ValueError):  # beyond the calendar
        raise _too_far() from None


def _resolved(said: Said, here: Here) -> When:
    if said.repeat and said.repeat.freq in EXACT_FREQS:
        return _exact_rule(said, said.repeat, here)
    if said.repeat:
        return _rule(said, said.repeat, here)
    if said.start or said.until or said.count is not None or said.length:
        raise InvalidInput(say("time.mixed"), say("time.mixed.hint"))
    return _after(said, said.span, here) if said.span else _once(said, here)


def _zone(said: Said, here: Here) -> FoundZone:
    if said.zone is None:
        return FoundZone(here.zone)
    return find_zone(said.zone, here.zone, here.zone_of, here.now.year)


def _seen_in(zone: FoundZone, here: Here) -> Here:
    """The same instant, from the zone that was said."""
    rules = zone.rules
    return replace(here, zone=zone.name, zone_of=here.zone_of if rules is None else lambda _: rules)


def _at_home(when: When, zone: FoundZone, here: Here) -> When:
    """A time in an offset without a name, as the speaker's own wall time."""
    if when.rule or zone.rules is None:
        raise InvalidInput(say("time.zone.offset", zone=zone.name), say("time.zone.unknown.hint"))
    local = wall(instant(when.local, zone.rules), here.zone_of(here.zone))
    return replace(when, local=local, zone=here.zone)


def _with_zone_note(when: When, zone: FoundZone, here: Here) -> When:
    """`EST` on a day on which New York keeps another time is said; so is one that the zone does not know."""
    if not zone.abbreviation:
        return _noted(when, Note.ZONE_RULES) if zone.noted and zone.name != here.zone else when
    rules = here.zone_of(zone.name)
    if when.resolution is not Resolution.EXACT and not when.rule:  # the second one of a doubled hour
        folds = (replace(when, local=when.local.replace(fold=fold)) for fold in (0, 1))
        doubled = is_doubled(when.local, rules)
        when = next((one for one in folds if doubled and _name(one, here, rules) == zone.abbreviation), when)
    name = _name(when, here, rules)
    known = names_in(rules, when.local.year)
    return when if name == zone.abbreviation or zone.abbreviation not in known else _noted(when, Note.ZONE_RULES)


def _name(when: When, here: Here, rules: tzinfo) -> str | None:
    return due_of(when, here.zone_of).astimezone(rules).tzname()


def _noted(when: When, *notes: Note) -> When:
    return replace(when, notes=tuple(dict.fromkeys((*when.notes, *notes))))


def check_future(when: When, here: Here) -> None:
    """Raises InvalidInput for a time that is past, LimitExceeded for one beyond `due_ahead`."""
    due = due_of(when, here.zone_of)
    if due - here.now > LIMITS.due_ahead:
        raise _too_far()
    if due <= here.now:
        raise _past(due, here)


def _past(due: datetime, here: Here) -> InvalidInput:
    return InvalidInput(say("time.past", time=show_moment(due, here.zone_of(here.zone))), say("time.past.hint"))


def _too_far() -> LimitExceeded:
    years = LIMITS.due_ahead.days // 365
    return LimitExceeded(say("time.far"), say("time.far.hint", years=years), name="due_ahead", limit=years)


def _after(said: Said, span: Span, here: Here) -> When:
    """`in 5 minutes`, `in 1 month`, `in 3 days at 9`."""
    if not (span.months or span.days or span.seconds):
        raise InvalidInput(say("time.zero"), say("time.zero.hint"))
    zone = here.zone_of(here.zone)
    sign = -1 if said.ago else 1
    local = wall(here.now, zone)
    day = add_months(local.date(), sign * span.months)
    notes = (Note.SHORT_MONTH,) if day.day != local.day else ()
    day += timedelta(days=sign * span.days)
    moved = datetime.combine(day, local.time())
    if not (span.months or span.days):
        due = here.now + sign * timedelta(seconds=span.seconds)
        return When(wall(due, zone), here.zone, Resolution.EXACT)
    if span.seconds:
        due = instant(moved, zone) + sign * timedelta(seconds=span.seconds)
        return When(wall(due, zone), here.zone, Resolution.EXACT, "", notes)
    if said.clock or said.part:
        local, _ = _pick(_times(said, iter((day,)), here, local.date()), here)
        return When(local, here.zone, Resolution.MINUTE, "", (*notes, *_assumed(said, local, local.date())))
    return When(moved.replace(second=0, microsecond=0, fold=0), here.zone, Resolution.MINUTE, "", notes)


def _once(said: Said, here: Here) -> When:
    if isinstance(said.day, Weekdays) and len(said.day.days) > 1:
        raise InvalidInput(say("time.weekdays"), say("time.weekdays.hint"))
    today = wall(here.now, here.zone_of(here.zone)).date()
    dates = iter((today, today + timedelta(days=1))) if said.day is None else dates_of(said.day, today)
    local, skipped = _pick(_times(said, dates, here, today), here)
    closing = _closes(said)
    open_hour = not (said.has_hour or closing)
    notes = [Note.DEFAULT_HOUR] if open_hour else []
    if skipped and not (said.clock and said.clock.midnight):
        notes.append(Note.NEXT_DAY)
    notes.extend(_assumed(said, local, today))
    return When(local, here.zone, Resolution.DAY if open_hour else Resolution.MINUTE, "", tuple(notes))


def _assumed(said: Said, local: datetime, today: date) -> tuple[Note, ...]:
    """What was taken for granted of the hour and of the week."""
    clock, notes = said.clock, []
    if clock and clock.half is Half.OPEN and not said.part and clock.hour < 12 and local.hour == clock.hour + 12:
        notes.append(Note.AFTERNOON)
    if said.part and clock is None:
        notes.append(Note.PART)
    if _closes(said):
        notes.append(Note.CLOSING)
    following = isinstance(said.day, Weekdays) and said.day.week is Week.NEXT
    if following and local.date() - today > timedelta(days=7):
        notes.append(Note.NEXT_WEEK)
    return tuple(notes)


def _closes(said: Said) -> bool:
    """Was the end of a day meant? `by friday`, `end of june`."""
    return not said.has_hour and (said.by_day or (isinstance(said.day, Edge) and said.day.closing))


def _times(said: Said, dates: Iterator[date], here: Here, today: date) -> Iterator[tuple[datetime, bool]]:
    """The wall times that were possibly meant, the likeliest first, and whether each is today's."""
    midnight = said.clock is not None and said.clock.midnight
    for day in dates:
        later = day == today and not said.repeat and may_be_later(said.clock, said.day == Relative(0))
        default = LATE if _closes(said) else here.default
        for local in readings(day, said.clock, said.part, default, later):
            whole = (
                midnight
                and (said.day is not None or said.span is not None)
                and said.part in {"", NIGHT, EVENING}
                and not said.repeat
            )
            yield local + timedelta(days=int(whole)), day == today


def _pick(times: Iterator[tuple[datetime, bool]], here: Here) -> tuple[datetime, bool]:
    """The first of these wall times that is still to come, and whether one of today was left out for it.

    Raises InvalidInput with the first one when all are past.
    """
    zone: tzinfo = here.zone_of(here.zone)
    first: datetime | None = None
    skipped = False
    for local, of_today in times:
        for fold in (0, 1):
            if (due := instant(local.replace(fold=fold), zone)) > here.now:
                again = fold and instant(local.replace(fold=0), zone) != due
                return local.replace(fold=int(bool(again))), skipped and not of_today
        first = first or due
        skipped = skipped or of_today
    raise _past(first, here) if first else InvalidInput(say("time.none"), say("time.none.hint"))


def _rule(said: Said, repeat: Repeat, here: Here) -> When:
    """`every weekday at 9`, `monthly on the 31st until june`."""
    _check_every(repeat)
    today = wall(here.now, here.zone_of(here.zone)).date()
    begin = max(today, _first_date(said.start, today)) if said.start else today
    pattern = pattern_of(repeat, said.day, begin)
    if pattern.freq is not Freq.DAILY and times_on(today, said.clock, said.part, here.default).date() != today:
        raise InvalidInput(say("time.night"), say("time.night.hint"))
    local, _ = _pick(_times(said, pattern.dates, here, today), here)
    closing = _closes(said)
    open_hour = not (said.has_hour or closing)
    notes = ((Note.DEFAULT_HOUR,) if open_hour else ()) + ((Note.SHORT_MONTH,) if pattern.short else ())
    notes += _assumed(said, local, today)
    if repeat.every > 1 and not (said.day or said.start):
        notes += (Note.FIRST,)
    resolution = Resolution.DAY if open_hour else Resolution.MINUTE
    return When(local.replace(fold=0), here.zone, resolution, _written(said, repeat, pattern, local, today), notes)


def _written(said: Said, repeat: Repeat, pattern: Pattern, first: datetime, today: date) -> str:
    return write_rule(pattern.freq, repeat.every, pattern.days, _count(said), _until(said, first, today))


def _check_every(repeat: Repeat) -> None:
    if not repeat.every:
        raise InvalidInput(say("time.every"), say("time.every.hint"))


def _count(said: Said) -> int:
    if said.count is None:
        return 0
    if not said.count:
        raise InvalidInput(say("time.zero"), say("time.zero.hint"))
    if said.count > LIMITS.repeat_count:
        raise LimitExceeded(
            say("time.count", used=said.count, limit=LIMITS.repeat_count),
            say("time.count.hint"),
            name="repeat_count",
            used=said.count,
            limit=LIMITS.repeat_count,
        )
    return said.count


def _until(said: Said, first: datetime, today: date) -> str:
    """The last wall time that a rule may have; "" for none. Raises InvalidInput when it is before the first."""
    if said.length:
        day = add_months(first.date(), said.length.months) + timedelta(days=said.length.days)
        last = datetime.combine(day, first.time()) + timedelta(seconds=said.length.seconds - 1)
        if not said.length.seconds:
            last = datetime.combine(day - timedelta(days=1), _LAST_SECOND)
    elif said.until:
        last = datetime.combine(_first_date(said.until, today), _LAST_SECOND)
    else:
        return ""
    if last < first:
        raise InvalidInput(say("time.until"), say("time.until.hint"))
    return last.strftime(UNTIL)


def _first_date(day: Day, today: date) -> date:
    found = next(dates_of(day, today), None)
    if found is None:
        raise InvalidInput(say("time.none"), say("time.none.hint"))
    return found


def _exact_rule(said: Said, repeat: Repeat, here: Here) -> When:
    """`every 3 hours`, `every 30 minutes starting at 9`: counted in elapsed time from the first one on."""
    _check_every(repeat)
    step = timedelta(seconds=_STEPS[repeat.freq] * repeat.every)
    if step < LIMITS.repeat_gap:
        raise too_often(step)
    zone = here.zone_of(here.zone)
    today = wall(here.now, zone).date()
    start = said.start or (said.day if said.clock else None)
    if said.day and start is not said.day:
        raise InvalidInput(say("time.mixed"), say("time.mixed.hint"))
    if start or said.clock or said.part:
        local = _once(Said(start, said.clock, said.part), here).local
    else:
        local = wall(here.now + step, zone)
    return When(
        local,
        here.zone,
        Resolution.EXACT,
        write_rule(repeat.freq, repeat.every, "", _count(said), _until(said, local, today)),
    )
