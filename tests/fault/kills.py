"""Kills a process that works on a store, from outside and at random instants, and looks at what is left.

    python -m tests.fault.kills --kills 50 --seed 1 --db sqlite|postgres [--turns 2000] [--torn] [--crashes 2]

Prints one JSON object of figures; the exit code is 1 when something is wrong. Every second kill is aimed at a
commit: it falls a random number of microseconds after the child began a write. `--torn` takes transactions out of
the child, to show that the checks can fail. `--crashes` (PostgreSQL) stops the server, too, without ceremony.
"""

import argparse
import json
import os
import random
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

import psycopg

from storage.upgrade import upgrade
from tests.fakes.databases import ROOT, Database, postgres_schema, sqlite_file
from tests.fault.replay import plant, replay
from tests.fault.story import steady_missed, told_in, wrong_in
from tests.fault.zygote import Zygote, warm

AIMED_SECONDS = (0.002, 0.01, 0.04)  # how long a write takes depends on the disk and on who else is at work
SLEEPABLE_SECONDS = 0.001
STRAY_SECONDS = 0.03
FAILURES = 5
JOB = f"{replay.__module__}:{replay.__name__}"


@dataclass
class Figures:
    """What a run came to."""

    db: str
    seed: int
    turns: int
    kills: int = 0
    aimed: int = 0
    starts: int = 0
    crashes: int = 0
    fires: int = 0
    acknowledged: int = 0
    seconds: float = 0.0
    wrong: list[str] = field(default_factory=list)

    def line(self) -> str:
        """One line."""
        return json.dumps(asdict(self))


@dataclass
class Killer:
    """Starts the child again and again, until the run is complete."""

    zygote: Zygote
    database: Database
    folder: Path
    figures: Figures
    torn: bool = False
    crash: Callable[[], object] | None = None

    def __call__(self, kills: int, crashes: int = 0) -> Figures:
        """Kill so often, then let the run end; the figures."""
        figures, rng, began = self.figures, random.Random(self.figures.seed), time.monotonic()
        failures = 0
        upgrade(self.database.url, schema=self.database.schema)
        store = self.database.open(migrate=False)
        handles = plant(store)
        pipe = self.folder / "marks"
        os.mkfifo(pipe)
        self._marks = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
        request = {
            "url": self.database.url,
            "schema": self.database.schema,
            "seed": figures.seed,
            "turns": figures.turns,
            "handles": handles,
            "pipe": str(pipe),
            "log": str(self.folder / "told.jsonl"),
            "torn": self.torn,
        }
        while True:
            pid = self.zygote.start(JOB, with_=request, out=str(self.folder / "child.txt"))
            figures.starts += 1
            left = kills - figures.kills
            each = max(1, (figures.turns - self._reached()) // (left + 1))
            if left <= 0 or not self._wait_for_turns(pid, rng.randint(0, each * 3 // 2)):
                if self.zygote.wait(pid) == 0:
                    break
                failures += 1
                if failures > FAILURES:
                    figures.wrong.append("the child fails again and again")
                    break
                continue
            if figures.crashes < crashes * (figures.kills + 1) // kills and self.crash is not None:
                self.crash()
                figures.crashes += 1
            self._strike(pid, rng)
        os.close(self._marks)
        self._judge(began)
        return figures

    def _reached(self) -> int:
        [(newest,)] = self.database.execute("SELECT max(message_id) FROM fires")
        return 0 if newest is None else int(newest[1:])

    def _next(self, seconds: float) -> bytes:
        ready, _, _ = select.select([self._marks], [], [], seconds)
        return os.read(self._marks, 1) if ready else b""

    def _wait_for_turns(self, pid: int, turns: int) -> bool:
        """Let the child do so many turns; False when it ended before."""
        while turns > 0:
            mark = self._next(0.2)
            if not mark and self.zygote.poll(pid) is not None:
                return False
            turns -= mark == b"t"
        return True

    def _strike(self, pid: int, rng: random.Random) -> None:
        aimed = self.torn or self.figures.kills % 2 == 1
        target = b"s" if self.torn else b"w"
        if aimed:
            while (mark := self._next(0.2)) not in {target, b""}:
                pass
            aimed = mark == target
        span = AIMED_SECONDS[0] if self.torn else rng.choice(AIMED_SECONDS) if aimed else STRAY_SECONDS
        moment = time.perf_counter() + rng.uniform(0, span)
        while (left := moment - time.perf_counter()) > 0:
            time.sleep(left if left > SLEEPABLE_SECONDS else 0)
        if self.zygote.kill(pid) < 0:
            self.figures.kills += 1
            self.figures.aimed += aimed
        while self._next(0):
            pass

    def _judge(self, began: float) -> None:
        figures, told = self.figures, told_in(self.folder / "told.jsonl")
        store = self.database.open(migrate=False)
        figures.wrong += wrong_in(self.database, store, told)
        figures.wrong += steady_missed(self.database, figures.seed, figures.turns)
        [(figures.fires,)] = self.database.execute("SELECT count(*) FROM fires")
        figures.acknowledged = sum("fire" in line for line in told)
        figures.seconds = round(time.monotonic() - began, 2)


@contextmanager
def server() -> Iterator[tuple[str, Callable[[], object]]]:
    """A PostgreSQL server of our own that waits for its log at each commit, and what crashes it.

    The test servers of `scripts/pg` may lose the last commits in a crash: here that is a setting of the role.
    """
    script = str(ROOT / "scripts" / "pg")
    made = subprocess.run([script, "start"], check=True, capture_output=True, text=True).stdout
    settings = dict(line.removeprefix("export ").split("=", 1) for line in made.splitlines())
    url, folder = settings["REMEMBRANCER_TEST_PG"], settings["REMEMBRANCER_TEST_PG_DIR"]
    try:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("ALTER ROLE postgres SET synchronous_commit = on")
        yield url, lambda: crash(folder)
    finally:
        subprocess.run([script, "stop", folder], check=True)


def crash(folder: str) -> None:
    """Stop the server as a crash does, and start it again with the options it had."""
    [*_, binary] = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
    command = [str(binary), "-D", f"{folder}/data", "-l", f"{folder}/log", "-m", "immediate", "-w", "restart"]
    if os.getuid() == 0:
        command = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", *command]
    subprocess.run(command, check=True, cwd="/", stdout=subprocess.DEVNULL)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--turns", type=int, default=2_000)
    parser.add_argument("--db", choices=["sqlite", "postgres"], default="sqlite")
    parser.add_argument("--torn", action="store_true")
    parser.add_argument("--crashes", type=int, default=0)
    given = parser.parse_args(arguments)
    figures = Figures(given.db, given.seed, given.turns)
    with tempfile.TemporaryDirectory() as name, warm() as zygote:
        folder = Path(name)
        if given.db == "sqlite":
            with sqlite_file(folder / "store.db") as database:
                Killer(zygote, database, folder, figures, given.torn)(given.kills)
        else:
            with server() as (url, crashing), postgres_schema(url, "kills") as database:
                Killer(zygote, database, folder, figures, given.torn, crashing)(given.kills, given.crashes)
    print(figures.line(), flush=True)
    return 1 if figures.wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
