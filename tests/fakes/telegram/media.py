"""Payloads of what is not text."""

from typing import Any

KINDS = ("photo", "document", "voice", "video", "sticker", "audio", "location", "dice")


def _file(kind: str, number: int) -> dict[str, Any]:
    return {"file_id": f"{kind}-{number}", "file_unique_id": f"u{number}", "file_size": 1000}


def media(kind: str, number: int, file_name: str | None = None) -> dict[str, Any]:
    """The fields of a message that carries a `photo`, `document`, `voice`, `video`, `sticker`, ..."""
    named = {"file_name": file_name} if file_name else {}
    if kind == "photo":
        small = {**_file(kind, number), "width": 90, "height": 60}
        large = {**_file(f"{kind}-large", number), "width": 900, "height": 600}
        return {"photo": [small, large]}
    if kind == "document":
        return {"document": {**_file(kind, number), "mime_type": "application/pdf", **named}}
    if kind == "voice":
        return {"voice": {**_file(kind, number), "duration": 3, "mime_type": "audio/ogg"}}
    if kind == "audio":
        return {"audio": {**_file(kind, number), "duration": 3, "mime_type": "audio/mpeg", **named}}
    if kind == "video":
        return {"video": {**_file(kind, number), "width": 640, "height": 480, "duration": 3, **named}}
    if kind == "sticker":
        looks = {"type": "regular", "width": 512, "height": 512, "is_animated": False, "is_video": False}
        return {"sticker": {**_file(kind, number), **looks, "emoji": "👍"}}
    if kind == "location":
        return {"location": {"latitude": 52.5, "longitude": 13.4}}
    if kind == "dice":
        return {"dice": {"emoji": "🎲", "value": 4}}
    raise ValueError(f"no such kind of message: {kind}; known are {', '.join(KINDS)}")
