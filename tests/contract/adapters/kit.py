"""What the shared tests of adapters need of a platform, in the words of the tests."""

import json
from abc import ABC, abstractmethod
from asyncio import Runner
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from adapters.base.contract import Adapter
from adapters.base.render import post_of
from core.services.context import Context
from core.services.create_intent import CreateIntent
from core.services.notices import TakeNotices
from core.services.parcels import Parcel
from core.services.read_intents import ListIntents
from core.services.receive_turn import ReceiveTurn
from core.standing.intent import StandingIntent
from core.standing.outcome import Outcome
from core.turn import ADMIN, Principal, Turn, Where
from core.wording.readback import Choice
from tests.builders import a_draft, an_owner

DATA = Path(__file__).parents[2] / "data"
T = TypeVar("T")
FEATURES = frozenset({"replies", "buttons", "edits", "reactions", "history", "mentions", "links", "moves"})
"""What a platform may do without; a kit names what its platform has not, and why."""


@dataclass(frozen=True)
class Shown:
    """A message that reached the platform; `pings` are the people whose telephones ring."""

    id: str
    place: str
    text: str
    buttons: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    pings: frozenset[str] = frozenset()
    reply_to: str = ""
    reactions: tuple[str, ...] = ()


class Kit(ABC):
    """One adapter with its platform: ada owns the places, bob is a member, and `unreachable` cannot be written to."""

    name: ClassVar[str]
    LACKS: ClassVar[Mapping[str, str]]
    UNSAID: ClassVar[Mapping[str, str]]
    """Payloads of the table that the platform has not, and why."""
    FAILURES: ClassVar[frozenset[str]]
    """Ways in which a send can fail there: `lost`, `limited`, `server`, `broken_answer`."""
    WAITS: ClassVar[Mapping[str, timedelta]] = {}
    """How long the platform asks to wait at a failure, where it tells."""

    ctx: Context
    adapter: Adapter
    places: dict[str, Where]
    people: dict[str, Principal]
    unreachable: Principal

    def __init__(self) -> None:
        self._runner = Runner()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Await something of the adapter."""
        return self._runner.run(work)

    def close(self) -> None:
        """End everything."""
        self._runner.close()

    @classmethod
    def recorded(cls) -> dict[str, Any]:
        """The payloads of this platform by name."""
        files = sorted((DATA / cls.name).glob("*.json"))
        return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in files}

    @abstractmethod
    def event(self, payload: str) -> object:
        """A recorded payload as the platform's event."""

    @abstractmethod
    def sent(self) -> list[Shown]:
        """What the bot wrote and is still there, oldest first."""

    @abstractmethod
    def fails(self, how: str) -> None:
        """Let the next send fail."""

    @abstractmethod
    def hears(self, text: str = "launch checklist") -> str:
        """Bob writes in the group; the id of his message."""

    @abstractmethod
    def deletes(self, message_id: str) -> None:
        """A message of the group goes, whoever wrote it."""

    @abstractmethod
    def owner_no_more(self) -> None:
        """Ada loses her rights, and the bot is not told."""

    @abstractmethod
    def another_owner(self) -> None:
        """Bob becomes an owner beside ada."""

    @abstractmethod
    def says(self, who: str, text: str) -> None:
        """Somebody writes in the group, and the bot does what it does then."""

    @abstractmethod
    def answers(self, who: str, choice: Choice) -> None:
        """Somebody chooses an answer to the last question."""

    @abstractmethod
    def goal(self, who: str, verb: str, **options: str) -> str:
        """Somebody uses `/goal` in the group; what they are told. Options bear the names of the typed ones.

        What is typed without a name is `handle`, `text`, `on`, `answer` and `by`.
        """

    @abstractmethod
    def presses(self, who: str, shown: Shown, label: str) -> None:
        """Somebody presses a button under a message of the bot in their private chat with it."""

    @abstractmethod
    def receives(self, payload: str) -> None:
        """The bot is given a recorded payload."""

    # the same for all

    def notified(self, who: str) -> Shown:
        """Everything that somebody is owed is sent to them; the message."""
        person, now = self.people[who], self.ctx.clock.now()
        notice = TakeNotices(self.ctx)(person)
        assert notice is not None, f"nothing is owed to {who}"
        parcel = Parcel(notice.items, "k", 2, person, "", 1, now, "UTC", notice)
        sent = self.run(self.adapter.send(post_of(parcel, now, self.ctx.zone_of("UTC"))))
        return next(one for one in self.sent() if one.id == sent.message_ids[-1])

    def turn(self, payload: str) -> Turn | None:
        """A recorded payload, normalised."""
        return self.adapter.normalise(self.event(payload))

    def rule(self, place: str = "group", **fields: Any) -> StandingIntent:
        """A rule of ada that watches for the launch checklist."""
        return CreateIntent(self.ctx)(a_draft(**fields), an_owner(self.people["ada"]), self.places[place], "made")

    def match(self, turn: Turn) -> Outcome:
        """Receive a turn."""
        return ReceiveTurn(self.ctx)(turn)

    def rules(self) -> int:
        """How many there are."""
        return ListIntents(self.ctx)(ADMIN, None).total


def typed(verb: str, options: Mapping[str, str]) -> str:
    """A `/goal` command as text."""
    plain = ("handle", "on", "answer", "by", "text")
    words = [f"on {options[name]}" if name == "on" else options[name] for name in plain if name in options]
    named = [f"--{name} {value}" for name, value in options.items() if name not in plain]
    return " ".join(["/goal", verb, *words, *named])
