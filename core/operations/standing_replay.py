"""Replay of standing intents, of their fires and of the evidence that their creation cites. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from core.operations.log import OpType
from core.operations.recorded import Fields
from core.operations.replay import (
    ABSENT,
    CHANGES,
    Rebuilt,
    Same,
    Told,
    at_home,
    born,
    change,
    erase,
    pairs_of,
    present,
    same_message,
    same_place,
    same_words,
)

INTENT, FIRE, EVENT = "standing_intent", "fire", "event"
RESERVED, DELIVERED, REFUNDED = "reserved", "delivered", "refunded"
PER_INTENT = "intent"
SECOND = 1_000_000
NAMES = frozenset(
    [
        "handle",
        "words",
        "creator",
        "channel_scope",
        "expires_at",
        "max_fires",
        "cooldown",
        "cooldown_per",
        "except_in",
        "deliver",
        "deliver_to",
        "priority",
        "on_edits",
        "word_forms",
        "status",
        "expiry_asked_at",
        "last_fired_at",
        "renewed_from",
    ]
)
"""Fields that a payload tells outside of `fields`, under the same name."""
PLACES: Mapping[str, Same] = {"space": same_place, "channel": same_place, "conversation": same_place}
SAME: Mapping[str, Same] = {
    **PLACES,
    "deliver_to": same_place,
    "except_in": same_place,
    "source_message_id": same_message,
    "words": same_words,
}
SAME_FIRE: Mapping[str, Same] = {"conversation": same_place, "message_id": same_message, "entry": same_words}
QUIET_CHANGES = {"resumed": ("armed_at",), "confirmed": ("armed_at", "creator_name", "unconfirmed")}
"""What an older release changed without telling it, by the reason that it gave."""


@dataclass(frozen=True, slots=True)
class StandingReplay:
    """Rebuilds standing intents, fires and evidence from the operations on standing intents."""

    takes: frozenset[str] = frozenset({INTENT})

    @property
    def kinds(self) -> Mapping[str, Mapping[str, Same]]:
        """Intents, their fires, and the events that they cite."""
        return {INTENT: SAME, FIRE: SAME_FIRE, EVENT: {"stream": same_place}}

    def waits(self, state: Rebuilt, told: Told) -> bool:
        """Until the intent is in this chain; what is only about a fire, until the fire is there."""
        match told.operation.op_type:
            case OpType.ASSERT:
                return False
            case OpType.DELIVERED | OpType.ACKNOWLEDGED:
                return told.text("fire") not in state.of(FIRE)
            case OpType.SNOOZED:
                return told.operation.target_id not in state.of(INTENT)
            case _:
                return not at_home(state, told, INTENT)

    def apply(self, state: Rebuilt, told: Told) -> None:
        """One operation."""
        match told.operation.op_type:
            case OpType.ASSERT:
                _assert(state, told)
            case OpType.FIRED:
                _fire(state, told)
            case OpType.DELIVERED:
                _settle(state, told, DELIVERED)
            case OpType.ACKNOWLEDGED:
                _set(state, told, {"acknowledged_at": (None, told.operation.ts)})
            case OpType.ERASED:
                _erase(state, told)
            case OpType.SNOOZED:
                present(state, told, INTENT)
            case _:
                _change(state, told)


def ready_at(row: Mapping[str, object]) -> object:
    """The end of the running cooldown, which is stored beside what it is made of."""
    last, cooldown = row.get("last_fired_at", ABSENT), row.get("cooldown")
    if last is ABSENT or not isinstance(cooldown, int):
        return ABSENT
    ends = isinstance(last, int) and row.get("cooldown_per") == PER_INTENT
    return last + cooldown if ends and isinstance(last, int) else None


def _assert(state: Rebuilt, told: Told) -> None:
    row, key = told.operation, told.operation.target_id or ""
    if key in state.of(INTENT):
        state.contradict(told, INTENT, key, "row", "there", row.op_type)
    made = born(told, NAMES)
    if told.fields is None:
        made |= _of_older(told, made)
    state.of(INTENT)[key] = _timed(made)
    evidence = told.payload.get("evidence")
    for event in evidence if isinstance(evidence, list) else ():
        state.of(EVENT)[str(event)] = {
            "namespace": row.namespace_id,
            "ts": row.ts,
            "actor": [row.actor_type, row.actor_id],
            **({"stream": made["conversation"]} if "conversation" in made else {}),
        }


def _of_older(told: Told, made: Fields) -> Fields:
    """What is known besides of a row that an older release made."""
    found: Fields = {
        "status": told.payload.get("to"),
        "created_at": told.operation.ts,
        "fire_count": 0,
        "last_fired_at": None,
        "last_fire_id": None,
    }
    cooldown = made.get("cooldown")
    return found | ({"cooldown": cooldown * SECOND} if isinstance(cooldown, int) else {})


def _timed(row: Fields) -> Fields:
    """The row with what is made of other fields of it."""
    found = ready_at(row)
    row.pop("ready_at", None)
    if found is not ABSENT:
        row["ready_at"] = found
    return row


def _change(state: Rebuilt, told: Told) -> None:
    row = present(state, told, INTENT)
    if told.operation.op_type not in CHANGES:
        state.untaken[f"{INTENT}/{told.operation.op_type}"] += 1
        return
    pairs = pairs_of(told, NAMES)
    if told.operation.op_type == OpType.REFUNDED:
        _settle(state, told, REFUNDED)
    if told.fields is None:
        _change_of_older(row, told, pairs)
    change(state, told, INTENT, pairs, SAME)
    _timed(row)


def _change_of_older(row: Fields, told: Told, pairs: dict[str, list[object]]) -> None:
    """Adjust the pairs of an older release to what is recorded now, and forget what it changed without telling it."""
    if "cooldown" in pairs:
        pairs["cooldown"] = [one * SECOND if isinstance(one, int) else one for one in pairs["cooldown"]]
    if "fire_count" in told.payload:
        row["fire_count"] = told.payload["fire_count"]
    unknown = ["version", *QUIET_CHANGES.get(told.text("reason"), ())]
    if told.operation.op_type == OpType.REFUNDED:
        unknown.append("last_fire_id")
    if "anyone" in told.payload:
        unknown += ["watches", "watches_name"]
    for name in unknown:
        row.pop(name, None)


def _fire(state: Rebuilt, told: Told) -> None:
    """A fire, and its intent as it is after it: told by the payload alone, since it is written while people wait."""
    row, payload, op = present(state, told, INTENT), told.payload, told.operation
    key, count, last = told.text("fire"), payload.get("fire_count"), payload.get("last_fired_at")
    previous = row.get("last_fire_id", ABSENT)
    pairs = pairs_of(told, frozenset({"last_fired_at"}))
    if isinstance(count, int):
        pairs["fire_count"] = [count - 1, count]
    change(state, told, INTENT, pairs, SAME)
    row["last_fire_id"] = key
    if isinstance(version := row.get("version"), int):
        row["version"] = version + 1
    _timed(row)
    made: Fields = {
        "handle": row.get("handle", ""),
        "intent": op.target_id,
        "number": count,
        "conversation": payload.get("place"),
        "message_id": payload.get("message"),
        "fired_at": op.ts,
        "state": RESERVED,
        "previous_status": payload.get("from"),
        "previous_fired_at": last[0] if isinstance(last, list) and last else None,
        "settled_at": None,
        "acknowledged_at": None,
    }
    if previous is not ABSENT:
        made["previous_fire_id"] = previous
    state.of(FIRE)[key] = made | _entry(row, payload.get("entry_no"))


def _entry(row: Fields, number: object) -> Fields:
    """The content of the entry that was matched: the words of a row are its description and then its entries."""
    words = row.get("words")
    if isinstance(words, list) and isinstance(number, int) and 0 <= number < len(words) - 1:
        return {"entry": [words[number + 1]]}
    return {}


def _settle(state: Rebuilt, told: Told, end: str) -> None:
    _set(state, told, {"state": (RESERVED, end), "settled_at": (None, told.operation.ts)})


def _set(state: Rebuilt, told: Told, pairs: Mapping[str, tuple[object, object]]) -> None:
    """Change fields of the fire that an operation is about."""
    key = told.text("fire")
    fire = state.of(FIRE).get(key)
    if fire is None:
        state.contradict(told, FIRE, key, "row", None, told.operation.op_type)
        return
    for name, (old, new) in pairs.items():
        if fire.get(name) != old:
            state.contradict(told, FIRE, key, name, fire.get(name), old)
        fire[name] = new


def _erase(state: Rebuilt, told: Told) -> None:
    row, content = present(state, told, INTENT), told.payload.get("content")
    gone = frozenset(map(str, content)) if isinstance(content, list) else frozenset()
    if "words" in row:
        row["words"] = erase(row["words"], gone)
