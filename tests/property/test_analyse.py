"""What holds for the analysis and for matching on any text."""

import unicodedata
from itertools import product

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from adapters.discord.text import to_entry_text, to_marked_text
from core.errors import InvalidInput
from core.standing.triggers import Entry, compile_entry, match_entry, parse_entries
from core.text.analyse import TextOptions, analyse
from core.text.fold import fold
from core.text.zones import Zone, ZoneKind

WORDS = [
    "launch", "Launches", "team's", "don't", "it", "roll-back", "rollback", "roll", "back", "state-of-the-art",
    "covid-19", "the", "É", "café", "Schäden", "l'équipe", "équipe", "STRASSE", "straße", "İstanbul", "ısı",
    "откат", "ещё", "йод", "rоllback", "λόγος", "شَمس", "بيت", "שָׁלוֹם", 'צה"ל', "किताब", "काम", "ที่", "ประชุม",
    "回滚", "回滚负责人", "明日の会議", "が", "か", "ｶﾞ", "サーバー", "배포", "배포를", "배", "sql日志", "3月", "13月",
    "로그3", "T-셔츠", "東京-大阪", "3", "3.5", "1,000", "10.0.0.1", "v1.2", "v1.2.3", "24/7", "3.5kg", "½", "x²",
    "c++", "C#", ".net", "ASP.NET", "[p1]", "{!}", "§", "->", "™", "Launch™", "#launch", "@dana", "@dana_smith",
    "release_v2", "--force", "'n'", "$5", "🚀", "🚀🚀", "👍🏽", "👨‍👩‍👧", "🇺🇸", "1️⃣", "☕️", "launch🚀", ":fire:",
    "example.test", "docs.example.test", "https://docs.example.test/guide", "http://1.2.3.example.test:80/x",
    "2.3.example.test", "www.my-app.test", "https://xn--mller-kva.test", "a.b@mail.test", "mail.test", "ﷺ", "e.g.",
]  # fmt: skip
LANGUAGES = ["en", "de", "fr", "ru", "xx", "en-GB"]
ZERO_WIDTH = "\u200b\u2060\u00ad\u200e\ufeff"

any_text = st.text(st.characters(exclude_categories=()), max_size=60)
word = st.sampled_from(WORDS) | st.text("abéЖ回배ต้が'.-_,3§+@#:🚀\u0301\u200d", min_size=1, max_size=8)
phrase = st.lists(word, min_size=1, max_size=3).map(lambda words: '"' + " ".join(words).replace('"', "") + '"')
term = word | phrase
entry_source = st.lists(term | term | term | term.map("-{}".format), min_size=1, max_size=4).map(" ".join)
options = st.builds(
    TextOptions, language=st.sampled_from(LANGUAGES), word_forms=st.booleans(), fold_accents=st.booleans()
)
gap = st.sampled_from([" ", "  ", "\n", "\n\n", ", ", "-", " - ", ".", "", "'s ", "_", "™ ", "는 ", "\u0301"])


@st.composite
def text_around(draw: st.DrawFn, source: str) -> str:
    """A text made of the words of an entry and of others, glued in many ways."""
    own = [part.strip('"').lstrip("-") for part in source.split()]
    parts = draw(st.lists(st.sampled_from(own) | word, min_size=1, max_size=8)) + draw(st.permutations(own))
    return "".join(part + draw(gap) for part in parts)


@st.composite
def entry_and_text(draw: st.DrawFn) -> tuple[Entry, str]:
    entry = compile_entry(draw(entry_source), draw(options))
    return entry, draw(text_around(entry.source or "x"))


def found_by_its_rows(entry: Entry, text: str, zones: list[Zone], language: str) -> bool:
    """Whether the index leads to the entry, when it matches."""
    turn = analyse(text, zones, language, entry.options)
    if not match_entry(entry, turn).matched:
        return True
    rows = entry.anchors(cross_language=entry.language != turn.language)
    return any(row.anchor in turn.keys and turn.keys.issuperset(row.need.split()) for row in rows)


@settings(max_examples=400, deadline=None)
@given(entry_and_text(), st.sampled_from(LANGUAGES))
def test_an_entry_that_matches_is_found_by_one_of_its_index_rows(pair: tuple[Entry, str], language: str) -> None:
    entry, text = pair
    assert found_by_its_rows(entry, text, [], entry.options.language)
    assert found_by_its_rows(entry, text, [], language)


@settings(max_examples=150, deadline=None)
@given(entry_and_text(), st.data())
def test_it_is_found_with_zones_too(pair: tuple[Entry, str], data: st.DataObject) -> None:
    entry, text = pair
    place = st.integers(0, len(text))
    zone = st.builds(Zone, place, place, st.sampled_from(ZoneKind), st.sampled_from([":fire:", "Dana", *WORDS]))
    zones = data.draw(st.lists(zone, max_size=3))
    assert found_by_its_rows(entry, text, zones, entry.options.language)


@pytest.mark.thorough
def test_every_word_is_found_by_its_rows_in_every_language() -> None:
    for word, own, other in product(WORDS, LANGUAGES, LANGUAGES):
        for forms in (True, False):
            entry = compile_entry(word, TextOptions(language=own, word_forms=forms))
            for text in (word, f"{word}'s", f"a {word.upper()}, b", f'"{word}"은'):
                assert found_by_its_rows(entry, text, [], other), (entry, text, other)


@pytest.mark.thorough
def test_every_pair_of_words_is_found_by_its_rows() -> None:
    for first, second in product(WORDS[::2], WORDS[1::2]):
        for source in (f"{first} {second}", f'"{first} {second}"'):
            entry = compile_entry(source, TextOptions())
            for text in (f"{first} {second}", f"{second}-{first}", f"{first}{second}".replace("-", "")):
                assert found_by_its_rows(entry, text, [], "en"), (entry, text)


def test_every_word_finds_itself() -> None:
    for word, language in product(WORDS, LANGUAGES):
        options = TextOptions(language=language)
        for text in (word, f"({word})", f"x {word} y", unicodedata.normalize("NFD", word)):
            assert match_entry(compile_entry(word, options), analyse(text, options=options)).matched, (word, text)


@settings(max_examples=500)
@given(any_text, st.booleans())
@example("👍\u200b🏻", False)
@example("\u0660\u0640\u0653", True)
@example("i\u0307\u0301\u0307", False)
@example("👍\u0640🏻", False)
def test_folding_twice_changes_nothing(text: str, accents: bool) -> None:
    once = fold(text, accents)
    assert fold(once, accents) == once


@given(any_text)
def test_folding_does_not_see_how_letters_are_composed(text: str) -> None:
    assert fold(unicodedata.normalize("NFD", text)) == fold(text) == fold(unicodedata.normalize("NFC", text))


@settings(max_examples=500)
@given(st.text(st.characters(max_codepoint=0x3000), max_size=30) | word, st.booleans())
def test_the_short_way_through_folding_leads_where_the_long_one_does(text: str, accents: bool) -> None:
    assert fold(f"{text} \u200b", accents) == fold(text, accents) + " "


@settings(max_examples=500, deadline=None)
@given(any_text, st.lists(st.builds(Zone, st.integers(), st.integers(), st.sampled_from(ZoneKind), any_text)))
def test_any_text_with_any_zones_is_analysed(text: str, zones: list[Zone]) -> None:
    turn = analyse(text, zones)
    assert not any(key.isspace() or " " in key or not key for key in turn.keys)
    assert analyse(text, zones).keys == turn.keys


@settings(max_examples=500, deadline=None)
@given(any_text, options, st.booleans())
def test_any_text_is_a_trigger_or_refused(source: str, chosen: TextOptions, anyone: bool) -> None:
    assert match_entry(compile_entry(source, chosen), analyse(source)).reason
    try:
        entries = parse_entries(source, chosen, anyone=anyone)
    except InvalidInput as refusal:
        assert refusal.details["reason"]
        return
    for entry in entries:
        assert entry.terms
        assert entry.anchors(True)
        assert compile_entry(entry.source, chosen).dedup_key == entry.dedup_key


@settings(max_examples=500)
@given(any_text | st.text("*_~|`<>:@[]()\\#- \nahtps/1", max_size=80))
def test_any_message_becomes_plain_text_with_sound_zones(content: str) -> None:
    marked = to_marked_text(content, {"1": "Dana"})
    reached = 0
    for zone in marked.zones:
        assert reached <= zone.start <= zone.end <= len(marked.text)
        reached = zone.end
    to_entry_text(content)


def answer(entry: Entry, text: str) -> bool:
    return match_entry(entry, analyse(text, options=entry.options)).matched


@settings(deadline=None)
@given(entry_and_text())
def test_the_answer_does_not_depend_on_composition(pair: tuple[Entry, str]) -> None:
    entry, text = pair
    expected = answer(entry, unicodedata.normalize("NFC", text))
    assert answer(entry, unicodedata.normalize("NFD", text)) is expected
    decomposed = compile_entry(unicodedata.normalize("NFD", entry.source), entry.options)
    assert answer(decomposed, text) is answer(compile_entry(entry.source, entry.options), text)


@settings(deadline=None)
@given(entry_and_text())
def test_the_answer_does_not_depend_on_case(pair: tuple[Entry, str]) -> None:
    entry, text = pair
    assert answer(entry, text.casefold()) is answer(entry, text)


@settings(deadline=None)
@given(entry_and_text(), st.data())
def test_zero_width_characters_inside_words_change_nothing(pair: tuple[Entry, str], data: st.DataObject) -> None:
    entry, text = pair
    assume("://" not in text and "@" not in text and "www" not in text)
    inside = [at for at in range(1, len(text)) if text[at - 1].isalpha() and text[at].isalpha()]
    assume(inside)
    for at in sorted(data.draw(st.sets(st.sampled_from(inside), max_size=4)), reverse=True):
        text = text[:at] + data.draw(st.sampled_from(ZERO_WIDTH)) + text[at:]
    assert answer(entry, text) is answer(entry, "".join(char for char in text if char not in ZERO_WIDTH))


@settings(deadline=None)
@given(entry_and_text())
def test_unrelated_words_around_change_nothing(pair: tuple[Entry, str]) -> None:
    entry, text = pair
    assert answer(entry, f"zyzzyva {text} quokka") is answer(entry, text)
