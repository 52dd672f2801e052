"""The append-only log. The head of each chain stands in `namespaces` and is locked by every append."""

# ruff: noqa: S608  # statements are put together from constants of the code alone

from collections.abc import Iterable, Iterator

from core.catalogue import say
from core.errors import NotFound
from core.operations.log import Operation, OperationDraft, seal
from storage import mapping
from storage.link import Link, sql

PAGE = 500
_COLUMNS = ", ".join(mapping.OPERATION)
HEAD = sql("SELECT head_seq, head_hash FROM namespaces WHERE id = ?")
LOCKED_HEAD = sql(
    "SELECT head_seq, head_hash FROM namespaces WHERE id = ?",
    "SELECT head_seq, head_hash FROM namespaces WHERE id = ? FOR NO KEY UPDATE",
)
LOCK = sql("SELECT id FROM namespaces WHERE id IN ?text[] ORDER BY id FOR NO KEY UPDATE")
ADD = sql(f"INSERT INTO operations ({_COLUMNS}) VALUES ({', '.join('?' * len(mapping.OPERATION))})")
MOVE_HEAD = sql("UPDATE namespaces SET head_seq = ?, head_hash = ? WHERE id = ?")
NAMESPACES = sql("SELECT id FROM namespaces ORDER BY id", 'SELECT id FROM namespaces ORDER BY id COLLATE "C"')
CHAIN = sql(
    f"SELECT {_COLUMNS} FROM operations WHERE namespace_id = ? AND sequence_num > ? ORDER BY sequence_num LIMIT ?"
)
OF_TARGET = sql(f"SELECT {_COLUMNS} FROM operations WHERE target_id = ? ORDER BY ts DESC, sequence_num DESC LIMIT ?")


class SqlOperations:
    """`core.ports.Operations`."""

    __slots__ = ("_link",)

    def __init__(self, link: Link) -> None:
        self._link = link

    def append(self, draft: OperationDraft) -> Operation:
        """Lock the chain's head, seal behind it, store. NotFound for an unknown namespace."""
        row = self._link.row(LOCKED_HEAD, (draft.namespace_id,))
        if row is None:
            raise NotFound(say("storage.namespace"), say("storage.look.hint"), namespace_id=draft.namespace_id)
        operation = seal(draft, row[0] + 1, row[1])
        self._link.run(ADD, tuple(getattr(operation, name) for name in mapping.OPERATION))
        self._link.run(MOVE_HEAD, (operation.sequence_num, operation.hash, operation.namespace_id))
        return operation

    def lock(self, namespace_ids: Iterable[str]) -> None:
        """Lock the heads of these chains in order of their ids, where the store has row locks."""
        if not self._link.sqlite:
            self._link.rows(LOCK, (self._link.many(sorted(set(namespace_ids))),))

    def namespaces(self) -> tuple[str, ...]:
        """Every namespace, in order of its id; `system` is one of them."""
        return tuple(row[0] for row in self._link.rows(NAMESPACES))

    def head(self, namespace_id: str) -> tuple[int, str]:
        """(last sequence number, last hash). NotFound for an unknown namespace."""
        row = self._link.row(HEAD, (namespace_id,))
        if row is None:
            raise NotFound(say("storage.namespace"), say("storage.look.hint"), namespace_id=namespace_id)
        return row[0], row[1]

    def chain(self, namespace_id: str) -> Iterator[Operation]:
        """All rows of a chain in order, read in pages of `PAGE`."""
        last = 0
        while rows := self._link.rows(CHAIN, (namespace_id, last, PAGE)):
            page = [mapping.operation(row) for row in rows]
            yield from page
            last = page[-1].sequence_num

    def of_target(self, target_id: str, limit: int) -> tuple[Operation, ...]:
        """Newest first."""
        return tuple(map(mapping.operation, self._link.rows(OF_TARGET, (target_id, limit))))
