"""The graph of what waits for what: each question about it is one recursive query (design 08).

`UNION` and never `UNION ALL`: a diamond is walked once. The depth stands in a query only where it is bounded.
"""

# ruff: noqa: S608  # statements are put together from constants of the code alone

from collections.abc import Sequence
from datetime import datetime

from core.goals.objects import Edge
from storage.goal_table import OPEN
from storage.link import Link, sql
from storage.types import micros

ADD = sql("INSERT INTO goal_edges (dependent, prerequisite, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
DROP = sql("DELETE FROM goal_edges WHERE dependent = ? AND prerequisite = ?")
REACHES = sql(
    "WITH RECURSIVE below (key) AS (SELECT CAST(? AS BIGINT) UNION"
    " SELECT e.prerequisite FROM below JOIN goal_edges AS e ON e.dependent = below.key)"
    " SELECT 1 FROM below WHERE key = ? LIMIT 1"
)
NEXT = sql(
    "SELECT dependent, prerequisite FROM goal_edges WHERE dependent IN ?bigint[] ORDER BY dependent, prerequisite"
)
_LEVELS = (
    "WITH RECURSIVE walk (key, level) AS (SELECT CAST(? AS BIGINT), 0 UNION"
    " SELECT g.key, walk.level + 1 FROM walk JOIN goal_edges AS e ON e.{here} = walk.key"
    f" JOIN goal_intents AS g ON g.key = e.{{there}} WHERE g.{OPEN} AND walk.level < ?)"
    " SELECT max(level) FROM walk"
)
BELOW = sql(_LEVELS.format(here="dependent", there="prerequisite"))
ABOVE = sql(_LEVELS.format(here="prerequisite", there="dependent"))
_EDGES = (
    "SELECT a.id, b.id FROM goal_edges AS e JOIN goal_intents AS a ON a.key = e.dependent"
    " JOIN goal_intents AS b ON b.key = e.prerequisite"
)
_IN_ORDER = " ORDER BY e.dependent, e.prerequisite"
EVERY = sql(_EDGES + _IN_ORDER)
IN_NAMESPACES = sql(_EDGES + " WHERE a.namespace_id IN ?text[]" + _IN_ORDER)
WAITING_OF = sql(
    "SELECT e.dependent, b.handle FROM goal_edges AS e JOIN goal_intents AS b ON b.key = e.prerequisite"
    f" WHERE e.dependent IN ?bigint[] AND b.{OPEN}"
    " AND NOT (b.intent_state = 'ACTIVE' AND COALESCE(b.target_completion <= ?, FALSE)) ORDER BY e.dependent, b.handle"
)
WAITING = sql(
    "SELECT a.id, b.handle FROM goal_intents AS a JOIN goal_edges AS e ON e.dependent = a.key"
    " JOIN goal_intents AS b ON b.key = e.prerequisite"
    f" WHERE a.namespace_id = ? AND b.{OPEN} ORDER BY e.dependent, b.handle"
)


def path(link: Link, start: int, end: int) -> tuple[int, ...]:
    """The shortest way from `start` to `end` along what each depends on; () when there is none."""
    if link.row(REACHES, (start, end)) is None:
        return ()
    came: dict[int, int] = {start: start}
    front = [start]
    while front and end not in came:
        found = link.rows(NEXT, (link.many(front),))
        front = []
        for dependent, prerequisite in found:
            if prerequisite not in came:
                came[prerequisite] = dependent
                front.append(prerequisite)
    way = [end]
    while way[-1] != start:
        way.append(came[way[-1]])
    return tuple(reversed(way))


def levels(link: Link, key: int, below: bool, limit: int) -> int:
    """How many open intents the longest path below or above one has, itself left out; no further than `limit`."""
    row = link.row(BELOW if below else ABOVE, (key, limit))
    return 0 if row is None else int(row[0])


def all_in(link: Link, namespace_ids: Sequence[str]) -> tuple[Edge, ...]:
    """Every edge of these namespaces, of all when there are none."""
    rows = link.rows(IN_NAMESPACES, (link.many(namespace_ids),)) if namespace_ids else link.rows(EVERY)
    return tuple(Edge(row[0], row[1]) for row in rows)


def waiting(link: Link, keys: Sequence[int], now: datetime) -> dict[int, tuple[str, ...]]:
    """Handles of the prerequisites that are open as of `now`, by the key of what waits for them."""
    found: dict[int, tuple[str, ...]] = {}
    for key, handle in link.rows(WAITING_OF, (link.many(keys), micros(now))) if keys else ():
        found[key] = (*found.get(key, ()), handle)
    return found
