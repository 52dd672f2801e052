"""Trigger entries: what is accepted, what is refused and why, and what matches what."""

import unicodedata

import pytest

from core.errors import InvalidTrigger, LimitExceeded
from core.limits import LIMITS
from core.standing.grammar import short_names_in
from core.standing.triggers import AnchorRow, Entry, also_fires_on, compile_entry, match_entry, parse_entries
from core.text.analyse import TextOptions, analyse
from core.text.zones import Zone, ZoneKind

EN = TextOptions()
EXACT = TextOptions(word_forms=False)


def parse(source: str, *, anyone: bool = False, options: TextOptions = EN) -> tuple[Entry, ...]:
    return parse_entries(source, options, anyone=anyone)


def matches(entry: str, text: str, options: TextOptions = EN, turn_language: str | None = None) -> bool:
    turn = analyse(text, (), turn_language or options.language, options)
    return any(match_entry(found, turn).matched for found in parse(entry, options=options))


def reason(source: str, *, anyone: bool = False) -> str:
    with pytest.raises((InvalidTrigger, LimitExceeded)) as raised:
        parse(source, anyone=anyone)
    assert raised.value.sentence
    assert raised.value.hint
    return str(raised.value.details["reason"])


def check(table: str, options: TextOptions = EN) -> None:
    """Each line: entry => text (matches) or entry =/> text (does not)."""
    wrong = []
    for line in table.strip().splitlines():
        wanted = " => " in line
        entry, text = (part.strip() for part in line.split(" => " if wanted else " =/> "))
        if matches(entry, text.replace("\\n", "\n"), options) is not wanted:
            wrong.append(line.strip())
    assert not wrong


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


# -- words, scripts, signs ----------------------------------------------------------------------------------


def test_words_are_whole() -> None:
    check("""
        cat =/> the catalogue
        rto =/> a carton of milk
        rto => our RTO is 4h
        port =/> airport
        art =/> start
        budget => (budget)
        back => roll-back
        don't => I don’t
        don =/> I don't
        o'brien => Mr O´Brien
        launch => launch's
    """)


@pytest.mark.parametrize("apostrophe", "'´ʼ′׳’‘‛＇")
def test_apostrophes_are_one(apostrophe: str) -> None:
    assert matches("what's", f"what{apostrophe}s", EXACT)
    assert matches(f"what{apostrophe}s", "what's", EXACT)


def test_a_change_of_script_is_a_boundary() -> None:
    check("""
        deploy => 明日のdeployは中止
        sql => 请看sql日志
        sql => 로그sql로그
        sql日志 => 看sql日志
        sql日志 => 看sql 日志
        sql日志 => SQL\\n日志
        sql日志 =/> sql的日志
        sql日志 =/> mysql日志
        日志sql => 看日志sql
        日志sql =/> 日志sqlite
        3月 => 3月に
        3月 => 2023年3月
        3月 =/> 13月
        3月 =/> 月3
        배포3 => 배포 3
        sql로그 => sql로그를
        小月 => @小月 状态
    """)


def test_unspaced_scripts_match_as_contiguous_text() -> None:
    check("""
        回滚 => 谁负责回滚工作
        回滚 =/> 回 滚
        回滚 =/> 回，滚
        回滚负责人 => 谁是回滚负责人？
        サーバ => サーバー
        会議 => 明日会議です
        ประชุม => วันนี้มีประชุมทีม
        の => 明日の会議
    """)


def test_no_match_ends_before_a_combining_mark() -> None:
    check("""
        か =/> が
        が => か\u3099
        ガ => ｶﾞ
        あ =/> あ\u3099
        काम =/> कम
        कम =/> काम
        किताब => यह किताब अच्छी है
        กา =/> ก
        ก =/> กิ
        ท =/> ที่
        § =/> §\u0301
        🚀 =/> 🚀\u0301
        e =/> e\u0301
        q =/> q\u0303
        배 =/> 배\u0301
    """)


def test_hangul_matches_as_the_beginning_of_a_word() -> None:
    check("""
        배포 => 내일 배포를 합니다
        배포 => 배포했습니다
        배포 =/> 재배포
        배포 => 비-배포
        배포 일정 => 일정은 배포후에
        배포계획 => 배포계획서
        배포계획 =/> 배포
    """)
    assert matches("배포", unicodedata.normalize("NFD", "배포를"))


def test_a_hyphen_compound_matches_joined_or_in_parts() -> None:
    check("""
        roll-back => roll-back
        roll-back => roll back
        roll-back => rollback
        roll-back => rollbacks
        roll-back => roll–back
        roll-back => roll\u2011back
        roll-back => roll - back
        roll\u2011back => rollback
        roll–back => roll back
        roll-back =/> the roll is back
        roll-back =/> roll, back
        roll-back =/> back roll
        rollback => roll-back
        rollback => roll‐back
        rollback => ROLL-BACKS
        rollback =/> roll back
        rollback =/> roll, back
        state-of-the-art => state of the art
        state-of-the-art => state-of-the-art
        state-of-the-art => stateoftheart
        stateoftheart => state-of-the-art
        email => E-Mail-Adresse
        mailadresse => E-Mail-Adresse
        202405 =/> 2024-05-01
        theart => state-of-the-art
        state-of-the-art =/> state of art
        covid-19 => covid 19
        covid-19 => COVID19
        covid-19 => Covid-19.
        covid-19 =/> covid
        covid19 => covid-19
        e-mail => email
        T-shirt => tshirts
    """)


def test_a_term_with_other_signs_is_compared_literally() -> None:
    check("""
        [p1] => see [p1] and
        [p1] =/> see p1 and
        c++ => C++17
        c++ => C++.
        c++ =/> plan c
        c++ =/> abc++
        c# => C#, F#
        .net => ASP.NET
        .net => .NET 8
        .net =/> the net
        .net =/> .network
        24/7 => 24/7!
        24/7 =/> 24/75
        24/7 =/> 7/24
        v1.2 => v1.2
        v1.2 => v1.2.
        v1.2 => (v1.2)
        v1.2 => v1.2, v1.3
        v1.2 =/> v1.2.3
        v1.2 =/> v1.25
        v1.2 =/> rev1.2
        v1.2 =/> v1.2_beta
        @dana => @dana
        @dana => @Dana: hi
        @dana => @dana's idea
        @dana => hi @dana.
        @dana =/> dana
        @dana =/> @dana_smith
        @dana =/> @dana.smith
        @dana =/> @danas
        @dana_smith => @dana_smith.
        @dana_smith =/> @dana
        dana => @dana_smith
        release_v2 => deploy release_v2 now
        release_v2 =/> release_v2_1
        release_v2 =/> my_release_v2
        release_v2 =/> release v2
        #launch => #launch
        #launch =/> #launchpad
        #launch =/> launch
        launch => #launch
        launch => Launch™ day
        launch™ => Launch™ day
        launch™ =/> launch
        #배포 => #배포를
        $5 => it costs $5
        $5 =/> it costs $5.50
        $5 =/> it costs $5,000
        example.test => example.test
        example.test => see example.test/manual
        manual => see example.test/manual
    """)


def test_a_possessive_after_a_signed_name_is_a_word_form() -> None:
    assert not matches("@dana", "@dana's", EXACT)
    assert matches("@dana", "@dana", EXACT)


def test_a_number_with_points_or_commas_is_one_item() -> None:
    check("""
        3.5 => costs 3.5 today
        3.5 => costs 3.5.
        3.5 =/> 3.5.1
        3.5 =/> 13.5
        3.5 =/> 3.55
        3 =/> costs 3.5 today
        5 =/> costs 3.5 today
        1,000 => about 1,000, or so
        1,000 =/> 1,000,000
        1 =/> 1,000
        000 =/> 1,000
        3.5kg => 3.5kg
        3.5 =/> 3.5kg
        10.0.0.1 => ping 10.0.0.1!
        2.3 =/> v1.2.3
        3 => version 3.
        3 => 1, 3
    """)


def test_an_emoji_is_one_item() -> None:
    check("""
        🚀 => ship it🚀🚀
        ☕️ => coffee ☕ time
        ☕ => coffee ☕️
        👍 => 👍🏽
        👍🏽 => 👍
        👨 =/> 👨‍👩‍👧
        👨‍👩‍👧 => the 👨‍👩‍👧 here
        👩‍🚀 => 👩🏽‍🚀
        🇺🇸 => 🇺🇸🇬🇧
        🇬🇧 => 🇺🇸🇬🇧
        🇸🇬 =/> 🇺🇸🇬🇧
        🏴󠁧󠁢󠁥󠁮󠁧󠁿 => go 🏴󠁧󠁢󠁥󠁮󠁧󠁿
        🏴 =/> go 🏴󠁧󠁢󠁥󠁮󠁧󠁿
        1️⃣ => 1️⃣ first
        1️⃣ => 1⃣
        1 =/> 1️⃣
        1️⃣ =/> 1
        ❤ => ❤️
        ❤️ =/> ❤️‍🔥
        launch => launch🚀
        launch🚀 => launch 🚀
        launch🚀 =/> launch
        ℹ️ => ℹ
        i =/> ℹ️
        ㊙ => ㊙️
        ‼️ => stop ‼
        stop => stop‼
        # =/> #️⃣
        * =/> *️⃣
        🚀🚀 => 🚀🚀
        🚀🚀 =/> 🚀 x 🚀
    """)


def test_an_emoji_short_name_matches_the_item_or_the_same_signs() -> None:
    (entry,) = parse(":fire:")
    assert match_entry(entry, analyse("prod :fire:", [Zone(5, 11, ZoneKind.EMOJI, ":fire:")])).matched
    assert match_entry(entry, analyse("prod :fire:")).matched
    assert not match_entry(entry, analyse("prod fire")).matched
    (word,) = parse("fire")
    assert not match_entry(word, analyse("prod :fire:", [Zone(5, 11, ZoneKind.EMOJI, ":fire:")])).matched


def test_only_the_host_of_a_url_counts() -> None:
    check("""
        example.test => docs at https://example.test/guide
        example.test => docs at https://docs.example.test
        docs => https://docs.example.test/x
        example.test => (https://example.test)
        example.test => https://example.test.
        example.test => <https://example.test/a>,
        example.test => http://EXAMPLE.test:8080/a
        example.test => https://user:secret@example.test/
        example.test => ftp://example.test
        example.test => www.example.test/docs
        www.example.test => WWW.example.test/docs
        https://example.test/docs => https://example.test/other
        docs =/> https://example.test/docs/help
        docs =/> https://example.test?docs=1
        docs =/> https://example.test#docs
        docs =/> www.example.test/docs
        secret =/> https://user:secret@example.test/
        https =/> https://example.test/
        ample.test =/> https://example.test/
        example.test =/> https://example.testing/
        docs.example =/> https://docs.example.test/
        回滚 => 看https://example.test/a回滚吧
        回滚 => 看https://example.test回滚吧
        example.test => 看https://example.test回滚吧
        deploy => https://example.test/a deploy
        deploy => https://example.test, deploy
        müller.test => https://müller.test/x
        müller.test => https://xn--mller-kva.test/x
        xn--mller-kva.test => https://xn--mller-kva.test/x
        例え.テスト => https://例え.テスト/x
        my-app => https://my-app.example.test/
        myapp => https://my-app.example.test/
        10.0.0.1 => http://10.0.0.1/x
        localhost => http://localhost:3000/x
        manual => see example.test/manual
        docs =/> file:///srv/docs
    """)


def test_an_email_address_matches_only_whole() -> None:
    check("""
        security@claude.dev => mail Security@claude.dev, please
        security@claude.dev => <security@claude.dev>
        security@claude.dev => 邮件security@claude.dev吧
        security@claude.dev => security@claude.dev.
        @claude =/> mail security@claude.dev
        claude =/> mail security@claude.dev
        security =/> mail security@claude.dev
        claude.dev =/> mail security@claude.dev
        dev =/> mail security@claude.dev
        a.b+c@mail.example.test => to a.b+c@mail.example.test now
        b =/> to a.b+c@mail.example.test now
        @dana => hello @dana
        @dana => hello,@dana
    """)


# -- folding ------------------------------------------------------------------------------------------------


def test_folding_makes_equal_what_looks_equal() -> None:
    check("""
        straße => STRASSE 5
        strasse => Straße
        istasyon => İSTASYON
        ISPARTA => ısparta
        ǆ => Ǆ
        office => oﬃce
        deploy => ｄｅｐｌｏｙ
        ＃launch => #launch
        x2 => x²
        café => CAFE\u0301
        Müller => Mu\u0308ller
        ещё => еще
        еще => ЕЩЁ
        بيت => هذا بيتٌ جديد
        بيت => بـــيت
        שלום => שָׁלוֹם לך
        rollback => roll\u200bback
        rollback => ro\u00adll\u2060back
        σας => ΣΑΣ
        ㎏ => 5 kg
        ½ => 1⁄2
    """)


def test_accents_count_unless_the_setting_folds_them() -> None:
    check("naïve =/> a naive idea\nйод =/> иод\nnaive =/> naïve\nάλφα =/> αλφα")
    folding = TextOptions(fold_accents=True)
    check("naïve => a naive idea\nnaive => NAÏVE\nάλφα => αλφα\nλόγος => λογοσ", folding)
    check("й =/> и\nが =/> か\nकि =/> क\nที่ =/> ท\nё => е\nآن =/> ان", folding)


# -- word forms ---------------------------------------------------------------------------------------------


def test_word_forms_are_compared_beside_the_exact_word() -> None:
    check("""
        launch checklist => launches and checklists
        policy => policies
        approve => who approves it?
        team => the team's plan
        team => the teams' plan
        team's => the team
        team's => the teams
        it =/> its cold
        it =/> it's cold
        as =/> a's
    """)
    check("approve =/> approves\nteam =/> the team's plan\nlaunch => LAUNCH", EXACT)


def test_elided_articles_are_word_forms() -> None:
    french = TextOptions(language="fr")
    check("équipe => l'équipe\néquipe => D’ÉQUIPES\nl'équipe => équipe\naccord => qu'accords", french)
    check("équipe =/> l'équipe\nl'équipe => L’équipe", TextOptions(language="fr", word_forms=False))
    check("acqua => dell'acqua\nacqua => L’ACQUA", TextOptions(language="it"))
    check("équipe =/> l'équipe", EN)


def test_a_stem_may_drop_an_accent_and_quotes_keep_it_apart() -> None:
    german = TextOptions(language="de")
    check('Schaden => die Schäden melden\n"Schaden" =/> die Schäden', german)
    check("откат => откаты\nоткат => откатом", TextOptions(language="ru"))


def test_an_entry_in_another_language_than_the_text_is_compared_exactly() -> None:
    assert matches("launch", "launch", EN, turn_language="de")
    assert not matches("launch", "launches", EN, turn_language="de")
    assert matches("launch", "launches", EN, turn_language="en-GB")
    assert matches("launch", "launch's", TextOptions(language="xx"))


# -- anchors ------------------------------------------------------------------------------------------------


def test_the_anchor_is_the_rarest_term() -> None:
    assert parse("the checklist", options=EXACT)[0].anchors(False) == (AnchorRow("checklist", "the"),)
    assert parse("time zzyzx", options=EXACT)[0].anchors(False) == (AnchorRow("zzyzx", "time"),)
    assert parse("qqq zzz", options=EXACT)[0].anchors(False)[0].anchor == "qqq"
    assert parse("qqq zzzz", options=EXACT)[0].anchors(False)[0].anchor == "zzzz"


def test_there_is_one_row_for_each_reading() -> None:
    (entry,) = parse("roll-back")
    assert {row.anchor for row in entry.anchors(False)} == {"~rollback", "~roll"}
    assert {row.anchor for row in entry.anchors(True)} == {"~rollback", "~roll", "rollback", "roll"}
    assert parse("launches")[0].anchors(True) == (AnchorRow("~launch", ""), AnchorRow("launches", ""))
    assert len(parse("launches", options=EXACT)[0].anchors(True)) == 1
    assert len(parse('"the launch"')[0].anchors(True)) == 1


def test_unspaced_text_is_filed_under_a_pair_of_letters_and_hangul_under_two_syllables() -> None:
    assert parse("回滚人")[0].anchors(False)[0].need in ("回滚", "滚人")
    assert parse("배포계획")[0].anchors(False) == (AnchorRow("배포", ""),)
    assert parse("배")[0].anchors(False) == (AnchorRow("배", ""),)
