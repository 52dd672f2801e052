"""A child process of the race of moves: threads that are told of the same moves while people talk and make rules.

    python -m tests.fault.move_worker URL SCHEMA CHATS SEED

Each chat n moves from `-n` to `-100n`. Prints one JSON object: what fired, how many moves were made, what failed.
"""

import json
import random
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import timedelta

from bots.runtime import SystemClock, SystemIds
from core.errors import RemembrancerError
from core.limits import LIMITS
from core.services.context import Context
from core.services.create_intent import CreateIntent
from core.services.move_place import MovePlace
from core.services.receive_turn import ReceiveTurn
from core.text.zones import MarkedText
from core.turn import Turn, Where
from storage.unit_of_work import open_store
from tests.builders import a_draft
from tests.fakes.chats import BOB, owner

PATIENT = replace(LIMITS, turn_deadline=timedelta(minutes=5))
THREADS, TIMES = 4, 3


def before(chat: int) -> Where:
    return Where("telegram", "bot", f"-{chat}", f"-{chat}", f"-{chat}")


def after(chat: int) -> Where:
    return Where("telegram", "bot", f"-100{chat}", f"-100{chat}", f"-100{chat}")


@dataclass
class Told:
    fires: list[tuple[str, str]] = field(default_factory=list)
    made: list[str] = field(default_factory=list)
    moves: list[int] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)


@dataclass
class Worker:
    ctx: Context
    told: Told
    name: str

    def steps(self, chat: int, number: int) -> Iterator[Callable[[], None]]:
        yield lambda: self.move(chat)
        yield lambda: self.say(before(chat), f"o{chat}.{number}")
        yield lambda: self.say(after(chat), f"n{chat}.{number}")
        topic = replace(after(chat), conversation=f"{number}")
        yield lambda: self.say(topic, f"t{chat}.{number}")
        yield lambda: self.make(chat, number)

    def move(self, chat: int) -> None:
        if MovePlace(self.ctx)("telegram", "bot", before(chat).space, after(chat).space):
            self.told.moves.append(chat)

    def say(self, where: Where, message: str) -> None:
        now = self.ctx.clock.now()
        outcome = ReceiveTurn(self.ctx)(Turn(where, message, MarkedText("the rule"), now, now, BOB, "Bob"))
        self.told.fires.extend((reminder.handle, message) for reminder in outcome.fires)

    def make(self, chat: int, number: int) -> None:
        draft = a_draft(f"{self.name} word{number}", "Look.")
        self.told.made.append(CreateIntent(self.ctx)(draft, owner(), after(chat), "made").handle)

    def run(self, chats: int, seed: int) -> None:
        rng = random.Random(seed)
        for chat in range(1, chats + 1):
            steps = [step for number in range(TIMES) for step in self.steps(chat, number)]
            rng.shuffle(steps)
            for step in steps:
                self.patiently(step)

    def patiently(self, step: Callable[[], None]) -> None:
        """Once more where another transaction was in the way, as an adapter does it."""
        for _ in range(50):
            try:
                step()
            except RemembrancerError as error:
                if error.details.get("retry"):
                    continue
                self.told.failures.append(str(error))
            return
        self.told.failures.append("never got through")


def main(url: str, schema: str, chats: str, seed: str) -> None:
    store = open_store(url, schema=schema, busy_timeout=60.0)
    ctx, told = Context(store, SystemClock(), SystemIds(), PATIENT), Told()
    print("ready", flush=True)
    sys.stdin.readline()
    threads = [
        threading.Thread(target=Worker(ctx, told, f"p{seed}t{number}").run, args=(int(chats), int(seed) * 100 + number))
        for number in range(THREADS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store.close()
    print(json.dumps(vars(told)), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
