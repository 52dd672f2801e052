"""A child process that takes parcels: for races, and to be killed between taking and sending.

    python -m tests.fault.claim_worker URL SCHEMA [--sabotage] [--hang]

Takes until nothing is left and prints one JSON list of the rows it got. `--hang` takes once, prints and waits.
"""

import json
import sys

from bots.runtime import SystemClock, SystemIds
from core.services.context import Context
from core.services.dispatch import ClaimParcels
from storage import link
from storage.repositories import outbox
from storage.unit_of_work import open_store
from tests.fakes.platform import LOGIN
from tests.fault import sabotage


def unguarded() -> None:
    """Take out the write lock at begin and the guard of the claim."""
    sabotage.install()
    guarded = f" WHERE id = ? AND attempts = ? AND {outbox.LIVE_OUTBOX}"
    statement = "UPDATE outbox SET state = 'queued', attempts = attempts + 1, due_at = ?"
    assert link.sql(statement + guarded) == outbox.CLAIM, "the guard is not where this test looks for it"
    outbox.CLAIM = link.sql(statement + " WHERE id = ? AND CAST(? AS bigint) >= 0")


def main(url: str, schema: str, *flags: str) -> None:
    if "--sabotage" in flags:
        unguarded()
    store = open_store(url, schema=schema, busy_timeout=60.0)
    claim = ClaimParcels(Context(store, SystemClock(), SystemIds()))
    print("ready", flush=True)
    sys.stdin.readline()
    got: list[str] = []
    while taken := claim(*LOGIN, limit=1):
        got.extend(parcel.item_id for parcel in taken)
        if "--hang" in flags:
            break
    print(json.dumps(got), flush=True)
    if "--hang" in flags:
        sys.stdin.readline()
    store.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
