"""A parcel as a post: words and buttons. Pure."""

from collections.abc import Callable
from datetime import datetime, tzinfo

from adapters.base.buttons import Action, Press, encode, short_id
from adapters.base.contract import Button, Post
from adapters.base.goal_buttons import below_news
from core.catalogue import say
from core.services.notices import Notice, NoticeKind
from core.services.parcels import Parcel, Unreached
from core.standing.outcome import Reminder
from core.timed.due import DueReminder
from core.turn import Principal
from core.wording.lines import Line, apart, joined
from core.wording.notices import Names, notice_lines, unreached_line
from core.wording.reminders import reminder_parts
from core.wording.shown import Clockface
from core.wording.timed import timed_parts

Buttons = tuple[tuple[Button, ...], ...]
GOAL_BUTTONS = 24
"""So many buttons about goals a notice has at most: what asks for more is answered by command."""


def post_of(parcel: Parcel, now: datetime, zone: tzinfo, faint: bool = False) -> Post:
    """What is sent for a parcel; a repetition has the same nonce. TypeError for a kind that has no words here.

    `faint`: the platform can show the facts about a reminder in small letters below it.
    """
    lines, buttons = _content(parcel.content, now, zone, apart if faint else _in_one)
    reminder = parcel.reminder
    about = reminder.said_in if reminder is not None and reminder.recipient is not None else None
    return Post(parcel.to, lines, buttons, parcel.reply_to, short_id(parcel.item_id), about)


def _in_one(parts: list[Line]) -> tuple[Line, ...]:
    return (joined(parts, " · "),)


def _content(
    content: object, now: datetime, zone: tzinfo, laid_out: Callable[[list[Line]], tuple[Line, ...]]
) -> tuple[tuple[Line, ...], Buttons]:
    match content:
        case Reminder():
            return laid_out(reminder_parts(content, now, zone)), reminder_buttons(content)
        case Notice():
            return tuple(notice_lines(content, Clockface(now, zone), _names(content))), _notice_buttons(content)
        case DueReminder():
            return laid_out(timed_parts(content, Clockface(now, zone))), _timed_buttons(content)
        case Unreached():
            return (unreached_line(content),), ()
        case _:
            raise TypeError(f"no words for {type(content).__name__}")


def reminder_buttons(reminder: Reminder) -> Buttons:
    """[Done] [Later], [Mute here] [Why?], and [Renew] under the last of the budget."""
    fire = reminder.fire_id
    rows = (
        (_button("button.done", Action.DONE, fire), _button("button.later", Action.LATER, fire)),
        (_button("button.mute", Action.MUTE, fire), _button("button.why", Action.WHY, fire)),
    )
    return (*rows, (_button("button.renew", Action.RENEW, fire),)) if reminder.last else rows


def _timed_buttons(due: DueReminder) -> Buttons:
    """[Done] [Later]."""
    row = due.reminder.id
    return ((_button("button.done", Action.TIMED_DONE, row), _button("button.later", Action.TIMED_LATER, row)),)


def _notice_buttons(notice: Notice) -> Buttons:
    """Answers to what a notice asks, two in a row; each question has all of its answers, or none."""
    found: list[Button] = []
    for news in notice.news:
        answers = below_news(news)
        if len(found) + len(answers) <= GOAL_BUTTONS:
            found += answers
    rows = (tuple(found[start : start + 2]) for start in range(0, len(found), 2))
    return (*_keep_buttons(notice), *rows)


def _keep_buttons(notice: Notice) -> Buttons:
    asked = (news.intent for news in notice.news if news.kind is NoticeKind.EXPIRING)
    return tuple(
        (Button(say("button.keep", handle=intent.handle), encode(Press(Action.KEEP, intent.id))),)
        for intent in asked
        if intent is not None
    )


def _button(key: str, action: Action, id_: str) -> Button:
    return Button(say(key), encode(Press(action, id_)))


def _names(notice: Notice) -> Names:
    known = {news.who: news.who_name for news in notice.news}

    def name(person: Principal) -> str:
        return known.get(person) or person.user_id

    return name
