"""A process that asks for the write lock of a store all the time:  python -m bots.bench.waiter URL

Prints "ready", and at the end of its standard input one JSON object with its longest waits in milliseconds:
`asking` tries anew every millisecond (how long the lock was not to be had), `patient` waits as a turn does.
"""

import json
import sys
import threading
import time
from datetime import timedelta

from bots.bench.figures import percentiles
from core.errors import StorageError
from core.limits import LIMITS
from storage.unit_of_work import SqlStore, open_store

PAUSE = 0.002
EVERY = 0.001
MS = 1e6


def wait(store: SqlStore, patience: timedelta) -> int:
    """Nanoseconds until a write transaction could begin; it is rolled back at once."""
    start = time.perf_counter_ns()
    while True:
        try:
            with store.write(patience=patience):
                return time.perf_counter_ns() - start
        except StorageError as error:
            if not error.details.get("retry"):
                raise
            time.sleep(EVERY)


def watch(store: SqlStore, over: threading.Event) -> dict[str, object]:
    """Ask in both ways, each on a thread of its own, until it is over."""
    kinds = {"asking": timedelta(0), "patient": LIMITS.turn_deadline}
    waits: dict[str, list[int]] = {kind: [] for kind in kinds}

    def work(kind: str) -> None:
        while not over.is_set():
            waits[kind].append(wait(store, kinds[kind]))
            time.sleep(PAUSE)

    threads = [threading.Thread(target=work, args=(kind,)) for kind in kinds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return {
        f"{kind}_ms": {"tries": len(taken), **percentiles(taken, MS, 1), "max": round(max(taken, default=0) / MS, 1)}
        for kind, taken in waits.items()
    }


def main(url: str) -> None:
    """Watch until standard input ends."""
    over = threading.Event()
    threading.Thread(target=_until_the_end, args=(over,), daemon=True).start()
    store = open_store(url, migrate=False)
    try:
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        seen = watch(store, over)
    finally:
        store.close()
    sys.stdout.write(json.dumps(seen))


def _until_the_end(over: threading.Event) -> None:
    sys.stdin.read()
    over.set()


if __name__ == "__main__":
    main(sys.argv[1])
