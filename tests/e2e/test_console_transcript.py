"""`docs/transcript.txt` is what the terminal really shows."""

import json
import re
import subprocess
import sys
from dataclasses import replace

import pytest

from bots.chat import run
from config.settings import Settings
from core.errors import StorageError
from storage.unit_of_work import open_store
from tests.builders import HOME
from tests.fakes.transcripts import TRANSCRIPT, replay, replay_bytes, typed_lines

SCRIPT = """\
when someone mentions the launch checklist, remind me to confirm the rollback owner
yes
/as bob
the checklist for the launch is ready
"""


def without_chance(text: str) -> str:
    """Handles, times and the file are different in every run."""
    text = re.sub(r"\b([ir])-[0-9a-z]{4,6}\b", r"\1-????", text)
    text = re.sub(r"\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)( \d+ [A-Z][a-z]{2}( \d{4})?)? \d\d:\d\d( UTC)?", "TIME", text)
    return re.sub(r"kept in \S+", "kept in FILE", text)


def child(tmp_path, data: bytes, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "bots", "chat", *arguments, "--file", str(tmp_path / "console.db")]
    return subprocess.run(command, input=data, capture_output=True, timeout=60, check=False)


def test_the_transcript_is_what_is_shown_to_the_letter(chat):
    transcript = TRANSCRIPT.read_text(encoding="utf-8")
    assert replay(chat, typed_lines(transcript)) == transcript


@pytest.mark.thorough
def test_a_child_process_shows_the_same_but_for_handles_and_times(tmp_path, chat):
    transcript = TRANSCRIPT.read_text(encoding="utf-8")
    lines = [text for text in typed_lines(transcript) if not re.search(r"\bi-\w{4}", text)]
    done = child(tmp_path, "\n".join([*lines, ""]).encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert without_chance(done.stdout.decode()) == without_chance(replay(chat, lines))


def test_a_piped_script_ends_in_the_reminder_and_outlives_its_process(tmp_path):
    done = child(tmp_path, SCRIPT.encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Reminder for @ada: Confirm the rollback owner. (@bob said *launch checklist*)" in done.stdout
    assert b"\x1b" not in done.stdout
    again = child(tmp_path, b"/time +25h\n/as bob\nlaunch checklist\n")
    assert b"2 of 3" in again.stdout


@pytest.mark.thorough
def test_bytes_that_are_no_text_are_no_traceback_and_json_lines_can_be_asked_for(tmp_path):
    data = SCRIPT.encode() + b"\xff\xfe \0\n/as \xff\n/intent add \xff => y\n" + b"x" * 1_000_000
    done = child(tmp_path, data, "--json")
    assert (done.returncode, done.stderr) == (0, b"")
    rows = [json.loads(text) for text in done.stdout.splitlines()]
    assert {row["kind"] for row in rows} == {"said", "posted", "private"}
    posted = next(row["text"] for row in rows if row["kind"] == "posted")
    assert posted.startswith("Reminder for @ada")
    assert sum(row.get("mood") == "bad" for row in rows) == 2


def test_the_demonstration_shows_two_reminders(tmp_path):
    command = [sys.executable, "-m", "bots", "chat", "--demo"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)
    assert done.returncode == 0
    assert done.stdout.decode().count("Reminder for @ada") == 2
    assert "Nothing is kept." in done.stdout.decode()


def test_a_line_longer_than_the_bound_is_cut_and_flagged(chat):
    shown = replay_bytes(chat, b"x" * 11 + b"\nhello\n", limit=10)
    assert chat.cuts == [10]
    assert "ada #general> xxxxxxxxxx\n" in shown
    assert "ada #general> hello\n" in shown


def test_a_line_of_exactly_the_bound_is_whole(chat):
    replay_bytes(chat, b"x" * 9 + b"\nhello", limit=10)
    assert chat.cuts == []


def test_a_defect_is_one_sentence_and_the_chat_goes_on(chat, monkeypatch):
    handle = chat.app.handle

    def broken(text):
        if text == "boom":
            raise ZeroDivisionError("secret words")
        return handle(text)

    monkeypatch.setattr(chat.app, "handle", broken)
    shown = replay(chat, ["boom", "/people"])
    assert "Something went wrong on my side (ZeroDivisionError)" in shown
    assert "secret words" not in shown
    assert "People: ada" in shown


def test_a_file_with_rows_of_another_provider_is_refused(tmp_path, sqlite_template):
    file = tmp_path / "console.db"
    file.write_bytes(sqlite_template.read_bytes())
    store = open_store(f"sqlite:///{file}")
    with store.write() as tx:
        tx.places.ensure(replace(HOME, provider="discord"), "n")
        tx.commit()
    store.close()
    with pytest.raises(StorageError, match="holds rows of discord"):
        run(Settings(data_dir=tmp_path), file=file)
