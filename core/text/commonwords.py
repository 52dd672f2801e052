"""The commonest words of a language: a static list that says which term of an entry is the rarest.

The lists are packaged data (see `data/ATTRIBUTION.md`), one folded word a line, commonest first. A language
without a list has no ranks: callers fall back to the length of a term.
"""

from functools import lru_cache
from importlib import resources
from types import MappingProxyType

from core.text.forms import form_key, primary_language

STOP_WORDS = 200
"""So many of the commonest words count as stop words."""


def _load() -> dict[str, str]:
    folder = resources.files("core.text").joinpath("data")
    return {
        entry.name.removesuffix(".txt"): entry.read_text(encoding="utf-8")
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name)
        if entry.name.endswith(".txt")
    }


LISTS = MappingProxyType(_load())
"""Language -> the text of its list."""


@lru_cache(maxsize=64)
def words(language: str) -> tuple[str, ...]:
    """The list of `language`, commonest first; empty when there is none."""
    return tuple(LISTS.get(primary_language(language), "").split())


@lru_cache(maxsize=64)
def _ranks(language: str) -> MappingProxyType[str, int]:
    return MappingProxyType({word: number for number, word in enumerate(words(language), 1)})


@lru_cache(maxsize=64)
def _families(language: str) -> MappingProxyType[str, tuple[str, ...]]:
    families: dict[str, tuple[str, ...]] = {}
    for word in words(language):
        key = form_key(word, language)
        if key is not None:
            families[key] = (*families.get(key, ()), word)
    return MappingProxyType(families)


def rank(word: str, language: str) -> int | None:
    """Place of a folded word in the list, from 1; None when it is not listed."""
    return _ranks(language).get(word)


def family(key: str, language: str) -> tuple[str, ...]:
    """The listed words whose word-form key is `key`, commonest first."""
    return _families(language).get(key, ())
