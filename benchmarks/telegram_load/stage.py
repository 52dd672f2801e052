"""The groups of a stream in a Telegram of one's own, and how long its messages took."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.load import kills
from benchmarks.load import measure as load
from benchmarks.load.counts import Left
from benchmarks.load.play import Played, milliseconds
from benchmarks.load.stage import Key, Send, Stage
from benchmarks.load.stream import PEOPLE, Said
from bots.bench.figures import percentiles
from core.turn import Where
from tests.fakes.bots import Running, running
from tests.fakes.child import Child
from tests.fakes.telegram.chats import Chat, Message
from tests.fakes.telegram.people import Person
from tests.fakes.telegram.world import World

ACKNOWLEDGED_WITHIN = 60.0


class TelegramStage(Stage):
    """Supergroups with a bot whose privacy mode is off."""

    defects = ("Traceback", "telegram.update.defect")
    floor = "benchmarks.telegram_load.floor"
    compared = ("acknowledged", "every_message_handed_to_acknowledged_ms")
    longest_run = 1.5

    def __init__(self, world: World, groups: int) -> None:
        self.world = world
        self.bot = world.bot("remembrancer_bot", privacy=False)
        self.members: Sequence[Sequence[Person]] = [
            [world.person(f"Member {group} {number}", f"member_{group}_{number}") for number in range(PEOPLE)]
            for group in range(groups)
        ]
        self.chats: Sequence[Chat] = [
            world.supergroup(f"Group {number}", creator=one[0], members=[*one[1:], self.bot])
            for number, one in enumerate(self.members)
        ]
        ids = [str(chat.id) for chat in self.chats]
        self.places = [Where("telegram", str(self.bot.id), one, one, one) for one in ids]
        self.people = [[str(person.id) for person in some] for some in self.members]
        self._updates: dict[Key, int] = {}

    # ---- what happens

    def say(self, one: Said) -> Key:
        """Say a message now."""
        with self.world.lock:  # the next update is this message's
            update = self.bot.next_update
            key = key_of(self.members[one.group][one.person].says(self.chats[one.group], one.text))
            self._updates[key] = update
        return key

    def settled(self) -> None:
        """Wait until every update was acknowledged."""
        self.world.settled(self.bot, timeout=ACKNOWLEDGED_WITHIN)

    def raise_complaints(self) -> None:
        """AssertionError for what was not understood."""
        self.world.raise_complaints()

    def running(self, folder: Path, start: bool = True, **settings: str) -> AbstractContextManager[Running]:
        """The bot in a process of its own."""
        return running(self.world, self.bot, folder, start, **settings)

    def reaches(self) -> tuple[str, ...]:
        """The token, and where its Telegram is."""
        return self.bot.token, self.world.url

    def listening(self) -> None:
        """Wait until the library polls."""
        self.world.until(lambda: self.bot.polling, 30, "the library polls")

    def limits(self) -> None:
        """20 messages a minute in a group, 30 a second in all."""
        self.world.flood.on(chat=(20, 1.0))

    def before_kills(self, process: Child) -> None:
        """Nothing: Telegram keeps what a bot did not acknowledge."""

    # ---- what came of it

    def handed(self) -> Mapping[Key, float]:
        """When getUpdates first handed each message out."""
        return {key: self.bot.handed[update] for key, update in self._updates.items() if update in self.bot.handed}

    def unheard(self) -> int:
        """Updates that were not acknowledged."""
        return self.bot.pending

    def requests(self) -> int:
        """How many requests came, polls left out."""
        return len(self.world.calls)

    def took_one(self, since: int) -> bool:
        """Whether anything was asked for since then: as good as all of it is a message."""
        return len(self.world.calls) > since

    def sends(self) -> list[Send]:
        """The requests to post that were carried out."""
        return [
            Send((str(call.message.chat.id), _number(call.message.reply_to)), call.when.timestamp())
            for call in self.world.sends()
            if call.message is not None
        ]

    def posted(self) -> Iterator[tuple[Key, str]]:
        """Every message of the bot."""
        for chat in self.chats:
            for message in self.world.bot_messages(chat):
                yield (str(chat.id), _number(message.reply_to)), message.text

    def times(self, played: Played, left: Left) -> dict[str, Any]:
        """Milliseconds from a message's being handed to the bot, and from its being said."""
        handed, taken, said = self.handed(), self._taken(), played.times()
        rows = [
            (said[key], handed[key], at, taken[key])
            for key, some in left.fires.items()
            if key in said
            for _, at, _ in some
        ]
        return {
            "handed_to_reserved_ms": milliseconds(at - given for _, given, at, _ in rows),
            "handed_to_acknowledged_ms": milliseconds(done - given for _, given, _, done in rows),
            "said_to_reserved_ms": milliseconds(at - said for said, _, at, _ in rows),
            "said_to_acknowledged_ms": milliseconds(done - said for said, _, _, done in rows),
            "said_to_sent_ms": milliseconds(self.answered_after(said)),
        }

    def _taken(self) -> dict[Key, float]:
        return {key: self.bot.taken[update] for key, update in self._updates.items()}

    def carried(self, played: Played) -> dict[str, Any]:
        """How long every message took, those that fire nothing too; how many came at once; who was how busy."""
        handed, taken = self.handed(), self._taken()
        at_once: dict[float, int] = {}
        for key in played.keys:
            at_once[handed[key]] = at_once.get(handed[key], 0) + 1
        return {
            "every_message_handed_to_acknowledged_ms": milliseconds(taken[key] - handed[key] for key in played.keys),
            "updates_at_once": percentiles(at_once.values(), 1, 0),
            "driver_late_ms": played.late(),
            "cpu_percent": played.cpu,
        }

    def also(self) -> dict[str, int]:
        """What Telegram's limits refused."""
        return {"refused_for_flooding": self.world.flood.refused}


def key_of(message: Message) -> Key:
    """The chat and the number of a message."""
    return str(message.chat.id), str(message.id)


def _number(message: Message | None) -> str:
    return "" if message is None else str(message.id)


@contextmanager
def staged(groups: int) -> Iterator[TelegramStage]:
    """So many groups with people of their own."""
    with World(judge=False) as world:
        yield TelegramStage(world, groups)


measure = partial(load.measure, staged)
kill_often = partial(kills.kill_often, staged)
