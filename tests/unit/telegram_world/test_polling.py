"""Long polling as python-telegram-bot does it."""

import asyncio
import http.client
import json
import threading
import urllib.error
import urllib.parse
import urllib.request
from datetime import UTC, datetime

import pytest
from telegram import Bot as Client
from telegram.error import BadRequest, Conflict, InvalidToken

from tests.fakes.telegram.probe import Probe
from tests.fakes.telegram.world import World

pytestmark = pytest.mark.thorough


def test_a_message_arrives_and_the_answer_is_seen(cast, probe) -> None:
    cast.bob.says(cast.ops, "the launch checklist")
    probe.wait(1)
    message = probe.updates[0].message
    assert message is not None and message.from_user is not None
    assert (message.text, message.from_user.first_name, message.chat.title) == ("the launch checklist", "Bob", "Ops")
    probe.call(lambda client: message.reply_text("who owns the rollback?", do_quote=True))
    answer = cast.world.answer(cast.ops, "ROLLBACK")
    assert answer.reply_to is not None and answer.reply_to.text == "the launch checklist"
    cast.world.settled()
    assert cast.bot.acknowledged > 0


def test_updates_come_again_until_the_offset_confirms_them(cast) -> None:
    for text in ("one", "two", "three"):
        cast.bob.says(cast.ops, text)
    with Probe(cast.world, cast.bot, mode="") as probe:
        first = probe.call(lambda client: client.get_updates(limit=2))
        again = probe.call(lambda client: client.get_updates())
        assert [one.message.text for one in first] == ["one", "two"]
        assert [one.message.text for one in again] == ["one", "two", "three"]
        rest = probe.call(lambda client: client.get_updates(offset=first[-1].update_id + 1))
        assert [one.message.text for one in rest] == ["three"]
        assert cast.bot.pending == 1
        assert [one.message.text for one in probe.call(lambda client: client.get_updates(offset=-1))] == ["three"]


def test_the_offset_minus_one_forgets_all_but_the_last(cast) -> None:
    for text in ("one", "two", "three"):
        cast.bob.says(cast.ops, text)
    with Probe(cast.world, cast.bot, mode="") as probe:
        assert [one.message.text for one in probe.call(lambda client: client.get_updates(offset=-1))] == ["three"]
        assert [one.message.text for one in probe.call(lambda client: client.get_updates())] == ["three"]


def test_a_bot_that_was_off_finds_the_backlog_with_its_dates(cast) -> None:
    old = datetime(2026, 11, 29, 8, 0, tzinfo=UTC)
    cast.world.backlog(cast.bob, cast.ops, ["early", "later"], old)
    with Probe(cast.world, cast.bot) as probe:
        assert [one.message.date for one in probe.wait(2)] == [old, old]
    with Probe(cast.world, cast.bot) as probe:
        cast.bob.says(cast.ops, "now")
        probe.wait(1)
        assert probe.heard == ["now"]


def test_a_second_poller_ends_the_first_with_409(cast, probe) -> None:
    cast.world.until(lambda: cast.bot.polling)
    with Probe(cast.world, cast.bot, mode="") as other:
        other.call(lambda client: client.get_updates(timeout=0))
    cast.world.until(lambda: probe.errors)
    assert isinstance(probe.errors[0], Conflict)
    assert "terminated by other getUpdates request; make sure that only one bot instance is running" in str(
        probe.errors[0]
    )


@pytest.mark.parametrize(
    ("token", "code", "words"),
    [("123456789:AAH-nobody-has-this-token", 401, "Unauthorized"), ("nonsense", 404, "Not Found")],
)
def test_a_wrong_token_is_unauthorized_and_a_malformed_one_not_found(cast, token: str, code: int, words: str) -> None:
    async def ask() -> None:
        async with Client(token, cast.world.base_url, cast.world.base_file_url):
            pass

    with pytest.raises(InvalidToken, match="rejected by the server"):
        asyncio.run(ask())
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(f"{cast.world.base_url}{token}/getMe")
    with caught.value as answer:
        assert json.load(answer) == {"ok": False, "error_code": code, "description": words}


def test_only_the_kinds_asked_for_are_queued_and_chat_member_is_one_to_ask_for(cast) -> None:
    cast.world.sets(cast.ops, cast.bot, "administrator")
    cleo = cast.world.person("Cleo")
    with Probe(cast.world, cast.bot, allowed=["message"]) as probe:
        cast.world.until(lambda: cast.bot.allowed)
        cast.bob.edits(cast.bob.says(cast.ops, "helo"), "hello")
        cleo.joins(cast.ops)
        cast.bob.says(cast.ops, "end")
        probe.last("end")
        assert [one.edited_message for one in probe.updates] == [None] * 3
        assert [one.chat_member for one in probe.updates] == [None] * 3
    with Probe(cast.world, cast.bot) as probe:
        cast.world.until(lambda: cast.bot.allowed and "chat_member" in cast.bot.allowed)
        cleo.leaves(cast.ops)
        cast.world.until(lambda: any(one.chat_member for one in probe.updates))


def test_logging_out_ends_every_later_call(cast) -> None:
    with Probe(cast.world, cast.bot, mode="") as probe:
        assert probe.call(lambda client: client.log_out()) is True
        with pytest.raises(BadRequest, match="Logged out"):
            probe.call(lambda client: client.get_me())
        cast.bot.logged_out = False


def test_two_bots_have_their_own_queues_and_never_hear_each_other_in_a_group(cast, probe) -> None:
    second = cast.world.bot("second_bot", "Second", privacy=False)
    cast.ada.adds(cast.ops, second)
    with Probe(cast.world, second) as other:
        cast.bob.says(cast.ops, "hello both")
        probe.last("hello both")
        other.last("hello both")
        probe.send(cast.ops.id, "from the first")
        other.send(cast.ops.id, "from the second")
        cast.bob.says(cast.ops, "end")
        probe.last("end")
        other.last("end")
        assert "from the second" not in probe.heard
        assert "from the first" not in other.heard
        assert cast.world.bot_texts(cast.ops, bot=second) == ["from the second"]


def test_a_poller_that_died_does_not_stand_in_the_way_and_loses_nothing(cast) -> None:
    address = urllib.parse.urlsplit(cast.world.url).netloc
    for _ in range(2):
        dying = http.client.HTTPConnection(address)
        dying.request("GET", f"/bot{cast.bot.token}/getUpdates?timeout=5")
        cast.world.until(lambda: cast.bot.polling)
        dying.close()
    cast.bob.says(cast.ops, "said while it was down")
    with Probe(cast.world, cast.bot) as probe:
        cast.world.until(lambda: probe.heard == ["said while it was down"])
        assert probe.errors == []


def test_an_update_can_come_again_under_its_old_number(cast, probe) -> None:
    cast.bob.says(cast.ops, "once")
    probe.last("once")
    cast.world.settled()
    cast.bot.redelivers()
    first, second = probe.wait(2)
    assert first.update_id == second.update_id
    with pytest.raises(AssertionError, match="only 1 updates"):
        cast.bot.redelivers(2)


def test_nothing_is_left_of_a_world_that_stopped() -> None:
    before = set(threading.enumerate())
    with World() as world:
        ada = world.person("Ada")
        bot = world.bot(started_by=[ada])
        with Probe(world, bot) as probe:
            world.until(lambda: bot.polling)
            probe.send(ada.id, "hello")
            world.stop()
            world.stop()
    assert set(threading.enumerate()) == before


def test_five_hundred_messages_arrive_in_order(cast, probe) -> None:
    for number in range(500):
        cast.bob.says(cast.ops, f"message {number}")
    probe.wait(500, timeout=15)
    assert probe.heard == [f"message {number}" for number in range(500)]
