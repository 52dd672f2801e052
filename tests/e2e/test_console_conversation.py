"""Conversations in the terminal, from the first line to the reminder."""

from datetime import timedelta

import pytest

from core.limits import LIMITS
from core.services.receive_turn import ReceiveTurn
from core.standing.intent import ChannelScope, Priority, Status
from core.turn import Principal, Visibility
from tests.builders import a_turn
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
    shown = chat(PASTE, "yes", PASTE.replace("rollback owner", "tests"), text)
    assert "Please answer with a number or yes / no; your message was not sent." in shown
    assert "Reminder for" not in shown
    chat("yes")
    assert len(chat.rules()) == 2


def test_a_longer_line_is_talk_and_the_sentence_is_true(ruled):
    shown = ruled(PASTE.replace("rollback owner", "tests"), "the checklist for the launch is ready")
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


def test_a_clock_time_is_sent_to_remind_and_nothing_is_stored(chat):
    chat("hello")
    before = chat.state()
    assert "/remind" in chat("remind me on Friday at 9 to send the report")
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


def test_a_private_channel_keeps_to_itself(chat):
    chat("/in secret --private", "when someone mentions pricing, remind me to check")
    shown = chat("yes", "/in ops", "pricing", "/intent list")
    assert "Reminder" not in shown and "No rules to show here." in shown
    assert "Reminder for @ada" in chat("/in secret", "pricing")
    assert chat.app.world.where.visibility is Visibility.PRIVATE


def test_what_a_channel_is_was_fixed_at_first_use(chat):
    chat("/in ops", "hello")
    assert "#ops is public" in chat("/in ops --private")


def test_a_thread_belongs_to_its_channel(chat):
    chat("/in ops", "when someone mentions pricing, remind me to check", "yes")
    assert "remembrancer #ops/plan> Reminder" in chat("/thread plan", "pricing")


def test_a_rule_of_a_thread_stays_in_it(chat):
    chat("/in ops", "/thread plan", "when someone mentions pricing in this thread, remind me to check", "yes")
    assert chat.rules()[0].channel_scope is ChannelScope.CONVERSATION
    assert "Reminder" not in chat("/in ops", "pricing")
    assert "Reminder" in chat("/thread plan", "pricing")


def test_a_direct_message_is_a_place_of_its_own(chat):
    shown = chat("/dm", "when I say pricing, remind me to check", "yes", "pricing")
    assert "Only you will see the reminder." in shown
    assert "remembrancer dm> Reminder" in shown
    assert "You are in your direct message with the bot." in shown
    assert "no threads" in chat("/thread x")
    assert "You are in #general." in chat("/as bob", "/as ada", "/dm", "/as bob")
    assert "You are in" not in chat("/as ada")
    assert "Reminder" not in chat("/in ops", "pricing")


def test_the_person_of_the_greeting_owns_a_new_file_whoever_types_first(sqlite_store, clock, ids):
    chat = Chat(sqlite_store, clock, ids)
    assert "You are ada, an owner of this workspace." in chat.opening
    chat("/as bob", "hi")
    assert "Only owners make rules" in chat(PASTE)
    assert "Only owners of this space" in chat("/intent add x => y")
    assert chat.rules() == ()
    again = Chat(sqlite_store, clock, ids)
    assert "You are ada, an owner of this workspace." in again.opening
    assert "Owners: ada" in again("/owner")


def test_an_owner_makes_owners_and_it_lasts(chat, clock, ids):
    chat("hello", "/as bob")
    assert "Only an owner" in chat("/owner bob")
    assert "Nobody here is called" in chat("/as ada", "/owner zoe")
    chat("/as bob", "hi", "/as ada")
    assert "bob is an owner" in chat("/owner bob")
    again = Chat(chat.ctx.store, clock, ids)
    assert "Owners: ada, bob" in again("/owner")
    again("/as bob", PASTE, "yes")
    assert len(again.rules()) == 1


def test_owning_the_console_is_nothing_elsewhere(chat):
    chat("hello")
    actor = chat.app.world.actor()
    assert actor.principal == Principal("console", "local", "ada")
    assert not actor.is_operator


def test_a_claim_is_on_record(chat):
    chat("hello")
    with chat.ctx.store.read() as tx:
        assert [row.op_type for row in tx.operations.chain("system")] == ["NAMESPACE_POLICY_UPDATE"]


def test_list_show_edit_pause_resume_and_cancel(ruled):
    name = handle(ruled)
    assert "Confirm the rollback owner." in ruled("/intent list")
    assert f"{name} is armed" in ruled(f"/intent show {name}")
    assert "quiet for 2 h" in ruled(f"/intent edit {name} Confirm Bob --cooldown 2h --priority high --me")
    assert ruled.rules()[0].priority is Priority.HIGH
    assert "Reminder for @ada: Confirm Bob." in ruled("launch checklist")
    ruled(f"/intent pause {name}")
    assert ruled.rules()[0].status is Status.PENDING
    assert "Reminder" not in ruled("/time +3h", "launch checklist")
    ruled(f"/intent resume {name}")
    assert "Reminder" in ruled("launch checklist")
    assert "cancelled" in ruled(f"/intent cancel {name}")
    assert "No rules" in ruled("/intent list")
    assert name in ruled("/intent list --all")
    assert "cancelled" in ruled(f"/intent pause {name}")


def test_somebody_elses_rule_is_cancelled_after_a_question_and_its_creator_is_told(ruled):
    ruled("/as bob", "hi", "/as ada", "/owner bob", "/as bob")
    assert "is @ada's: Confirm the rollback owner." in ruled(f"/intent cancel {handle(ruled)}")
    ruled("no")
    assert ruled.rules()[0].status is Status.ARMED
    ruled(f"/intent cancel {handle(ruled)}", "yes")
    assert ruled.rules()[0].status is Status.CANCELLED
    assert "@bob cancelled your rule" in ruled("/as ada")
    assert "@bob cancelled" not in ruled("/as ada")


def test_what_is_so_already_is_said(ruled):
    name = handle(ruled)
    assert f"{name} is awake already" in ruled(f"/intent resume {name}")
    ruled(f"/intent pause {name}")
    assert f"{name} is paused already." in ruled(f"/intent pause {name}")
    assert f"{name}  paused" in ruled("/intent list --status paused")
    assert name not in ruled("/intent list --status quiet")
    ruled(f"/intent cancel {name}")
    assert f"{name} is cancelled already." in ruled(f"/intent cancel {name}")


def test_a_list_names_other_channels_and_what_it_hides(ruled):
    assert "· in this channel ·" in ruled("/intent list")
    assert "· in #general ·" in ruled("/in ops", "/intent list")
    assert "--all" not in ruled("/intent list")
    ruled(f"/intent cancel {handle(ruled)}")
    assert "1 more has another status. See all: /intent list --all" in ruled("/intent list")
    assert "--all" not in ruled("/intent list --all") and "--all" not in ruled("/intent list zebra")


def test_why_says_first_that_a_message_fired(ruled):
    shown = ruled("/as bob", "the launch checklist", "/as ada", "/intent why")
    assert f"{handle(ruled)} fired on it" in shown
    assert "This message fired it Mon 10:00 (1 of 3, delivered); now it is quiet until Tue 10:00." in shown
    assert "✗" not in shown
    assert "does not fire" in ruled("/as bob", "another launch checklist", "/as ada", "/intent why")


def test_why_tells_every_rule(ruled):
    assert "no message here" in ruled("/intent why")
    shown = ruled("/as bob", "the checklist", "/as ada", "/intent why")
    assert "does not fire" in shown
    assert "✗ “launch” is not there" in shown
    assert f"{handle(ruled)} would fire" in ruled(f"/intent why {handle(ruled)} launch checklist")


def test_a_stranger_sees_no_rules(ruled):
    shown = ruled("/as bob", "/intent list", f"/intent show {handle(ruled)}", f"/intent cancel {handle(ruled)}")
    assert "Confirm" not in shown
    assert shown.count("There is no rule") == 2
    assert shown.count("Only its creator and the owners of this space can see a rule.") == 3
    assert "Only its creator" in ruled("hello", "/intent why")
    assert "rule" not in ruled.app.status()
    assert "Only its creator" not in ruled("/as ada", "/intent show i-0000")


def test_private_places_are_listed_only_for_those_who_were_there(chat, clock, ids):
    chat("/in secret --private", "/dm", "/in ops")
    mine = "Channels: #general, #secret (private), direct message of ada, #ops"
    assert mine in chat("/channels")
    assert "Channels: #general, #ops\n" in chat("/as bob", "/channels")
    again = Chat(chat.ctx.store, clock, ids)
    assert mine in again("/channels")
    assert "#secret (private)" in again("/as bob", "/in secret", "/channels")


@pytest.mark.parametrize("name", ["remembrancer", "@Remembrancer", "Ｒemembrancer"])
def test_nobody_can_be_the_bot(chat, name):
    assert "that is the bot" in chat(f"/as {name}")
    assert chat.app.world.name == "ada"


def test_people_channels_help_and_status(ruled):
    shown = ruled("/as bob", "hi", "/in ops", "hi", "/people", "/channels", "/owner", "/help", "/as ada")
    assert "ada (owner), bob" in shown
    assert "Channels: #general, #ops" in shown
    assert "/intent add" in shown
    assert ruled.app.status() == "ada (owner) · #ops · Mon 10:00 · 1 rule here"


@pytest.mark.parametrize("text", ["/foo", "/intnt list", "/as", "/as two words", "/as @", "/in", "/in a b", "/thread"])
def test_a_wrong_command_says_what_to_type(chat, text):
    shown = chat(text)
    assert "✗" in shown
    assert len(shown.splitlines()) == 2


@pytest.mark.parametrize("name", ["x" * 33, "a/b", "../x", "\u202eabc", "\u200b", "a\0b", "-x", "[red]"])
def test_a_name_is_letters_and_digits(chat, name):
    assert "cannot be a name" in chat(f"/as {name}")
    assert "cannot be a name" in chat(f"/in {name}")


@pytest.mark.parametrize("name", ["x" * 32, "Zoë", "Łukasz", "मीरा", "李", "a.b-c_d"])
def test_a_name_may_be_of_any_script(chat, name):
    assert f"You are now {name}" in chat(f"/as {name}", "hello")
    assert chat.app.world.name == name


def test_upper_and_lower_case_are_the_same_person(chat):
    chat("hello")
    assert "You are now ada, an owner here." in chat("/as ADA")


def test_a_reminder_owed_from_a_crash_is_posted_at_the_next_start(ruled, clock, ids):
    ruled("/as bob", "hello")
    bob = Principal("console", "local", "bob")
    turn = a_turn("launch checklist", clock.now(), where=ruled.app.world.where, sender=bob)
    assert ReceiveTurn(ruled.ctx)(turn).fires
    clock.advance(hours=1)
    again = Chat(ruled.ctx.store, clock, ids)
    assert "Owed since the last time:" in again.opening
    assert "late: triggered Mon 10:00" in again.opening
    assert "Reminder" not in Chat(ruled.ctx.store, clock, ids).opening


def test_the_creating_sentence_fires_nothing(ruled):
    assert "Reminder for" not in ruled(PASTE.replace("rollback owner", "tests"), "yes")


def test_settings_are_shown_changed_by_owners_and_kept(chat):
    assert "language: en" in chat("/settings")
    assert "zone is now Europe/Berlin" in chat("/settings zone Europe/Berlin")
    assert "CET" in chat("/time")
    assert "no time zone Mars/X" in chat("/settings zone Mars/X")
    assert "Only owners" in chat("/as bob", "/settings language de")
    assert "language: en" in chat("/settings")


def test_a_change_of_language_says_how_many_rules_it_reaches(ruled):
    assert "1 live rule compares words that way from now on." in ruled("/as ada", "/settings language de")
    assert "language: de" in ruled("/settings")


def test_the_clock_moves_fifty_years_ahead_and_not_a_day_more(chat):
    most = LIMITS.console_ahead.days
    assert "no further" in chat(f"/time +{most + 1}d")
    assert "It is Mon 30 Nov 2026" in chat("/time")
    assert "no further" not in chat(f"/time +{most}d")
    assert "no further" in chat("/time +1d")
    assert "✗" not in chat("/time reset")


def test_two_terminals_on_one_file_do_not_undo_each_other(chat, sqlite_store, clock, ids):
    other = Chat(sqlite_store, clock, ids)
    chat("/in alpha")
    other("/as bob", "/in beta")
    assert "Owners: ada" in other("/owner bob", "/owner")
    assert "#alpha" in other("/channels") and "#beta" in other("/channels")
    chat("/owner bob")
    assert "bob" in other("/owner")
    assert "(owner)" in other.app.status()


def test_who_cancels_their_own_rule_is_not_told_so_later(ruled):
    handle = ruled.rules()[0].handle
    ruled("/as ada", f"/intent cancel {handle}")
    assert "cancelled your rule" not in ruled("/as bob", "/as ada")


@pytest.mark.parametrize("number", ["--5", "+-5", "5-", "x", "9" * 40])
def test_an_odd_number_is_a_clear_refusal(chat, number):
    before = chat.state()
    assert "✗" in chat(f"/intent add launch => Look. --max={number}")
    assert chat.state() == before
