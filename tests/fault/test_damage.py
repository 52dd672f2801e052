"""A file that is damaged, cut, empty, or not ours: a sentence, never a traceback; what is not ours is not written."""

import random
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import timedelta

import pytest

from bots.runtime import SystemClock, SystemIds
from core.errors import RemembrancerError, StorageError
from core.limits import LIMITS
from core.services.audit import VerifyAudit
from core.services.context import Context
from core.services.create_intent import CreateIntent
from core.services.receive_turn import ReceiveTurn
from storage.unit_of_work import open_store
from tests.builders import HOME, a_draft, a_turn, an_owner
from tests.fakes.databases import Database
from tests.fault.story import wrong_in

PAGE = 4096
DAMAGED = "The database file is damaged."
NOT_OURS = "The file is not a Remembrancer database."
FOREIGN = "The file is a database of another program."
SEEDS = 30


def context(store):
    return Context(store, SystemClock(), SystemIds(), replace(LIMITS, turn_deadline=timedelta(minutes=5)))


@pytest.fixture(scope="module")
def whole(sqlite_template, tmp_path_factory):
    """A file with rules and fires."""
    path = tmp_path_factory.mktemp("whole") / "store.db"
    shutil.copy(sqlite_template, path)
    store = open_store(f"sqlite:///{path}")
    ctx = context(store)
    for number in range(30):
        draft = a_draft(f"golf{number}", cooldown=timedelta(0), max_fires=1_000)
        CreateIntent(ctx)(draft, an_owner(), HOME, "created")
    for number in range(60):
        assert ReceiveTurn(ctx)(a_turn(f"golf{number % 30}", at=ctx.clock.now())).fires
    store.close()
    return path


@pytest.fixture
def path(whole, tmp_path):
    """A copy of it."""
    return shutil.copy(whole, tmp_path / "remembrancer.db")


def page_of(path, name):
    """Where the first page of a table or an index begins."""
    with closing(sqlite3.connect(path)) as connection:
        [(number,)] = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,))
    return (number - 1) * PAGE


def spoil(path, at, size=PAGE):
    """Flip every bit of some bytes; what was there."""
    data = bytearray(path.read_bytes())
    old = bytes(data[at : at + size])
    data[at : at + size] = bytes(255 - byte for byte in old)
    path.write_bytes(data)
    return old


def header(path):
    spoil(path, 0, 100)


def table(path):
    spoil(path, page_of(path, "operations"))


def index(path):
    spoil(path, page_of(path, "trig"))


def half(path):
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // PAGE // 2 * PAGE])


def emptied(path):
    path.write_bytes(b"")
    path.with_name(f"{path.name}-wal").write_bytes(b"\x37\x7f\x06\x82" + b"\0" * 5000)


def text(path):
    path.write_bytes(b"Dear diary, " * 1_000)


def theirs(path):
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE theirs (x)")


CASES = {
    header: NOT_OURS,
    table: DAMAGED,
    index: DAMAGED,
    half: DAMAGED,
    emptied: DAMAGED,
    text: NOT_OURS,
    theirs: FOREIGN,
}


@pytest.mark.parametrize("harm", CASES)
def test_opening_and_using_it_ends_in_a_sentence(path, harm):
    harm(path)
    refused = []
    for work in (lambda ctx: ReceiveTurn(ctx)(a_turn("golf1", at=ctx.clock.now())), lambda ctx: VerifyAudit(ctx)()):
        try:
            store = open_store(f"sqlite:///{path}")
        except StorageError as error:
            refused.append(error)
            continue
        try:
            work(context(store))
        except StorageError as error:
            refused.append(error)
        finally:
            store.close()
    assert refused
    assert {error.sentence for error in refused} == {CASES[harm]}
    assert all(error.hint and error.details["retry"] is False for error in refused)


@pytest.mark.parametrize("harm", CASES)
def test_the_command_line_tells_it_and_the_doctor_does(zygote, tmp_path, path, harm):
    harm(path)
    for arguments in (["audit", "verify", "--json"], ["doctor", "--json"])[harm is index :]:
        job = {"arguments": arguments, "data_dir": str(tmp_path)}
        status, told = zygote.run("tests.fault.jobs:command", tmp_path, with_=job)
        assert (status, "Traceback" in told) == (1, False), told
        assert CASES[harm] in told, told


@pytest.mark.parametrize("harm", [header, emptied, text, theirs])
def test_what_is_not_ours_is_never_written(path, harm, tmp_path):
    harm(path)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    for migrate in (None, True, False):
        with pytest.raises(StorageError):
            open_store(f"sqlite:///{path}", migrate=migrate)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_a_damaged_page_found_in_a_turn_is_an_error_of_that_turn_and_nothing_is_charged(path):
    at = page_of(path, "operations")
    old = spoil(path, at)
    database = Database(f"sqlite:///{path}")
    before = database.execute("SELECT * FROM standing_intents"), database.execute("SELECT * FROM fires")
    ctx = context(database.open())
    turn = a_turn("golf1", at=ctx.clock.now())
    with pytest.raises(StorageError, match="damaged"):
        ReceiveTurn(ctx)(turn)
    assert ReceiveTurn(ctx)(a_turn("lunch", at=ctx.clock.now())).fires == ()
    assert (database.execute("SELECT * FROM standing_intents"), database.execute("SELECT * FROM fires")) == before
    database.close()
    with path.open("r+b") as file:
        file.seek(at)
        file.write(old)
    ctx = context(database.open())
    assert len(ReceiveTurn(ctx)(replace(turn, received_at=ctx.clock.now())).fires) == 1
    assert wrong_in(database, ctx.store) == []
    database.close()


@pytest.mark.parametrize("seed", range(SEEDS))
def test_flipped_bytes_anywhere_are_told_or_do_no_harm(path, seed):
    """A sentence or an answer; nothing else ever comes out."""
    rng = random.Random(seed)
    size = path.stat().st_size
    for _ in range(20):
        spoil(path, rng.randrange(100, size), rng.choice([1, 4, 40]))
    works = (
        lambda ctx: ReceiveTurn(ctx)(a_turn(f"golf{rng.randrange(30)}", at=ctx.clock.now())),
        lambda ctx: CreateIntent(ctx)(a_draft(ctx.ids.uuid()), an_owner(), HOME, "created"),
        lambda ctx: VerifyAudit(ctx)(),
    )
    for work in works * 3:
        try:
            store = open_store(f"sqlite:///{path}")
        except RemembrancerError as error:
            assert error.hint
            continue
        try:
            work(context(store))
        except RemembrancerError as error:
            assert error.hint
        finally:
            store.close()
