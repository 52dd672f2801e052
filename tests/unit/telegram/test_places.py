"""Telegram's chats, topics and people in the words of the core."""

import pytest
from telegram import Chat, User

from adapters.telegram.places import (
    ANONYMOUS_ADMIN,
    CHANNEL_BOT,
    TELEGRAM,
    author,
    chat_id,
    principal,
    shown_name,
    thread_id,
    where_of,
    where_of_chat,
)
from core.turn import Visibility, Where
from tests.unit.telegram.messages import ACCOUNT, BOB, GROUP, a_message

KEY = str(GROUP["id"])
OPENED = {"message_id": 77, "date": 0, "chat": GROUP, "forum_topic_created": {"name": "Rollback", "icon_color": 1}}


@pytest.mark.parametrize("kind", ["group", "supergroup", "channel"])
def test_a_chat_of_many_is_a_space_with_one_public_channel(kind):
    where = where_of_chat(Chat(-5, kind, title="Ops"), ACCOUNT)
    assert where == Where("telegram", ACCOUNT, "-5", "-5", "-5", Visibility.PUBLIC, "Ops", "Ops", "Ops")
    assert (chat_id(where), thread_id(where)) == (-5, None)


def test_a_private_chat_is_direct_and_is_the_one_with_that_person():
    where = where_of_chat(Chat(5, "private", first_name="Bob"), ACCOUNT)
    assert where == Where("telegram", ACCOUNT, "5", "5", "5", Visibility.DIRECT, "Bob", "Bob", "Bob")


def test_a_topic_is_a_conversation_of_its_chat():
    where = where_of(a_message(message_thread_id=77, is_topic_message=True, reply_to_message=OPENED), ACCOUNT)
    assert (where.space, where.channel, where.conversation) == (KEY, KEY, "77")
    assert (where.channel_name, where.conversation_name) == ("Ops", "Rollback")
    assert (chat_id(where), thread_id(where)) == (GROUP["id"], 77)


def test_a_topic_that_was_named_anew_has_its_new_name():
    edited = OPENED | {"forum_topic_edited": {"name": "Back"}, "forum_topic_created": None}
    message = a_message(message_thread_id=77, is_topic_message=True, reply_to_message=edited)
    assert where_of(message, ACCOUNT).conversation_name == "Back"


def test_an_icon_alone_names_no_topic():
    edited = OPENED | {"forum_topic_edited": {"icon_custom_emoji_id": "1"}, "forum_topic_created": None}
    message = a_message(message_thread_id=77, is_topic_message=True, reply_to_message=edited)
    assert where_of(message, ACCOUNT).conversation_name == ""


def test_a_thread_of_replies_is_no_topic():
    where = where_of(a_message(message_thread_id=77), ACCOUNT)
    assert where.conversation == where.channel == KEY
    assert where.conversation_name == "Ops"


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        ({"first_name": "Bob", "username": "bob"}, "bob"),
        ({"first_name": "Bob", "last_name": "Ray"}, "Bob Ray"),
        ({"first_name": "@all"}, "all"),
        ({"first_name": ""}, "5"),
    ],
)
def test_a_person_is_shown_by_user_name_else_by_name_without_an_at_sign(names, shown):
    assert shown_name(User(5, is_bot=False, **names)) == shown


def test_a_person_is_their_id_whatever_their_name():
    assert principal(User(5, "Bob", False), ACCOUNT) == principal(User(5, "Rob", False, username="x"), ACCOUNT)


@pytest.mark.parametrize("nobody", [ANONYMOUS_ADMIN, CHANNEL_BOT, TELEGRAM])
def test_nobody_stands_behind_the_accounts_of_telegram_itself(nobody):
    assert author(a_message(**{"from": BOB | {"id": nobody}})) is None


@pytest.mark.parametrize("fields", [{"from": None}, {"sender_chat": GROUP}, {"is_automatic_forward": True}])
def test_who_writes_for_a_chat_is_nobody(fields):
    assert author(a_message(**fields)) is None


def test_whoever_wrote_it_is_its_author():
    assert author(a_message()).id == BOB["id"]
