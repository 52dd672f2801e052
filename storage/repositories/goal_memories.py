"""What is remembered of completed intents, and what was shown in the session of a conversation."""

# ruff: noqa: S608  # statements are put together from constants of the code alone

import json
from collections.abc import Iterable, Sequence
from datetime import datetime

from core.goals.objects import Session, Summary
from core.operations.log import canonical
from storage.goal_table import SUMMARY, readable_summary
from storage.link import Link, Row, sql
from storage.repositories import content
from storage.types import micros, moment

KEPT = 200
"""So many summaries of a namespace, the newest ones, can be recalled into a bundle."""
ADD = sql(
    "INSERT INTO goal_summaries (id, namespace_id, intent_key, text_id, created_at, epistemic_type, confidence,"
    " salience, evidence) SELECT ?, ?, g.key, ?, ?, ?, ?, ?, ? FROM goal_intents AS g WHERE g.id = ? RETURNING key"
)
_NEWEST = " ORDER BY s.created_at DESC, s.key DESC"
FOUND = sql(SUMMARY + "WHERE s.namespace_id IN ?text[]" + _NEWEST + " LIMIT ? OFFSET ?")
WORDS = sql(
    "SELECT s.key, d.text FROM goal_summaries AS s JOIN content AS d ON d.id = s.text_id"
    " WHERE s.namespace_id IN ?text[]" + _NEWEST
)
BY_KEYS = sql(SUMMARY + "WHERE s.key IN ?bigint[]" + _NEWEST)
OF_INTENT = sql(SUMMARY + "WHERE g.id = ?")
SESSION = sql("SELECT conversation, started_at, last_at, surfaced FROM goal_sessions WHERE conversation = ?")
SURFACED = sql("SELECT surfaced FROM goal_sessions WHERE last_at >= ?")
PUT_SESSION = sql(
    "INSERT INTO goal_sessions (conversation, started_at, last_at, surfaced) VALUES (?, ?, ?, ?)"
    " ON CONFLICT (conversation) DO UPDATE SET started_at = excluded.started_at, last_at = excluded.last_at,"
    " surfaced = excluded.surfaced"
)


def add(link: Link, summary: Summary, salt: bytes) -> Summary:
    """Store one with its words; returns it with `key` set."""
    content.put(link, summary.text_id, salt, summary.text)
    values = (
        summary.id,
        summary.namespace_id,
        summary.text_id,
        micros(summary.created_at),
        summary.epistemic_type.value,
        summary.confidence,
        summary.salience,
        canonical(list(summary.evidence_ids)),
    )
    row = link.insert(ADD, (*values, summary.intent_id))
    assert row is not None, "its intent is stored"  # noqa: S101
    stored = of_intent(link, summary.intent_id)
    assert stored is not None, "just stored"  # noqa: S101
    return stored


def found(link: Link, namespace_ids: Sequence[str], text: str, limit: int, offset: int) -> tuple[Summary, ...]:
    """Those that hold `text` (case-folded), newest first."""
    where = link.many(namespace_ids)
    if not text:
        return _readable(link.rows(FOUND, (where, limit, offset)))
    wanted = text.casefold()
    keys = [key for key, words in link.rows(WORDS, (where,)) if wanted in (words or "").casefold()]
    return _readable(link.rows(BY_KEYS, (link.many(keys[offset : offset + limit]),)))


def of_intent(link: Link, intent_id: str) -> Summary | None:
    """What is remembered of one intent."""
    found = _readable(link.rows(OF_INTENT, (intent_id,)))
    return found[0] if found else None


def _readable(rows: Iterable[Row]) -> tuple[Summary, ...]:
    """The rows that this version can read; one that it cannot stays, and is not shown (`audit replay` names it)."""
    return tuple(filter(None, map(readable_summary, rows)))


def session(link: Link, conversation: int) -> Session | None:
    """The last session of a conversation."""
    row = link.row(SESSION, (conversation,))
    if row is None:
        return None
    return Session(row[0], moment(row[1]), moment(row[2]), frozenset(json.loads(row[3])))


def put_session(link: Link, kept: Session) -> None:
    """Store it, in place of the one before."""
    surfaced = canonical(sorted(kept.surfaced))
    link.run(PUT_SESSION, (kept.conversation, micros(kept.started_at), micros(kept.last_at), surfaced))


def surfaced(link: Link, since: datetime) -> frozenset[int]:
    """Keys of the risks that were shown in a session which was going on at that time or later."""
    return frozenset(key for (keys,) in link.rows(SURFACED, (micros(since),)) for key in json.loads(keys))
