"""Builders for bundles: intents as a store would give them back, and what a bundle of them shows."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any
from xml.etree import ElementTree

from core.context.bundle import Built, Mode, Query, build
from core.context.deck import laid_out_in
from core.context.entities import read
from core.goals.kept import Known
from core.goals.objects import EpistemicType, IntentObject, IntentState, IntentType, LifecycleState, Person, Summary
from core.standing.intent import Priority
from core.timed.when import Resolution, When
from tests.builders import ADA, NOW

_OVER = {IntentState.COMPLETED, IntentState.CANCELLED, IntentState.SUPERSEDED}


def a_row(number: int = 1, value: str = "Ship the API", **fields: Any) -> IntentObject:
    """An active goal of medium priority, made an hour ago; `due` may be an instant, `inferred` makes it a proposal."""
    due, state = fields.pop("due", None), fields.get("intent_state", IntentState.ACTIVE)
    if isinstance(due, datetime):
        fields["target_completion"] = due
        due = When(due.replace(tzinfo=None), "UTC", Resolution.DAY)
    if fields.pop("inferred", False):
        fields["epistemic_type"] = EpistemicType.INFERRED
    made = NOW - timedelta(hours=1)
    risk = fields.get("intent_type") is IntentType.RISK
    over = state in _OVER or (state is IntentState.EXPIRED and not risk)
    base: dict[str, Any] = {
        "id": f"00000000-0000-7000-8000-{number:012d}",
        "handle": f"g-{number:04d}",
        "namespace_id": "home",
        "space": 1,
        "channel": 2,
        "conversation": 3,
        "intent_type": IntentType.GOAL,
        "value": value,
        "creator": Person(ADA, "Ada"),
        "owner": Person(ADA, "Ada"),
        "created_at": made,
        "last_modified_at": made,
        "touched_at": made,
        "lifecycle_state": LifecycleState.ARCHIVED if over else LifecycleState.ACTIVE,
        "due": due,
        "key": number,
    }
    return IntentObject(**(base | fields))


def a_risk_row(number: int = 1, priority: Priority = Priority.CRITICAL, **fields: Any) -> IntentObject:
    """The same, a critical risk."""
    return a_row(number, **({"value": "Contract ends", "intent_type": IntentType.RISK, "priority": priority} | fields))


def a_summary(number: int = 1, text: str = "Goal 'Ship' was completed on 2026-11-01.", **fields: Any) -> Summary:
    """What is remembered of a completed intent."""
    base: dict[str, Any] = {
        "id": f"summary-{number}",
        "namespace_id": "home",
        "intent_id": f"intent-{number}",
        "intent_handle": f"g-s{number:03d}",
        "text": text,
        "created_at": NOW - timedelta(days=number),
        "salience": 200_000,
        "evidence_ids": (),
        "key": number,
    }
    return Summary(**(base | fields))


def a_query(
    rows: Iterable[IntentObject] = (),
    text: str = "",
    waits: Mapping[str, tuple[str, ...]] | None = None,
    summaries: Iterable[Summary] = (),
    **fields: Any,
) -> Query:
    """A question to a namespace that holds these."""
    deck = laid_out_in("en")(Known(tuple(rows), dict(waits or {}), tuple(summaries)))
    return Query(deck, read(text), **fields)


def built(
    rows: Iterable[IntentObject] = (),
    text: str = "",
    budget: int = 1_024,
    mode: Mode = Mode.DEFAULT,
    now: datetime = NOW,
    **fields: Any,
) -> Built:
    """The bundle of a namespace that holds these, for a message."""
    return build(a_query(rows, text, **fields), mode, budget, now)


def handles(made: Built) -> list[str]:
    """What it shows, in order."""
    return [item.intent.handle for item in made.items]


def elements(block: str) -> list[ElementTree.Element]:
    """The lines of a block, read by an XML parser; none for an empty block."""
    return list(ElementTree.fromstring(block)) if block else []
