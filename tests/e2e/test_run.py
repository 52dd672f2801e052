"""`remembrancer run` as a process: how it starts, how it ends, what it says."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.databases import ROOT
from tests.fakes.telegram.fixtures import telegram_world  # noqa: F401 - a fixture
from tests.fakes.telegram.robots import Bot
from tests.fakes.telegram.world import World

pytestmark = pytest.mark.thorough

START_SECONDS = 30


class Program:
    """A running `remembrancer run`, and what it told."""

    def __init__(self, folder: Path, url: str, token: str, *arguments: str) -> None:
        self.folder = folder
        env = {key: value for key, value in os.environ.items() if not key.startswith(("REMEMBRANCER_", "DATABASE_URL"))}
        env |= {
            "HOME": str(folder),
            "PYTHONPATH": str(ROOT),
            "NO_PROXY": "127.0.0.1",
            "REMEMBRANCER_DATA_DIR": str(folder / "data"),
            "REMEMBRANCER_TELEGRAM_API_URL": url,
            "REMEMBRANCER_HEARTBEAT_SECONDS": "0.2",
            "TELEGRAM_TOKEN": token,
        }
        with (folder / "out").open("wb") as out, (folder / "err").open("wb") as err:
            command = [sys.executable, "-m", "tests.fakes.running", *arguments]
            self.process = subprocess.Popen(command, cwd=folder, env=env, stdout=out, stderr=err)

    @property
    def out(self) -> str:
        return (self.folder / "out").read_text()

    @property
    def err(self) -> str:
        return (self.folder / "err").read_text()

    def until(self, told: str) -> None:
        end = time.monotonic() + START_SECONDS
        while told not in self.out:
            assert time.monotonic() < end, (self.out, self.err)
            assert self.process.poll() is None, (self.out, self.err)
            time.sleep(0.02)

    def ended(self) -> int:
        return self.process.wait(START_SECONDS)

    def read(self, statement: str) -> list[Any]:
        with closing(sqlite3.connect(self.folder / "data" / "remembrancer.db")) as database:
            return database.execute(statement).fetchall()


@pytest.fixture
def bot(telegram_world: World) -> Bot:  # noqa: F811 - the fixture
    return telegram_world.bot("reminder_bot")


@pytest.fixture
def started(tmp_path: Path, bot: Bot) -> Iterator[Any]:
    programs: list[Program] = []

    def start(*arguments: str, token: str = "") -> Program:
        programs.append(Program(tmp_path, bot.world.url, token or bot.token, *arguments))
        return programs[-1]

    yield start
    for program in programs:
        program.process.kill()
        program.process.wait()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_lets_it_finish_what_is_under_way_and_ends_it_well(
    started: Any, bot: Bot, number: signal.Signals
) -> None:
    program = started("0.5", "--only", "telegram")
    program.until("telegram: @reminder_bot is listening\n")
    program.until("heartbeat: every 0.2 s\n")
    assert program.read("SELECT value FROM facts WHERE key = 'work'") == [("under way",)]
    assert len(program.read("SELECT id FROM processes")) == 1
    began = time.monotonic()
    program.process.send_signal(number)
    assert program.ended() == 0, program.err
    assert time.monotonic() - began < 15
    assert "Stopping: " in program.out
    assert program.read("SELECT value FROM facts WHERE key = 'work'") == [("finished",)]
    assert program.read("SELECT id FROM processes") == []
    assert not list((program.folder / "data").glob("*-wal"))
    assert bot.token not in program.out + program.err
    assert "Traceback" not in program.err


def test_a_second_signal_ends_it_at_once(started: Any) -> None:
    program = started("-1")
    program.until("telegram: ")
    program.process.send_signal(signal.SIGTERM)
    program.until("Stopping: ")
    began = time.monotonic()
    program.process.send_signal(signal.SIGINT)
    assert program.ended() == 130
    assert time.monotonic() - began < 5


def test_a_wrong_token_is_said_with_what_to_do_and_ends_it_as_no_bot_is_left(started: Any) -> None:
    wrong = "123456789:BBB-abcdefghijklmnopqrstuvwxyz_0123"
    program = started("0", token=wrong)
    assert program.ended() == 1
    assert "remembrancer: telegram: The token was refused" in program.err
    assert "Copy it again.\n  It stays off until this is corrected" in program.err
    assert "No bot is left that can run." in program.err
    assert wrong not in program.out + program.err
    assert "was rejected by the server" in program.err  # the library's own sentence holds the token


def test_it_tells_in_json_one_object_a_line(started: Any) -> None:
    program = started("0", "--json")
    program.until("telegram")
    program.until("heartbeat")
    program.process.terminate()
    assert program.ended() == 0
    lines = [json.loads(line) for line in program.out.splitlines()]
    assert {(line.get("service"), line["state"]) for line in lines} >= {
        ("telegram", "ready"),
        ("heartbeat", "ready"),
        (None, "stopping"),
    }
