"""Deadlines as people say them: the grammar of `/remind`, but a day without an hour is the end of that day. Pure."""

from datetime import datetime, time

from core.catalogue import say
from core.errors import InvalidInput
from core.limits import LIMITS
from core.standing.options import SHOWN
from core.timed.calendar import DateReader
from core.timed.grammar import Here, check_future, parse_when
from core.timed.instants import ZoneOf, wall, with_notes
from core.timed.when import Note, Resolution, When

END_OF_DAY = time(23, 59, 59)


def read_deadline(
    text: str, now: datetime, zone: str, zone_of: ZoneOf, reader: DateReader | None = None, language: str = "en"
) -> When:
    """The time that `text` as a whole names, seen from the aware `now` in the zone named `zone`; in the future.

    What our grammar does not know is shown to a library of dates, and what that reads is marked as GUESSED. Raises
    InvalidInput for what neither can read, and as `parse_when` does.
    """
    found = parse_when(text, now, zone, zone_of, END_OF_DAY)
    if found is not None:
        return found
    here = Here(now, zone, zone_of, END_OF_DAY)
    local = None
    if reader is not None and len(text) <= LIMITS.reader_chars:
        local = reader.read(text, wall(now, zone_of(zone)).replace(fold=0), language)
    if local is None:
        raise InvalidInput(say("goal.due.unread", text=text[:SHOWN]), say("goal.due.unread.hint"))
    when = When(local, zone, Resolution.MINUTE, "", (Note.GUESSED,))
    check_future(when, here)
    return with_notes(when, zone_of)
