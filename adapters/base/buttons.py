"""What a button of ours carries: an action and a short id, never a name. Pure."""

import base64
import binascii
import re
from dataclasses import dataclass
from enum import StrEnum

DATA_BYTES = 64
_UUID = re.compile(r"([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})")
_DATA = re.compile(r"([a-z]):([A-Za-z0-9_-]{22})(?::([A-Za-z0-9_.-]+))?")


class Action(StrEnum):
    """What a press asks for. The id is that of a fire, a rule (`keep`) or a timed reminder."""

    DONE = "d"
    LATER = "l"
    MUTE = "m"
    WHY = "y"
    RENEW = "r"
    KEEP = "k"
    TIMED_DONE = "t"
    TIMED_LATER = "n"


@dataclass(frozen=True, slots=True)
class Press:
    """A button that was pressed: what is asked for, of which UUID, and a detail of ASCII letters, digits, `_.-`."""

    action: Action
    id: str
    detail: str = ""


def short_id(id_: str) -> str:
    """A UUID in 22 letters of the URL-safe base-64 alphabet. Raises ValueError for anything else."""
    found = _UUID.fullmatch(id_)
    if found is None:
        raise ValueError(f"no UUID: {id_!r}")
    return base64.urlsafe_b64encode(bytes.fromhex("".join(found.groups()))).decode().rstrip("=")


def _long_id(short: str) -> str:
    text = base64.urlsafe_b64decode(f"{short}==").hex()
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def encode(press: Press) -> str:
    """`d:AZ...`, at most 64 bytes. Raises ValueError for what does not fit or would not be read back."""
    data = f"{press.action}:{short_id(press.id)}" + (f":{press.detail}" if press.detail else "")
    if decode(data) != press:
        raise ValueError(f"no button can carry {data!r}")
    return data


def decode(data: str) -> Press | None:
    """What `encode` made; None for anything else, whatever it is."""
    found = _DATA.fullmatch(data)
    if found is None or len(data) > DATA_BYTES:
        return None
    action, short, detail = found.groups()
    try:
        press = Press(Action(action), _long_id(short), detail or "")
    except (ValueError, binascii.Error):
        return None
    return press if short_id(press.id) == short else None
