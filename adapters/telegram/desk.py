"""One act of one person: collects what is to be said, so that the work itself waits for nobody."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo

from core.catalogue import say
from core.errors import InvalidInput
from core.services.context import Context
from core.services.space_settings import ReadSettings
from core.settings import Setting
from core.text.zones import MarkedText
from core.turn import Actor, Principal, Turn, Where
from core.wording.lines import Line
from core.wording.readback import Question

SHOWN = 32


def bare_name(name: str) -> str:
    """Without its @, and without what keeps a name in our own messages from being a mention: people copy those."""
    return name.replace("\u2060", "").strip().removeprefix("@")


class NameWanted(Exception):
    """A name that is to be looked up before the work can be done; nothing was done yet."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class ReachWanted(Exception):
    """Telegram is to be asked whether the person can be written to; nothing was done yet."""


@dataclass(slots=True)
class TelegramDesk:
    """`adapters.base.desk.Desk`. `people` has everybody who can be named here, by lower-case name.

    `looked_up` are names for which Telegram and the store were asked already. `last` is the message that `why` is
    about. `places` gives the topics of this chat that a rule may name, by lower-case name. `reached` is None until
    Telegram was asked whether the person can be written to.
    """

    ctx: Context
    where: Where
    who: Actor
    people: dict[str, tuple[Principal, str]] = field(default_factory=dict)
    looked_up: set[str] = field(default_factory=set)
    last: Turn | None = None
    places: Callable[[], Mapping[str, Where]] = dict
    lines: list[Line] = field(default_factory=list)
    question: Question | None = None
    reached: bool | None = None

    @property
    def zone(self) -> tzinfo:
        """The zone of this space."""
        return self.ctx.zone_of(str(ReadSettings(self.ctx)(self.where)[Setting.ZONE]))

    def now(self) -> datetime:
        """The injected clock."""
        return self.ctx.clock.now()

    def actor(self) -> Actor:
        """The person, with the rights that Telegram told of before this act."""
        return self.who

    def private(self, *lines: Line) -> None:
        """Collect an answer."""
        self.lines.extend(lines)

    def ask(self, question: Question) -> None:
        """Collect a question."""
        self.lines.extend(question.lines)
        self.question = question

    def take(self) -> list[Line]:
        """What was collected, which is then no more."""
        lines, self.lines, self.question = self.lines, [], None
        return lines

    def person(self, name: str) -> tuple[Principal, str]:
        """Somebody of this chat. Raises InvalidInput, or NameWanted once."""
        wanted = bare_name(name).casefold()
        found = self.people.get(wanted)
        if found is not None:
            return found
        if wanted and wanted not in self.looked_up:
            raise NameWanted(wanted)
        shown = bare_name(name)[:SHOWN]
        raise InvalidInput(say("person.unknown", name=shown), say("telegram.person.hint"))

    def unreached(self) -> bool:
        """Can the person not be written to? Raises ReachWanted once."""
        if self.reached is None:
            raise ReachWanted
        return not self.reached

    def place(self, name: str) -> Where:
        """A topic of this chat, or the chat itself. Raises InvalidInput."""
        wanted = name.strip().removeprefix("#").casefold()
        found = self.places().get(wanted)
        if found is None:
            raise InvalidInput(say("place.unknown", name=wanted[:SHOWN]), say("telegram.place.hint"))
        return found

    def turn(self, text: str) -> Turn:
        """A message that the person might say here and now."""
        now = self.now()
        return Turn(
            where=self.where,
            message_id=self.ctx.ids.uuid(),
            text=MarkedText(text),
            sent_at=now,
            received_at=now,
            sender=self.who.principal,
            sender_name=self.who.name,
        )

    def newest(self) -> Turn | None:
        """The message that the command replies to, else the newest one that was seen here."""
        return self.last

    def history(self) -> Sequence[Turn] | None:
        """Telegram gives bots no history."""
        return None
