"""What was stored under an older schema is there, and works, after an upgrade."""

import json

import pytest

from core.goals.objects import GoalDraft, IntentType
from core.services.add_goal import AddGoal
from core.services.context import Context
from core.services.link_goal import LinkGoal
from core.services.read_goals import ListGoals
from core.services.read_intents import ShowIntent
from core.services.receive_turn import ReceiveTurn
from core.standing.intent import CooldownPer, Deliver
from core.text.analyse import FINGERPRINT
from core.turn import ADMIN
from storage import upgrade
from storage.engine import parse_url
from storage.types import micros
from tests.builders import HOME, NOW, a_turn, an_owner

GENESIS = "0" * 64
MADE, ENDS = micros(NOW) - 86_400_000_000, micros(NOW) + 86_400_000_000 * 60
ROWS = [
    ("INSERT INTO namespaces VALUES ('ns', 'space', 1, 0, ?)", (GENESIS,)),
    ("INSERT INTO places VALUES (1, 'console', 'local', 'space', 'home', NULL, NULL, 'home', 'public', 'ns')", ()),
    ("INSERT INTO places VALUES (2, 'console', 'local', 'channel', 'general', 1, NULL, 'general', 'public', 'ns')", ()),
    ("INSERT INTO places VALUES (3, 'console', 'local', 'conversation', 'general', 2, NULL, 'g', 'public', 'ns')", ()),
    ("INSERT INTO principals VALUES (1, 'console', 'local', 'ada', 'Ada')", ()),
    ("INSERT INTO principals VALUES (2, 'console', 'local', 'bob', 'Bob')", ()),
    ("INSERT INTO content VALUES ('d', ?, 'Confirm the rollback owner.')", (b"0123456789abcdef",)),
    ("INSERT INTO content VALUES ('d.0', ?, 'launch checklist')", (b"0123456789abcdef",)),
    ("INSERT INTO handles VALUES ('i-7k2m')", ()),
    (
        "INSERT INTO standing_intents (key, id, handle, namespace_id, space, channel, conversation, description_id,"
        " creator, creator_name, channel_scope, watches, watches_name, status, created_at, armed_at, expires_at,"
        " max_fires, cooldown, priority, options, on_edits, fire_count, source_message_id, version) VALUES"
        " (1, 'id-1', 'i-7k2m', 'ns', 1, 2, 3, 'd', 1, 'Ada', 'channel', 2, 'Bob', 'armed', ?, ?, ?,"
        " 3, 86400000000, 1, 'en+', ?, 0, 'm', 1)",
        (MADE, MADE, ENDS, False),
    ),
    ("INSERT INTO standing_entries VALUES (1, 0, 'd.0')", ()),
    ("INSERT INTO analysis_versions VALUES (1, ?)", (FINGERPRINT,)),
    (
        "INSERT INTO trig (scope_key, anchor, intent_key, entry_no, reading, need, source, options, sender, priority,"
        " created_at, analysis) VALUES (2, '~checklist', 1, 0, 0, '~launch', 'launch checklist', 'en+', 2, 1, ?, 1)",
        (MADE,),
    ),
    ("INSERT INTO scopes VALUES (2, 1, 1)", ()),
    (
        "INSERT INTO outbox (id, kind, conversation, fire_id, reply_to, body, state, attempts)"
        " VALUES ('o', 'reminder', 3, NULL, '', ?, 'sent', 1)",
        (json.dumps({}),),
    ),
]


def at_revision(database, revision):
    target = parse_url(database.url, database.schema)
    with upgrade._engine(target) as engine, upgrade._guarded(engine, target) as connection:
        config = upgrade._config()
        config.attributes["connection"] = connection
        upgrade.command.upgrade(config, revision)


@pytest.mark.parametrize("revision", ["0002", "0003", "0005"])
def test_a_rule_of_an_older_schema_fires_after_the_upgrade(empty_database, clock, ids, revision):
    at_revision(empty_database, revision)
    for statement, params in ROWS:
        empty_database.execute(statement, *params)
    clock.set(NOW)
    ctx = Context(empty_database.open(), clock, ids)
    row = ShowIntent(ctx)("i-7k2m", ADMIN, None).intent
    assert (row.cooldown_per, row.except_in, row.deliver, row.deliver_to) == (CooldownPer.INTENT, (), Deliver.HERE, 0)
    assert (row.expiry_asked_at, row.unconfirmed) == (None, False)
    assert (row.goal_id, row.goal_closed) == (None, False)
    [reminder] = ReceiveTurn(ctx)(a_turn("is the launch checklist done?", at=NOW)).fires
    assert (reminder.handle, reminder.entry) == ("i-7k2m", "launch checklist")
    assert empty_database.execute("SELECT recipient FROM outbox WHERE id = 'o'") == [(None,)]


def test_a_space_of_an_older_schema_takes_goals_after_the_upgrade(empty_database, clock, ids):
    at_revision(empty_database, "0005")
    for statement, params in ROWS:
        empty_database.execute(statement, *params)
    clock.set(NOW)
    ctx = Context(empty_database.open(), clock, ids)
    made = AddGoal(ctx)(GoalDraft(IntentType.RISK, "The vendor contract ends."), an_owner(), HOME)
    linked = LinkGoal(ctx)("i-7k2m", made.handle, an_owner(), HOME)
    assert (made.namespace_id, linked.goal_id) == ("ns", made.id)
    assert [row.handle for row in ListGoals(ctx)(an_owner(), HOME).rows] == [made.handle]


def test_what_was_owed_before_the_upgrade_is_due_at_once_and_has_failed_never(empty_database, clock, ids):
    at_revision(empty_database, "0003")
    live = "INSERT INTO outbox (id, kind, conversation, reply_to, body, state, due_at, created_at, attempts) VALUES "
    for statement, params in [
        *ROWS,
        (live + "('new', 'reminder', 3, '', '{}', 'held', ?, ?, 0)", (ENDS, MADE)),
        (live + "('old', 'reminder', 3, '', '{}', 'queued', NULL, ?, 0)", (MADE,)),
        (live + "('first', 'reminder', 3, '', '{}', 'queued', NULL, NULL, 0)", ()),
        (
            "INSERT INTO fires (id, intent_key, number, conversation, message_id, link, sender, sender_name, entry,"
            " terms, fired_at, state, previous_status) VALUES"
            " ('f', 1, 1, 3, 'm', '', 2, 'Bob', 'launch checklist', '[]', ?, 'delivered', 'armed')",
            (MADE,),
        ),
    ]:
        empty_database.execute(statement, *params)
    store = empty_database.open()
    found = empty_database.execute("SELECT id, due_at, error FROM outbox ORDER BY id")
    assert found == [("first", 0, ""), ("new", ENDS, ""), ("o", None, ""), ("old", MADE, "")]
    with store.read() as tx:
        fire = tx.fires.get("f")
    assert fire is not None and fire.acknowledged_at is None
