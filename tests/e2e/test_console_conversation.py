"""Conversations in the terminal, from the first line to the reminder."""

from datetime import timedelta

import pytest

from core.standing.intent import Status
from tests.e2e.conftest import PASTE
from tests.fakes.console import Chat

REMINDER = "Reminder for @ada: Confirm the rollback owner. (@bob said *launch checklist*)"


def handle(chat):
    return chat.rules()[0].handle


def test_it_opens_with_four_lines(chat):
    assert len(chat.opening.splitlines()) == 4
    assert PASTE in chat.opening
    assert "/help" in chat.opening


def test_the_sentence_to_paste_ends_in_a_reminder(ruled):
    assert REMINDER in ruled("/as bob", "the checklist for the launch is ready")


def test_nothing_is_stored_before_the_yes(chat):
    chat("hello")
    before = chat.state()
    assert "Yes, save it" in chat(PASTE)
    assert chat.state() == before


@pytest.mark.parametrize(
    "answer",
    [
        "yes",
        "y",
        "YES",
        "Yes!",
        "1",
        "[1]",
        "(1)",
        "1.",
        "1)",
        "ok",
        "Okay.",
        "yep",
        "yeah",
        "sure",
        "save",
        "save it",
        "yes please",
        "Yes, please!",
        "Yes, save it",
        "yes, sa",
    ],
)
def test_yes_can_be_said_in_several_ways(chat, answer):
    chat(PASTE, answer)
    assert len(chat.rules()) == 1


@pytest.mark.parametrize(
    "answer",
    [
        "no",
        "n",
        "4",
        "No",
        "nope",
        "no thanks",
        "No, thanks.",
        "cancel",
        "this is something else",
        "/as bob",
        "/intent list",
    ],
)
def test_anything_but_a_yes_saves_nothing(chat, answer):
    assert "Not saved" in chat(PASTE, answer)
    chat("yes", "1")
    assert chat.rules() == ()


@pytest.mark.parametrize("text", ["yess", "not sure yet", "launch checklist", "5", "0", "o"])
def test_a_short_line_is_no_talk_while_a_question_is_open(chat, text):
    shown = chat(PASTE, "yes", PASTE.replace("launch checklist", "budget plan"), text)
    assert "Please answer with a number or yes / no; your message was not sent." in shown
    assert "Reminder for" not in shown
    chat("yes")
    assert len(chat.rules()) == 2


def test_a_longer_line_is_talk_and_the_sentence_is_true(ruled):
    shown = ruled(PASTE.replace("launch checklist", "budget plan"), "the checklist for the launch is ready")
    assert "Not saved: you went on talking." in shown and "Reminder for @ada" in shown
    assert len(ruled.rules()) == 1


def test_leaving_an_open_question_says_that_nothing_was_saved(chat):
    chat(PASTE)
    assert chat.app.handle("/quit now") is False
    chat.app.close()
    assert "Nothing was saved: the last question was left unanswered." in chat.stream.getvalue()
    assert chat.rules() == ()


@pytest.mark.parametrize("text", ["/quit", "/quit now", "/EXIT", "/exit please"])
def test_quit_is_quit_whatever_follows(chat, text):
    assert chat.app.handle(text) is False
    assert chat.app.handle("/quitter") is True


@pytest.mark.parametrize("look_up", ["/help", "/people", "/channels", "/time", "9"])
def test_looking_something_up_keeps_the_question(chat, look_up):
    chat(PASTE, look_up, "yes")
    assert len(chat.rules()) == 1


def test_a_choice_changes_the_proposal_and_is_read_back_again(chat):
    shown = chat("when I say launch checklist, remind me to breathe", "Anyone here")
    assert shown.index("Only when you say it.") < shown.index("When anyone says it")
    chat("yes")
    assert chat.rules()[0].watches is None


def test_exact_words_are_a_choice(chat):
    shown = chat(PASTE, "exact")
    assert "Exact words only, no other forms of them." in shown
    chat("yes")
    assert not chat.rules()[0].options.word_forms


def test_commas_are_asked_about_first(chat):
    shown = chat("when someone mentions red, green, remind me to look")
    assert "one message" in shown
    assert "Please answer with a number" in chat("yes")
    chat("2", "yes")
    assert chat.rules()[0].entries == ("red", "green")
    chat("when someone mentions red, green, remind me to look", "Both in one message", "yes")
    assert chat.rules()[0].entries == ("red green",)
    chat("when someone mentions blue, black, remind me to look", "no")
    assert len(chat.rules()) == 2


def test_who_counts_is_what_the_sentence_says(chat):
    chat("/as bob", "/as ada")
    chat("hello", "/as bob", "hello", "/as ada")
    chat("when @bob mentions pricing, remind me to check", "yes")
    assert "Reminder" not in chat("pricing?")
    assert "Reminder for @ada: Check." in chat("/as bob", "pricing?")


def test_next_time_fires_once(chat):
    chat("next time someone mentions pricing, remind me to check", "yes")
    assert "This was the last one." in chat("pricing?")
    assert chat.rules()[0].status is Status.DONE


def test_a_clock_time_is_a_timed_reminder_and_never_a_rule(chat):
    shown = chat("remind me on Friday at 9 to send the report")
    assert "I will remind you by the clock: Send the report." in shown
    assert "Fri 4 Dec 2026 09:00 UTC" in shown and "/remind cancel r-" in shown
    assert chat.rules() == ()


def test_a_wish_without_words_to_watch_for_or_a_time_stores_nothing(chat):
    chat("hello")
    before = chat.state()
    assert "at which words" in chat("when Bob deploys, remind me to look")
    assert chat.state() == before


def test_a_person_nobody_knows_is_refused(chat):
    sentence = "when Zoe mentions pricing, remind me to check"
    shown = chat(sentence)
    assert "Nobody here is called “Zoe”" in shown and "/as Zoe introduces them" in shown
    assert "/as Ada Lovelace" not in chat("when Ada Lovelace mentions pricing, remind me to check")
    assert "Only when @Zoe says it." in chat("/as Zoe", "/as ada", sentence)


@pytest.mark.parametrize(
    "text",
    [
        "remind @bob to check when someone mentions pricing",
        "when someone mentions pricing, remind bob to check",
        "tell @bob to check when someone mentions pricing",
    ],
)
def test_a_rule_reminds_its_creator_and_nobody_else(chat, text):
    shown = chat("/as bob", "/as ada", text, "yes")
    assert "A rule reminds the person who makes it; it cannot remind" in shown
    assert chat.rules() == ()


def test_remind_us_is_the_creators_reminder_and_says_so(chat):
    shown = chat("when someone mentions pricing, remind us to check")
    assert "For: @ada alone (a rule reminds the person who makes it" in shown
    assert "For: @ada alone" in chat("only me")


def test_limits_in_the_sentence_are_kept(chat):
    chat("when someone mentions pricing, remind me to check at most 5 times until 2027-01-31", "yes")
    [row] = chat.rules()
    assert (row.max_fires, row.description) == (5, "Check")
    assert row.expires_at.isoformat() == "2027-01-31T23:59:00+00:00"
    flagged = chat("when someone mentions discounts, remind me to check until Friday")
    assert "“until Friday” was taken as part of the reminder" in flagged and "--expires" in flagged
    assert "no date" in chat("no", "when someone mentions discounts, remind me to check until 2027-02-30")
    every = "every time someone mentions discounts, remind me to check"
    assert "“every time” has its limits too: 3 reminders at most" in chat(every)
    assert "“every time” has" not in chat("no", f"{every} at most 9 times")


def test_a_rule_for_another_channel_is_made_there(chat):
    assert "/in ops" not in chat("/in general")
    shown = chat("when someone mentions pricing in #ops, remind me to check")
    assert "Go to #ops" in shown
    assert chat.rules() == ()
    chat("/in ops", "when someone mentions pricing in #ops, remind me to check", "yes")
    assert len(chat.rules()) == 1


def test_cooldown_budget_and_clock(ruled):
    said = ["/as bob", "the launch checklist"]
    assert "1 of 3" in ruled(*said)
    assert "Reminder" not in ruled(*said)
    assert "2 of 3" in ruled("/time +25h", *said)
    last = ruled("/time +25h", *said)
    assert "3 of 3" in last and "This was the last one." in last
    assert "Reminder" not in ruled("/time +25h", *said)


def test_the_moved_clock_is_kept_and_can_be_reset(ruled, clock, ids):
    ruled("/time +25h")
    again = Chat(ruled.ctx.store, clock, ids)
    assert "1 day 1 h ahead" in again.opening
    assert again.shifted.offset == timedelta(hours=25)
    assert "Mon 30 Nov 2026 10:00 UTC" in again("/time reset")
    assert again.shifted.offset == timedelta(0)
    assert "ahead" not in again("/time")


@pytest.mark.parametrize("text", ["-1h", "25h", "+", "+soon", "+999999999y", "+9000y"])
def test_the_clock_moves_forward_only_and_within_the_calendar(chat, text):
    assert "✗" in chat(f"/time {text}")
    assert chat.shifted.offset == timedelta(0)


def test_the_clock_says_which_way_it_goes(chat):
    assert "The clock only goes forward." in chat("/time -3h")
    assert "/time reset" in chat("/time −3h")
    assert "“90” has no unit." in chat("/time +90")


def test_an_edited_message_fires_only_where_the_rule_asks_for_it(chat):
    chat("/intent add typo => Look --anyone --edits", "yes", "/intent add typo => No --anyone", "yes")
    chat("/as bob", "tpyo")
    shown = chat("/edit typo")
    assert "Reminder for @ada: Look." in shown
    assert "No." not in shown
    assert "Reminder" not in chat("/edit typo typo")


def test_only_the_own_last_message_can_be_edited(chat):
    chat("typo")
    assert "nothing here" in chat("/as bob", "/edit x")
    assert "✗" in chat("/as ada", "/edit")
