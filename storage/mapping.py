"""Rows to domain objects and back. The order of columns here is the order of values everywhere."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from core.operations.log import Operation, canonical
from core.standing.intent import (
    Candidate,
    ChannelScope,
    CooldownPer,
    Deliver,
    Fire,
    FireState,
    OutboxItem,
    OutboxState,
    Priority,
    StandingIntent,
    Status,
)
from core.stored import Event, Place
from core.turn import PlaceKind, Principal, Visibility
from storage.types import (
    length,
    micros,
    micros_or_none,
    moment,
    moment_or_none,
    pack_options,
    shown,
    unpack_options,
)

INTENT_FIXED = (
    "id",
    "handle",
    "namespace_id",
    "space",
    "channel",
    "conversation",
    "creator",
    "created_at",
    "source_message_id",
    "renewed_from",
    "version",
)
INTENT_MUTABLE = (
    "description_id",
    "creator_name",
    "channel_scope",
    "watches",
    "watches_name",
    "status",
    "armed_at",
    "expires_at",
    "max_fires",
    "cooldown",
    "priority",
    "options",
    "on_edits",
    "fire_count",
    "last_fired_at",
    "last_fire_id",
    "ready_at",
    "cooldown_per",
    "except_in",
    "deliver",
    "deliver_to",
    "expiry_asked_at",
    "unconfirmed",
    "goal_id",
    "goal_closed",
)


def intent_fixed(intent: StandingIntent, creator: int) -> tuple[object, ...]:
    """Values of `INTENT_FIXED` for a new row."""
    return (
        intent.id,
        intent.handle,
        intent.namespace_id,
        intent.space,
        intent.channel,
        intent.conversation,
        creator,
        micros(intent.created_at),
        intent.source_message_id,
        intent.renewed_from,
        intent.version,
    )


def intent_mutable(intent: StandingIntent, watches: int | None) -> tuple[object, ...]:
    """Values of `INTENT_MUTABLE`; `watches` is the key of the named person, None for anyone."""
    return (
        intent.description_id,
        shown(intent.creator_name),
        intent.channel_scope.value,
        watches,
        shown(intent.watches_name),
        intent.status.value,
        micros_or_none(intent.armed_at),
        micros(intent.expires_at),
        intent.max_fires,
        length(intent.cooldown),
        int(intent.priority),
        pack_options(intent.options),
        intent.on_edits,
        intent.fire_count,
        micros_or_none(intent.last_fired_at),
        intent.last_fire_id,
        micros_or_none(intent.ready_at),
        intent.cooldown_per.value,
        canonical(list(intent.except_in)),
        intent.deliver.value,
        intent.deliver_to or None,
        micros_or_none(intent.expiry_asked_at),
        intent.unconfirmed,
        intent.goal_id,
        intent.goal_closed,
    )


def intent(row: Sequence[Any]) -> StandingIntent:
    """A row of `repositories.intents.SELECT`. Erased words come out as empty text."""
    (key, fixed, people, mutable) = row[0], row[1:11], row[11:17], row[17:]
    (id_, handle, namespace, space, channel, conversation, created_at, source, renewed, version) = fixed
    (description_id, creator_name, scope, watches_name, status, armed_at, expires_at) = mutable[:7]
    (max_fires, cooldown, priority, options, on_edits, fire_count, last_at, last_id) = mutable[7:15]
    (cooldown_per, except_in, deliver, deliver_to, asked_at, unconfirmed, goal_id, closed) = mutable[15:23]
    text, entries = mutable[23:]
    return StandingIntent(
        id=id_,
        handle=handle,
        namespace_id=namespace,
        space=space,
        channel=channel,
        conversation=conversation,
        description=text or "",
        entries=tuple(entry or "" for entry in json.loads(entries)),
        creator=Principal(*people[:3]),
        creator_name=creator_name,
        channel_scope=ChannelScope(scope),
        watches=None if people[3] is None else Principal(*people[3:]),
        watches_name=watches_name,
        status=Status(status),
        created_at=moment(created_at),
        armed_at=moment_or_none(armed_at),
        expires_at=moment(expires_at),
        max_fires=max_fires,
        cooldown=moment(cooldown) - moment(0),
        priority=Priority(priority),
        options=unpack_options(options),
        on_edits=bool(on_edits),
        fire_count=fire_count,
        last_fired_at=moment_or_none(last_at),
        last_fire_id=last_id,
        source_message_id=source,
        renewed_from=renewed,
        description_id=description_id,
        cooldown_per=CooldownPer(cooldown_per),
        except_in=() if except_in == "[]" else tuple(json.loads(except_in)),
        deliver=Deliver(deliver),
        deliver_to=deliver_to or 0,
        expiry_asked_at=moment_or_none(asked_at),
        unconfirmed=bool(unconfirmed),
        goal_id=goal_id,
        goal_closed=bool(closed),
        key=key,
        version=version,
    )


def keyed(intent: StandingIntent, key: int) -> StandingIntent:
    """The intent as stored under `key`."""
    return replace(intent, key=key)


def candidate(row: Sequence[Any]) -> Candidate:
    """A row of the probe."""
    _sender, need, intent_key, entry_no, source, options, priority, created_at = row
    return Candidate(
        intent_key, entry_no, need, source, unpack_options(options), Priority(priority), moment(created_at)
    )


def place(row: Sequence[Any]) -> Place:
    """A row of `places`."""
    id_, provider, account, kind, external_id, parent_id, name, visibility, namespace_id = row
    return Place(
        id_,
        provider,
        account,
        PlaceKind(kind),
        external_id,
        parent_id,
        name,
        Visibility(visibility),
        namespace_id,
    )


FIRE = (
    "id",
    "intent_key",
    "number",
    "conversation",
    "message_id",
    "link",
    "sender",
    "sender_name",
    "entry",
    "terms",
    "fired_at",
    "state",
    "previous_status",
    "previous_fired_at",
    "previous_fire_id",
    "settled_at",
    "acknowledged_at",
)


def fire_values(fire: Fire, sender: int) -> tuple[object, ...]:
    """Values of `FIRE`."""
    return (
        fire.id,
        fire.intent_key,
        fire.number,
        fire.conversation,
        fire.message_id,
        fire.link,
        sender,
        shown(fire.sender_name),
        fire.entry,
        canonical(list(fire.terms)),
        micros(fire.fired_at),
        fire.state.value,
        fire.previous_status.value,
        micros_or_none(fire.previous_fired_at),
        fire.previous_fire_id,
        micros_or_none(fire.settled_at),
        micros_or_none(fire.acknowledged_at),
    )


def fire(row: Sequence[Any]) -> Fire:
    """A row of `repositories.fires.SELECT`."""
    (id_, intent_id, intent_key, number, conversation, message_id, link) = row[:7]
    (provider, account, user_id, sender_name, entry, terms) = row[7:13]
    (fired_at, state, previous_status, previous_at, previous_id, settled_at, acknowledged_at) = row[13:]
    return Fire(
        id=id_,
        intent_id=intent_id,
        intent_key=intent_key,
        number=number,
        conversation=conversation,
        message_id=message_id,
        link=link,
        sender=Principal(provider, account, user_id),
        sender_name=sender_name,
        entry=entry,
        terms=tuple(json.loads(terms)),
        fired_at=moment(fired_at),
        state=FireState(state),
        previous_status=Status(previous_status),
        previous_fired_at=moment_or_none(previous_at),
        previous_fire_id=previous_id,
        settled_at=moment_or_none(settled_at),
        acknowledged_at=moment_or_none(acknowledged_at),
    )


OUTBOX = (
    "id",
    "kind",
    "conversation",
    "fire_id",
    "reply_to",
    "body",
    "state",
    "due_at",
    "created_at",
    "attempts",
    "error",
)


def outbox_values(item: OutboxItem, recipient: int | None) -> tuple[object, ...]:
    """Values of `OUTBOX` and `recipient`, the key of the person it is for."""
    return (
        item.id,
        item.kind,
        item.conversation,
        item.fire_id,
        item.reply_to,
        canonical(item.body),
        item.state.value,
        micros_or_none(item.due_at),
        micros_or_none(item.created_at),
        item.attempts,
        item.error,
        recipient,
    )


def outbox_item(row: Sequence[Any]) -> OutboxItem:
    """A row of `OUTBOX`, then provider, account and id of the person it is for."""
    id_, kind, conversation, fire_id, reply_to, body, state, due_at, created_at, attempts, error = row[:11]
    return OutboxItem(
        id_,
        kind,
        conversation,
        fire_id,
        reply_to,
        json.loads(body),
        OutboxState(state),
        moment_or_none(due_at),
        moment_or_none(created_at),
        attempts,
        None if row[11] is None else Principal(*row[11:14]),
        error,
    )


OPERATION = tuple(Operation.__dataclass_fields__)


def operation(row: Sequence[Any]) -> Operation:
    """A row of `OPERATION`."""
    return Operation(*row)


def event_values(event: Event) -> tuple[object, ...]:
    """Values of `events`, in the order of its columns."""
    return (
        event.id,
        micros(event.ts),
        event.stream,
        event.actor_id,
        event.actor_type,
        event.role,
        event.content_id,
        event.content_hash,
        event.namespace_id,
        canonical(dict(event.metadata)),
    )


def event(row: Sequence[Any]) -> Event:
    """A row of `events`, in the order of its columns."""
    id_, ts, stream, actor_id, actor_type, role, content_id, digest, namespace_id, meta = row
    metadata = json.loads(meta)
    return Event(id_, moment(ts), stream, actor_id, actor_type, role, content_id, digest, namespace_id, metadata)
