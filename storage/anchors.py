"""Which anchors stand under a scope, remembered between turns so that most probes need no index at all.

Every filing and removal raises the `generation` of its scope in the same transaction. A set remembered for
(scope, generation) is therefore exact for any snapshot that shows that generation, whichever process wrote.
Only read transactions fill it: a generation that is rolled back is never seen by one (decision 0021).
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable

from storage.link import Link, sql

SCOPE_ROWS = 4_096
TOTAL_ANCHORS = 200_000
ANCHORS = sql("SELECT DISTINCT anchor FROM trig WHERE scope_key = ?")


class AnchorMemory:
    """Sets of anchors by scope; the scope used longest ago goes first. May be used by several threads."""

    def __init__(self, scope_rows: int = SCOPE_ROWS, total: int = TOTAL_ANCHORS) -> None:
        self._scope_rows = scope_rows
        self._total = total
        self._size = 0
        self._lock = threading.Lock()
        self._sets: OrderedDict[int, tuple[int, frozenset[str]]] = OrderedDict()

    def anchors(self, link: Link, scope_key: int, rows: int, generation: int) -> frozenset[str] | None:
        """The anchors of a scope with so many rows at that generation; None when it is too large to keep.

        `link` is a read transaction that shows `generation`.
        """
        if rows > self._scope_rows:
            return None
        with self._lock:
            known = self._sets.get(scope_key)
            if known is not None and known[0] == generation:
                self._sets.move_to_end(scope_key)
                return known[1]
        found = frozenset(row[0] for row in link.rows(ANCHORS, (scope_key,)))
        self._keep(scope_key, generation, found)
        return found

    def _keep(self, scope_key: int, generation: int, found: Iterable[str]) -> None:
        with self._lock:
            self._drop(scope_key)
            self._sets[scope_key] = (generation, frozenset(found))
            self._size += len(self._sets[scope_key][1])
            while self._size > self._total:
                self._drop(next(iter(self._sets)))

    def _drop(self, scope_key: int) -> None:
        known = self._sets.pop(scope_key, None)
        if known is not None:
            self._size -= len(known[1])
