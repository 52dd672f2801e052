"""The groups of a stream in a Telegram of one's own, and their rules in a bot's database."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.telegram_load.stream import PEOPLE
from bots.bench.replay import Replay
from bots.bench.workload import Row
from config.urls import sqlite_url
from core.turn import Where
from storage.unit_of_work import open_store
from tests.fakes.telegram.chats import Chat
from tests.fakes.telegram.people import Person
from tests.fakes.telegram.robots import Bot
from tests.fakes.telegram.world import World


@dataclass(frozen=True, slots=True)
class Stage:
    """A bot that reads along in every group."""

    world: World
    bot: Bot
    chats: Sequence[Chat]
    people: Sequence[Sequence[Person]]

    @classmethod
    def of(cls, world: World, groups: int) -> "Stage":
        """So many groups with people of their own."""
        bot = world.bot("remembrancer_bot", privacy=False)
        people = [
            [world.person(f"Member {group} {number}", f"member_{group}_{number}") for number in range(PEOPLE)]
            for group in range(groups)
        ]
        chats = [
            world.supergroup(f"Group {number}", creator=one[0], members=[*one[1:], bot])
            for number, one in enumerate(people)
        ]
        return cls(world, bot, chats, people)

    def fill(self, path: Path, rules: Sequence[Sequence[Row]]) -> dict[str, str]:
        """Store the rules, word forms off; the ids by handle."""
        store = open_store(sqlite_url(path))
        try:
            replay = Replay(store, exact=True, where=self._where)
            replay.load(self._row(row, group) for group, rows in enumerate(rules) for row in rows)
        finally:
            store.close()
        return replay.names

    def _row(self, row: Row, group: int) -> Row:
        who = {"account_id": str(self.bot.id), "sender_id": str(self.people[group][row["person"]].id)}
        return {**row, **who, "provider": "telegram", "conversation_id": str(self.chats[group].id)}

    def _where(self, row: Row) -> Where:
        chat = row["conversation_id"]
        return Where(row["provider"], row["account_id"], chat, chat, chat)
