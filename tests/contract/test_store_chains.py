"""What stands around the operation log, on both databases."""

import pytest

from core.services.context import Context
from core.services.create_intent import CreateIntent
from storage.chains import chains_in, missing_guards
from tests.builders import HOME, a_draft, an_owner


def test_each_chain_has_its_place_and_its_length(store, clock, ids):
    CreateIntent(Context(store, clock, ids))(a_draft(), an_owner(), HOME)
    told = {(chain.kind, chain.place): chain.rows for chain in chains_in(store).values()}
    assert told[("space", HOME.space_name or HOME.space)] == 1
    assert ("system", "") in told


def test_a_trigger_that_was_taken_away_is_named(database, store):
    assert missing_guards(store) == ()
    name, suffix = ("operations_no_delete", "") if database.sqlite else ("operations_no_truncate", " ON operations")
    [(again,)] = (
        database.execute("SELECT sql FROM sqlite_master WHERE name = ?", name)
        if database.sqlite
        else database.execute(
            "SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgname = ? AND tgrelid = 'operations'::regclass", name
        )
    )
    database.execute(f"DROP TRIGGER {name}{suffix}")
    assert missing_guards(store) == (name,)
    database.execute(again)
    assert missing_guards(store) == ()


@pytest.mark.postgres
def test_a_trigger_that_was_switched_off_is_named(postgres_database):
    store = postgres_database.open()
    postgres_database.execute("ALTER TABLE operations DISABLE TRIGGER operations_no_change")
    assert missing_guards(store) == ("operations_no_change",)
