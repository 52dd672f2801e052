"""Goal memory under races and kills: no circle, no second alert, nothing half done."""

import json
import os
import random
import select
import subprocess
import sys
import time
from collections import Counter
from datetime import timedelta

import pytest

from bots.runtime import SystemClock, SystemIds
from core.services.audit import VerifyAudit
from core.services.context import Context
from core.standing.intent import Priority
from tests.builders import ADA
from tests.builders_goals import a_risk, add, due, edges, kinds_told, log_length, operations, stored
from tests.fakes.reminding import a_context
from tests.fakes.replayed import differing
from tests.fault.goal_story import run
from tests.fault.story import wrong_in
from tests.property.goal_oracle import World

JOB = f"{run.__module__}:{run.__name__}"
PAIRS, THREADS, PROCESSES, RISKS = 40, 3, 2, 30
pytestmark = pytest.mark.timeout(300)


# circles


@pytest.fixture
def pairs(store):
    """Two goals each, to be tied together from both sides at once."""
    ctx = Context(store, SystemClock(), SystemIds())
    return ctx, [(add(ctx, f"one {n}").handle, add(ctx, f"two {n}").handle) for n in range(PAIRS)]


def race(database, pairs, *flags):
    """One process ties each first one to the second, the other one the other way round."""
    plans = [[list(pair) for pair in pairs], [[late, early] for early, late in pairs]]
    workers = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.fault.goal_worker", database.url, database.schema, plan, *flags],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for plan in (json.dumps({"pairs": plan, "threads": THREADS}) for plan in plans)
    ]
    for worker in workers:
        assert worker.stdout.readline() == "ready\n"
    for worker in workers:
        worker.stdin.write("go\n")
        worker.stdin.flush()
    return [json.loads(worker.communicate(timeout=240)[0]) for worker in workers]


@pytest.mark.thorough
def test_two_processes_never_close_a_circle_together(pairs, database):
    ctx, handles = pairs
    told = race(database, handles)
    assert [one["failures"] for one in told] == [[], []]
    found = edges(ctx)
    assert World(0, 0, 0).is_acyclic(list(found))
    assert len(found) == PAIRS  # of each pair one direction, whichever was first
    assert sum(one["circles"] for one in told) == PAIRS * THREADS
    assert all(report.bad is None and not report.why for report in VerifyAudit(ctx)())
    assert differing(ctx.store) == []


@pytest.mark.thorough
def test_without_the_lock_of_the_chain_the_same_race_closes_circles(pairs, database):
    """Shows that the test above can fail."""
    ctx, handles = pairs
    race(database, handles, "--sabotage")
    assert not World(0, 0, 0).is_acyclic(list(edges(ctx)))


# heartbeats


@pytest.fixture
def overdue(store, clock, ids):
    """Risks whose deadline has passed."""
    ctx = a_context(store, clock, ids)
    rows = [
        add(ctx, a_risk(f"risk {n}", priority=Priority.LOW, due=due(ctx, timedelta(hours=1)))) for n in range(RISKS)
    ]
    clock.advance(hours=2)
    return ctx, rows


def beat_twice(ctx, database, held, **more):
    job = {"url": database.url, "schema": database.schema, "now": ctx.clock.now().isoformat(), "chunk": 3} | more
    both = [held("tick", together="go", **job) for _ in range(2)]
    both[0].go()
    return [json.loads(one.told()[0]) for one in both]


def test_two_heartbeats_at_once_raise_each_risk_once_with_one_alert_and_one_notice(overdue, database, held):
    ctx, rows = overdue
    told = beat_twice(ctx, database, held)
    assert all("error" not in one for one in told), told
    assert sum(one["goals_expired"] for one in told) == RISKS
    assert {stored(ctx, row).priority for row in rows} == {Priority.MEDIUM}
    assert {operations(ctx, row).count("EXPIRED_RISK_ALERT") for row in rows} == {1}
    assert Counter(kinds_told(ctx, ADA)) == {"notice.goal.risk": RISKS}
    length = log_length(ctx)
    assert beat_twice(ctx, database, held)[0]["goals_expired"] == 0
    assert log_length(ctx) == length
    assert differing(ctx.store) == []


@pytest.mark.thorough
def test_without_locks_and_guards_two_heartbeats_tell_of_a_risk_twice(overdue, database, held):
    """Shows that the test above can fail."""
    ctx, rows = overdue
    beat_twice(ctx, database, held, sabotaged=True)
    assert {operations(ctx, row).count("EXPIRED_RISK_ALERT") for row in rows} != {1}


# kills


def wrong(database, store):
    """What does not belong together."""
    return [*wrong_in(database, store), *differing(store)]


def kill_often(database, store, zygote, folder, kills, torn=False):
    """Kill a run again and again, at a random instant after the beginning of a write; what is wrong after each."""
    pipe, rng, found = folder / "marks", random.Random(7), []
    os.mkfifo(pipe)
    marks = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    with_ = {"url": database.url, "schema": database.schema, "acts": 400, "pipe": str(pipe), "torn": torn}
    for seed in range(kills):
        pid = zygote.start(
            f"{run.__module__}:{run.__name__}", with_=with_ | {"seed": seed}, out=str(folder / "out.txt")
        )
        for _ in range(rng.randint(1, 60)):
            assert select.select([marks], [], [], 20)[0], (folder / "out.txt").read_text()
            os.read(marks, 1)
        time.sleep(rng.uniform(0, 0.004))
        assert zygote.kill(pid) == -9
        while select.select([marks], [], [], 0)[0]:
            os.read(marks, 1)
        found += wrong(database, store)
        if found:
            break
    os.close(marks)
    return found


@pytest.mark.thorough
def test_a_kill_at_any_instant_leaves_nothing_half_done(store, database, zygote, tmp_path):
    assert kill_often(database, store, zygote, tmp_path, 12) == []
    assert log_length(Context(store, SystemClock(), SystemIds())) > 100


@pytest.mark.thorough
def test_without_transactions_the_same_kills_leave_something_half_done(store, database, zygote, tmp_path):
    """Shows that the test above can fail."""
    assert kill_often(database, store, zygote, tmp_path, 30, torn=True) != []
