"""What matches what: words, scripts and signs."""

import unicodedata

import pytest

from core.standing.triggers import match_entry
from core.text.analyse import analyse
from core.text.zones import Zone, ZoneKind
from tests.fakes.entries import EXACT, check, matches, parse

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
