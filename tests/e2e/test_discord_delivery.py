"""What is owed to people on Discord reaches them once: limits, broken lines, places and people out of reach."""

import contextlib
import random
import sqlite3
import time

import pytest

from tests.fakes.discord.engine import serializers
from tests.fakes.discord.talking import OFTEN, TEXT, WORDS, asked, clock, make, quiet, replies, reply_to, told

PLATFORM = "discord"

pytestmark = pytest.mark.thorough


@pytest.fixture(autouse=True)
def faultless(world, process):
    """No fault is left for the next test, and nothing was sent before a wait was over."""
    yield
    world.faults.clear()
    assert world.early == [], world.early
    if not process.runs:
        process.start()


def sends(channel):
    """The path by which a message is posted."""
    return f"/channels/{channel.id}/messages"


def once(world, said, seconds=0.5):
    """One reply comes, and no other."""
    reminder = reply_to(world, said, TEXT, 15)
    world.stays(lambda: len(replies(world, said)) == 1, seconds, "once")
    return reminder


def test_an_event_that_comes_again_fires_once_and_is_obeyed_once(world, ada, bob, ops):
    make(ada, ops, **OFTEN)
    said = bob.says(ops, WORDS)
    reply_to(world, said)
    sentence = ada.says(ops, "when someone mentions a zebra, remind me to feed it")
    reply_to(world, sentence)
    for one in (said, sentence):
        world.backend.emit("MESSAGE_CREATE", serializers.message_payload(world.backend, one.state))
    world.stays(lambda: len(replies(world, said)) == len(replies(world, sentence)) == 1, 0.5, "once each")


def test_t195_t197_a_wait_that_discord_asks_for_is_waited_for_and_holds_up_nobody_else(world, guild, ada, bob, ops):
    other = guild.text("other")
    make(ada, ops, **OFTEN)
    make(ada, other, **OFTEN)
    fault = world.faults.rate_limit("POST", sends(ops), 3)
    said = [bob.says(ops, f"{WORDS} {number}") for number in range(3)]
    world.until(lambda: fault.happened, what="the limit")
    assert TEXT in reply_to(world, bob.says(other, WORDS), seconds=2).text
    assert told(ada.slash(ops, "intent list"), "i-")
    for one in said:
        once(world, one, 0.1)
    assert [one.reply_to for one in world.bot_messages(ops) if one.reply_to in said] == said


def test_a_limit_of_the_whole_bot_is_waited_for(world, ada, bob, ops):
    make(ada, ops, **OFTEN)
    world.faults.rate_limit("POST", sends(ops), 2, everywhere=True)
    once(world, bob.says(ops, WORDS))


def test_t153_errors_of_the_service_and_broken_lines_delay_a_message_and_stop_nothing(world, guild, ada, bob, ops):
    faults = {
        "five-hundred": lambda path: world.faults.fail("POST", path, 500),
        "five-o-three": lambda path: world.faults.fail("POST", path, 503, times=2),
        "page": lambda path: world.faults.page("POST", path),
        "cut-before": lambda path: world.faults.drop_before("POST", path),
        "cut-after": lambda path: world.faults.drop_after("POST", path),
    }
    said = []
    for name, fault in faults.items():
        channel = guild.text(name)
        make(ada, channel, **OFTEN)
        fault(sends(channel))
        said += [bob.says(channel, WORDS), bob.says(channel, f"{WORDS} again")]
    for one in said:
        reply_to(world, one, TEXT, 20)
    world.stays(lambda: all(len(replies(world, one)) == 1 for one in said), 0.5, "once each")


def test_t155_a_line_that_is_down_for_a_while_loses_nothing(world, ada, bob, ops):
    make(ada, ops, **OFTEN)
    clock(ada, ops, "in 1 second")
    world.faults.drop_before("POST", sends(ops), times=2)
    said = bob.says(ops, WORDS)
    once(world, said)
    world.until(lambda: [one for one in world.bot_messages(ops) if one.labels == ["Done", "Later"]], 20, "the reminder")


def test_t213_a_reminder_of_a_message_that_was_deleted_meanwhile_is_no_reply(world, ada, bob, ops):
    make(ada, ops)
    before = len(world.bot_messages(ops))
    held = world.faults.delay("POST", sends(ops), 0.5)
    said = bob.says(ops, WORDS)
    world.until(lambda: held.happened, what="the request to send")
    bob.deletes(said)
    world.until(lambda: len(world.bot_messages(ops)) == before + 1)
    reminder = world.bot_messages(ops)[-1]
    assert TEXT in reminder.text
    assert reminder.reply_to is None


def test_t011_where_a_thread_was_locked_meanwhile_the_owner_is_told_privately_and_it_does_not_count(
    world, ada, bob, ops, process
):
    handle = make(ada, ops, **OFTEN)
    thread = bob.opens_thread(bob.says(ops, "about it"), "Launch")
    held = world.faults.delay("POST", sends(thread), 0.5)
    bob.says(thread, WORDS)
    world.until(lambda: held.happened, what="the request to send")
    thread.archive(locked=True)
    notice = world.answer(ada.dm, "could not be delivered", timeout=8)
    assert handle in notice.text
    assert TEXT in notice.text
    assert process.rules()[handle].fire_count == 0
    assert world.bot_messages(thread) == []


def test_a_channel_that_was_closed_to_the_bot_meanwhile_is_told_of_and_then_left_alone(
    world, bot, ada, bob, ops, process
):
    handle = make(ada, ops, **OFTEN)
    held = world.faults.delay("POST", sends(ops), 0.5)
    bob.says(ops, WORDS)
    world.until(lambda: held.happened, what="the request to send")
    ops.permit(bot, send_messages=False)
    assert handle in world.answer(ada.dm, "could not be delivered", timeout=8).text
    count = len(world.requests("POST", sends(ops)))
    quiet(world, bob.says(ops, WORDS))
    assert len(world.requests("POST", sends(ops))) == count
    assert process.rules()[handle].fire_count == 0


def test_what_a_person_with_closed_direct_messages_was_to_read_is_not_read_by_others(world, ada, bob, ops, process):
    handle = make(ada, ops, "budget", "Ask for the secret sheet", deliver="dm")
    ada.closes_dms()
    before = len(world.bot_messages(ops))
    bob.says(ops, "the budget?")
    world.until(lambda: len(world.bot_messages(ops)) == before + 1, 8, "one line in the channel")
    public = world.bot_messages(ops)[-1]
    assert "secret" not in public.text
    assert public.text.startswith(f"{ada.mention}: I have something to tell you and cannot write to you.")
    assert public.pings.users == (ada.id,)
    world.stays(lambda: len(world.bot_messages(ops)) == before + 1, what="one line")
    assert process.rules()[handle].fire_count == 0


def test_what_is_for_one_person_is_delivered_by_direct_message(world, ada, bob, ops):
    make(ada, ops, "budget", "Ask for the secret sheet", deliver="dm")
    said = bob.says(ops, "the budget?")
    reminder = world.answer(ada.dm, "Ask for the secret sheet")
    assert "#ops" in reminder.text
    quiet(world, said, 0.2)


def test_reminders_of_one_channel_keep_their_order_when_one_is_slow(world, ada, bob, ops):
    make(ada, ops, **OFTEN)
    world.faults.slow("POST", sends(ops), 0.7)
    said = [bob.says(ops, f"{WORDS} {number}") for number in range(5)]
    for one in said:
        reply_to(world, one)
    assert [one.reply_to for one in world.bot_messages(ops) if one.reply_to in said] == said


def test_t191_a_reminder_shows_what_was_typed_and_pings_nobody_by_it(world, guild, ada, bob, ops):
    text = f"(a => b) [x](http://y) = <y> _z* @everyone {bob.mention} ||s|| `c`"
    make(ada, ops, "paste", text)
    reminder = reply_to(world, bob.says(ops, "a paste"))
    assert r"(a => b) \[x\](http://y)" in reminder.text
    assert reminder.pings.users == (ada.id,)
    assert not reminder.pings.everyone


def test_t201_the_longest_reminder_arrives_whole_and_a_longer_one_is_refused(world, ada, bob, ops):
    make(ada, ops, "stars", "*" * 500)
    reminder = reply_to(world, bob.says(ops, "stars"))
    assert reminder.text.count("\\*") == 500
    assert reminder.labels
    refusal = reply_to(world, ada.says(ops, "when someone mentions zebras, remind me to " + "feed " * 110))
    assert "500" in refusal.words
    assert refusal.labels == []


def test_a_list_that_is_too_long_for_one_message_is_split_and_nothing_is_lost(ada, ops):
    for number in range(10):
        make(ada, ops, f"entry{number}", f"Number {number} " + "*_" * 240 + f"end{number}")
    answer = ada.slash(ops, "intent list")
    answer.says("10 rules")
    assert len(answer.texts) > 1
    together = "\n".join(answer.texts)
    assert all(f"end{number}" in together for number in range(10))


def test_while_another_process_holds_the_store_nothing_is_lost_and_a_command_is_answered(world, ada, bob, ops, process):
    make(ada, ops, **OFTEN)
    path = process.database.removeprefix("sqlite:///")
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as store:
        store.execute("BEGIN IMMEDIATE")
        said = [bob.says(ops, f"{WORDS} {number}") for number in range(3)]
        question = ada.slash(ops, "intent add", words="gnu", text="Graze", who="anyone")
        question.acknowledges()
        time.sleep(2)
        assert not any(replies(world, one) for one in said)
        store.execute("ROLLBACK")
    for one in said:
        once(world, one, 0.1)
    question.says("Reminder", timeout=15)


def test_killed_at_random_instants_every_reminder_comes_once(world, ada, bob, ops, process):
    chance = random.Random(33)
    make(ada, ops, **OFTEN)
    said = []
    for number in range(5):
        said.append(bob.says(ops, f"{WORDS} {number}"))
        time.sleep(chance.uniform(0, 0.25))
        process.restarts(killed=True)
    for one in said:
        reply_to(world, one, TEXT, 15)
    world.stays(lambda: all(len(replies(world, one)) == 1 for one in said), 1, "once each")


def test_killed_between_sending_and_recording_it_is_not_repeated_because_of_the_nonce(world, ada, bob, ops, process):
    handle = make(ada, ops)
    slow = world.faults.slow("POST", sends(ops), 5)
    said = bob.says(ops, WORDS)
    reply_to(world, said)
    assert slow.happened
    process.restarts(killed=True)
    world.until(process.owes_nothing, 15, "nothing is owed")
    world.stays(lambda: len(replies(world, said)) == 1, 1, "once")
    assert process.rules()[handle].fire_count == 1


def test_a_question_that_cannot_be_asked_now_is_said_to_be_lost_nowhere_and_the_next_one_works(world, ada, ops):
    world.faults.fail("POST", sends(ops), 500, times=1)
    sentence = ada.says(ops, "when someone mentions a zebra, remind me to feed it")
    assert "Feed it" in reply_to(world, sentence, seconds=10).text
    assert asked(ada, ops)
