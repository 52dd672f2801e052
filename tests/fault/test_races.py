"""Two processes with eight threads each race for the same intents: never too often, too soon or twice."""

import json
import subprocess
import sys
from collections import Counter
from datetime import timedelta

import pytest

from bots.runtime import SystemClock, SystemIds
from core.services.audit import VerifyAudit
from core.services.context import Context
from core.services.create_intent import CreateIntent
from core.services.read_intents import ShowIntent
from core.turn import ADMIN
from tests.builders import HOME, a_draft, an_owner
from tests.fakes.replayed import differing

PROCESSES = 2
THREADS = 8
MESSAGES = [f"m{number}" for number in range(30)]
RULES = {
    "one": {"max_fires": 1, "cooldown": timedelta(0)},
    "seven": {"max_fires": 7, "cooldown": timedelta(0)},
    "cooling": {"max_fires": 9, "cooldown": timedelta(hours=1)},
    "each": {"max_fires": 1000, "cooldown": timedelta(0)},
}
pytestmark = pytest.mark.timeout(300)


def race(url, schema, *flags):
    """Run the workers; answers the fires of all and the sentences of what failed."""
    plan = json.dumps({"messages": MESSAGES, "texts": [f"rule {name}" for name in RULES], "threads": THREADS})
    command = [sys.executable, "-m", "tests.fault.race_worker", url, schema or "", plan, *flags]
    workers = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(PROCESSES)
    ]
    for worker in workers:
        assert worker.stdout.readline() == "ready\n"
    for worker in workers:
        worker.stdin.write("go\n")
        worker.stdin.flush()
    told = [json.loads(worker.communicate(timeout=240)[0]) for worker in workers]
    assert [worker.returncode for worker in workers] == [0] * PROCESSES
    return [fire for one in told for fire in one["fires"]], [line for one in told for line in one["failures"]]


def broken(fires, made):
    """What the fires violate, as sentences."""
    wrong = []
    for name, rule in RULES.items():
        handle = made[name].handle
        mine = [fire for fire in fires if fire["intent"] == handle]
        if len(mine) > rule["max_fires"]:
            wrong.append(f"{name}: {len(mine)} fires of {rule['max_fires']}")
        if rule["cooldown"] and len(mine) > 1:
            wrong.append(f"{name}: {len(mine)} fires within one cooldown")
        if mine and max(Counter(fire["message"] for fire in mine).values()) > 1:
            wrong.append(f"{name}: a message fired twice")
    return wrong


@pytest.fixture
def arena(store, request):
    ctx = Context(store, SystemClock(), SystemIds())
    made = {
        name: CreateIntent(ctx)(a_draft(f"rule {name}", "Look.", **rule), an_owner(), HOME, "created")
        for name, rule in RULES.items()
    }
    return ctx, made


def test_racing_processes_never_fire_too_often_too_soon_or_twice(arena, database):
    ctx, made = arena
    fires, failures = race(database.url, database.schema)
    assert failures == []
    assert broken(fires, made) == []
    counts = Counter(fire["intent"] for fire in fires)
    expected = {"one": 1, "seven": 7, "cooling": 1, "each": len(MESSAGES)}
    assert {name: counts[row.handle] for name, row in made.items()} == expected
    for name, row in made.items():
        assert ShowIntent(ctx)(row.handle, ADMIN, None).intent.fire_count == expected[name]
    assert all(report.bad is None and not report.why for report in VerifyAudit(ctx)())
    assert differing(ctx.store) == []


@pytest.mark.thorough
def test_without_lock_guard_and_receipt_the_same_race_goes_wrong(arena, database):
    """Shows that the test above can fail: what keeps races apart is taken out of the workers."""
    _, made = arena
    fires, _ = race(database.url, database.schema, "--sabotage")
    assert broken(fires, made) != []
