"""A program of somebody else with Remembrancer in it, as a child process against a loopback Discord or Telegram.

    python -m tests.fakes.embedded PROGRAM

runs a program as it is, with the libraries' addresses changed to those of the variables `LOOPBACK_…`.
"""

import contextlib
import os
import runpy
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.fakes.child import QUICK, ROOT

EXAMPLES = ROOT / "docs" / "examples"
GUESTS = ROOT / "tests" / "fakes" / "guests"
WARNINGS = ("-W", "default", "-W", "ignore:'audioop' is deprecated:DeprecationWarning")


class Program:
    """One program. Its data stay in `folder` between two starts."""

    def __init__(self, program: Path, folder: Path, **env: str) -> None:
        self._program = program
        self._log = folder / "program.log"
        keep = {key: value for key, value in os.environ.items() if not key.startswith(("REMEMBRANCER_", "PTB_"))}
        own = {
            "REMEMBRANCER_DATA_DIR": str(folder / "data"),
            "DATABASE_URL": "mysql://their/own",
            "PYTHONPATH": str(ROOT),
        }
        self._env = keep | QUICK | own | env
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, ready: str = "") -> None:
        """Start it; with `ready`, until it says that."""
        before = len(self.output())
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, *WARNINGS, "-m", "tests.fakes.embedded", str(self._program)],
                cwd=ROOT, env=self._env, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
            )  # fmt: skip
        if ready:
            self.says(ready, before)

    def says(self, part: str, before: int = 0) -> None:
        """Wait until it prints or logs something."""
        end = time.monotonic() + 30
        while part not in self.output()[before:]:
            assert self._process is not None and self._process.poll() is None, self.output()
            assert time.monotonic() < end, self.output()
            time.sleep(0.02)

    def output(self) -> str:
        """What it printed and logged so far."""
        return self._log.read_text(errors="replace") if self._log.exists() else ""

    def stop(self, how: signal.Signals = signal.SIGINT) -> int:
        """Tell it to end; its exit code."""
        assert self._process is not None, "it does not run"
        self._process.send_signal(how)
        code = self._process.wait(30)
        self._process = None
        return code

    def kill(self) -> None:
        """SIGKILL, where it still runs."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(10)
            self._process = None


@contextlib.contextmanager
def embedded(program: Path, folder: Path, **env: str) -> Iterator[Program]:
    """A program, ended with the block whatever happens."""
    made = Program(program, folder, **env)
    try:
        yield made
    finally:
        made.kill()


def _point() -> None:
    """Make both libraries talk to the loopback services."""
    if api := os.environ.get("LOOPBACK_DISCORD_API"):
        from adapters.discord.endpoints import point_at

        point_at(api, os.environ["LOOPBACK_DISCORD_GATEWAY"])
    if url := os.environ.get("LOOPBACK_TELEGRAM"):
        from telegram.ext import ApplicationBuilder

        token = ApplicationBuilder.token

        def pointed(self, token_):
            return token(self, token_).base_url(f"{url}/bot").base_file_url(f"{url}/file/bot")

        ApplicationBuilder.token = pointed


if __name__ == "__main__":
    _point()
    runpy.run_path(sys.argv[1], run_name="__main__")
