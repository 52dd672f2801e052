"""A private, migrated database for one measurement, dropped afterwards."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from bots.runtime import SystemIds
from storage.engine import parse_url
from storage.schemas import drop_schema
from storage.unit_of_work import SqlStore, open_store


@contextmanager
def private_store(url: str | None) -> Iterator[SqlStore]:
    """Open a store of its own: a file beside the given SQLite file (or in a temporary folder), a schema in PostgreSQL.

    Whatever is in the database already is neither read nor touched.
    """
    target = None if url is None else parse_url(url)
    if target is None or target.sqlite:
        folder = None if target is None else Path(target.path).absolute().parent
        with TemporaryDirectory(prefix="remembrancer-bench-", dir=folder) as name:
            store = open_store(f"sqlite:///{Path(name) / 'bench.db'}")
            try:
                yield store
            finally:
                store.close()
        return
    assert url is not None  # noqa: S101  # a target came from it
    schema = f"bench_{SystemIds().salt().hex()[:12]}"
    try:
        store = open_store(url, schema=schema, migrate=True)
        try:
            yield store
        finally:
            store.close()
    finally:
        drop_schema(url, schema)
