"""A bot that is killed again and again while people talk: nothing is lost, and only a kill repeats a reminder.

Every second kill is aimed at a send: it falls a random number of microseconds after the platform took a message.
"""

import random
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.load.counts import count, look, owed
from benchmarks.load.measure import delivered
from benchmarks.load.play import Played, say
from benchmarks.load.stage import Key, Send, Stage, Staged
from benchmarks.load.stream import Said, make_rules, make_stream
from tests.fakes.child import Child

SHARE = 0.5
MESSAGES_A_KILL = 100
AIMED = 0.02
SEND_WAIT = 3.0
STILL_READ = 0.2
"""Seconds after a kill in which the platform may still read what the bot wrote; a new one needs longer to begin."""
OWED_WITHIN = 60.0


def kill_often(
    staged: Staged, folder: Path, kills: int, seed: int, rate: float = 10, intents: int = 4_000, groups: int = 40
) -> dict[str, Any]:
    """Kill a bot so often while `rate` messages a second come, then let it finish; what became of every message.

    `unexplained` counts requests to post that came again without a kill between the two, `repeated` the reminders
    that people see twice. The platform's limits are off.
    """
    rng = random.Random(seed)
    rules = make_rules(intents, groups, seed, int(time.time() * 1_000))
    stream = make_stream(rules, kills * MESSAGES_A_KILL, SHARE, seed)
    database = folder / "remembrancer.db"
    with staged(groups) as stage:
        names = stage.fill(database, rules)
        with stage.running(folder, start=False) as process:
            stage.before_kills(process)
            with _talk(stage, stream, rate) as (played, enough):
                at = [_one_kill(stage, process, rng, aimed=bool(number % 2)) for number in range(kills)]
                enough.set()
            process.start()
            stage.settled()
            delivered(stage, sum(bool(one.rule) for one in played.said))
            _until_nothing_is_owed(database)
            code = process.stop()
        counted = count(stage, played, look(database, names), names)
        sends = stage.sends()
        counted["sent_again"] = len(sends) - len({send.to for send in sends})
        counted["repeated"] = counted.pop("doubled") - counted["fires_doubled"]
        counted["unexplained"] = unexplained(sends, at)
        counted["wrong"] = counted["unexpected"] + counted["still_owed"] + counted["broken_chains"] + code
        return {"seed": seed, "kills": kills, "intents": intents, **counted}


def _until_nothing_is_owed(database: Path) -> None:
    end = time.monotonic() + OWED_WITHIN
    while owed(database) and time.monotonic() < end:
        time.sleep(0.1)


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


def _one_kill(stage: Stage, process: Child, rng: random.Random, aimed: bool) -> float:
    """Start the bot and kill it; when that was."""
    process.start()
    if aimed:
        before, end = stage.requests(), time.monotonic() + SEND_WAIT
        while not stage.took_one(before) and time.monotonic() < end:
            time.sleep(0.0005)
        time.sleep(rng.uniform(0, AIMED))
    else:
        time.sleep(rng.uniform(0, stage.longest_run))
    process.kill()
    time.sleep(STILL_READ)
    return time.time()


def unexplained(sends: Sequence[Send], kills: Sequence[float]) -> int:
    """Reminders that came again without a kill since they came before."""
    seen: dict[Key, float] = {}
    found = 0
    for send in sends:
        found += send.to in seen and not any(seen[send.to] <= at <= send.at for at in kills)
        seen[send.to] = send.at
    return found
