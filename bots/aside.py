"""A file that is there in full or not at all."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from core.catalogue import say
from core.errors import InvalidInput


@contextmanager
def written(path: Path, unwritable: str, mode: int | None = None) -> Iterator[TextIO]:
    """Write `path` through a file beside it that takes its place at the end; devices and pipes are written directly.

    With `mode` the file has that one from the first byte on; otherwise that of the file it replaces. Raises
    InvalidInput with the catalogue's sentence `unwritable` when it cannot be written. After an error the file is as
    it was.
    """
    try:
        target = path.resolve()
        if target.exists() and not target.is_file():
            with target.open("w", encoding="utf-8") as lines:
                yield lines
            return
        aside = target.with_name(f".remembrancer-{os.getpid()}.part")
        try:
            with _opened(aside, mode) as lines:
                yield lines
            if target.exists() and mode is None:
                shutil.copymode(target, aside)
            aside.replace(target)
        finally:
            aside.unlink(missing_ok=True)
    except OSError as error:
        sentence = say(unwritable, path=path, why=error.strerror)
        raise InvalidInput(sentence, say(f"{unwritable}.hint")) from error


def _opened(aside: Path, mode: int | None) -> TextIO:
    aside.unlink(missing_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    return os.fdopen(os.open(aside, flags, 0o666 if mode is None else mode), "w", encoding="utf-8")
