"""Chains of operations that never saw a store."""

from collections import defaultdict

from core.operations.log import GENESIS, OperationDraft, OpType, seal
from core.operations.replay import fold
from core.services.replay import REBUILDERS
from core.turn import ActorType

KEY = "intent-1"


class Log:
    """Chains of operations; every operation has the next time unless told otherwise."""

    def __init__(self):
        self.chains = defaultdict(list)
        self.clock = 0

    def __call__(self, op_type, payload, chain="home", target=KEY, kind="standing_intent", ts=None):
        rows = self.chains[chain]
        self.clock += 1
        draft = OperationDraft(
            f"op-{self.clock}",
            ts or self.clock,
            op_type,
            "ada",
            ActorType.HUMAN_USER,
            chain,
            target,
            kind,
            payload,
        )
        rows.append(seal(draft, len(rows) + 1, rows[-1].hash if rows else GENESIS))
        return self

    def fold(self):
        return fold({name: self.chains[name] for name in sorted(self.chains)}, REBUILDERS)

    def made(self, chain="home", target=KEY, **fields):
        told = {"status": "armed", "fire_count": 0, "last_fired_at": None, "last_fire_id": None, "version": 1}
        timing = {"cooldown": 60_000_000, "cooldown_per": "intent", "space": "1"}
        payload = {"handle": "i-1", "words": [["c", "h"], ["c.0", "h0"]], "fields": told | timing | fields}
        return self(OpType.ASSERT, payload, chain, target)

    def fired(self, fire="fire-1", count=1, chain="home", **more):
        return self(
            OpType.FIRED,
            {
                "fire": fire, "from": "armed", "to": "fired", "fire_count": count, "last_fired_at": [None, 9],
                "message": "17", "place": "3", "entry_no": 0,
            } | more,
            chain,
        )  # fmt: skip

    def moved(self, to, chain="home", version=(1, 3), target=KEY):
        pair = {"namespace": [chain, to], "version": list(version)}
        return self(OpType.EDITED, {"fields": pair}, chain, target)


def said(state):
    return [(one.field, one.rebuilt, one.told) for one in state.contradictions]
