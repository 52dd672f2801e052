"""Which chat platforms have left rows in a store."""

from core.ports import Store
from storage.link import sql
from storage.unit_of_work import SqlTx

PROVIDERS = sql("SELECT provider FROM places UNION SELECT provider FROM principals ORDER BY provider")


def providers_in(store: Store) -> tuple[str, ...]:
    """Names of all providers with a place or a person in the store, sorted."""
    with store.read() as tx:
        assert isinstance(tx, SqlTx)  # noqa: S101  # what SqlStore hands out
        return tuple(str(row[0]) for row in tx.link.rows(PROVIDERS))
