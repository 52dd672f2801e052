"""One dedicated thread for turns: one hop a turn, one connection, one order."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from core.catalogue import say
from core.errors import StorageError
from storage.unit_of_work import SqlStore

QUEUE = 1_000
T = TypeVar("T")


class HotThread:
    """Runs callables one after the other on a thread that keeps its own connection to `store`."""

    def __init__(self, store: SqlStore, queue: int = QUEUE) -> None:
        self._store = store
        self._room = threading.BoundedSemaphore(queue)
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="remembrancer-turns")

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Queue `work`. StorageError when the queue is full, RuntimeError after `close()`."""
        if not self._room.acquire(blocking=False):
            raise StorageError(say("storage.queue"), say("storage.again.hint"), retry=True)
        try:
            future = self._pool.submit(work)
        except RuntimeError:
            self._room.release()
            raise
        future.add_done_callback(lambda _: self._room.release())
        return future

    def close(self) -> None:
        """Finish what is queued, close the thread's connection, end the thread."""
        self._pool.submit(self._store.release_thread)
        self._pool.shutdown(wait=True)
