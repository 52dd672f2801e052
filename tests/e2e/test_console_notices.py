"""Reminders that go elsewhere, quiet hours, notices, leaving and cancelling all, in the terminal."""

from dataclasses import replace
from datetime import timedelta

import pytest

from core.limits import LIMITS
from core.services.create_intent import CreateIntent
from core.services.deliver import PendingReminders
from core.services.receive_turn import ReceiveTurn
from core.standing.intent import FireState, Status
from core.turn import Principal
from tests.builders import a_draft, a_turn, an_owner
from tests.fakes.console import Chat

RULE = "/intent add launch checklist => Confirm the owner --anyone"
TEXT = "Reminder for @ada: Confirm the owner."


@pytest.fixture
def two(chat):
    """Ada and bob own the workspace; ada types."""
    chat("/as bob", "hi", "/as ada", "/owner bob")
    return chat


def rule(chat, *, options="", text="launch checklist"):
    chat(f"/intent add {text} => Confirm the owner --anyone {options}", "yes")
    return chat.rules()[0].handle


def fires(chat, handle):
    with chat.ctx.store.read() as tx:
        return tx.fires.of_intent(tx.intents.by_handle(handle).key, 9)


def restarted(chat, clock, ids):
    return Chat(chat.ctx.store, clock, ids)


# delivery elsewhere


def test_t007_a_direct_reminder_is_shown_to_its_creator_alone(chat):
    handle = rule(chat, options="--deliver dm")
    shown = chat("/as bob", "the launch checklist", "/as zoe", "hello")
    assert TEXT not in shown
    shown = chat("/as ada")
    assert f"remembrancer dm> {TEXT} (@bob said *launch checklist* in #general)" in shown
    assert "late" not in shown
    assert [fire.state for fire in fires(chat, handle)] == [FireState.DELIVERED]
    assert TEXT not in chat("/as bob", "/as ada")


def test_a_direct_reminder_that_waited_a_minute_says_when_it_was_triggered(chat):
    rule(chat, options="--deliver dm")
    assert "late: triggered Mon 10:00" in chat("/as bob", "the launch checklist", "/time +1min", "/as ada")


def test_a_direct_reminder_of_the_person_typing_is_shown_at_once(chat):
    handle = rule(chat, options="--deliver dm")
    shown = chat("/in ops", "/in general", "the launch checklist")
    assert f"remembrancer dm> {TEXT}" in shown and "late" not in shown
    assert fires(chat, handle)[0].state is FireState.DELIVERED


def test_t007_a_reminder_for_a_channel_is_posted_there_at_once(chat):
    chat("/in ops", "/in general")
    handle = rule(chat, options="--deliver #ops")
    shown = chat("/as bob", "the launch checklist")
    assert f"remembrancer #ops> {TEXT} (@bob said *launch checklist* in #general)" in shown
    assert fires(chat, handle)[0].state is FireState.DELIVERED


def test_what_is_owed_to_a_person_is_shown_once_after_a_restart(chat, clock, ids):
    rule(chat, options="--deliver dm")
    chat("/as bob", "the launch checklist")
    again = restarted(chat, clock, ids)
    assert f"remembrancer dm> {TEXT}" in again.opening
    assert TEXT not in restarted(chat, clock, ids).opening


def test_what_another_person_is_owed_is_not_shown_at_the_opening(two, clock, ids):
    two("/as bob")
    rule(two, options="--deliver dm")
    two("/as ada", "the launch checklist")
    again = restarted(two, clock, ids)
    assert "Reminder" not in again.opening
    assert "remembrancer dm> Reminder for @bob" in again("/as bob")


def test_a_reply_that_a_process_did_not_send_is_posted_once(chat, clock, ids):
    rule(chat)
    where = chat.app.world.where
    assert ReceiveTurn(chat.ctx)(a_turn(where=where, at=chat.ctx.clock.now())).fires
    assert TEXT not in chat("hello"), "the other process may be about to send it"
    assert TEXT in chat("/time +10min") and TEXT not in chat("hello")
    assert TEXT not in restarted(chat, clock, ids).opening


def test_what_is_owed_in_a_private_channel_waits_for_somebody_who_was_there(chat):
    chat("/in vault --private")
    rule(chat)
    where = chat.app.world.where
    assert ReceiveTurn(chat.ctx)(a_turn(where=where, at=chat.ctx.clock.now())).fires
    assert TEXT not in chat("/in general", "/as bob", "/time +10min", "hello")
    assert f"remembrancer #vault> {TEXT}" in chat("/as ada")


# quiet hours


def test_t047_quiet_hours_are_a_setting_of_the_space(two):
    assert "quiet_hours: off" in two("/settings")
    assert "quiet_hours is now 22:00-07:00" in two("/settings quiet_hours 22:00–7:00")
    assert "nightly are no quiet hours." in two("/settings quiet_hours nightly")
    assert "begin and end at the same time" in two("/settings quiet_hours 07:00-07:00")
    two("/as zoe")
    assert "Only owners" in two("/settings quiet_hours off")
    assert "quiet_hours: 22:00-07:00" in two("/settings")


def test_t047_a_reminder_for_a_channel_waits_for_the_morning_and_a_reply_does_not(chat):
    chat("/in ops", "/in general", "/settings quiet_hours 22:00-07:00")
    handle = rule(chat, options="--deliver #ops --cooldown 1h")
    rule(chat, text="zebra")
    shown = chat("/time +13h", "the launch checklist", "a zebra")
    assert "remembrancer #ops>" not in shown and "remembrancer #general> Reminder for @ada" in shown
    assert fires(chat, handle)[0].state is FireState.RESERVED
    shown = chat("/time +8h")
    assert f"remembrancer #ops> {TEXT}" in shown and "late: triggered Mon 23:00" in shown
    assert fires(chat, handle)[0].state is FireState.DELIVERED
    assert "remembrancer #ops>" not in chat("hello", "/time +8h")


def test_what_is_held_comes_at_once_when_the_quiet_hours_are_switched_off(two):
    two("/in ops", "/in general", "/settings quiet_hours 22:00-07:00")
    rule(two, options="--deliver #ops")
    two("/time +13h", "the launch checklist")
    assert f"remembrancer #ops> {TEXT}" in two("/settings quiet_hours off", "hello")


def test_reminders_of_other_terminals_do_not_hide_one_that_is_owed_here(chat, clock, ids):
    rule(chat, options="--cooldown 0s --max 9")
    here = chat.app.world.where
    foreign = replace(here, provider="slack", account="t1")
    few = replace(chat.ctx, limits=replace(LIMITS, owed_rows=2, owed_pages=1))
    CreateIntent(chat.ctx)(a_draft(cooldown=timedelta(0), max_fires=9), an_owner(), foreign, "created")
    for where in (foreign, foreign, foreign, here):
        assert ReceiveTurn(few)(a_turn(where=where, at=few.clock.now())).fires
        clock.advance(seconds=1)
    pending = PendingReminders(few)
    assert [owed.post_in.provider for owed in pending.to_places(timedelta(0), "console")] == ["console"]
    clock.advance(minutes=10)
    assert chat("hello").count(TEXT) == 1


def test_t047_notices_wait_for_the_morning_in_the_zone_of_the_space(two):
    two("/as bob", "/settings quiet_hours 22:00-07:00", "/settings zone Asia/Tokyo")
    handle = rule(two)
    two("/time +4h", "/as ada", f"/intent cancel {handle}", "yes")  # 23:00 in Tokyo
    assert "cancelled your rule" not in two("/as bob", "hello", "/time +7h")
    assert "@ada cancelled your rule" in two("/time +1h")


# notices


def test_t133_the_news_that_a_rule_was_cancelled_outlives_the_process(two, clock, ids):
    handle = rule(two)
    two("/as bob", f"/intent cancel {handle}", "yes")
    again = restarted(two, clock, ids)
    assert f"@bob cancelled your rule {handle}: Confirm the owner." in again.opening
    assert "cancelled your rule" not in again("hello", "/as ada")


def test_t131_the_question_names_the_owner_and_the_text(two):
    handle = rule(two)
    shown = two("/as bob", f"/intent cancel {handle}")
    assert f"{handle} is @ada's: Confirm the owner. Cancel it all the same?" in shown
    two("no")
    assert two.rules()[0].status is Status.ARMED


@pytest.mark.parametrize(
    ("command", "question"),
    [("/intent edit {} budget => Pay", "Change it all the same?"), ("/intent pause {}", "Pause it all the same?")],
)
def test_t131_who_changes_another_persons_rule_is_asked_with_its_owner_and_text(two, command, question):
    handle = rule(two)
    before = two.rules()
    shown = two("/as bob", command.format(handle))
    assert f"{handle} is @ada's: Confirm the owner. {question}" in shown
    assert "Not changed" in two("no")
    assert two.rules() == before
    two(command.format(handle), "yes")
    assert two.rules() != before
    own = two("/as ada", command.format(handle).replace("budget", "costs"))
    assert "all the same?" not in own


def test_notices_are_merged_and_told_once_an_hour(two):
    handles = [rule(two, text=word) for word in ("zebra", "giraffe", "okapi")]
    two("/as bob", f"/intent cancel {handles[0]}", "yes")
    assert handles[0] in two("/as ada")
    two("/as bob", *(line for handle in handles[1:] for line in (f"/intent cancel {handle}", "yes")))
    assert "cancelled your rule" not in two("/as ada", "/time +59min")
    shown = two("/time +1min")
    assert all(handle in shown for handle in handles[1:]) and shown.count("cancelled your rule") == 2


def test_a_notice_does_not_come_between_a_question_and_its_answer(two):
    handle = rule(two)
    two("/as bob", f"/intent cancel {handle}", "yes")
    two.app.world.name = "ada"
    assert "cancelled your rule" not in two("when someone mentions zebras, remind me to feed them")
    assert "@bob cancelled your rule" in two("yes")


def test_a_named_person_is_told_once_and_never_the_words(chat):
    chat("/as bob", "hi", "/as ada", "/intent add zebra => Feed it --from @bob", "yes")
    handle = chat.rules()[0].handle
    shown = chat("/as bob")
    assert f"A rule of @ada watches what you say in #general ({handle})." in shown
    assert "zebra" not in shown.casefold() and "Feed it" not in shown
    assert "watches" not in chat("/time +2h", "/as ada", "/as bob")


def test_t031_an_unused_rule_is_announced_and_can_be_kept(chat):
    handle = rule(chat, options="--expires 60d")
    assert "never needed" not in chat("/time +52d")
    shown = chat("/time +1d")
    assert f"{handle} was never needed so far and ends Fri 29 Jan 2027 10:00 UTC: Confirm the owner." in shown
    assert f"[Keep 90 days]: /intent keep {handle}" in shown
    assert f"{handle} is kept until Thu 22 Apr 2027 10:00 UTC." in chat(f"/intent keep {handle}")
    assert "never needed" not in chat("/time +7d")
    assert chat.rules()[0].status is Status.ARMED
    assert "never needed" in chat("/time +76d")
    assert f"{handle} is expired and cannot be changed any more" in chat("/time +7d", f"/intent keep {handle}")


def test_a_member_may_not_keep_and_reads_the_same_as_when_there_is_none(chat):
    handle = rule(chat)
    chat("/as bob")
    refused = chat(f"/intent keep {handle}").replace(handle, "i-zzzz")
    assert "There is no rule i-zzzz here." in refused and refused == chat("/intent keep i-zzzz")


# leaving


def test_whoever_leaves_owns_nothing_and_their_rules_are_paused(two):
    two("/as bob")
    handle = rule(two)
    shown = two("/leave")
    assert "bob left; rules paused: 1. You are now ada." in shown
    assert "@bob left or is no owner any more. Rules of theirs that are paused now: 1." in shown
    assert "Owners: ada" in two("/owner")
    assert two.rules()[0].status is Status.PENDING
    assert "Only owners" in two("/as bob", f"/intent resume {handle}")
    assert "is armed again" in two("/as ada", f"/intent resume {handle}")


def test_the_last_owner_cannot_leave(chat):
    shown = chat("/leave", "/owner ada off")
    assert shown.count("ada is the last owner of this workspace.") == 2
    assert "/owner bob" in shown and "Owners: ada" in chat("/owner")


def test_an_owner_takes_ownership_away(two):
    two("/as bob")
    rule(two)
    assert "bob is no owner any more; rules paused: 1." in two("/as ada", "/owner bob off")
    assert "bob is no owner." in two("/owner bob off")
    assert "Only an owner can take" in two("/as bob", "/owner ada off")
    assert "means nothing here" in two("/as ada", "/owner bob on")
    with two.ctx.store.read() as tx:
        last = list(tx.operations.chain("system"))[-1]
    assert (last.op_type, last.actor_id) == ("NAMESPACE_POLICY_UPDATE", "ada")
    assert '"owner_off":"bob"' in last.payload


def test_a_member_who_leaves_takes_no_owner_along(two):
    assert "zoe left; rules paused: 0. You are now ada." in two("/as zoe", "/leave")
    assert "Owners: ada, bob" in two("/owner")


def test_who_leaves_from_a_direct_message_does_not_take_it_along(two):
    two("/as bob", "/dm", "/leave")
    assert two.app.world.where.channel == "general"


# all of a person


def test_t135_an_owner_cancels_all_of_a_person_after_a_question(two):
    two("/as bob")
    for word in ("zebra", "giraffe"):
        rule(two, text=word)
    assert "@bob has live rules here: 2. Cancel them all, for good?" in two("/as ada", "/intent cancel --from @bob")
    assert "Not cancelled." in two("no")
    assert {row.status for row in two.rules()} == {Status.ARMED}
    assert "Cancelled for good: 2 of the rules of @bob." in two("/intent cancel --from @bob", "yes")
    assert {row.status for row in two.rules()} == {Status.CANCELLED}
    assert "@bob has no live rules here." in two("/intent cancel --from @bob")
    shown = two("/as bob")
    assert shown.count("@ada cancelled 2 of your rules.") == 1


def test_members_cancel_all_of_their_own_only(two):
    rule(two)
    shown = two("/as zoe", "/intent cancel --from @ada")
    assert "Only owners of this space can cancel the rules of somebody else." in shown
    assert two.rules()[0].status is Status.ARMED
    assert "@zoe has no live rules here." in two("/intent cancel --from @zoe")
    assert "Nobody here is called" in two("/intent cancel --from @nobody")


def test_a_person_is_told_apart_from_another_of_the_same_name_elsewhere(two):
    assert two.app.world.shown_name(Principal("console", "local", "stranger")) == "stranger"
