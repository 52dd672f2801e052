"""One act of one person: collects what is to be said, so that the work itself waits for nobody."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from typing import Protocol, TypeVar

from adapters.base.runner import Runner
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
LOOK_UPS = 4
"""How often one act is begun again because the platform has to be asked first."""


def bare_name(name: str) -> str:
    """Without its @, and without what keeps a name in our own messages from being a mention: people copy those."""
    return name.replace("\u2060", "").strip().removeprefix("@")


T = TypeVar("T")


class NameWanted(Exception):
    """A name that is to be looked up before the work can be done; nothing was done yet."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class ReachWanted(Exception):
    """The platform is to be asked whether the person can be written to; nothing was done yet."""


class HistoryWanted(Exception):
    """The platform is to be asked what was said there; nothing was done yet."""


class Asker(Protocol):
    """Asks the platform what an act turns out to need."""

    async def look_up(self, desk: "CollectedDesk", name: str) -> None:
        """Put the person of that name among the desk's people, if there is exactly one."""
        ...

    async def reaches(self, desk: "CollectedDesk") -> bool:
        """Can the person at the desk be written to?"""
        ...

    async def read_back(self, desk: "CollectedDesk") -> Sequence[Turn] | None:
        """What was said at the desk's place, oldest first; None where the person may not read it."""
        ...


async def work(desk: "CollectedDesk", act: Callable[[], T], hot: Runner, asker: Asker) -> T:
    """Do it on the database thread; what the platform has to be asked for is asked first, and it is begun again."""
    for _ in range(LOOK_UPS):
        try:
            return await hot(act)
        except NameWanted as wanted:
            desk.take()
            desk.looked_up.add(wanted.name)
            await asker.look_up(desk, wanted.name)
        except ReachWanted:
            desk.take()
            desk.reached = await asker.reaches(desk)
        except HistoryWanted:
            desk.take()
            desk.keeps_history, desk.said = False, await asker.read_back(desk)
    return await hot(act)


@dataclass(slots=True)
class CollectedDesk:
    """`adapters.base.desk.Desk`. `people` has everybody who can be named here, by lower-case name.

    `looked_up` are names for which the platform and the store were asked already. `last` is the message that `why`
    is about, `asking` the id of the one that asks. `places` gives the places that a rule made here may name, by
    lower-case name, and `forums` those in which nothing is posted but in a thread; `silent` tells where the
    person, or the bot, may not write. `reached` is None until the
    platform was asked whether the person can be written to. With `keeps_history` the platform is asked, once, for
    what was `said` here. The catalogue has `person.hint.<provider>` and `place.hint.<provider>`.
    """

    ctx: Context
    where: Where
    who: Actor
    people: dict[str, tuple[Principal, str]] = field(default_factory=dict)
    looked_up: set[str] = field(default_factory=set)
    last: Turn | None = None
    asking: str = ""
    places: Callable[[], Mapping[str, Where]] = dict
    forums: Callable[[], Mapping[str, Where]] = dict
    silent: Callable[[Where], bool] = lambda _: False
    lines: list[Line] = field(default_factory=list)
    question: Question | None = None
    reached: bool | None = None
    keeps_history: bool = False
    said: Sequence[Turn] | None = None

    @property
    def zone(self) -> tzinfo:
        """The zone of this space."""
        return self.ctx.zone_of(str(ReadSettings(self.ctx)(self.where)[Setting.ZONE]))

    def now(self) -> datetime:
        """The injected clock."""
        return self.ctx.clock.now()

    def actor(self) -> Actor:
        """The person, with the rights that the platform told of before this act."""
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
        """Somebody of this place. Raises InvalidInput, or NameWanted once."""
        wanted = bare_name(name).casefold()
        found = self.people.get(wanted)
        if found is not None:
            return found
        if wanted and wanted not in self.looked_up:
            raise NameWanted(wanted)
        shown = bare_name(name)[:SHOWN]
        raise InvalidInput(say("person.unknown", name=shown), say(f"person.hint.{self.where.provider}"))

    def unreached(self) -> bool:
        """Can the person not be written to? Raises ReachWanted once."""
        if self.reached is None:
            raise ReachWanted
        return not self.reached

    def place(self, name: str, *, posting: bool = True) -> Where:
        """A place that a rule made here may name. Raises InvalidInput."""
        wanted = name.strip().removeprefix("#").casefold()
        found = self.places().get(wanted)
        forum = self.forums().get(wanted) if found is None else None
        if forum is not None and posting:
            raise InvalidInput(say("place.forum", name=forum.channel_name), say("place.forum.hint"))
        found = found or forum
        if found is None:
            raise InvalidInput(say("place.unknown", name=wanted[:SHOWN]), say(f"place.hint.{self.where.provider}"))
        if posting and self.silent(found):
            raise InvalidInput(say("place.silent", name=found.conversation_name), say("place.silent.hint"))
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
        """What the platform was asked for; None where it gives bots no history. Raises HistoryWanted once."""
        if self.keeps_history and self.said is None:
            raise HistoryWanted
        return self.said
