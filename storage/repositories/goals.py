"""Intents of goal memory with their words, and how a namespace is remembered between bundles."""

# ruff: noqa: S608  # statements are put together from constants of the code alone

import builtins
from collections.abc import Callable, Sequence
from datetime import datetime

from core.catalogue import say
from core.errors import LimitExceeded, StorageError
from core.goals.kept import GoalFilter, Known, T
from core.goals.objects import Edge, IntentObject, Session, Summary
from core.goals.review import AGELESS
from storage import goal_table as table
from storage.link import Link, Row, Sql, sql
from storage.memory import GoalMemory
from storage.repositories import content, goal_edges, goal_memories
from storage.repositories.intents import TAKE_HANDLE
from storage.repositories.places import SqlPlaces
from storage.types import micros

SELECT = (
    f"SELECT {', '.join(f'g.{name}' for name in table.SELECTED)},"
    " c.provider, c.account, c.user_id, o.provider, o.account, o.user_id, v.text, k.text, n.text, u.text"
    " FROM goal_intents AS g JOIN content AS v ON v.id = g.value_id"
    " JOIN principals AS c ON c.id = g.creator JOIN principals AS o ON o.id = g.owner"
    " LEFT JOIN content AS k ON k.id = g.criteria_id LEFT JOIN content AS n ON n.id = g.note_id"
    " LEFT JOIN content AS u ON u.id = g.structured_id "
)
_NEW = (*table.FIXED, *table.MUTABLE, "version")
_ORDER = "ORDER BY g.priority DESC, g.target_completion IS NULL, g.target_completion, g.created_at, g.key"
IS_OVERDUE = "g.intent_state = 'ACTIVE' AND COALESCE(g.target_completion <= ?, FALSE)"
AFTER_DEADLINE = "CASE WHEN g.intent_type = 'RISK' THEN 'ACTIVE' ELSE 'ARCHIVED' END"
"""The lifecycle that an overdue intent will have once the heartbeat has moved it."""
ADD = sql(f"INSERT INTO goal_intents ({', '.join(_NEW)}) VALUES ({', '.join('?' * len(_NEW))}) RETURNING key")
BY_HANDLE = sql(SELECT + "WHERE g.handle = ?")
BY_ID = sql(SELECT + "WHERE g.id = ?")
BY_KEYS = sql(SELECT + "WHERE g.key IN ?bigint[] ORDER BY g.key")
BY_IDS = sql(SELECT + "WHERE g.id IN ?text[] ORDER BY g.key")
UPDATE = sql(
    f"UPDATE goal_intents SET {', '.join(f'{name} = ?' for name in table.MUTABLE)}, version = ?"
    " WHERE key = ? AND version = ?"
)
SAME = sql(SELECT + "WHERE g.namespace_id = ? AND g.fold = ? ORDER BY g.key DESC LIMIT 1")
OVERDUE = sql(
    SELECT + f"WHERE g.{table.OVERDUE} AND g.target_completion <= ? ORDER BY g.target_completion, g.key LIMIT ?"
)
FADING = sql(SELECT + "WHERE g.fades_at IS NOT NULL AND g.fades_at <= ? ORDER BY g.fades_at, g.key LIMIT ?")
UNREVIEWED = sql(
    SELECT + f"WHERE g.{table.UNREVIEWED} AND g.created_at < ?"
    f" AND NOT (g.intent_type = 'RISK' AND g.priority >= {AGELESS:d}) ORDER BY g.created_at, g.key LIMIT ?"
)
_TELLABLE = f"{table.RISKS} AND epistemic_type <> 'INFERRED' AND (priority = 3 OR intent_state <> 'ON_HOLD')"
UNTOLD = sql(
    SELECT + "JOIN (SELECT owner, space FROM goal_intents"
    f" WHERE owner IN (SELECT owner FROM goal_intents WHERE {_TELLABLE})"
    f" GROUP BY owner, space HAVING max(CASE WHEN {_TELLABLE} THEN 1 ELSE 0 END) = 1"
    " AND max(CASE WHEN told_at <= ? THEN told_at ELSE -1 END) < ?"
    " ORDER BY owner, space LIMIT ?) AS w"
    " ON w.owner = g.owner AND w.space = g.space"
    " WHERE g.intent_type = 'RISK' AND g.priority >= 2 AND g.epistemic_type <> 'INFERRED'"
    " AND g.intent_state IN ('ACTIVE','ON_HOLD','EXPIRED') AND (g.priority = 3 OR g.intent_state <> 'ON_HOLD')"
    " ORDER BY g.owner, g.space, g.priority DESC, g.key"
)
OPEN_OF_SPACE = sql(f"SELECT count(*) FROM goal_intents WHERE space = ? AND {table.COUNTED}")
WORDED = sql(
    SELECT + "WHERE g.namespace_id IN ?text[] AND (EXISTS (SELECT 1 FROM content AS d"
    " WHERE d.id IN (g.value_id, g.criteria_id, g.note_id, g.structured_id) AND d.text IS NOT NULL)"
    " OR EXISTS (SELECT 1 FROM goal_summaries AS s JOIN content AS d ON d.id = s.text_id"
    " WHERE s.intent_key = g.key AND d.text IS NOT NULL)) ORDER BY g.key LIMIT ?"
)
WORDINGS = sql(
    "SELECT d.id, d.salt, d.text, g.value_id, g.criteria_id, g.note_id, g.structured_id FROM goal_intents AS g"
    " JOIN content AS d ON d.id IN (g.value_id, g.criteria_id, g.note_id, g.structured_id) WHERE g.key = ?"
)
KNOWN = sql(
    SELECT + "WHERE g.namespace_id = ? AND ((g.intent_state = 'ACTIVE' AND g.lifecycle_state = 'ACTIVE')"
    " OR (g.intent_type = 'RISK' AND g.intent_state IN ('ACTIVE','ON_HOLD','EXPIRED'))) ORDER BY g.key"
)
HELD = sql(
    SELECT + "WHERE g.namespace_id = ? AND g.intent_state = 'ON_HOLD' AND g.intent_type <> 'RISK' ORDER BY g.key"
)
GENERATION = sql("SELECT goals FROM namespaces WHERE id = ?")
CHANGED = sql("UPDATE namespaces SET goals = goals + 1 WHERE id = ?")
CHANGED_OF = sql(
    "UPDATE namespaces SET goals = goals + 1 WHERE id = (SELECT namespace_id FROM goal_intents WHERE key = ?)"
)
WORDS = ("value", "criteria", "note", "structured")


def _read(row: Row) -> IntentObject:
    """One row; StorageError when it holds a value that this version does not know."""
    found = _readable(row)
    if found is None:
        sentence, hint = say("storage.unreadable", handle=row[2]), say("storage.unreadable.hint")
        raise StorageError(sentence, hint, retry=False)
    return found


def _readable(row: Row) -> IntentObject | None:
    try:
        return table.intent_of(row)
    except (ValueError, TypeError):
        return None


class SqlGoals:
    """`core.goals.kept.Goals`."""

    __slots__ = ("_link", "_memory", "_places")

    def __init__(self, link: Link, places: SqlPlaces, memory: GoalMemory) -> None:
        self._link = link
        self._places = places
        self._memory = memory

    def add(self, intent: IntentObject, salt: bytes) -> IntentObject:
        """Store a new one with its words; LimitExceeded when the handle was ever given out."""
        if not self._link.run(TAKE_HANDLE, (intent.handle,)):
            raise LimitExceeded(say("storage.handle"), say("storage.handle.hint"), name="handle", limit=1, used=1)
        content.put(self._link, intent.value_id, salt, intent.value)
        more = (
            (intent.criteria_id, intent.criteria),
            (intent.note_id, intent.note),
            (intent.structured_id, intent.structured),
        )
        content.put_each(self._link, salt, [(key, text) for key, text in more if key is not None])
        creator = self._places.ensure_principal(intent.creator.who, intent.creator.name)
        values = table.fixed_values(intent, creator) + table.mutable_values(intent, self._owner(intent))
        row = self._link.insert(ADD, (*values, intent.version))
        assert row is not None  # noqa: S101  # there is no conflict clause
        self._changed(intent.namespace_id)
        return table.keyed(intent, int(row[0]))

    def _owner(self, intent: IntentObject) -> int:
        for person in intent.stakeholders:
            self._places.ensure_principal(person.who, person.name)
        return self._places.ensure_principal(intent.owner.who, intent.owner.name)

    def _changed(self, namespace_id: str) -> None:
        self._link.run(CHANGED, (namespace_id,))

    def by_handle(self, handle: str) -> IntentObject | None:
        """The one that a person means by `handle`."""
        row = self._link.row(BY_HANDLE, (handle,))
        return None if row is None else _read(row)

    def by_id(self, intent_id: str) -> IntentObject | None:
        """The one with this UUID."""
        row = self._link.row(BY_ID, (intent_id,))
        return None if row is None else _read(row)

    def _by_keys(self, keys: Sequence[int]) -> dict[int, IntentObject]:
        return {intent.key: intent for intent in self._all(BY_KEYS, (self._link.many(keys),))}

    def by_ids(self, ids: Sequence[str]) -> tuple[IntentObject, ...]:
        """In one statement, ascending by key."""
        return self._all(BY_IDS, (self._link.many(ids),))

    def _all(self, statement: Sql, params: Sequence[object]) -> tuple[IntentObject, ...]:
        """The rows that this version can read; one that it cannot stays, and does nothing."""
        return tuple(filter(None, map(_readable, self._link.rows(statement, params))))

    def update(self, old: IntentObject, new: IntentObject) -> bool:
        """Write every mutable field while the stored version is `old.version`; False when it is not."""
        values = table.mutable_values(new, self._owner(new))
        if not self._link.run(UPDATE, (*values, old.version + 1, old.key, old.version)):
            return False
        self._changed(old.namespace_id)
        return True

    def reword(self, content_id: str, salt: bytes, text: str) -> None:
        """Put new words under a new content row; an `update` then points at it."""
        content.put(self._link, content_id, salt, text)

    def wordings(self, key: int) -> dict[str, tuple[str, str]]:
        """Field -> (content id, salted hash) of the words that there are; "" for erased ones."""
        found: dict[str, tuple[str, str]] = {}
        for content_id, salt, text, *ids in self._link.rows(WORDINGS, (key,)):
            found[WORDS[ids.index(content_id)]] = content_id, content.hash_of(salt, text)
        return {name: found[name] for name in WORDS if name in found}

    def worded(self, namespace_ids: Sequence[str], limit: int) -> tuple[IntentObject, ...]:
        """Those in these namespaces whose words, or whose summary's, are not erased, ascending by key."""
        return self._all(WORDED, (self._link.many(namespace_ids), limit))

    def forget(self, namespace_id: str) -> None:
        """What was made of a namespace is made anew, after words were erased."""
        self._changed(namespace_id)

    def list(self, wanted: GoalFilter, limit: int, offset: int) -> tuple[IntentObject, ...]:
        """Urgent ones first, then what is due first, then the oldest."""
        if wanted.text:
            keys = self._with_text(wanted)[offset : offset + limit]
            found = self._by_keys(keys)
            return tuple(found[key] for key in keys if key in found)
        where, params = self._where(wanted)
        return self._all(sql(f"{SELECT}{where} {_ORDER} LIMIT ? OFFSET ?"), (*params, limit, offset))

    def count(self, wanted: GoalFilter) -> int:
        """How many `list` would show in all."""
        if wanted.text:
            return len(self._with_text(wanted))
        where, params = self._where(wanted)
        return int(self._link.rows(sql("SELECT count(*) FROM goal_intents AS g " + where), params)[0][0])

    def _with_text(self, wanted: GoalFilter) -> builtins.list[int]:
        """Keys of the rows whose words match. Case-folding is Python's: the databases disagree about it."""
        where, params = self._where(wanted)
        text = wanted.text.casefold()
        statement = sql(
            "SELECT g.key, v.text, k.text, n.text FROM goal_intents AS g JOIN content AS v ON v.id = g.value_id"
            " LEFT JOIN content AS k ON k.id = g.criteria_id LEFT JOIN content AS n ON n.id = g.note_id"
            f" {where} {_ORDER}"
        )
        rows = self._link.rows(statement, params)
        return [key for key, *words in rows if any(text in (one or "").casefold() for one in words)]

    def _where(self, wanted: GoalFilter) -> tuple[str, builtins.list[object]]:
        tests, params = ["1 = 1"], []
        for column, values in (("namespace_id", wanted.namespace_ids), ("intent_type", wanted.types)):
            if values:
                tests.append(f"g.{column} IN ?text[]")
                params.append(self._link.many(map(str, values)))
        for column, after, values in (
            ("intent_state", "'EXPIRED'", wanted.states),
            ("lifecycle_state", AFTER_DEADLINE, wanted.lifecycles),
        ):
            if values and wanted.as_of is not None:
                tests.append(f"CASE WHEN {IS_OVERDUE} THEN {after} ELSE g.{column} END IN ?text[]")
                params.extend((micros(wanted.as_of), self._link.many(map(str, values))))
            elif values:
                tests.append(f"g.{column} IN ?text[]")
                params.append(self._link.many(map(str, values)))
        if wanted.space:
            tests.append("g.space = ?")
            params.append(wanted.space)
        if wanted.mine is not None:
            person = self._places.principal_key(wanted.mine)
            one = wanted.mine
            stake = "instr(g.stakeholders, ?) > 0" if self._link.sqlite else "strpos(g.stakeholders, ?) > 0"
            tests.append(f"(g.owner = ? OR g.creator = ? OR {stake})")
            params.extend((person, person, table.stake_of(one)))
        if wanted.proposals is not None:
            tests.append(f"g.epistemic_type {'=' if wanted.proposals else '<>'} 'INFERRED'")
        return "WHERE " + " AND ".join(tests), params

    def open_of_space(self, space: int) -> int:
        """How many of a space are open and count for its bound."""
        return int(self._link.rows(OPEN_OF_SPACE, (space,))[0][0])

    def same(self, namespace_id: str, fold: str) -> IntentObject | None:
        """The newest intent there with these folded words and type, in any state."""
        row = self._link.row(SAME, (namespace_id, fold))
        return None if row is None else _read(row)

    def overdue(self, now: datetime, limit: int) -> tuple[IntentObject, ...]:
        """ACTIVE ones whose deadline has come, earliest first."""
        return self._all(OVERDUE, (micros(now), limit))

    def fading(self, now: datetime, limit: int) -> tuple[IntentObject, ...]:
        """Those that have fallen below a threshold of salience, earliest first."""
        return self._all(FADING, (micros(now), limit))

    def unreviewed(self, before: datetime, limit: int) -> tuple[IntentObject, ...]:
        """Proposals made before that time that nobody looked at, oldest first."""
        return self._all(UNREVIEWED, (micros(before), limit))

    def untold(self, before: datetime, now: datetime, limit: int) -> tuple[IntentObject, ...]:
        """Open risks of owners who were told of none in that space from `before` to `now`, by owner and space."""
        return self._all(UNTOLD, (micros(now), micros(before), limit))

    # edges

    def relate(self, dependent: int, prerequisite: int, at: datetime) -> bool:
        """Store an edge; False when it is there."""
        done = self._link.run(goal_edges.ADD, (dependent, prerequisite, micros(at))) == 1
        self._link.run(CHANGED_OF, (dependent,))
        return done

    def unrelate(self, dependent: int, prerequisite: int) -> bool:
        """Take an edge away; False when there was none."""
        done = self._link.run(goal_edges.DROP, (dependent, prerequisite)) == 1
        self._link.run(CHANGED_OF, (dependent,))
        return done

    def prerequisites(self, key: int) -> tuple[IntentObject, ...]:
        """What an intent waits for, by key."""
        return self._all(PREREQUISITES, (key,))

    def waiting(self, keys: Sequence[int], now: datetime) -> dict[int, tuple[str, ...]]:
        """What each of these intents waits for: handles of prerequisites that are open as of `now`, in their order."""
        return goal_edges.waiting(self._link, keys, now)

    def dependents(self, key: int) -> tuple[IntentObject, ...]:
        """What waits for an intent, by key."""
        return self._all(DEPENDENTS, (key,))

    def path(self, start: int, end: int) -> tuple[IntentObject, ...]:
        """A way from one intent to another along what each depends on, both ends included; () when there is none."""
        keys = goal_edges.path(self._link, start, end)
        found = self._by_keys(keys) if keys else {}
        return tuple(found[key] for key in keys)

    def levels(self, key: int, below: bool, limit: int) -> int:
        """How many open intents the longest path below or above it has, itself left out; no further than `limit`."""
        return goal_edges.levels(self._link, key, below, limit)

    def edges(self, namespace_ids: Sequence[str]) -> tuple[Edge, ...]:
        """Every edge of these namespaces, of all when there are none; in order of keys."""
        return goal_edges.all_in(self._link, namespace_ids)

    # summaries and sessions

    def add_summary(self, summary: Summary, salt: bytes) -> Summary:
        """Store one with its words."""
        self._changed(summary.namespace_id)
        return goal_memories.add(self._link, summary, salt)

    def summaries(self, namespace_ids: Sequence[str], text: str, limit: int, offset: int) -> tuple[Summary, ...]:
        """Those that hold `text` (case-folded), newest first."""
        return goal_memories.found(self._link, namespace_ids, text, limit, offset)

    def summary_of(self, intent_id: str) -> Summary | None:
        """What is remembered of a completed intent."""
        return goal_memories.of_intent(self._link, intent_id)

    def session(self, conversation: int) -> Session | None:
        """The last session of a conversation, over or not."""
        return goal_memories.session(self._link, conversation)

    def put_session(self, session: Session) -> None:
        """Store the last session of a conversation."""
        goal_memories.put_session(self._link, session)

    def surfaced(self, since: datetime) -> frozenset[int]:
        """Keys of the risks that were shown in a session which was going on at that time or later."""
        return goal_memories.surfaced(self._link, since)

    # bundles

    def remembered(self, namespace_id: str, make: Callable[[Known], T]) -> T:
        """What `make` makes of a namespace, made anew only after something in it changed."""
        row = self._link.row(GENERATION, (namespace_id,))
        generation = 0 if row is None else int(row[0])
        if self._link.writable:  # what is not committed must not be remembered
            return make(self._known(namespace_id))
        return self._memory.remembered(namespace_id, generation, make, lambda: self._known(namespace_id))

    def _known(self, namespace_id: str) -> Known:
        intents = (*self._all(KNOWN, (namespace_id,)), *self._all(HELD, (namespace_id,)))
        waits: dict[str, builtins.list[str]] = {}
        for dependent, handle in self._link.rows(goal_edges.WAITING, (namespace_id,)):
            waits.setdefault(dependent, []).append(handle)
        summaries = goal_memories.found(self._link, (namespace_id,), "", goal_memories.KEPT, 0)
        return Known(intents, {key: tuple(handles) for key, handles in waits.items()}, summaries)


PREREQUISITES = sql(SELECT + "JOIN goal_edges AS e ON e.prerequisite = g.key WHERE e.dependent = ? ORDER BY g.key")
DEPENDENTS = sql(SELECT + "JOIN goal_edges AS e ON e.dependent = g.key WHERE e.prerequisite = ? ORDER BY g.key")
