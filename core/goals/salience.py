"""How much an intent stands out, and how that fades (design 02, section 8; D13 to D15). Pure.

Policy `decay-v1`: salience x exp(-lambda t), t in days since the intent was last touched.
"""

from dataclasses import replace
from datetime import datetime, timedelta
from math import exp, log

from core.goals.objects import ONE, EpistemicType, IntentObject, IntentState, LifecycleState
from core.standing.intent import Priority

POLICY = "decay-v1"
LAMBDA: dict[EpistemicType, float] = {
    EpistemicType.OBSERVED: 0.005,
    EpistemicType.ASSERTED: 0.020,
    EpistemicType.INFERRED: 0.070,
}
INITIAL: dict[Priority, int] = {
    Priority.LOW: 300_000,
    Priority.MEDIUM: 500_000,
    Priority.HIGH: 700_000,
    Priority.CRITICAL: 900_000,
}
PINNED = ONE
WARN = 300_000
"""Below it a list warns."""
ARCHIVE = 100_000
"""Below it the intent is archived, unless it is urgent or its deadline lies ahead (D14)."""
_HALF = 0.5
"""What rounds to a threshold is not below it yet."""
_DAY = timedelta(days=1)
_SECOND = timedelta(seconds=1)


def fades(intent: IntentObject) -> bool:
    """Risks do not, nor what is pinned, over or archived."""
    return not (intent.is_risk or intent.pinned) and intent.lifecycle_state is LifecycleState.ACTIVE


def salience_at(intent: IntentObject, now: datetime) -> int:
    """In millionths, as of `now`. A clock that went back fades nothing."""
    if not fades(intent):
        return intent.salience
    return faded(intent.salience, intent.epistemic_type, now - intent.touched_at)


def faded(salience: int, epistemic_type: EpistemicType, age: timedelta) -> int:
    """A salience after that time untouched, in millionths."""
    days = max(age / _DAY, 0.0)
    return round(salience * exp(-LAMBDA[epistemic_type] * days))


def kept_from_archive(intent: IntentObject, now: datetime) -> bool:
    """High and critical ones are never archived by age, nor is one whose deadline lies ahead (D14)."""
    ahead = intent.target_completion is not None and intent.target_completion > now
    return intent.priority >= Priority.HIGH or ahead


def crossing(intent: IntentObject, threshold: int) -> datetime | None:
    """The first whole second at which it is below the threshold; None when it never is, or is from the beginning."""
    if not fades(intent) or intent.salience <= threshold:
        return None
    days = log(intent.salience / (threshold - _HALF)) / LAMBDA[intent.epistemic_type]
    return intent.touched_at + timedelta(seconds=int(days * _DAY.total_seconds()) + 1)


def next_fading(intent: IntentObject, after: datetime) -> datetime | None:
    """When it next falls below a threshold, later than `after`; None when it does not.

    One that has fallen below both and was kept from the archive is looked at again when its deadline has passed.
    """
    times = [found for threshold in (WARN, ARCHIVE) if (found := crossing(intent, threshold)) is not None]
    if not fades(intent) or intent.intent_state not in {IntentState.ACTIVE, IntentState.ON_HOLD}:
        return None
    last = crossing(intent, ARCHIVE)
    if last is not None and last <= after:
        return last  # it fell that far before anybody looked: the next heartbeat archives it
    return min((time for time in times if time > after), default=None)


def touched(intent: IntentObject, now: datetime) -> IntentObject:
    """Looked at, changed, fired or nearer to its end: it stands out as at the beginning. A risk stays as it is."""
    if intent.is_risk:
        return replace(intent, fades_at=None)
    fresh = replace(intent, touched_at=max(now, intent.touched_at))
    return replace(fresh, fades_at=next_fading(fresh, now))


def weighed(intent: IntentObject, now: datetime) -> IntentObject:
    """With the salience that belongs to its priority and pin, as after a change by a person."""
    salience = PINNED if intent.pinned else INITIAL[intent.priority]
    fresh = replace(intent, salience=salience, touched_at=now)
    return replace(fresh, fades_at=next_fading(fresh, now))
