"""Running processes: all of them must analyse text the same way."""

from datetime import datetime, timedelta

from core.catalogue import say
from core.errors import StorageError
from storage.link import Link, sql
from storage.types import micros

LIFETIME = timedelta(seconds=180)
LOCK = sql("", "LOCK TABLE processes IN SHARE ROW EXCLUSIVE MODE")
PULL_BACK = sql("UPDATE processes SET seen_at = ? WHERE seen_at > ?")
OTHER = sql("SELECT id FROM processes WHERE id <> ? AND fingerprint <> ? AND seen_at >= ? ORDER BY id LIMIT 1")
FORGET = sql("DELETE FROM processes WHERE seen_at < ?")
PUT = sql(
    "INSERT INTO processes (id, fingerprint, seen_at) VALUES (?, ?, ?)"
    " ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, seen_at = excluded.seen_at"
)
LIVING = sql("SELECT count(*) FROM processes WHERE seen_at >= ?")
DROP = sql("DELETE FROM processes WHERE id = ?")


def register(link: Link, process_id: str, fingerprint: str, now: datetime) -> str | None:
    """Record that a process lives; the id of one in the way: with another analysis, seen in `LIFETIME`.

    A process that was seen in the future (the clock was set back) is silent from `now` on. To be committed
    in either case.
    """
    if not link.sqlite:
        link.run(LOCK)
    present, horizon = micros(now), micros(now - LIFETIME)
    link.run(PULL_BACK, (present, present))
    other = link.row(OTHER, (process_id, fingerprint, horizon))
    if other is not None:
        return str(other[0])
    link.run(FORGET, (horizon,))
    link.run(PUT, (process_id, fingerprint, present))
    return None


def refusal(other: str) -> StorageError:
    """What a process is told that may not start beside the process `other`."""
    return StorageError(
        say("storage.analyser"), say("storage.analyser.hint", seconds=LIFETIME.seconds), other=other, retry=False
    )


def living(link: Link, now: datetime) -> int:
    """How many processes were seen in `LIFETIME`."""
    row = link.row(LIVING, (micros(now - LIFETIME),))
    return int(row[0]) if row is not None else 0


def unregister(link: Link, process_id: str) -> None:
    """Forget a process that ends."""
    link.run(DROP, (process_id,))
