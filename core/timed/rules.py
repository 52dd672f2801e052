"""The text of a repeating rule: the part of RFC 5545 that this project writes. Pure.

The hour and the minute are those of the first occurrence, so BYHOUR and the like are never written and never read.
"""

import re
from dataclasses import dataclass
from datetime import timedelta

from core.catalogue import say
from core.errors import InvalidInput, LimitExceeded
from core.limits import LIMITS
from core.standing.durations import show_duration
from core.timed.said import Freq

DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
UNTIL = "%Y%m%dT%H%M%S"
"""The form of the last wall time."""
_STEPS = {
    Freq.SECONDLY: timedelta(seconds=1),
    Freq.MINUTELY: timedelta(minutes=1),
    Freq.HOURLY: timedelta(hours=1),
}
_NUMBERS = r"-?[0-9]{1,3}(?:,-?[0-9]{1,3}){0,30}"
_FORMS = {
    "FREQ": re.compile("|".join(Freq)),
    "INTERVAL": re.compile(r"[0-9]{1,6}"),
    "COUNT": re.compile(r"[0-9]{1,6}"),
    "UNTIL": re.compile(r"[0-9]{8}T[0-9]{6}"),
    "BYDAY": re.compile(r"(?:-?[1-5])?(?:MO|TU|WE|TH|FR|SA|SU)(?:,(?:-?[1-5])?(?:MO|TU|WE|TH|FR|SA|SU)){0,6}"),
    "BYMONTHDAY": re.compile(_NUMBERS),
    "BYMONTH": re.compile(r"[0-9]{1,2}(?:,[0-9]{1,2}){0,11}"),
    "BYSETPOS": re.compile(_NUMBERS),
}


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule, read. `parts` are all of its parts by name, `until` is a wall time in the form `UNTIL`, "" for none."""

    freq: Freq
    every: int
    count: int
    until: str
    parts: dict[str, str]

    @property
    def step(self) -> timedelta:
        """The elapsed time between two, zero for a rule that follows the calendar."""
        return _STEPS.get(self.freq, timedelta()) * self.every


def read_rule(text: str) -> Rule:
    """The rule in `text`. Raises InvalidInput when it is none, LimitExceeded when it repeats too often."""
    parts: dict[str, str] = {}
    for pair in text.split(";") if len(text) <= LIMITS.rule_chars else ():
        name, _, value = pair.partition("=")
        form = _FORMS.get(name)
        if form is None or name in parts or not form.fullmatch(value):
            raise _unreadable(text)
        parts[name] = value
    every, count = int(parts.get("INTERVAL", "1")), int(parts.get("COUNT", "0"))
    if "FREQ" not in parts or not every or ("COUNT" in parts and not count):
        raise _unreadable(text)
    rule = Rule(Freq(parts["FREQ"]), every, count, parts.get("UNTIL", ""), parts)
    if rule.freq in _STEPS and rule.step < LIMITS.repeat_gap:
        raise too_often(rule.step)
    return rule


def write_rule(freq: Freq, every: int = 1, days: str = "", count: int = 0, until: str = "") -> str:
    """The text of a rule; `days` is its BY part as it stands in the text."""
    parts = [f"FREQ={freq}"]
    if every > 1:
        parts.append(f"INTERVAL={every}")
    if days:
        parts.append(days)
    if count:
        parts.append(f"COUNT={count}")
    if until:
        parts.append(f"UNTIL={until}")
    return ";".join(parts)


def too_often(step: timedelta) -> LimitExceeded:
    """The refusal of a rule that repeats after `step`."""
    least = show_duration(LIMITS.repeat_gap)
    return LimitExceeded(
        say("time.often", step=show_duration(step), least=least),
        say("time.often.hint", least=least),
        name="repeat_gap",
        used=int(step.total_seconds()),
        limit=int(LIMITS.repeat_gap.total_seconds()),
    )


def _unreadable(text: str) -> InvalidInput:
    return InvalidInput(say("time.rule", rule=text[: LIMITS.rule_chars]), say("time.rule.hint"))
