"""What stands below a list and below what was chosen from it. Everything it is about travels in it. Pure."""

from dataclasses import dataclass

from adapters.base.contract import Button
from adapters.base.goal_buttons import GoalPress, below_goal, goal_press_of
from adapters.base.listing import Wanted, beside, data_of
from adapters.discord.views import DATA_CHARS, Menu, Option
from core.catalogue import say
from core.goals.objects import IntentObject
from core.services.answer_goal import Answer
from core.services.read_goals import GoalPage, GoalView
from core.services.read_intents import Page
from core.services.timed import TimedPage
from core.standing.intent import LIVE, StandingIntent, Status
from core.timed.reminder import TimedReminder

RULE, REMINDER, GOAL, INSTEAD = "rule", "clocked", "goalshow", "goalinstead"
"""What the data of a menu begins with: what is chosen in it."""
DO = "do"
"""What the data of a button begins with that carries out a verb for a handle: `do:pause:i-7k2m`."""
RULE_VERBS = ("pause", "resume", "why", "history", "test", "cancel")
REMINDER_VERBS = ("done", "cancel")
Buttons = tuple[tuple[Button, ...], ...]


@dataclass(frozen=True, slots=True)
class Below:
    """Buttons and a menu, either of which may not be there."""

    buttons: Buttons = ()
    menu: Menu | None = None


NOTHING = Below()


def below_list(wanted: Wanted, page: Page | TimedPage | GoalPage) -> Below:
    """The way to the pages beside this one, and to what is on it."""
    buttons = beside(lambda number: data_of(wanted, number), page.number, page.pages, DATA_CHARS)
    if isinstance(page, Page):
        rules = tuple(Option(row.description, row.handle, row.handle) for row in page.rows)
        return Below(buttons, Menu(RULE, say("discord.pick.rule"), rules) if rules else None)
    if isinstance(page, GoalPage):
        goals = tuple(Option(row.value or row.handle, row.handle, row.handle) for row in page.rows)
        return Below(buttons, Menu(GOAL, say("discord.pick.goal"), goals) if goals else None)
    reminders = tuple(Option(row.text, row.handle, row.handle) for row in page.rows)
    return Below(buttons, Menu(REMINDER, say("discord.pick.reminder"), reminders) if reminders else None)


def below_one(view: GoalView) -> Below:
    """What can be done with a goal as it is; whether its reader may, is asked when they press it."""
    buttons = below_goal(view)
    return Below((buttons,) if buttons else ())


def instead(press: GoalPress, rows: tuple[IntentObject, ...]) -> Below:
    """What a goal could wait for in place of what is over."""
    options = tuple(Option(row.value or row.handle, row.handle, row.handle) for row in rows)
    data = f"{INSTEAD}:{press.handle}:{press.prerequisite}"
    return Below((), Menu(data, say("discord.pick.instead"), options) if options else None)


def instead_of(data: str, chosen: str) -> GoalPress | None:
    """What was chosen in that menu; None for data that nobody made."""
    _, _, rest = data.partition(":")
    return goal_press_of(GoalPress(Answer.REPLACE, rest, replacement=chosen).data)


def below_rule(row: StandingIntent) -> Buttons:
    """What can be done with a rule as it is; whether its reader may, is asked when they press it."""
    live = row.status in LIVE
    verbs = ["resume" if row.status is Status.PENDING else "pause", "why", "test"] if live else []
    return _done_with(row.handle, [*verbs, "history", *(["cancel"] if live else [])])


def below_reminder(row: TimedReminder) -> Buttons:
    """What can be done with a reminder by the clock: it is done once it has come."""
    verbs = [*(["done"] if row.waiting else []), *(["cancel"] if row.due_at is not None else [])]
    return _done_with(row.handle, verbs) if verbs else ()


def _done_with(handle: str, verbs: list[str]) -> Buttons:
    return (tuple(Button(say(f"discord.do.{verb}"), f"{DO}:{verb}:{handle}") for verb in verbs),)


def verb_of(data: str) -> tuple[str, str] | None:
    """The verb and the handle of a button; None for what nobody made."""
    _, _, rest = data.partition(":")
    verb, _, handle = rest.partition(":")
    known = REMINDER_VERBS if handle.startswith("r-") else RULE_VERBS if handle.startswith("i-") else ()
    return (verb, handle) if verb in known else None
