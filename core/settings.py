"""Settings of a space, declared in one place: type, default and bounds."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum

from core.catalogue import say
from core.errors import InvalidInput

MEMBERS, OWNERS, OFF = "members", "owners", "off"
"""Who may make timed reminders in a space: everybody, its owners, nobody."""
SPEAKERS = "speakers"
"""Who reviews what was concluded from their own words: the speakers too, beside the owners."""


class Setting(StrEnum):
    """Names as stored in `space_settings` and typed by people."""

    LANGUAGE = "language"
    ZONE = "zone"
    FOLD_ACCENTS = "fold_accents"
    QUIET_HOURS = "quiet_hours"
    REMINDERS = "reminders"
    OWNER_ROLE = "owner_role"
    REVIEW = "review"
    SUMMARIES = "summaries"


@dataclass(frozen=True, slots=True)
class Declaration:
    """Default and, for a text, its length in characters or the words it can be. The default's type is the setting's.

    `provider` is the only platform that has the setting, "" for all.
    """

    default: str | bool
    min_chars: int = 1
    max_chars: int = 64
    choices: tuple[str, ...] = ()
    provider: str = ""


DECLARATIONS: dict[Setting, Declaration] = {
    Setting.LANGUAGE: Declaration("en", 2, 2),
    Setting.ZONE: Declaration("UTC"),
    Setting.FOLD_ACCENTS: Declaration(False),
    Setting.QUIET_HOURS: Declaration("off"),
    Setting.REMINDERS: Declaration(MEMBERS, choices=(MEMBERS, OWNERS, OFF)),
    Setting.OWNER_ROLE: Declaration(OFF, provider="discord"),
    Setting.REVIEW: Declaration(OWNERS, choices=(OWNERS, SPEAKERS)),
    Setting.SUMMARIES: Declaration(True),
}
_NEVER = frozenset({"off", "no", "none", "never"})
_HOURS = re.compile(r"([0-9]{1,2}):([0-9]{2})\s*[-–—]\s*([0-9]{1,2}):([0-9]{2})", re.ASCII)
_ROLE = re.compile(r"(?:<@&)?([0-9]{1,20})>?", re.ASCII)
_SECOND, _DAY = timedelta(seconds=1), timedelta(days=1)
_WORDS = {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}


def settings_of(provider: str) -> tuple[Setting, ...]:
    """The settings that a space of this platform has."""
    return tuple(setting for setting, declared in DECLARATIONS.items() if declared.provider in {"", provider})


def read(name: str, text: str, provider: str = "") -> tuple[Setting, str | bool]:
    """A setting and its value as a person typed them. Raises InvalidInput naming what is wrong and what is right.

    Whether a zone exists is the caller's to check: `core` has no zone data.
    """
    known = settings_of(provider)
    if name not in known:
        raise InvalidInput(say("setting.unknown", name=name[:32]), say("setting.unknown.hint", names=", ".join(known)))
    setting = Setting(name)
    declared = DECLARATIONS[setting]
    if isinstance(declared.default, bool):
        if text.casefold() not in _WORDS:
            raise InvalidInput(say("setting.switch", name=name, value=text[:32]), say("setting.switch.hint", name=name))
        return setting, _WORDS[text.casefold()]
    if setting is Setting.QUIET_HOURS:
        return setting, str(quiet_hours(text) or declared.default)
    if setting is Setting.OWNER_ROLE:
        return setting, _role(text)
    if declared.choices:
        return setting, _choice(name, text, declared)
    if not declared.min_chars <= len(text) <= declared.max_chars or not text.isprintable():
        example = declared.default
        raise InvalidInput(
            say("setting.text", name=name, value=text[:32]), say("setting.text.hint", name=name, example=example)
        )
    return setting, text.lower() if setting is Setting.LANGUAGE else text


def _role(text: str) -> str:
    """The id of a role, as Discord writes one that was picked, or `off`."""
    if text.casefold() in _NEVER:
        return OFF
    found = _ROLE.fullmatch(text)
    if found is None:
        raise InvalidInput(say("setting.owner_role", value=text[:32]), say("setting.owner_role.hint"))
    return found[1]


def _choice(name: str, text: str, declared: Declaration) -> str:
    if text.casefold() not in declared.choices:
        hint = say("setting.choice.hint", names=", ".join(declared.choices))
        raise InvalidInput(say("setting.choice", name=name, value=text[:32]), hint)
    return text.casefold()


def resolve(stored: Mapping[str, object], defaults: Mapping[Setting, object]) -> dict[Setting, object]:
    """Every setting with its value in force."""
    return {setting: in_force(setting, stored, defaults) for setting in DECLARATIONS}


def in_force(setting: Setting, stored: Mapping[str, object], defaults: Mapping[Setting, object]) -> object:
    """The value of one setting: stored over the installation's default over the built-in one."""
    if setting in stored:
        return stored[setting]
    return defaults.get(setting, DECLARATIONS[setting].default)


@dataclass(frozen=True, slots=True)
class QuietHours:
    """From one wall time to another, every day; across midnight when `end` is the earlier one."""

    start: time
    end: time

    def __str__(self) -> str:
        return f"{self.start:%H:%M}-{self.end:%H:%M}"


def quiet_hours(text: str) -> QuietHours | None:
    """`22:00-07:00` as hours; None for `off`. Raises InvalidInput with what is wrong and an example."""
    if text.strip().casefold() in _NEVER:
        return None
    found = _HOURS.fullmatch(text.strip())
    try:
        first, first_minute, last, last_minute = map(int, found.groups() if found else ())
        hours = QuietHours(time(first, first_minute), time(last, last_minute))
    except ValueError:
        raise InvalidInput(say("setting.quiet_hours", value=text[:32]), say("setting.quiet_hours.hint")) from None
    if hours.start == hours.end:
        raise InvalidInput(say("setting.quiet_hours.equal", value=text[:32]), say("setting.quiet_hours.equal.hint"))
    return hours


def quiet_until(hours: QuietHours | None, now: datetime, zone: tzinfo) -> datetime | None:
    """When the quiet hours that run at `now` end, aware UTC; None when none run.

    They run from the first instant at which the local time is at or past their start to the first one at which
    it is at or past their end: a clock that is put forward over an end ends them, one that is put back does not
    begin them again.
    """
    if hours is None:
        return None
    today = now.astimezone(zone).date()
    nights = timedelta(0) if hours.start < hours.end else _DAY
    for day in (today - _DAY, today):
        end = first_instant(day + nights, hours.end, zone)
        if first_instant(day, hours.start, zone) <= now < end:
            return end
    return None


def first_instant(day: date, wall: time, zone: tzinfo) -> datetime:
    """The first instant at which the local time of `zone` is at or past that one, to the second."""
    wanted = datetime.combine(day, wall)
    late, early = (wanted.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
    if late <= early:  # it exists; where it exists twice the first one counts
        return late
    while late - early > _SECOND:  # left out when the clock was put forward: look for the leap
        middle = early + (late - early) // 2
        if middle.astimezone(zone).replace(tzinfo=None) < wanted:
            early = middle
        else:
            late = middle
    return late.replace(microsecond=0)
