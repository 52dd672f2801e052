"""Reminders by the clock, aspirations and the questions of the heartbeat on Discord, and their buttons."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from core.standing.intent import Status
from core.timed.reminder import TimedStatus
from tests.fakes.bots import HANDLE
from tests.fakes.discord.talking import asked, clock, make, quiet, refused, reply_to, told

PLATFORM = "discord"
TEXT = "Water the plants"

pytestmark = pytest.mark.thorough


@pytest.fixture(autouse=True)
def alive(process):
    """The next test finds a bot that runs."""
    yield
    if not process.runs:
        process.start()


def come(world, place, count=1, start="Reminder for"):
    """Reminders by the clock that came."""

    def there():
        found = [one for one in world.bot_messages(place) if one.text.startswith(start)]
        return found if len(found) >= count else None

    return world.until(there, 8, f"{count} reminders")


def put_due(process, handle, at):
    process.put("timed_reminders", "due_at", handle, at)


def row(process, handle):
    with process.reading() as tx:
        return tx.timed.by_handle(handle)


def test_a_reminder_in_words_is_read_back_comes_once_as_a_reply_and_is_done(world, bob, ops):
    said = bob.says(ops, "remind me in 2 seconds to water the plants")
    made = reply_to(world, said)
    handle = HANDLE.search(made.text)[0]
    assert TEXT in made.text
    assert f"Cancel it: /remind cancel handle:{handle}" in made.text
    reminder = come(world, ops)[0]
    assert reminder.text.startswith(f"Reminder for {bob.mention}: **{TEXT}.**")
    assert handle in reminder.text
    assert reminder.reply_to is said
    assert reminder.pings.users == (bob.id,)
    assert reminder.labels == ["Done", "Later"]
    bob.clicks(reminder, "Done")
    world.until(lambda: reminder.captions == ["✓ Done – Bob"])
    world.stays(lambda: len(come(world, ops)) == 1, what="once")


def test_a_reminder_by_command_is_read_back_privately_and_comes_in_the_channel(world, bob, ops, process):
    handle = clock(bob, ops, "in 2 seconds")
    [reminder] = come(world, ops)
    assert reminder.text.startswith(f"Reminder for {bob.mention}: **{TEXT}.**")
    assert handle in reminder.text
    assert reminder.reply_to is None
    world.until(lambda: row(process, handle).status is TimedStatus.DONE, what="it is over")


def test_one_that_is_for_its_person_alone_comes_as_a_direct_message(world, bob, ops):
    clock(bob, ops, "in 2 seconds", deliver="dm")
    [reminder] = come(world, bob.dm)
    assert TEXT in reminder.text
    assert [one for one in world.bot_texts(ops) if TEXT in one] == []
    bob.clicks(reminder, "Done")
    world.until(lambda: reminder.captions == ["✓ Done – Bob"])


def test_a_recurring_one_tells_its_next_time_and_the_list_is_private(world, ada, ops, process):
    handle = clock(ada, ops, "every weekday at 9:30")
    put_due(process, handle, datetime.now(UTC))
    [reminder] = come(world, ops)
    assert re.search(r"every weekday at 09:30, next ", reminder.text)
    listed = told(ada.slash(ops, "remind list"), handle)
    assert "every weekday at 09:30" in listed
    assert row(process, handle).status is TimedStatus.ACTIVE


def test_one_is_put_off_by_button_and_by_command(world, bob, ops, process):
    handle = clock(bob, ops, "in 2 seconds")
    [reminder] = come(world, ops)
    bob.clicks(reminder, "Later")
    world.until(lambda: "In 3 hours" in reminder.labels)
    bob.clicks(reminder, "In 3 hours")
    world.until(lambda: reminder.captions[0].startswith("Again "), what="put off")
    [again] = set(HANDLE.findall(told(bob.slash(ops, "remind list"), "r-"))) - {handle}
    assert row(process, again).due_at > datetime.now(UTC) + timedelta(hours=2.9)
    assert "has not come yet" in told(bob.slash(ops, "remind later", handle=again, time="30m"), again)


def test_one_that_came_is_done_by_command_and_shown(world, bob, ops, process):
    handle = clock(bob, ops, "in 1 second")
    assert "has not come yet" in told(bob.slash(ops, "remind done", handle=handle), handle)
    come(world, ops)
    assert TEXT in told(bob.slash(ops, "remind show", handle=handle), handle)
    assert [one.value for one in bob.completes(ops, "remind show", "handle", "plants").suggestions()] == [handle]
    assert "is done" in told(bob.slash(ops, "remind done", handle=handle), handle)
    assert row(process, handle).status is TimedStatus.DONE


def test_one_that_is_cancelled_does_not_come_and_only_its_own_people_may(world, guild, ada, bob, ops, process):
    eve = world.person("Eve")
    guild.add(eve)
    handle = clock(bob, ops)
    unknown = told(eve.slash(ops, "remind cancel", handle="r-zzzz"), "no reminder")
    assert told(eve.slash(ops, "remind cancel", handle=handle), "no reminder").replace(handle, "r-zzzz") == unknown
    assert "cancelled" in told(bob.slash(ops, "remind cancel", handle=handle), handle)
    assert (row(process, handle).status, row(process, handle).due_at) == (TimedStatus.CANCELLED, None)


def test_an_owner_is_asked_before_cancelling_that_of_another_who_is_told(world, ada, bob, ops):
    handle = clock(bob, ops)
    question = ada.slash(ops, "remind cancel", handle=handle).says(TEXT)
    ada.clicks(question, question.labels[0])
    assert "Ada cancelled your reminder" in world.answer(bob.dm, handle, timeout=8).text


def test_t049_t051_one_for_another_person_mentions_them_once_and_comes_to_them(world, ada, bob, ops, process):
    made = ada.slash(ops, "remind me", time="in 2h", text="water the plants", person=bob).says("r-")
    put_due(process, HANDLE.search(made.words)[0], datetime.now(UTC))
    [reminder] = come(world, ops)
    assert reminder.text.startswith(f"Reminder for {bob.mention}, from Ada: **{TEXT}.**")
    assert reminder.pings.users == (bob.id,)
    said = ada.says(ops, f"remind {bob.mention} in 3 hours to water the roses")
    assert "Bob" in reply_to(world, said).text


def test_one_that_was_due_while_the_bot_was_off_says_so_and_comes_once(world, ada, ops, process):
    once, often = clock(ada, ops), clock(ada, ops, "every hour")
    process.kill()
    for handle in (once, often):
        put_due(process, handle, datetime.now(UTC) - timedelta(hours=3))
    process.start()
    texts = {HANDLE.findall(one.text)[-1]: one.text for one in come(world, ops, 2)}
    assert "was due" in texts[once]
    assert re.search(r"was due .* every hour, next ", texts[often])
    world.stays(lambda: len(come(world, ops)) == 2, 0.7, "once each")


def test_where_only_owners_may_members_are_refused(world, ada, bob, ops):
    told(ada.slash(ops, "remembrancer settings", setting="reminders", value="owners"), "owners")
    assert "Only owners" in told(bob.slash(ops, "remind me", time="in 2h", text="look"))
    assert "Only owners" in reply_to(world, bob.says(ops, "remind me in 2 hours to look")).text
    clock(ada, ops)


def test_a_long_list_of_reminders_is_turned_by_buttons(ada, ops):
    for number in range(11):
        clock(ada, ops, f"in {number + 2}h", f"text{number}.")
    answer = ada.slash(ops, "remind list")
    page = answer.says("text0")
    assert page.labels == ["Older ›"]
    ada.clicks(page, "Older ›").says("text10")
    assert page.labels == ["‹ Newer"]


def test_buttons_of_before_a_restart_still_work(world, ada, bob, ops, process):
    handle = make(ada, ops, max=1)
    question = reply_to(world, ada.says(ops, "when someone mentions a zebra, remind me to feed it"))
    alone = asked(ada, ops, "gnu", "Graze")
    put_due(process, clock(ada, ops), datetime.now(UTC))
    rule = reply_to(world, bob.says(ops, "launch checklist"))
    [timed] = come(world, ops, start=f"Reminder for {ada.mention}: **Water")
    process.restarts(killed=True)
    assert "restarted" in told(ada.clicks(question, "Yes, save it"))
    assert question.labels == []
    assert "restarted" in told(ada.clicks(alone, "Yes, save it"), "restarted")
    ada.clicks(timed, "Later")
    world.until(lambda: "In a day" in timed.labels)
    ada.clicks(timed, "In a day")
    world.until(lambda: timed.captions[0].startswith("Again "), what="put off")
    refused(bob.clicks(rule, "Renew"), "for whoever made the rule")
    ada.clicks(rule, "Renew")
    world.until(lambda: rule.captions[0].startswith("Renewed as"), what="renewed")
    assert process.rules()[handle].status is Status.DONE
    assert HANDLE.findall(rule.captions[0])[0] in reply_to(world, bob.says(ops, "launch checklist")).text


def test_a_rule_that_is_about_to_end_is_asked_about_and_kept_after_a_restart(world, ada, ops, process):
    handle = make(ada, ops, expires="30d")
    process.put("standing_intents", "created_at", handle, datetime.now(UTC) - timedelta(days=27))
    process.put("standing_intents", "expires_at", handle, datetime.now(UTC) + timedelta(days=3))
    question = world.answer(ada.dm, "was never needed so far", timeout=8)
    assert question.labels == [f"Keep {handle} 90 days"]
    process.restarts(killed=True)
    ada.clicks(question, question.labels[0])
    world.until(lambda: process.rules()[handle].expires_at > datetime.now(UTC) + timedelta(days=89), what="kept")


def test_the_day_of_an_aspiration_is_told_to_its_owner_privately(world, ada, ops, process):
    added = told(ada.slash(ops, "aspire add", text="Improve the checklist", review="90d"), "Kept")
    [path] = [one for one in (process.folder / "aspirations").glob("*.md") if "Improve" in one.read_text()]
    path.write_text(re.sub(r"\(review [\d-]+\)", "(review 2026-01-02)", path.read_text()))
    notice = world.answer(ada.dm, "It is time to look at", timeout=8)
    assert "Improve the checklist" in notice.text
    assert re.search(r"a-[0-9a-z]{4}", added)[0] in notice.text
    assert not world.said(ops, "It is time")


def test_in_a_direct_message_reminders_come_there(world, bot, bob):
    bob.says(bot, "remind me in 2 seconds to water the plants")
    made = world.answer(bob.dm, "by the clock")
    assert made.reply_to is None
    assert TEXT in come(world, bob.dm)[0].text
    handle = clock(bob, bob.dm)
    assert handle in told(bob.slash(bot, "remind list"), handle)


def test_a_member_who_talks_about_a_time_asks_for_nothing(world, bob, ops):
    quiet(world, bob.says(ops, "she said remind me in 2 hours, which I never did"))
    quiet(world, bob.says(ops, "> remind me in 2 hours to look"))
