"""Two processes take parcels at once, and one is killed between taking and sending."""

import json
import subprocess
import sys
from collections import Counter

import pytest

from bots.runtime import SystemClock, SystemIds
from core.limits import LIMITS
from core.services.context import Context
from core.services.dispatch import ParcelSent
from core.standing.intent import FireState
from tests.fakes.platform import a_chat, claim, claim_one, create, fire, fire_of

CHATS = 60
pytestmark = [pytest.mark.timeout(120), pytest.mark.thorough]


def start(database, *flags):
    command = [sys.executable, "-m", "tests.fault.claim_worker", database.url, database.schema or "", *flags]
    worker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert worker.stdout.readline() == "ready\n"
    return worker


def go(worker):
    worker.stdin.write("go\n")
    worker.stdin.flush()


@pytest.fixture
def crowded(store):
    ctx = Context(store, SystemClock(), SystemIds())
    for number in range(CHATS):
        create(ctx, a_chat(f"c{number}"), triggers="zebra")
        fire(ctx, a_chat(f"c{number}"), text="a zebra")
    return ctx


def race(database, *flags):
    """How often each row was taken by two processes that begin together."""
    workers = [start(database, *flags) for _ in range(2)]
    for worker in workers:
        go(worker)
    got = [json.loads(worker.communicate(timeout=90)[0]) for worker in workers]
    assert [worker.returncode for worker in workers] == [0, 0]
    return Counter(row for one in got for row in one)


def test_two_processes_never_get_the_same_parcel(crowded, database):
    taken = race(database)
    assert set(taken.values()) == {1} and len(taken) == CHATS


def test_without_lock_and_guard_they_do(crowded, database):
    """Shows that the test above can fail."""
    assert max(race(database, "--sabotage").values()) > 1


def test_what_a_killed_process_had_taken_comes_back_when_its_lease_ends(store, database, clock, ids):
    clock.set(SystemClock().now())
    ctx = Context(store, clock, ids)
    create(ctx)
    reminder = fire(ctx)
    worker = start(database, "--hang")
    go(worker)
    assert json.loads(worker.stdout.readline()) == [reminder.outbox_id]
    worker.kill()
    worker.communicate()
    clock.set(SystemClock().now())
    assert claim(ctx) == () and fire_of(ctx, reminder.fire_id).state is FireState.RESERVED
    clock.advance(LIMITS.send_lease)
    again = claim_one(ctx)
    assert (again.item_id, again.attempts) == (reminder.outbox_id, 2)
    assert ParcelSent(ctx)(again, ["m"])
