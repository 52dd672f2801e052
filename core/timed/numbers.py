"""Numbers, months and weekdays as words. Pure."""

import re

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty"
)
NUMBERS = {name: number for number, name in enumerate(_SMALL.split())} | {"thirty": 30, "forty": 40, "fifty": 50}
NUMBERS |= {"forty-five": 45, "sixty": 60, "ninety": 90, "twenty-five": 25, "fifty-five": 55, "thirty-five": 35}
_ORDINAL_WORDS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
ORDINALS = {name: number for number, name in enumerate(_ORDINAL_WORDS.split(), 1)}
_MONTH_NAMES = (
    "january jan",
    "february feb",
    "march mar",
    "april apr",
    "may",
    "june jun",
    "july jul",
    "august aug",
    "september sep sept",
    "october oct",
    "november nov",
    "december dec",
)
MONTHS = {name: number for number, names in enumerate(_MONTH_NAMES, 1) for name in names.split()}
_DAY_NAMES = (
    "monday mon",
    "tuesday tue tues",
    "wednesday wed weds",
    "thursday thu thur thurs",
    "friday fri",
    "saturday sat",
    "sunday sun",
)
WEEKDAYS = {name: number for number, names in enumerate(_DAY_NAMES) for name in names.split()}
PLURAL_WEEKDAYS = {f"{names.split()[0]}s": (number,) for number, names in enumerate(_DAY_NAMES)}
_DIGITS = re.compile(r"[0-9]{1,6}")
_ORDINAL = re.compile(r"([0-9]{1,3})(st|nd|rd|th)")


def number_of(low: str) -> int | None:
    """The whole number that a word is: `5`, `five`."""
    return int(low) if _DIGITS.fullmatch(low) else NUMBERS.get(low)


def ordinal_of(low: str) -> int | None:
    """The place that a word is: `15th`, `third`."""
    found = _ORDINAL.fullmatch(low)
    return int(found.group(1)) if found else ORDINALS.get(low)
