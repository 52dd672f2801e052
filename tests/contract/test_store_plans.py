"""The plans of the hot statements are pinned: the planner never chooses (design 08)."""

import re
import sqlite3
from contextlib import closing

import pytest

from storage import memory
from storage.link import Sql
from storage.repositories import (
    fires,
    goal_edges,
    goal_memories,
    goals,
    index,
    intents,
    moves,
    operations,
    outbox,
    places,
    records,
    timed,
)

HOT = {
    "places.find": places.FIND,
    "places.scopes": places.SCOPES,
    "places.settings": places.SETTINGS,
    "places.principal": places.PRINCIPAL,
    "index.probe": index.PROBE,
    "index.scopes": index.SCOPES,
    "index.rows": memory.ROWS,
    "index.filed": index.FILED,
    "index.remove": index.REMOVE,
    "index.crowd": index.CROWD,
    "intents.by_keys": intents.BY_KEYS,
    "fires.newest_kept": fires.NEWEST_KEPT,
    "intents.by_id": intents.BY_ID,
    "intents.by_handle": intents.BY_HANDLE,
    "intents.update": intents.UPDATE,
    "intents.expiring": intents.EXPIRING,
    "intents.cooled": intents.COOLED,
    "intents.live_of_creator": intents.LIVE_OF_CREATOR,
    "intents.live_of_space": intents.LIVE_OF_SPACE,
    "fires.of_message": fires.OF_MESSAGE,
    "fires.get": fires.GET,
    "fires.settle": fires.SETTLE,
    "fires.of_intent": fires.OF_INTENT,
    "fires.stale": fires.STALE,
    "fires.open_of_creator": fires.OPEN_OF_CREATOR,
    "fires.open_of_intent": fires.OPEN_OF_INTENT,
    "outbox.due": outbox.DUE,
    "outbox.due_at": outbox.DUE_AT,
    "outbox.owed": outbox.OWED,
    "outbox.last_sent": outbox.LAST_SENT,
    "intents.unasked": intents.UNASKED,
    "intents.twins": intents.TWINS,
    "fires.last_in": fires.LAST_IN,
    "fires.last_of": fires.LAST_OF,
    "fires.count": fires.COUNT,
    "outbox.get": outbox.GET,
    "outbox.of_fire": outbox.OF_FIRE,
    "outbox.mark": outbox.MARK,
    "outbox.ready": outbox.READY,
    "outbox.next_due": outbox.NEXT_DUE,
    "outbox.claim": outbox.CLAIM,
    "outbox.postpone": outbox.POSTPONE,
    "outbox.overdue": outbox.OVERDUE,
    "outbox.last_failed": outbox.LAST_FAILED,
    "fires.acknowledge": fires.ACKNOWLEDGE,
    "timed.by_handle": timed.BY_HANDLE,
    "timed.by_id": timed.BY_ID,
    "timed.by_keys": timed.BY_KEYS,
    "timed.due": timed.DUE,
    "timed.next_due": timed.NEXT_DUE,
    "timed.active_of": timed.ACTIVE_OF,
    "timed.update": timed.UPDATE,
    "timed.worded": timed.WORDED,
    "goals.by_handle": goals.BY_HANDLE,
    "goals.by_id": goals.BY_ID,
    "goals.by_ids": goals.BY_IDS,
    "goals.update": goals.UPDATE,
    "goals.same": goals.SAME,
    "goals.overdue": goals.OVERDUE,
    "goals.fading": goals.FADING,
    "goals.unreviewed": goals.UNREVIEWED,
    "goals.open_of_space": goals.OPEN_OF_SPACE,
    "goals.known": goals.KNOWN,
    "goals.generation": goals.GENERATION,
    "goals.prerequisites": goals.PREREQUISITES,
    "goals.dependents": goals.DEPENDENTS,
    "goals.reaches": goal_edges.REACHES,
    "goals.below": goal_edges.BELOW,
    "goals.above": goal_edges.ABOVE,
    "goals.waiting": goal_edges.WAITING,
    "goals.session": goal_memories.SESSION,
    "operations.head": operations.LOCKED_HEAD,
    "operations.chain": operations.CHAIN,
    "operations.of_target": operations.OF_TARGET,
    "places.namespaces": places.NAMESPACES,
    "places.conversations": places.CONVERSATIONS,
    "places.people": places.PEOPLE,
    "moves.space": moves.SPACE,
    "moves.child": moves.CHILD,
    "moves.mark_fires": moves.MARK_FIRES,
    "moves.mark_sources": moves.MARK_SOURCES,
    "moves.fires": moves.FIRES,
    "fires.open_in": fires.OPEN_IN,
    "intents.worded": intents.WORDED,
    "records.facts": records.FACTS,
    "records.evidence": records.EVIDENCE,
}
FULL_SCAN = re.compile(
    r"SCAN (?!\w+ (VIRTUAL TABLE|USING INDEX ix_))"
    r"(?!(k|w|due|below|walk|\(subquery-\d+\)|6 CONSTANT ROWS|CONSTANT ROW)$)"
)


@pytest.fixture(params=["empty", "full"])
def plan(request, sqlite_template, tmp_path):
    """Plans of a fresh database and of one whose statistics tempt the planner."""
    path = tmp_path / "plans.db"
    path.write_bytes(sqlite_template.read_bytes())
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        if request.param == "full":
            connection.execute("PRAGMA foreign_keys = OFF")
            connection.execute("INSERT INTO scopes SELECT value, 3, 1 FROM json_each('[0,1,2,3]')")
            connection.execute(
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)"
                " INSERT INTO trig SELECT 0, 'a', 0, i, 0, 0, '', '', 'en', 0, 0, 1 FROM n"
            )
            connection.execute("ANALYZE")

        def read(statement: Sql) -> list[str]:
            marks = [1] * statement.sqlite.count("?")
            text = re.sub(r"json_each\(\?\)", "json_each('[1]')", statement.sqlite)
            marks = marks[: text.count("?")]
            return [row[3] for row in connection.execute("EXPLAIN QUERY PLAN " + text, marks)]

        yield read


@pytest.mark.parametrize("name", HOT)
def test_no_hot_statement_scans_a_table(plan, name):
    assert [line for line in plan(HOT[name]) if FULL_SCAN.match(line)] == []


def test_the_probe_is_driven_by_scopes_and_keys_into_the_primary_key(plan):
    steps = [line for line in plan(index.PROBE) if line.startswith(("SCAN", "SEARCH"))][1:]
    assert [line.split(" ")[1] for line in steps] == ["w", "k", "t"]
    assert steps[-1] == "SEARCH t USING PRIMARY KEY (scope_key=? AND anchor=? AND sender=?)"


@pytest.mark.parametrize(
    ("statement", "index_name"),
    [
        (intents.EXPIRING, "ix_standing_intents_expiring"),
        (intents.COOLED, "ix_standing_intents_cooled"),
        (intents.LIVE_OF_CREATOR, "ix_standing_intents_creator"),
        (intents.LIVE_OF_SPACE, "ix_standing_intents_space"),
        (fires.STALE, "ix_fires_reserved"),
        (fires.OPEN_OF_CREATOR, "ix_fires_reserved"),
        (outbox.DUE, "ix_outbox_live"),
        (outbox.DUE_AT, "ix_outbox_live"),
        (outbox.OWED, "ix_outbox_recipient"),
        (outbox.READY, "ix_outbox_due"),
        (outbox.NEXT_DUE, "ix_outbox_due"),
        (outbox.OVERDUE, "ix_outbox_live"),
        (outbox.LAST_FAILED, "ix_outbox_recipient"),
        (intents.UNASKED, "ix_standing_intents_unasked"),
        (goals.SAME, "ix_goal_intents_fold"),
        (goals.OVERDUE, "ix_goal_intents_overdue"),
        (goals.FADING, "ix_goal_intents_fading"),
        (goals.UNREVIEWED, "ix_goal_intents_unreviewed"),
        (goals.UNTOLD, "ix_goal_intents_risks"),
        (goals.KNOWN, "ix_goal_intents_shown"),
        (goals.OPEN_OF_SPACE, "ix_goal_intents_space"),
        (index.FILED, "ix_trig_intent"),
        (index.REMOVE, "ix_trig_intent"),
    ],
)
def test_due_rows_come_from_their_partial_index(plan, statement, index_name):
    assert any(index_name in line for line in plan(statement)), plan(statement)


@pytest.mark.parametrize("statement", [places.FIND, fires.OF_MESSAGE])
def test_places_and_receipts_are_found_by_their_unique_index(plan, statement):
    assert all(line.startswith("SEARCH") for line in plan(statement)), plan(statement)
