"""What was reported of other bots' matching: each row of `reports.jsonl` of that kind is a test that bears its id."""

from datetime import timedelta
from typing import Any

import pytest

from bots.trycases import run_case
from core.errors import RemembrancerError
from core.services.change_intent import CancelIntent, PauseIntent, ResumeIntent
from core.services.context import Context
from core.services.create_intent import CreateIntent
from core.services.read_intents import ListIntents
from core.services.receive_turn import ReceiveTurn
from core.standing.gates import Reason
from core.text.analyse import analyse
from core.turn import ADMIN, TurnKind
from tests.builders import ADA, HOME, NOW, a_draft, a_turn, an_owner


def matches(entry: str, text: str, **more: Any) -> bool:
    return run_case({"id": "report", "entry": entry, "text": text, **more}).match


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return Context(store, clock, ids)


def create(ctx, triggers, description="Do it.", **fields):
    return CreateIntent(ctx)(a_draft(triggers, description, **fields), an_owner(), HOME, "made")


def hear(ctx, text, **fields):
    ctx.clock.advance(timedelta(seconds=1))
    return ReceiveTurn(ctx)(a_turn(text, at=ctx.clock.now(), **fields))


def test_t061_a_latin_word_between_two_chinese_letters_is_found():
    assert matches("sql", "请看sql日志")


def test_t063_a_latin_word_glued_to_japanese_text_is_found():
    assert matches("deploy", "明日のdeployは中止")


def test_t065_a_korean_noun_with_a_particle_and_a_chinese_word_without_spaces_are_found():
    assert matches("배포", "내일 배포를 합니다")
    assert matches("回滚", "谁负责回滚工作")


def test_t067_a_name_in_another_script_is_found_after_an_at_sign():
    assert matches("小月", "@小月 状态")
    assert matches("@小月", "@小月 状态")


def test_t069_a_host_is_found_in_an_address_and_its_path_is_not():
    assert matches("example.test", "docs at https://example.test/guide")
    assert not matches("guide", "docs at https://example.test/guide")


def test_t071_a_curly_apostrophe_is_an_apostrophe():
    assert matches("what's next", "what’s next")
    assert matches("what’s next", "what's next")


def test_t073_a_sticker_without_text_matches_nothing_and_is_no_error(ctx):
    create(ctx, "launch")
    assert hear(ctx, "").ignored is Reason.NO_TERMS


@pytest.mark.parametrize("again", ["launch", "LAUNCH", " Launch. ", "launch;"])
def test_t077_the_same_word_in_two_letter_cases_is_saved_once(ctx, again):
    create(ctx, "Launch")
    with pytest.raises(RemembrancerError) as refused:
        create(ctx, again)
    assert "i-" in refused.value.sentence
    assert ListIntents(ctx)(ADMIN, None).total == 1
    with pytest.raises(RemembrancerError):
        create(ctx, "budget\nBudget")


def test_t077_a_rule_that_sleeps_is_not_woken_beside_its_double(ctx):
    first = create(ctx, "Launch")
    PauseIntent(ctx)(first.handle, an_owner(), HOME)
    second = create(ctx, "launch")
    with pytest.raises(RemembrancerError, match=second.handle):
        ResumeIntent(ctx)(first.handle, an_owner(), HOME)
    CancelIntent(ctx)(second.handle, an_owner(), HOME)
    ResumeIntent(ctx)(first.handle, an_owner(), HOME)
    assert [one.handle for one in hear(ctx, "launch").fires] == [first.handle]


def test_t081_one_hit_for_one_message_and_none_for_our_own(ctx):
    create(ctx, "ping; ping pong", cooldown=timedelta(0))
    assert len(hear(ctx, "ping pong ping").fires) == 1
    assert hear(ctx, "ping", kind=TurnKind.OWN).ignored is Reason.OWN_MESSAGE


@pytest.mark.parametrize("on_edits", [False, True])
def test_t083_an_edit_fires_where_the_rule_asks_for_it_and_once_however_often_it_is_edited(ctx, on_edits):
    create(ctx, "launch checklist", on_edits=on_edits, cooldown=timedelta(0), max_fires=10)
    assert not hear(ctx, "hello", message_id="m").fires
    fired = [len(hear(ctx, "launch checklist", message_id="m", edited=True).fires) for _ in range(10)]
    assert sum(fired) == on_edits


def test_t087_an_emoji_is_found_with_and_without_its_variation_selector():
    for entry in ("\u26fa", "\u26fa\ufe0f"):
        for text in ("camp \u26fa tonight", "camp \u26fa\ufe0f tonight"):
            assert matches(entry, text)


def test_t089_an_emoji_and_a_short_name_are_terms():
    assert matches(":fire:", "prod :fire:")
    assert matches("🔥", "prod 🔥")
    assert not matches("🔥", "prod 🚀")
    assert matches(":fire:", "prod <:fire:123456789012345678>", format="discord")


def test_t091_a_short_word_does_not_fire_in_a_longer_one_and_can_have_exceptions():
    assert not matches("art", "let us start")
    assert matches("art", "the art of it")
    assert not matches("art -start", "start the art")


def test_t093_code_is_left_out_where_the_platform_has_such_marks():
    assert not matches("@all", "type `@all` to ping", format="discord")
    assert matches("@all", "@all please look", format="discord")


def test_t095_marks_inside_a_word_are_taken_out_first():
    assert matches("rollback", "roll~~ba~~ck", format="discord")
    assert matches("rollback", "_r_**oll**back", format="discord")


def test_t097_a_word_is_found_anywhere_in_a_message():
    assert matches("apply", "how can I apply here?")


def test_t101_all_words_of_an_entry_in_any_order():
    assert not matches("launch checklist", "launch is on")
    assert matches("launch checklist", "checklist for the launch")
    assert matches("launch\nchecklist", "launch is on"), "two entries: either is enough"


def test_t103_every_line_of_a_message_is_looked_at():
    assert matches("rollback", "line one\nrollback owner?")


def test_t105_a_word_that_holds_another_is_not_that_other_word(ctx):
    port, airport = create(ctx, "port"), create(ctx, "airport")
    assert [one.handle for one in hear(ctx, "meet me at the airport").fires] == [airport.handle]
    assert [one.handle for one in hear(ctx, "the port is closed").fires] == [port.handle]


def test_t107_terms_of_signs_are_found():
    for entry in ("[p1]", "{!}", "§"):
        assert matches(entry, "see [p1] and § 4 {!}")
        assert not matches(entry, "see p1 and 4")


def test_t109_quoted_lines_do_not_set_it_off_again():
    assert not matches("launch checklist", "> launch checklist\nthanks", format="discord")
    assert matches("launch checklist", "> hello\nlaunch checklist", format="discord")


def test_t111_curly_quotes_make_a_phrase():
    assert matches("“launch checklist”", "the launch checklist")
    assert not matches("“launch checklist”", "the checklist of the launch")


def test_t117_a_service_message_fires_nothing(ctx):
    create(ctx, "voice chat")
    assert hear(ctx, "voice chat started", kind=TurnKind.SERVICE).ignored is Reason.SERVICE_MESSAGE


def test_t119_composed_and_decomposed_letters_are_one_word_and_a_duplicate_is_refused(ctx):
    assert matches("M\u00fcller", "Mu\u0308ller")
    create(ctx, "M\u00fcller")
    with pytest.raises(RemembrancerError):
        create(ctx, "Mu\u0308ller")
    with pytest.raises(RemembrancerError):
        create(ctx, "M\u00fcller kommt\nMu\u0308ller kommt")


def test_t123_a_short_word_is_not_found_inside_an_unrelated_one():
    assert not matches("cat", "the catalogue is online")


def test_t125_an_acronym_is_found_as_a_word_only():
    assert not matches("rto", "a carton of milk")
    assert matches("rto", "our RTO is 4h")


def test_t127_characters_nobody_sees_do_not_split_a_word():
    assert matches("rollback", "roll\u200bback")
    assert matches("roll\u200bback", "rollback")


def test_t151_there_is_no_pattern_that_could_run_for_ever():
    """A term is plain text: signs are compared, and the work grows with the text only."""
    assert matches("(a+)+$", "see (a+)+$ here")
    assert not matches("(a+)+$", "a" * 50 + "b")
    text = "a" * 20_000 + "b"
    assert analyse(text).term_count == 1


def test_t057_the_text_of_a_reminder_does_not_set_itself_off(ctx):
    create(ctx, "launch", "Talk about the launch.", cooldown=timedelta(0), max_fires=10)
    [reminder] = hear(ctx, "the launch").fires
    posted = hear(ctx, f"Reminder: {reminder.description}", kind=TurnKind.OWN, sender=ADA)
    assert (posted.fires, posted.ignored) == ((), Reason.OWN_MESSAGE)


def test_t059_two_bots_that_answer_each_other_stop_after_one(ctx):
    create(ctx, "got it", "got it", cooldown=timedelta(0), max_fires=1_000)
    said, fires = "got it", 0
    kind = TurnKind.USER
    for _ in range(20):
        outcome = hear(ctx, said, kind=kind)
        fires += len(outcome.fires)
        if not outcome.fires:
            break
        said, kind = outcome.fires[0].description, TurnKind.BOT
    assert (fires, outcome.ignored) == (1, Reason.NOT_A_PERSON)
