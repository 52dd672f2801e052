"""`remembrancer run` as a child process against a loopback service: started, killed and started again."""

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from core.ports import Tx
from core.standing.intent import StandingIntent
from core.stored import IntentFilter
from storage.unit_of_work import open_store

ROOT = Path(__file__).parents[2]
QUICK = {
    "REMEMBRANCER_HEARTBEAT_SECONDS": "0.3",
    "REMEMBRANCER_DELIVERY_POLL_SECONDS": "0.1",
    "REMEMBRANCER_SEND_LEASE_SECONDS": "2",
    "REMEMBRANCER_NOTICE_GAP_SECONDS": "1",
}
"""Durations of a child process, which has no fake clock."""


class Child(ABC):
    """One bot of ours in a process of its own. Its data stays in `folder` between two starts."""

    arguments: tuple[str, ...] = ()

    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder = folder
        self.log = folder / "bot.log"
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def database(self) -> str:
        """The URL of its database."""
        return self._settings.get("database_url", f"sqlite:///{self.folder / 'remembrancer.db'}")

    @property
    def runs(self) -> bool:
        """Was it started, and neither stopped nor killed since?"""
        return self._process is not None

    @abstractmethod
    def reaches(self) -> dict[str, str]:
        """The variables that lead it to its service, its token among them."""

    def start(self, wait: bool = True) -> None:
        """Start it; with `wait`, until it listens."""
        env = {key: value for key, value in os.environ.items() if not key.startswith("REMEMBRANCER_")}
        env |= QUICK | {
            "REMEMBRANCER_DATA_DIR": str(self.folder),
            "PYTHONPATH": str(ROOT),
        }
        env |= self.reaches()
        env |= {f"REMEMBRANCER_{key.upper()}": value for key, value in self._settings.items()}
        before = len(self.output())
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "bots", "run", *self.arguments],
                cwd=ROOT,
                env=env,
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
            )
        if wait:
            self.listens(before)

    def listens(self, before: int = 0) -> None:
        """Wait until it says that it listens."""
        end = time.monotonic() + 30
        while "is listening" not in self.output()[before:]:
            assert self._process is not None and self._process.poll() is None, self.output()
            assert time.monotonic() < end, self.output()
            time.sleep(0.02)

    @property
    def pid(self) -> int:
        """The process that runs now."""
        assert self._process is not None, "it does not run"
        return self._process.pid

    def output(self) -> str:
        """What it printed and logged so far."""
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    @contextlib.contextmanager
    def reading(self) -> Iterator[Tx]:
        """What it has stored."""
        store = open_store(self.database, migrate=False)
        try:
            with store.read() as tx:
                yield tx
        finally:
            store.close()

    def rules(self) -> dict[str, StandingIntent]:
        """Every rule by its handle."""
        with self.reading() as tx:
            return {row.handle: row for row in tx.intents.list(IntentFilter(), 1_000, 0)}

    def owes_nothing(self) -> bool:
        """Is everything settled that was to be posted in chats?"""
        with self.reading() as tx:
            return tx.outbox.due([], 1) == ()

    def put(self, table: str, column: str, handle: str, at: datetime) -> None:
        """Let something come at another time than the one that was asked for."""
        moment = int(at.timestamp() * 1_000_000)
        with contextlib.closing(sqlite3.connect(self.database.removeprefix("sqlite:///"), timeout=10)) as store:
            changed = store.execute(f"UPDATE {table} SET {column} = ? WHERE handle = ?", (moment, handle))
            assert changed.rowcount == 1, f"{handle} is not in {table}"
            store.commit()

    def kill(self) -> None:
        """SIGKILL."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait(10)
            self._process = None

    def stop(self, seconds: float = 30) -> int:
        """SIGTERM; its exit code."""
        assert self._process is not None, "it does not run"
        self._process.terminate()
        code = self._process.wait(seconds)
        self._process = None
        return code

    def ended(self, seconds: float = 30) -> int:
        """Wait until it ends by itself; its exit code."""
        assert self._process is not None, "it does not run"
        code = self._process.wait(seconds)
        self._process = None
        return code
