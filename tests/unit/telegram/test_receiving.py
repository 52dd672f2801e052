"""What is acknowledged, and what is acted on once."""

import asyncio
import json
import logging

import pytest
from telegram.error import NetworkError
from telegram.ext import ApplicationBuilder

from adapters.telegram.receiving import NotStored, ReceivingQueue
from core.errors import StorageError
from core.wording.readback import Choice
from tests.contract.adapters.telegram_kit import a_client
from tests.unit.telegram.messages import an_update

UPDATE = an_update()
FULL = StorageError("The disk is full.", "Make room.")


def put(answer, item=UPDATE):
    """Put something into a queue whose taker answers so; how many wait in it then."""

    async def take(_update):
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def work():
        queue = ReceivingQueue(take)
        await queue.put(item)
        return queue.qsize()

    return asyncio.run(work())


def test_what_is_wanted_is_handed_on_and_what_was_received_for_good_is_not():
    assert put(True) == 1
    assert put(False) == 0


def test_what_is_no_update_is_handed_on_as_it_is():
    assert put(False, item="stop") == 1


def test_an_update_that_cannot_be_stored_is_an_error_of_the_network_to_the_library():
    with pytest.raises(NotStored, match="The disk is full") as raised:
        put(FULL)
    assert isinstance(raised.value, NetworkError)
    assert raised.value.__cause__ is FULL


def test_a_defect_is_logged_and_keeps_nothing_back(caplog):
    with caplog.at_level(logging.ERROR):
        assert put(ZeroDivisionError("oops")) == 0
    assert [record.message for record in caplog.records] == ["telegram.update.defect"]
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize(("failure", "times"), [(FULL, 2), (ZeroDivisionError("oops"), 1)])
def test_an_update_is_acknowledged_once_it_was_stored_or_is_a_defect(kit, failure, times, caplog):
    """By polling, as the real library does it: it asks again for what was not acknowledged."""
    seen, bot = [], kit.cast.bot

    async def take(update):
        seen.append(update.effective_message.text)
        if len(seen) == 1:
            raise failure
        return False

    async def work():
        builder = ApplicationBuilder().token(bot.token).base_url(kit.world.base_url)
        builder = builder.request(a_client()).get_updates_request(a_client())
        application = builder.update_queue(ReceivingQueue(take)).build()
        async with application:
            await application.updater.start_polling(timeout=1, error_callback=lambda error: None)
            async with asyncio.timeout(10):
                while bot.pending:
                    await asyncio.sleep(0.02)
            await application.updater.stop()

    bot.queue.clear()
    kit.cast.bob.says(kit.cast.group, "one")
    kit.cast.bob.says(kit.cast.group, "two")
    with caplog.at_level(logging.CRITICAL):
        kit.run(work())
    assert seen == ["one"] * times + ["two"]


def last(kit):
    return kit.cast.bot.queue[-1].body


def replies(kit):
    return len(kit.world.bot_messages(kit.cast.group, bot=kit.cast.bot))


def test_a_command_that_comes_again_is_acted_on_once(kit):
    kit.says("ada", "/help")
    assert replies(kit) == 1
    kit.takes(last(kit))
    assert replies(kit) == 1


def test_a_press_that_comes_again_is_acted_on_once(kit):
    kit.says("ada", "when someone mentions the budget, remind me to ask for the sheet")
    kit.answers("ada", Choice.YES)
    assert kit.rules() == 1
    kit.takes(last(kit))
    assert kit.rules() == 1


@pytest.mark.parametrize(("hours", "done"), [(47, 1), (48, 2)])
def test_numbers_of_updates_may_begin_anew_after_48_hours_of_silence(kit, clock, hours, done):
    kit.says("ada", "/help")
    clock.advance(hours=hours)
    kit.cast.ada.says(kit.cast.group, "/help", date=clock.now())
    body = json.loads(last(kit)) | {"update_id": 5}
    kit.takes(json.dumps(body))
    assert replies(kit) == done


def test_a_message_that_comes_again_fires_once_and_wakes_delivery(kit):
    rule = kit.rule()
    kit.says("bob", "launch checklist")
    assert kit.woken == 1
    kit.takes(last(kit))
    assert kit.woken == 1
    with kit.ctx.store.read() as tx:
        assert tx.intents.by_id(rule.id).fire_count == 1


def test_a_command_of_another_bot_and_one_that_is_not_known_are_left_alone(kit):
    kit.says("ada", "/help@robot_bot")
    kit.says("ada", "/weather")
    assert replies(kit) == 0


def test_a_command_by_name_in_any_letters_is_for_this_bot(kit):
    kit.says("ada", "/help@Remembrancer_Bot")
    assert replies(kit) == 1


def test_a_sentence_of_a_member_makes_nothing_and_is_talk(kit):
    kit.rule(triggers="budget")
    kit.says("bob", "when someone mentions the budget, remind me to ask for the sheet")
    assert replies(kit) == 0
    assert kit.woken == 1


def test_what_was_typed_long_ago_is_not_done_any_more(kit, clock):
    kit.cast.ada.says(kit.cast.group, "/help", date=clock.now())
    clock.advance(kit.ctx.limits.turn_max_age)
    kit.takes(last(kit))
    assert replies(kit) == 1
    assert "/intent" in kit.world.bot_texts(kit.cast.group)[-1]
    kit.cast.ada.says(kit.cast.group, "/help", date=clock.now())
    clock.advance(kit.ctx.limits.turn_max_age)
    clock.advance(seconds=1)
    kit.takes(last(kit))
    assert "/intent" not in kit.world.bot_texts(kit.cast.group)[-1]
