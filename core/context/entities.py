"""Which people and things a text is about, and whether two texts share one. Deterministic, and pure.

Entities are `#tags`, `@mentions`, quoted terms, codes (letters with digits: `v2`, `PROJ-42`, `g-7f2k`) and words with a
capital. The commonest words of a language never count. One that is common, such as "bill" or "mark",
counts only where both texts have it as a name: with a capital that no sentence begins with. Scripts without
capitals have no names to see: what is to be found there is tagged, quoted, or an alias.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from core.limits import LIMITS
from core.text.commonwords import STOP_WORDS, rank
from core.text.fold import fold
from core.text.forms import form_keys, primary_language, without_possessive
from core.text.scripts import classes_of
from core.text.zones import LEFT_OUT, MarkedText, ZoneKind, usable_zones

_WORD = re.compile(r"(?:(?<!\w)[#@])?\w+(?:[-.']\w+)*")
_QUOTED = re.compile(
    r'"([^"\n]{1,80})"|“([^”\n]{1,80})”|„([^“”\n]{1,80})[“”]|«([^»\n]{1,80})»|「([^」\n]{1,80})」|『([^』\n]{1,80})』'
    r"|`([^`\n]{1,80})`"
)
_QUOTE = re.compile('["“„«「『`]')
_MEASURE = re.compile(r"[0-9.]+(?:st|nd|rd|th|am|pm|h|hrs?|m|mins?|s|secs?|ms|d|w|k|x|kb|mb|gb|kg|km|cm|mm|px|pt)")
_DIGIT, _LETTER = re.compile(r"\d"), re.compile(r"[^\W\d_]")
_OPENS = frozenset(".!?:…\n\"“”„«»「『`'•*>")
"""After one of these a capital says nothing: a sentence begins."""
_CAPITAL_NOUNS = frozenset({"de", "lb"})
"""Languages that write every noun with a capital."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a text says, folded.

    `words` are all of them, `forms` their word-form keys. `sure` are entities wherever the other text has the word,
    `names` where it has it as a name, `maybe` (a sentence begins with it) where it is a name for sure. `phrases` are
    quoted terms of several words, `runs` quoted terms of a script without spaces. `joined` are the words in order, with
    a blank before and after each, and `flat` is the whole text.
    """

    words: frozenset[str] = frozenset()
    forms: frozenset[str] = frozenset()
    sure: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    maybe: frozenset[str] = frozenset()
    phrases: frozenset[str] = frozenset()
    runs: frozenset[str] = frozenset()
    joined: str = " "
    flat: str = ""


def plain(text: MarkedText) -> str:
    """A message as it is read for entities: mentions by their names, code and quoted messages left out."""
    if not text.zones:
        return text.text
    pieces, done = [], 0
    for zone in usable_zones(text.zones, len(text.text)):
        pieces.append(text.text[done : zone.start])
        words = text.text[zone.start : zone.end]
        if zone.kind is ZoneKind.MENTION:
            pieces.append(f"@{(zone.value or words).removeprefix('@')}")
        else:
            pieces.append(" " if zone.kind in LEFT_OUT else words)
        done = zone.end
    return "".join([*pieces, text.text[done:]])


def read(text: str, language: str = "en") -> Said:
    """What a text is about. Looks at the first `turn_chars` characters. Never raises."""
    text = text[: LIMITS.turn_chars].replace("’", "'")
    language, shouted = primary_language(language), text.isupper()
    shapes, end = [], 0
    for found in _WORD.finditer(text):
        start, stop = found.span()
        opens = shouted or not end or (start - end > 1 and not _OPENS.isdisjoint(text[end:start]))
        shape = _shape if stop - start <= _REMEMBERED_CHARS else _shape_of
        shapes.append(shape(found[0], opens, language))
        end = stop
    quoted = [next(filter(None, found.groups())) for found in _QUOTED.finditer(text)] if _QUOTE.search(text) else ()
    return _said(shapes, language, quoted, fold(text))


def read_names(names: Iterable[str], language: str = "en") -> Said:
    """The names of people: each of their words is an entity, whatever its capital."""
    language = primary_language(language)
    words = [word for name in names for word in words_of(name)]
    return _said([_name(word, language) for word in words], language)


COMMON = 2_000
"""So many of the commonest words are never told from a name by a capital alone."""
UNLISTED = 1_000_000


def place_of(word: str, language: str) -> int:
    """The place of a folded word among the common ones of its language or of English, from 1; else `UNLISTED`."""
    return min(rank(word, language) or UNLISTED, rank(word, "en") or UNLISTED)


@dataclass(frozen=True, slots=True)
class _Shape:
    """What one word of a text gives; `parts` are further words under which it is found."""

    word: str
    parts: tuple[str, ...] = ()
    sure: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    maybe: tuple[str, ...] = ()


def _shape_of(typed: str, opens: bool, language: str) -> _Shape:
    """`opens`: its capital says nothing."""
    mark, typed = (typed[0], typed[1:]) if typed[0] in "#@" else ("", typed)
    word, owns = _bare(typed)
    folded = without_possessive(_fold(word))
    if not word:
        return _Shape("")
    if mark == "@":
        return _name(folded, language)
    if mark == "#":
        rare = (folded,) if place_of(folded, language) == UNLISTED else ()
        return _Shape(folded, (f"#{folded}",), (f"#{folded}", *rare))
    coded = _DIGIT.search(folded) is not None
    if coded:
        counts = _LETTER.search(folded) and not _MEASURE.fullmatch(folded)
        shape = _Shape(folded, sure=(folded,) if counts else ())
    else:
        shape = _capital(folded, opens and not owns, language) if word != word.lower() else _Shape(folded)
    return _compound(shape, word, opens, coded, language) if "-" in folded else shape


_REMEMBERED_CHARS = 40
_shape = lru_cache(maxsize=20_000)(_shape_of)
"""The same, remembered: for words that are not too long."""


def _compound(shape: _Shape, word: str, opens: bool, coded: bool, language: str) -> _Shape:
    """With the parts of a hyphen compound: words like others, but for those of a code."""
    parts = tuple(_fold(part) for part in word.split("-"))
    capitals = [] if coded else [part for part in word.split("-") if part != part.lower()]
    more = [_capital(_fold(part), opens, language) for part in capitals]
    return replace(
        shape,
        parts=parts,
        sure=(*shape.sure, *(one for each in more for one in each.sure)),
        names=(*shape.names, *(one for each in more for one in each.names)),
    )


def _capital(folded: str, opens: bool, language: str) -> _Shape:
    place, nouns = place_of(folded, language), language in _CAPITAL_NOUNS
    if place == UNLISTED or (place > COMMON and not (opens or nouns)):
        return _Shape(folded, sure=(folded,))
    if place <= STOP_WORDS or nouns:
        return _Shape(folded)
    return _Shape(folded, maybe=(folded,)) if opens else _Shape(folded, names=(folded,))


def _name(folded: str, language: str) -> _Shape:
    place = place_of(folded, language)
    if place > COMMON:
        return _Shape(folded, sure=(folded,))
    return _Shape(folded, names=(folded,) if place > STOP_WORDS else ())


def _said(shapes: Iterable[_Shape], language: str, quoted: Iterable[str] = (), flat: str = "") -> Said:
    order: list[str] = []
    parts, sure, names, maybe = set[str](), set[str](), set[str](), set[str]()
    for shape in shapes:
        order.append(shape.word)
        parts.update(shape.parts)
        sure.update(shape.sure)
        names.update(shape.names)
        maybe.update(shape.maybe)
    phrases, runs = set[str](), set[str]()
    for term in quoted:
        words = words_of(term)
        if all(place_of(word, language) <= STOP_WORDS for word in words):
            continue
        if "u" in classes_of(term):
            runs.add(fold(term).strip())
        elif len(words) == 1:
            sure.update(words)
        else:
            phrases.add(" ".join(words))
    words_all = frozenset(parts.union(order))
    return Said(
        words_all,
        form_keys(words_all, language),
        frozenset(sure),
        frozenset(names - sure),
        frozenset(maybe - names - sure),
        frozenset(phrases),
        frozenset(runs),
        f" {' '.join(order)} ",
        flat,
    )


def _fold(word: str) -> str:
    return word.lower() if word.isascii() else fold(word)


def _bare(typed: str) -> tuple[str, bool]:
    """A word without what languages put before an apostrophe, and whether it is a possessive."""
    word = typed.strip("_")
    head, apostrophe, rest = word.partition("'")
    owns = rest.lower() == "s"
    return (rest if apostrophe and len(head) <= 2 and len(rest) > 2 else word), owns


def words_of(term: str) -> list[str]:
    """The folded words of a name or a quoted term, in order."""
    found = (_bare(one.lstrip("#@"))[0] for one in _WORD.findall(term.replace("’", "'")))
    return [without_possessive(_fold(word)) for word in found if word]
