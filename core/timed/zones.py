"""Zones behind a time: "UTC", "+01:00", "Europe/Berlin", "EST". Pure; the zone data comes in as a function.

An abbreviation names a region whose rules are used: "EST" in July is New York's summer time, and that is said.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo

from core.catalogue import say
from core.errors import InvalidInput
from core.standing.phrases import wordset
from core.timed.cities import ZONE_OF_CITY
from core.timed.instants import ZoneOf
from core.timed.said import Token, Zone, low, lows

_AREAS = "africa|america|antarctica|arctic|asia|atlantic|australia|etc|europe|indian|pacific|us|canada"
_NAME = re.compile(rf"(?:{_AREAS})(?:/[a-z0-9_+-]{{2,32}}){{1,2}}")
_OFFSET = re.compile(r"(?:utc|gmt)?([+-])([0-9]{1,2})(?::?([0-9]{2}))?")
_REGIONS = {
    "America/New_York": "EST EDT ET",
    "America/Chicago": "CDT CT",
    "America/Denver": "MDT MT",
    "America/Los_Angeles": "PST PDT PT",
    "America/Anchorage": "AKST AKDT",
    "Pacific/Honolulu": "HST",
    "America/Halifax": "ADT",
    "America/St_Johns": "NST NDT",
    "Europe/London": "BST",
    "Europe/Lisbon": "WET WEST",
    "Europe/Berlin": "CET CEST",
    "Europe/Athens": "EET EEST",
    "Europe/Moscow": "MSK",
    "Africa/Johannesburg": "SAST",
    "Asia/Karachi": "PKT",
    "Asia/Tokyo": "JST",
    "Asia/Seoul": "KST",
    "Asia/Hong_Kong": "HKT",
    "Asia/Singapore": "SGT",
    "Australia/Sydney": "AEDT",
    "Australia/Adelaide": "ACDT",
    "Australia/Perth": "AWST",
    "Pacific/Auckland": "NZST NZDT",
    "UTC": "UTC GMT Z",
}
_OF_ABBREVIATION = {name: region for region, names in _REGIONS.items() for name in names.split()}
_SEVERAL = {
    "IST": ("Asia/Kolkata", "Asia/Jerusalem", "Europe/Dublin"),
    "CST": ("America/Chicago", "Asia/Shanghai", "America/Havana"),
    "MST": ("America/Denver", "America/Phoenix"),
    "AST": ("America/Halifax", "Asia/Riyadh"),
    "AEST": ("Australia/Sydney", "Australia/Brisbane"),
    "ACST": ("Australia/Adelaide", "Australia/Darwin"),
    "GST": ("Asia/Dubai", "Atlantic/South_Georgia"),
}
_CAPITALS_ONLY = wordset("ET CT MT PT HST WET WEST MST AST NST Z")  # words, or half of one, in small letters
_SEASONLESS = wordset("ET CT MT PT UTC GMT Z")
_AMERICAN = {"eastern": "ET", "central": "CT", "mountain": "MT", "pacific": "PT"}
_OWN = ("local", "my")
_MAX_CITY = 4
_SMALL_WORDS = wordset("of es au")
_MAX_MINUTES = 14 * 60
_MIN_MINUTES = -12 * 60


@dataclass(frozen=True, slots=True)
class FoundZone:
    """The IANA name, and the abbreviation it was said by ("" for none).

    An offset that has no name of its own is in `rules`; times in it are kept in the speaker's zone. `noted`: it was
    said by a city or a region, so that whose rules are used is said.
    """

    name: str
    abbreviation: str = ""
    rules: tzinfo | None = None
    noted: bool = False


def read_zone(tokens: Sequence[Token], at: int) -> tuple[Zone, int] | None:
    """The zone that these words name, and where that ends: `EST`, `London time`, `in New York`, `Pacific time`."""
    if zone := _one_word(tokens, at):
        return zone, at + 1
    led = low(tokens, at) == "in"
    first = at + led
    if not led and low(tokens, first) in _OWN and low(tokens, first + 1) == "time":
        return Zone(""), first + 2
    if not led and low(tokens, first) in _AMERICAN:
        kind = low(tokens, first + 1) in {"standard", "daylight"}
        if low(tokens, first + 1 + kind) == "time":
            return Zone(_AMERICAN[low(tokens, first)], noted=True), first + 2 + kind
    for size in range(_MAX_CITY, 0, -1):
        zone_name = ZONE_OF_CITY.get("_".join(lows(tokens, first, size)))
        timed = low(tokens, first + size) == "time"
        if zone_name and (timed or (led and tokens[first].typed[:1].isupper())):
            return Zone(zone_name, noted=True), first + size + timed
    return None


def _one_word(tokens: Sequence[Token], at: int) -> Zone | None:
    word = low(tokens, at)
    if not word:
        return None
    if _NAME.fullmatch(word):
        return Zone(tokens[at].typed)
    if (offset := _OFFSET.fullmatch(word)) and (offset[3] or word[0] not in "+-" or len(offset[2]) == 2):
        minutes = (int(offset[2]) * 60 + int(offset[3] or 0)) * (-1 if offset[1] == "-" else 1)
        return Zone(word.upper(), minutes) if _MIN_MINUTES <= minutes <= _MAX_MINUTES else None
    upper = word.upper()
    if upper in _OF_ABBREVIATION or upper in _SEVERAL:
        split_off = at > 0 and tokens[at - 1].word == tokens[at].word  # the Z of 09:00Z
        return Zone(upper) if split_off or upper not in _CAPITALS_ONLY or tokens[at].typed == upper else None
    return None


def find_zone(said: Zone, home: str, zone_of: ZoneOf, year: int) -> FoundZone:
    """The IANA zone of what was said; `home` is the speaker's, `year` the one in which its names are looked up.

    Raises InvalidInput for a name that the zone data does not have, and for one that several regions use.
    """
    if said.minutes is not None:
        return _fixed(said.minutes)
    if not said.name:
        return FoundZone(home)
    upper = said.name.upper()
    if "/" in said.name:
        return FoundZone(_known(said.name, zone_of), noted=said.noted)
    if upper not in _SEASONLESS and upper in names_in(zone_of(home), year):
        return FoundZone(home, upper)
    if upper in _SEVERAL:
        names = ", ".join(_SEVERAL[upper])
        raise InvalidInput(
            say("time.zone.several", zone=upper, names=names), say("time.zone.several.hint", name=_SEVERAL[upper][0])
        )
    return FoundZone(_OF_ABBREVIATION[upper], "" if upper in _SEASONLESS else upper, noted=said.noted)


def names_in(zone: tzinfo, year: int) -> frozenset[str]:
    """The abbreviations that a zone uses in winter and in summer."""
    moments = (datetime(year, month, 1, tzinfo=UTC).astimezone(zone) for month in (1, 7))
    return frozenset(moment.tzname() or "" for moment in moments)


def _known(name: str, zone_of: ZoneOf) -> str:
    """The name as the zone data spells it."""
    for spelt in (name, "/".join(_capitals(part) for part in name.split("/")), name.upper()):
        try:
            if str(zone_of(spelt)) == spelt:
                return spelt
        except (LookupError, ValueError, OSError):
            continue
    raise InvalidInput(say("time.zone.unknown", name=name), say("time.zone.unknown.hint"))


def _capitals(part: str) -> str:
    words = re.split("([_-])", part.lower())
    return "".join(word if word in _SMALL_WORDS else word.capitalize() for word in words)


def _fixed(minutes: int) -> FoundZone:
    """A whole number of hours has a name of its own; its sign is turned round there."""
    hours, rest = divmod(minutes, 60)
    if rest:
        sign, size = "-" if minutes < 0 else "+", abs(minutes)
        return FoundZone(f"{sign}{size // 60:02}:{size % 60:02}", rules=timezone(timedelta(minutes=minutes)))
    return FoundZone("UTC" if not hours else f"Etc/GMT{-hours:+d}")
