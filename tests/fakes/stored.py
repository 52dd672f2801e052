"""Puts builders' objects into a store, with the places and people that they refer to."""

from typing import Any

from core.operations.log import OperationDraft, OpType
from core.ports import Tx
from core.standing.intent import Fire, IndexRow, OutboxItem, StandingIntent
from core.timed.reminder import TimedReminder
from core.turn import ActorType, Visibility, Where
from tests.builders import HOME, NOW, a_fire, a_timed, an_intent
from tests.fakes.ids import SeededIds


def put_intent(tx: Tx, ids: SeededIds, where: Where = HOME, **fields: Any) -> StandingIntent:
    """A stored intent made at `where`; it is not filed in the index."""
    spot = tx.places.ensure(where, ids.uuid())
    made = {
        "id": ids.uuid(),
        "handle": ids.handle("i", 6),
        "namespace_id": spot.namespace_id,
        "space": spot.space,
        "channel": spot.channel,
        "conversation": spot.conversation,
        "description_id": ids.uuid(),
        "key": 0,
    }
    return tx.intents.add(an_intent(**(made | fields)), ids.salt())


def file_intent(tx: Tx, intent: StandingIntent, *anchors: str, fingerprint: str = "v1") -> None:
    """File an intent under anchors, one entry each."""
    rows = [IndexRow(number, anchor, "", anchor) for number, anchor in enumerate(anchors)]
    private = tx.places.get(intent.channel).visibility is not Visibility.PUBLIC
    tx.index.file(intent, intent.scope_key(private), rows, fingerprint)


def put_fire(tx: Tx, ids: SeededIds, intent: StandingIntent, **fields: Any) -> Fire:
    """A stored fire of a stored intent."""
    made = {
        "id": ids.uuid(),
        "intent_id": intent.id,
        "intent_key": intent.key,
        "conversation": intent.conversation,
        "message_id": ids.uuid(),
    }
    fire = a_fire(**(made | fields))
    assert tx.fires.add(fire)
    return fire


def an_item(ids: SeededIds, fire: Fire, **fields: Any) -> OutboxItem:
    """A message that carries a fire."""
    made = {
        "id": ids.uuid(),
        "kind": "reminder",
        "conversation": fire.conversation,
        "fire_id": fire.id,
        "reply_to": fire.message_id,
        "body": {"handle": "i-7k2m", "number": 1, "names": ["Ada"]},
        "created_at": NOW,
    }
    return OutboxItem(**(made | fields))


def put_timed(tx: Tx, ids: SeededIds, where: Where = HOME, salt: bytes | None = None, **fields: Any) -> TimedReminder:
    """A stored timed reminder made at `where`."""
    spot = tx.places.ensure(where, ids.uuid())
    made = {
        "id": ids.uuid(),
        "handle": ids.handle("r", 6),
        "namespace_id": spot.namespace_id,
        "space": spot.space,
        "channel": spot.channel,
        "conversation": spot.conversation,
        "text_id": ids.uuid(),
        "key": 0,
    }
    return tx.timed.add(a_timed(**(made | fields)), salt or ids.salt())


def a_draft_operation(ids: SeededIds, namespace_id: str = "system", **fields: Any) -> OperationDraft:
    """An operation by the system."""
    made = {
        "id": ids.uuid(),
        "ts": 1_796_032_800_000_000,
        "op_type": OpType.INTEGRITY_CHECK,
        "actor_id": "system",
        "actor_type": ActorType.SYSTEM_PROCESS,
        "namespace_id": namespace_id,
        "target_id": None,
        "target_type": "store",
        "payload": {"rows": 1},
    }
    return OperationDraft(**(made | fields))
