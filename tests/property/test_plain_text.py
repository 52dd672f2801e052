"""The short way of plain ASCII text gives what the long way gives, to the last key."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.limits import LIMITS
from core.text import layout
from core.text.analyse import Analysed
from core.text.layout import lay_out

SAMPLES = """launch don't 'tis team's O'Neil' rock'n'roll a'1 1'a roll-back x-y-z C++ .net v1.2 3.5 1,000 #ops @dana
www.a.example WWW. https://a.b/c me@a.example _x_ a_b --force 1 [p1] {!} $ ^ `code` ~~x~~ '' '"""
WORDS = st.sampled_from([*SAMPLES.split(), *"\x00\x01\x1f\n\t"])
ASCII = st.text(st.characters(max_codepoint=127), max_size=60)
TEXTS = st.one_of(ASCII, st.lists(WORDS, max_size=12).map(" ".join), st.lists(WORDS, max_size=6).map("".join))


def all_of(laid):
    analysed = Analysed(laid, "en")
    return (
        *(laid.folded, laid.texts, laid.classes, laid.starts, laid.ends, laid.names, laid.truncated, laid.left_out),
        *(analysed.words, analysed.forms, analysed.keys, analysed.hangul),
    )


def long_way(text, fold_accents=False):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(layout, "_plain", lambda _text: None)
        return lay_out(text, (), fold_accents)


@settings(max_examples=600)
@given(TEXTS, st.booleans())
@example("it's 3pm, isn't it? don't", False)
@example("a" * LIMITS.turn_chars, False)
def test_plain_text_is_laid_out_as_any_other(text, fold_accents):
    assert all_of(lay_out(text, (), fold_accents)) == all_of(long_way(text, fold_accents))


@pytest.mark.parametrize("words", [LIMITS.turn_terms, LIMITS.turn_terms + 1])
@pytest.mark.parametrize("char", ["a ", "a-", "1 "])
def test_the_bound_on_terms_is_the_same(words, char):
    text = char * words
    assert all_of(lay_out(text)) == all_of(long_way(text))
    assert lay_out(text).truncated == (words > LIMITS.turn_terms)


@pytest.mark.parametrize("extra", [0, 1])
def test_the_bound_on_characters_is_the_same(extra):
    text = ("word " * LIMITS.turn_chars)[: LIMITS.turn_chars + extra]
    assert all_of(lay_out(text)) == all_of(long_way(text))


def test_the_short_way_is_taken():
    assert layout._plain("Anyone seen the launch checklist? It's for Friday.") is not None
    assert layout._plain("näh") is None
