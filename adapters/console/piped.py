"""Lines from a pipe or a file: bounded, undecodable bytes kept as lone surrogates, read in a thread."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from typing import BinaryIO

MAX_BYTES = 4_000_000


async def piped_lines(
    stream: BinaryIO, echo: Callable[[str], None], cut: Callable[[int], None], limit: int = MAX_BYTES
) -> AsyncIterator[str]:
    """Each line of `stream`, after `echo` has shown it. `cut` is told when one passed `limit` bytes.

    One line is read ahead at most; the reading thread is a daemon, so that leaving never waits for input.
    """
    loop = asyncio.get_running_loop()
    arrived: asyncio.Queue[tuple[bytes, bool] | None] = asyncio.Queue(maxsize=1)
    wanted = threading.Semaphore(1)

    def read() -> None:
        while True:
            wanted.acquire()
            found = _read_line(stream, limit)
            try:
                loop.call_soon_threadsafe(arrived.put_nowait, found)
            except RuntimeError:  # the loop has ended
                return
            if found is None:
                return

    threading.Thread(target=read, name="console-input", daemon=True).start()
    while (item := await arrived.get()) is not None:
        data, too_long = item
        text = data.decode("utf-8", "surrogateescape").rstrip("\r\n")
        echo(text)
        if too_long:
            cut(limit)
        yield text
        wanted.release()


def _read_line(stream: BinaryIO, limit: int) -> tuple[bytes, bool] | None:
    try:
        data = stream.readline(limit)
        too_long = len(data) == limit and not data.endswith(b"\n")
        rest = data
        while too_long and rest and not rest.endswith(b"\n"):
            rest = stream.readline(limit)
    except (OSError, ValueError):  # closed under our hands
        return None
    return (data, too_long) if data else None
