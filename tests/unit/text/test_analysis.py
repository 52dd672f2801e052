"""The analysis of one text: bounds, keys, zones, fingerprint."""

import hashlib

import pytest

from core.limits import LIMITS
from core.text import analyse as module
from core.text.analyse import FINGERPRINT, TextOptions, analyse
from core.text.commonwords import LISTS, family, rank, words
from core.text.fold import fold
from core.text.forms import form_key, primary_language
from core.text.layout import boundary_before
from core.text.scripts import is_latin, look_alike_scripts
from core.text.zones import Zone, ZoneKind


def test_text_is_read_up_to_the_bound_on_characters() -> None:
    filler = "word " * ((LIMITS.turn_chars - len("launch")) // 5)
    filler = filler.rjust(LIMITS.turn_chars - len("launch"))
    within = analyse(filler + "launch")
    assert "launch" in within.words
    assert not within.truncated
    beyond = analyse(" " + filler + "launch")
    assert "launch" not in beyond.words
    assert beyond.truncated


def test_text_that_grows_in_folding_is_cut_after_it_too() -> None:
    grows = "\ufdfa " * 2_000
    turn = analyse(grows + "launch")
    assert turn.truncated
    assert "launch" not in turn.words


def test_terms_are_read_up_to_their_bound() -> None:
    within = analyse("a " * (LIMITS.turn_terms - 1) + "launch")
    assert "launch" in within.words
    assert (within.term_count, within.truncated) == (LIMITS.turn_terms, False)
    beyond = analyse("a " * LIMITS.turn_terms + "launch")
    assert "launch" not in beyond.words
    assert (beyond.term_count, beyond.truncated) == (LIMITS.turn_terms, True)


def test_letters_of_unspaced_scripts_count_as_terms() -> None:
    assert not analyse("回" * LIMITS.turn_terms).truncated
    assert analyse("回" * (LIMITS.turn_terms + 1)).truncated


@pytest.mark.parametrize("text", ["launch party", "launchparty 回滚", "😀launch", "回launch", "e\u0301launch"])
def test_a_cut_falls_on_a_boundary(text: str) -> None:
    for bound in range(len(text) + 2):
        cut = boundary_before(text, bound)
        assert cut <= max(bound, 0)
        assert cut == len(text) or "laun" not in analyse(text[:cut]).words


def test_a_cut_in_text_without_white_space_is_between_letters_or_at_a_change_of_script() -> None:
    assert boundary_before("回滚负责人", 3) == 3
    assert boundary_before("回滚launch", 4) == 2
    assert boundary_before("か\u3099か\u3099", 3) == 2
    assert boundary_before("🇺🇸🇬🇧", 3) < 3
    assert boundary_before("a" * 5_000, 3_000) == 3_000


def test_marks_on_one_base_are_kept_up_to_their_bound() -> None:
    most = "q" + "\u0301" * LIMITS.marks_per_base
    assert fold(most) == most
    assert fold(most + "\u0301") == most
    mixed = "q" + "\u0301\u0323" * 5_000
    assert len(fold(mixed)) <= 1 + LIMITS.marks_per_base


@pytest.mark.parametrize(
    "text",
    [
        "\x00\x01\x02\x03\x04\x05",
        "\ud800 launch \udfff",
        "\u200d\ufe0f\u20e3",
        "'''",
        "\U0010ffff",
        "1\u20e3\u20e3",
    ],
)
def test_odd_text_is_analysed_without_an_error(text: str) -> None:
    analyse(text)


def test_stand_in_characters_in_a_message_are_nothing_but_a_boundary() -> None:
    assert analyse("a\x02b\x03c").words == {"a", "b", "c"}


def test_a_text_without_terms_has_none() -> None:
    for text in ("", "  ", "?!", "\u200b"):
        assert analyse(text).term_count == 0


def test_zones_left_out_are_reported_in_the_offsets_of_the_text() -> None:
    text = "see code at https://example.test/path now"
    turn = analyse(text, [Zone(4, 8, ZoneKind.CODE)])
    assert [(text[zone.start : zone.end], zone.kind) for zone in turn.left_out] == [
        ("code", ZoneKind.CODE),
        ("/path", ZoneKind.URL),
    ]
    assert turn.words >= {"see", "at", "example.test", "now"}
    assert not turn.words & {"code", "path"}


@pytest.mark.parametrize(
    "zones",
    [
        [Zone(6, 9, ZoneKind.CODE), Zone(0, 3, ZoneKind.CODE)],
        [Zone(0, 3, ZoneKind.CODE), Zone(1, 2, ZoneKind.EMOJI, ":x:"), Zone(6, 900, ZoneKind.CODE)],
        [Zone(-5, 3, ZoneKind.CODE), Zone(9, 4, ZoneKind.QUOTE), Zone(6, 9, ZoneKind.QUOTE)],
    ],
)
def test_zones_out_of_order_or_out_of_the_text_do_no_harm(zones: list[Zone]) -> None:
    assert analyse("abc de fgh", zones).words - {"h"} == {"de"}


def test_the_language_is_that_asked_for_then_that_of_the_options_then_english() -> None:
    assert analyse("x").language == "en"
    assert analyse("x", options=TextOptions(language="de-AT")).language == "de"
    assert analyse("x", (), "fr", TextOptions(language="de")).language == "fr"


@pytest.mark.parametrize(
    ("tag", "language"),
    [("en-GB", "en"), ("pt_BR", "pt"), ("NO", "nb"), ("nn", "nb"), ("", ""), ("zh-Hant", "zh")],
)
def test_a_language_tag_is_read_up_to_its_region(tag: str, language: str) -> None:
    assert primary_language(tag) == language


def test_keys_hold_all_that_an_entry_may_be_filed_under() -> None:
    keys = analyse("The team's roll-backs, C++ and 회의록 in 回滚 🚀 at https://a.example.test").keys
    expected = {
        "team's",
        "team",
        "~team",
        "rollbacks",
        "~rollback",
        "+",
        "회",
        "회의",
        "回",
        "滚",
        "回滚",
        "🚀",
    }
    assert expected | {"a.example.test", "example.test", "example", "test"} <= keys
    assert not keys & {",", "'", ".", " ", ""}
    assert not any(" " in key for key in keys)


def test_the_fingerprint_names_everything_the_analysis_rests_on(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(FINGERPRINT) == len(hashlib.sha256().hexdigest())
    assert module._fingerprint() == FINGERPRINT
    for name, value in (("VERSION", "x"), ("LISTS", {"en": "a"})):
        with monkeypatch.context() as patch:
            patch.setattr(module, name, value)
            assert module._fingerprint() != FINGERPRINT
    monkeypatch.setattr("regex.__version__", "0")
    assert module._fingerprint() != FINGERPRINT


# -- lists and forms ----------------------------------------------------------------------------------------


def test_the_lists_are_there_folded_and_without_repetition() -> None:
    assert {"en", "de", "fr", "es", "it", "pt", "nl", "ru", "sv"} <= set(LISTS)
    for language in LISTS:
        found = words(language)
        assert len(found) == len(set(found)) == 5_000
        assert all(fold(word) == word for word in found)


def test_ranks_begin_with_the_commonest_word() -> None:
    assert rank("the", "en") == 1
    assert rank("the", "en-US") == 1
    assert rank("zzyzx", "en") is None
    assert rank("the", "xx") is None


def test_a_family_shares_a_stem() -> None:
    key = form_key("products", "en")
    assert key is not None
    assert {"product", "products"} <= set(family(key, "en"))


@pytest.mark.parametrize("word", ["it", "its", "v2", "3", "日", "🚀", "a" * 101, "example.test", ""])
def test_words_without_a_form_key_are_compared_as_they_are(word: str) -> None:
    assert form_key(word, "en") is None


def test_a_language_without_a_stemmer_still_drops_the_possessive() -> None:
    assert form_key("team's", "xx") == form_key("team", "xx") == "~team"


def test_look_alike_scripts_are_named() -> None:
    assert look_alike_scripts("r\u043ellback") == ("Latin", "Cyrillic")
    assert look_alike_scripts("sql日志") == ()
    assert is_latin("é")
    assert not is_latin("é1")
