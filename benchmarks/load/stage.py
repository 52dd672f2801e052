"""What a measurement asks of a platform: people in groups, a bot that reads along, and what came of it."""

import os
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from benchmarks.load.stream import Said
from bots.bench.replay import Replay
from bots.bench.workload import Row
from config.urls import sqlite_url
from core.turn import Where
from storage.unit_of_work import open_store
from tests.fakes.child import ROOT, Child

if TYPE_CHECKING:
    from benchmarks.load.counts import Left
    from benchmarks.load.play import Played

Key = tuple[str, str]
"""A conversation and a message in it."""


@dataclass(frozen=True, slots=True)
class Send:
    """A request to post that was carried out: what it answers, and when it came (seconds since 1970)."""

    to: Key
    at: float


class Stage(ABC):
    """A bot that reads along in `places`, each with `people` (ids) of its own, in the order of a stream's groups.

    `defects` are the words that the bot logs only where something is wrong; `floor` is the module that runs the
    library alone; `compared` names a ratio, and the figure of which it is. A bot that is killed at random runs for at
    most `longest_run` seconds.
    """

    defects: ClassVar[tuple[str, ...]]
    floor: ClassVar[str]
    compared: ClassVar[tuple[str, str]]
    longest_run: ClassVar[float]
    places: Sequence[Where]
    people: Sequence[Sequence[str]]

    # ---- what happens

    @abstractmethod
    def say(self, one: Said) -> Key:
        """Say a message now."""

    @abstractmethod
    def settled(self) -> None:
        """Wait until the bot was handed everything that it is to be handed."""

    @abstractmethod
    def raise_complaints(self) -> None:
        """AssertionError where the bot asked for something that the platform does not understand."""

    @abstractmethod
    def running(self, folder: Path, start: bool = True, **settings: str) -> AbstractContextManager[Child]:
        """The bot in a process of its own, ended with the block whatever happens."""

    @abstractmethod
    def reaches(self) -> tuple[str, ...]:
        """What `floor` is called with."""

    @abstractmethod
    def listening(self) -> None:
        """Wait until the library alone listens."""

    @abstractmethod
    def limits(self) -> None:
        """Let the limits of the platform hold, where they do not yet and matter."""

    @abstractmethod
    def before_kills(self, process: Child) -> None:
        """What the bot must have done once before it may be killed."""

    # ---- what came of it

    @abstractmethod
    def handed(self) -> Mapping[Key, float]:
        """When each message was first handed to the bot."""

    @abstractmethod
    def unheard(self) -> int:
        """How much the bot was to receive and did not."""

    @abstractmethod
    def requests(self) -> int:
        """How many requests came so far."""

    @abstractmethod
    def took_one(self, since: int) -> bool:
        """Whether a message was posted after so many requests."""

    @abstractmethod
    def sends(self) -> list[Send]:
        """The requests to post that were carried out, in order."""

    @abstractmethod
    def posted(self) -> Iterable[tuple[Key, str]]:
        """Every message of the bot there is: what it answers, and its words."""

    @abstractmethod
    def times(self, played: "Played", left: "Left") -> dict[str, Any]:
        """How long what fired took."""

    @abstractmethod
    def carried(self, played: "Played") -> dict[str, Any]:
        """How long took what the library alone does, too."""

    @abstractmethod
    def also(self) -> dict[str, int]:
        """What else is counted on this platform."""

    # ---- what is the same everywhere

    def fill(self, path: Path, rules: Sequence[Sequence[Row]]) -> dict[str, str]:
        """Store the rules, word forms off; the ids by handle."""
        where = {place.conversation: place for place in self.places}
        store = open_store(sqlite_url(path))
        try:
            replay = Replay(store, exact=True, where=lambda row: where[row["conversation_id"]])
            replay.load(self._row(row, group) for group, rows in enumerate(rules) for row in rows)
        finally:
            store.close()
        return replay.names

    def _row(self, row: Row, group: int) -> Row:
        place = self.places[group]
        who = {"account_id": place.account, "sender_id": self.people[group][row["person"]]}
        return {**row, **who, "provider": place.provider, "conversation_id": place.conversation}

    def answered_after(self, since: Mapping[Key, float]) -> list[float]:
        """Seconds from each message to each request that answers it."""
        return [send.at - since[send.to] for send in self.sends() if send.to in since]

    @contextmanager
    def library(self) -> Iterator[int]:
        """The library alone in a process of its own; the process's id."""
        command = [sys.executable, "-m", self.floor, *self.reaches()]
        with subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}) as process:
            try:
                self.listening()
                yield process.pid
                process.terminate()
                assert process.wait(30) == 0
            finally:
                process.kill()


Staged = Callable[[int], AbstractContextManager[Stage]]
"""Opens a stage with so many groups."""
