"""A bot on Discord that is killed, stopped, cut off or away: nothing is lost, and nothing is done twice."""

import contextlib
import sqlite3
import time
from datetime import timedelta

import pytest

from core.standing.intent import Status
from tests.fakes.discord.bots import Running, running
from tests.fakes.discord.engine import discord
from tests.fakes.discord.gateway import ABORT
from tests.fakes.discord.talking import OFTEN, TEXT, WORDS, clock, make, quiet, replies, reply_to, told

PLATFORM = "discord"
SENTENCE = "when someone mentions a zebra, remind me to feed it"

pytestmark = pytest.mark.thorough


@pytest.fixture(autouse=True)
def alive(world, process):
    """The next test finds a bot that runs, and no fault."""
    yield
    world.faults.clear()
    if not process.runs:
        process.start()


def ago(minutes):
    return discord.utils.utcnow() - timedelta(minutes=minutes)


def long_ago(world, message, minutes):
    """Let a message be older than it is: its number tells when it was said."""
    state, kept = message.state, world.backend.messages[message.channel.id]
    del kept[state.id]
    state.id, state.timestamp = discord.utils.time_snowflake(ago(minutes)), ago(minutes).isoformat()
    kept[state.id] = state
    world.backend.messages[message.channel.id] = dict(sorted(kept.items()))
    return message


def seen_until(process, at):
    """Let the bot have received messages up to a time only."""
    with contextlib.closing(sqlite3.connect(process.database.removeprefix("sqlite:///"), timeout=10)) as store:
        number = str(discord.utils.time_snowflake(at))
        changed = store.execute("UPDATE facts SET value = ? WHERE key LIKE 'discord.%.received'", (number,))
        assert changed.rowcount == 1
        store.commit()


def test_commands_are_told_to_discord_at_the_first_start_alone(world, process):
    assert len(world.syncs) == 1
    process.restarts()
    process.restarts(killed=True)
    assert len(world.syncs) == 1


def test_what_was_said_while_it_was_stopped_fires_once_and_is_obeyed_once(world, ada, bob, ops, process):
    make(ada, ops, **OFTEN)
    before = bob.says(ops, WORDS)
    reply_to(world, before)
    assert process.stop() == 0
    said = [bob.says(ops, f"{WORDS} {number}") for number in range(3)]
    sentence = ada.says(ops, SENTENCE)
    timed = bob.says(ops, "remind me in 2 hours to check the logs")
    process.start()
    for one in said:
        assert TEXT in reply_to(world, one).text
    assert "r-" in reply_to(world, timed).text
    question = reply_to(world, sentence)
    ada.clicks(question, "Yes, save it")
    world.until(lambda: "Saved as" in question.text)
    process.restarts()
    world.stays(lambda: all(len(replies(world, one)) == 1 for one in (before, *said, sentence, timed)), 1, "once each")


def test_what_was_said_while_it_was_killed_fires_once(world, ada, bob, ops, process):
    make(ada, ops, **OFTEN)
    said = bob.says(ops, WORDS)
    reply_to(world, said)
    process.kill()
    missed = bob.says(ops, WORDS)
    process.start()
    reply_to(world, missed)
    world.stays(lambda: len(replies(world, said)) == len(replies(world, missed)) == 1, 0.5, "once each")


def test_what_was_said_in_a_thread_that_began_while_it_was_away_fires(world, ada, bob, ops, process):
    make(ada, ops, **OFTEN)
    process.stop()
    thread = bob.opens_thread(bob.says(ops, "about the launch"), "Launch")
    said = bob.says(thread, WORDS)
    process.start()
    assert reply_to(world, said).channel is thread


def test_t187_t209_what_is_too_old_is_neither_answered_nor_obeyed(world, ada, bob, ops, process):
    handle = make(ada, ops, **OFTEN)
    process.stop()
    process.put("standing_intents", "armed_at", handle, ago(60))
    seen_until(process, ago(60))
    old = [long_ago(world, bob.says(ops, WORDS), 30), long_ago(world, ada.says(ops, SENTENCE), 11)]
    fresh = long_ago(world, bob.says(ops, WORDS), 9)
    process.start()
    assert TEXT in reply_to(world, fresh).text
    world.stays(lambda: [one for one in old if replies(world, one)] == [], 0.5, "silence")
    rule = process.rules()[handle]
    assert (rule.status, rule.fire_count) == (Status.ARMED, 1)


def test_a_channel_in_which_the_bot_may_not_read_what_was_said_is_passed_over(
    world, bot, guild, ada, bob, ops, process
):
    other = guild.text("other")
    make(ada, ops, **OFTEN)
    make(ada, other, **OFTEN)
    process.stop()
    other.permit(bot, read_message_history=False)
    hidden, seen = bob.says(other, WORDS), bob.says(ops, WORDS)
    process.start()
    reply_to(world, seen)
    quiet(world, hidden)


def test_a_message_that_was_deleted_while_it_was_away_fires_nothing(world, ada, bob, ops, process):
    make(ada, ops, **OFTEN)
    process.stop()
    gone, said = bob.says(ops, WORDS), bob.says(ops, WORDS)
    bob.deletes(gone)
    process.start()
    reply_to(world, said)
    assert [one.reply_to for one in world.bot_messages(ops) if one.reply_to] == [said]


def test_killed_between_reserving_and_sending_it_sends_later_and_once(world, ada, bob, ops, process):
    handle = make(ada, ops)
    path = f"/channels/{ops.id}/messages"
    world.faults.delay("POST", path, 2)
    before = len(world.requests("POST", path))
    lost = world.faults.drop_before("POST", path)
    said = bob.says(ops, WORDS)
    world.until(lambda: len(world.requests("POST", path)) > before, what="the request to send")
    process.kill()
    assert replies(world, said) == []
    assert process.rules()[handle].fire_count == 1
    world.until(lambda: lost.happened, what="the lost request")
    process.start()
    assert TEXT in reply_to(world, said).text
    world.stays(lambda: len(replies(world, said)) == 1, 0.5, "once")


def test_stopped_under_load_it_loses_nothing_and_doubles_nothing(world, guild, ada, bob, ops, process):
    channels = [guild.text(f"load-{number}") for number in range(3)]
    for channel in channels:
        make(ada, channel, **OFTEN)
        world.faults.delay("POST", f"/channels/{channel.id}/messages", 0.3, times=50)
    said = [bob.says(channel, f"{WORDS} {number}") for number in range(5) for channel in channels]
    world.until(lambda: any(replies(world, one) for one in said), what="the first reminder")
    assert process.stop() == 0
    assert sum(len(replies(world, one)) for one in said) < len(said)
    process.start()
    for one in said:
        reply_to(world, one, seconds=15)
    world.stays(lambda: all(len(replies(world, one)) == 1 for one in said), 0.5, "once each")


def test_a_line_that_breaks_and_comes_back_loses_nothing_and_doubles_nothing(world, ada, bob, ops):
    make(ada, ops, **OFTEN)
    said = bob.says(ops, WORDS)
    reply_to(world, said)
    before, resumed = world.gateway.identifies, world.gateway.resumes
    world.gateway.repeats_on_resume = 3
    world.gateway.drop(ABORT)
    meanwhile = bob.says(ops, WORDS)
    reply_to(world, meanwhile, seconds=15)
    world.stays(lambda: len(replies(world, said)) == len(replies(world, meanwhile)) == 1, 0.5, "once each")
    assert (world.gateway.identifies, world.gateway.resumes) == (before, resumed + 1)


def test_a_session_that_cannot_be_resumed_is_begun_anew_and_what_was_missed_is_read(world, ada, bob, ops):
    make(ada, ops, **OFTEN)
    reply_to(world, bob.says(ops, WORDS))
    before = world.gateway.identifies
    world.gateway.forget()
    world.gateway.drop()
    meanwhile = bob.says(ops, WORDS)
    reply_to(world, meanwhile, seconds=30)
    world.stays(lambda: len(replies(world, meanwhile)) == 1, 0.5, "once")
    assert world.gateway.identifies > before
    assert told(ada.slash(ops, "intent list"), "i-")


def test_reminders_by_the_clock_come_after_a_kill_and_once(world, bob, ops, process):
    clock(bob, ops, "in 2 seconds")
    process.kill()
    time.sleep(2)
    process.start()
    world.answer(ops, "Water the plants", timeout=8)
    world.stays(lambda: sum("Water the plants" in one for one in world.bot_texts(ops)) == 1, 0.7, "once")


def test_killed_between_a_sentence_and_its_answer_it_does_not_do_it_again(world, bob, ops, process):
    def made():
        with contextlib.closing(sqlite3.connect(process.database.removeprefix("sqlite:///"), timeout=10)) as store:
            return store.execute("SELECT count(*) FROM timed_reminders").fetchone()[0]

    before = made()
    path = f"/channels/{ops.id}/messages"
    world.faults.delay("POST", path, 2)
    lost = world.faults.drop_before("POST", path)
    said = bob.says(ops, "remind me in 2 hours to water the cactus")
    world.until(lambda: made() == before + 1, what="the reminder")
    process.kill()
    assert replies(world, said) == []
    world.until(lambda: lost.happened, what="the lost request")
    later = bob.says(ops, "remind me in 2 hours to feed the axolotl")
    process.start()
    assert "r-" in reply_to(world, later).text
    world.stays(lambda: made() == before + 2 and replies(world, said) == [], 0.5, "one reminder each")
    again = bob.says(ops, said.text)
    assert "r-" in reply_to(world, again).text
    assert made() == before + 3


@pytest.mark.parametrize(("fault", "status"), [("fail", 503), ("page", 403)])
def test_what_discord_does_not_give_after_a_start_is_read_a_little_later(world, ada, bob, ops, process, fault, status):
    make(ada, ops, **OFTEN)
    process.stop()
    missed = bob.says(ops, WORDS)
    struck = getattr(world.faults, fault)("GET", f"/channels/{ops.id}/messages", status, times=2)
    process.start()
    heard = bob.says(ops, WORDS)
    reply_to(world, heard)
    reply_to(world, missed)
    assert struck.happened == 2
    world.stays(lambda: len(replies(world, missed)) == len(replies(world, heard)) == 1, 0.5, "once each")


def test_a_process_that_is_killed_soon_after_the_very_first_start_misses_nothing(
    world, ada, bob, ops, process, tmp_path
):
    process.stop()
    with running(world, tmp_path) as first:
        make(ada, ops, **OFTEN)
        first.kill()
        missed = bob.says(ops, WORDS)
        first.start()
        reply_to(world, missed)


def test_of_two_processes_with_one_database_one_obeys_a_sentence(world, ada, bob, ops, process):
    make(ada, ops, **OFTEN)
    second = Running(world, process.folder)
    second.log = process.folder / "second.log"
    try:
        second.start()
        said = [bob.says(ops, f"remind me in {hours} hours to feed the yak") for hours in (2, 3, 4)]
        said.append(bob.says(ops, WORDS))
        for one in said:
            reply_to(world, one)
        world.stays(lambda: all(len(replies(world, one)) == 1 for one in said), 1, "once each")
    finally:
        second.kill()
