"""Timed reminders in words: the message itself, its read-back, lists. Pure."""

from core.catalogue import say
from core.services.timed import TimedPage
from core.timed.due import DueReminder
from core.timed.instants import ZoneOf, due_of
from core.timed.reminder import TimedReminder, TimedStatus
from core.timed.when import When
from core.wording.lines import Line, Mood, Named, fact, joined, line
from core.wording.shown import Clockface
from core.wording.whens import note_lines, rule_words, when_line
from core.wording.words import closed


def timed_line(due: DueReminder, face: Clockface) -> Line:
    """`Reminder for @ada: Check the logs. · every weekday at 09:30, next Mon 7 Dec 09:30 · r-7k2m`."""
    return joined(timed_parts(due, face), " · ")


def timed_parts(due: DueReminder, face: Clockface) -> list[Line]:
    """What is to be done, and the facts about it.

    A late one says when it was due. Who is mentioned stands there once; a reminder for everybody mentions nobody.
    """
    row = due.reminder
    parts = [_head(row)]
    if due.late:
        parts.append(line("timed.late", time=face.dated(due.due_at)))
    if due.missed:
        parts.append(line("timed.missed.one" if due.missed == 1 else "timed.missed.many", count=due.missed))
    if row.recurring and row.due_at is not None:
        parts.append(line("timed.next", every=rule_words(row.when, face.zone), time=face.dated(row.due_at)))
    parts.append(line("reminder.handle", handle=row.handle))
    if due.last:
        parts.append(line("reminder.last"))
    return parts


def _head(row: TimedReminder) -> Line:
    text = closed(row.text)
    if row.for_all:
        return line("timed.head.all", text=text, creator=row.creator_name)
    target = Named(row.target_name, row.target)
    if row.target != row.creator:
        return line("timed.head.other", target=target, creator=row.creator_name, text=text)
    return line("timed.head", target=target, text=text)


def made_lines(row: TimedReminder, face: Clockface) -> list[Line]:
    """The read-back: for whom, of what, when in full, what was assumed, and how to cancel it."""
    who = "all" if row.for_all else "me" if row.target == row.creator else "other"
    head = line(f"remind.made.{who}", Mood.GOOD, name=row.target_name, text=closed(row.text))
    lines = [head, line("remind.made.when", when=_in_full(row, face))]
    lines.extend(note_lines(row.when))
    if row.direct:
        lines.append(line("remind.made.direct"))
    return [*lines, line("remind.made.cancel", Mood.FAINT, handle=row.handle)]


def guess_lines(when: When, face: Clockface, zone_of: ZoneOf) -> list[Line]:
    """How a time was read that is a guess, and the question."""
    due_at = due_of(when, zone_of)
    read = line("remind.guess", Mood.WARNING, when=when_line(when, due_at, face.zone, face.now))
    return [read, line("remind.guess.ask", Mood.HEAD)]


def _in_full(row: TimedReminder, face: Clockface) -> Line | str:
    return "" if row.due_at is None else when_line(row.when, row.due_at, face.zone, face.now)


def timed_page_lines(page: TimedPage, face: Clockface) -> list[Line]:
    """Two lines a reminder, and one for the pages."""
    if not page.rows:
        return [line("timed.list.empty", Mood.FAINT)]
    lines: list[Line] = []
    for row in page.rows:
        lines.append(line("timed.list.row", handle=row.handle, text=_text(row), time=_state(row, face)))
        lines.append(line("timed.list.more", Mood.FAINT, text=joined(_facts(row, page, face), " · ")))
    kind = "pages" if page.number < page.pages else "end" if page.pages > 1 else "one" if page.total == 1 else "total"
    facts = {"total": page.total, "page": page.number, "pages": page.pages, "next": page.number + 1}
    return [*lines, line(f"timed.list.{kind}", Mood.FAINT, **facts)]


def _text(row: TimedReminder) -> str:
    return closed(row.text) or say("notice.erased")


def _state(row: TimedReminder, face: Clockface) -> Line:
    """When it comes, or what became of it."""
    if row.due_at is not None:
        return line("when.once", time=face.dated(row.due_at))
    if row.status is TimedStatus.CANCELLED:
        return line("timed.state.cancelled")
    assert row.last_due_at is not None, "what is over has come"  # noqa: S101
    key = "timed.state.past" if row.waiting else "timed.state.done"
    return line(key, time=face.dated(row.last_due_at))


def _facts(row: TimedReminder, page: TimedPage, face: Clockface) -> list[Line]:
    facts = [fact(_for_whom(row))]
    if row.recurring:
        facts.append(fact(rule_words(row.when, face.zone)))
    name = page.channels.get(row.channel, "")
    if not name or row.direct:
        facts.append(line("timed.by_dm"))
    elif row.channel != page.here:
        facts.append(line("place.channel", name=name))
    if row.status is not TimedStatus.CANCELLED and row.waiting:
        facts.append(line("timed.again", handle=row.handle))
    return facts


def _for_whom(row: TimedReminder) -> str:
    if row.for_all:
        return say("timed.for.all", creator=row.creator_name)
    key = "timed.for.self" if row.target == row.creator else "timed.for.other"
    return say(key, name=row.target_name, creator=row.creator_name)


def timed_view_lines(row: TimedReminder, face: Clockface) -> list[Line]:
    """One reminder in full."""
    lines = [
        line("timed.show.head", Mood.HEAD, handle=row.handle, text=_text(row)),
        line("timed.show.who", who=_for_whom(row), made=face.full(row.created_at)),
    ]
    if row.due_at is not None:
        lines.append(line("timed.show.next", when=_in_full(row, face), zone=row.when.zone))
    if row.last_due_at is not None:
        lines.append(line("timed.show.last", time=face.full(row.last_due_at), count=row.fired))
    if row.due_at is None:
        lines.append(line("timed.show.state", state=_state(row, face)))
    if row.status is not TimedStatus.CANCELLED and row.waiting:
        lines.append(line("timed.show.waiting", Mood.FAINT, handle=row.handle))
    return lines
