"""A private, migrated database for one measurement, dropped afterwards."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

from bots.runtime import SystemIds
from config.urls import sqlite_url
from core.catalogue import say
from core.errors import StorageError
from storage.engine import parse_url
from storage.schemas import drop_schema
from storage.unit_of_work import SqlStore, open_store


@contextmanager
def private_store(url: str | None) -> Iterator[SqlStore]:
    """Open a store of its own: a file beside the given SQLite file (or in a temporary folder), a schema in PostgreSQL.

    Whatever is in the database already is neither read nor touched.
    """
    with private_database(url) as (store, _):
        yield store


@contextmanager
def private_database(url: str | None) -> Iterator[tuple[SqlStore, str | None]]:
    """As `private_store`, with the URL under which other processes find it; None for PostgreSQL."""
    target = None if url is None else parse_url(url)
    if target is None or target.sqlite:
        with _folder(None if target is None else Path(target.path).absolute().parent) as folder:
            own = sqlite_url(folder / "bench.db")
            store = open_store(own)
            try:
                yield store, own
            finally:
                store.close()
        return
    assert url is not None  # noqa: S101  # a target came from it
    schema = f"bench_{SystemIds().salt().hex()[:12]}"
    try:
        store = open_store(url, schema=schema, migrate=True)
        try:
            yield store, None
        finally:
            store.close()
    finally:
        drop_schema(url, schema)


@contextmanager
def _folder(beside: Path | None) -> Iterator[Path]:
    """A temporary folder in `beside`; StorageError where none can be made."""
    try:
        made = TemporaryDirectory(prefix="remembrancer-bench-", dir=beside, ignore_cleanup_errors=True)
    except OSError as error:
        sentence = say("bench.folder", folder=beside or gettempdir(), why=error.strerror)
        raise StorageError(sentence, say("bench.folder.hint"), retry=False) from None
    with made as name:
        yield Path(name)
