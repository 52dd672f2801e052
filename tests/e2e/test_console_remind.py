"""`/remind` in the terminal: typed, read back, listed, and posted at its time."""

from dataclasses import replace
from datetime import timedelta

import pytest

from core.limits import LIMITS
from tests.e2e.test_console_terminal import Terminal
from tests.fakes.console import Chat


def handle_of(shown):
    return next(word for word in shown.replace("It is ", "").split() if word.startswith("r-")).rstrip(".")


def made(chat, text):
    return handle_of(chat(text).partition("/remind cancel ")[2])


def test_a_reminder_is_read_back_in_full_and_posted_where_it_was_made(chat):
    shown = chat("/in ops", "/remind in 2h check the logs")
    assert "I will remind you by the clock: Check the logs." in shown
    assert "When: Mon 30 Nov 2026 12:00 UTC (in 2 h)" in shown
    handle = handle_of(shown.partition("/remind cancel ")[2])
    chat("/in general")
    assert f"remembrancer #ops> Reminder for @ada: Check the logs. · {handle}" in chat("/time +2h")
    assert "Reminder" not in chat("/time +2h")


def test_a_repeating_one_says_when_it_comes_next(chat):
    shown = chat("/remind every weekday at 9:30 standup")
    assert "When: every weekday at 09:30, next on Tue 1 Dec 2026 09:30 UTC" in shown
    shown = chat("/time +24h")
    assert (
        "Reminder for @ada: Standup. · was due Tue 1 Dec 09:30 · every weekday at 09:30, next Wed 2 Dec 09:30 · r-"
        in shown
    )


def test_members_may_by_sentence_and_by_command_as_the_space_says(chat):
    chat("/as bob")
    assert "I will remind you by the clock: Call Dana." in chat("remind me tomorrow at 9 to call Dana")
    assert "I will remind you by the clock" in chat("/remind in 2h look")
    chat("/as ada", "/settings reminders owners", "/as bob")
    assert "Only owners of this space can make timed reminders" in chat("remind me tomorrow at 9 to call Dana")
    chat("/as ada", "/settings reminders off")
    assert "turned off in this space" in chat("/remind in 2h look")
    assert "reminders cannot be maybe" in chat("/settings reminders maybe")


def test_a_sentence_for_somebody_else_with_a_time_reminds_them(chat):
    chat("/as bob", "/as ada")
    assert "I will remind @bob by the clock: Deploy." in chat("remind @bob tomorrow at 9 to deploy")
    assert "Nobody here is called “zoe”" in chat("/remind @zoe in 1h look")


def test_a_time_that_was_guessed_is_asked_about_first(chat):
    chat("/settings language de")
    shown = chat("/remind übermorgen die Blumen gießen")
    assert "That time is a guess." in shown and "[1] Yes" in shown
    assert "Nothing was saved." in chat("no")
    assert "No timed reminders" in chat("/remind list")
    chat("/remind übermorgen die Blumen gießen")
    assert "I will remind you by the clock: Die Blumen gießen." in chat("yes")


def test_what_people_typed_is_shown_as_typed(chat):
    chat("/remind in 1h tell @everyone **not** to <panic>")
    assert "Tell @everyone **not** to <panic>" in chat("/time +1h")


def test_a_direct_one_is_for_its_person_alone(chat):
    chat("/remind in 1h call the bank --dm")
    assert "Reminder" not in chat("/as bob", "/time +1h")
    assert "remembrancer dm> Reminder for @ada: Call the bank." in chat("/as ada")


def test_what_somebody_else_made_looks_as_if_it_were_not_there(chat):
    handle = made(chat, "/remind in 1h look")
    chat("/as bob")
    for verb in ("show", "cancel", "done"):
        assert chat(f"/remind {verb} {handle}").count(f"There is no reminder {handle} here.") == 1
        assert "There is no reminder r-zzzz here." in chat(f"/remind {verb} r-zzzz")
    assert handle not in chat("/remind list --all")


def test_an_owner_sees_the_spaces_and_is_asked_before_ending_somebody_elses(chat):
    chat("/as bob")
    handle = made(chat, "/remind in 1h look")
    chat("/as ada")
    assert handle in chat("/remind list")
    assert f"{handle} is a reminder of bob: Look" in chat(f"/remind cancel {handle}")
    assert "The reminder stays." in chat("no")
    assert "is cancelled for good" in chat(f"/remind cancel {handle}", "1")
    assert f"@ada cancelled your reminder {handle}" in chat("/as bob")
    assert "was cancelled" in chat("/as ada", f"/remind cancel {handle}", "1")
    theirs = made(chat, "/remind in 1h look again")
    assert "Only who made a reminder" not in chat(f"/remind show {theirs}")


def test_done_again_and_snooze(chat):
    handle = made(chat, "/remind in 1h look")
    assert f"{handle} has not come yet." in chat(f"/remind done {handle}")
    assert f"{handle} has not come yet." in chat(f"/remind snooze {handle} 1h")
    chat("/time +1h")
    assert "Once more Mon 30 Nov 2026 12:00 UTC, as r-" in chat(f"/remind snooze {handle} 1h")
    assert "Reminder for @ada: Look." in chat("/time +1h")
    daily = made(chat, "/remind every day at 9 stretch")
    chat("/time +24h")
    assert f"{daily} is done for now; it comes again Wed 2 Dec 2026 09:00 UTC." in chat(f"/remind done {daily}")
    assert "was marked as done before" in chat(f"/remind done {daily}")


def test_a_list_is_paged_and_shows_what_is_over_only_when_asked(chat):
    handles = [made(chat, f"/remind in {number}h look {number}") for number in range(1, 13)]
    shown = chat("/remind list")
    assert "12 timed reminders, page 1 of 2." in shown and handles[11] not in shown
    assert "Next: /remind list --page 2" in shown
    assert "Next:" not in chat("/remind list --page 2")
    assert handles[11] in chat("/remind list --page 2")
    chat(f"/remind cancel {handles[0]}")
    assert handles[0] not in chat("/remind list", "/remind list --page 2")
    assert "cancelled for good" in chat("/remind list --all --page 2")


def test_a_person_can_have_so_many_and_not_one_more(sqlite_store, clock, ids):
    chat = Chat(sqlite_store, clock, ids, replace(LIMITS, reminders_per_person=2))
    chat("/remind in 1h one", "/remind in 1h two")
    assert "You have 2 timed reminders to come" in chat("/remind in 1h three")


def test_a_terminal_that_was_off_over_the_due_time_says_so_once(sqlite_store, clock, ids):
    Chat(sqlite_store, clock, ids)("/remind in 1h look")
    clock.advance(timedelta(hours=26))
    late = Chat(sqlite_store, clock, ids)
    assert "Reminder for @ada: Look. · was due Mon 30 Nov 11:00" in late.opening + late("/time +1s")
    assert "Reminder" not in Chat(sqlite_store, clock, ids).opening


@pytest.mark.timeout(120)
def test_a_reminder_comes_at_its_time_while_nobody_types_and_a_half_typed_line_stays(tmp_path):
    terminal = Terminal(tmp_path)
    terminal.expect("ada #general>")
    terminal.type("/remind in 2 seconds check the logs")
    terminal.expect("I will remind you by the clock")
    terminal.expect("#general>")
    terminal.child.send("half a line")
    terminal.expect("remembrancer #general> Reminder for @ada: Check the logs.")
    terminal.expect("half a line")
    terminal.child.send("\x03")
    terminal.type("/remind list")
    terminal.expect("past, not done")
    terminal.type("/quit")
    assert terminal.end() == 0
