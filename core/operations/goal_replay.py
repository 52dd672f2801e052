"""Replay of goal memory: intents, edges and summaries. Pure.

Every operation about an intent tells under `fields` what it changed; one about several tells it under `changes`, by
their ids. An edge is there from its RELATE to its UNRELATE. Sessions, which tell what was shown, are not derived.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from core.operations.log import OpType
from core.operations.recorded import Fields
from core.operations.replay import (
    ROW,
    THERE,
    Rebuilt,
    Same,
    Told,
    at_home,
    born,
    change,
    erase,
    present,
    same_place,
    same_words,
)
from core.operations.standing_replay import EVENT

GOAL = "goal_intent"
EDGE = "goal_edge"
SUMMARY = "goal_summary"
CHANGES = "changes"
"""{id: {field: [old, new]}} of an operation about several intents."""
PLACES: Mapping[str, Same] = {"space": same_place, "channel": same_place, "conversation": same_place}
SAME: Mapping[str, Same] = {**PLACES, "words": same_words}
DEPENDENCY = frozenset(
    {
        OpType.DEPENDENCY_CANCELLED,
        OpType.DEPENDENCY_EXPIRED,
        OpType.DEPENDENCY_SUPERSEDED,
        OpType.DEPENDENCY_COMPLETED,
    }
)
"""These ask and tell; they change nothing."""
MAKES = frozenset({OpType.ASSERT, OpType.SUMMARY_CREATED})


def edge_id(dependent: object, prerequisite: object) -> str:
    """The id that an edge is compared under."""
    return f"{dependent} {prerequisite}"


@dataclass(frozen=True, slots=True)
class GoalReplay:
    """Rebuilds intents, edges and summaries."""

    takes: frozenset[str] = frozenset({GOAL, EDGE, SUMMARY})

    @property
    def kinds(self) -> Mapping[str, Mapping[str, Same]]:
        """Three kinds."""
        return {GOAL: SAME, EDGE: {}, SUMMARY: {"words": same_words}}

    def waits(self, state: Rebuilt, told: Told) -> bool:
        """Until what it is about is in this chain: another chain may have to hand it over first."""
        kind, namespace = told.operation.target_type, told.operation.namespace_id
        if told.operation.op_type in MAKES:
            return False
        if kind == EDGE:
            ends = _ends(told)
            return any(state.of(GOAL).get(end, {}).get("namespace") != namespace for end in ends)
        if told.operation.target_id is not None:
            return not at_home(state, told, kind)
        return any(state.of(kind).get(key, {}).get("namespace") != namespace for key in _changes(told))

    def apply(self, state: Rebuilt, told: Told) -> None:
        """One operation."""
        op = told.operation
        _cited(state, told)
        if op.target_type == EDGE:
            _edge(state, told)
        elif op.op_type in MAKES:
            _make(state, told, op.target_type)
        elif op.op_type == OpType.ERASED:
            row = present(state, told, op.target_type)
            content = told.payload.get("content")
            gone = frozenset(map(str, content)) if isinstance(content, list) else frozenset()
            row["words"] = erase(row.get("words"), gone)
        elif op.target_id is None:
            for key, fields in _changes(told).items():
                _change(state, told, key, fields)
        elif op.op_type not in DEPENDENCY:
            present(state, told, op.target_type)
            change(state, told, op.target_type, _pairs(told.fields), self.kinds[op.target_type])


def _make(state: Rebuilt, told: Told, kind: str) -> None:
    key = told.operation.target_id or ""
    if key in state.of(kind):
        state.contradict(told, kind, key, ROW, THERE, told.operation.op_type)
    state.of(kind)[key] = born(told, frozenset())


def _cited(state: Rebuilt, told: Told) -> None:
    """The events that an operation cites first."""
    op, ids, times = told.operation, told.payload.get("evidence_ids"), told.payload.get("evidence_ts")
    if not (isinstance(ids, list) and isinstance(times, list)):
        return
    about = told.fields if op.op_type in MAKES else state.of(GOAL).get(op.target_id or "")
    stream = {} if about is None or "conversation" not in about else {"stream": about["conversation"]}
    for event, ts in zip(ids, times, strict=False):
        actor = [op.actor_type, op.actor_id]
        state.of(EVENT)[str(event)] = {"namespace": op.namespace_id, "ts": ts, "actor": actor, **stream}


def _edge(state: Rebuilt, told: Told) -> None:
    ends = _ends(told)
    key, edges = edge_id(*ends), state.of(EDGE)
    related = told.operation.op_type == OpType.RELATE
    if (key in edges) is related:
        state.contradict(told, EDGE, key, ROW, THERE if related else None, told.operation.op_type)
    if related:
        edges[key] = {"dependent": ends[0], "prerequisite": ends[1]}
    else:
        edges.pop(key, None)


def _ends(told: Told) -> tuple[str, str]:
    found = told.payload.get("edge")
    if isinstance(found, list) and len(found) == 2:
        return str(found[0]), str(found[1])
    return "", ""


def _changes(told: Told) -> Mapping[str, object]:
    found = told.payload.get(CHANGES)
    return found if isinstance(found, dict) else {}


def _change(state: Rebuilt, told: Told, key: str, fields: object) -> None:
    """As `change`, for one of several."""
    row = state.of(GOAL).get(key)
    if row is None:
        state.contradict(told, GOAL, key, ROW, None, told.operation.op_type)
        return
    _apply(state, told, key, row, _pairs(fields))


def _apply(state: Rebuilt, told: Told, key: str, row: Fields, pairs: Mapping[str, list[object]]) -> None:
    for name, (old, new) in pairs.items():
        if name in row and row[name] != old:
            state.contradict(told, GOAL, key, name, row[name], old)
        row[name] = new


def _pairs(fields: object) -> dict[str, list[object]]:
    if not isinstance(fields, dict):
        return {}
    return {name: pair for name, pair in fields.items() if isinstance(pair, list) and len(pair) == 2}
