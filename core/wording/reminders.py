"""The reminder that a bot posts: one fixed template (design 01, section 7). Pure."""

from datetime import datetime, tzinfo

from core.limits import LIMITS
from core.standing.durations import show_soon
from core.standing.intent import CooldownPer
from core.standing.outcome import Reminder
from core.turn import machine_kind
from core.wording.lines import Line, Named, joined, line
from core.wording.words import closed, machine_words, place_words

_QUIET = {
    CooldownPer.INTENT: "reminder.quiet",
    CooldownPer.CONVERSATION: "reminder.quiet.here",
    CooldownPer.SENDER: "reminder.quiet.sender",
}

_HEADS = {
    (False, False): "reminder.head",
    (False, True): "reminder.head.in",
    (True, False): "reminder.head.machine",
    (True, True): "reminder.head.machine.in",
}
"""By whether a bot or webhook said it, and whether it was said elsewhere."""


def creator_words(reminder: Reminder) -> str | Named:
    """The name of who is reminded, who is mentioned by it only when somebody else triggered it."""
    name = reminder.creator_name or reminder.creator.user_id
    return name if reminder.sender == reminder.creator else Named(name, reminder.creator)


def reminder_line(reminder: Reminder, now: datetime, zone: tzinfo) -> Line:
    """`Reminder for @ada: ... (@bob said *x*) · 1 of 3 · quiet until Tue 14:05 · i-7k2m`."""
    return joined(reminder_parts(reminder, now, zone), " · ")


def reminder_parts(reminder: Reminder, now: datetime, zone: tzinfo) -> list[Line]:
    """What is to be done, and the facts about it: at least how many of how many, and the name of the rule.

    Every one names its rule behind a `·`: `core.standing.machines` knows copies of our words by that.

    Its creator is mentioned when somebody else triggered it; who triggered it never is. One that is no reply says
    where it was said, too; one that comes `on_time` or more after its fire, when it fired.
    """
    said_in, kind = reminder.said_in, machine_kind(reminder.sender)
    sender = reminder.sender_name or reminder.sender.user_id
    parts = [
        line(
            _HEADS[kind is not None, said_in is not None],
            creator=creator_words(reminder),
            text=closed(reminder.description),
            sender=sender if kind is None else machine_words(kind, sender),
            entry=reminder.entry,
            place="" if said_in is None else place_words(said_in),
        ),
        line("reminder.count", number=reminder.number, limit=reminder.max_fires),
    ]
    if reminder.late_since is not None and now - reminder.late_since >= LIMITS.on_time:
        parts.append(line("reminder.late", time=show_soon(reminder.late_since, now, zone)))
    if reminder.quiet_until is not None and reminder.quiet_until > now:
        time = show_soon(reminder.quiet_until, now, zone)
        parts.append(line(_QUIET[reminder.cooldown_per], time=time, sender=sender))
    parts.append(line("reminder.handle", handle=reminder.handle))
    if reminder.goal:
        parts.append(line("reminder.goal", handle=reminder.goal, text=closed(reminder.goal_text)))
    if reminder.last:
        parts.append(line("reminder.last"))
    return parts
