"""What matches what: folding, word forms and the keys of the index."""

from core.standing.triggers import AnchorRow
from core.text.analyse import TextOptions
from tests.fakes.entries import EN, EXACT, check, matches, parse

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
