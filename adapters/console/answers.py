"""What a typed line answers to an open question."""

from collections.abc import Sequence

from core.catalogue import say
from core.errors import InvalidInput
from core.wording.readback import Choice

MAX_SHORT = 3
"""A line of so many words while a question is open is an answer gone wrong, not talk."""

_YES = frozenset({"yes", "y", "ok", "okay", "yep", "yeah", "sure", "save", "save it", "yes please"})
_NO = frozenset({"no", "n", "nope", "no thanks", "no thank you", "cancel", "don't save", "don't save it"})
_CANCEL = frozenset({"cancel", "cancel it"})
_MIN_PREFIX = 2
_MAX_NUMBER = 4


def choice_of(text: str, choices: Sequence[Choice]) -> Choice | None:
    """The choice that a line makes; None for a line that goes on talking.

    Understood are numbers, words for yes and no, and the beginning of one label. Raises InvalidInput for a
    number or a short line that is none of them.
    """
    word = _plain(text)
    number = word.strip("[]()")
    if number.isdecimal() and len(number) <= _MAX_NUMBER:
        if 1 <= int(number) <= len(choices):
            return choices[int(number) - 1]
        raise _again(len(choices))
    if Choice.CANCEL in choices and word in _CANCEL | _YES - {"save", "save it"}:
        return Choice.CANCEL
    for yes in (Choice.YES, Choice.CHANGE):
        if yes in choices and word in _YES:
            return yes
    if Choice.NO in choices and word in _NO:
        return Choice.NO
    found = [choice for choice in choices if _begins(_plain(choice.label), word)]
    if len(found) == 1:
        return found[0]
    if len(text.split()) <= MAX_SHORT:
        raise _again(len(choices))
    return None


def _plain(text: str) -> str:
    """Lower case, straight apostrophes, without commas and marks at the end."""
    bare = text.casefold().replace("’", "'").replace(",", " ")
    return " ".join(bare.rstrip(" .!…").split())


def _begins(label: str, word: str) -> bool:
    return label == word or (len(word) >= _MIN_PREFIX and label.startswith(word))


def _again(count: int) -> InvalidInput:
    return InvalidInput(say("console.answer"), say("console.answer.hint", count=count))
