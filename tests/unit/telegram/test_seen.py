"""What was seen in chats: bounded, and of people alone."""

from datetime import UTC, datetime

from adapters.telegram import seen as module
from adapters.telegram.normalise import turn_of
from adapters.telegram.seen import CHATS, CONVERSATIONS, PEOPLE, Seen
from core.turn import Principal
from tests.unit.telegram.messages import ACCOUNT, BOB, GROUP, a_command, a_message

NOW = datetime(2026, 11, 30, 10, tzinfo=UTC)


def remember(seen, message):
    seen.remember(message, turn_of(message, ACCOUNT, NOW))


def by(number, **fields):
    return a_message(**{"from": BOB | {"id": number, "username": f"p{number}", "first_name": f"P{number}"}} | fields)


def names(seen):
    return {who.user_id for who, _ in seen.people(GROUP["id"]).values()}


def test_a_person_is_found_by_user_name_full_name_and_first_name():
    seen = Seen(ACCOUNT)
    remember(seen, a_message(**{"from": BOB | {"last_name": "Ray"}}))
    bob = Principal("telegram", ACCOUNT, "5")
    assert seen.people(GROUP["id"]) == dict.fromkeys(("bob", "bob ray"), (bob, "bob"))
    assert seen.people(-1) == {}


def test_bots_and_nobody_are_not_kept():
    seen = Seen(ACCOUNT)
    remember(seen, a_message(**{"from": BOB | {"is_bot": True}}))
    remember(seen, a_message(sender_chat=GROUP))
    assert seen.people(GROUP["id"]) == {}
    assert seen.newest(str(GROUP["id"]), str(GROUP["id"])) is None


def test_of_too_many_names_in_a_chat_the_oldest_goes():
    seen = Seen(ACCOUNT)
    for number in range(1, PEOPLE + 1):
        remember(seen, by(number))
    assert len(names(seen)) == PEOPLE
    remember(seen, by(1))
    remember(seen, by(PEOPLE + 1))
    assert len(names(seen)) == PEOPLE
    assert "1" in names(seen) and "2" not in names(seen)


def test_of_too_many_chats_the_one_that_was_silent_longest_goes():
    seen = Seen(ACCOUNT)
    for number in range(1, CHATS + 1):
        remember(seen, a_message(chat=GROUP | {"id": -number}))
    assert seen.people(-1) and seen.people(-CHATS)
    remember(seen, a_message(chat=GROUP | {"id": -CHATS - 1}))
    assert not seen.people(-1) and seen.people(-2)


def test_of_too_many_conversations_the_oldest_newest_message_goes(monkeypatch):
    monkeypatch.setattr(module, "CONVERSATIONS", 3)
    assert CONVERSATIONS > CHATS
    seen = Seen(ACCOUNT)
    for number in (1, 2, 3):
        remember(seen, a_message(chat=GROUP | {"id": -number}))
    assert seen.newest("-1", "-1") is not None
    remember(seen, a_message(chat=GROUP | {"id": -4}))
    assert seen.newest("-1", "-1") is None and seen.newest("-2", "-2") is not None


def test_the_newest_message_is_that_of_a_person_and_no_command():
    seen, key = Seen(ACCOUNT), str(GROUP["id"])
    remember(seen, a_message("one"))
    remember(seen, a_message("two"))
    remember(seen, a_command("/intent why"))
    assert seen.newest(key, key).text.text == "two"


def test_somebody_who_is_mentioned_is_shown_by_their_name():
    seen = Seen(ACCOUNT)
    ada = {"id": 42, "is_bot": False, "first_name": "Ada"}
    message = a_message("hi Ada", entities=[{"type": "text_mention", "offset": 3, "length": 3, "user": ada}])
    assert seen.shown(message, Principal("telegram", ACCOUNT, "42")) == "Ada"
    assert seen.shown(message, Principal("telegram", ACCOUNT, "43")) == "43"
