"""Inline buttons, their presses, reactions and the menu of commands."""

import pytest
from telegram import (
    BotCommand,
    BotCommandScopeAllChatAdministrators,
    BotCommandScopeChat,
    ForceReply,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    MaybeInaccessibleMessage,
)

from tests.fakes.telegram.probe import refused

YES_NO = InlineKeyboardMarkup(
    [
        [InlineKeyboardButton("Yes", callback_data="y:1"), InlineKeyboardButton("No", callback_data="n:1")],
        [InlineKeyboardButton("Guide", url="https://example.org/")],
    ]
)


def test_a_press_is_answered_and_the_message_edited(cast, probe) -> None:
    probe.send(cast.ops.id, "save it?", reply_markup=YES_NO)
    message = cast.world.answer(cast.ops, "save it?")
    assert message.labels == ["Yes", "No", "Guide"]
    press = cast.ada.presses(message, "Yes")
    query = probe.wait(1)[0].callback_query
    assert (query.data, query.from_user.id, query.message.message_id) == ("y:1", cast.ada.id, message.id)
    assert not press.answered
    probe.call(lambda client: client.answer_callback_query(query.id, "Saved", show_alert=True))
    assert (press.answered, press.shown, press.alert) == (True, "Saved", True)
    probe.call(lambda client: client.edit_message_text("saved", cast.ops.id, message.id))
    assert (message.text, message.buttons, message.versions) == ("saved", [], ["save it?"])
    with pytest.raises(AssertionError, match="no button"):
        cast.ada.presses(message, "Yes")
    assert cast.ada.presses(message, "y:1", stale=True).data == "y:1"
    assert probe.wait(2)[1].callback_query.data == "y:1"


def test_a_query_is_answered_once_and_in_time(cast, probe) -> None:
    probe.send(cast.ops.id, "save it?", reply_markup=YES_NO)
    message = cast.world.answer(cast.ops, "save it?")
    first, second = cast.ada.presses(message, "n:1"), cast.ada.presses(message, "Yes")
    second.expired = True
    assert probe.call(lambda client: client.answer_callback_query(first.id))
    for wrong in (first.id, second.id, "12345"):
        with refused("query is too old and response timeout expired or query ID is invalid"):
            probe.call(lambda client, wrong=wrong: client.answer_callback_query(wrong))


def test_a_button_that_opens_a_page_cannot_be_pressed_for_the_bot(cast, probe) -> None:
    probe.send(cast.ops.id, "save it?", reply_markup=YES_NO)
    with pytest.raises(AssertionError, match="no bot hears"):
        cast.ada.presses(cast.world.answer(cast.ops), "Guide")


def test_a_message_too_old_to_be_shown_comes_without_its_text(cast, probe) -> None:
    probe.send(cast.ops.id, "save it?", reply_markup=YES_NO)
    cast.ada.presses(cast.world.answer(cast.ops), "Yes", inaccessible=True)
    message = probe.wait(1)[0].callback_query.message
    assert isinstance(message, MaybeInaccessibleMessage) and not message.is_accessible


def test_callback_data_has_1_to_64_bytes(cast, probe) -> None:
    def markup(data: str) -> InlineKeyboardMarkup:
        return InlineKeyboardMarkup([[InlineKeyboardButton("x", callback_data=data)]])

    probe.send(cast.ops.id, "fits", reply_markup=markup("ä" * 32))
    with refused("BUTTON_DATA_INVALID"):
        probe.send(cast.ops.id, "does not", reply_markup=markup("ä" * 32 + "x"))


def test_only_the_buttons_can_be_changed_and_a_forced_reply_shows_none(cast, probe) -> None:
    sent = probe.send(cast.ops.id, "save it?", reply_markup=YES_NO)
    message = cast.world.answer(cast.ops)
    probe.call(lambda client: client.edit_message_reply_markup(cast.ops.id, sent.message_id))
    assert (message.text, message.labels) == ("save it?", [])
    with refused("message is not modified"):
        probe.call(lambda client: client.edit_message_reply_markup(cast.ops.id, sent.message_id))
    asked = probe.send(cast.ops.id, "what text?", reply_markup=ForceReply(selective=True), disable_notification=True)
    assert asked.reply_markup is None
    message = cast.world.said(cast.ops, "what text?")
    assert message.markup == {"force_reply": True, "selective": True} and message.silent


def test_a_reaction_is_one_of_those_that_telegram_knows(cast, probe) -> None:
    message = cast.bob.says(cast.ops, "done")
    probe.call(lambda client: client.set_message_reaction(cast.ops.id, message.id, "👍"))
    assert message.reactions[cast.bot.id] == [{"type": "emoji", "emoji": "👍"}]
    with refused("REACTION_INVALID"):
        probe.call(lambda client: client.set_message_reaction(cast.ops.id, message.id, "✅"))


def test_an_administrator_bot_hears_of_reactions(cast, probe) -> None:
    cast.world.until(lambda: cast.bot.allowed and "message_reaction" in cast.bot.allowed)
    message = cast.bob.says(cast.ops, "done")
    cast.ada.reacts(message, "👍")
    cast.world.sets(cast.ops, cast.bot, "administrator")
    cast.ada.reacts(message, "🔥")
    reaction = probe.wait(2)[1].message_reaction
    assert [one.emoji for one in reaction.new_reaction] == ["🔥"]


def test_commands_are_kept_by_scope_and_their_lengths_are_checked(cast, probe) -> None:
    everybody = [BotCommand("help", "What I do")]
    owners = [BotCommand("intent", "Rules"), BotCommand("x" * 32, "y" * 256)]
    probe.call(lambda client: client.set_my_commands(everybody))
    scope = BotCommandScopeAllChatAdministrators()
    probe.call(lambda client: client.set_my_commands(owners, scope=scope))
    assert cast.bot.menu() == ["help"]
    assert cast.bot.menu({"type": "all_chat_administrators"}) == ["intent", "x" * 32]
    assert list(probe.call(lambda client: client.get_my_commands(scope=scope))) == owners
    probe.call(lambda client: client.delete_my_commands(scope=scope))
    assert cast.bot.menu({"type": "all_chat_administrators"}) == []
    for wrong, words in (
        ([BotCommand("Intent", "x")], "BOT_COMMAND_INVALID"),
        ([BotCommand("y" * 32 + "y", "x")], "BOT_COMMAND_INVALID"),
        ([BotCommand("help", "y" * 257)], "BOT_COMMAND_DESCRIPTION_INVALID"),
        ([BotCommand(f"c{number}", "x") for number in range(101)], "BOT_COMMANDS_TOO_MUCH"),
    ):
        with refused(words):
            probe.call(lambda client, wrong=wrong: client.set_my_commands(wrong))
    with refused("chat not found"):
        probe.call(lambda client: client.set_my_commands(everybody, scope=BotCommandScopeChat(-100999)))


def test_descriptions_are_kept(cast, probe) -> None:
    probe.call(lambda client: client.set_my_description("I remember to act."))
    probe.call(lambda client: client.set_my_short_description("Remembers."))
    assert (cast.bot.description[""], cast.bot.short_description[""]) == ("I remember to act.", "Remembers.")
    with refused("BOT_DESCRIPTION_INVALID"):
        probe.call(lambda client: client.set_my_short_description("x" * 121))
