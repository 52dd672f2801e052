"""Word forms: the Snowball stem of a word, with possessive and elided article taken off first."""

from functools import lru_cache

import Stemmer

from core.text.scripts import classes_of, is_latin

MARK = "~"
"""First character of every word-form key; no word begins with it."""

_ALGORITHMS = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek",
    "en": "english", "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian",
    "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian",
    "id": "indonesian", "it": "italian", "lt": "lithuanian", "nb": "norwegian", "ne": "nepali", "nl": "dutch",
    "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish",
    "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
_SAME_LANGUAGE = {"no": "nb", "nn": "nb", "iw": "he", "in": "id"}

# What a language elides before a vowel: articles, prepositions, pronouns, conjunctions.
_ELIDED = {
    "fr": "l d j m t s n c qu jusqu lorsqu puisqu quoiqu",
    "it": "l un d dell all dall nell sull coll gl quell quest c m t s v",
    "ca": "l d m t s n",
}
_LONGEST_STEMMED = 100
_REMEMBERED = 100_000


@lru_cache(maxsize=256)
def primary_language(tag: str) -> str:
    """The language of a tag: `en` for `en-GB` and `EN_us`; Norwegian tags are one."""
    language = tag.replace("_", "-").partition("-")[0].strip().casefold()
    return _SAME_LANGUAGE.get(language, language)


class _Forms:
    """Word-form keys of one language, remembered."""

    __slots__ = ("_elided", "_known", "_stemmer")

    def __init__(self, language: str) -> None:
        algorithm = _ALGORITHMS.get(language)
        self._stemmer = Stemmer.Stemmer(algorithm, 0) if algorithm in Stemmer.algorithms() else None
        self._elided = frozenset(_ELIDED.get(language, "").split())
        self._known: dict[str, str] = {}

    def key(self, word: str) -> str:
        """The key of a word, "" when it has none."""
        try:
            return self._known[word]
        except KeyError:
            pass
        if len(self._known) >= _REMEMBERED:
            self._known.clear()
        key = self._known[word] = self._work_out(word)
        return key

    def keys(self, words: frozenset[str]) -> frozenset[str]:
        """The keys of many words, of those that have one."""
        try:  # nearly always all of them are remembered
            found = set(map(self._known.__getitem__, words))
        except KeyError:
            found = set(map(self.key, words))
        found.discard("")
        return frozenset(found)

    def _work_out(self, word: str) -> str:
        if len(word) > _LONGEST_STEMMED or classes_of(word).strip("am'"):
            return ""
        stem = self.base(word)
        if self._stemmer is not None:
            stem = self._stemmer.stemWord(stem)
        if not stem or (len(stem) < 3 and is_latin(stem)):
            return ""
        return MARK + stem

    def base(self, word: str) -> str:
        head, apostrophe, rest = word.partition("'")
        if apostrophe and head in self._elided and rest:
            word = rest
        return without_possessive(word)


def without_possessive(word: str) -> str:
    """`team` for `team's`; any other folded word as it is."""
    return word[:-2] if len(word) > 2 and word.endswith("'s") else word


def has_forms(language: str) -> bool:
    """Whether word forms are known for a language; words of the others count as they are typed."""
    return _ALGORITHMS.get(primary_language(language), "") in Stemmer.algorithms()


@lru_cache(maxsize=64)
def _forms_of(language: str) -> _Forms:
    return _Forms(language)


def form_key(word: str, language: str) -> str | None:
    """The key that all forms of a folded word share, or None when it is only compared as it is.

    None: not all letters, too long, or a Latin stem of one or two letters. Equal words have equal keys.
    """
    return _forms_of(primary_language(language)).key(word) or None


def form_keys(words: frozenset[str], language: str) -> frozenset[str]:
    """The word-form keys of many words."""
    return _forms_of(primary_language(language)).keys(words)
