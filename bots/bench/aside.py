"""A result file that is there in full or not at all."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from core.catalogue import say
from core.errors import InvalidInput


@contextmanager
def written(path: Path) -> Iterator[TextIO]:
    """Write `path` through a file beside it that takes its place at the end; devices and pipes are written directly.

    Raises InvalidInput when it cannot be written. After an error the file is as it was.
    """
    try:
        target = path.resolve()
        if target.exists() and not target.is_file():
            with target.open("w", encoding="utf-8") as lines:
                yield lines
            return
        aside = target.with_name(f".bench-{os.getpid()}.part")
        try:
            with aside.open("w", encoding="utf-8") as lines:
                yield lines
            if target.exists():
                shutil.copymode(target, aside)
            aside.replace(target)
        finally:
            aside.unlink(missing_ok=True)
    except OSError as error:
        sentence = say("bench.unwritable", path=path, why=error.strerror)
        raise InvalidInput(sentence, say("bench.unwritable.hint")) from error
