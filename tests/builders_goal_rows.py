"""Rows of goal memory that no store has seen, for what is pure. Say what matters."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from core.goals.objects import Edge, IntentObject, IntentType, Person
from core.services.read_goals import GoalPage, GoalView, Graph
from core.timed.when import Resolution, When
from tests.builders import ADA, BOB, NOW

ADA_NAMED, BOB_NAMED = Person(ADA, "ada"), Person(BOB, "bob")


def a_row(handle: str = "g-7k2m", value: str = "ship the API", **fields: Any) -> IntentObject:
    """Ada's goal; its id is its handle. `due` is an instant."""
    due = fields.pop("due", None)
    if due is not None:
        when = When(due.replace(tzinfo=None), "UTC", Resolution.MINUTE)
        fields |= {"due": when, "target_completion": due}
    row = IntentObject(
        id=handle,
        handle=handle,
        namespace_id="n",
        space=1,
        channel=2,
        conversation=2,
        intent_type=IntentType.GOAL,
        value=value,
        creator=ADA_NAMED,
        owner=ADA_NAMED,
        created_at=NOW,
        last_modified_at=NOW,
        touched_at=NOW,
        evidence_ids=("e",),
        valid_from=NOW,
    )
    return replace(row, **fields)


def a_risk_row(handle: str = "g-4tq9", value: str = "vendor contract ends", **fields: Any) -> IntentObject:
    """The same, a risk."""
    return a_row(handle, value, intent_type=IntentType.RISK, **fields)


def a_view(row: IntentObject, **fields: Any) -> GoalView:
    """With nothing around it."""
    around: dict[str, Any] = dict.fromkeys(("depends_on", "blocks", "questions", "rules"), ())
    alone = {"summary": None, "successor": None, "salience": row.salience, "channel_name": "general", "now": NOW}
    return GoalView(row, **(around | alone | fields))


def a_page(*rows: IntentObject, **fields: Any) -> GoalPage:
    """A page of these, seen from where they were made."""
    facts = {"total": len(rows), "number": 1, "size": 10, "now": NOW, "here": 2}
    return GoalPage(rows, **(facts | fields))


def a_graph(*rows: IntentObject, edges: tuple[tuple[str, str], ...] = ()) -> Graph:
    """Each edge is a pair of handles: what waits, and for what."""
    return Graph(rows, tuple(Edge(*edge) for edge in edges))


def on(day: int, hour: int = 12) -> datetime:
    """A day of December 2026."""
    return NOW.replace(month=12, day=day, hour=hour, minute=0)
