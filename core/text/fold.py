"""Folding: what looks or counts the same becomes the same string. Folding twice changes nothing."""

import re
import unicodedata

import regex

from core.limits import LIMITS
from core.text.scripts import classes_of

_MARK = r"[\p{M}\uff9e\uff9f]"  # the two half-width voicing signs become marks when normalised
_TOO_MANY_MARKS = regex.compile(rf"({_MARK}{{{LIMITS.marks_per_base}}}){_MARK}+")

_APOSTROPHES = dict.fromkeys("\u00b4\u02bc\u2032\u05f3\u2018\u2019\u201b", "'")
_QUOTES = dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u300c\u300d\u300e\u300f\u05f4\u301d\u301e\u301f", '"')
_DASHES = dict.fromkeys(regex.findall(r"[\p{Pd}\u2212]", "".join(map(chr, range(0x11000)))), "-")
_LONG_DASHES = dict.fromkeys("\u2014\u2015\u2e3a\u2e3b", "--")  # what a keyboard makes of two hyphens
_LETTERS = {"\u0131": "i", "\u0451": "\u0435"}
_REPLACED = {**_APOSTROPHES, **_QUOTES, **_DASHES, **_LONG_DASHES, **_LETTERS}
_TO_REPLACE = re.compile(f"[{re.escape(''.join(_REPLACED))}]")
_APOSTROPHE = re.compile(f"[{''.join(_APOSTROPHES)}]")

# Default-ignorable characters; Arabic short vowels and tatweel; Hebrew points and accents.
_DROPPED = regex.compile(
    r"[\p{Default_Ignorable_Code_Point}\u064b-\u0652\u0670\u0640"
    r"\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\ufb1e]+"
)
_DOT_AFTER_I = re.compile("i\u0307+")
_ACCENTS = regex.compile(r"(?<=[\p{Latin}\p{Greek}])\p{Mn}+")

# Emoji, and the signs that normalisation would turn into letters. A variant selector, a skin tone or another
# ignorable character after a base is no part of the folded emoji.
_VARIANT = r"[[\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}]--[\u200d\U000e0020-\U000e007f]]"
_BASE = r"[\p{Extended_Pictographic}--[\u00a9\u00ae\u2122]]"
_ONE = rf"{_BASE}{_VARIANT}*+[\U000e0020-\U000e007f]*+"
_SET_APART = regex.compile(
    rf"(?V1)({_ONE}(?:\u200d{_ONE})*|\p{{Regional_Indicator}}{{2}}|[0-9#*]\ufe0f?\u20e3|[\u2120\u2122])"
)
_VARIANTS = regex.compile(rf"(?V1){_VARIANT}+")

_DELICATE = re.compile("[mkERZTit]")  # class letters of what needs the long way
_ROUNDS = 6


def fold(text: str, fold_accents: bool = False) -> str:
    """The folded form of any string; accents on Latin and Greek letters go only when asked.

    Linear in the length of `text` (combining marks on one base are cut to a bound first). Never raises.
    """
    return fold_and_classify(text, fold_accents)[0]


def fold_and_classify(text: str, fold_accents: bool = False) -> tuple[str, str]:
    """The folded form, and the class letter of each of its characters."""
    if text.isascii():
        folded = text.lower()
        return folded, classes_of(folded)
    if _DELICATE.search(classes_of(text)) is None:
        folded = _fold_plainly(text, fold_accents)
        classes = classes_of(folded)
        if _DELICATE.search(classes) is None:
            return folded, classes
    folded = " ".join([_fold_fully(part, fold_accents) for part in text.split(" ")])
    return folded, classes_of(folded)


def _fold_plainly(text: str, fold_accents: bool) -> str:
    """Enough for text without marks, emoji and ignorable characters, as long as none comes out either."""
    text = unicodedata.normalize("NFKC", text).casefold()
    text = unicodedata.normalize("NFKC", _TO_REPLACE.sub(_replacement, text))
    return _without_accents(text) if fold_accents else text


def _replacement(found: re.Match[str]) -> str:
    return _REPLACED[found[0]]


def _fold_fully(text: str, fold_accents: bool) -> str:
    if text.isascii():
        return text.lower()
    for _ in range(_ROUNDS):
        folded = _fold_once(text, fold_accents)
        if folded == text:
            break
        text = folded
    return text


def _fold_once(text: str, fold_accents: bool) -> str:
    text = _APOSTROPHE.sub("'", text)
    text = unicodedata.normalize("NFC", _cut_marks(text))
    parts = _SET_APART.split(text)
    for index, part in enumerate(parts):
        if index % 2:
            parts[index] = _VARIANTS.sub("", part)
        elif part:
            parts[index] = _fold_words(part, fold_accents)
    return "".join(parts)


def _fold_words(text: str, fold_accents: bool) -> str:
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKC", _APOSTROPHE.sub("'", text))
    text = _TO_REPLACE.sub(_replacement, _DROPPED.sub("", text).casefold())
    if "\u0307" in text:
        text = _DOT_AFTER_I.sub("i", text)
    text = unicodedata.normalize("NFKC", _cut_marks(text))
    return _without_accents(text) if fold_accents else text


def _cut_marks(text: str) -> str:
    return _TOO_MANY_MARKS.sub(r"\1", text)


def _without_accents(text: str) -> str:
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", text)))
