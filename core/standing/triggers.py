"""Trigger entries: reading what a person typed, and matching one entry against one analysed text."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import regex

from core.catalogue import say
from core.errors import InvalidTrigger, LimitExceeded
from core.limits import LIMITS
from core.standing.grammar import RawEntry, RawTerm, read_entries
from core.standing.readings import folded_identity, readings_of
from core.standing.terms import Probe, Reading, WordReading
from core.text.analyse import Analysed, TextOptions
from core.text.commonwords import family, rank
from core.text.fold import fold
from core.text.forms import primary_language
from core.text.links import addresses, may_hold_address
from core.text.scripts import class_of, is_latin, look_alike_scripts

KEY_SEPARATOR = " "
"""Stands between the keys of `AnchorRow.need`; no key holds white space."""

_REFUSED_CHARACTERS = regex.compile(r"[\p{Cc}\p{Cs}--[\n\r\t]]", regex.VERSION1)
_NEEDED_KEYS = 12
_UNLISTED = 1_000_000
_SHORT_KEY_RANK = 250  # a single letter of an unspaced script, syllable or sign: as common as a small word


@dataclass(frozen=True, slots=True)
class AnchorRow:
    """An index row: file the entry under `anchor`; a matching text has all keys in `need` too ('' = none)."""

    anchor: str
    need: str


@dataclass(frozen=True, slots=True)
class Term:
    """One term as typed with its readings, any of which is enough."""

    text: str
    readings: tuple[Reading, ...]

    def found(self, turn: Analysed, forms: bool) -> bool:
        """Whether the text holds this term."""
        return any(reading.found(turn, forms) for reading in self.readings)


@dataclass(frozen=True, slots=True)
class Entry:
    """A compiled entry: every one of `terms` must be in the text and none of `exclusions`."""

    source: str
    options: TextOptions
    language: str
    terms: tuple[Term, ...]
    exclusions: tuple[Term, ...]
    dedup_key: str
    warnings: tuple[str, ...] = ()

    def anchors(self, cross_language: bool) -> tuple[AnchorRow, ...]:
        """Index rows: one for each reading of the rarest term.

        With `cross_language` also those under which texts of another language, where word forms do not
        count, find the entry.
        """
        modes = {self.options.word_forms, self.options.word_forms and not cross_language}
        rows = (row for forms in sorted(modes, reverse=True) for row in _rows(self, forms))
        return tuple(dict.fromkeys(rows))


@dataclass(frozen=True, slots=True)
class EntryVerdict:
    """Outcome with its reason: `matched`, `missing`, `excluded` or `no_terms`, and the terms concerned."""

    matched: bool
    reason: str
    terms: tuple[str, ...] = ()


def match_entry(entry: Entry, turn: Analysed) -> EntryVerdict:
    """Whether the text has all terms and no exclusion; word forms count only in the entry's language."""
    forms = entry.options.word_forms and entry.language == turn.language
    for term in entry.terms:
        if not term.found(turn, forms):
            return EntryVerdict(False, "missing", (term.text,))
    for term in entry.exclusions:
        if term.found(turn, forms):
            return EntryVerdict(False, "excluded", (term.text,))
    if not entry.terms:
        return EntryVerdict(False, "no_terms")
    return EntryVerdict(True, "matched", tuple(term.text for term in entry.terms))


def also_fires_on(entry: Entry, options: TextOptions) -> tuple[str, ...]:
    """Common words that the entry's word forms bring in beside its own words, commonest first a term."""
    if not options.word_forms:
        return ()
    words = [reading for term in entry.terms for reading in term.readings if isinstance(reading, WordReading)]
    own = {word.exact for word in words}
    found = (other for word in words if word.form for other in family(word.form, options.language))
    return tuple(dict.fromkeys(other for other in found if other not in own))


# -- index rows ---------------------------------------------------------------------------------------------


def _rows(entry: Entry, forms: bool) -> Iterator[AnchorRow]:
    if not entry.terms:
        return
    ranked = [_rarest_of_all(term, forms, entry.language) for term in entry.terms]
    anchor = ranked.index(min(ranked))
    others = [
        probe
        for number, term in enumerate(entry.terms)
        if number != anchor and len(term.readings) == 1
        for probe in term.readings[0].probes(forms)
    ]
    for reading in entry.terms[anchor].readings:
        yield _row(reading.probes(forms), others, entry.language)


def _row(probes: tuple[Probe, ...], others: list[Probe], language: str) -> AnchorRow:
    anchor = min(probes, key=lambda probe: _rarity(probe, language))
    rest = sorted((*probes, *others), key=lambda probe: _rarity(probe, language))
    keys = dict.fromkeys(probe.key for probe in rest if probe.key != anchor.key)
    return AnchorRow(anchor.key, KEY_SEPARATOR.join(list(keys)[:_NEEDED_KEYS]))


def _rarest_of_all(term: Term, forms: bool, language: str) -> tuple[int, int, str]:
    """How rare a term is: as its most common reading, by the rarest key of that."""
    return max(min(_rarity(probe, language) for probe in reading.probes(forms)) for reading in term.readings)


def _rarity(probe: Probe, language: str) -> tuple[int, int, str]:
    """Sorts rare before common: unlisted, then by rank; among equals the longer, then by alphabet."""
    place = rank(probe.word, language)
    if probe.key != probe.word:
        mates = family(probe.key, language)
        place = rank(mates[0], language) if mates else place
    if place is None:
        short = len(probe.word) == 1 and class_of(probe.word) not in "aER"
        place = _SHORT_KEY_RANK if short else _UNLISTED
    return -place, -len(probe.word), probe.word


# -- compiling ----------------------------------------------------------------------------------------------


@lru_cache(maxsize=16_384)
def compile_entry(source: str, options: TextOptions) -> Entry:
    """Compile one entry as stored. Never raises: one without a usable term matches nothing."""
    raw = next(read_entries(source), None)
    return _compile(raw or RawEntry(source.strip(), ()), options)


def _compile(raw: RawEntry, options: TextOptions) -> Entry:
    usable = [(term, readings) for term in raw.terms if (readings := readings_of(term, options))]
    keys = {("-" if term.excluded else "+") + folded_identity(term, options) for term, _ in usable}
    once = dict.fromkeys((Term(term.typed, readings), term.excluded) for term, readings in usable)
    return Entry(
        raw.source,
        options,
        primary_language(options.language),
        tuple(term for term, excluded in once if not excluded),
        tuple(term for term, excluded in once if excluded),
        "\x1f".join(sorted(keys)),
        tuple(dict.fromkeys(_warnings(raw, [term for term, _ in usable], keys))),
    )


def _warnings(raw: RawEntry, terms: list[RawTerm], keys: set[str]) -> Iterator[str]:
    for word in (word for term in terms for word in term.text.split()):
        scripts = look_alike_scripts(word)
        if scripts:
            yield say("trigger.warning.look_alike", word=word, scripts=", ".join(scripts))
        if may_hold_address(word) and any(found.host and found.rest_start < found.end for found in addresses(word)):
            yield say("trigger.warning.address", word=word)
    if any(key[0] == "-" and "+" + key[1:] in keys for key in keys):
        yield say("trigger.warning.never", entry=raw.source)


# -- what a person typed ------------------------------------------------------------------------------------


def parse_entries(source: str, options: TextOptions, *, anyone: bool) -> tuple[Entry, ...]:
    """Read trigger entries as typed, one a line or parted by `;`.

    `anyone`: everybody's messages may trigger them. Raises InvalidTrigger (details: entry, reason) or
    LimitExceeded (details: name, limit, used, entry).
    """
    _check_size("source_chars", LIMITS.entries * (LIMITS.entry_chars + 1), len(source), "")
    if _REFUSED_CHARACTERS.search(source):
        raise _refused("control_character", source)
    entries: dict[str, Entry] = {}
    for raw in read_entries(source):
        entry = _checked(raw, options, anyone)
        if entry.dedup_key in entries:
            raise _refused("duplicate", raw.source)
        entries[entry.dedup_key] = entry
        _check_size("entries", LIMITS.entries, len(entries), raw.source)
    if not entries:
        raise _refused("empty", source.strip())
    return tuple(entries.values())


def _checked(raw: RawEntry, options: TextOptions, anyone: bool) -> Entry:
    _check_size("entry_chars", LIMITS.entry_chars, len(raw.source), raw.source)
    if raw.open_quote:
        raise _refused("open_quote", raw.source)
    for term in raw.terms:
        _check_size("term_chars", LIMITS.term_chars, len(term.text), raw.source)
    entry = compile_entry(raw.source, options)
    _check_size("terms_per_entry", LIMITS.terms_per_entry, len(entry.terms) + len(entry.exclusions), raw.source)
    if not entry.terms:
        raise _refused("lone_exclusion" if entry.exclusions else "no_term", raw.source)
    if anyone and len(entry.terms) == 1 and _is_one_latin_letter(entry.terms[0].text):
        raise _refused("single_letter", raw.source)
    return entry


def _is_one_latin_letter(term: str) -> bool:
    letter = fold(term.strip('"'))
    return len(letter) == 1 and is_latin(letter)


def _refused(reason: str, entry: str) -> InvalidTrigger:
    sentence, hint = say(f"trigger.{reason}", entry=entry), say(f"trigger.{reason}.hint")
    return InvalidTrigger(sentence, hint, entry=entry, reason=reason)


def _check_size(name: str, limit: int, used: int, entry: str) -> None:
    if used > limit:
        sentence = say(f"trigger.{name}", entry=entry, limit=limit, used=used)
        hint = say(f"trigger.{name}.hint")
        raise LimitExceeded(sentence, hint, name=name, limit=limit, used=used, entry=entry, reason=name)
