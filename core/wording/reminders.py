"""The reminder that a bot posts: one fixed template (design 01, section 7). Pure."""

from datetime import datetime, tzinfo

from core.limits import LIMITS
from core.standing.durations import show_soon
from core.standing.intent import CooldownPer
from core.standing.outcome import Reminder
from core.wording.lines import Line, Named, joined, line
from core.wording.words import closed, place_words

_QUIET = {
    CooldownPer.INTENT: "reminder.quiet",
    CooldownPer.CONVERSATION: "reminder.quiet.here",
    CooldownPer.SENDER: "reminder.quiet.sender",
}


def creator_words(reminder: Reminder) -> str | Named:
    """The name of who is reminded, who is mentioned by it only when somebody else triggered it."""
    name = reminder.creator_name or reminder.creator.user_id
    return name if reminder.sender == reminder.creator else Named(name, reminder.creator)


def reminder_line(reminder: Reminder, now: datetime, zone: tzinfo) -> Line:
    """`Reminder for @ada: ... (@bob said *x*) · 1 of 3 · quiet until Tue 14:05 · i-7k2m`.

    Its creator is mentioned when somebody else triggered it; who triggered it never is. One that is no reply says
    where it was said, too; one that comes `on_time` or more after its fire, when it fired.
    """
    said_in = reminder.said_in
    parts = [
        line(
            "reminder.head" if said_in is None else "reminder.head.in",
            creator=creator_words(reminder),
            text=closed(reminder.description),
            sender=reminder.sender_name or reminder.sender.user_id,
            entry=reminder.entry,
            place="" if said_in is None else place_words(said_in),
        ),
        line("reminder.count", number=reminder.number, limit=reminder.max_fires),
    ]
    if reminder.late_since is not None and now - reminder.late_since >= LIMITS.on_time:
        parts.append(line("reminder.late", time=show_soon(reminder.late_since, now, zone)))
    if reminder.quiet_until is not None and reminder.quiet_until > now:
        time, sender = show_soon(reminder.quiet_until, now, zone), reminder.sender_name or reminder.sender.user_id
        parts.append(line(_QUIET[reminder.cooldown_per], time=time, sender=sender))
    parts.append(line("reminder.handle", handle=reminder.handle))
    if reminder.last:
        parts.append(line("reminder.last"))
    return joined(parts, " · ")
