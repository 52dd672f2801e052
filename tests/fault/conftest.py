"""Children for the fault tests, forked from one warm process a test session."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.fault.zygote import Zygote, warm


@pytest.fixture(scope="session")
def zygote() -> Iterator[Zygote]:
    """Where children come from."""
    with warm() as made:
        yield made


@dataclass
class Held:
    """A child that got ready and waits for its flag to be taken away."""

    zygote: Zygote
    pid: int
    flag: Path
    out: Path

    def go(self) -> None:
        """Take the flag away."""
        self.flag.unlink(missing_ok=True)

    def told(self) -> list[str]:
        """Let it end; its lines after `ready`."""
        self.go()
        assert self.zygote.wait(self.pid) == 0, self.out.read_text()
        return self.out.read_text().splitlines()[1:]


@pytest.fixture
def held(zygote: Zygote, tmp_path: Path) -> Iterator[Callable[..., Held]]:
    """Starts a job that waits at its flag, and returns when it is ready."""
    started: list[Held] = []

    def start(job: str, together: str = "", **keywords: Any) -> Held:
        number = len(started)
        flag, out = tmp_path / (together or f"flag{number}"), tmp_path / f"held{number}.txt"
        flag.touch()
        pid = zygote.start(f"tests.fault.jobs:{job}", out=str(out), with_={"flag": str(flag)} | keywords)
        started.append(Held(zygote, pid, flag, out))
        while not out.exists() or "ready" not in out.read_text():
            assert zygote.poll(pid) is None, out.read_text()
            time.sleep(0.005)
        return started[-1]

    yield start
    for one in started:
        one.go()
        zygote.wait(one.pid)
