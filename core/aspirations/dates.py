"""When an aspiration is looked at again: the default, what people type, and the instant it stands for. Pure."""

from collections.abc import Callable
from datetime import date, datetime, time, timedelta, tzinfo

from core.catalogue import say
from core.errors import InvalidInput
from core.limits import Limits
from core.settings import first_instant
from core.standing.durations import looks_like_moment, parse_duration, parse_moment

ReadDay = Callable[[str, datetime, tzinfo], date]
"""Reads what a person typed as a day, seen from an instant, in a zone. Raises InvalidInput."""

MORNING = time(9)
AHEAD = timedelta(days=30)
_FIRST, _LAST = date(1970, 1, 1), date(9000, 1, 1)


def read_review(text: str, now: datetime, zone: tzinfo) -> date:
    """An ISO date (`2026-12-31`) or a length of time from now (`90d`) as a day. Raises InvalidInput."""
    if looks_like_moment(text):
        return parse_moment(text, zone).astimezone(zone).date()
    try:
        return (now + parse_duration(text)).astimezone(zone).date()
    except (InvalidInput, OverflowError):
        raise InvalidInput(say("aspire.day.bad", text=text[:40]), say("aspire.day.bad.hint")) from None


def default_review(today: date) -> date:
    """The first end of a quarter that is 30 days ahead at least."""
    wanted = today + AHEAD
    month = (wanted.month - 1) // 3 * 3 + 3
    return date(wanted.year + month // 12, month % 12 + 1, 1) - timedelta(days=1)


def morning(day: date, zone: tzinfo) -> datetime:
    """09:00 of that day in `zone`, aware UTC. Of days that no clock shows the nearest one counts: it never fails."""
    return first_instant(min(max(day, _FIRST), _LAST), MORNING, zone)


def check_day(day: date, now: datetime, zone: tzinfo, limits: Limits) -> date:
    """A day whose morning is to come, at most `aspiration_ahead` from today. Raises InvalidInput."""
    today = now.astimezone(zone).date()
    if morning(day, zone) <= now:
        raise InvalidInput(say("aspire.day.past", day=day), say("aspire.day.past.hint"))
    if day > today + limits.aspiration_ahead:
        years = limits.aspiration_ahead.days // 365
        raise InvalidInput(say("aspire.day.far", day=day, years=years), say("aspire.day.past.hint"))
    return day
