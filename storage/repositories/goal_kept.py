"""Stored rows of goal memory as an audit compares them, in pages."""

from collections import defaultdict
from collections.abc import Iterator

from core.goals.recorded import recorded, recorded_summary
from core.operations.goal_replay import EDGE, GOAL, SUMMARY, edge_id
from core.operations.replay import Stored
from storage import goal_table as table
from storage.link import Link, sql
from storage.repositories import content, goals

PAGE = 500
ROWS = sql(goals.SELECT + "WHERE g.key > ? ORDER BY g.key LIMIT ?")
WORDS = sql(
    "SELECT g.key, d.id, d.salt, d.text, g.value_id, g.criteria_id, g.note_id, g.structured_id FROM goal_intents AS g"
    " JOIN content AS d ON d.id IN (g.value_id, g.criteria_id, g.note_id, g.structured_id) WHERE g.key IN ?bigint[]"
)
EDGES = sql(
    "SELECT e.dependent, e.prerequisite, a.id, b.id, a.handle FROM goal_edges AS e"
    " JOIN goal_intents AS a ON a.key = e.dependent JOIN goal_intents AS b ON b.key = e.prerequisite"
    " WHERE (e.dependent, e.prerequisite) > (?, ?) ORDER BY e.dependent, e.prerequisite LIMIT ?"
)
SUMMARIES = sql(table.SUMMARY + "WHERE s.key > ? ORDER BY s.key LIMIT ?")
SALTS = sql("SELECT id, salt, text FROM content WHERE id IN ?text[]")


def intents(link: Link) -> Iterator[Stored]:
    """Intents by key; one that this version cannot read comes without fields."""
    last = 0
    while page := link.rows(ROWS, (last, PAGE)):
        last = page[-1][0]
        words: dict[int, dict[str, tuple[str, str]]] = defaultdict(dict)
        for key, content_id, salt, text, *ids in link.rows(WORDS, (link.many(row[0] for row in page),)):
            words[key][goals.WORDS[ids.index(content_id)]] = content_id, content.hash_of(salt, text)
        for row in page:
            known = {name: words[row[0]][name] for name in goals.WORDS if name in words[row[0]]}
            try:
                fields = recorded(table.intent_of(row), known)
            except (ValueError, TypeError):
                fields = None
            yield Stored(GOAL, row[1], row[2], fields)


def edges(link: Link) -> Iterator[Stored]:
    """Edges by the keys of their ends."""
    last = 0, 0
    while page := link.rows(EDGES, (*last, PAGE)):
        last = page[-1][0], page[-1][1]
        for _, _, dependent, prerequisite, handle in page:
            fields = {"dependent": dependent, "prerequisite": prerequisite}
            yield Stored(EDGE, edge_id(dependent, prerequisite), handle, fields)


def summaries(link: Link) -> Iterator[Stored]:
    """Summaries by key, under the handle of their intent; one that this version cannot read comes without fields."""
    last = 0
    while page := link.rows(SUMMARIES, (last, PAGE)):
        last = page[-1][0]
        salts = {row[0]: row[1:] for row in link.rows(SALTS, (link.many(row[5] for row in page),))}
        for row in page:
            one = table.readable_summary(row)
            digest = content.hash_of(*salts[row[5]])
            yield Stored(SUMMARY, row[1], row[4], None if one is None else recorded_summary(one, digest))
