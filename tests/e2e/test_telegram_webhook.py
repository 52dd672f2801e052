"""A bot that Telegram calls: the same conversation by webhook, with a secret."""

import contextlib
import socket
import sqlite3

import pytest

from tests.fakes.bots import RULE, make, replies, reply_to

pytestmark = pytest.mark.thorough

OFTEN = f"{RULE} --cooldown 0s --max 50"
SECRET = "a-secret_word"


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


PORT = free_port()
SETTINGS = {
    "telegram_webhook_url": f"http://127.0.0.1:{PORT}/telegram",
    "telegram_webhook_listen": f"127.0.0.1:{PORT}",
    "telegram_webhook_secret": SECRET,
    "busy_timeout_seconds": "0.2",
    "heartbeat_seconds": "60",  # it would complain of the lock
}


@contextlib.contextmanager
def locked(process):
    """Somebody else writes to the database all the time."""
    with contextlib.closing(sqlite3.connect(process.database.removeprefix("sqlite:///"))) as other:
        other.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            other.rollback()


def test_a_rule_is_made_fires_and_is_acknowledged(world, bot, ada, bob, ops, process):
    assert "is listening (webhook)" in process.output()
    handle = make(world, ada, ops)
    reminder = reply_to(world, bob.says(ops, "launch checklist"))
    assert handle in reminder.text
    ada.presses(reminder, "Done")
    world.until(lambda: reminder.labels == ["✓ Done – ada"])
    assert world.polls == []
    assert set(bot.webhook.statuses) == {200}


def test_a_call_without_the_secret_is_refused(world, bot):
    world.settled()
    assert [world.knocks(bot, "hello", secret=secret) for secret in (None, "", "another")] == [403, 403, 403]
    assert world.knocks(bot, "hello", secret=SECRET) == 200


def test_what_comes_in_is_answered_in_its_order(world, ada, bob, ops):
    make(world, ada, ops, OFTEN)
    said = [bob.says(ops, f"launch checklist {number}") for number in range(8)]
    for one in said:
        reply_to(world, one)
    assert [one.reply_to for one in world.bot_messages(ops) if one.reply_to in said] == said


def test_an_update_that_cannot_be_stored_is_refused_and_comes_again(world, bot, ada, ops, process):
    make(world, ada, ops)
    world.settled()
    before = len(bot.webhook.statuses)
    with locked(process):
        command = ada.says(ops, "/remind in 2h check the logs")
        world.until(lambda: any(status >= 500 for status in bot.webhook.statuses[before:]), 8, "a refusal")
        assert replies(world, command) == []
        assert bot.pending == 1
    assert "Check the logs" in reply_to(world, command).text
    world.settled()
    world.stays(lambda: len(replies(world, command)) == 1, what="once")


def test_after_a_restart_what_waited_is_taken(world, bot, ada, bob, ops, process):
    make(world, ada, ops, OFTEN)
    process.stop()
    said = [bob.says(ops, f"launch checklist {number}") for number in range(3)]
    process.start()
    for one in said:
        reply_to(world, one)
    world.stays(lambda: all(len(replies(world, one)) == 1 for one in said), what="once each")
