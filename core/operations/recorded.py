"""What operations tell of a row beside what their payloads say, in canonical values. Pure.

A service that changes a row puts the difference of these fields, as far as its payload does not tell it anyway, under
the key `fields` of the operation that it writes in the same transaction. `core.operations.replay` reads it back and
compares the same fields with the stored row.

Times and lengths of time are integer microseconds, ids are strings, people lists of provider, account and id. Words
that can be erased are told as pairs of content id and salted hash, display names as a hash salted with the row's id.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta

from core.operations.log import content_hash

FIELDS = "fields"
"""The key in a payload under which stands what the rest of it does not tell."""
Fields = dict[str, object]
Wordings = Iterable[tuple[str, str]]
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
_ABSENT = object()


def as_words(wordings: Wordings) -> list[object]:
    """Content ids and salted hashes as operations tell them; "" is the hash of erased words."""
    return [[content_id, digest] for content_id, digest in wordings]


def differences(old: Mapping[str, object], new: Mapping[str, object]) -> dict[str, list[object]]:
    """{field: [old, new]} of the fields that both have and that are not the same."""
    return {name: [value, new[name]] for name, value in old.items() if name in new and new[name] != value}


def with_new(payload: Mapping[str, object], fields: Mapping[str, object]) -> Fields:
    """The payload of an ASSERT with everything under `fields` that it does not tell by the same name already."""
    untold = {name: value for name, value in fields.items() if payload.get(name, _ABSENT) != value}
    return {**payload, FIELDS: untold}


def with_changes(
    payload: Mapping[str, object], old: Mapping[str, object], new: Mapping[str, object], state: str = "status"
) -> Fields:
    """The payload of a change with the differences of a row under `fields`.

    Left out is what the payload tells as a pair of the same name, and the `state` that its `from` and `to` tell.
    """
    told = {**payload, state: payload[state] if state in payload else [payload.get("from"), payload.get("to")]}
    untold = {name: pair for name, pair in differences(old, new).items() if told.get(name) != pair}
    return {**payload, FIELDS: untold}


def name_hash(row_id: str, name: str) -> str:
    """What the log keeps of a display name; "" for none. Characters that no database keeps count as U+FFFD."""
    kept = name.encode("utf-8", "surrogatepass").decode("utf-8", "replace").replace("\0", "\ufffd")
    return content_hash(row_id.encode(), kept) if kept else ""


def micros(moment: datetime) -> int:
    """Integer microseconds since the epoch."""
    return (moment - EPOCH) // MICROSECOND


def maybe_micros(moment: datetime | None) -> int | None:
    """The same for an optional time."""
    return None if moment is None else micros(moment)
