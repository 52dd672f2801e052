"""Telegram's limits: messages are held back, questions are not."""

import asyncio
import logging
from datetime import timedelta

import pytest
from telegram.error import RetryAfter

from adapters.telegram.pacing import Pacing
from tests.fakes.fasttime import JumpingLoop, run


def lasted(endpoint, count, chat=-5, fails=None):
    """Seconds that so many calls took, one after the other."""

    async def call():
        if fails is not None:
            raise fails
        return True

    async def work():
        pacing = Pacing()
        await pacing.initialize()
        for _ in range(count):
            assert await pacing.process_request(call, (), {}, endpoint, {"chat_id": chat}, None)
        await pacing.shutdown()
        return asyncio.get_running_loop().time()

    return run(JumpingLoop(), work())


def test_asking_who_somebody_is_never_waits():
    assert lasted("getChatMember", 500) == 0


@pytest.mark.parametrize("endpoint", ["editMessageText", "answerCallbackQuery", "setMessageReaction"])
def test_what_changes_a_message_or_answers_a_button_does_not_wait(endpoint):
    assert lasted(endpoint, 100) == 0


def test_20_messages_a_minute_go_to_a_group_and_the_next_one_waits():
    assert lasted("sendMessage", 20) == 0
    assert lasted("sendMessage", 21) >= 2.9
    assert lasted("sendMessage", 40) >= 57


def test_30_messages_a_second_go_to_people_and_the_next_one_waits():
    assert lasted("sendMessage", 30, chat=5) == 0
    assert 0 < lasted("sendMessage", 60, chat=5) <= 1.1


def test_the_wait_of_telegram_is_told_at_once_and_not_logged_as_an_error(caplog):
    with caplog.at_level(logging.INFO), pytest.raises(RetryAfter):
        lasted("sendMessage", 1, fails=RetryAfter(timedelta(seconds=40)))
    assert caplog.records == []
