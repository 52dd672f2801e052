"""Two processes are told of the same moves while people talk in both chats and make rules in the new one."""

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
from tests.builders import a_draft
from tests.fakes.chats import owner
from tests.fakes.replayed import differing
from tests.fault.move_worker import THREADS, TIMES, before

PROCESSES, CHATS = 2, 4
pytestmark = [pytest.mark.timeout(300), pytest.mark.thorough]


def race(url, schema):
    """Run the workers; answers what all of them told."""
    command = [sys.executable, "-m", "tests.fault.move_worker", url, schema or "", str(CHATS)]
    workers = [
        subprocess.Popen([*command, str(seed)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for seed in range(PROCESSES)
    ]
    for worker in workers:
        assert worker.stdout.readline() == "ready\n"
    for worker in workers:
        worker.stdin.write("go\n")
        worker.stdin.flush()
    told = [json.loads(worker.communicate(timeout=240)[0]) for worker in workers]
    assert [worker.returncode for worker in workers] == [0] * PROCESSES
    return {name: [one for each in told for one in each[name]] for name in told[0]}


@pytest.fixture
def arena(store):
    ctx = Context(store, SystemClock(), SystemIds())
    draft = a_draft("rule", "Look.", cooldown=timedelta(0), max_fires=1000)
    return ctx, [CreateIntent(ctx)(draft, owner(), before(chat), "made").handle for chat in range(1, CHATS + 1)]


def test_each_move_is_made_once_and_nothing_is_lost_or_fires_twice(arena, database):
    ctx, rules = arena
    told = race(database.url, database.schema)
    assert told["failures"] == []
    assert sorted(told["moves"]) == list(range(1, CHATS + 1))
    fires = Counter(map(tuple, told["fires"]))
    assert [pair for pair, times in fires.items() if times > 1] == []
    for chat, handle in enumerate(rules, 1):
        messages = {message for made, message in fires if made == handle}
        assert messages >= {f"o{chat}.{number}" for number in range(TIMES)}
        assert ShowIntent(ctx)(handle, ADMIN, None).intent.fire_count == len(messages)
    assert len(told["made"]) == len(set(told["made"])) == PROCESSES * THREADS * TIMES * CHATS
    stray = (
        "SELECT count(*) FROM standing_intents AS i JOIN places AS p ON p.id IN (i.space, i.channel, i.conversation)"
    )
    assert database.execute(f"{stray} WHERE p.alias_of IS NOT NULL") == [(0,)]
    stray = "SELECT count(*) FROM trig AS t JOIN places AS p ON p.id = t.scope_key WHERE p.alias_of IS NOT NULL"
    assert database.execute(stray) == [(0,)]
    stray = "SELECT count(*) FROM fires AS f JOIN places AS p ON p.id = f.conversation WHERE p.alias_of IS NOT NULL"
    assert database.execute(stray) == [(0,)]
    assert database.execute("SELECT count(*) FROM places WHERE kind = 'space' AND alias_of IS NULL") == [(CHATS,)]
    assert all(report.bad is None and not report.why for report in VerifyAudit(ctx)())
    assert differing(ctx.store) == []
