"""The files of aspirations in a folder. People edit them at the same time, so nothing is written over unseen."""

import os
import re
import stat
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from core.aspirations.keys import CODE, FileKey
from core.catalogue import say
from core.errors import LimitExceeded, StorageError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

LOCK, ASIDE = ".lock", ".aspirations.part"
_NAME = re.compile(rf"(?:.*-)?({CODE})\.md", re.DOTALL)
_READ = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


class FolderFiles:
    """`core.ports.AspirationFiles`. The folder is made, for its owner only, with the first file.

    A file is known by the code at the end of its name: what stands before it is for people, who may change it.
    """

    def __init__(self, folder: Path, max_bytes: int) -> None:
        self._folder = folder
        self._max = max_bytes

    def read(self, key: FileKey) -> str | None:
        """The text of a file with its line ends as they are; None when there is none."""
        path = self._find(key)
        return None if path is None else self._text(path)

    def replace(self, key: FileKey, expected: str | None, text: str) -> bool:
        """Put `text` in the place of `expected`; False when the file holds something else by now.

        Writers of this program take turns. Between the last look at the file and the moment in which the new one
        takes its place a person's save is not seen: that is microseconds.
        """
        data = text.encode()
        if len(data) > self._max:
            sentence = say("aspire.file.full", file=self.shown(key), limit=self._max)
            raise LimitExceeded(
                sentence, say("aspire.file.full.hint"), name="aspiration_file_bytes", used=len(data), limit=self._max
            )
        with self._guarded(self._folder / key.file_name):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with _locked(self._folder / LOCK):
                aside = self._folder / ASIDE
                _write(aside, data)
                path = self._find(key)
                if (None if path is None else self._text(path)) != expected:
                    aside.unlink()
                    return False
                aside.replace(path or self._folder / key.file_name)
                _sync(self._folder)
        return True

    def stamps(self) -> Mapping[str, str]:
        """Every file by its code, with size, number and times; of one that is there twice, of both."""
        found: dict[str, list[str]] = defaultdict(list)
        for entry, code in self._entries():
            with self._guarded(Path(entry.path)), suppress(FileNotFoundError):
                status = entry.stat(follow_symlinks=False)
                found[code].append(f"{status.st_size}:{status.st_ino}:{status.st_mtime_ns}:{status.st_ctime_ns}")
        return {code: "|".join(sorted(stamps)) for code, stamps in found.items()}

    def shown(self, key: FileKey) -> str:
        """The folder's name and the file's."""
        path = self._find(key)
        return self._short(path or self._folder / key.file_name)

    def _short(self, path: Path) -> str:
        return path.name if path == self._folder else f"{self._folder.name}/{path.name}"

    def _entries(self) -> Iterator[tuple["os.DirEntry[str]", str]]:
        with self._guarded(self._folder), suppress(FileNotFoundError), os.scandir(self._folder) as entries:
            for entry in entries:
                if (named := _NAME.fullmatch(entry.name)) is not None:
                    yield entry, named.group(1)

    def _find(self, key: FileKey) -> Path | None:
        paths = sorted(Path(entry.path) for entry, code in self._entries() if code == key.code)
        if len(paths) > 1:
            names = ", ".join(path.name for path in paths)
            raise StorageError(say("aspire.file.twice", files=names), say("aspire.file.twice.hint"), retry=False)
        return paths[0] if paths else None

    def _text(self, path: Path) -> str | None:
        """The text of a file; None when it vanished meanwhile."""
        with self._guarded(path), suppress(FileNotFoundError):
            if not stat.S_ISREG(path.lstat().st_mode):
                raise StorageError(
                    say("aspire.file.kind", file=self._short(path)), say("aspire.file.kind.hint"), retry=False
                )
            with os.fdopen(os.open(path, _READ), "rb") as stream:
                data = stream.read(self._max + 1)
            if len(data) > self._max:
                sentence = say("aspire.file.long", file=self._short(path), limit=self._max)
                raise StorageError(sentence, say("aspire.file.full.hint"), retry=False)
            try:
                return data.decode()
            except UnicodeDecodeError as error:
                line = data[: error.start].count(b"\n") + 1
                sentence = say("aspire.file.utf8", file=self._short(path), line=line)
                raise StorageError(sentence, say("aspire.file.utf8.hint"), retry=False) from None
        return None

    @contextmanager
    def _guarded(self, path: Path) -> Iterator[None]:
        """What the system says of a file, as an error for people; that it is not there is for the caller."""
        try:
            yield
        except FileNotFoundError:
            raise
        except OSError as error:
            sentence = say("aspire.file.failed", file=self._short(path), why=error.strerror)
            raise StorageError(sentence, say("aspire.file.failed.hint"), retry=False) from error


def _write(path: Path, data: bytes) -> None:
    """A new file, for its owner only, that is on the disk when this returns."""
    path.unlink(missing_ok=True)  # left by a process that was killed
    with os.fdopen(os.open(path, _WRITE, 0o600), "wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def _sync(folder: Path) -> None:
    """Bring the name of a new file to the disk, where folders can be opened."""
    if sys.platform != "win32":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """One writer at a time; the lock goes with the process that holds it."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if sys.platform == "win32":
            msvcrt.locking(handle, msvcrt.LK_LOCK, 1)
        else:
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
