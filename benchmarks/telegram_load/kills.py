"""A Telegram bot that is killed again and again while people talk: nothing is lost, and only a kill repeats a reminder.

Every second kill is aimed at a send: it falls a random number of microseconds after the platform took a message.
"""

import random
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.telegram_load.counts import count, look, owed
from benchmarks.telegram_load.measure import delivered
from benchmarks.telegram_load.play import Played, say
from benchmarks.telegram_load.stage import Stage
from benchmarks.telegram_load.stream import Said, make_rules, make_stream
from tests.fakes.bots import Running, running
from tests.fakes.telegram.world import World

SHARE = 0.5
MESSAGES_A_KILL = 100
LONGEST_RUN = 1.5
AIMED = 0.02
SEND_WAIT = 3.0


def kill_often(folder: Path, kills: int, seed: int, rate: float = 10, intents: int = 4_000, groups: int = 40) -> Any:
    """Kill a bot so often while `rate` messages a second come, then let it finish; what became of every message.

    `unexplained` counts reminders that came again without a kill between the two. Telegram's limits are off.
    """
    rng = random.Random(seed)
    rules = make_rules(intents, groups, seed, int(time.time() * 1_000))
    stream = make_stream(rules, kills * MESSAGES_A_KILL, SHARE, seed)
    with World(judge=False) as world:
        stage = Stage.of(world, groups)
        names = stage.fill(folder / "remembrancer.db", rules)
        with running(world, stage.bot, folder, start=False) as process:
            with _talk(stage, stream, rate) as (played, enough):
                at = [_one_kill(world, process, rng, aimed=bool(number % 2)) for number in range(kills)]
                enough.set()
            process.start()
            world.settled(stage.bot, timeout=60)
            delivered(world, sum(bool(one.rule) for one in played.said))
            world.until(lambda: not owed(folder / "remembrancer.db"), 60, "the end of what is owed")
            code = process.stop()
        left = look(folder / "remembrancer.db", names)
        counted = count(stage, played, left, names)
        counted["repeated"] = counted.pop("doubled") - counted["fires_doubled"]
        counted["unexplained"] = unexplained(world, at)
        counted["wrong"] = counted["unexpected"] + counted["still_owed"] + counted["broken_chains"] + code
        return {"seed": seed, "kills": kills, "intents": intents, **counted}


@contextmanager
def _talk(stage: Stage, stream: Sequence[Said], rate: float) -> Iterator[tuple[Played, threading.Event]]:
    """People say the stream, at most so many messages a second, until it is enough."""
    played, enough = Played(), threading.Event()

    def talk() -> None:
        for one in stream:
            if enough.wait(1 / rate):
                return
            say(stage, one, played)

    thread = threading.Thread(target=talk)
    thread.start()
    try:
        yield played, enough
    finally:
        enough.set()
        thread.join()


def _one_kill(world: World, process: Running, rng: random.Random, aimed: bool) -> float:
    """Start the bot and kill it; when that was."""
    process.start()
    if aimed:
        before, end = len(world.calls), time.monotonic() + SEND_WAIT
        while len(world.calls) == before and time.monotonic() < end:
            time.sleep(0.0005)
        time.sleep(rng.uniform(0, AIMED))
    else:
        time.sleep(rng.uniform(0, LONGEST_RUN))
    at = time.time()
    process.kill()
    return at


def unexplained(world: World, kills: Sequence[float]) -> int:
    """Reminders that came again without a kill since they came before."""
    seen: dict[int, float] = {}
    found = 0
    for call in world.sends():
        key, now = id(call.message.reply_to if call.message else None), call.when.timestamp()
        found += key in seen and not any(seen[key] <= at <= now for at in kills)
        seen[key] = now
    return found
