"""What `chat --file` leaves of the files that it finds."""

import io
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bots import chat
from tests.unit.cli.conftest import Terminal, terminal

__all__ = ["terminal"]


@pytest.fixture(autouse=True)
def nothing_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))


def test_a_file_that_is_no_database_gets_no_log_beside(terminal: Terminal) -> None:
    (terminal.folder / "notes.txt").write_text("not a database " * 100)
    (terminal.folder / "folder").mkdir()
    for name in ("notes.txt", "folder", "nowhere/x.db"):
        assert terminal("chat", "--file", name).code == 1
    assert {path.name for path in terminal.folder.iterdir()} == {"notes.txt", "folder"}


def test_a_file_of_another_program_gets_no_log_beside(terminal: Terminal) -> None:
    with closing(sqlite3.connect(terminal.folder / "theirs.db")) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    assert terminal("chat", "--file", "theirs.db").code == 1
    assert [path.name for path in terminal.folder.iterdir()] == ["theirs.db"]


def test_a_big_file_that_is_no_log_of_ours_is_kept(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat, "LOG_BYTES", 100)
    log = terminal.folder / "x.db.log"
    log.write_text("theirs\n" * 100)
    assert terminal("chat", "--file", "x.db").code == 0
    assert log.read_text().startswith("theirs\n" * 100)


@pytest.mark.parametrize("form", ["console", "json"])
def test_a_big_log_of_ours_is_begun_anew(terminal: Terminal, monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    log = terminal.folder / "x.db.log"
    level = ("--log-level", "debug", "--log-format", form)
    assert terminal(*level, "chat", "--file", "x.db").code == 0
    first = log.read_text()
    assert first
    monkeypatch.setattr(chat, "LOG_BYTES", len(first) - 1)
    assert terminal(*level, "chat", "--file", "x.db").code == 0
    assert not log.read_text().startswith(first)


@pytest.mark.parametrize("name", ["w%41.db", "a?mode=memory.db", "a#b.db"])
def test_the_file_has_the_name_that_was_typed(terminal: Terminal, name: str) -> None:
    assert terminal("chat", "--file", name).code == 0
    assert sorted(path.name for path in Path().iterdir() if path.name != "data") == [name, f"{name}.log"]
