"""A child process of the race tests: eight threads that all deliver the same messages to one store.

    python -m tests.fault.race_worker URL SCHEMA PLAN [--sabotage]

PLAN is a JSON object {"messages": [ids], "texts": [texts], "threads": n}. Prints one JSON list of fires.
`--sabotage` takes out what keeps races apart (the write lock at begin, the guarded update, the row lock and the
unique receipt), to show that the tests can fail.
"""

import json
import random
import sys
import threading
from dataclasses import replace
from datetime import timedelta

from bots.runtime import SystemClock, SystemIds
from core.errors import StorageError
from core.limits import LIMITS
from core.services.context import Context
from core.services.receive_turn import ReceiveTurn
from core.standing.outcome import Reminder
from core.text.zones import MarkedText
from core.turn import Turn
from storage.unit_of_work import open_store
from tests.builders import BOB, HOME
from tests.fault import sabotage

PATIENT = replace(LIMITS, turn_deadline=timedelta(minutes=5))


def work(receive: ReceiveTurn, clock: SystemClock, plan: dict, seed: int, fires: list, failures: list) -> None:
    turns = [(message, text) for message in plan["messages"] for text in plan["texts"]]
    random.Random(seed).shuffle(turns)
    for message, text in turns:
        now = clock.now()
        turn = Turn(HOME, message, MarkedText(text), now, now, BOB, "Bob")
        try:
            outcome = receive(turn)
        except StorageError as error:
            if error.details.get("retry"):
                continue
            failures.append(str(error))
            continue
        fires.extend(told(reminder) for reminder in outcome.fires)


def told(reminder: Reminder) -> dict:
    return {"intent": reminder.handle, "message": reminder.reply_to, "at": reminder.fired_at.timestamp()}


def main(url: str, schema: str, plan_text: str, *flags: str) -> None:
    if "--sabotage" in flags:
        sabotage.install()
    plan = json.loads(plan_text)
    store = open_store(url, schema=schema, busy_timeout=60.0)
    clock = SystemClock()
    receive = ReceiveTurn(Context(store, clock, SystemIds(), PATIENT))
    fires: list[dict] = []
    failures: list[str] = []
    print("ready", flush=True)
    sys.stdin.readline()
    threads = [
        threading.Thread(target=work, args=(receive, clock, plan, seed, fires, failures))
        for seed in range(plan["threads"])
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store.close()
    print(json.dumps({"fires": fires, "failures": failures}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
