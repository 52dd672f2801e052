"""Whether what a store holds is one story: rows, fires, outbox, index and log agree, and nothing told is missing."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from bots.runtime import SystemClock, SystemIds
from core.services.audit import VerifyAudit
from core.services.context import Context
from core.services.refile import index_rows
from core.standing.intent import INDEXED, FireState
from storage.unit_of_work import SqlStore
from tests.fakes.databases import Database
from tests.fakes.replayed import differing
from tests.fault.replay import STEADY, text_of

FIRES = (
    "SELECT f.id, i.id, i.handle, f.message_id, f.state, f.conversation FROM fires AS f"
    " JOIN standing_intents AS i ON i.key = f.intent_key"
)
OUTBOX = "SELECT fire_id, count(*) FROM outbox WHERE fire_id IS NOT NULL GROUP BY fire_id"
ROWS = "SELECT id, handle, fire_count, max_fires, status FROM standing_intents"
LOGGED = (
    "SELECT op_type, target_id, payload FROM operations"
    " WHERE op_type IN ('FIRED', 'DELIVERED', 'REFUNDED') AND target_type = 'standing_intent'"
)
MADE = "SELECT target_id FROM operations WHERE op_type = 'ASSERT' AND target_type = 'standing_intent'"
HANDLES = (
    "SELECT handle FROM handles WHERE handle NOT IN (SELECT handle FROM standing_intents)"
    " AND handle NOT IN (SELECT handle FROM timed_reminders)"
    " AND handle NOT IN (SELECT handle FROM goal_intents)"
)
SCOPES = "SELECT scope_key, rows FROM scopes WHERE rows <> 0 ORDER BY scope_key"
FILED = "SELECT scope_key, count(*) FROM trig GROUP BY scope_key ORDER BY scope_key"
WANTED = {"FIRED": None, "DELIVERED": FireState.DELIVERED, "REFUNDED": FireState.REFUNDED}


def told_in(log: Path) -> list[dict[str, str]]:
    """What the child said that it was told, a line that the kill cut off left out."""
    if not log.exists():
        return []
    text = log.read_text(encoding="utf-8")
    return [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]


def wrong_in(database: Database, store: SqlStore, told: list[dict[str, str]] = []) -> list[str]:  # noqa: B006
    """Every disagreement, as a sentence."""
    fires = database.execute(FIRES)
    return [
        *_file(database),
        *_chains(store),
        *(f"replayed otherwise: {one}" for one in differing(store)),
        *_acknowledged(database, fires, told),
        *_receipts(fires),
        *_counts(database, fires),
        *_operations(database, fires),
        *_index(database, store),
        *_made(database),
    ]


def steady_missed(database: Database, seed: int, turns: int) -> list[str]:
    """Reminders that never came, or came without a cause, of the rules that fire on each of their messages."""
    found: dict[str, set[str]] = {f"steady{n}": set() for n in range(STEADY)}
    statement = "SELECT f.entry, f.message_id FROM fires AS f WHERE f.entry LIKE 'steady%'"
    for entry, message in database.execute(statement):
        found[entry].add(message)
    wrong = []
    for name, messages in found.items():
        due = {f"m{n:06}" for n in range(turns) if name in text_of(seed, n).split()}
        if messages != due:
            wrong.append(f"{name}: {len(due - messages)} messages missed, {len(messages - due)} too many")
    return wrong


def _file(database: Database) -> list[str]:
    if not database.sqlite:
        return []
    wrong = [str(row) for row in database.execute("PRAGMA integrity_check") if row != ("ok",)]
    return wrong + [f"a broken reference: {row}" for row in database.execute("PRAGMA foreign_key_check")]


def _chains(store: SqlStore) -> list[str]:
    reports = VerifyAudit(Context(store, SystemClock(), SystemIds()))()
    return [f"a broken chain: {report}" for report in reports if report.bad is not None or report.why]


def _acknowledged(database: Database, fires: list[Any], told: list[dict[str, str]]) -> list[str]:
    states = {fire: state for fire, _, _, _, state, _ in fires}
    status = {handle: status for _, handle, _, _, status in database.execute(ROWS)}
    wrong = []
    for line in told:
        if "fire" in line and line["fire"] not in states:
            wrong.append(f"a fire that was told is gone: {line}")
        if "delivered" in line and states.get(line["delivered"]) != FireState.DELIVERED:
            wrong.append(f"a delivery that was told is gone: {line}")
        if "failed" in line and states.get(line["failed"]) != FireState.REFUNDED:
            wrong.append(f"a refund that was told is gone: {line}")
        if "cancelled" in line and status[line["cancelled"]] != "cancelled":
            wrong.append(f"a cancel that was told is gone: {line}")
        if "created" in line and line["created"] not in status:
            wrong.append(f"a rule that was told is gone: {line}")
    again = Counter((line["handle"], line["message"]) for line in told if "fire" in line)
    return wrong + [f"told twice: {key}" for key, count in again.items() if count > 1]


def _receipts(fires: list[Any]) -> list[str]:
    twice = Counter((handle, conversation, message) for _, _, handle, message, _, conversation in fires)
    return [f"a message fired twice: {key}" for key, count in twice.items() if count > 1]


def _counts(database: Database, fires: list[Any]) -> list[str]:
    kept = Counter(row for _, row, _, _, state, _ in fires if state != FireState.REFUNDED)
    carried = dict(database.execute(OUTBOX))
    wrong = []
    for row, handle, count, most, _status in database.execute(ROWS):
        if count != kept[row]:
            wrong.append(f"{handle}: counts {count} fires of {kept[row]}")
        if kept[row] > most:
            wrong.append(f"{handle}: {kept[row]} fires of {most}")
    return wrong + [f"fire {fire}: {carried.get(fire, 0)} messages" for fire, *_ in fires if carried.get(fire) != 1]


def _operations(database: Database, fires: list[Any]) -> list[str]:
    logged = Counter((kind, target, json.loads(payload)["fire"]) for kind, target, payload in database.execute(LOGGED))
    due = Counter(
        (kind, row, fire)
        for kind, wanted in WANTED.items()
        for fire, row, _, _, state, _ in fires
        if wanted is None or state == wanted
    )
    wrong = [f"an operation without its fire: {key}" for key in logged - due]
    return wrong + [f"a fire without its operation: {key}" for key in due - logged]


def _made(database: Database) -> list[str]:
    """Rules, their handles and the operation that made them come together or not at all."""
    rows = Counter(row for row, *_ in database.execute(ROWS))
    made = Counter(target for (target,) in database.execute(MADE))
    wrong = [f"a rule without its operation, or the other way round: {row}" for row in (rows - made) + (made - rows)]
    return wrong + [f"a handle without a rule: {handle}" for (handle,) in database.execute(HANDLES)]


def _index(database: Database, store: SqlStore) -> list[str]:
    keys = [key for (key,) in database.execute("SELECT key FROM standing_intents")]
    with store.read() as tx:
        rows = tx.intents.by_keys(keys)
    filed: dict[int, list[str]] = {}
    for key, anchor in database.execute("SELECT intent_key, anchor FROM trig"):
        filed.setdefault(key, []).append(anchor)
    wrong = [] if database.execute(SCOPES) == database.execute(FILED) else ["the scopes are counted wrong"]
    for row in rows:
        due = sorted(line.anchor for line in index_rows(row)) if row.status in INDEXED else []
        if sorted(filed.get(row.key, [])) != due:
            wrong.append(f"{row.handle}: filed under {filed.get(row.key)} instead of {due}")
    return wrong
