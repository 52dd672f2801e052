"""Buttons whose data nobody made, or that are about what is not there: answered, and nothing happens."""

import logging

import pytest

from adapters.base.buttons import Action, Press, encode
from core.catalogue import say

UNKNOWN = "00000000-0000-7000-8000-000000000009"
GARBAGE = [
    "", "x", ":", "::::", "ask", "ask:", "ask:nobody:0", "ask:nobody:x", "page:", "page:::::", "page:5:5:5:5:5",
    "menu:", "menu:nothing", "told:", "told:x", "d:", "d:AAAAAAAAAAAAAAAAAAAAAA", "z:AAAAAAAAAAAAAAAAAAAAAA",
    "d:AAAAAAAAAAAAAAAAAAAAAA:9y", "🚀" * 16, "\u0000", "d:AAAAAAAAAAAAAAAAAAAAAA:1h:1h",
]  # fmt: skip


@pytest.fixture
def message(kit):
    """A message of the bot in the group."""
    keyboard = [[{"text": "Yes", "callback_data": "ask:0123456789ab:0"}]]
    return kit.cast.bot.says(kit.cast.group, "a question", extra={"reply_markup": {"inline_keyboard": keyboard}})


def press(kit, message, data, who="ada"):
    """Press a button with these data that stands under the message."""
    if 0 < len(data.encode()) <= 64:
        message.payload["reply_markup"] = {"inline_keyboard": [[{"text": "x", "callback_data": data}]]}
    return forge(kit, message, data, who)


def forge(kit, message, data, who="ada"):
    """The same, whether it stands there or not."""
    made = getattr(kit.cast, who).presses(message, data, stale=True)
    kit.takes(kit.cast.bot.queue[-1].body)
    return made


@pytest.mark.parametrize("data", [one for one in GARBAGE if one])
def test_garbage_is_answered_and_does_nothing(kit, message, data, caplog):
    with caplog.at_level(logging.ERROR):
        made = press(kit, message, data)
    assert made.answered
    assert caplog.records == []
    assert kit.rules() == 0
    assert [one.text for one in kit.sent()] == ["a question"]


@pytest.mark.parametrize("action", Action)
@pytest.mark.parametrize("detail", ["", "1h", "9y"])
def test_a_button_about_what_is_not_there_says_so(kit, message, action, detail, caplog):
    with caplog.at_level(logging.ERROR):
        made = press(kit, message, encode(Press(action, UNKNOWN, detail)))
    assert made.answered
    assert caplog.records == []
    if detail == "9y":
        assert made.shown == say("telegram.old_button")
    elif detail or action not in {Action.LATER, Action.TIMED_LATER}:
        assert "There is no such reminder" in made.shown


@pytest.mark.parametrize("where", ["-1002200000001", "-99999999999999999999", "0"])
@pytest.mark.parametrize("page", ["0", "1", "99999999999999999999"])
def test_a_page_that_nobody_offered_shows_no_rule_of_others(kit, message, where, page, caplog):
    kit.rule(description="secret")
    with caplog.at_level(logging.ERROR):
        made = press(kit, message, f"page:{where}::{page}:a:", "bob")
    assert made.answered
    assert caplog.records == []
    assert "secret" not in str(kit.sent()) + str(made.answer)


def test_a_button_under_a_message_that_telegram_no_longer_shows_is_out_of_date(kit, message):
    made = kit.cast.ada.presses(message, "menu:help", stale=True, inaccessible=True)
    kit.takes(kit.cast.bot.queue[-1].body)
    assert made.shown == say("telegram.old_button")


@pytest.mark.parametrize(
    "data", ["ask:nobody:0", "page:-1002200000001::1:a:", "menu:help", encode(Press(Action.DONE, UNKNOWN))]
)
def test_data_that_do_not_stand_under_the_message_change_nothing(kit, message, data):
    assert forge(kit, message, data, "bob").shown == say("telegram.old_button")
    assert [(one.text, one.buttons) for one in kit.sent()] == [("a question", ("Yes",))]


def test_a_page_is_turned_in_a_private_chat_alone(kit, message):
    kit.rule(description="secret")
    assert press(kit, message, f"page:{kit.cast.group.id}::1:a:").shown == say("telegram.old_button")
    assert "secret" not in str(kit.sent())


def test_what_was_asked_before_a_restart_is_over(kit, message):
    assert press(kit, message, "ask:0123456789ab:0").shown == say("telegram.over")
    assert message.labels == []


def test_a_member_who_presses_a_button_of_an_owner_is_refused(kit, message):
    rule = kit.rule()
    kit.says("bob", "launch checklist")
    made = press(kit, message, encode(Press(Action.KEEP, rule.id)), "bob")
    assert made.shown and made.alert
    with kit.ctx.store.read() as tx:
        assert tx.intents.by_id(rule.id).expires_at == rule.expires_at
