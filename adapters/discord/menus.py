"""What stands below a list and below what was chosen from it. Everything it is about travels in it. Pure."""

from dataclasses import dataclass

from adapters.base.contract import Button
from adapters.base.listing import beside, data_of
from adapters.discord.views import DATA_CHARS, Menu, Option
from core.catalogue import say
from core.services.read_intents import Page
from core.services.timed import TimedPage
from core.standing.intent import LIVE, StandingIntent, Status
from core.standing.typed import Listing
from core.timed.commands import TimedListing
from core.timed.reminder import TimedReminder

RULE, REMINDER = "rule", "clocked"
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


def below_list(wanted: Listing | TimedListing, page: Page | TimedPage) -> Below:
    """The way to the pages beside this one, and to what is on it."""
    buttons = beside(lambda number: data_of(wanted, number), page.number, page.pages, DATA_CHARS)
    if isinstance(page, Page):
        rules = tuple(Option(row.description, row.handle, row.handle) for row in page.rows)
        return Below(buttons, Menu(RULE, say("discord.pick.rule"), rules) if rules else None)
    reminders = tuple(Option(row.text, row.handle, row.handle) for row in page.rows)
    return Below(buttons, Menu(REMINDER, say("discord.pick.reminder"), reminders) if reminders else None)


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
