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
_DAY_NAME = "(?:MO|TU|WE|TH|FR|SA|SU)"
_DAY_NUMBER = "(?:-1|[12][0-9]|3[01]|[1-9])"
_NTH = re.compile(rf"(?:-1|[1-4]){_DAY_NAME}")
_PLAIN_DAYS = re.compile(rf"{_DAY_NAME}(?:,{_DAY_NAME}){{0,6}}")
_BY = {
    Freq.WEEKLY: {"BYDAY"},
    Freq.MONTHLY: {"BYDAY", "BYMONTHDAY", "BYSETPOS"},
    Freq.YEARLY: {"BYMONTH", "BYDAY", "BYMONTHDAY", "BYSETPOS"},
}
_LONGEST = {2: 29, 4: 30, 6: 30, 9: 30, 11: 30}
_FORMS = {
    "FREQ": re.compile("|".join(Freq)),
    "INTERVAL": re.compile(r"[0-9]{1,6}"),
    "COUNT": re.compile(r"[0-9]{1,6}"),
    "UNTIL": re.compile(r"[0-9]{8}T[0-9]{6}"),
    "BYDAY": re.compile(f"{_NTH.pattern}|{_PLAIN_DAYS.pattern}"),
    "BYMONTHDAY": re.compile(f"{_DAY_NUMBER}(?:,{_DAY_NUMBER}){{0,30}}"),
    "BYMONTH": re.compile("[1-9]|1[0-2]"),
    "BYSETPOS": re.compile("-1|[1-4]"),
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
    if "FREQ" not in parts or not every or ("COUNT" in parts and not count) or not _fits(parts):
        raise _unreadable(text)
    rule = Rule(Freq(parts["FREQ"]), every, count, parts.get("UNTIL", ""), parts)
    if rule.freq in _STEPS and rule.step < LIMITS.repeat_gap:
        raise too_often(rule.step)
    return rule


def _fits(parts: dict[str, str]) -> bool:
    """Do the BY parts go with the frequency, and does the calendar have such days? What never comes is never sought."""
    freq, days, numbers = Freq(parts["FREQ"]), parts.get("BYDAY", ""), parts.get("BYMONTHDAY", "")
    by = {name for name in parts if name.startswith("BY")}
    if not by <= _BY.get(freq, set()) or (days and numbers) or (by and not (days or numbers)):
        return False
    if freq is Freq.YEARLY and by and "BYMONTH" not in by:
        return False
    if _NTH.fullmatch(days) and (freq is Freq.WEEKLY or "BYSETPOS" in by):
        return False
    if numbers and parts.get("BYSETPOS", "-1") != "-1":
        return False
    longest = _LONGEST.get(int(parts.get("BYMONTH", "1")), 31)
    return not numbers or min(int(number) for number in numbers.split(",")) <= longest


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
