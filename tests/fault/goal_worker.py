"""A child process of the races of goal memory: threads that all tie the same pairs together, in one direction.

    python -m tests.fault.goal_worker URL SCHEMA PLAN [--sabotage]

PLAN is a JSON object {"pairs": [[handle, handle], ...], "threads": n}: each first one is to wait for the second one.
Prints {"done": n, "circles": n, "failures": [sentences]}. `--sabotage` takes out what keeps races apart (the write lock
at begin, the lock of the chain), and waits a little between the look and the write.
"""

import json
import sys
import threading
import time
from collections import Counter
from dataclasses import replace
from typing import Any

from bots.runtime import SystemClock, SystemIds
from core.errors import StorageError
from core.goals.dependencies import DependencyCycle
from core.limits import LIMITS
from core.services.context import Context
from core.services.goal_edges import DependGoal
from storage.repositories.goals import SqlGoals
from storage.unit_of_work import open_store
from tests.builders import HOME, an_owner
from tests.fault import sabotage

WIDE = replace(LIMITS, goal_dependents=1_000, goal_prerequisites=1_000)
PAUSE_SECONDS = 0.003


def linger() -> None:
    """Between the question whether there is a way and the edge that is written."""
    path = SqlGoals.path

    def slow(self: Any, start: int, end: int) -> Any:
        found = path(self, start, end)
        time.sleep(PAUSE_SECONDS)
        return found

    SqlGoals.path = slow  # type: ignore[method-assign]


def work(depend: DependGoal, pairs: list[list[str]], told: Counter[str], failures: list[str]) -> None:
    for late, early in pairs:
        while True:
            try:
                depend(late, (early,), an_owner(), HOME)
                told["done"] += 1
            except DependencyCycle:
                told["circles"] += 1
            except StorageError as error:
                if error.details.get("retry"):
                    continue
                failures.append(str(error))
            break


def main(url: str, schema: str, plan_text: str, *flags: str) -> None:
    if "--sabotage" in flags:
        sabotage.install()
        linger()
    plan = json.loads(plan_text)
    store = open_store(url, schema=schema, busy_timeout=60.0)
    depend = DependGoal(Context(store, SystemClock(), SystemIds(), WIDE))
    told: Counter[str] = Counter()
    failures: list[str] = []
    print("ready", flush=True)
    sys.stdin.readline()
    threads = [
        threading.Thread(target=work, args=(depend, plan["pairs"], told, failures)) for _ in range(plan["threads"])
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store.close()
    print(json.dumps({"done": told["done"], "circles": told["circles"], "failures": failures}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
