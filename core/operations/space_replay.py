"""Replay of spaces, as far as rows depend on them: a chat that another one was merged into. Pure.

The rows that moved tell it themselves; the operation of the space tells which places stand for which others from then
on. Releases before that told neither: what such a move changed is not compared.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from core.operations.replay import Rebuilt, Same, Told, is_pair
from core.operations.standing_replay import INTENT
from core.operations.timed_replay import TIMED

SPACE = "space"
ROWS = "rows"
"""How many rows a move changed, each of which has an operation of its own."""
MOVED = ("namespace", "space", "channel", "conversation")
OF_MOVED = (*MOVED, "deliver_to", "except_in", "language", "fold_accents", "version")


@dataclass(frozen=True, slots=True)
class SpaceReplay:
    """Follows merged chats."""

    takes: frozenset[str] = frozenset({SPACE})

    @property
    def kinds(self) -> Mapping[str, Mapping[str, Same]]:
        """No rows of its own."""
        return {}

    def waits(self, state: Rebuilt, told: Told) -> bool:
        """Until the chain of the merged chat came to its end, where its rows do not say themselves that they moved."""
        merged = told.text("merged")
        return bool(merged) and ROWS not in told.payload and merged not in state.ended

    def apply(self, state: Rebuilt, told: Told) -> None:
        """A move, or nothing for what only changes a setting."""
        setting, payload = told.payload.get("setting"), told.payload
        older = ROWS not in payload
        if setting == "alias_of":
            state.ended.add(told.operation.target_id or "")
            if older:
                _forget(state, told.operation.namespace_id, MOVED)
        elif setting == "external_id":
            places = payload.get("places")
            for gone, kept in filter(is_pair, places if isinstance(places, list) else ()):
                state.stand_for(str(gone), str(kept))
            if older:
                _forget(state, told.operation.namespace_id, ("reply_to",))
                _of_older(state, told)


def _of_older(state: Rebuilt, told: Told) -> None:
    state.places_unknown |= bool(told.text("merged"))
    moved = told.payload.get("intents")
    for key in moved if isinstance(moved, list) else ():
        row = state.of(INTENT).get(str(key), {})
        for name in OF_MOVED:
            row.pop(name, None)


def _forget(state: Rebuilt, namespace: str, names: tuple[str, ...]) -> None:
    """Leave out what is not known any more of the rows of a chain."""
    for kind in (INTENT, TIMED):
        for row in state.of(kind).values():
            if row.get("namespace") == namespace:
                for name in names:
                    row.pop(name, None)
