"""One text laid out for comparison: folded, with a class letter for each character, cut into terms."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from core.limits import LIMITS
from core.text.fold import fold_and_classify
from core.text.links import addresses, fold_item, host_names, may_hold_address
from core.text.scripts import class_of, classes_of
from core.text.zones import LEFT_OUT, Zone, ZoneKind, usable_zones

# Control characters that stand in the folded text for what is no ordinary text.
GONE, EMOJI_ITEM, HOST_ITEM, EMAIL_ITEM, SEAM = "\x01", "\x02", "\x03", "\x04", "\x05"
_STAND_INS = re.compile("[\x01-\x05]")

# No possessive quantifiers: nested ones give wrong spans in the `re` of Python 3.11.0 to 3.11.4. None are needed, since
# nothing follows a term that it could have to give characters back to.
_EMOJI = "EI?T*(?:ZET*)*[mk]*|RR?[mk]*"
_NUMBER = "n+(?:[.,]n+)+[anmk]*"
_WORD = "[anmk]+(?:(?<=[am])'(?=a)[anmk]+)*"
_TERM = re.compile(f"{_EMOJI}|{_NUMBER}|{_WORD}|h[hmk]*|u[mk]*|[234]")

_LOOK_BACK = 1_000


class Layout:
    """`texts[i]` is the term at `starts[i]`..`ends[i]` of `folded`; `classes` has its class letters.

    A term is a word, a number, a run of Hangul, one letter of an unspaced script with its marks, an emoji,
    a host or an e-mail address. `names` has, for each host, what it answers to; `link_names` is the same for
    the hosts of links whose address is not shown. Where the terms stand and what class each character has is worked
    out when it is asked for: most texts are only asked which terms they have.
    """

    __slots__ = (
        "_classes",
        "_ends",
        "_spans",
        "_starts",
        "folded",
        "left_out",
        "link_names",
        "names",
        "texts",
        "truncated",
    )

    def __init__(
        self,
        folded: str,
        texts: tuple[str, ...],
        classes: str = "",
        spans: Sequence[tuple[int, int]] | None = None,
        names: dict[int, frozenset[str]] | None = None,
        link_names: frozenset[str] = frozenset(),
        left_out: tuple[Zone, ...] = (),
        truncated: bool = False,
    ) -> None:
        self.folded = folded
        self.texts = texts
        self.names = names or {}
        self.link_names = link_names
        self.left_out = left_out
        self.truncated = truncated
        self._classes = classes
        self._spans = spans
        self._starts: tuple[int, ...] | None = None
        self._ends: tuple[int, ...] = ()

    @property
    def classes(self) -> str:
        """One class letter for each character of `folded`."""
        if not self._classes:
            self._classes = classes_of(self.folded)
        return self._classes

    @property
    def starts(self) -> tuple[int, ...]:
        """Where each term begins in `folded`."""
        if self._starts is None:
            spans = self._spans
            if spans is None:
                spans = [found.span() for found in _TERM.finditer(self.classes)]
            self._starts, self._ends = zip(*spans, strict=True) if spans else ((), ())
        return self._starts

    @property
    def ends(self) -> tuple[int, ...]:
        """Where each term ends in `folded`."""
        return self._ends if self.starts else ()

    def kind(self, index: int) -> str:
        """Class letter of the first character of a term."""
        return self.classes[self.starts[index]]

    def gap(self, index: int) -> tuple[int, int]:
        """Where the signs between term `index` and the next begin and end."""
        return self.ends[index], self.starts[index + 1]


@dataclass(slots=True)
class _Draft:
    """Text under construction: pieces, and the items that stand-ins stand for."""

    fold_accents: bool
    pieces: list[str] = field(default_factory=list)
    items: list[str] = field(default_factory=list)
    link_names: frozenset[str] = frozenset()
    left_out: list[Zone] = field(default_factory=list)

    def add_item(self, stand_in: str, value: str) -> None:
        folded = fold_item(value, self.fold_accents)
        self.pieces.append(stand_in if folded else GONE)
        self.items += [folded] if folded else []

    def add_plain(self, text: str, offset: int) -> None:
        if not may_hold_address(text):
            self.pieces.append(_STAND_INS.sub(" ", text))
            return
        done = 0
        for found in addresses(text):
            self.pieces.append(_STAND_INS.sub(" ", text[done : found.start]))
            if found.email:
                self.add_item(EMAIL_ITEM, found.email)
            else:
                self._add_url(found.host, found.rest_start + offset, found.end + offset)
            done = found.end
        self.pieces.append(_STAND_INS.sub(" ", text[done:]))

    def _add_url(self, host: str, rest: int, end: int) -> None:
        if host:
            self.add_item(HOST_ITEM, host)
        if rest < end or not host:
            self.pieces.append(GONE)
            self.left_out.append(Zone(rest, end, ZoneKind.URL))

    def add_zone(self, zone: Zone, text: str) -> None:
        if zone.kind in LEFT_OUT:
            self.pieces.append(GONE)
            self.left_out.append(zone)
        elif zone.kind is ZoneKind.EMOJI:
            self.add_item(EMOJI_ITEM, zone.value or text)
        elif zone.kind is ZoneKind.MENTION:
            self._add_mention(zone.value or text)
        else:
            self.add_plain(text, zone.start)
            for found in addresses(zone.value):
                self.link_names |= host_names(fold_item(found.host, self.fold_accents))

    def _add_mention(self, name: str) -> None:
        shown = name if name.startswith(("@", "#")) else f"@{name}"
        self.pieces += (SEAM, _STAND_INS.sub(" ", shown), SEAM)


def lay_out(text: str, zones: Sequence[Zone] = (), fold_accents: bool = False) -> Layout:
    """Lay out any string; what lies past the bounds on characters and terms is cut off and flagged."""
    if not zones and (plain := _plain(text)) is not None:
        return plain
    cut = boundary_before(text, LIMITS.turn_chars)
    draft = _draft(text[:cut], zones, fold_accents)
    folded, classes = fold_and_classify("".join(draft.pieces), fold_accents)
    folded_cut = boundary_before(folded, LIMITS.turn_chars)
    truncated = cut < len(text) or folded_cut < len(folded)
    return _terms(folded[:folded_cut], classes[:folded_cut], draft, truncated)


_WORD_CODES = {code for code in range(128) if class_of(chr(code).lower()) in "an'"}
_TO_SPACES = {code: " " for code in range(128) if code not in _WORD_CODES}
_POINTED_NUMBER = re.compile("[0-9][.,][0-9]")
_PLAIN_WORD = re.compile(r"[a-z0-9]+(?:(?<=[a-z])'(?=[a-z])[a-z0-9]+)*")


def _plain(text: str) -> Layout | None:
    """ASCII text of words and single signs, without addresses and numbers with points: the same, five times faster."""
    if not text.isascii() or len(text) > LIMITS.turn_chars:
        return None
    folded = text.lower()
    if may_hold_address(folded) or _STAND_INS.search(folded) or _POINTED_NUMBER.search(folded):
        return None
    texts = folded.translate(_TO_SPACES).split()
    if "'" in folded:
        texts = [word for run in texts for word in (_PLAIN_WORD.findall(run) if "'" in run else (run,))]
    return Layout(folded, tuple(texts)) if len(texts) <= LIMITS.turn_terms else None


def _draft(text: str, zones: Sequence[Zone], fold_accents: bool) -> _Draft:
    draft = _Draft(fold_accents)
    done = 0
    for zone in usable_zones(zones, len(text)) if zones else ():
        if done < zone.start:
            draft.add_plain(text[done : zone.start], done)
        draft.add_zone(zone, text[zone.start : zone.end])
        done = zone.end
    draft.add_plain(text[done:], done)
    return draft


def _terms(folded: str, classes: str, draft: _Draft, truncated: bool) -> Layout:
    spans = [found.span() for found in islice(_TERM.finditer(classes), LIMITS.turn_terms + 1)]
    if len(spans) > LIMITS.turn_terms:
        cut = spans.pop()[0]
        folded, classes, truncated = folded[:cut], classes[:cut], True
    texts = [folded[start:end] for start, end in spans]
    names = _put_items_in(texts, classes, spans, draft.items) if draft.items else {}
    return Layout(folded, tuple(texts), classes, spans, names, draft.link_names, tuple(draft.left_out), truncated)


def _put_items_in(
    texts: list[str], classes: str, spans: list[tuple[int, int]], items: list[str]
) -> dict[int, frozenset[str]]:
    values: Iterator[str] = iter(items)
    names = {}
    for index, (start, _) in enumerate(spans):
        if classes[start] in "234":
            texts[index] = next(values)
            if classes[start] == "3":
                names[index] = host_names(texts[index])
    return names


def boundary_before(text: str, bound: int) -> int:
    """The last place at or before `bound` where `text` may be cut without cutting a term.

    White space within the last thousand characters if there is some, else a change of script or the place
    between two letters of an unspaced script; a run longer than that is no term and is cut through.
    """
    if len(text) <= bound:
        return len(text)
    lowest = max(bound - _LOOK_BACK, 0)
    for cut in range(bound, lowest, -1):
        if text[cut].isspace() or text[cut - 1].isspace():
            return cut
    for cut in range(bound, lowest, -1):
        if _may_part(class_of(text[cut - 1]), class_of(text[cut])):
            return cut
    return bound if lowest else 0


def _may_part(before: str, after: str) -> bool:
    if after in "mkixZTI" or before == "Z" or (before == after == "R"):
        return False
    words = "anmk'.,_-jps"
    return not ((before in words and after in words) or (before == after == "h"))
