"""In an application of somebody else: what is whose, and nothing of ours reaches theirs."""

import asyncio
import json
import logging

import pytest
from telegram import Update
from telegram.constants import ParseMode
from telegram.ext import (
    ApplicationBuilder,
    CallbackQueryHandler,
    CommandHandler,
    ConversationHandler,
    Defaults,
    MessageHandler,
    filters,
)

from adapters.base.buttons import Action, Press, encode
from adapters.base.contract import Post
from adapters.telegram import guest as guests
from adapters.telegram.adapter import Options
from adapters.telegram.attached import Attached
from adapters.telegram.guest import ALONE, GROUP, NAMES, REMEMBERED, Guest
from adapters.telegram.listing import data_of
from core.errors import StorageError
from core.standing.typed import Listing
from core.wording.lines import Line, Segment
from tests.contract.adapters.telegram_kit import _at_once, a_client

FIRE = "00000000-0000-7000-8000-000000000009"


class House:
    """An application of somebody else, with a guest; what its handlers saw, and how often `end` was called."""

    def __init__(self, kit, run=_at_once, **defaults):
        self.kit, self.run = kit, run
        self.seen, self.errors, self.hooks, self.ended = [], [], [], 0
        builder = ApplicationBuilder().token(kit.cast.bot.token).job_queue(None)
        builder = builder.base_url(kit.world.base_url).request(a_client()).get_updates_request(a_client())
        if defaults:
            builder = builder.defaults(Defaults(**defaults))
        self.application = builder.post_init(self._hook("init")).post_shutdown(self._hook("shutdown")).build()
        self.application.add_handler(CommandHandler(["ping", "settings"], self._saw))
        self.application.add_handler(
            ConversationHandler([CommandHandler("ask", self._saw)], {1: []}, [CommandHandler("cancel", self._saw)])
        )
        self.application.add_handler(CallbackQueryHandler(self._saw))
        self.application.add_handler(MessageHandler(filters.ALL, self._saw))
        self.application.add_error_handler(self._failed)
        self.guest = Guest(self.application, self._begin, self._end)
        self.guest.attach()

    def _hook(self, name):
        async def hook(_application):
            self.hooks.append(name)

        return hook

    async def _begin(self, bot, theirs):
        self.hooks.append("begin")
        return Attached(self.kit.ctx, self.run, bot, Options(theirs=theirs), 0.05)

    async def _end(self):
        self.ended += 1

    async def _saw(self, update, _context):
        query = update.callback_query
        self.seen.append(query.data if query else update.effective_message.text)

    async def _failed(self, _update, context):
        self.errors.append(context.error)

    def lives(self, during):
        """Run it as `run_polling` would, and do something meanwhile."""

        async def live():
            app = self.application
            await app.initialize()
            await app.post_init(app)
            await app.start()
            try:
                await during()
            finally:
                await app.stop()
                if app.post_stop:
                    await app.post_stop(app)
                await app.shutdown()
                await app.post_shutdown(app)

        self.kit.run(live())

    def update(self, number=-1):
        """What the service has for the bot."""
        return Update.de_json(json.loads(self.kit.cast.bot.queue[number].body), self.application.bot)

    async def puts(self):
        """The library hands over what is new; every handler is done when this returns."""
        await self.application.update_queue.put(self.update())
        await self.application.update_queue.join()
        await asyncio.gather(*self.guest._acts)


@pytest.fixture
def house(kit):
    return House(kit)


def said(house, text, who="ada"):
    """A message now; what the application's handlers saw of it."""
    kit = house.kit

    async def during():
        getattr(kit.cast, who).says(kit.cast.group, text, date=kit.ctx.clock.now())
        await house.puts()

    house.lives(during)
    return house.seen


def test_the_names_are_those_of_the_adapter(kit):
    assert set(kit.adapter.talk.commands) == NAMES
    assert ALONE < NAMES
    assert all(kit.adapter.talk.knows(name) for name in NAMES)


def test_a_command_of_ours_is_ours_alone(house):
    assert said(house, "/intent list") == []
    assert house.kit.sent()


def test_a_command_that_they_handle_is_theirs_and_that_is_logged(house, caplog):
    with caplog.at_level(logging.WARNING):
        assert said(house, "/settings") == ["/settings"]
    assert house.kit.sent() == []
    assert "/settings belongs to this application" in caplog.text


def test_a_command_of_a_conversation_of_theirs_is_theirs(house):
    assert house.guest.theirs("cancel", "")
    assert house.guest.theirs("ask", "")
    assert not house.guest.theirs("help", "")


def test_a_command_with_a_common_name_is_answered_and_not_kept_from_them(house):
    assert said(house, "/help") == ["/help"]
    assert len(house.kit.sent()) == 1


def test_commands_of_nobody_and_talk_stay_theirs(house):
    assert said(house, "/weather") == ["/weather"]
    assert said(house, "just talk") == ["/weather", "just talk"]
    assert house.kit.sent() == []


def test_the_link_that_we_give_is_ours_although_start_is_theirs(house):
    house.application.add_handler(CommandHandler("start", house._saw))
    assert house.guest.theirs("start", "")
    assert not house.guest.theirs("start", "answer")


def test_a_sentence_makes_a_rule_and_is_seen_by_them_too(house):
    sentence = "when someone mentions the launch checklist, remind me to confirm the rollback owner"
    assert said(house, sentence) == [sentence]
    assert "Confirm the rollback owner" in house.kit.sent()[-1].text


@pytest.mark.parametrize("data", ["menu:help", "page:2", "ask:me", "d:1", "told", "rmenu:x", "clock:1"])
def test_a_button_of_theirs_is_theirs(house, data):
    async def during():
        keyboard = {"inline_keyboard": [[{"text": "x", "callback_data": data}]]}
        message = house.kit.cast.bot.says(house.kit.cast.group, "a panel", extra={"reply_markup": keyboard})
        made = house.kit.cast.bob.presses(message, "x")
        await house.puts()
        assert not made.answered

    house.lives(during)
    assert house.seen == [data]


@pytest.mark.parametrize(
    "data",
    [
        "rmenu:help", "ask:0123456789ab:0", "told:", encode(Press(Action.DONE, FIRE)),
        encode(Press(Action.LATER, FIRE, "1h")), data_of(Listing("launch"), 2, "-100:5:"),
    ],
)  # fmt: skip
def test_a_button_of_ours_is_ours_alone(kit, data):
    assert kit.adapter.pressed.knows(data)


@pytest.mark.parametrize("data", [None, object(), "", "rmenu:", "ask:0123456789aB:0", "told:x"])
def test_what_no_button_of_ours_carries_is_not(kit, data):
    assert not kit.adapter.pressed.knows(data)


def test_their_hooks_are_called_and_ours_with_them(house):
    async def during():
        assert house.hooks == ["init", "begin"]

    house.lives(during)
    assert house.hooks == ["init", "begin", "shutdown"]
    assert house.ended == 2
    house.lives(during_nothing)
    assert house.hooks[3:] == ["init", "begin", "shutdown"]


async def during_nothing():
    """Only begin and end."""


def test_a_start_that_fails_leaves_them_working(kit, caplog):
    house = House(kit)

    async def fails(_bot, _theirs):
        raise StorageError("away")

    house.guest._begin = fails
    with caplog.at_level(logging.ERROR):
        assert said(house, "/intent list") == ["/intent list"]
    assert [one.message for one in caplog.records] == ["telegram.guest.begin"]
    assert house.errors == []


def test_by_hand_it_begins_and_ends_with_its_block(house):
    async def live():
        async with house.application, house.guest:
            await house.application.start()
            house.kit.cast.bob.says(house.kit.cast.group, "/ping", date=house.kit.ctx.clock.now())
            await house.puts()
            await house.application.stop()

    house.kit.run(live())
    assert (house.hooks, house.seen, house.ended) == (["begin"], ["/ping"], 1)


def test_by_hand_without_a_block_it_begins_with_the_first_update(house):
    async def live():
        async with house.application:
            await house.application.start()
            house.kit.cast.ada.says(house.kit.cast.group, "/intent list", date=house.kit.ctx.clock.now())
            await house.puts()
            await house.application.stop()
            await house.guest.end()

    house.kit.run(live())
    assert (house.hooks, house.seen) == (["begin"], [])
    assert house.kit.sent()


def test_an_update_that_does_not_come_by_the_queue_is_received_by_the_handler(house):
    kit = house.kit
    kit.rule()

    async def during():
        kit.cast.bob.says(kit.cast.group, "launch checklist", date=kit.ctx.clock.now())
        await house.application.process_update(house.update())
        await until(lambda: any("Reminder" in one.text for one in kit.sent()))

    house.lives(during)
    assert house.seen == ["launch checklist"]


def test_an_update_is_acknowledged_once_it_is_stored_and_theirs_do_not_wait_for_that(kit):
    let_go = asyncio.Event()

    async def run(work, /):
        await let_go.wait()
        return work()

    house = House(kit, run)
    kit.rule()

    async def during():
        kit.cast.bob.says(kit.cast.group, "launch checklist", date=kit.ctx.clock.now())
        acknowledged = asyncio.create_task(house.application.update_queue.put(house.update()))
        await until(lambda: house.seen == ["launch checklist"])
        assert not acknowledged.done()
        let_go.set()
        await acknowledged
        with kit.ctx.store.read() as tx:
            assert tx.outbox.due([], 1) or kit.sent()

    house.lives(during)


async def until(condition):
    async with asyncio.timeout(5):
        while not condition():
            await asyncio.sleep(0.01)


def failing(error):
    """A database thread on which nothing works."""

    async def run(_work, /):
        raise error

    return run


@pytest.mark.parametrize("error", [StorageError("away"), RuntimeError("a defect")])
def test_a_database_that_fails_holds_their_bot_up_shortly_and_breaks_nothing(kit, monkeypatch, caplog, error):
    monkeypatch.setattr(guests, "PATIENCE", 0.2)
    monkeypatch.setattr(guests, "HURRY", 0.05)
    monkeypatch.setattr(guests, "PAUSE", 0.01)
    house = House(kit, failing(error))
    with caplog.at_level(logging.ERROR):
        assert said(house, "/ping") == ["/ping"]
        assert said(house, "launch checklist") == ["/ping", "launch checklist"]
    assert house.errors == []
    assert any(one.message.startswith("telegram.update.") for one in caplog.records)


def test_after_the_first_failure_updates_wait_less_until_one_is_taken(kit, monkeypatch):
    monkeypatch.setattr(guests, "PATIENCE", 0.4)
    monkeypatch.setattr(guests, "HURRY", 0.05)
    monkeypatch.setattr(guests, "PAUSE", 0.01)
    away, waited = True, []

    async def run(work, /):
        if away:
            raise StorageError("away")
        return work()

    house = House(kit, run)

    async def during():
        nonlocal away
        for fails in (True, True, False, True):
            away = fails
            kit.cast.bob.says(kit.cast.group, "talk", date=kit.ctx.clock.now())
            begun = asyncio.get_running_loop().time()
            await house.application.update_queue.put(house.update())
            waited.append(asyncio.get_running_loop().time() - begun)
        away = False

    house.lives(during)
    assert [wait > 0.3 for wait in waited] == [True, False, False, True]


@pytest.mark.parametrize(("count", "kept"), [(REMEMBERED, REMEMBERED), (REMEMBERED + 1, REMEMBERED)])
def test_what_was_put_and_not_handled_is_forgotten_in_time(house, count, kept):
    for number in range(count):
        house.guest._remember(number, True)
    assert len(house.guest._known) == kept


def test_what_is_not_an_update_passes(house):
    async def during():
        await house.application.update_queue.put("a word of theirs")
        await house.application.update_queue.join()

    house.lives(during)
    assert house.errors == []


def test_nobody_can_be_before_our_handler_by_accident(house):
    assert min(house.application.handlers) == GROUP


def test_words_are_not_read_as_formatting_whatever_the_bot_s_defaults_are(kit):
    house = House(kit, parse_mode=ParseMode.HTML)

    async def during():
        attached = house.guest._attached
        await attached.adapter.send(Post(kit.places["group"], (Line((Segment("a <b>bold</b> & plain text"),)),)))

    house.lives(during)
    assert kit.sent()[-1].text == "a <b>bold</b> & plain text"
