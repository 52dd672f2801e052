"""What is remembered between turns, so that a turn without a hit needs one statement (decision 0021).

Every filing and removal raises the `generation` of its scope in the same transaction, every change of a place or of
a setting that of the places. What is remembered for a generation is therefore exact for any snapshot that shows that
generation, whichever process wrote. Only read transactions fill it: a generation that is rolled back is never seen by
one. Surrogate keys of people never change and need no generation.
"""

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

from core.goals.kept import Known as KnownGoals
from core.goals.kept import T
from core.standing.triggers import KEY_SEPARATOR
from core.stored import Scope
from core.turn import Principal, Spot, Visibility
from storage.link import Link, Row, sql

SCOPE_ROWS = 4_096
TOTAL_ROWS = 100_000
IDLE_LOOKS = 100_000
SCOPES_SEEN = 100_000
PLACES_KEPT = 20_000
NAMESPACES_KEPT = 256
PLACES = -1
"""The row of `scopes` whose generation counts changes of places and settings."""
ADDED = -2
"""The row of `scopes` whose generation counts places that were stored."""
NOTHING = -3
"""No scope has this key."""
PlaceIds = tuple[str, str, str, str, str, Visibility]
"""Provider, account, space, channel and conversation, in the platform's ids, and what the message says of who reads it.

The last counts as long as the channel is not stored: a private one does not hear its space."""
COLUMNS = "t.sender, t.need, t.intent_key, t.entry_no, t.source, t.options, t.priority, t.created_at"
ROWS = sql(f"SELECT t.anchor, {COLUMNS} FROM trig AS t WHERE t.scope_key = ?")  # noqa: S608 - constants


class FiledEntry(NamedTuple):
    """A row of the index, with its further keys apart."""

    need: tuple[str, ...]
    row: Row


@dataclass(frozen=True, slots=True)
class Filed:
    """The rows of one scope at one generation, by anchor."""

    generation: int
    size: int
    anchors: frozenset[str]
    entries: Mapping[str, list[FiledEntry]]


@dataclass(frozen=True, slots=True)
class Known:
    """A place with its scopes and the settings of its space, at one generation.

    `added` is the generation at which some part of it was not stored yet, None when all of it is.
    """

    generation: int
    added: int | None
    spot: Spot
    scope_keys: tuple[int, ...]
    settings: Mapping[str, object]


class PlaceMemory:
    """Places by their platform ids, and keys of people; emptied when full. May be used by several threads."""

    def __init__(self, size: int = PLACES_KEPT) -> None:
        self._size = size
        self._known: dict[PlaceIds, Known] = {}
        self._people: dict[Principal, int] = {}

    def known(self, ids: PlaceIds) -> Known | None:
        """What was last seen of a place."""
        return self._known.get(ids)

    def keep(self, ids: PlaceIds, known: Known) -> None:
        """Remember what a read transaction saw."""
        if len(self._known) >= self._size:
            self._known.clear()
        self._known[ids] = known

    def person(self, principal: Principal) -> int | None:
        """The key of a stored person; None when it is not remembered."""
        return self._people.get(principal)

    def keep_person(self, principal: Principal, key: int) -> None:
        """Remember the key of a person that a read transaction saw."""
        if len(self._people) >= self._size:
            self._people.clear()
        self._people[principal] = key


class ScopeMemory:
    """Rows of scopes that are looked at again and again. May be used by several threads.

    A scope is read when it is looked at for the second time without having changed meanwhile: one that is seen once, or
    changes all the time, is better probed. When there is no room, only what nobody has looked at for `idle` looks
    goes: more scopes in use than fit must not drive each other out.
    """

    def __init__(self, scope_rows: int = SCOPE_ROWS, total: int = TOTAL_ROWS, idle: int = IDLE_LOOKS) -> None:
        self._scope_rows = scope_rows
        self._total = total
        self._idle = idle
        self._size = 0
        self._looks = 0
        self._lock = threading.Lock()
        self._scopes: OrderedDict[int, Filed] = OrderedDict()
        self._used: dict[int, int] = {}
        self._seen: dict[int, int] = {}

    def filed(self, link: Link, scope: Scope) -> Filed | None:
        """The rows of a scope; None where it is to be probed. `link` is a read transaction that shows it."""
        self._looks += 1
        known = self._scopes.get(scope.key)
        if known is not None and known.generation == scope.generation:
            self._used[scope.key] = self._looks
            return known
        if scope.rows > self._scope_rows or not self._seen_before(scope):
            return None
        with self._lock:
            if not self._make_room(scope):
                return None
        known = _read(link, scope)
        with self._lock:
            self._drop(scope.key)
            self._scopes[scope.key] = known
            self._used[scope.key] = self._looks
            self._size += known.size
        return known

    def _seen_before(self, scope: Scope) -> bool:
        if self._seen.get(scope.key) == scope.generation:
            return True
        if len(self._seen) >= SCOPES_SEEN:
            self._seen.clear()
        self._seen[scope.key] = scope.generation
        return False

    def _make_room(self, scope: Scope) -> bool:
        """Drop what is idle until the scope fits; whether it does."""
        self._drop(scope.key)
        while self._size + scope.rows > self._total:
            oldest = next(iter(self._scopes), None)
            if oldest is None:
                return False
            if self._looks - self._used[oldest] < self._idle:
                self._scopes.move_to_end(oldest)
                return False
            self._drop(oldest)
        return True

    def _drop(self, key: int) -> None:
        known = self._scopes.pop(key, None)
        if known is not None:
            self._size -= known.size
            del self._used[key]


class GoalMemory:
    """What was made of the goals of a namespace, at one generation of it; the least used go. For several threads."""

    def __init__(self, size: int = NAMESPACES_KEPT) -> None:
        self._size = size
        self._lock = threading.Lock()
        self._made: OrderedDict[tuple[str, object], tuple[int, Any]] = OrderedDict()

    def remembered(
        self, namespace_id: str, generation: int, make: Callable[[KnownGoals], T], read: Callable[[], KnownGoals]
    ) -> T:
        """What `make` made at this generation, or makes now of what `read` gives; the transaction shows both."""
        key = namespace_id, make
        with self._lock:
            found = self._made.get(key)
            if found is not None and found[0] == generation:
                self._made.move_to_end(key)
                return cast("T", found[1])
        made = make(read())
        with self._lock:
            self._made[key] = generation, made
            self._made.move_to_end(key)
            while len(self._made) > self._size:
                self._made.popitem(last=False)
        return made


@dataclass(slots=True)
class Memory:
    """What one store remembers in one process."""

    places: PlaceMemory = field(default_factory=PlaceMemory)
    scopes: ScopeMemory = field(default_factory=ScopeMemory)
    goals: GoalMemory = field(default_factory=GoalMemory)


def _read(link: Link, scope: Scope) -> Filed:
    entries: defaultdict[str, list[FiledEntry]] = defaultdict(list)
    size = 0
    for anchor, *row in link.rows(ROWS, (scope.key,)):
        need = tuple(row[1].split(KEY_SEPARATOR)) if row[1] else ()
        entries[anchor].append(FiledEntry(need, tuple(row)))
        size += 1
    return Filed(scope.generation, size, frozenset(entries), dict(entries))
