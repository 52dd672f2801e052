"""A bot on Telegram that is killed, stopped, away, or not alone: nothing is lost, and nothing is done twice."""

import contextlib
from datetime import UTC, datetime, timedelta

import pytest

from core.standing.intent import Status
from tests.fakes.bots import RULE, make, replies, reply_to, running

pytestmark = pytest.mark.thorough

OFTEN = f"{RULE} --cooldown 0s --max 50"
TEXT = "Confirm the rollback owner"


@pytest.fixture(autouse=True)
def alive(world, process):
    """The next test finds a bot that runs, and no fault."""
    yield
    world.faults.clear()
    if not process.runs:
        process.start()


@contextlib.contextmanager
def unacknowledged(world, bot):
    """What is received meanwhile is not acknowledged: the request that would do it never arrives."""
    world.settled()
    slow, lost = world.faults.delay("getUpdates", 2), world.faults.drop_before("getUpdates")
    yield
    world.until(lambda: slow.happened and lost.happened, what="the next request for updates")


def sending(world, chat):
    """How many requests to send came in for a chat."""
    return sum(call.method == "sendMessage" and call.chat_id == chat.id for call in world.calls)


def test_killed_before_the_acknowledgement_it_fires_and_obeys_once(world, bot, ada, bob, ops, process):
    make(world, ada, ops, OFTEN)
    with unacknowledged(world, bot):
        with world.lock:  # both come in one answer
            said = bob.says(ops, "launch checklist")
            command = ada.says(ops, "/remind in 2h check the logs")
        reply_to(world, said)
        reply_to(world, command)
    world.until(process.owes_nothing, what="the record of what was sent")
    process.kill()
    assert bot.pending == 2
    process.start()
    world.settled()
    world.stays(lambda: len(replies(world, said)) == len(replies(world, command)) == 1, 0.5, "once each")


def test_killed_between_reserving_and_sending_it_sends_later_and_once(world, ada, bob, ops, process):
    handle = make(world, ada, ops)
    before = sending(world, ops)
    world.faults.delay("sendMessage", 2, chat=ops)
    world.faults.drop_before("sendMessage", chat=ops)
    said = bob.says(ops, "launch checklist")
    world.until(lambda: sending(world, ops) > before, what="the request to send")
    process.kill()
    assert replies(world, said) == []
    assert process.rules()[handle].fire_count == 1
    process.start()
    assert TEXT in reply_to(world, said).text
    world.stays(lambda: len(replies(world, said)) == 1, 0.5, "once")


def test_only_killed_between_sending_and_recording_it_repeats_a_message_once(world, ada, bob, ops, process):
    handle = make(world, ada, ops)
    before = sending(world, ops)
    world.faults.delay("sendMessage", 0.5, chat=ops)
    said = bob.says(ops, "launch checklist")
    world.until(lambda: sending(world, ops) > before, what="the request to send")
    process.kill()
    world.until(lambda: len(replies(world, said)) == 1, what="it took effect all the same")
    process.start()
    world.until(lambda: len(replies(world, said)) == 2, 8, "the repetition")
    world.stays(lambda: len(replies(world, said)) == 2, 0.5, "no third")
    assert process.rules()[handle].fire_count == 1


def test_stopped_under_load_it_loses_nothing_and_doubles_nothing(world, bot, ada, bob, process):
    groups = [world.supergroup(f"Load {number}", creator=ada, members=[bob, bot]) for number in range(3)]
    for group in groups:
        make(world, ada, group, OFTEN)
        world.faults.delay("sendMessage", 0.3, times=50, chat=group)
    said = [bob.says(group, f"launch checklist {number}") for number in range(5) for group in groups]
    world.until(lambda: any(replies(world, one) for one in said), what="the first reminder")
    assert process.stop() == 0
    done = sum(len(replies(world, one)) for one in said)
    assert done < len(said)
    process.start()
    for one in said:
        reply_to(world, one)
    world.stays(lambda: all(len(replies(world, one)) == 1 for one in said), 0.5, "once each")


def test_t187_t209_what_was_said_while_it_was_away_is_neither_answered_nor_obeyed(world, bot, ada, bob, ops, process):
    handle = make(world, ada, ops, OFTEN)
    process.stop()
    long_ago = datetime.now(UTC) - timedelta(minutes=30)
    old = world.backlog(bob, ops, ["launch checklist"] * 12, long_ago)
    command = ada.says(ops, f"/intent cancel {handle}", date=long_ago)
    fresh = bob.says(ops, "launch checklist")
    process.start()
    assert TEXT in reply_to(world, fresh).text
    assert "I was away" in reply_to(world, command).text
    world.settled()
    bot.redelivers(2)
    world.settled()
    world.stays(lambda: len(replies(world, command)) == 1, what="told once")
    assert [one for one in old if replies(world, one)] == []
    rule = process.rules()[handle]
    assert (rule.status, rule.fire_count) == (Status.ARMED, 1)


def test_t219_a_second_poller_is_explained_waited_for_and_gone_on_after(world, bot, ada, bob, ops, process, tmp_path):
    make(world, ada, ops, OFTEN)
    before = process.output().count("two_pollers")
    with running(world, bot, tmp_path) as other:
        world.until(lambda: process.output().count("two_pollers") > before, 15, "the first one explains it")
        world.until(lambda: "two_pollers" in other.output(), 15, "the second one explains it")
    assert "Another program" in process.output()
    said = bob.says(ops, "launch checklist")
    assert TEXT in reply_to(world, said, seconds=15).text
