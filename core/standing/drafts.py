"""Checking what an owner asked for, before anything is stored. Pure."""

from dataclasses import replace
from datetime import datetime, timedelta

from core.catalogue import say
from core.errors import InvalidInput, LimitExceeded
from core.limits import Limits
from core.standing import block
from core.standing.durations import show_duration
from core.standing.intent import Draft
from core.standing.machines import least_cooldown
from core.standing.triggers import Entry, parse_entries
from core.text.analyse import TextOptions
from core.text.visible import has_controls, is_blank
from core.turn import Principal, Where


def check_description(text: str, now: datetime, limits: Limits) -> str:
    """Trimmed description of 1..`description_chars` characters, line breaks and tabs as spaces.

    Raises InvalidInput for control characters and lone surrogates, LimitExceeded for a length.
    """
    if has_controls(text):
        raise InvalidInput(say("draft.description.control"), say("draft.description.control.hint"))
    trimmed = " ".join(text.split())
    if is_blank(trimmed):
        raise InvalidInput(say("draft.description.empty"), say("draft.description.empty.hint"))
    _bound("description_chars", len(trimmed), limits.description_chars)
    _bound("block_chars", len(block.render([block.line(now, trimmed)])), limits.block_chars)
    return trimmed


def check_max_fires(count: int, limits: Limits) -> int:
    """1..`max_fires`."""
    if not 1 <= count <= limits.max_fires:
        raise InvalidInput(
            say("draft.max_fires", used=count),
            say("draft.max_fires.hint", limit=limits.max_fires),
            used=count,
            limit=limits.max_fires,
        )
    return count


def check_cooldown(cooldown: timedelta, watches: Principal | None, limits: Limits) -> timedelta:
    """0 s..`cooldown`; at least `machine_cooldown` for a rule that watches a bot or a webhook."""
    if not timedelta(0) <= cooldown <= limits.cooldown:
        raise InvalidInput(
            say("draft.cooldown", used=show_duration(cooldown)),
            say("draft.cooldown.hint", limit=limits.cooldown.days),
            used=cooldown,
            limit=limits.cooldown,
        )
    return max(cooldown, least_cooldown(watches, limits))


def check_expiry(draft: Draft, now: datetime, limits: Limits) -> datetime:
    """The instant of expiry: in the future, at most `lifetime` from now."""
    span = draft.expires_in if draft.expires_in is not None else timedelta(0)
    if draft.expires_at is None and not timedelta(0) < span <= limits.lifetime:
        raise _bad_expiry(limits)
    expires_at = draft.expires_at or now + span
    if not now < expires_at <= now + limits.lifetime:
        raise _bad_expiry(limits)
    return expires_at


def _bad_expiry(limits: Limits) -> InvalidInput:
    return InvalidInput(say("draft.expiry"), say("draft.expiry.hint", limit=limits.lifetime.days // 365))


def check_entries(draft: Draft, options: TextOptions) -> tuple[Entry, ...]:
    """The trigger entries, parsed; raises InvalidTrigger or LimitExceeded with entry and reason."""
    return parse_entries(draft.triggers, options, anyone=draft.anyone)


def whole(named: Where) -> Where:
    """A place as named; a channel alone is its own conversation."""
    return replace(named, conversation=named.conversation or named.channel)


def check_except(named: tuple[Where, ...], limits: Limits) -> tuple[Where, ...]:
    """The places in which a rule stays quiet, each once; at most `except_places`."""
    once: dict[tuple[str, ...], Where] = {}
    for where in map(whole, named):
        once.setdefault((where.provider, where.account, where.space, where.channel, where.conversation), where)
    _bound("except_places", len(once), limits.except_places)
    return tuple(once.values())


def _bound(name: str, used: int, limit: int) -> None:
    if used > limit:
        raise LimitExceeded(
            say(f"draft.{name}", used=used, limit=limit),
            say(f"draft.{name}.hint", limit=limit),
            name=name,
            used=used,
            limit=limit,
        )
