"""Talking: a typed line becomes a turn, what it fires is posted and its delivery confirmed."""

from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from zoneinfo import ZoneInfo

from adapters.console.display import Screen
from adapters.console.world import Said, World, label, principal
from core.errors import RemembrancerError
from core.limits import LIMITS
from core.services.context import Context
from core.services.deliver import ConfirmDelivery
from core.services.receive_turn import ReceiveTurn
from core.services.space_settings import ReadSettings
from core.settings import Setting
from core.standing.gates import Reason
from core.standing.outcome import Reminder
from core.text.zones import MarkedText
from core.turn import Turn, Where
from core.wording.lines import Line, Mood, line
from core.wording.reminders import reminder_line
from core.wording.shown import cut_lines


@dataclass(frozen=True, slots=True)
class Desk:
    """What every part of the console works with."""

    ctx: Context
    world: World
    screen: Screen

    @property
    def zone(self) -> tzinfo:
        """The zone of this space, in which times are read and shown."""
        return ZoneInfo(str(ReadSettings(self.ctx)(self.world.where)[Setting.ZONE]))

    def now(self) -> datetime:
        """The injected clock."""
        return self.ctx.clock.now()

    def private(self, *lines: Line) -> None:
        """Answer the person typing."""
        self.screen.private(lines)


def error_lines(error: RemembrancerError) -> list[Line]:
    """A refusal and what to do next."""
    lines = [line("console.error", Mood.BAD, text=error.sentence)]
    return [*lines, line("console.hint", Mood.FAINT, text=error.hint)] if error.hint else lines


def turn_of(desk: Desk, said: Said, where: Where) -> Turn:
    """A message as the use cases want it."""
    people = desk.world.people()
    words = {word.strip(".,;:!?").removeprefix("@").casefold() for word in said.text.split() if word[:1] == "@"}
    return Turn(
        where=where,
        message_id=said.message_id,
        text=MarkedText(said.text),
        sent_at=said.sent_at,
        received_at=desk.now(),
        sender=principal(said.name),
        sender_name=said.name,
        edited=said.edited,
        mentions=tuple(principal(name) for name in sorted(words & people.keys())),
    )


def say_message(desk: Desk, text: str) -> Said:
    """An ordinary message of the person typing, from here and now."""
    said = Said(desk.ctx.ids.uuid(), desk.world.name, text, desk.now())
    _receive(desk, said)
    return said


def edit_message(desk: Desk, old: Said, text: str) -> None:
    """The same message with other words: it keeps its id and the time when it was sent."""
    _receive(desk, replace(old, text=text, edited=True))


def _receive(desk: Desk, said: Said) -> None:
    desk.world.remember(replace(said, text=said.text[: LIMITS.turn_chars]))
    outcome = ReceiveTurn(desk.ctx)(turn_of(desk, said, desk.world.where))
    for reminder in outcome.fires:
        deliver(desk, reminder)
    if outcome.truncated:
        desk.private(line("turn.truncated", Mood.WARNING))
    desk.private(*cut_lines(outcome.cut, outcome.probe_cut))
    if outcome.ignored is Reason.DEADLINE:
        desk.private(line("console.late", Mood.WARNING))


def deliver(desk: Desk, reminder: Reminder) -> None:
    """Post a reminder if that can be done now; a direct message to somebody else and a held one wait."""
    world = desk.world
    if reminder.held_until is not None:
        return
    if reminder.recipient is None:
        post(desk, reminder, reminder.post_in or world.where)
    elif reminder.recipient == principal(world.name):
        post(desk, reminder, world.direct())


def post(desk: Desk, reminder: Reminder, where: Where) -> None:
    """Post a reminder, then record that it was delivered."""
    desk.screen.posted(label(where), reminder_line(reminder, desk.now(), desk.zone))
    ConfirmDelivery(desk.ctx).delivered(reminder.fire_id)
