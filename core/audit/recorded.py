"""What operations tell of standing intents and timed reminders: one pure function each (`core.operations.recorded`)."""

from collections.abc import Mapping

from core.operations.recorded import (
    MICROSECOND,
    Fields,
    Wordings,
    as_words,
    maybe_micros,
    name_hash,
    with_changes,
)
from core.standing.intent import StandingIntent
from core.timed.reminder import TimedReminder


def recorded_standing(intent: StandingIntent, wordings: Wordings | None = None) -> Fields:
    """A standing intent; its `words` only where their content ids and hashes are given."""
    options = intent.options
    fields: Fields = {
        "handle": intent.handle,
        "namespace": intent.namespace_id,
        "space": str(intent.space),
        "channel": str(intent.channel),
        "conversation": str(intent.conversation),
        "creator": intent.creator.parts,
        "creator_name": name_hash(intent.id, intent.creator_name),
        "channel_scope": str(intent.channel_scope),
        "watches": None if intent.watches is None else intent.watches.parts,
        "watches_name": name_hash(intent.id, intent.watches_name),
        "status": str(intent.status),
        "created_at": maybe_micros(intent.created_at),
        "armed_at": maybe_micros(intent.armed_at),
        "expires_at": maybe_micros(intent.expires_at),
        "max_fires": intent.max_fires,
        "cooldown": intent.cooldown // MICROSECOND,
        "cooldown_per": str(intent.cooldown_per),
        "priority": intent.priority.name,
        "language": options.language,
        "word_forms": options.word_forms,
        "fold_accents": options.fold_accents,
        "on_edits": intent.on_edits,
        "fire_count": intent.fire_count,
        "last_fired_at": maybe_micros(intent.last_fired_at),
        "last_fire_id": intent.last_fire_id,
        "source_message_id": intent.source_message_id,
        "renewed_from": intent.renewed_from,
        "except_in": [str(place) for place in intent.except_in],
        "deliver": str(intent.deliver),
        "deliver_to": str(intent.deliver_to or ""),
        "expiry_asked_at": maybe_micros(intent.expiry_asked_at),
        "unconfirmed": intent.unconfirmed,
        "goal": intent.goal_id,
        "goal_closed": intent.goal_closed,
        "version": intent.version,
    }
    return fields if wordings is None else {**fields, "words": as_words(wordings)}


def recorded_timed(row: TimedReminder, wordings: Wordings | None = None) -> Fields:
    """A timed reminder; its `words` only where their content id and hash are given."""
    when = row.when
    fields: Fields = {
        "handle": row.handle,
        "namespace": row.namespace_id,
        "space": str(row.space),
        "channel": str(row.channel),
        "conversation": str(row.conversation),
        "creator": row.creator.parts,
        "creator_name": name_hash(row.id, row.creator_name),
        "target": row.target.parts,
        "target_name": name_hash(row.id, row.target_name),
        "for_all": row.for_all,
        "direct": row.direct,
        "local": when.local.replace(fold=0).isoformat(),
        "fold": when.local.fold,
        "zone": when.zone,
        "resolution": str(when.resolution),
        "rule": when.rule,
        "created_at": maybe_micros(row.created_at),
        "source_message_id": row.source_message_id,
        "reply_to": row.reply_to,
        "snoozed_from": row.snoozed_from,
        "fire": row.fire_id,
        "status": str(row.status),
        "due_at": maybe_micros(row.due_at),
        "fired": row.fired,
        "last_due_at": maybe_micros(row.last_due_at),
        "acknowledged_at": maybe_micros(row.acknowledged_at),
        "outbox": row.outbox_id,
        "version": row.version,
    }
    return fields if wordings is None else {**fields, "words": as_words(wordings)}


def standing_change(payload: Mapping[str, object], old: StandingIntent, new: StandingIntent) -> Fields:
    """The same for a standing intent as it was stored and as it is stored now, its words apart."""
    return with_changes(payload, recorded_standing(old), recorded_standing(new))


def timed_change(payload: Mapping[str, object], old: TimedReminder, new: TimedReminder) -> Fields:
    """The same for a timed reminder."""
    return with_changes(payload, recorded_timed(old), recorded_timed(new))
