"""The only reader of the clock, of identity and of randomness in the whole program."""

import secrets
import zoneinfo
from datetime import UTC, datetime, timedelta

import uuid_utils

from core.ports import Clock

# Crockford's base 32: no i, l, o, u, so that a handle can be read aloud.
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
SALT_BYTES = 16
WORD_BYTES = 32


class SystemClock:
    """Aware UTC from the operating system, to the microsecond."""

    def now(self) -> datetime:
        """The present instant."""
        return datetime.now(UTC)


class ShiftedClock:
    """A clock that can be moved forward and back: behind the console's `/time +25h`."""

    def __init__(self, base: Clock, offset: timedelta = timedelta(0)) -> None:
        self._base = base
        self._offset = offset

    @property
    def offset(self) -> timedelta:
        """How far it stands from its base."""
        return self._offset

    def now(self) -> datetime:
        """The base's instant, shifted."""
        return self._base.now() + self._offset

    def shift(self, by: timedelta) -> datetime:
        """Move by `by` (negative: back); returns the new instant.

        Raises OverflowError, and stays where it is, when the calendar ends (years 1 to 9999).
        """
        moved = self._offset + by
        there = self._base.now() + moved
        self._offset = moved
        return there


class SystemIds:
    """UUIDv7 for rows, random salts for words, random handles for people."""

    def uuid(self) -> str:
        """A UUIDv7 as 36-character text; ascending within a process."""
        return str(uuid_utils.uuid7())

    def salt(self) -> bytes:
        """16 random bytes."""
        return secrets.token_bytes(SALT_BYTES)

    def handle(self, prefix: str, letters: int) -> str:
        """`prefix` + "-" + `letters` random letters, as in `i-7k2m`."""
        return f"{prefix}-" + "".join(secrets.choice(ALPHABET) for _ in range(letters))


def seed() -> int:
    """A seed for what need not be kept secret."""
    return secrets.randbits(64)


def word() -> str:
    """A secret of 256 random bits, in letters, digits, - and _."""
    return secrets.token_urlsafe(WORD_BYTES)


def pin_zone_data() -> None:
    """Make every process use the zone rules of the pinned `tzdata` package, not those of its machine."""
    if zoneinfo.TZPATH:
        zoneinfo.reset_tzpath(to=())
        zoneinfo.ZoneInfo.clear_cache()
