"""Mutes: one switch above all intents for a conversation, a channel or a space. Pure.

A mute is a setting of the space, one row a muted place: `mute:<place id>` with the instant at which it ends in
microseconds, 0 for one without an end.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from core.turn import PlaceKind, Spot

PREFIX = "mute:"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Mute:
    """What is muted, and until when; `until` None means until somebody ends it."""

    kind: PlaceKind
    until: datetime | None


def key_of(place: int) -> str:
    """The name of the setting that mutes a place."""
    return f"{PREFIX}{place}"


def mute_at(stored: Mapping[str, object], spot: Spot, now: datetime) -> Mute | None:
    """The widest mute in force at a spot, by the stored settings of its space."""
    for kind, place in (
        (PlaceKind.SPACE, spot.space),
        (PlaceKind.CHANNEL, spot.channel),
        (PlaceKind.CONVERSATION, spot.conversation),
    ):
        until = stored.get(key_of(place))
        if isinstance(until, int) and not ended(until, now):
            return Mute(kind, _moment(until) if until else None)
    return None


def ended(until: object, now: datetime) -> bool:
    """Is a mute over, by its stored end?"""
    return isinstance(until, int) and until != 0 and now >= _moment(until)


def _moment(micros: int) -> datetime:
    return _EPOCH + timedelta(microseconds=micros)
