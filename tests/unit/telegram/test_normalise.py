"""Telegram's messages as turns: what recorded payloads do not show (`tests/contract`)."""

from datetime import UTC, datetime, timedelta

import pytest
from telegram import Update

from adapters.telegram.normalise import command_of, kind_of, link_of, message_of, sent_at, text_of, turn_of
from core.turn import Principal, TurnKind
from tests.unit.telegram.messages import ACCOUNT, AT, BOB, GROUP, a_command, a_message, an_update

SECOND = datetime.fromtimestamp(AT, UTC)


@pytest.mark.parametrize(
    ("received", "sent"),
    [
        (timedelta(0), timedelta(0)),
        (timedelta(milliseconds=300), timedelta(milliseconds=300)),
        (timedelta(microseconds=999_999), timedelta(microseconds=999_999)),
        (timedelta(seconds=1), timedelta(microseconds=999_999)),
        (timedelta(hours=3), timedelta(microseconds=999_999)),
        (timedelta(seconds=-5), timedelta(0)),
    ],
)
def test_it_was_sent_within_its_second_and_not_after_it_came(received, sent):
    assert sent_at(a_message(), SECOND + received) == SECOND + sent


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("/intent", ("intent", "", "")),
        ("/intent list all", ("intent", "", "list all")),
        ("/Intent@My_Bot  List", ("intent", "my_bot", "List")),
        ("/intent\nadd x => y", ("intent", "", "add x => y")),
    ],
)
def test_a_command_has_a_name_a_bot_and_the_rest_as_it_was_typed(text, found):
    assert command_of(a_command(text)) == found
    assert kind_of(a_command(text), ACCOUNT) is TurnKind.COMMAND


def test_a_command_in_the_middle_and_one_that_is_not_marked_are_talk():
    middle = {"type": "bot_command", "offset": 4, "length": 5}
    assert command_of(a_message("try /help", entities=[middle])) is None
    assert command_of(a_message("/help")) is None
    assert command_of(a_message("/help", entities=[{"type": "bold", "offset": 0, "length": 5}])) is None


def test_a_caption_can_be_a_command_too():
    entity = {"type": "bot_command", "offset": 0, "length": 5}
    photo = [{"file_id": "f", "file_unique_id": "u", "width": 1, "height": 1}]
    message = a_message(None, caption="/help me", caption_entities=[entity], photo=photo)
    assert command_of(message) == ("help", "", "me")
    assert kind_of(message, ACCOUNT) is TurnKind.COMMAND
    assert text_of(message).text == "/help me"


def test_a_public_group_has_links_and_a_topic_its_own():
    public = GROUP | {"username": "ops"}
    assert link_of(a_message(chat=public)) == "https://t.me/ops/7"
    assert link_of(a_message()) == "https://t.me/c/1234567890/7"
    topic = a_message(message_thread_id=3, is_topic_message=True)
    assert link_of(topic) == "https://t.me/c/1234567890/7?thread=3"


def test_a_link_never_ends_in_a_thread_that_is_none():
    message = a_message(reply_to_message=a_message("before").to_dict())
    assert message.link.endswith("?thread=None")
    assert link_of(message) == "https://t.me/c/1234567890/7"


@pytest.mark.parametrize("chat", [{"id": -5, "type": "group", "title": "x"}, {"id": 5, "type": "private"}])
def test_plain_groups_and_private_chats_have_no_links(chat):
    assert link_of(a_message(chat=chat)) == ""


@pytest.mark.parametrize(
    ("kind", "edited"),
    [("message", False), ("channel_post", False), ("edited_message", True), ("edited_channel_post", True)],
)
def test_an_update_brings_one_message_and_whether_it_is_an_edit(kind, edited):
    message, is_edit = message_of(an_update(kind))
    assert (message.message_id, is_edit) == (7, edited)


def test_an_update_of_another_kind_brings_none():
    assert message_of(Update(1)) is None


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"from": BOB | {"id": 99, "is_bot": True}}, TurnKind.OWN),
        ({"from": BOB | {"is_bot": True}}, TurnKind.BOT),
        ({"text": None, "new_chat_title": "Ops 2"}, TurnKind.SERVICE),
        ({"from": BOB | {"id": 99, "is_bot": True}, "text": None, "new_chat_title": "Ops 2"}, TurnKind.OWN),
        ({"via_bot": BOB | {"id": 8, "is_bot": True}}, TurnKind.USER),
    ],
)
def test_what_kind_of_message_it_is(fields, kind):
    assert kind_of(a_message(**fields), ACCOUNT) is kind


def test_whoever_is_mentioned_twice_is_mentioned_once_and_a_user_name_tells_nobody():
    ada = {"id": 42, "is_bot": False, "first_name": "Ada"}
    entities = [{"type": "text_mention", "offset": at, "length": 3, "user": ada} for at in (0, 4)]
    entities.append({"type": "mention", "offset": 8, "length": 4})
    turn = turn_of(a_message("Ada Ada @bob", entities=entities), ACCOUNT, SECOND)
    assert turn.mentions == (Principal("telegram", ACCOUNT, "42"),)
