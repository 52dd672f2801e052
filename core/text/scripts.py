"""One class letter for each character; the analyser's grammar is written over these letters.

The Unicode properties of the `regex` module decide; a character is looked up once and remembered.
"""

import re

import regex

# Class letters:
#   a letter of a script with spaces   n digit   m mark   k enclosing keycap
#   h Hangul   u letter of a script without spaces
#   E emoji   I rest of a keycap emoji   R regional indicator   Z joiner   T tag   t sign such as a trade mark
#   i other character that folding removes
#   - . , _ ' themselves   j number sign, asterisk   p other punctuation   s other sign
#   blank white space   \n new line   x control character, surrogate   1..5 see `core.text.layout`
_UNSPACED = (
    r"[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Bopomofo}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
    r"&&[\p{L}\p{Nl}]]"
)
_TRADE_SIGNS = "\u00a9\u00ae\u2117\u2120\u2122"  # they belong to the word before and break nothing
_EMOJI_BASE = r"[[\p{Extended_Pictographic}\p{Emoji_Modifier}]--[\u00a9\u00ae\u2122]]"

_BY_PROPERTY = (
    ("k", r"\u20e3"),
    ("m", r"[\p{M}\uff9e\uff9f]"),
    ("R", r"\p{Regional_Indicator}"),
    ("E", _EMOJI_BASE),
    ("t", f"[{_TRADE_SIGNS}]"),
    ("Z", r"\u200d"),
    ("T", r"[\U000e0020-\U000e007f]"),
    ("i", r"[\p{Default_Ignorable_Code_Point}\u0640]"),
    ("h", r"[\p{Hangul}&&\p{L}]"),
    ("u", _UNSPACED),
    ("a", r"\p{L}"),
    ("n", r"\p{N}"),
    ("\n", r"[\n\x0b\x0c\x85\u2028\u2029]"),
    (" ", r"\s"),
    ("j", r"[#*]"),
    ("p", r"\p{P}"),
    ("x", r"[\p{Cc}\p{Cs}]"),
)
_LETTERS = "".join(letter for letter, _ in _BY_PROPERTY)
_PROPERTIES = regex.compile("|".join(f"({pattern})" for _, pattern in _BY_PROPERTY), regex.VERSION1)
_REMEMBERED = 60_000

PLAIN_SIGNS = frozenset(".,;:!?'\"()-")
"""Signs that mean nothing on their own: a term made of these alone cannot be matched."""


class _Classes(dict[int, str]):
    """Code point -> class letter, filled on demand and emptied when it has grown too large."""

    def __missing__(self, code: int) -> str:
        letter = self._look_up(chr(code))
        if len(self) >= _REMEMBERED:
            self.clear()
        self[code] = letter
        return letter

    @staticmethod
    def _look_up(char: str) -> str:
        if char in "-.,_'":
            return char
        if "\x01" <= char <= "\x05":
            return str(ord(char))
        found = _PROPERTIES.match(char)
        return _LETTERS[found.lastindex - 1] if found is not None and found.lastindex else "s"


_CLASSES = _Classes()
_KEYCAP = re.compile("[nj]k")


def classes_of(text: str) -> str:
    """One class letter for each code point of `text` (a string of the same length)."""
    classes = text.translate(_CLASSES)
    return _KEYCAP.sub("EI", classes) if "k" in classes else classes


def class_of(char: str) -> str:
    """The class letter of one code point."""
    return _CLASSES[ord(char)]


_LATIN = regex.compile(r"[\p{Latin}\p{M}]+")
_ALPHABETS = tuple(
    (name, regex.compile(rf"\p{{{name}}}")) for name in ("Latin", "Cyrillic", "Greek", "Armenian", "Cherokee")
)


def is_latin(text: str) -> bool:
    """Whether `text` is letters of the Latin script and nothing else."""
    return _LATIN.fullmatch(text) is not None


def look_alike_scripts(word: str) -> tuple[str, ...]:
    """Names of the scripts with look-alike letters in `word` when it has more than one; else empty."""
    if word.isascii():
        return ()
    found = tuple(name for name, pattern in _ALPHABETS if pattern.search(word))
    return found if len(found) > 1 else ()
