"""Running processes: all of them must analyse text the same way."""

from datetime import datetime, timedelta

from core.catalogue import say
from core.errors import StorageError
from storage.link import Link, sql
from storage.types import micros

LIFETIME = timedelta(seconds=180)
LOCK = sql("", "LOCK TABLE processes IN SHARE ROW EXCLUSIVE MODE")
OTHER = sql("SELECT id FROM processes WHERE id <> ? AND fingerprint <> ? AND seen_at >= ? ORDER BY id LIMIT 1")
FORGET = sql("DELETE FROM processes WHERE seen_at < ?")
PUT = sql(
    "INSERT INTO processes (id, fingerprint, seen_at) VALUES (?, ?, ?)"
    " ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, seen_at = excluded.seen_at"
)
DROP = sql("DELETE FROM processes WHERE id = ?")


def register(link: Link, process_id: str, fingerprint: str, now: datetime) -> None:
    """Record that a process lives; StorageError while one with another analysis was seen in `LIFETIME`."""
    if not link.sqlite:
        link.run(LOCK)
    horizon = micros(now - LIFETIME)
    other = link.row(OTHER, (process_id, fingerprint, horizon))
    if other is not None:
        raise StorageError(
            say("storage.analyser"),
            say("storage.analyser.hint", seconds=LIFETIME.seconds),
            other=other[0],
            retry=False,
        )
    link.run(FORGET, (horizon,))
    link.run(PUT, (process_id, fingerprint, micros(now)))


def unregister(link: Link, process_id: str) -> None:
    """Forget a process that ends."""
    link.run(DROP, (process_id,))
