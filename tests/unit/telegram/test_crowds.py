"""Bounds on what people let a bot do at once."""

import asyncio
import logging

from telegram import Chat, Update

from adapters.base.fired import PUT_OFFS, OnlyOnce
from adapters.telegram.adapter import ACTS_OF_A_CHAT


def test_one_act_more_than_a_chat_may_ask_for_at_once_is_left_out_and_holds_up_no_other_chat(kit, caplog, monkeypatch):
    begun = []

    async def crowd():
        over = asyncio.Event()

        async def act(update):
            begun.append(update.effective_chat.id)
            await over.wait()

        monkeypatch.setattr(kit.adapter, "_act", act)

        def says(chat):
            update = Update(len(begun))
            update._effective_chat = Chat(chat, "group")
            return asyncio.create_task(kit.adapter._handle(update, None))

        tasks = [says(-1) for _ in range(ACTS_OF_A_CHAT)]
        await asyncio.sleep(0)
        assert (len(begun), caplog.records) == (ACTS_OF_A_CHAT, [])
        tasks += [says(-1), says(-2)]
        await asyncio.sleep(0)
        assert begun == [-1] * ACTS_OF_A_CHAT + [-2]
        over.set()
        await asyncio.gather(*tasks)
        await says(-1)

    with caplog.at_level(logging.WARNING):
        kit.run(crowd())
    assert len(caplog.records) == 1
    assert begun[-1] == -1


def test_a_second_tap_is_known_for_the_newest_messages_up_to_the_bound():
    put_off = OnlyOnce()
    tap = [(-1, number) for number in range(PUT_OFFS + 1)]
    assert all(put_off.first(key) for key in tap[:PUT_OFFS])
    assert not put_off.first(tap[0])
    assert put_off.first(tap[PUT_OFFS])
    assert put_off.first(tap[0])
