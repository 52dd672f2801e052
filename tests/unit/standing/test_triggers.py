"""Trigger entries: what is accepted, what is refused and why."""

import unicodedata

import pytest

from core.errors import LimitExceeded
from core.limits import LIMITS
from core.standing.grammar import short_names_in
from core.standing.triggers import also_fires_on, compile_entry, match_entry
from core.text.analyse import analyse
from core.text.zones import Zone, ZoneKind
from tests.fakes.entries import EN, EXACT, check, matches, parse, reason

# -- entries ------------------------------------------------------------------------------------------------


def test_words_are_all_needed_in_any_order() -> None:
    check("""
        launch checklist => Checklist ready for the launch
        launch checklist =/> the launch
        launch, checklist => checklist, launch
    """)


@pytest.mark.parametrize("separator", ["\n", ";", " ; ", "\r\n", "\uff1b", ";;\n\n"])
def test_a_new_line_or_semicolon_parts_entries(separator: str) -> None:
    assert [entry.source for entry in parse(f"alpha beta{separator}gamma")] == ["alpha beta", "gamma"]


def test_a_semicolon_inside_quotes_parts_nothing() -> None:
    assert [entry.source for entry in parse('"alpha; beta" gamma; delta')] == ['"alpha; beta" gamma', "delta"]


@pytest.mark.parametrize(
    "phrase", ['"a b"', "“a b”", "„a b“", "„a b”", "«a b»", "「a b」", "『a b』", "＂a b＂", "”a b”"]
)
def test_each_kind_of_quotes_makes_a_phrase(phrase: str) -> None:
    assert matches(phrase, "x a b y")
    assert not matches(phrase, "b a")


@pytest.mark.parametrize(
    "source", ['"launch', "launch “checklist", "«launch", "„launch", "「launch", '-"launch', 'a; "b']
)
def test_a_quote_left_open_is_refused(source: str) -> None:
    assert reason(source) == "open_quote"


def test_a_quote_opens_only_at_the_start_of_a_term() -> None:
    check("""
        צה"ל => הודעה של צה"ל היום
        צה"ל => צה״ל
        5"inch => a 5"inch disk
        "צה"ל בצפון" => צה"ל בצפון
    """)


def test_the_first_closing_quote_closes_but_for_the_sign_inside_a_hebrew_word() -> None:
    check("""
        「会議」資料 「予算」 => 予算、資料、会議
        "alpha"beta "gamma" => gamma, beta, alpha
        «план»и «откат» => откат и план
        "צה"ל בצפון" =/> בצפון
    """)


def test_half_width_corner_brackets_are_quotes_as_they_are_in_folding() -> None:
    check("｢会議 資料｣ => 会議資料\n｢会議 資料｣ =/> 資料会議")


def test_white_space_between_a_sign_and_a_word_of_a_phrase_is_free() -> None:
    check("""
        "§ 4" => see §   4
        "§ 4" => see §4
        "§ 4" =/> §\\n\\n4
        "50 %" => 50%
        "50%" =/> 50 %
        "a + b" => a+b
    """)


def test_an_emoji_name_inside_a_term_is_the_item_too() -> None:
    for source, text in (
        ('"prod :fire:"', "prod :fire:"),
        ("prod :fire:", ":fire: prod"),
        (":a::b:", ":a::b:"),
        ("🚀:a:", "🚀:a:"),
    ):
        zones = [Zone(start, end, ZoneKind.EMOJI) for start, end in short_names_in(text)]
        assert match_entry(compile_entry(source, EN), analyse(text, zones)).matched, source
        assert matches(source, text), source


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (":a::b:", [":a:", ":b:"]),
        ("x :+1:", [":+1:"]),
        (":a:b", []),
        ("a:b:", []),
        ("10:30:15", []),
        (":30:", []),
        ("::a:", []),
    ],
)
def test_names_between_colons_are_found_where_the_platform_finds_them(text: str, names: list[str]) -> None:
    assert [text[start:end] for start, end in short_names_in(text)] == names


def test_a_phrase_may_follow_another_directly() -> None:
    (entry,) = parse('"alpha beta""gamma" delta')
    assert [term.text for term in entry.terms] == ['"alpha beta"', '"gamma"', "delta"]


@pytest.mark.parametrize("dash", "-–—−‐")
def test_a_dash_before_a_word_or_quote_excludes(dash: str) -> None:
    (word,) = parse(f"deploy {dash}staging")
    assert [term.text for term in word.exclusions] == ["staging"]
    assert matches(f"deploy {dash}staging", "deploy now")
    assert not matches(f"deploy {dash}staging", "staging deploy")
    assert not matches(f'deploy {dash}"dry run"', "deploy as a dry run")
    assert matches(f'deploy {dash}"dry run"', "run the deploy dry")


def test_a_dash_before_another_dash_belongs_to_the_term() -> None:
    check("""
        --force => git push --force
        --force => git push —force
        --force =/> git push -force
        --force =/> may the force be
        --force =/> --forced
    """)


def test_an_exclusion_uses_word_forms_and_covers_emoji_names_and_signs() -> None:
    check("""
        deploy -test =/> deploy the tests
        deploy -🚀 =/> deploy 🚀
        deploy -🚀 => deploy
        deploy -@dana =/> deploy @dana
        deploy -@dana => deploy dana
        deploy -回滚 =/> deploy 后回滚了
        deploy - now => deploy now
    """)


def test_a_phrase_is_contiguous_ordered_and_exact() -> None:
    check("""
        "release candidate" => the release candidate is out
        "release candidate" => Release, candidate
        "release candidate" => release (candidate)
        "release candidate" => release\\ncandidate
        "release candidate" => a release-candidate build
        "release candidate" => launch of the Release™ candidate
        "release candidate" =/> candidate release
        "release candidate" =/> release the candidate
        "release candidate" =/> release candidates
        "release candidate" =/> release\\n\\ncandidate
        "release candidate" =/> release\\n  \\ncandidate
        "release candidate" =/> release 🚀 candidate
        "release candidate" =/> release https://example.test/a candidate
        "release candidate" =/> prerelease candidate
        "rollback" =/> roll-back
        "roll-back" => roll back
        "roll-back" => roll-back
        "roll-back" =/> rollback
        "team" =/> the team's
        "the team's plan" => The team’s plan
        "ship 🚀" => ship 🚀
        "ship 🚀" =/> 🚀 ship
    """)


def test_a_zone_left_out_breaks_a_phrase() -> None:
    (entry,) = parse('"release candidate"')
    text = "release CODE candidate"
    assert not match_entry(entry, analyse(text, [Zone(8, 12, ZoneKind.CODE)])).matched
    assert match_entry(entry, analyse("release candidate", [Zone(0, 0, ZoneKind.MENTION)])).matched


def test_a_sign_in_a_phrase_that_says_something_is_asked_for() -> None:
    check("""
        "c++ compiler" => the C++ compiler
        "c++ compiler" =/> plan c, compiler
        "c#" =/> plan c
        "c#" => we use C#.
        "and/or" => this and/or that
        "and/or" =/> this and or that
        "#launch day" => our #launch day
        "#launch day" =/> our launch day
        "v1.2 out" =/> v1.2.3 out
        "§ 4" => see § 4
        "§ 4" =/> see 4
    """)


def test_the_last_hangul_word_of_a_phrase_may_carry_a_particle() -> None:
    check("""
        "내일 배포" => 내일 배포를 합니다
        "내일 배포" =/> 내일은 배포를
        "배포" => 배포가
        "배포" =/> 재배포
        "배포 sql" =/> 배포를 sql
    """)


def test_trailing_punctuation_of_an_unquoted_word_is_dropped() -> None:
    for sign in ".,;:!?":
        assert matches(f"budget{sign}", "the budget")
    check("""
        budget?! => budget
        预算？ => 这个预算
        c++, => C++
        v1.2. => v1.2
        e.g. => see e.g. this
        किताब। => किताब
        budget‼️ => budget
        :fire:, => prod :fire:
        10:30: => at 10:30
    """)


def test_a_term_of_signs_alone_is_found_unless_all_are_plain_punctuation() -> None:
    check("""
        § => see §4
        § =/> see 4
        {!} => note {!} here
        {!} =/> note {} here!
        -> => a -> b
        % => 5%
        & => R&D
        ™ => Launch™
        。 => 終わり。
        … … § => x § y
    """)
    for source in ("...", "?!", "()", "--", "'", "- -", '"..."', '""', "., ;"):
        assert reason(source) in ("no_term", "empty")


def test_a_lone_exclusion_is_refused() -> None:
    assert reason("-staging") == "lone_exclusion"
    assert reason('-"dry run" -x') == "lone_exclusion"
    assert reason("... -staging") == "lone_exclusion"


@pytest.mark.parametrize("letter", ["x", "X", "é", "e\u0301", "ｘ", '"x"', "x -y", "x?"])
def test_one_latin_letter_alone_is_refused_for_anyone(letter: str) -> None:
    assert reason(letter, anyone=True) == "single_letter"
    assert parse(letter, anyone=False)


@pytest.mark.parametrize("source", ["xy", "x y", "5", "и", "か", "§", "c++", "🚀"])
def test_anything_but_one_latin_letter_is_accepted_for_anyone(source: str) -> None:
    assert parse(source, anyone=True)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Launch", "launch"),
        ("Müller", unicodedata.normalize("NFD", "Müller")),
        ("alpha beta", "beta  ALPHA"),
        ("alpha beta", "alpha, beta!"),
        ("alpha alpha", "alpha"),
        ('"alpha beta"', "“Alpha, beta”"),
        ("don't", "don’t"),
        ("roll-back", "roll‐back"),
        ("☕", "☕️"),
        ("ＤＥＰＬＯＹ", "deploy"),
        ("a -b", "a –b"),
        ("roll\u200bback", "rollback"),
    ],
)
def test_a_duplicate_after_folding_is_refused(first: str, second: str) -> None:
    assert reason(f"{first}\n{second}") == "duplicate"
    assert compile_entry(first, EN).dedup_key == compile_entry(second, EN).dedup_key


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("alpha", "-alpha x"),
        ("a b", '"a b"'),
        ("x -y", "x y"),
        ("launch", "launches"),
        ("c", "c++"),
        ('"c"', '"c#"'),
    ],
)
def test_entries_that_differ_after_folding_are_two(first: str, second: str) -> None:
    assert len(parse(f"{first}\n{second}")) == 2


@pytest.mark.parametrize("char", ["\x00", "\x07", "\x1b", "\x7f", "\x85", "\ud800"])
def test_control_characters_and_surrogates_are_refused(char: str) -> None:
    assert reason(f"launch{char}") == "control_character"


@pytest.mark.parametrize("source", ["", "  ", "\n\n", ";", "\u3000"])
def test_nothing_at_all_is_refused(source: str) -> None:
    assert reason(source) == "empty"


def test_what_vanishes_in_folding_is_no_term() -> None:
    assert reason("\u200b\u200d") == "no_term"


# -- bounds -------------------------------------------------------------------------------------------------


def test_entries_are_bounded() -> None:
    lines = [f"word{number}" for number in range(LIMITS.entries + 1)]
    assert len(parse("\n".join(lines[:-1]))) == LIMITS.entries
    assert reason("\n".join(lines)) == "entries"


def test_terms_of_an_entry_are_bounded_exclusions_included() -> None:
    words = [f"w{number}" for number in range(LIMITS.terms_per_entry + 1)]
    assert len(parse(" ".join(words[:-1]))[0].terms) == LIMITS.terms_per_entry
    assert reason(" ".join(words)) == "terms_per_entry"
    assert reason(" ".join(words[:-1]) + " -x") == "terms_per_entry"


def test_the_length_of_a_term_is_bounded_without_its_marks() -> None:
    most = "a" * LIMITS.term_chars
    assert parse(most + "?!")
    assert parse(f'"{most}"')
    assert parse(f"x -{most}")
    assert reason(most + "a") == "term_chars"
    assert reason(f'"{most}a"') == "term_chars"


def test_the_length_of_an_entry_and_of_all_together_is_bounded() -> None:
    entry = "a" + " " * (LIMITS.entry_chars - 2) + "b"
    assert parse(entry)
    assert reason(entry.replace("a", "a ")) == "entry_chars"
    assert reason("a " * (LIMITS.entries * (LIMITS.entry_chars + 1))) == "source_chars"


def test_a_limit_error_says_limit_and_use() -> None:
    with pytest.raises(LimitExceeded) as raised:
        parse("a" * 65)
    assert raised.value.details["limit"] == 64
    assert raised.value.details["used"] == 65
    assert raised.value.details["name"] == "term_chars"


# -- warnings and read-back ---------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["r\u043ellback", "g\u043e", "\u0391BC", "x \u0441at"])
def test_look_alike_letters_of_two_scripts_are_accepted_with_a_warning(word: str) -> None:
    (entry,) = parse(word)
    assert "look alike" in entry.warnings[0]
    assert not matches("r\u043ellback", "rollback")


@pytest.mark.parametrize("word", ["rollback", "откат", "sql日志", "3月", "über"])
def test_words_of_one_alphabet_raise_no_warning(word: str) -> None:
    assert parse(word)[0].warnings == ()


def test_an_address_with_a_path_and_an_entry_that_cannot_match_are_warned_of() -> None:
    assert "host" in parse("https://example.test/docs")[0].warnings[0]
    assert "never" in parse("launch -launch")[0].warnings[0]


def test_the_read_back_names_common_words_of_the_same_stem() -> None:
    (entry,) = parse("production")
    assert {"product", "products"} <= set(also_fires_on(entry, EN))
    assert "production" not in also_fires_on(entry, EN)
    assert also_fires_on(entry, EXACT) == ()
    assert also_fires_on(parse('"production"')[0], EN) == ()


def test_an_entry_as_stored_compiles_to_what_was_accepted() -> None:
    for source in ('deploy -staging "dry run"', "c++", "roll-back", "“a; b”"):
        (entry,) = parse(source)
        assert compile_entry(entry.source, EN) is entry
    assert match_entry(compile_entry('"left open', EN), analyse("left open")).matched
    assert match_entry(compile_entry("...", EN), analyse("...")).reason == "no_terms"


# -- verdicts -----------------------------------------------------------------------------------------------


def test_a_verdict_names_the_terms_as_typed() -> None:
    entry = compile_entry('Launch "the list" -Staging', EN)
    assert match_entry(entry, analyse("launch of the list")).terms == ("Launch", '"the list"')
    missing = match_entry(entry, analyse("launch the"))
    assert (missing.matched, missing.reason, missing.terms) == (False, "missing", ('"the list"',))
    excluded = match_entry(entry, analyse("launch the list staging"))
    assert (excluded.matched, excluded.reason, excluded.terms) == (False, "excluded", ("Staging",))
