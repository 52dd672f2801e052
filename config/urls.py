"""Database URLs as text: a file's path in one and out of one, and what no driver would understand.

`storage.engine.parse_url` reads a path in the same way; a property test holds the two together.
"""

import os
import re
from pathlib import Path
from urllib.parse import quote, unquote

MAX_PORT = 65_535
_POSTGRES = re.compile(
    r"(?:[^:/]*(?::[^@]*)?@)?"  # user:password@, as SQLAlchemy reads it
    r"(?:\[[^\[\]/?]+\]|[^:/?\[\]]*)"  # [::1] or a name
    r"(?::(?P<port>[0-9]*))?"
    r"(?:[/?].*)?",
    re.DOTALL,
)


def sqlite_url(path: Path) -> str:
    """The URL of a SQLite file, whatever its path holds: what a URL would read otherwise is escaped."""
    return "sqlite:///" + "".join(map(_escaped, str(path)))


def _escaped(char: str) -> str:
    return quote(os.fsencode(char)) if char in "%?#" or not char.isprintable() else char


def sqlite_path(url: str) -> str:
    """The path in a SQLite URL; "" where there is none."""
    path = url.partition(":///")[2].partition("?")[0]
    return unquote(path, errors="surrogateescape")


def is_postgres_address(rest: str) -> bool:
    """Whether what follows `postgresql://` can be read: brackets that close, a port that is one."""
    found = _POSTGRES.fullmatch(rest)
    return found is not None and 0 <= int((found["port"] or "0")[:9]) <= MAX_PORT
