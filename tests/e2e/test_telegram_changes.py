"""Chats on Telegram that change: another id, members and bots that come and go, rights that are taken."""

import re

import pytest

from core.standing.intent import Status
from core.timed.reminder import TimedStatus
from tests.fakes.bots import HANDLE, RULE, make, replies, reply_to, running

pytestmark = pytest.mark.thorough

OFTEN = f"{RULE} --cooldown 0s --max 50"
TEXT = "Confirm the rollback owner"


@pytest.fixture
def group(world, bot, ada, bob):
    """A group that is no supergroup yet."""
    return world.group("Small", creator=ada, members=[bob, bot])


def fires(world, bob, place, text="launch checklist"):
    """The reminder that these words set off."""
    reminder = reply_to(world, bob.says(place, text))
    assert TEXT in reminder.text
    return reminder


def quiet(world, said):
    """Nobody replies."""
    world.settled()
    world.stays(lambda: replies(world, said) == [], what="silence")


def kept(world, ada, bob, chat, handle, process):
    """Everything of the old group works under the new id: the rule, its list, its name, its history."""
    assert handle in fires(world, bob, chat).text
    reply_to(world, ada.says(chat, "/intent list"), "privately")
    assert handle in world.bot_texts(ada)[-1]
    reply_to(world, ada.says(chat, f"/intent history {handle}"), "privately")
    assert len(re.findall("launch checklist", world.bot_texts(ada)[-1])) >= 2
    assert "paused" in reply_to(world, ada.says(chat, f"/intent pause {handle}")).text.lower()
    assert process.rules()[handle].status is Status.PENDING


def test_a_group_that_becomes_a_supergroup_keeps_its_rules(world, ada, bob, group, process):
    handle = make(world, ada, group, OFTEN)
    reminder = fires(world, bob, group)
    new = world.upgrade(group)
    world.settled()
    pressed = ada.presses(reminder, "Done")
    world.until(lambda: pressed.answer is not None)
    assert pressed.answer["text"] == "✓ Done – ada"
    kept(world, ada, bob, new, handle, process)


def test_pages_of_a_list_of_before_the_move_are_turned_after_it(world, ada, group):
    for number in range(11):
        make(world, ada, group, f"word{number} => Text {number}")
    reply_to(world, ada.says(group, "/intent list"), "privately")
    page = world.bot_messages(ada)[-1]
    world.upgrade(group)
    world.settled()
    ada.presses(page, "Older ›")
    world.until(lambda: "Text 0." in page.text)


def test_t203_where_nobody_told_of_the_move_the_error_of_a_send_tells(world, ada, bob, group, process):
    handle = make(world, ada, group, OFTEN)
    fires(world, bob, group)
    reply_to(world, ada.says(group, "/remind in 2 seconds stretch"), "Stretch")
    new = world.upgrade(group, told=False)
    world.until(lambda: world.said(new, "Stretch"), 8, "the reminder at the new id")
    kept(world, ada, bob, new, handle, process)


def test_t205_what_the_old_group_tells_after_the_move_does_nothing(world, ada, bob, group, process):
    handle = make(world, ada, group, OFTEN)
    new = world.upgrade(group, member_updates=True)
    world.settled()
    fires(world, bob, new)
    assert process.rules()[handle].status is not Status.PENDING


def test_a_group_that_moved_while_the_bot_was_off_keeps_its_rules(world, ada, bob, group, process):
    handle = make(world, ada, group, OFTEN)
    fires(world, bob, group)
    process.stop()
    new = world.upgrade(group, member_updates=True)
    said = bob.says(new, "launch checklist")
    process.start()
    assert handle in reply_to(world, said).text
    kept(world, ada, bob, new, handle, process)


def test_a_bot_that_is_removed_and_added_again_tells_how_many_rules_wait(world, bot, ada, bob, ops, process):
    handle = make(world, ada, ops, OFTEN)
    other = make(world, ada, ops, "zebra => Feed it")
    ada.removes(ops, bot)
    world.settled()
    world.until(lambda: process.rules()[handle].status is Status.PENDING, what="paused")
    ada.adds(ops, bot)
    hello = world.answer(ops, "Hello")
    assert "Rules of before that are paused: 2" in hello.text
    assert "privacy mode" not in hello.text
    quiet(world, bob.says(ops, "launch checklist"))
    reply_to(world, ada.says(ops, f"/intent resume {handle}"), handle)
    fires(world, bob, ops)
    assert process.rules()[other].status is Status.PENDING


def by_the_clock(process, handle):
    """The state of a timed reminder."""
    with process.reading() as tx:
        return tx.timed.by_handle(handle).status


def test_rules_of_a_member_who_leaves_are_paused_and_the_owners_told(world, ada, bob, ops, process):
    world.sets(ops, bob, "administrator")
    handle = make(world, bob, ops, OFTEN)
    clock = HANDLE.search(reply_to(world, bob.says(ops, "/remind in 2h check the logs")).text)[0]
    bob.leaves(ops)
    world.until(lambda: process.rules()[handle].status is Status.PENDING, what="paused")
    world.until(lambda: by_the_clock(process, clock) is TimedStatus.CANCELLED, what="the reminder by the clock ends")
    told = world.answer(ada, "paused now: 1", timeout=8)
    assert "bob left or is no owner any more" in told.text
    quiet(world, ada.says(ops, "launch checklist"))


def test_rules_of_an_administrator_who_is_demoted_are_paused_where_telegram_tells(world, bot, ada, bob, ops, process):
    world.sets(ops, bob, "administrator")
    ada.promotes(ops, bot)
    handle = make(world, bob, ops, OFTEN)
    clock = HANDLE.search(reply_to(world, bob.says(ops, "/remind in 2h check the logs")).text)[0]
    ada.demotes(ops, bob)
    world.until(lambda: process.rules()[handle].status is Status.PENDING, what="paused")
    assert by_the_clock(process, clock) is TimedStatus.ACTIVE
    quiet(world, bob.says(ops, "launch checklist"))


def test_a_bot_that_may_not_write_matches_nothing_and_does_again_when_it_may(world, bot, ada, bob, ops, process):
    handle = make(world, ada, ops, OFTEN)
    ada.restricts(ops, bot)
    quiet(world, bob.says(ops, "launch checklist"))
    assert process.rules()[handle].fire_count == 0
    assert world.bot_texts(ada) == world.bot_texts(ada)[:1], "no notice"
    ada.promotes(ops, bot)
    fires(world, bob, ops)
    assert process.rules()[handle].fire_count == 1


def test_a_chat_where_nobody_may_write_is_left_alone_after_one_refusal(world, ada, bob, ops, process):
    handle = make(world, ada, ops, OFTEN)
    ops.can_send = False
    world.sets(ops, bob, "administrator")
    bob.says(ops, "launch checklist")
    world.answer(ada, "could not be delivered", timeout=8)
    refused = len([call for call in world.calls if call.chat_id == ops.id and call.status == 400])
    said = bob.says(ops, "launch checklist")
    quiet(world, said)
    assert len([call for call in world.calls if call.chat_id == ops.id and call.status == 400]) == refused == 1
    assert process.rules()[handle].fire_count == 0


def test_t059_two_bots_in_one_group_do_not_answer_each_other(world, bot, ada, bob, ops, process, tmp_path):
    make(world, ada, ops, OFTEN)
    other = world.bot("second_bot", privacy=False)
    with running(world, other, tmp_path):
        ada.adds(ops, other)
        question = ada.says(ops, f"/intent@second_bot add {OFTEN}")
        asked = reply_to(world, question)
        ada.presses(asked, "Yes, save it")
        world.until(lambda: "Saved as" in asked.text)
        said = bob.says(ops, "launch checklist")
        world.until(lambda: len(replies(world, said)) == 2, what="one reminder of each")
        count = len(world.bot_messages(ops))
        for one in replies(world, said):
            hears = other if one.bot is bot else bot
            hears.push("message", {**one.payload, "text": f"launch checklist: {one.text}", "entities": []})
        world.settled()
        world.stays(lambda: len(world.bot_messages(ops)) == count, 0.5, "nothing more")
