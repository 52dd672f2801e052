"""Replay on a real store: after whatever was done (the other tests of this folder), and after rows were tampered with.

That it is equal after any history is checked at the end of every test here: `conftest.replayed`.
"""

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from core.audit.exported import Head, verify_lines
from core.services.acknowledge import Acknowledge
from core.services.change_intent import CancelIntent, EditIntent, PauseIntent, ResumeIntent
from core.services.create_intent import CreateIntent
from core.services.deliver import ConfirmDelivery
from core.services.end_space import EndSpace
from core.services.export_audit import ExportAudit
from core.services.fire_timed import FireTimed
from core.services.keep import KeepIntent
from core.services.mute import MuteIntent
from core.services.receive_turn import ReceiveTurn
from core.services.remind import SnoozeFire, SnoozeTimed
from core.services.renew_intent import RenewIntent
from core.services.space_settings import ChangeSetting
from core.services.tick import Tick
from core.services.timed import AcknowledgeTimed, CancelTimed
from core.settings import Setting
from core.standing.intent import Change, CooldownPer, Deliver
from core.turn import SYSTEM, Visibility
from tests.builders import HOME, NOW, a_draft, a_member, a_place, a_turn, an_owner
from tests.fakes.chats import NEW, OLD, TOPIC, create, hear, move, owner
from tests.fakes.reminding import a_context, remind
from tests.fakes.replayed import differing, replay
from tests.integration.test_audit import lift_the_triggers

pytestmark = pytest.mark.thorough

HOUR = timedelta(hours=1)
RANDOM = a_place("random")


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return a_context(store, clock, ids)


def say(ctx, text="the launch checklist", where=HOME):
    return ReceiveTurn(ctx)(a_turn(text, at=ctx.clock.now(), where=where)).fires


# -- histories --------------------------------------------------------------------------------------------------------


def a_long_life(ctx, clock):
    """One rule and what becomes of its reminders, through nearly every use case; answers its handle."""
    me = an_owner()
    made = CreateIntent(ctx)(
        a_draft("launch checklist\nrollback", max_fires=9, cooldown=HOUR, except_in=(RANDOM,)), me, HOME, "created"
    )
    [first] = say(ctx)
    assert ConfirmDelivery(ctx).delivered(first.fire_id)
    Acknowledge(ctx)(first.fire_id, me, HOME)
    SnoozeFire(ctx)(first.fire_id, HOUR, me)
    clock.advance(HOUR)
    [second] = say(ctx, "a rollback")
    assert ConfirmDelivery(ctx).failed(second.fire_id, "gone")
    PauseIntent(ctx)(made.handle, me, HOME)
    clock.advance(HOUR)
    ResumeIntent(ctx)(made.handle, me, HOME)
    change = Change(
        triggers="zebra", description="Feed it.", max_fires=3, cooldown=2 * HOUR, cooldown_per=CooldownPer.SENDER,
        word_forms=False, anyone=False, deliver=Deliver.DIRECT, on_edits=True,
    )  # fmt: skip
    EditIntent(ctx)(made.handle, change, me, HOME)
    EditIntent(ctx)(made.handle, Change(anyone=True, expires_in=timedelta(days=20)), me, HOME)
    MuteIntent(ctx)(made.handle, me, a_place("general", "thread"))
    ChangeSetting(ctx)(Setting.LANGUAGE, "de", me, HOME)
    clock.advance(timedelta(days=14))
    Tick(ctx)()
    KeepIntent(ctx)(made.handle, me, HOME)
    return made.handle


def test_a_long_life_of_a_rule_is_told_by_the_log(ctx, clock):
    handle = a_long_life(ctx, clock)
    say(ctx, "a zebra")
    CancelIntent(ctx)(handle, an_owner(), HOME)
    over = CreateIntent(ctx)(a_draft("otter", max_fires=1), an_owner(), HOME, "created")
    say(ctx, "an otter")
    RenewIntent(ctx)(over.handle, an_owner(), HOME, "again")
    report = replay(ctx.store)
    assert (report.equal, report.kinds["standing_intent"].rows, report.kinds["event"].rows) == (True, 3, 2)
    assert report.untaken == {}


def test_a_long_life_of_reminders_is_told_by_the_log(ctx, clock):
    daily, once, direct = remind(ctx, rule="FREQ=DAILY"), remind(ctx), remind(ctx, direct=True)
    clock.advance(2 * HOUR)
    FireTimed(ctx)()
    AcknowledgeTimed(ctx)(once.handle, a_member(), HOME)
    SnoozeTimed(ctx)(daily.handle, HOUR, a_member(), HOME)
    clock.advance(timedelta(days=3))
    Tick(ctx)()
    CancelTimed(ctx)(daily.handle, an_owner(), HOME)
    CancelTimed(ctx)(direct.handle, a_member(), HOME)
    assert replay(ctx.store).kinds["timed_reminder"].rows == 4


def test_a_chat_that_moves_takes_its_reminders_along_and_the_log_tells_it(ctx, clock):
    create(ctx), create(ctx, NEW, triggers="zebra")
    there, in_topic = remind(ctx, where=NEW), remind(ctx, where=TOPIC)
    vault = replace(NEW, channel="vault", conversation="vault", visibility=Visibility.PRIVATE)
    hidden, mine = create(ctx, vault, triggers="lynx"), remind(ctx, where=vault)
    replied = remind(ctx, where=OLD)
    [fired] = hear(ctx, NEW, "7", "zebra").fires
    assert move(ctx)
    with ctx.store.read() as tx:
        rows = [tx.timed.by_id(row.id) for row in (there, in_topic, mine, replied)]
        intents = [tx.intents.by_id(hidden.id), tx.intents.by_handle(fired.handle)]
    assert [rows[0].space == rows[3].space, rows[0].namespace_id == rows[3].namespace_id] == [True, True]
    assert (rows[2].space, rows[2].namespace_id) == (rows[3].space, mine.namespace_id)
    assert (replied.reply_to, rows[3].reply_to) == ("asked", "")
    assert intents[0].namespace_id == hidden.namespace_id
    clock.advance(3 * HOUR)
    FireTimed(ctx)()
    assert ConfirmDelivery(ctx).delivered(fired.fire_id)
    for row in rows:
        AcknowledgeTimed(ctx)(row.handle, a_member(), replace(OLD, visibility=Visibility.PRIVATE))
    EditIntent(ctx)(fired.handle, Change(max_fires=9), owner(), OLD)


def test_a_chat_that_moves_twice_and_is_left_is_told_by_the_log(ctx, clock):
    third = replace(NEW, space="-300", channel="-300", conversation="-300")
    made = [create(ctx, where, triggers=word) for where, word in ((OLD, "kiwi"), (NEW, "zebra"), (third, "otter"))]
    remind(ctx, where=third)
    hear(ctx, NEW, "1", "zebra"), hear(ctx, third, "2", "otter")
    assert [move(ctx, OLD, NEW), move(ctx, NEW, third), move(ctx, OLD, third)] == [True, True, False]
    hear(ctx, OLD, "3", "kiwi")
    assert EndSpace(ctx)(third, SYSTEM) == len(made)
    clock.advance(ctx.limits.left_purge)
    Tick(ctx)(), Tick(ctx)()
    with ctx.store.read() as tx:
        kept = [*tx.kept.standing(), *tx.kept.timed()]
    assert {digest for row in kept for _, digest in row.fields["words"]} == {""}
    assert {row.fields["status"] for row in kept} == {"cancelled"}


# -- tampering --------------------------------------------------------------------------------------------------------

TEXT = "{0} || 'x'"
MORE = "{0} + 1"
COLUMNS = {
    "standing_intents": {
        "namespace_id": ("'system'", "namespace"),
        "space": ("(SELECT max(id) FROM places)", "space"),
        "channel": ("(SELECT min(id) FROM places)", "channel"),
        "conversation": ("(SELECT min(id) FROM places)", "conversation"),
        "creator": ("(SELECT max(id) FROM principals)", "creator"),
        "watches": ("(SELECT max(id) FROM principals)", "watches"),
        "creator_name": (TEXT, "creator_name"),
        "watches_name": (TEXT, "watches_name"),
        "channel_scope": ("'space'", "channel_scope"),
        "status": ("'pending'", "status"),
        "created_at": (MORE, "created_at"),
        "armed_at": (MORE, "armed_at"),
        "expires_at": (MORE, "expires_at"),
        "max_fires": (MORE, "max_fires"),
        "cooldown": (MORE, "cooldown"),
        "cooldown_per": ("'conversation'", "cooldown_per"),
        "priority": (MORE, "priority"),
        "options": ("'fr'", "language"),
        "on_edits": ("NOT {0}", "on_edits"),
        "fire_count": ("0", "fire_count"),
        "last_fired_at": (MORE, "last_fired_at"),
        "last_fire_id": (TEXT, "last_fire_id"),
        "ready_at": ("5", "ready_at"),
        "source_message_id": (TEXT, "source_message_id"),
        "renewed_from": ("'x'", "renewed_from"),
        "version": (MORE, "version"),
        "except_in": ("'[1]'", "except_in"),
        "deliver": ("'here'", "deliver"),
        "deliver_to": ("(SELECT min(id) FROM places)", "deliver_to"),
        "expiry_asked_at": ("5", "expiry_asked_at"),
        "unconfirmed": ("NOT {0}", "unconfirmed"),
        "goal_closed": ("NOT {0}", "goal_closed"),
        "goal_id": ("'x'", "goal"),
        "description_id": ("(SELECT max(id) FROM content)", "words"),
    },
    "fires": {
        "number": (MORE, "number"),
        "conversation": ("(SELECT min(id) FROM places)", "conversation"),
        "message_id": (TEXT, "message_id"),
        "entry": (TEXT, "entry"),
        "entry_id": ("(SELECT max(id) FROM content)", "entry"),
        "fired_at": (MORE, "fired_at"),
        "state": ("'reserved'", "state"),
        "previous_status": ("'done'", "previous_status"),
        "previous_fired_at": ("5", "previous_fired_at"),
        "previous_fire_id": ("'x'", "previous_fire_id"),
        "settled_at": (MORE, "settled_at"),
        "acknowledged_at": ("5", "acknowledged_at"),
    },
    "timed_reminders": {
        "namespace_id": ("'system'", "namespace"),
        "space": ("(SELECT max(id) FROM places)", "space"),
        "channel": ("(SELECT min(id) FROM places)", "channel"),
        "conversation": ("(SELECT min(id) FROM places)", "conversation"),
        "text_id": ("(SELECT min(id) FROM content)", "words"),
        "creator": ("(SELECT max(id) FROM principals)", "creator"),
        "target": ("(SELECT max(id) FROM principals)", "target"),
        "creator_name": (TEXT, "creator_name"),
        "target_name": (TEXT, "target_name"),
        "for_all": ("NOT {0}", "for_all"),
        "direct": ("NOT {0}", "direct"),
        "local": ("'2031-01-01T09:00:00'", "local"),
        "fold": ("1", "fold"),
        "zone": ("'Asia/Tokyo'", "zone"),
        "resolution": ("'day'", "resolution"),
        "rule": ("'FREQ=YEARLY'", "rule"),
        "created_at": (MORE, "created_at"),
        "source_message_id": (TEXT, "source_message_id"),
        "reply_to": (TEXT, "reply_to"),
        "snoozed_from": ("'x'", "snoozed_from"),
        "fire_id": ("'x'", "fire"),
        "due_at": (MORE, "due_at"),
        "fired": (MORE, "fired"),
        "last_due_at": ("5", "last_due_at"),
        "acknowledged_at": ("5", "acknowledged_at"),
        "outbox_id": ("'x'", "outbox"),
        "version": (MORE, "version"),
    },
}
KINDS = {"standing_intents": "standing_intent", "fires": "fire", "timed_reminders": "timed_reminder"}
UNTOLD = {
    "standing_intents": {"key", "id", "handle"},
    "fires": {"id", "intent_key", "link", "sender", "sender_name", "terms"},
    "timed_reminders": {"key", "id", "handle", "status"},
}
"""Keys, and what the log keeps nothing of; a handle is a reference, and a status goes with its due time."""


@pytest.fixture
def stocked(ctx, clock):
    """A rule with one fire, and one reminder; a second person and place that a row could be tampered to."""
    draft = a_draft(anyone=False, max_fires=9, deliver=Deliver.PLACE, deliver_to=RANDOM, cooldown=timedelta(0))
    made = CreateIntent(ctx)(draft, an_owner(), HOME, "created")
    [fired] = ReceiveTurn(ctx)(a_turn(at=clock.now(), sender=an_owner().principal)).fires
    assert ConfirmDelivery(ctx).delivered(fired.fire_id)
    row = remind(ctx, actor=an_owner(), rule="FREQ=DAILY")
    with ctx.store.write() as tx:
        tx.places.ensure_principal(replace(an_owner().principal, user_id="zoe"), "Zoe")
        tx.commit()
    return {"standing_intents": made.id, "fires": fired.fire_id, "timed_reminders": row.id}


@pytest.mark.usefixtures("tampered")
@pytest.mark.parametrize(("table", "column"), [(table, column) for table, all_ in COLUMNS.items() for column in all_])
def test_a_column_that_was_changed_past_the_program_is_named(ctx, database, stocked, table, column):
    new, field = COLUMNS[table][column]
    assert differing(ctx.store) == []
    database.execute(f"UPDATE {table} SET {column} = {new.format(column)} WHERE id = ?", stocked[table])
    report = replay(ctx.store)
    assert (field, stocked[table], KINDS[table]) in {(one.field, one.id, one.kind) for one in report.differences}
    assert not report.equal


@pytest.mark.parametrize("table", COLUMNS)
def test_every_column_is_compared_or_said_not_to_be(store, table):
    from storage import tables, timed_table

    rows = {row.__tablename__: row for row in (tables.StandingIntentRow, tables.FireRow, timed_table.TimedReminderRow)}
    assert set(rows[table].model_fields) == set(COLUMNS[table]) | UNTOLD[table]


@pytest.mark.usefixtures("tampered")
@pytest.mark.parametrize("kind", ["fires", "timed_reminders"])
def test_a_row_that_was_taken_out_or_put_in_is_named(ctx, database, stocked, kind):
    if kind == "fires":
        database.execute("DELETE FROM outbox")
    database.execute(f"DELETE FROM {kind}")
    [found] = replay(ctx.store).differences
    assert (found.id, found.field, found.stored) == (stocked[kind], "row", "missing")


@pytest.mark.usefixtures("tampered")
def test_words_and_evidence_that_were_changed_are_named(ctx, database, stocked):
    database.execute("UPDATE content SET text = 'Something else.' WHERE text = 'Confirm the rollback owner.'")
    database.execute("UPDATE events SET actor_id = 'eve'")
    assert sorted((one.kind, one.field) for one in replay(ctx.store).differences) == [
        ("event", "actor"), ("standing_intent", "words"),
    ]  # fmt: skip


@pytest.mark.usefixtures("tampered")
def test_an_operation_that_was_taken_out_contradicts_or_differs(ctx, database, stocked):
    lift_the_triggers(database)
    database.execute("DELETE FROM operations WHERE op_type = 'FIRED'")
    report = replay(ctx.store)
    assert {one.id for one in report.contradictions} == {stocked["fires"]}
    assert {one.field for one in report.differences} >= {"fire_count", "version", "row"}


@pytest.mark.usefixtures("tampered")
def test_rows_that_an_older_release_made_are_compared_in_part(ctx, clock, database):
    """Its operations had no `fields`."""
    a_long_life(ctx, clock)
    remind(ctx)
    lift_the_triggers(database)
    for key, payload in database.execute("SELECT id, payload FROM operations"):
        told = {name: value for name, value in json.loads(payload).items() if name != "fields"}
        database.execute("UPDATE operations SET payload = ? WHERE id = ?", json.dumps(told), key)
    report = replay(ctx.store)
    unrecorded = [one for one in report.differences if one.field != "language"]  # it said "intents": 1 and no more
    assert (unrecorded, report.contradictions) == ([], ())
    assert report.kinds["standing_intent"].partial == report.kinds["standing_intent"].rows == 1
    database.execute("UPDATE standing_intents SET max_fires = 8")
    assert "max_fires" in {one.field for one in replay(ctx.store).differences}


# -- export -----------------------------------------------------------------------------------------------------------


def exported(ctx):
    def heads(tx):
        return [Head(name, "space", "", *tx.operations.head(name)) for name in tx.operations.namespaces()]

    return list(ExportAudit(ctx)("1", "here", heads))


def test_an_export_holds_every_operation_and_event_and_no_words(ctx, clock):
    a_long_life(ctx, clock)
    lines = [json.loads(line) for line in exported(ctx)]
    kinds = [line["kind"] for line in lines]
    assert kinds[0] == "header" and kinds[-1] == "end"
    report = replay(ctx.store)
    assert (kinds.count("operation"), kinds.count("event")) == (report.operations, 1)
    assert not any(word in str(lines) for word in ("Confirm", "launch", "zebra", "rollback"))
    assert [(one["namespace_id"], one["sequence_num"]) for one in lines if one["kind"] == "operation"] == sorted(
        (one["namespace_id"], one["sequence_num"]) for one in lines if one["kind"] == "operation"
    )


def test_an_export_verifies_without_the_database(ctx, clock):
    a_long_life(ctx, clock)
    found = verify_lines(exported(ctx))
    assert all(report.bad is None and not report.why for report in found.reports)
    assert (sum(report.rows for report in found.reports), found.events) == (replay(ctx.store).operations, 1)
    assert exported(ctx) == exported(ctx)
