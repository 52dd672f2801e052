"""The chain on a real store: nothing changes a row, and a row that was changed all the same is named."""

import json

import pytest

from core.services.audit import SYSTEM_NAMESPACE, VerifyAudit
from core.services.change_intent import EditIntent
from core.services.context import Context
from core.services.create_intent import CreateIntent
from core.services.deliver import ConfirmDelivery
from core.services.receive_turn import ReceiveTurn
from core.standing.intent import Change
from tests.builders import HOME, NOW, a_draft, a_turn, an_owner


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    ctx = Context(store, clock, ids)
    for number in range(3):
        CreateIntent(ctx)(a_draft(f"kiwi{number}"), an_owner(), HOME, "created")
        [reminder] = ReceiveTurn(ctx)(a_turn(f"kiwi{number}")).fires
        ConfirmDelivery(ctx).delivered(reminder.fire_id)
    return ctx


def lift_the_triggers(database):
    """What somebody with the file in hands could do."""
    if database.sqlite:
        names = database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'operations'")
        for (name,) in names:
            database.execute(f"DROP TRIGGER {name}")
    else:
        database.execute("ALTER TABLE operations DISABLE TRIGGER USER")


def bad(ctx):
    return [(report.bad.sequence_num, report.why) for report in VerifyAudit(ctx)() if report.bad or report.why]


def test_sound_chains_verify_again_and_again(ctx):
    assert bad(ctx) == bad(ctx) == []
    reports = {report.namespace_id: report.rows for report in VerifyAudit(ctx)()}
    assert reports[SYSTEM_NAMESPACE] == 2
    assert sum(reports.values()) == 9 + 2


@pytest.mark.parametrize("statement", ["UPDATE operations SET ts = ts + 1", "DELETE FROM operations"])
def test_the_database_itself_refuses_to_change_the_log(ctx, database, statement):
    with pytest.raises(Exception, match=r"(?i)append|operations"):
        database.execute(statement)
    assert bad(ctx) == []


@pytest.mark.usefixtures("tampered")
@pytest.mark.parametrize("column", ["payload", "hash", "prev_hash", "actor_id", "op_type"])
def test_one_changed_byte_is_found_in_its_row(ctx, database, column):
    lift_the_triggers(database)
    database.execute(
        f"UPDATE operations SET {column} = substr({column}, 1, length({column}) - 1) || '~'"
        " WHERE sequence_num = 5 AND namespace_id <> 'system'"
    )
    [(number, why)] = bad(ctx)
    assert number == 5
    assert why


@pytest.mark.usefixtures("tampered")
def test_a_row_that_was_taken_out_is_found(ctx, database):
    lift_the_triggers(database)
    database.execute("DELETE FROM operations WHERE sequence_num = 9 AND namespace_id <> 'system'")
    [(number, why)] = bad(ctx)
    assert (number, "9" in why) == (8, True)


def test_the_log_keeps_the_words_by_id_and_salted_hash_and_never_the_words(ctx, ids):
    row = CreateIntent(ctx)(a_draft("mango tree\nplum", "Water them."), an_owner(), HOME, "created")
    EditIntent(ctx)(row.handle, Change(triggers="mango tree", description="Water it."), an_owner(), HOME)
    with ctx.store.read() as tx:
        edited, asserted = tx.operations.of_target(row.id, 9)
        now = tx.intents.wordings(row.key)
    before = json.loads(asserted.payload)["words"]
    assert [len(digest) for _, digest in before] == [64, 64, 64]
    assert json.loads(edited.payload)["words"] == [before, [list(pair) for pair in now]]
    assert len(now) == 2
    assert not any(word in asserted.payload + edited.payload for word in ("mango", "plum", "Water"))


def test_erased_words_leave_their_hash_in_the_log_and_an_empty_one_in_the_store(ctx):
    row = CreateIntent(ctx)(a_draft("mango tree", "Water it."), an_owner(), HOME, "created")
    with ctx.store.write() as tx:
        words = tx.intents.wordings(row.key)
        for content_id, _ in words:
            assert tx.records.erase_content(content_id)
        assert [digest for _, digest in tx.intents.wordings(row.key)] == ["", ""]
        tx.commit()
    assert bad(ctx) == []
