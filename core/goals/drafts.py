"""Checking what somebody wants remembered, before anything is stored. Pure."""

import json
from dataclasses import replace
from datetime import datetime

from core.catalogue import say
from core.errors import InvalidInput, LimitExceeded
from core.goals.objects import GoalDraft, Person
from core.limits import Limits
from core.operations.log import canonical
from core.text.visible import has_controls, is_blank


def check_draft(draft: GoalDraft, limits: Limits) -> GoalDraft:
    """The draft with its words made plain. Raises InvalidInput, LimitExceeded."""
    return replace(
        draft,
        value=check_value(draft.value, limits),
        criteria=check_criteria(draft.criteria, limits),
        note=check_note(draft.note, limits),
        structured=check_structured(draft.structured, limits),
        stakeholders=check_stakeholders(draft.stakeholders, limits),
    )


def check_value(text: str, limits: Limits) -> str:
    """1..`goal_chars` visible characters on one line."""
    _check_characters(text)
    trimmed = " ".join(text.split())
    if is_blank(trimmed):
        raise InvalidInput(say("goal.value.empty"), say("goal.value.empty.hint"))
    return _bounded("goal_chars", trimmed, limits.goal_chars)


def check_criteria(text: str, limits: Limits) -> str:
    """Up to `goal_criteria` lines, one criterion each of at most `goal_criterion_chars`; "" for none."""
    _check_characters(text)
    lines = [" ".join(line.split()) for line in text.splitlines()]
    kept = [line for line in lines if line]
    _check_count("goal_criteria", len(kept), limits.goal_criteria)
    for line in kept:
        _bounded("goal_criterion_chars", line, limits.goal_criterion_chars)
    return "\n".join(kept)


def check_note(text: str, limits: Limits) -> str:
    """At most `goal_note_chars` characters, line breaks kept; "" for none."""
    _check_characters(text)
    return _bounded("goal_note_chars", text.strip(), limits.goal_note_chars)


def check_structured(text: str, limits: Limits) -> str:
    """A JSON object in canonical form, at most `goal_structured_chars` characters; "" for none."""
    if not text.strip():
        return ""
    try:
        value = json.loads(text)
        found = canonical(value)
    except (ValueError, TypeError, RecursionError):
        raise InvalidInput(say("goal.structured"), say("goal.structured.hint")) from None
    if not isinstance(value, dict):
        raise InvalidInput(say("goal.structured"), say("goal.structured.hint"))
    return _bounded("goal_structured_chars", found, limits.goal_structured_chars)


def check_stakeholders(people: tuple[Person, ...], limits: Limits) -> tuple[Person, ...]:
    """At most `goal_stakeholders`, each once."""
    once = tuple({person.who: person for person in people}.values())
    _check_count("goal_stakeholders", len(once), limits.goal_stakeholders)
    return once


def check_due(due_at: datetime, now: datetime, limits: Limits) -> datetime:
    """A deadline lies in the future, at most `due_ahead` of now."""
    if due_at <= now:
        raise InvalidInput(say("goal.due.past"), say("goal.due.past.hint"), due_at=due_at)
    if due_at > now + limits.due_ahead:
        hint = say("goal.due.far.hint", limit=limits.due_ahead.days // 365)
        raise LimitExceeded(say("goal.due.far"), hint, name="due_ahead", used=due_at - now, limit=limits.due_ahead)
    return due_at


def _check_characters(text: str) -> None:
    if has_controls(text):
        raise InvalidInput(say("goal.control"), say("goal.control.hint"))


def _bounded(name: str, text: str, limit: int) -> str:
    if len(text) > limit:
        raise LimitExceeded(
            say(f"goal.limit.{name}", used=len(text), limit=limit),
            say("goal.limit.hint"),
            name=name,
            used=len(text),
            limit=limit,
        )
    return text


def _check_count(name: str, used: int, limit: int) -> None:
    if used > limit:
        raise LimitExceeded(
            say(f"goal.limit.{name}", used=used, limit=limit),
            say("goal.limit.count.hint"),
            name=name,
            used=used,
            limit=limit,
        )
