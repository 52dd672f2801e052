"""Two heartbeats at once, or one killed in the middle: every due row is moved once, with one operation."""

import json
import os
import random
import select
from collections import Counter
from datetime import timedelta

import pytest

from core.services.context import Context
from core.services.create_intent import CreateIntent
from core.services.receive_turn import ReceiveTurn
from core.services.tick import Tick
from core.standing.intent import OutboxState
from core.turn import Principal
from tests.builders import HOME, a_draft, a_turn, an_owner
from tests.fault.story import wrong_in

EACH = 40
CHUNK = 3
MOVED = (
    "SELECT op_type, target_id, payload FROM operations WHERE actor_id = 'system'"
    " AND op_type IN ('STANDING_TRANSITION', 'REFUNDED')"
)
ENDING, COOLING, STUCK = (Principal("console", "local", name) for name in ("ada", "ann", "abe"))


@pytest.fixture
def due(store, clock, ids):
    """40 rows that expire, 40 that have cooled down, 40 fires that nobody will deliver."""
    ctx = Context(store, clock, ids)
    for number in range(EACH):
        CreateIntent(ctx)(a_draft(f"hotel{number}", expires_in=timedelta(hours=2)), an_owner(ENDING), HOME, "made")
        draft = a_draft(f"cool{number}", cooldown=timedelta(hours=1))
        CreateIntent(ctx)(draft, an_owner(COOLING), HOME, "made")
        draft = a_draft(f"stuck{number}", cooldown=timedelta(hours=9), max_fires=1)
        CreateIntent(ctx)(draft, an_owner(STUCK), HOME, "made")
    clock.advance(minutes=1)
    for number in range(EACH):
        for word in ("cool", "stuck"):
            [fire] = ReceiveTurn(ctx)(a_turn(f"{word}{number}", at=clock.now())).fires
            with store.write() as tx:  # what a sender leaves that ends before it records the outcome
                tx.outbox.mark(fire.outbox_id, OutboxState.FAILED, clock.now())
                tx.commit()
    clock.advance(hours=3)
    return ctx


def moved_once(ctx, database):
    """Every due row was moved, and has one operation of each kind that it was due for."""
    kinds = Counter()
    for kind, target, payload in database.execute(MOVED):
        told = json.loads(payload)
        kinds[kind, target, told.get("reason") or told.get("fire")] += 1
    assert set(kinds.values()) == {1}
    reasons = Counter(reason if kind == "STANDING_TRANSITION" else kind for kind, _, reason in kinds)
    assert reasons == {"expiry": EACH, "cooldown over": EACH, "REFUNDED": 2 * EACH}
    states = Counter(status for (status,) in database.execute("SELECT status FROM standing_intents"))
    assert states == {"expired": EACH, "armed": 2 * EACH}
    assert wrong_in(database, ctx.store) == []


def job(ctx, database, **more):
    now = ctx.clock.now().isoformat()
    return {"url": database.url, "schema": database.schema, "now": now, "chunk": CHUNK} | more


def test_two_heartbeats_at_once_move_every_row_once(due, database, held):
    both = [held("tick", together="go", **job(due, database)) for _ in range(2)]
    both[0].go()
    told = [json.loads(one.told()[0]) for one in both]
    assert all("error" not in one for one in told), told
    moved_once(due, database)
    assert Tick(due)().expired == 0


def test_a_heartbeat_killed_in_the_middle_is_finished_by_the_next(due, database, held, zygote, tmp_path):
    os.mkfifo(tmp_path / "marks")
    pipe = os.open(tmp_path / "marks", os.O_RDWR | os.O_NONBLOCK)
    rng = random.Random(5)
    for _ in range(4):
        one = held("tick", **job(due, database, marks=str(tmp_path / "marks")))
        one.go()
        for _ in range(rng.randint(2, 9)):
            assert select.select([pipe], [], [], 20)[0]
            os.read(pipe, 1)
        assert zygote.kill(one.pid) == -9
        while select.select([pipe], [], [], 0)[0]:
            os.read(pipe, 1)
        assert wrong_in(database, due.store) == []
    os.close(pipe)
    left = Tick(due)()
    assert left.refunded > 0
    moved_once(due, database)
