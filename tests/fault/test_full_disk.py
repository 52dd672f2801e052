"""A disk that takes no more: a sentence, nothing half done, and the same call works when there is room again.

Two kinds: files that may not grow (a limit of the process, which needs no rights), and a small file system that is
really full (only where this process may mount one).
"""

import json
import os
import shutil
import subprocess
from datetime import timedelta

import pytest

from bots.runtime import SystemClock, SystemIds
from core.services.context import Context
from core.services.create_intent import CreateIntent
from storage.unit_of_work import open_store
from tests.builders import HOME, a_draft, an_owner
from tests.fakes.databases import Database
from tests.fault.story import wrong_in

ROOM = 40_000
RULES = 60
SMALL = "size=8m"
BALLAST = 256 * 1024
REFUSED = {
    "The disk took no more (full, over a quota, or failing); nothing was stored.",
    "The disk is full; nothing was stored.",
}
MADE = "/intent add golf --max 1000 --cooldown 0 --anyone => Look at it."
LINES = (MADE, "yes", "/as bob", "golf one")
MORE = ("/as bob", "golf two", "/intent list", "/help", "golf three")


@pytest.fixture
def mounted(tmp_path):
    """A file system of 8 MB, and what fills it up."""
    folder = tmp_path / "small"
    folder.mkdir()
    made = os.getuid() == 0 and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", SMALL, "tmpfs", str(folder)], capture_output=True, check=False
    )
    if not made or made.returncode:
        if os.getuid() or os.environ.get("REMEMBRANCER_REQUIRE_SERVICES") != "1":
            pytest.skip("no file system can be mounted here: only the limit of file sizes is tried")
        yield None  # a container may refuse it even to root: then the limit stands in for it
        return
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(folder):
    """Leave no byte free."""
    with (folder / "ballast").open("wb", buffering=0) as ballast:
        for size in (BALLAST, 4096, 1):
            try:
                while ballast.write(b"\0" * size):
                    pass
            except OSError:
                continue


def plant(database):
    """Rules to cancel; their handles."""
    store = database.open()
    ctx = Context(store, SystemClock(), SystemIds())
    steady = a_draft("steady", cooldown=timedelta(0), max_fires=1_000)
    CreateIntent(ctx)(steady, an_owner(), HOME, "made")
    handles = [CreateIntent(ctx)(a_draft(f"golf{n}"), an_owner(), HOME, "made").handle for n in range(RULES)]
    database.close()
    return handles


@pytest.fixture
def full(zygote, tmp_path, sqlite_template):
    """Works until nothing goes any more, then once more with room; answers what was told."""

    def run(folder, room, **limits):
        shutil.copy(sqlite_template, folder / "store.db")
        database = Database(f"sqlite:///{folder / 'store.db'}")
        job = {"url": database.url, "rounds": 300}
        handles = plant(database)
        if not limits:
            fill(folder)
            os.truncate(folder / "ballast", (folder / "ballast").stat().st_size - ROOM)
        status, told = zygote.run("tests.fault.jobs:until_full", tmp_path, with_=job | {"handles": handles}, **limits)
        assert status == 0, told
        first = json.loads(told)
        room()
        store = open_store(database.url)
        assert wrong_in(database, store) == []
        store.close()
        status, told = zygote.run(
            "tests.fault.jobs:until_full", tmp_path, with_=job | {"rounds": 1, "handles": handles[-1:]}
        )
        assert (status, json.loads(told)["said"]) == (0, {name: [] for name in first["said"]})
        return first

    return run


def check(first):
    """Each of the four was refused in the end, with a sentence that says why."""
    for name, said in first["said"].items():
        assert said, name
        code, sentence, hint = said
        assert code == "storage"
        assert sentence in REFUSED
        assert hint


def test_files_that_may_not_grow_refuse_everything_and_nothing_is_half_done(full, tmp_path):
    check(full(tmp_path, lambda: None, file_bytes=ROOM))


def test_a_full_file_system_refuses_everything_and_nothing_is_half_done(full, mounted, tmp_path):
    if mounted is None:
        check(full(tmp_path, lambda: None, file_bytes=2 * ROOM))
    else:
        check(full(mounted, (mounted / "ballast").unlink))


def chat(zygote, tmp_path, folder, *lines, **limits):
    given = tmp_path / "lines.txt"
    given.write_text("".join(f"{line}\n" for line in lines))
    job = {"arguments": ["chat", "--file", str(folder / "chat.db")], "data_dir": str(folder)}
    return zygote.run("tests.fault.jobs:command", tmp_path, with_=job, stdin=str(given), **limits)


def test_the_person_reads_the_sentence_and_the_chat_goes_on(zygote, tmp_path):
    status, told = chat(zygote, tmp_path, tmp_path, *LINES)
    assert status == 0, told
    assert "Look at it." in told
    status, told = chat(zygote, tmp_path, tmp_path, *MORE, file_bytes=ROOM)
    assert status == 0, told
    assert any(sentence in told for sentence in REFUSED), told
    assert "Bye." in told, told
    assert "Traceback" not in told
    assert "Logging error" not in told
    status, told = chat(zygote, tmp_path, tmp_path, "/as bob", "golf four")
    assert (status, "Look at it." in told) == (0, True)


def test_the_person_reads_it_on_a_full_file_system_too(zygote, tmp_path, mounted):
    folder, limits = (tmp_path, {"file_bytes": 2 * ROOM}) if mounted is None else (mounted, {})
    status, told = chat(zygote, tmp_path, folder, *LINES)
    assert status == 0, told
    if mounted is not None:
        fill(mounted)
    status, told = chat(zygote, tmp_path, folder, *MORE, **limits)
    assert any(sentence in told for sentence in REFUSED), told
    assert "Traceback" not in told
    assert "Logging error" not in told
    (folder / "ballast").unlink(missing_ok=True)
    status, told = chat(zygote, tmp_path, folder, "/as bob", "golf four")
    assert (status, "Look at it." in told) == (0, True)
