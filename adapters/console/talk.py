"""Talking: a typed line becomes a turn, what it fires is posted and its delivery confirmed."""

from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from zoneinfo import ZoneInfo

from adapters.base.contract import Post
from adapters.console.adapter import ConsoleAdapter
from adapters.console.display import Screen
from adapters.console.named import find_place
from adapters.console.world import Said, World, principal
from core.catalogue import say
from core.errors import InvalidInput
from core.limits import LIMITS
from core.services.context import Context
from core.services.deliver import ConfirmDelivery
from core.services.receive_turn import ReceiveTurn
from core.services.space_settings import ReadSettings
from core.settings import Setting
from core.standing.gates import Reason
from core.standing.outcome import Reminder
from core.turn import Actor, Principal, Turn, TurnKind, Where
from core.wording.lines import Line, Mood, line
from core.wording.readback import Question
from core.wording.reminders import reminder_line
from core.wording.shown import cut_lines


@dataclass(frozen=True, slots=True)
class Desk:
    """What every part of the console works with."""

    ctx: Context
    world: World
    screen: Screen
    adapter: ConsoleAdapter

    @property
    def zone(self) -> tzinfo:
        """The zone of this space, in which times are read and shown."""
        return ZoneInfo(str(ReadSettings(self.ctx)(self.world.where)[Setting.ZONE]))

    @property
    def where(self) -> Where:
        """Where the person typing is."""
        return self.world.where

    def actor(self) -> Actor:
        """The person typing, with the rights of this moment."""
        return self.world.actor()

    def now(self) -> datetime:
        """The injected clock."""
        return self.ctx.clock.now()

    def private(self, *lines: Line) -> None:
        """Answer the person typing."""
        self.screen.private(lines)

    def ask(self, question: Question) -> None:
        """The question, and its choices by number."""
        self.screen.private(question.lines)
        labels = "  ".join(
            say("console.choice", number=number, label=choice.label)
            for number, choice in enumerate(question.choices, 1)
        )
        self.private(line("console.question", Mood.HEAD, choices=labels))

    def person(self, name: str) -> tuple[Principal, str]:
        """Somebody seen in this workspace. Raises InvalidInput."""
        return self.world.find(name)

    def unreached(self) -> bool:
        """In a terminal everybody reads what is for them."""
        return False

    def place(self, name: str, *, posting: bool = True) -> Where:  # noqa: ARG002 - one can speak everywhere here
        """A place of this workspace. Raises InvalidInput."""
        return find_place(self.world, name)

    def turn(self, text: str) -> Turn:
        """A message that the person typing might say."""
        return self.adapter.turn(Said(self.ctx.ids.uuid(), self.world.name, text, self.now()), self.where)

    def newest(self) -> Turn | None:
        """The newest message of this session here."""
        said = self.world.newest()
        return None if said is None else self.adapter.turn(said, self.where)

    def history(self) -> list[Turn]:
        """The messages of this session here."""
        return [self.adapter.turn(said, self.where) for said in self.world.said_in(self.where)]


def say_message(desk: Desk, text: str) -> Said:
    """An ordinary message of the person typing, from here and now."""
    said = Said(desk.ctx.ids.uuid(), desk.world.name, text, desk.now())
    _receive(desk, said)
    return said


def bot_command(desk: Desk, rest: str) -> None:
    """`/bot CI build failed`: another bot says something here and now."""
    name, _, text = rest.partition(" ")
    if not text.strip():
        raise InvalidInput(say("console.bot.usage"), say("console.bot.usage.hint"))
    name = desk.world.bot(name)
    _receive(desk, Said(desk.ctx.ids.uuid(), name, text.strip(), desk.now(), kind=TurnKind.BOT))


def edit_message(desk: Desk, old: Said, text: str) -> None:
    """The same message with other words: it keeps its id and the time when it was sent."""
    _receive(desk, replace(old, text=text, edited=True))


def _receive(desk: Desk, said: Said) -> None:
    desk.world.remember(replace(said, text=said.text[: LIMITS.turn_chars]))
    outcome = ReceiveTurn(desk.ctx)(desk.adapter.turn(said, desk.where))
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
    desk.adapter.show(Post(where, (reminder_line(reminder, desk.now(), desk.zone),)))
    ConfirmDelivery(desk.ctx).delivered(reminder.fire_id)
