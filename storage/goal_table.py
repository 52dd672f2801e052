"""The tables of goal memory, and their rows to domain objects and back.

Words lie in `content`. A deadline is kept as it was said (wall time, zone, how exactly) beside its instant.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, Index
from sqlmodel import Field

from core.goals.objects import (
    EpistemicType,
    IntentObject,
    IntentState,
    IntentType,
    LifecycleState,
    Person,
    SourceType,
    Summary,
)
from core.operations.log import canonical
from core.standing.intent import Priority
from core.timed.when import Resolution, When
from core.turn import Principal
from storage.columns import (
    Base,
    big_column,
    key_column,
    key_reference,
    one_of,
    partial,
    small_column,
    text_column,
    text_reference,
)
from storage.types import KEY, micros, micros_or_none, moment, moment_or_none, shown

ACTIVE = "intent_state = 'ACTIVE'"
OPEN = "intent_state IN ('ACTIVE','ON_HOLD')"
COUNTED = f"{OPEN} AND lifecycle_state = 'ACTIVE' AND epistemic_type <> 'INFERRED'"
OVERDUE = f"{ACTIVE} AND target_completion IS NOT NULL"
FADING = "fades_at IS NOT NULL"
UNREVIEWED = "epistemic_type = 'INFERRED' AND lifecycle_state = 'ACTIVE'"
RISKS = "intent_type = 'RISK' AND priority >= 2 AND intent_state IN ('ACTIVE','ON_HOLD','EXPIRED')"
SHOWN = (
    "((intent_state = 'ACTIVE' AND lifecycle_state = 'ACTIVE')"
    " OR (intent_type = 'RISK' AND intent_state IN ('ACTIVE','ON_HOLD','EXPIRED')))"
)


class GoalIntentRow(Base, table=True):
    """An intent of goal memory."""

    __tablename__ = "goal_intents"
    __table_args__ = (
        one_of("intent_type", IntentType),
        one_of("intent_state", IntentState),
        one_of("lifecycle_state", LifecycleState),
        one_of("epistemic_type", EpistemicType),
        one_of("source_type", SourceType),
        one_of("priority", Priority),
        CheckConstraint("confidence BETWEEN 0 AND 1000000", name="confidence"),
        CheckConstraint("salience BETWEEN 0 AND 1000000", name="salience"),
        CheckConstraint("(due_local IS NULL) = (target_completion IS NULL)", name="due"),
        CheckConstraint("(intent_state = 'SUPERSEDED') = (superseded_by IS NOT NULL)", name="superseded_by"),
        CheckConstraint("version >= 1", name="version"),
        Index("ix_goal_intents_namespace", "namespace_id", "created_at"),
        Index("ix_goal_intents_fold", "namespace_id", "fold"),
        Index("ix_goal_intents_owner", "owner"),
        partial("ix_goal_intents_shown", "namespace_id", where=SHOWN),
        partial("ix_goal_intents_space", "space", where=COUNTED),
        partial("ix_goal_intents_overdue", "target_completion", where=OVERDUE),
        partial("ix_goal_intents_fading", "fades_at", where=FADING),
        partial("ix_goal_intents_unreviewed", "created_at", where=UNREVIEWED),
        partial("ix_goal_intents_risks", "owner", "space", where=RISKS),
    )

    key: int | None = key_column()
    id: str = text_column(unique=True)
    handle: str = text_reference("handles.handle", unique=True)
    namespace_id: str = text_reference("namespaces.id")
    space: int = key_reference("places.id")
    channel: int = key_reference("places.id")
    conversation: int = key_reference("places.id")
    creator: int = key_reference("principals.id")
    creator_name: str = text_column()
    asserted_by: str = text_column()
    created_at: int = big_column()
    intent_type: str = text_column()
    value_id: str = text_reference("content.id")
    criteria_id: str | None = text_reference("content.id", nullable=True)
    note_id: str | None = text_reference("content.id", nullable=True)
    structured_id: str | None = text_reference("content.id", nullable=True)
    owner: int = key_reference("principals.id")
    owner_name: str = text_column()
    stakeholders: str = text_column()
    intent_state: str = text_column()
    lifecycle_state: str = text_column()
    priority: int = small_column()
    epistemic_type: str = text_column()
    source_type: str = text_column()
    confidence: int = big_column()
    salience: int = big_column()
    touched_at: int = big_column()
    pinned: bool = Field()
    due_local: str | None = text_column(nullable=True)
    due_fold: int = small_column()
    due_zone: str = text_column()
    due_resolution: str = text_column()
    target_completion: int | None = big_column(nullable=True)
    evidence: str = text_column()
    last_modified_at: int = big_column()
    valid_from: int | None = big_column(nullable=True)
    valid_to: int | None = big_column(nullable=True)
    superseded_by: str | None = text_column(nullable=True)
    fades_at: int | None = big_column(nullable=True)
    told_at: int | None = big_column(nullable=True)
    fold: str = text_column()
    version: int = big_column()


class GoalEdgeRow(Base, table=True):
    """`dependent` waits for `prerequisite`."""

    __tablename__ = "goal_edges"
    __table_args__ = (
        Index("ix_goal_edges_prerequisite", "prerequisite", "dependent"),
        CheckConstraint("dependent <> prerequisite", name="apart"),
        {"sqlite_with_rowid": False},
    )

    dependent: int = key_reference("goal_intents.key", primary_key=True)
    prerequisite: int = key_reference("goal_intents.key", primary_key=True)
    created_at: int = big_column()


class GoalSummaryRow(Base, table=True):
    """What is remembered of a completed intent. Its words lie in `content`."""

    __tablename__ = "goal_summaries"
    __table_args__ = (
        one_of("epistemic_type", EpistemicType),
        CheckConstraint("confidence BETWEEN 0 AND 1000000", name="confidence"),
        CheckConstraint("salience BETWEEN 0 AND 1000000", name="salience"),
        Index("ix_goal_summaries_namespace", "namespace_id", "created_at"),
    )

    key: int | None = key_column()
    id: str = text_column(unique=True)
    namespace_id: str = text_reference("namespaces.id")
    intent_key: int = key_reference("goal_intents.key", unique=True)
    text_id: str = text_reference("content.id")
    created_at: int = big_column()
    epistemic_type: str = text_column()
    confidence: int = big_column()
    salience: int = big_column()
    evidence: str = text_column()


class GoalSessionRow(Base, table=True):
    """The last session of a conversation: `surfaced` are the keys of the risks that were really shown in it."""

    __tablename__ = "goal_sessions"

    conversation: int = Field(
        primary_key=True, foreign_key="places.id", sa_type=KEY, sa_column_kwargs={"autoincrement": False}
    )
    started_at: int = big_column()
    last_at: int = big_column()
    surfaced: str = text_column()


_COLUMNS = tuple(GoalIntentRow.model_fields)
FIXED = _COLUMNS[1 : _COLUMNS.index("intent_type")]
MUTABLE = _COLUMNS[_COLUMNS.index("intent_type") : -1]
SELECTED = tuple(name for name in _COLUMNS if name not in {"creator", "owner"})


def fixed_values(row: IntentObject, creator: int) -> tuple[object, ...]:
    """Values of `FIXED` for a new row; its creator by key."""
    return (
        row.id,
        row.handle,
        row.namespace_id,
        row.space,
        row.channel,
        row.conversation,
        creator,
        shown(row.creator.name),
        shown(row.asserted_by),
        micros(row.created_at),
    )


def mutable_values(row: IntentObject, owner: int) -> tuple[object, ...]:
    """Values of `MUTABLE`; the owner by key."""
    due = row.due
    return (
        row.intent_type.value,
        row.value_id,
        row.criteria_id,
        row.note_id,
        row.structured_id,
        owner,
        shown(row.owner.name),
        canonical([[*person.who.parts, shown(person.name)] for person in row.stakeholders]),
        row.intent_state.value,
        row.lifecycle_state.value,
        int(row.priority),
        row.epistemic_type.value,
        row.source_type.value,
        row.confidence,
        row.salience,
        micros(row.touched_at),
        row.pinned,
        None if due is None else due.local.replace(fold=0).isoformat(),
        0 if due is None else due.local.fold,
        "" if due is None else due.zone,
        "" if due is None else due.resolution.value,
        micros_or_none(row.target_completion),
        canonical(list(row.evidence_ids)),
        micros(row.last_modified_at),
        micros_or_none(row.valid_from),
        micros_or_none(row.valid_to),
        row.superseded_by,
        micros_or_none(row.fades_at),
        micros_or_none(row.told_at),
        row.fold,
    )


def stake_of(who: Principal) -> str:
    """What stands in the stakeholders of a row when somebody is one of them."""
    return canonical(who.parts)[:-1] + ","


def _people(text: str) -> tuple[Person, ...]:
    return tuple(Person(Principal(*one[:3]), one[3]) for one in json.loads(text)) if text != "[]" else ()


def intent_of(row: Sequence[Any]) -> IntentObject:
    """`SELECTED`, then provider, account and id of creator and owner, then value, criteria, note and structured value.

    Erased words come out empty.
    """
    (key, id_, handle, namespace, space, channel, conversation, creator_name, asserted_by, created_at) = row[:10]
    (intent_type, value_id, criteria_id, note_id, structured_id, owner_name, stakeholders) = row[10:17]
    (state, lifecycle, priority, epistemic, source, confidence, salience, touched_at, pinned) = row[17:26]
    (local, fold_, zone, resolution, target, evidence, modified_at, valid_from, valid_to) = row[26:35]
    (superseded_by, fades_at, told_at, fold, version) = row[35:40]
    due = None
    if local is not None:
        due = When(datetime.fromisoformat(local).replace(fold=fold_), zone, Resolution(resolution))
    return IntentObject(
        id=id_,
        handle=handle,
        namespace_id=namespace,
        space=space,
        channel=channel,
        conversation=conversation,
        intent_type=IntentType(intent_type),
        value=row[46] or "",
        creator=Person(Principal(*row[40:43]), creator_name),
        owner=Person(Principal(*row[43:46]), owner_name),
        created_at=moment(created_at),
        last_modified_at=moment(modified_at),
        touched_at=moment(touched_at),
        intent_state=IntentState(state),
        lifecycle_state=LifecycleState(lifecycle),
        priority=Priority(priority),
        epistemic_type=EpistemicType(epistemic),
        source_type=SourceType(source),
        confidence=confidence,
        salience=salience,
        pinned=bool(pinned),
        stakeholders=_people(stakeholders),
        due=due,
        target_completion=moment_or_none(target),
        criteria=row[47] or "",
        note=row[48] or "",
        structured=row[49] or "",
        evidence_ids=tuple(json.loads(evidence)),
        asserted_by=asserted_by,
        valid_from=moment_or_none(valid_from),
        valid_to=moment_or_none(valid_to),
        superseded_by=superseded_by,
        fades_at=moment_or_none(fades_at),
        told_at=moment_or_none(told_at),
        fold=fold,
        value_id=value_id,
        criteria_id=criteria_id,
        note_id=note_id,
        structured_id=structured_id,
        key=key,
        version=version,
    )


def keyed(row: IntentObject, key: int) -> IntentObject:
    """The intent as stored under `key`; the notes of its deadline are not kept."""
    return replace(row, key=key, due=None if row.due is None else replace(row.due, notes=()))


SUMMARY = (
    "SELECT s.key, s.id, s.namespace_id, g.id, g.handle, s.text_id, s.created_at, s.epistemic_type, s.confidence,"
    " s.salience, s.evidence, d.text FROM goal_summaries AS s JOIN goal_intents AS g ON g.key = s.intent_key"
    " JOIN content AS d ON d.id = s.text_id "
)


def summary_of(row: Sequence[Any]) -> Summary:
    """A row of `SUMMARY`."""
    key, id_, namespace, intent_id, handle, text_id, created_at, epistemic, confidence, salience, evidence, text = row
    return Summary(
        id=id_,
        namespace_id=namespace,
        intent_id=intent_id,
        intent_handle=handle,
        text=text or "",
        created_at=moment(created_at),
        salience=salience,
        evidence_ids=tuple(json.loads(evidence)),
        text_id=text_id,
        epistemic_type=EpistemicType(epistemic),
        confidence=confidence,
        key=key,
    )


def readable_summary(row: Sequence[Any]) -> Summary | None:
    """The same; None for a row that holds a value which this version does not know."""
    try:
        return summary_of(row)
    except (ValueError, TypeError):
        return None
