"""What an adapter hands over: plain text and the stretches of it that are not plain words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum


class ZoneKind(StrEnum):
    """Why a stretch of text is not read as ordinary words."""

    CODE = "code"  # left out of matching
    QUOTE = "quote"  # left out of matching: somebody else's words
    URL = "url"  # left out of matching: an address but for its host; found by the analyser itself
    EMOJI = "emoji"  # one item; `value` is its name with colons, such as ":fire:"
    MENTION = "mention"  # `value` is the name shown, without the leading "@"
    LINK = "link"  # empty stretch after a link's text; `value` is the address, whose host counts


LEFT_OUT = frozenset({ZoneKind.CODE, ZoneKind.QUOTE, ZoneKind.URL})


@dataclass(frozen=True, slots=True)
class Zone:
    """Code points `start` to `end` (exclusive) of the text they belong to."""

    start: int
    end: int
    kind: ZoneKind
    value: str = ""


@dataclass(frozen=True, slots=True)
class MarkedText:
    """Plain text with its zones, which are sorted and do not overlap."""

    text: str
    zones: tuple[Zone, ...] = ()


def usable_zones(zones: Sequence[Zone], length: int) -> Iterator[Zone]:
    """The zones in order, cut to `length`; one that overlaps an earlier one or is reversed is skipped."""
    reached = 0
    for zone in sorted(zones, key=lambda zone: (zone.start, zone.end)):
        start, end = max(zone.start, 0), min(zone.end, length)
        if reached <= start <= end:
            yield zone if (start, end) == (zone.start, zone.end) else Zone(start, end, zone.kind, zone.value)
            reached = end
