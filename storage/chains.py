"""What stands around the operation log: the places of its chains, and the triggers that keep it append-only."""

from dataclasses import dataclass

from core.ports import Store, Tx
from storage.link import Link, sql
from storage.unit_of_work import SqlTx

CHAINS = sql(
    "SELECT n.id, n.kind, COALESCE(NULLIF(p.name, ''), p.external_id, ''), n.head_seq"
    " FROM namespaces AS n LEFT JOIN places AS p ON p.id = n.place_id"
)
SQLITE_GUARDS = frozenset({"operations_no_update", "operations_no_delete", "operations_no_replace"})
POSTGRES_GUARDS = frozenset({"operations_no_change", "operations_no_truncate"})
GUARDS = sql(
    "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'operations' AND sql LIKE '%RAISE(ABORT%'",
    "SELECT tgname FROM pg_trigger WHERE tgrelid = 'operations'::regclass AND tgenabled <> 'D'",
)


@dataclass(frozen=True, slots=True)
class Chain:
    """One chain: `kind` is its namespace's, `place` the name of the place it belongs to, `rows` its length."""

    kind: str
    place: str
    rows: int


def chains_in(store: Store) -> dict[str, Chain]:
    """The chains of a store by namespace id."""
    with store.read() as tx:
        return chains_of(tx)


def chains_of(tx: Tx) -> dict[str, Chain]:
    """The same as one transaction sees them."""
    return {row[0]: Chain(row[1], row[2], row[3]) for row in _link(tx).rows(CHAINS)}


def missing_guards(store: Store) -> tuple[str, ...]:
    """Names of the triggers that keep the operation log append-only and do not stand (any more), sorted."""
    with store.read() as tx:
        link = _link(tx)
        wanted = SQLITE_GUARDS if link.sqlite else POSTGRES_GUARDS
        return tuple(sorted(wanted - {row[0] for row in link.rows(GUARDS)}))


def _link(tx: object) -> Link:
    assert isinstance(tx, SqlTx)  # noqa: S101  # what SqlStore hands out
    return tx.link
