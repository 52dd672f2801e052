"""The trigger index: entries clustered under (scope, anchor), probed by pairs."""

# ruff: noqa: S608  # statements are put together from constants of the code alone

from collections import Counter
from collections.abc import Sequence

from core.standing.intent import IndexRow, StandingIntent
from core.standing.triggers import KEY_SEPARATOR
from core.stored import Probe, Scope
from core.turn import Principal
from storage import mapping
from storage.link import Link, Row, sql
from storage.memory import COLUMNS, ScopeMemory
from storage.repositories.places import SqlPlaces
from storage.types import micros, pack_options, storable

PROBE = sql(
    "WITH k(anchor) AS MATERIALIZED (SELECT value FROM json_each(?))"
    f" SELECT {COLUMNS}"
    " FROM json_each(?) AS w CROSS JOIN k CROSS JOIN trig AS t"
    " WHERE t.scope_key = w.value AND t.anchor = k.anchor AND t.sender IN (?, ?) LIMIT ?",
    f"SELECT {COLUMNS}"
    " FROM unnest(?::text[]) AS k(anchor)"
    " CROSS JOIN unnest(?::bigint[]) AS s(scope_key)"
    " CROSS JOIN LATERAL (SELECT * FROM trig AS t WHERE t.scope_key = s.scope_key"
    ' AND t.anchor = k.anchor COLLATE "C" AND t.sender IN (?, ?) OFFSET 0) AS t LIMIT ?',
)
VERSION = sql("SELECT id FROM analysis_versions WHERE fingerprint = ?")
ADD_VERSION = sql("INSERT INTO analysis_versions (fingerprint) VALUES (?) ON CONFLICT DO NOTHING")
FILED = sql("SELECT scope_key, count(*) FROM trig WHERE intent_key = ? GROUP BY scope_key ORDER BY scope_key")
REMOVE = sql("DELETE FROM trig WHERE intent_key = ?")
ADD = sql(
    "INSERT INTO trig (scope_key, anchor, intent_key, entry_no, reading, need, source, options, sender,"
    " priority, created_at, analysis) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
SCOPES = sql(
    "SELECT s.scope_key, s.rows, s.generation FROM json_each(?) AS w CROSS JOIN scopes AS s"
    " WHERE s.scope_key = w.value AND s.rows > 0",
    "SELECT scope_key, rows, generation FROM scopes WHERE scope_key IN ?bigint[] AND rows > 0",
)
GROW = sql(
    "INSERT INTO scopes (scope_key, rows, generation) VALUES (?, ?, 1) ON CONFLICT (scope_key)"
    " DO UPDATE SET rows = scopes.rows + excluded.rows, generation = scopes.generation + 1"
)
SHRINK = sql("UPDATE scopes SET rows = rows - ?, generation = generation + 1 WHERE scope_key = ?")
CROWD = sql("SELECT count(*) FROM trig WHERE scope_key = ? AND anchor = ?")
OTHERS = sql("SELECT id FROM analysis_versions WHERE fingerprint <> ?")
STALE = sql("SELECT DISTINCT intent_key FROM trig WHERE analysis IN ?bigint[] ORDER BY intent_key LIMIT ?")


class SqlTriggerIndex:
    """`core.ports.TriggerIndex`."""

    __slots__ = ("_link", "_memory", "_places")

    def __init__(self, link: Link, places: SqlPlaces, memory: ScopeMemory) -> None:
        self._link = link
        self._places = places
        self._memory = memory

    def scopes(self, keys: Sequence[int]) -> tuple[Scope, ...]:
        """Those of these scopes that hold rows."""
        return tuple(Scope(*row) for row in self._link.rows(SCOPES, (self._link.many(keys),)))

    def probe(
        self, scopes: Sequence[Scope], keys: frozenset[str], sender: Principal | None, limit: int, named: bool = False
    ) -> Probe:
        """Rows under any pair of scope and key that listen to `sender`, and whose further keys are in `keys` too.

        With `named`, those that listen to anyone are left out. In a read transaction small scopes are answered from
        memory; the others by one constant statement.
        """
        found: list[Row] = []
        probed, large = 0, []
        for scope in scopes:
            filed = None if self._link.writable else self._memory.filed(self._link, scope)
            if filed is None:
                large.append(scope.key)
                continue
            entries = [filed.entries[anchor] for anchor in keys & filed.anchors]
            probed += sum(map(len, entries))
            found += [row for some in entries for need, row in some if not need or keys.issuperset(need)]
        if found:
            found = self._heard(found, sender, named)
        if large:
            rows = self._large(large, keys, (sender, named), max(limit + 1 - probed, 0))
            probed += len(rows)
            found += [row for row in rows if not row[1] or keys.issuperset(row[1].split(KEY_SEPARATOR))]
        return Probe(tuple(map(mapping.candidate, found)), min(probed, limit), probed > limit)

    def _heard(self, rows: list[Row], sender: Principal | None, named: bool) -> list[Row]:
        """Those that listen to `sender` or, unless `named`, to anyone; who that is, is looked up when a row asks."""
        heard = set() if named else {0}
        if not heard.issuperset([row[0] for row in rows]):
            heard.add(self._places.principal_key(sender))
        if named:
            heard.discard(0)
        return [row for row in rows if row[0] in heard]

    def _large(
        self, scope_keys: Sequence[int], keys: frozenset[str], who: tuple[Principal | None, bool], limit: int
    ) -> list[Row]:
        sender, named = who
        link, key = self._link, self._places.principal_key(sender)
        if named and not key:
            return []
        ordered = sorted(keys) if link.sqlite else sorted(filter(storable, keys))
        return link.rows(PROBE, (link.many(ordered), link.many(scope_keys), key if named else 0, key, limit))

    def file(self, intent: StandingIntent, scope_key: int, rows: Sequence[IndexRow], fingerprint: str) -> None:
        """File an intent's entries, replacing what is filed for it."""
        self.remove(intent.key)
        if not rows:
            return
        sender = 0 if intent.watches is None else self._places.ensure_principal(intent.watches, "")
        readings: Counter[int] = Counter()
        values = []
        for row in rows:
            values.append(
                (
                    scope_key,
                    row.anchor,
                    intent.key,
                    row.entry_no,
                    readings[row.entry_no],
                    row.need,
                    row.source,
                    pack_options(intent.options),
                    sender,
                    int(intent.priority),
                    micros(intent.created_at),
                    self._version(fingerprint),
                )
            )
            readings[row.entry_no] += 1
        self._link.run_each(ADD, values)
        self._link.run(GROW, (scope_key, len(values)))

    def _version(self, fingerprint: str) -> int:
        row = self._link.row(VERSION, (fingerprint,))
        if row is None:
            self._link.run(ADD_VERSION, (fingerprint,))
            row = self._link.row(VERSION, (fingerprint,))
            assert row is not None  # noqa: S101  # stored just before
        return int(row[0])

    def remove(self, intent_key: int) -> None:
        """Delete all of an intent's rows, whatever their anchors would be today."""
        filed = self._link.rows(FILED, (intent_key,))
        if filed:
            self._link.run(REMOVE, (intent_key,))
            for scope_key, count in filed:
                self._link.run(SHRINK, (count, scope_key))

    def crowd(self, scope_key: int, anchor: str) -> int:
        """How many rows stand under one scope and anchor."""
        row = self._link.row(CROWD, (scope_key, anchor))
        return 0 if row is None else int(row[0])

    def stale(self, fingerprint: str, limit: int) -> tuple[int, ...]:
        """Keys of intents filed under another fingerprint, ascending; at once when there was none."""
        others = [row[0] for row in self._link.rows(OTHERS, (fingerprint,))]
        if not others:
            return ()
        return tuple(row[0] for row in self._link.rows(STALE, (self._link.many(others), limit)))
