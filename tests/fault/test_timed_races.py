"""Processes that fire the same timed reminders at once, or are killed in the middle: each fires exactly once."""

import json
import os
import random
import select
from collections import Counter
from datetime import timedelta

import pytest

from core.services.fire_timed import FireTimed
from core.turn import Principal
from tests.builders import a_member
from tests.fakes.reminding import a_context, owed, remind, stored
from tests.fault.story import wrong_in

pytestmark = pytest.mark.thorough

PROCESSES, EACH, CHUNK = 3, 30, 3
FIRED = "SELECT target_id, payload FROM operations WHERE op_type = 'FIRED' AND target_type = 'timed_reminder'"
OWED = "SELECT body FROM outbox WHERE kind = 'timed'"


@pytest.fixture
def due(store, clock, ids):
    """30 reminders for once and 30 that repeat, all of them due now."""
    ctx = a_context(store, clock, ids)
    for number in range(EACH):
        person = a_member(Principal("console", "local", f"u{number}"))
        remind(ctx, actor=person)
        remind(ctx, actor=person, rule="FREQ=DAILY")
    clock.advance(timedelta(hours=2))
    return ctx


def job(ctx, database, **more):
    now = ctx.clock.now().isoformat()
    return {"url": database.url, "schema": database.schema, "now": now, "chunk": CHUNK} | more


def fired_once(ctx, database):
    """Every row has one operation and one message, and has gone on."""
    fired = Counter(target for target, _ in database.execute(FIRED))
    messages = Counter(json.loads(body)["timed"] for (body,) in database.execute(OWED))
    assert len(fired) == len(messages) == 2 * EACH
    assert set(fired.values()) == set(messages.values()) == {1}
    assert [row.fired for row in stored(ctx)] == [1] * 2 * EACH
    assert sum(row.due_at is not None for row in stored(ctx)) == EACH
    assert len(owed(ctx)) == 2 * EACH


def test_t157_t159_t161_three_processes_fire_every_reminder_once(due, database, held):
    all_three = [held("tick", together="go", **job(due, database)) for _ in range(PROCESSES)]
    all_three[0].go()
    told = [json.loads(one.told()[0]) for one in all_three]
    assert all("error" not in one for one in told), told
    assert sum(one["reminded"] for one in told) == 2 * EACH
    fired_once(due, database)
    assert wrong_in(database, due.store) == []
    assert FireTimed(due)() == 0


def test_a_process_that_is_killed_between_due_and_record_leaves_the_row_due_or_the_message_there(
    due, database, held, zygote, tmp_path
):
    os.mkfifo(tmp_path / "marks")
    pipe = os.open(tmp_path / "marks", os.O_RDWR | os.O_NONBLOCK)
    rng = random.Random(11)
    for _ in range(3):
        one = held("tick", **job(due, database, marks=str(tmp_path / "marks"), chunk=1))
        one.go()
        for _ in range(rng.randint(2, 6)):
            assert select.select([pipe], [], [], 20)[0]
            os.read(pipe, 1)
        assert zygote.kill(one.pid) == -9
        while select.select([pipe], [], [], 0)[0]:
            os.read(pipe, 1)
        messages = {json.loads(body)["timed"] for (body,) in database.execute(OWED)}
        still_due = {row.id for row in stored(due) if row.due_at is not None and row.due_at <= due.clock.now()}
        assert not messages & still_due
        assert len(messages | still_due) == 2 * EACH
        assert wrong_in(database, due.store) == []
    os.close(pipe)
    assert FireTimed(due)() > 0
    fired_once(due, database)


def test_without_lock_and_guard_the_same_race_goes_wrong(due, database, held):
    """Shows that the race above can fail: what keeps the processes apart is taken out of them."""
    for _ in range(20):
        some = [held("tick", together="go", sabotaged=True, **job(due, database)) for _ in range(PROCESSES)]
        some[0].go()
        for one in some:
            one.told()
        messages = Counter(json.loads(body)["timed"] for (body,) in database.execute(OWED))
        if any(count > 1 for count in messages.values()):
            return
        database.execute("DELETE FROM outbox")
        database.execute("UPDATE timed_reminders SET status = 'active', due_at = created_at")
    pytest.fail("three processes without locks never got into each other's way")
