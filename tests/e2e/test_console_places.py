"""Places, people, rights and settings in the terminal."""

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


def test_a_language_without_word_forms_says_so(chat):
    assert "No word forms are known" in chat("/settings language xx")
    assert "No word forms are known" not in chat("/settings language de")
