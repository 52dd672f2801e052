"""Saying a stream at its times, and who was how busy meanwhile."""

import os
import resource
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.load.stage import Key, Stage
from benchmarks.load.stream import Said
from bots.bench.figures import percentiles

MS = 1e-3  # of seconds


@dataclass(slots=True)
class Played:
    """What was said: each message with its key, and when it should have been and was said."""

    said: list[Said] = field(default_factory=list)
    keys: list[Key] = field(default_factory=list)
    wanted: list[float] = field(default_factory=list)
    at: list[float] = field(default_factory=list)
    cpu: dict[str, float] = field(default_factory=dict)

    def late(self) -> dict[str, float]:
        """How late the driver itself was, in milliseconds."""
        return milliseconds(at - wanted for at, wanted in zip(self.at, self.wanted, strict=True))

    def times(self) -> dict[Key, float]:
        """When each message was said."""
        return dict(zip(self.keys, self.at, strict=True))


def play(stage: Stage, stream: Sequence[Said], rate: float, pid: int) -> Played:
    """Say a stream, `rate` messages a second and never faster, and wait until the bot was handed all of it.

    `cpu` tells how much of a core the bot's process and this one used meanwhile, in percent.
    """
    played, clock = Played(), Busy(pid)
    began = time.time()
    for number, one in enumerate(stream):
        wanted = began + number / rate
        time.sleep(max(0.0, wanted - time.time()))
        say(stage, one, played)
        played.wanted.append(wanted)
    stage.settled()
    played.cpu = clock.percent()
    return played


def say(stage: Stage, one: Said, played: Played) -> None:
    """Say one message now."""
    played.at.append(time.time())
    played.keys.append(stage.say(one))
    played.said.append(one)


class Busy:
    """How busy a process and this one are from now on."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._began = time.monotonic(), _cpu_of(pid), _own_cpu()

    def percent(self) -> dict[str, float]:
        """Percent of one core."""
        wall, bot, own = self._began
        wall = time.monotonic() - wall
        told = {"bot": _cpu_of(self._pid) - bot, "driver_and_platform": _own_cpu() - own}
        return {key: round(100 * value / wall, 1) for key, value in told.items()}


def _cpu_of(pid: int) -> float:
    """Seconds of CPU of a process, where the system tells them."""
    path = Path(f"/proc/{pid}/stat")
    if not path.exists():
        return 0.0
    fields = path.read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _own_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def milliseconds(seconds: Iterable[Any]) -> dict[str, float]:
    """p50, p95 and p99 of seconds, in milliseconds; the longest, too."""
    taken = list(seconds)
    most = {"max": round(max(taken) / MS, 1)} if taken else {}
    return percentiles(taken, MS, 1) | most
