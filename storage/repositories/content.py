"""Words that can be erased. One row a use, never shared."""

import hashlib
from collections.abc import Iterable

from core.operations.log import content_hash
from storage.link import Link, sql
from storage.types import words

ADD = sql("INSERT INTO content (id, salt, text) VALUES (?, ?, ?)")
TEXT = sql("SELECT text FROM content WHERE id = ?")
SALT = sql("SELECT salt FROM content WHERE id = ?")
ERASE = sql("UPDATE content SET salt = NULL, text = NULL WHERE id = ? AND text IS NOT NULL")
ERASE_FIRES = sql(
    "UPDATE fires SET entry = '', terms = '[]' WHERE entry_id = ? OR (entry_id IS NULL"
    " AND intent_key IN (SELECT intent_key FROM standing_entries WHERE content_id = ?))"
)
"""A fire of an older release does not tell its entry: such ones lose their words with any entry of their intent."""
FILED = sql(
    "SELECT DISTINCT t.intent_key FROM standing_entries AS e JOIN trig AS t ON t.intent_key = e.intent_key"
    " WHERE e.content_id = ?"
)


def put(link: Link, content_id: str, salt: bytes, text: str) -> str:
    """Store words; returns their salted hash. InvalidInput when no database could keep them."""
    link.run(ADD, (content_id, salt, words(text)))
    return content_hash(salt, text)


def read(link: Link, content_id: str) -> str | None:
    """The words; None when erased or unknown."""
    row = link.row(TEXT, (content_id,))
    return None if row is None else row[0]


def hash_of(salt: bytes | None, text: str | None) -> str:
    """The salted hash of a stored row; "" when it was erased."""
    return "" if salt is None or text is None else content_hash(bytes(salt), text)


def salt_of(link: Link, content_id: str) -> bytes:
    """The salt of stored words; empty when erased or unknown."""
    row = link.row(SALT, (content_id,))
    return b"" if row is None or row[0] is None else bytes(row[0])


def put_each(link: Link, salt: bytes, texts: Iterable[tuple[str, str]]) -> None:
    """Store words by content id, each under a salt of its own derived from `salt`."""
    link.run_each(ADD, [(key, derived_salt(salt, key), words(text)) for key, text in texts])


def derived_salt(salt: bytes, content_id: str) -> bytes:
    """A salt of its own for an entry, from the salt that came with its intent."""
    return hashlib.sha256(salt + content_id.encode()).digest()[:16]
