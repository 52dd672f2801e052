"""Messages as the client library gives them."""

from typing import Any

from telegram import Message, Update

AT = 1_796_032_800
"""2026-11-30 10:00 UTC."""
ACCOUNT = "99"
GROUP = {"id": -1001234567890, "type": "supergroup", "title": "Ops"}
BOB = {"id": 5, "is_bot": False, "first_name": "Bob", "username": "bob"}


def a_message(text: str | None = "hello", **fields: Any) -> Message:
    """A message of bob in Ops; a field that is None is left out."""
    payload = {"message_id": 7, "date": AT, "chat": GROUP, "from": BOB, "text": text} | fields
    made = Message.de_json({key: value for key, value in payload.items() if value is not None}, None)
    assert made is not None
    return made


def an_update(kind: str = "message", text: str = "hello", **fields: Any) -> Update:
    """An update that brings such a message."""
    return Update.de_json({"update_id": 1, kind: a_message(text, **fields).to_dict()}, None)


def a_command(text: str, **fields: Any) -> Message:
    """A message whose first word is marked as a command."""
    entity = {"type": "bot_command", "offset": 0, "length": len(text.split()[0])}
    return a_message(text, entities=[entity], **fields)
