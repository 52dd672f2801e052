"""Which risks surface by themselves (RFC-0013, section 8; D10, D11). Pure."""

from core.goals.objects import UNRESOLVED, IntentObject, IntentState
from core.standing.intent import Priority

SEEN = frozenset({IntentState.ACTIVE, IntentState.EXPIRED})


def is_critical(row: IntentObject) -> bool:
    """In every bundle of its namespace: a CRITICAL risk until it is completed, cancelled, superseded or downgraded.

    Also when its deadline has passed and when it is on hold (D10). `row` is as of now.
    """
    return row.is_risk and row.priority is Priority.CRITICAL and row.intent_state in UNRESOLVED


def is_high(row: IntentObject) -> bool:
    """At least once in every session: a HIGH risk, active or past its deadline (D11)."""
    return row.is_risk and row.priority is Priority.HIGH and row.intent_state in SEEN


def is_told(row: IntentObject) -> bool:
    """Its owner is reminded of it, once a day, where no assistant surfaces it (D19)."""
    return (is_critical(row) or is_high(row)) and not row.is_proposal
