"""What operations record of goal memory: one pure function for each kind of object, as in `core.operations.recorded`.

Confidence and salience are in millionths. Display names are told as hashes, words as pairs of content id and salted
hash. The key under which a proposal is found again is not told: made of the words without a salt, it would let them be
guessed after they were erased.
"""

from collections.abc import Mapping

from core.goals.objects import IntentObject, Summary
from core.operations.recorded import Fields, as_words, differences, maybe_micros, name_hash

Words = Mapping[str, tuple[str, str]]
"""Field -> (content id, salted hash), in the order value, criteria, note, structured; the hash is "" when erased."""


def recorded(intent: IntentObject, words: Words | None = None) -> Fields:
    """An intent; its `words` only where their content ids and hashes are given."""
    due = intent.due
    fields: Fields = {
        "handle": intent.handle,
        "namespace": intent.namespace_id,
        "space": str(intent.space),
        "channel": str(intent.channel),
        "conversation": str(intent.conversation),
        "type": str(intent.intent_type),
        "value": intent.value_id,
        "criteria": intent.criteria_id,
        "note": intent.note_id,
        "structured": intent.structured_id,
        "creator": intent.creator.who.parts,
        "creator_name": name_hash(intent.id, intent.creator.name),
        "asserted_by": intent.asserted_by,
        "owner": intent.owner.who.parts,
        "owner_name": name_hash(intent.id, intent.owner.name),
        "stakeholders": [[*one.who.parts, name_hash(intent.id, one.name)] for one in intent.stakeholders],
        "state": str(intent.intent_state),
        "lifecycle": str(intent.lifecycle_state),
        "priority": intent.priority.name,
        "epistemic_type": str(intent.epistemic_type),
        "source_type": str(intent.source_type),
        "confidence": intent.confidence,
        "salience": intent.salience,
        "pinned": intent.pinned,
        "due_local": None if due is None else due.local.replace(fold=0).isoformat(),
        "due_fold": 0 if due is None else due.local.fold,
        "due_zone": "" if due is None else due.zone,
        "due_resolution": "" if due is None else str(due.resolution),
        "target_completion": maybe_micros(intent.target_completion),
        "evidence": list(intent.evidence_ids),
        "created_at": maybe_micros(intent.created_at),
        "last_modified_at": maybe_micros(intent.last_modified_at),
        "touched_at": maybe_micros(intent.touched_at),
        "valid_from": maybe_micros(intent.valid_from),
        "valid_to": maybe_micros(intent.valid_to),
        "superseded_by": intent.superseded_by,
        "fades_at": maybe_micros(intent.fades_at),
        "told_at": maybe_micros(intent.told_at),
        "version": intent.version,
    }
    return fields if words is None else {**fields, "words": as_words(words.values())}


def recorded_summary(summary: Summary, digest: str) -> Fields:
    """A summary; `digest` is the salted hash of its text, "" when erased."""
    return {
        "namespace": summary.namespace_id,
        "intent": summary.intent_id,
        "created_at": maybe_micros(summary.created_at),
        "epistemic_type": str(summary.epistemic_type),
        "confidence": summary.confidence,
        "salience": summary.salience,
        "evidence": list(summary.evidence_ids),
        "words": [[summary.text_id, digest]],
    }


def changed(old: IntentObject, new: IntentObject, words: tuple[Words, Words] | None = None) -> dict[str, list[object]]:
    """{field: [old, new]} of the fields that differ; `words` are those before and after, where they changed."""
    before, after = words or (None, None)
    return differences(recorded(old, before), recorded(new, after))
