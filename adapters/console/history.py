"""Typed lines, kept across restarts in a file beside the database: private to its owner and bounded."""

import json
import os
from collections import deque
from collections.abc import Iterable
from pathlib import Path

from prompt_toolkit.history import History

MAX_LINES = 1_000
MAX_CHARS = 4_000
MODE = 0o600


class KeptHistory(History):
    """One JSON text a line, oldest first. A file that cannot be read or written is done without."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._kept: deque[str] = deque(_read(path), maxlen=MAX_LINES)
        self._rows = len(self._kept)

    def load_history_strings(self) -> Iterable[str]:
        """Newest first."""
        return list(reversed(self._kept))

    def store_string(self, string: str) -> None:
        """Keep one more line; the oldest go."""
        if len(string) > MAX_CHARS:
            return
        self._kept.append(string)
        full = self._rows >= MAX_LINES
        try:
            _write(self._path, self._kept if full else (string,), anew=full)
        except OSError:
            return
        self._rows = len(self._kept)


def _read(path: Path) -> list[str]:
    try:
        rows = path.read_text(encoding="ascii").splitlines()[-MAX_LINES:]
        found = [json.loads(row) for row in rows]
    except (OSError, ValueError):
        return []
    return [text for text in found if isinstance(text, str)]


def _write(path: Path, texts: Iterable[str], anew: bool) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | (os.O_TRUNC if anew else os.O_APPEND)
    with os.fdopen(os.open(path, flags, MODE), "w", encoding="ascii") as stream:
        os.fchmod(stream.fileno(), MODE)
        stream.writelines(f"{json.dumps(text)}\n" for text in texts)
