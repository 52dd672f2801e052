"""Documents of exported intents, good and spoilt."""

import copy
import json
from collections.abc import Mapping
from typing import Any

PLACE = {
    "provider": "console",
    "account": "local",
    "space": "home",
    "channel": "general",
    "conversation": "general",
    "visibility": "public",
    "space_name": "",
    "channel_name": "",
    "conversation_name": "",
}
PERSON = {"provider": "console", "account": "local", "user": "ada", "name": "Ada"}
ROW = {
    "handle": "i-7k2m",
    "status": "armed",
    "created_at": "2026-11-29T10:00:00.000000Z",
    "fires": 1,
    "place": PLACE,
    "creator": PERSON,
    "description": "Confirm the rollback owner.",
    "entries": ["launch checklist"],
    "scope": "channel",
    "sender": "anyone",
    "watches": None,
    "max_fires": 3,
    "cooldown_seconds": 86400,
    "cooldown_per": "intent",
    "expires_at": "2027-02-27T10:00:00.000000Z",
    "priority": "medium",
    "word_forms": True,
    "language": "en",
    "fold_accents": False,
    "on_edits": False,
    "except": [],
    "deliver": "here",
    "deliver_to": None,
}


def a_row(changes: Mapping[str, Any] | None = None, /, **fields: Any) -> dict[str, Any]:
    """The launch checklist in the words of the document. A change under `place.channel` goes to the inner object."""
    row: dict[str, Any] = copy.deepcopy(ROW)
    for path, value in {**(changes or {}), **fields}.items():
        *outer, name = path.split(".")
        target = row
        for part in outer:
            target = target[part]
        target[name] = value
    return row


def a_document(*rows: Mapping[str, Any], **head: Any) -> bytes:
    """A document with these rows; `head` changes what stands beside them."""
    document = {
        "format": "remembrancer-intents",
        "version": 1,
        "exported_at": "2026-11-30T10:00:00.000000Z",
        "intents": list(rows),
    }
    return json.dumps({**document, **head}).encode()
