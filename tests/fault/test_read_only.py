"""A file or a folder that may not be written: it can be looked at, everything else is refused with a sentence."""

import json
import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from bots.runtime import SystemClock, SystemIds
from core.services.context import Context
from core.services.create_intent import CreateIntent
from tests.builders import HOME, a_draft, an_owner
from tests.fakes.databases import Database
from tests.fault.zygote import NOBODY

SENTENCE = "The database cannot be written: the file or its folder is read-only."
LOG = "(Permission denied)"
CANNOT_OPEN = "The database file cannot be opened."


@pytest.fixture
def look(zygote, tmp_path, sqlite_template):
    """Runs a command as somebody who may only read: the file, or the file and its folder."""
    home = Path(tempfile.mkdtemp(prefix="remembrancer-read-only-"))  # pytest's own folders are for their owner only
    home.chmod(0o755)
    data = home / "data"
    data.mkdir()
    shutil.copy(sqlite_template, data / "remembrancer.db")
    database = Database(f"sqlite:///{data / 'remembrancer.db'}")
    ctx = Context(database.open(), SystemClock(), SystemIds())
    handle = CreateIntent(ctx)(a_draft(), an_owner(), HOME, "made").handle
    database.close()
    before = database.path.read_bytes()

    def run(*arguments, folder=0o777, file=0o444):
        database.path.chmod(file)
        data.chmod(folder)
        job = {"arguments": [*arguments], "data_dir": str(data)}
        given = tmp_path / "lines.txt"
        given.write_text("hello\n")
        return zygote.run("tests.fault.jobs:command", tmp_path, with_=job, uid=NOBODY, stdin=str(given))

    run.handle, run.data, run.path = handle, data, database.path
    yield run
    data.chmod(0o755)
    assert database.path.read_bytes() == before
    shutil.rmtree(home)


MODES = pytest.mark.parametrize("modes", [{"folder": 0o777}, {"folder": 0o555}, {"folder": 0o555, "file": 0o666}])


@MODES
def test_what_only_reads_works(look, modes):
    for arguments, wanted in (
        (("intents", "list"), look.handle),
        (("intents", "show", look.handle), "Confirm the rollback owner"),
        (("intents", "explain", look.handle, "--text", "launch checklist"), "would fire"),
        (("audit", "verify"), "can only be read"),
    ):
        status, told = look(*arguments, **modes)
        assert (status, wanted in told) == (0, True), told
    if modes["folder"] == 0o555:
        assert [path.name for path in look.data.iterdir()] == ["remembrancer.db"]


@MODES
def test_what_writes_is_refused_with_a_sentence(look, modes):
    status, told = look("intents", "cancel", look.handle, **modes)
    assert (status, SENTENCE in told) == (1, True), told


@MODES
def test_the_doctor_says_it_and_looks_at_the_rest(look, modes):
    status, told = look("doctor", "--json", **modes)
    checks = {check["check"]: check for check in json.loads(told)["checks"]}
    assert (status, checks["writing"]["state"], checks["writing"]["found"]) == (1, "fail", SENTENCE)
    assert checks["log chains"]["state"] == checks["trigger index"]["state"] == "ok"


@MODES
def test_the_chat_is_refused_with_a_sentence(look, modes):
    status, told = look("chat", "--file", str(look.path), **modes)
    assert (status, "Traceback" in told) == (1, False), told
    assert SENTENCE in told or LOG in told, told


def test_a_log_that_cannot_be_read_in_without_writing_is_refused(look):
    """The newest changes are in the -wal file: showing the file without them would be wrong."""
    log = look.path.with_name(f"{look.path.name}-wal")
    with closing(sqlite3.connect(look.path)) as connection:
        connection.execute("INSERT INTO facts VALUES ('k', 'v')")
        connection.commit()
        left = {path: path.read_bytes() for path in (look.path, log)}
    for path, data in left.items():
        path.write_bytes(data)
    status, told = look("intents", "list", folder=0o555)
    assert (status, CANNOT_OPEN in told) == (1, True), told
    look.data.chmod(0o755)
    log.unlink()
