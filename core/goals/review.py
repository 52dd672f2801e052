"""The review of what a machine concluded: confirm, edit, dismiss, and never the same question twice. Pure."""

import hashlib
import unicodedata
from dataclasses import replace
from datetime import datetime

from core.catalogue import say
from core.errors import InvalidTransition
from core.goals.objects import CONFIDENCE, EpistemicType, IntentObject, IntentState, IntentType, SourceType
from core.goals.salience import touched
from core.goals.states import move, moves_of, state_name
from core.standing.intent import Priority
from core.text.fold import fold

CONFIRMED = "user_confirmation"
"""What triggers the epistemic transition of a proposal."""


AGELESS = Priority.HIGH
"""A proposed risk of this priority or above is not archived when nobody looks at it (D18)."""


def fold_key(intent_type: IntentType, value: str) -> str:
    """The key of a proposal: its type and its folded words, hashed.

    Case, accents of spelling, spaces and punctuation do not tell two apart; a text of signs alone counts as it is.
    """
    folded = fold(value)
    letters = "".join(one if one.isalnum() or unicodedata.category(one)[0] == "M" else " " for one in folded)
    words = " ".join(letters.split()) or " ".join(folded.split())
    return hashlib.sha256(f"{intent_type}\n{words}".encode()).hexdigest()


def confirmed(intent: IntentObject, now: datetime) -> IntentObject:
    """A proposal that somebody said yes to: ASSERTED, USER_STATED, with its confidence (D6).

    Raises InvalidTransition for what is no proposal (any more): a second yes is refused.
    """
    _require_open(intent)
    yes = replace(
        intent,
        epistemic_type=EpistemicType.ASSERTED,
        source_type=SourceType.USER_STATED,
        confidence=CONFIDENCE[SourceType.USER_STATED],
        valid_from=intent.valid_from or now,
    )
    return touched(yes, now)


def dismissed(intent: IntentObject) -> IntentObject:
    """A proposal that somebody said no to. Raises InvalidTransition for what is no open proposal (any more)."""
    _require_open(intent)
    return move(intent, IntentState.CANCELLED)


def _require_open(intent: IntentObject) -> None:
    if not intent.is_proposal:
        raise InvalidTransition(
            say("goal.review.confirmed", handle=intent.handle),
            say("goal.review.confirmed.hint", handle=intent.handle),
            kind="goal",
            old=intent.epistemic_type,
            new=EpistemicType.ASSERTED,
        )
    if IntentState.CANCELLED not in moves_of(intent.intent_type)[intent.intent_state]:
        raise InvalidTransition(
            say("goal.review.over", handle=intent.handle, state=state_name(intent.intent_state)),
            say("goal.review.over.hint"),
            kind="goal",
            old=intent.intent_state,
            new=intent.intent_state,
        )


def ages(intent: IntentObject) -> bool:
    """Is a proposal archived when nobody looks at it? A risk that is HIGH or CRITICAL is not (D18)."""
    return intent.is_proposal and not (intent.is_risk and intent.priority >= AGELESS)
