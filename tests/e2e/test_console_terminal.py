"""The real prompt in a pseudo terminal."""

import os
import re
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.e2e.conftest import PASTE

pytestmark = pytest.mark.thorough

pexpect = pytest.importorskip("pexpect")
CTRL_C, CTRL_D, TAB, UP = "\x03", "\x04", "\t", "\x1b[A"
COLOUR = re.compile(r"\x1b\[(?:\d+;)*(?:3[0-7]|38;\d+;\d+|9[0-7])m")


class Terminal:
    """One `remembrancer chat` at a pseudo terminal."""

    def __init__(self, folder: Path, *arguments: str, **env: str) -> None:
        command = ["-m", "bots", "chat", "--file", str(folder / "console.db"), *arguments]
        kept = {name: value for name, value in os.environ.items() if not name.startswith("REMEMBRANCER_")}
        full = kept | {"TERM": "xterm-256color", "HOME": str(folder)} | env
        full.pop("NO_COLOR", None) if "NO_COLOR" not in env else None
        self.child = pexpect.spawn(
            sys.executable, command, env=full, encoding="utf-8", timeout=20, dimensions=(40, 120)
        )
        self.seen = ""

    def expect(self, text: str) -> None:
        """Wait for words, whatever styles stand between them."""
        self.child.expect(re.compile(r"(?:\x1b\[[0-9;?]*[a-zA-Z]|\s)*".join(map(re.escape, text.split(" ")))))
        self.seen += self.child.before + self.child.after

    def type(self, text: str) -> None:
        """Type a line."""
        self.child.send(text + "\r")

    def end(self) -> int:
        """Wait for the end; the exit code."""
        self.child.expect(pexpect.EOF)
        self.seen += self.child.before
        self.child.close()
        assert "Traceback" not in self.seen
        assert self.child.exitstatus is not None, self.child.signalstatus
        return int(self.child.exitstatus)


def test_a_conversation_at_the_prompt(tmp_path):
    terminal = Terminal(tmp_path)
    terminal.expect("ada #general>")
    terminal.type(PASTE)
    terminal.expect("Your answer:")
    terminal.type("yes")
    terminal.expect("Saved as")
    terminal.expect("#general>")

    terminal.child.send("/intent show i")  # handles are completed, with their text
    terminal.expect("Confirm the rollback owner")
    terminal.child.send(TAB)
    terminal.expect("i-")
    terminal.child.send("\r")
    terminal.expect("Made by @ada")

    terminal.child.send("/as b")
    terminal.expect("#general>")
    terminal.child.send("ob\r")
    terminal.expect("You are now bob")
    terminal.type("the checklist for the launch is ready")
    terminal.expect("Reminder for @ada: Confirm the rollback owner. (@bob said *launch checklist*)")
    terminal.expect("#general>")

    terminal.type("/people")  # and the line before comes back with the arrow
    terminal.expect("People: ada (owner), bob")
    terminal.expect("#general>")
    terminal.child.send(UP + "\r")
    terminal.expect("People: ada (owner), bob")
    terminal.child.send(CTRL_D)
    terminal.expect("Bye.")
    assert terminal.end() == 0
    assert COLOUR.search(terminal.seen)


@pytest.mark.thorough
def test_the_heartbeat_runs_beside_the_prompt_and_no_color_is_honoured(tmp_path):
    terminal = Terminal(tmp_path, REMEMBRANCER_HEARTBEAT_SECONDS="0.1", NO_COLOR="1")
    terminal.expect("#general>")
    terminal.type("/intent add zebra => Feed it --expires 1s")
    terminal.expect("Your answer:")
    terminal.type("yes")
    terminal.expect("Saved as")
    wait_for(lambda: stored_status(tmp_path) == "expired")
    terminal.child.send(CTRL_C)
    terminal.expect("Bye.")
    assert terminal.end() == 0
    assert not COLOUR.search(terminal.seen)


@pytest.mark.thorough
def test_a_dumb_terminal_is_enough(tmp_path):
    terminal = Terminal(tmp_path, TERM="dumb")
    terminal.expect("#general>")
    terminal.type("/people")
    terminal.expect("People:")
    terminal.type("/quit")
    assert terminal.end() == 0
    assert not COLOUR.search(terminal.seen)


@pytest.mark.thorough
def test_ctrl_c_clears_the_line_and_lines_come_back_after_a_restart(tmp_path):
    terminal = Terminal(tmp_path)
    terminal.expect("#general>")
    terminal.type("/people")
    terminal.expect("People: ada (owner)")
    terminal.expect("#general>")
    terminal.child.send("half a line" + CTRL_C + "/channels\r")
    terminal.expect("Channels: #general")
    terminal.expect("#general>")
    terminal.child.send(CTRL_C)
    terminal.expect("Bye.")
    assert terminal.end() == 0
    assert (tmp_path / "console.db.history").stat().st_mode & 0o777 == 0o600

    again = Terminal(tmp_path)
    again.expect("#general>")
    again.child.send(UP + UP + "\r")
    again.expect("People: ada (owner)")
    again.type("/quit now")
    assert again.end() == 0


@pytest.mark.thorough
def test_pasted_escape_sequences_are_no_traceback(tmp_path):
    terminal = Terminal(tmp_path)
    terminal.expect("#general>")
    terminal.child.send("\x1b[31mred\x1b[<0;1;1M\x1b[M   \r")
    terminal.type("/people")
    terminal.expect("People: ada")
    terminal.type("/quit")
    assert terminal.end() == 0
    assert "exception" not in terminal.seen.casefold()


@pytest.mark.slow
def test_the_demonstration_types_and_then_hands_over(tmp_path):
    terminal = Terminal(tmp_path, "--demo")
    terminal.child.timeout = 100
    terminal.expect("That was the demonstration.")
    terminal.type("/quit")
    assert terminal.end() == 0
    assert "2 of 3" in terminal.seen


def stored_status(folder):
    with closing(sqlite3.connect(folder / "console.db")) as connection:
        return connection.execute("SELECT status FROM standing_intents").fetchone()[0]


def wait_for(condition, seconds=20):
    """Until `condition` holds; what a person does is not waited for by the clock."""
    for _ in range(seconds * 20):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("it never came")
