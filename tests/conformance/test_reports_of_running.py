"""What was reported of other bots' cooldowns, scopes, schedulers and stores: each row is a test that bears its id."""

import asyncio
import sqlite3
import threading
from contextlib import closing
from datetime import timedelta

import pytest
from apscheduler.jobstores.memory import MemoryJobStore

from bots.heartbeat import MISFIRE_GRACE_SECONDS, Heartbeat
from bots.runtime import SystemClock
from core.errors import StorageError
from core.services.change_intent import CancelIntent, PauseIntent, ResumeIntent
from core.services.context import Context
from core.services.create_intent import CreateIntent
from core.services.deliver import ConfirmDelivery
from core.services.read_intents import ListIntents, ShowIntent
from core.services.receive_turn import ReceiveTurn
from core.services.tick import Tick
from core.standing.gates import Reason
from core.standing.intent import CooldownPer, Status
from core.turn import ADMIN, Principal
from tests.builders import HOME, NOW, a_draft, a_place, a_turn, an_owner


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return Context(store, clock, ids)


def create(ctx, where=HOME, **fields):
    return CreateIntent(ctx)(a_draft(**fields), an_owner(), where, "made")


def hear(ctx, text="the launch checklist", **fields):
    ctx.clock.advance(timedelta(seconds=1))
    return ReceiveTurn(ctx)(a_turn(text, at=ctx.clock.now(), **fields))


def person(name):
    return Principal("console", "local", name)


def test_t001_a_cooldown_can_be_set_on_a_rule_that_exists_and_is_shown(chat):
    chat("/intent add greet => Say hello --anyone", "yes")
    [rule] = chat.rules()
    assert "1 min" in chat(f"/intent edit {rule.handle} --cooldown 60s")
    assert "1 min" in chat(f"/intent show {rule.handle}")
    assert chat.rules()[0].cooldown == timedelta(seconds=60)


@pytest.mark.parametrize(("per", "people", "fires"), [("intent", 3, 1), ("sender", 3, 3), ("sender", 1, 1)])
def test_t003_a_flood_of_a_word_fires_once_for_all_or_once_for_each_sender(ctx, per, people, fires):
    create(ctx, triggers="test", max_fires=100, cooldown_per=CooldownPer(per))
    heard = [hear(ctx, "test", sender=person(f"u{number % people}")) for number in range(30)]
    assert sum(len(outcome.fires) for outcome in heard) == fires


def test_t171_a_paused_rule_is_paused_after_a_restart(database, store, clock, ids):
    clock.set(NOW)
    ctx = Context(store, clock, ids)
    rule = create(ctx)
    PauseIntent(ctx)(rule.handle, an_owner(), HOME)
    again = Context(database.open(), clock, ids)
    Tick(again)()
    assert not hear(again).fires
    assert ShowIntent(again)(rule.handle, ADMIN, None).intent.status is Status.PENDING
    ResumeIntent(again)(rule.handle, an_owner(), HOME)
    assert hear(again).fires


def test_t175_a_rule_can_listen_in_one_channel_only(ctx):
    create(ctx, a_place("help"))
    assert not hear(ctx, where=a_place("random")).fires
    assert hear(ctx, where=a_place("help")).fires


def test_t177_a_rule_can_listen_everywhere_but_in_one_channel(chat):
    chat("/in random", "/in general", "/intent add bug => Look at it --anyone --scope space --except #random", "yes")
    chat("/as bob", "/in random")
    assert "Look at it" not in chat("a bug again")
    chat("/in general")
    assert "Look at it" in chat("a bug again")


def test_t179_a_thread_is_allowed_through_its_channel(ctx):
    create(ctx, a_place("help"))
    assert hear(ctx, where=a_place("help", "thread-1")).fires


@pytest.mark.parametrize("end", ["cancelled", "done", "expired"])
def test_t183_the_count_of_fires_outlives_the_rule(ctx, end):
    rule = create(ctx, max_fires=1 if end == "done" else 3)
    [reminder] = hear(ctx).fires
    assert ConfirmDelivery(ctx).delivered(reminder.fire_id)
    if end == "cancelled":
        CancelIntent(ctx)(rule.handle, an_owner(), HOME)
    ctx.clock.advance(timedelta(days=100 if end == "expired" else 0))
    Tick(ctx)()
    view = ShowIntent(ctx)(rule.handle, ADMIN, None)
    assert (str(view.intent.status), view.intent.fire_count, len(view.fires)) == (end, 1, 1)


def test_t181_two_people_who_write_at_once_are_both_heard(ctx):
    rules = [create(ctx, triggers=f"word{number}", max_fires=100) for number in range(8)]
    now, start, heard = ctx.clock.now() + timedelta(seconds=1), threading.Barrier(8), []

    def say(number):
        turn = a_turn(f"word{number}", at=now, sender=person(f"u{number}"))
        start.wait()
        heard.append(ReceiveTurn(ctx)(turn))

    ctx.clock.set(now)
    threads = [threading.Thread(target=say, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(one.handle for outcome in heard for one in outcome.fires) == sorted(rule.handle for rule in rules)


def test_t153_t155_a_heartbeat_whose_tick_fails_goes_on_and_counts_it():
    async def story():
        ticks, done = [], asyncio.Event()
        loop = asyncio.get_running_loop()

        def tick():
            ticks.append(len(ticks))
            if len(ticks) in (1, 2):
                raise ConnectionError("the line dropped")
            loop.call_soon_threadsafe(done.set)

        beat = Heartbeat(tick, SystemClock(), 0.05)
        beat.start()
        await asyncio.wait_for(done.wait(), 10)
        await beat.stop()
        assert beat.failures == 2 and beat.last_failure is not None and beat.last_success is not None

    asyncio.run(story())


def test_t157_t159_t161_however_many_processes_tick_a_rule_is_moved_once(database, store, clock, ids):
    clock.set(NOW)
    rule = create(Context(store, clock, ids), expires_in=timedelta(hours=1))
    clock.advance(timedelta(hours=2))
    workers = [Context(database.open(), clock, ids) for _ in range(4)]
    start = threading.Barrier(4)

    def work(ctx):
        start.wait()
        Tick(ctx)()

    threads = [threading.Thread(target=work, args=(ctx,)) for ctx in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store.read() as tx:
        moves = [row.op_type for row in tx.operations.of_target(rule.id, 10)]
    assert moves == ["STANDING_TRANSITION", "ASSERT"]


def test_t163_a_run_that_is_late_by_seconds_still_runs():
    assert MISFIRE_GRACE_SECONDS > 60

    async def story():
        ticked = threading.Event()
        beat = Heartbeat(ticked.set, SystemClock(), 3_600)
        beat.start()
        threading.Event().wait(1.8)  # the loop is busy over the due time
        await asyncio.get_running_loop().run_in_executor(None, ticked.wait, 10)
        await beat.stop()
        assert ticked.is_set()

    asyncio.run(story())


def test_t165_t169_nothing_that_is_kept_refers_to_code(sqlite_store, tmp_path, clock, ids):
    """The scheduler's jobs live in memory; rows hold ids, text and numbers, and random salts."""
    clock.set(NOW)
    ctx = Context(sqlite_store, clock, ids)
    create(ctx)
    assert hear(ctx).fires

    async def story():
        beat = Heartbeat(lambda: None, SystemClock(), 3_600)
        beat.start()
        assert beat._keeper is not None
        assert isinstance(beat._keeper.scheduler._lookup_jobstore("default"), MemoryJobStore)
        await beat.stop()

    asyncio.run(story())
    with closing(sqlite3.connect(tmp_path / "sqlite.db")) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        assert not [name for name in tables if "job" in name]
        for table in tables:
            for row in connection.execute(f"SELECT * FROM {table}"):
                blobs = [value for value in row if isinstance(value, bytes)]
                assert all(len(blob) == 16 for blob in blobs), table


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("cooldown_per", "person"),
        ("status", "sleeping"),
        ("channel_scope", "galaxy"),
        ("priority", 99),
        ("deliver", "pigeon"),
    ],
)
def test_t165_a_row_with_a_value_that_is_not_known_is_parked_and_reported_and_the_others_go_on(
    sqlite_store, tmp_path, clock, ids, column, value
):
    clock.set(NOW)
    ctx = Context(sqlite_store, clock, ids)
    old, well = create(ctx), create(ctx, triggers="launch")
    with closing(sqlite3.connect(tmp_path / "sqlite.db", isolation_level=None)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute(f"UPDATE standing_intents SET {column} = ? WHERE handle = ?", (value, old.handle))
    assert [fire.handle for fire in hear(ctx, "the launch checklist").fires] == [well.handle]
    assert [row.handle for row in ListIntents(ctx)(ADMIN, None).rows] == [well.handle]
    Tick(ctx)()
    with pytest.raises(StorageError, match=old.handle):
        ShowIntent(ctx)(old.handle, ADMIN, None)
    with sqlite_store.read() as tx:
        assert tx.intents.unreadable(10) == (old.handle,)


def test_t167_times_are_kept_in_utc_and_the_zone_by_its_name(chat):
    chat("/settings zone Europe/Berlin", "/intent add launch => Look --anyone --expires 2026-12-24T18:00", "yes")
    [rule] = chat.rules()
    assert rule.expires_at.isoformat() == "2026-12-24T17:00:00+00:00"
    assert "18:00" in chat(f"/intent show {rule.handle}")
    with chat.ctx.store.read() as tx:
        assert tx.records.settings(rule.space)["zone"] == "Europe/Berlin"


def test_t129_an_owner_cancels_in_their_own_space_only(ctx):
    rule = create(ctx)
    other = a_place(space="elsewhere")
    bob = an_owner(person("bob"))
    assert ListIntents(ctx)(bob, other).total == 0
    with pytest.raises(Exception, match="no rule"):
        CancelIntent(ctx)(rule.handle, bob, other)
    CancelIntent(ctx)(rule.handle, bob, HOME)
    assert hear(ctx).ignored is None
    assert ShowIntent(ctx)(rule.handle, ADMIN, None).intent.status is Status.CANCELLED


def test_t245_a_list_warns_of_letters_that_look_alike(chat):
    chat("/intent add g\u043e => Go --anyone", "yes")
    assert "Cyrillic" in chat("/intent list")


def test_a_message_that_is_too_old_fires_nothing(ctx):
    create(ctx)
    old = ctx.clock.now() - timedelta(minutes=11)
    assert ReceiveTurn(ctx)(a_turn(at=old)).ignored is Reason.TOO_OLD
