"""The table of moves of an intent (RFC-0013, section 4; D1 to D4), and its effective state. Pure."""

from dataclasses import replace
from datetime import datetime

from core.catalogue import say
from core.errors import InvalidTransition
from core.goals.objects import OPEN, IntentObject, IntentState, IntentType, LifecycleState
from core.standing.intent import Priority

GOAL_MOVES: dict[IntentState, frozenset[IntentState]] = {
    IntentState.ACTIVE: frozenset(IntentState) - {IntentState.ACTIVE},
    IntentState.ON_HOLD: frozenset({IntentState.ACTIVE}),
    IntentState.COMPLETED: frozenset(),
    IntentState.CANCELLED: frozenset(),
    IntentState.EXPIRED: frozenset(),
    IntentState.SUPERSEDED: frozenset(),
}
RISK_MOVES = GOAL_MOVES | {IntentState.EXPIRED: frozenset({IntentState.COMPLETED, IntentState.CANCELLED})}
"""A risk whose deadline has passed is still a risk, and can be resolved (D2)."""


def moves_of(intent_type: IntentType) -> dict[IntentState, frozenset[IntentState]]:
    """The table of a type."""
    return RISK_MOVES if intent_type is IntentType.RISK else GOAL_MOVES


_SHARED = {IntentState.CANCELLED: "status.cancelled", IntentState.EXPIRED: "status.expired"}


def state_name(state: IntentState) -> str:
    """The state in words people use."""
    return say(_SHARED.get(state, f"goal.state.{state.value.lower()}"))


def move(intent: IntentObject, new: IntentState) -> IntentObject:
    """The intent in its new state, with the lifecycle that belongs to it (D3).

    Raises InvalidTransition for a pair that the table does not have.
    """
    old = intent.intent_state
    if new not in moves_of(intent.intent_type)[old]:
        same = old is new
        raise InvalidTransition(
            say(
                "goal.moved.same" if same else "goal.moved",
                handle=intent.handle,
                old=state_name(old),
                new=state_name(new),
            ),
            say(_hint(old, new), handle=intent.handle),
            kind="goal",
            old=old,
            new=new,
        )
    return replace(intent, intent_state=new, lifecycle_state=_lifecycle(intent, new))


def _hint(old: IntentState, new: IntentState) -> str:
    if old is IntentState.ON_HOLD:
        return "goal.moved.held.hint" if new is not IntentState.ON_HOLD else "goal.moved.same.held.hint"
    return "goal.moved.over.hint" if old is not IntentState.ACTIVE else "goal.moved.active.hint"


def _lifecycle(intent: IntentObject, new: IntentState) -> LifecycleState:
    if new is IntentState.SUPERSEDED:
        return LifecycleState.SUPERSEDED
    if new in {IntentState.COMPLETED, IntentState.CANCELLED}:
        return LifecycleState.ARCHIVED
    if new is IntentState.EXPIRED:
        return LifecycleState.ACTIVE if intent.is_risk else LifecycleState.ARCHIVED
    return LifecycleState.ACTIVE


def overdue(intent: IntentObject, now: datetime) -> bool:
    """Is it active, and its deadline at or before `now`? What is on hold does not expire (D4)."""
    due = intent.target_completion
    return intent.intent_state is IntentState.ACTIVE and due is not None and due <= now


def expired(intent: IntentObject) -> IntentObject:
    """After its deadline: EXPIRED; a risk is one level more urgent, the one automatic change of priority."""
    moved = move(intent, IntentState.EXPIRED)
    return replace(moved, priority=escalated(moved.priority)) if moved.is_risk else moved


def escalated(priority: Priority) -> Priority:
    """One level up; CRITICAL stays."""
    return Priority(min(priority + 1, Priority.CRITICAL))


def effective(intent: IntentObject, now: datetime) -> IntentObject:
    """As of `now`, whether or not the heartbeat has moved the row; the same object when it is there already."""
    return expired(intent) if overdue(intent, now) else intent


def is_faded(intent: IntentObject) -> bool:
    """Archived by age alone: its intention is where it was, and it can be resumed."""
    return intent.lifecycle_state is LifecycleState.ARCHIVED and intent.intent_state in OPEN
