"""Turning the pages of a list by buttons. What is wanted travels in the button, so that it outlives a restart. Pure."""

from collections.abc import Callable

from adapters.base.contract import Button
from core.catalogue import say
from core.goals.objects import IntentState, IntentType
from core.goals.typed import GoalListing
from core.standing.intent import Status
from core.standing.typed import Listing
from core.timed.commands import TimedListing

RULES, CLOCK, GOALS = "page", "clock", "goals"
"""What the data of these buttons begins with."""
_LETTERS = {
    Status.PENDING: "p",
    Status.ARMED: "a",
    Status.FIRED: "f",
    Status.DONE: "d",
    Status.CANCELLED: "c",
    Status.EXPIRED: "e",
}
_STATUSES = {letter: status for status, letter in _LETTERS.items()}
_ALL = "all"
_TYPES = dict(zip("gcqdrf", IntentType, strict=True))
_STATES = dict(zip("ADXHES", IntentState, strict=True))
_EVERYTHING, _REVIEW = "+", "?"
Wanted = Listing | TimedListing | GoalListing
"""What a list of some kind is to show."""


def data_of(wanted: Wanted, number: int, place: str = "") -> str:
    """`page:<place>1:af:launch`: a page of the same list; `place` ends in a colon or is empty."""
    if isinstance(wanted, TimedListing):
        return f"{CLOCK}:{place}{number}:{_ALL if wanted.everything else ''}:"
    if isinstance(wanted, GoalListing):
        return f"{GOALS}:{place}{number}:{_goal_letters(wanted)}:{wanted.text}"
    letters = "".join(_LETTERS[status] for status in wanted.statuses)
    return f"{RULES}:{place}{number}:{letters}:{wanted.text}"


def _goal_letters(wanted: GoalListing) -> str:
    types = "".join(letter for one in wanted.types for letter, kind in _TYPES.items() if kind is one)
    states = "".join(letter for one in wanted.states for letter, state in _STATES.items() if state is one)
    return f"{types}{states}{_EVERYTHING if wanted.everything else ''}{_REVIEW if wanted.review else ''}"


def read_page(kind: str, number: str, letters: str, text: str) -> Wanted | None:
    """The page that the fields of a button ask for; None for one that nobody made."""
    if kind not in {RULES, CLOCK, GOALS} or not (number.isascii() and number.isdecimal() and int(number)):
        return None
    if kind == CLOCK:
        return TimedListing(letters == _ALL, int(number)) if letters in {"", _ALL} else None
    if kind == GOALS:
        return _goal_page(int(number), letters, text)
    if not set(letters) <= _STATUSES.keys():
        return None
    return Listing(text, tuple(_STATUSES[letter] for letter in letters), int(number))


def _goal_page(number: int, letters: str, text: str) -> GoalListing | None:
    if not set(letters) <= {*_TYPES, *_STATES, _EVERYTHING, _REVIEW}:
        return None
    types = tuple(_TYPES[letter] for letter in letters if letter in _TYPES)
    states = tuple(_STATES[letter] for letter in letters if letter in _STATES)
    return GoalListing(types, states, _EVERYTHING in letters, text, _REVIEW in letters, number)


def beside(data_of: Callable[[int], str], number: int, pages: int, most: int) -> tuple[tuple[Button, ...], ...]:
    """Buttons to the pages beside this one; none whose data has more than `most` bytes (it is typed then)."""
    found = []
    for other, key in ((number - 1, "page.before"), (number + 1, "page.after")):
        if 1 <= other <= pages and len(data_of(other).encode()) <= most:
            found.append(Button(say(key), data_of(other)))
    return (tuple(found),) if found else ()
