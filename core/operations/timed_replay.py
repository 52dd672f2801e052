"""Replay of timed reminders. Pure.

Their operations have always told the whole change of a row, and each is one change; so only what a moved chat did to
them is told under `fields`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from core.operations.log import OpType
from core.operations.recorded import Fields
from core.operations.replay import (
    Rebuilt,
    Same,
    Told,
    at_home,
    born,
    change,
    erase,
    pairs_of,
    present,
    same_place,
    same_words,
)

TIMED = "timed_reminder"
NAMES = frozenset(
    [
        "handle",
        "words",
        "creator",
        "target",
        "for_all",
        "direct",
        "local",
        "fold",
        "zone",
        "rule",
        "due_at",
        "snoozed_from",
        "fire",
        "status",
    ]
)
"""Fields that a payload tells outside of `fields`, under the same name."""
SAME: Mapping[str, Same] = {
    "space": same_place,
    "channel": same_place,
    "conversation": same_place,
    "words": same_words,
}
QUIET = frozenset({OpType.DELIVERED, OpType.REFUNDED})
"""What became of a message leaves the row as it is."""


@dataclass(frozen=True, slots=True)
class TimedReplay:
    """Rebuilds timed reminders."""

    takes: frozenset[str] = frozenset({TIMED})

    @property
    def kinds(self) -> Mapping[str, Mapping[str, Same]]:
        """One kind."""
        return {TIMED: SAME}

    def waits(self, state: Rebuilt, told: Told) -> bool:
        """Until the reminder is in this chain; what became of a message, until it is anywhere."""
        op_type = told.operation.op_type
        if op_type in QUIET:
            return told.operation.target_id not in state.of(TIMED)
        return op_type != OpType.ASSERT and not at_home(state, told, TIMED)

    def apply(self, state: Rebuilt, told: Told) -> None:
        """One operation."""
        op = told.operation
        if op.op_type == OpType.ASSERT:
            _assert(state, told)
            return
        row = present(state, told, TIMED)
        match op.op_type:
            case OpType.FIRED:
                _change(state, told, row, _fired(told))
            case OpType.ACKNOWLEDGED:
                _change(state, told, row, {}, acknowledged_at=told.payload.get("at"))
            case OpType.SNOOZED:
                _change(state, told, row, {}, acknowledged_at=told.payload.get("acknowledged_at"))
            case OpType.EDITED | OpType.STANDING_TRANSITION:
                _edited(state, told, row)
            case OpType.ERASED:
                content = told.payload.get("content")
                gone = frozenset(map(str, content)) if isinstance(content, list) else frozenset()
                row["words"] = erase(row.get("words"), gone)
            case OpType.DELIVERED | OpType.REFUNDED:
                pass
            case _:
                state.untaken[f"{TIMED}/{op.op_type}"] += 1


def _assert(state: Rebuilt, told: Told) -> None:
    key = told.operation.target_id or ""
    if key in state.of(TIMED):
        state.contradict(told, TIMED, key, "row", "there", told.operation.op_type)
    made = born(told, NAMES)
    words = made.get("words")
    if isinstance(words, list) and words and isinstance(words[0], str):
        made["words"] = [words]
    if told.fields is None:
        of_older: Fields = {"status": told.payload.get("to"), "created_at": told.operation.ts, "fired": 0}
        made |= {**of_older, "last_due_at": None, "acknowledged_at": None, "outbox": None}
    state.of(TIMED)[key] = made


def _fired(told: Told) -> dict[str, list[object]]:
    number, due = told.payload.get("number"), told.payload.get("due_at")
    pairs = pairs_of(told, NAMES)
    if isinstance(number, int):
        pairs["fired"] = [number - 1, number]
    return pairs if not isinstance(due, list) or not due else {**pairs, "due_at": due}


def _edited(state: Rebuilt, told: Told, row: Fields) -> None:
    if told.fields is not None:
        change(state, told, TIMED, pairs_of(told, NAMES), SAME)
        return
    pairs = pairs_of(told, NAMES)
    if pairs.get("status", [None, None])[1] == "cancelled" and "due_at" not in pairs:
        pairs["due_at"] = [row.get("due_at"), None]
    _change(state, told, row, pairs)


def _change(state: Rebuilt, told: Told, row: Fields, pairs: Mapping[str, list[object]], **new: object) -> None:
    """One change of a row: what is told of it, and its version."""
    if told.operation.op_type == OpType.FIRED:
        due = pairs.get("due_at", [None])[0]
        new |= {"last_due_at": due, "acknowledged_at": None, "outbox": told.payload.get("item")}
    change(state, told, TIMED, pairs, SAME)
    row.update(new)
    if isinstance(version := row.get("version"), int):
        row["version"] = version + 1
