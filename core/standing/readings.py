"""From the text of one term to its readings."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import regex

from core.standing.grammar import RawTerm, is_short_name, short_names_in
from core.standing.terms import (
    TOGETHER,
    Gap,
    GapKind,
    HostReading,
    Part,
    Reading,
    SequenceReading,
    SignReading,
    WordReading,
)
from core.text.analyse import SIGN_CLASSES, TextOptions
from core.text.forms import form_key
from core.text.layout import GONE, Layout, lay_out
from core.text.links import fold_item
from core.text.scripts import PLAIN_SIGNS, class_of
from core.text.zones import Zone, ZoneKind

_HOST = regex.compile(r"[\p{L}\p{M}\p{N}_\-]+(?:\.[\p{L}\p{M}\p{N}_\-]+)+")


def readings_of(term: RawTerm, options: TextOptions) -> tuple[Reading, ...]:
    """The ways to read a term, any of which is enough; empty when nothing in it can be matched."""
    if is_short_name(term.text):
        name = WordReading(fold_item(term.text, options.fold_accents))
        return name, *_literal_readings(_lay_out(term.text, options), options)
    layout = _lay_out(term.text, options)
    if not layout.texts:
        return tuple(_sign_readings(layout.folded))
    readings = _readings(term, layout, options)
    names = [Zone(start, end, ZoneKind.EMOJI) for start, end in short_names_in(term.text)]
    return (*readings, *_readings(term, _lay_out(term.text, options, names), options)) if names else readings


def _readings(term: RawTerm, layout: Layout, options: TextOptions) -> tuple[Reading, ...]:
    if term.quoted:
        return _phrase(layout), *_host_readings(layout)
    return _word_readings(layout, options)


def _lay_out(text: str, options: TextOptions, names: Sequence[Zone] = ()) -> Layout:
    return lay_out(text, names, options.fold_accents)


def telling(signs: str) -> tuple[str, ...]:
    """The signs that say something on their own, each once, in order."""
    found = (char for char in signs if char not in PLAIN_SIGNS and class_of(char) in SIGN_CLASSES)
    return tuple(dict.fromkeys(found))


def _sign_readings(folded: str) -> Iterator[Reading]:
    signs = folded.strip().strip(GONE)
    if telling(signs):
        yield SignReading(signs, telling(signs))


def _around(layout: Layout) -> tuple[str, list[str], str]:
    """The signs before, between and after the terms."""
    gaps = [layout.folded[end:start] for end, start in zip(layout.ends, layout.starts[1:], strict=False)]
    before, after = layout.folded[: layout.starts[0]], layout.folded[layout.ends[-1] :]
    return before.replace(GONE, ""), gaps, after.replace(GONE, "")


def _word_readings(layout: Layout, options: TextOptions) -> tuple[Reading, ...]:
    before, gaps, after = _around(layout)
    if before or after or any(gap not in ("", "-") for gap in gaps) or _has_inner_points(layout):
        return _literal_readings(layout, options)
    if "-" in gaps:
        joined = _lay_out("".join(layout.texts), options)
        return *_word_readings(joined, options), _run(layout, options, GapKind.HYPHEN)
    if len(layout.texts) > 1:
        return (_run(layout, options, GapKind.SPACE),)
    if layout.names:
        return (HostReading(layout.texts[0]),)
    return (_single(layout, options),)


def _has_inner_points(layout: Layout) -> bool:
    return any(layout.kind(index) == "n" and ("." in text or "," in text) for index, text in enumerate(layout.texts))


def _single(layout: Layout, options: TextOptions) -> WordReading:
    part = _part(layout, 0, options if options.word_forms else None)
    return WordReading(part.exact, part.form, layout.kind(0) == "h")


def _part(layout: Layout, index: int, options: TextOptions | None) -> Part:
    """A part with its word form when `options` are given."""
    text = layout.texts[index]
    spaced = layout.kind(index) in "anm"
    return Part(text, form_key(text, options.language) if options is not None and spaced else None)


def _run(layout: Layout, options: TextOptions, kind: GapKind) -> SequenceReading:
    """Terms next to each other: the parts of a compound, or a change of script."""
    forms = options if options.word_forms else None
    parts = [_part(layout, index, forms) for index in range(len(layout.texts))]
    gaps = [
        Gap(kind) if start < end else _glued(layout, index)
        for index, (start, end) in enumerate(map(layout.gap, range(len(parts) - 1)))
    ]
    return SequenceReading(_open_end(layout, parts), tuple(gaps))


def _glued(layout: Layout, index: int) -> Gap:
    """Nothing between two terms as typed: white space is allowed where the script changes."""
    same = _script_group(layout.kind(index)) == _script_group(layout.kind(index + 1))
    return TOGETHER if same else Gap(GapKind.SPACE)


def _script_group(kind: str) -> str:
    return "E" if kind in "ER" else kind


def _open_end(layout: Layout, parts: list[Part]) -> tuple[Part, ...]:
    """The parts; a Hangul word at the end may go on."""
    last = len(parts) - 1
    if layout.kind(last) == "h":
        parts[last] = Part(parts[last].exact, hangul=True)
    return tuple(parts)


def _literal_readings(layout: Layout, options: TextOptions) -> tuple[Reading, ...]:
    return _literal(layout, options), *_host_readings(layout)


def _literal(layout: Layout, options: TextOptions) -> SequenceReading:
    before, gaps, after = _around(layout)
    parts = [_part(layout, index, None) for index in range(len(layout.texts))]
    if not after:
        last = parts[-1].exact
        parts[-1] = Part(last, possessive=options.word_forms and layout.kind(len(parts) - 1) == "a")
    between = [Gap(GapKind.EXACT, (gap,)) if gap else _glued(layout, index) for index, gap in enumerate(gaps)]
    whole = tuple(parts) if after else _open_end(layout, parts)
    return SequenceReading(whole, tuple(between), before, after, edges=True)


def _host_readings(layout: Layout) -> Iterator[Reading]:
    if _HOST.fullmatch(layout.folded):
        yield HostReading(layout.folded)


def _phrase(layout: Layout) -> SequenceReading:
    before, gaps, after = _around(layout)
    before, after = before if telling(before) else "", after if telling(after) else ""
    parts = [_part(layout, index, None) for index in range(len(layout.texts))]
    between = [
        TOGETHER if not gap and _glued(layout, index) == TOGETHER else _phrase_gap(gap)
        for index, gap in enumerate(gaps)
    ]
    return SequenceReading(tuple(parts) if after else _open_end(layout, parts), tuple(between), before, after)


def _phrase_gap(gap: str) -> Gap:
    """White space and punctuation; signs that mean something are asked for."""
    if not telling(gap):
        return Gap(GapKind.LOOSE)
    if not any(map(str.isspace, gap)):
        return Gap(GapKind.EXACT, (gap,))
    plain = "".join(PLAIN_SIGNS)
    signs = tuple(bare for chunk in gap.split() if (bare := chunk.strip(plain)))
    return Gap(GapKind.LOOSE, signs, after=gap.startswith(signs[0]), before=gap.endswith(signs[-1]))


def folded_identity(term: RawTerm, options: TextOptions) -> str:
    """Equal for terms that are the same after folding; plain punctuation in a phrase does not count."""
    layout = _lay_out(term.text, options)
    if not term.quoted:
        return layout.folded if layout.folded.isprintable() else " ".join(layout.texts)
    gaps = (layout.folded[end:start] for end, start in _spans_between(layout))
    signs = ["".join(telling(gap)) for gap in gaps]
    return '"' + " ".join(part for pair in zip(signs, (*layout.texts, ""), strict=True) for part in pair if part)


def _spans_between(layout: Layout) -> Iterator[tuple[int, int]]:
    edges = [0, *(edge for span in zip(layout.starts, layout.ends, strict=True) for edge in span)]
    edges.append(len(layout.folded))
    return ((end, start) for number, (end, start) in enumerate(pairwise(edges)) if number % 2 == 0)
