"""What the children of the fault tests do, each in a process of its own. Answers are printed as JSON."""

import json
import os
import sqlite3
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from pathlib import Path

import psycopg

import bots.bootstrap
import core.services.refile
import core.services.reindex
from adapters.dates.recurrence import DateutilRecurrences
from bots.cli import main
from bots.runtime import SystemClock, SystemIds
from config.settings import Settings
from core.errors import RemembrancerError, StorageError
from core.limits import LIMITS
from core.services.change_intent import CancelIntent
from core.services.context import Context
from core.services.create_intent import CreateIntent
from core.services.receive_turn import ReceiveTurn
from core.services.tick import Tick
from core.turn import ADMIN
from storage.unit_of_work import open_store
from tests.builders import HOME, a_draft, a_turn, an_owner
from tests.fakes.clock import FakeClock
from tests.fault import sabotage
from tests.fault.replay import Marking

PATIENCE_SECONDS = 60
LOCKS = ("SELECT key FROM standing_intents FOR UPDATE", "SELECT id FROM namespaces FOR UPDATE")


def command(arguments: list[str], data_dir: str) -> int:
    """The command line, as somebody else starts it."""
    for name in [name for name in os.environ if name.startswith(("REMEMBRANCER_", "DATABASE_URL"))]:
        del os.environ[name]
    os.environ["REMEMBRANCER_DATA_DIR"] = data_dir
    os.environ["HOME"] = data_dir
    return main(arguments)


def hold_lock(url: str, schema: str, flag: str) -> None:
    """Hold what writers need, until the flag is taken away."""
    if url.startswith("sqlite"):
        connection = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
        connection.execute("BEGIN IMMEDIATE")
        _wait_while(flag)
        return
    with psycopg.connect(url, options=f"-c search_path={schema}") as session:
        for statement in LOCKS:
            session.execute(statement)
        _wait_while(flag)


def live(url: str, schema: str, flag: str, fingerprint: str) -> None:
    """A bot with another analysis: it registers, files one rule and beats, until the flag is taken away."""
    for module in (bots.bootstrap, core.services.refile, core.services.reindex):
        module.FINGERPRINT = fingerprint  # type: ignore[attr-defined]
    store = open_store(url, schema=schema, migrate=False)
    app = bots.bootstrap.App(Settings(), store, Context(store, SystemClock(), SystemIds()), SystemIds().uuid())
    bots.bootstrap.beat_of(app)()
    for number in range(7):
        draft = a_draft(f"golf{number}", cooldown=timedelta(0), max_fires=1_000)
        CreateIntent(app.context)(draft, an_owner(), HOME, "created")
    _wait_while(flag)
    app.close()


def tick(url: str, schema: str, now: str, chunk: int, flag: str, marks: str = "", sabotaged: bool = False) -> None:
    """One heartbeat, begun when the flag is taken away."""
    if sabotaged:
        sabotage.install()
    store = open_store(url, schema=schema, migrate=False)
    pipe = os.open(marks or os.devnull, os.O_WRONLY)
    marked = Marking(store, lambda mark: os.write(pipe, mark))
    clock = FakeClock(datetime.fromisoformat(now))
    ctx = Context(
        marked,
        clock,
        SystemIds(),
        replace(LIMITS, chunk=chunk),
        zone_of=bots.bootstrap.zone_of,
        recurrences=DateutilRecurrences(),
    )
    _wait_while(flag)
    try:
        print(json.dumps(asdict(Tick(ctx)())))
    except StorageError as error:
        print(json.dumps({"error": error.sentence, "retry": error.details["retry"]}))


def until_full(url: str, rounds: int, handles: list[str]) -> None:
    """Do one thing after the other until the disk takes no more of it; what was done and what was said."""
    store = open_store(url, migrate=False)
    ctx = Context(store, SystemClock(), SystemIds(), replace(LIMITS, turn_deadline=timedelta(minutes=5)))
    done: dict[str, list[str]] = {"create": [], "turn": [], "cancel": [], "tick": []}

    def create() -> str:
        draft = a_draft(ctx.ids.uuid(), "Look at it. " * 30)
        return CreateIntent(ctx)(draft, an_owner(), HOME, "created").handle

    def turn() -> str:
        return ",".join(fire.fire_id for fire in ReceiveTurn(ctx)(a_turn("steady", at=ctx.clock.now())).fires)

    def cancel() -> str:
        return CancelIntent(ctx)(handles.pop(), ADMIN, None).handle

    def beat() -> str:
        return str(Tick(ctx)())

    said = {
        name: _until_refused(work, done[name], rounds)
        for name, work in (("create", create), ("turn", turn), ("tick", beat), ("cancel", cancel))
    }
    print(json.dumps({"said": said, "done": {name: len(made) for name, made in done.items()}}))


def _until_refused(work: Callable[[], str], done: list[str], rounds: int) -> list[str]:
    for _ in range(rounds):
        try:
            done.append(work())
        except RemembrancerError as error:
            return [error.code, error.sentence, error.hint]
    return []


def _wait_while(flag: str) -> None:
    print("ready", flush=True)
    end = time.monotonic() + PATIENCE_SECONDS
    while Path(flag).exists():
        if time.monotonic() > end:
            sys.exit(3)
        time.sleep(0.005)
