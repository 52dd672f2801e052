"""The exported log: JSON lines, and their verification without a database. Pure.

One JSON object a line, told apart by `kind`: first the `header` (format, program, database, time, and the last number
and hash of every chain), then each `operation` with all its fields, chain after chain in order of their ids; then each
`event` by id, its words as content id and salted hash; last the `end` with the counts, so that a file that was cut off
shows. The payload of an operation is an object; where what is stored is no canonical JSON, `payload_text` has it as it
stands.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from core.catalogue import say
from core.errors import InvalidInput
from core.operations.log import ChainReport, Operation, canonical, verify_chain
from core.operations.recorded import micros
from core.stored import Event

FORMAT, VERSION = "remembrancer-audit", 1
HEADER, OPERATION, EVENT, END = "header", "operation", "event", "end"
_NAMES = tuple(Operation.__dataclass_fields__)
_TYPES = {"ts": int, "sequence_num": int}


@dataclass(frozen=True, slots=True)
class Head:
    """One chain as a header tells it: what its namespace is, how many rows it has, and the hash of the last."""

    namespace_id: str
    kind: str
    place: str
    rows: int
    hash: str


@dataclass(frozen=True, slots=True)
class Verified:
    """What the verification of a file found. `database` is the one that it was made from."""

    database: str
    heads: Mapping[str, Head]
    reports: tuple[ChainReport, ...]
    events: int


def header_line(program: str, database: str, now: datetime, heads: Sequence[Head]) -> str:
    """The first line."""
    return _line(
        HEADER,
        format=FORMAT,
        version=VERSION,
        program=program,
        database=database,
        time=now.isoformat(),
        chains=[
            {"namespace_id": one.namespace_id, "kind": one.kind, "place": one.place, "rows": one.rows, "hash": one.hash}
            for one in heads
        ],
    )


def operation_line(row: Operation) -> str:
    """One operation."""
    fields: dict[str, object] = {name: getattr(row, name) for name in _NAMES}
    payload = _object(row.payload)
    if payload is None:
        fields["payload_text"] = fields.pop("payload")
    else:
        fields["payload"] = payload
    return _line(OPERATION, **fields)


def _object(payload: str) -> dict[str, object] | None:
    """A payload that its object gives back byte by byte."""
    try:
        found = json.loads(payload)
        return found if isinstance(found, dict) and canonical(found) == payload else None
    except (ValueError, TypeError, RecursionError):
        return None


def event_line(event: Event) -> str:
    """One event, without its words."""
    return _line(
        EVENT,
        id=event.id,
        ts=micros(event.ts),
        stream=event.stream,
        actor_id=event.actor_id,
        actor_type=event.actor_type,
        role=event.role,
        content_id=event.content_id,
        content_hash=event.content_hash,
        namespace_id=event.namespace_id,
        metadata=dict(event.metadata),
    )


def end_line(operations: int, events: int) -> str:
    """The last line."""
    return _line(END, operations=operations, events=events)


def _line(kind: str, **fields: object) -> str:
    return json.dumps({"kind": kind, **fields}, separators=(",", ":"))


def verify_lines(lines: Iterable[str]) -> Verified:
    """Walk every chain of an exported file, as `verify_chain` does, a line at a time.

    A chain that the header does not name is broken, too. Raises InvalidInput with the number of a line that is none of
    an export, or for a file that was cut off.
    """
    rows = _Rows(lines)
    database, heads = rows.header()
    reports = {}
    for name, chain in groupby(rows.operations(), lambda row: row.namespace_id):
        head = heads.get(name)
        known = head is not None and name not in reports
        reports[name] = verify_chain(name, chain, (head.rows, head.hash) if known and head is not None else (0, ""))
    for name, head in heads.items():
        if name not in reports:
            reports[name] = verify_chain(name, (), (head.rows, head.hash))
    rows.end()
    strange = {name: Head(name, "", "", 0, "") for name in reports if name not in heads}
    return Verified(database, {**heads, **strange}, tuple(reports.values()), rows.events)


class _Rows:
    """The lines of a file, in the order that they must have."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = enumerate(lines, 1)
        self._number = 0
        self._next: dict[str, Any] = {}
        self._seen = 0
        self.events = 0

    def header(self) -> tuple[str, dict[str, Head]]:
        """The database and the chains of the first line."""
        self._advance()
        found = self._next
        if found.get("kind") != HEADER or found.get("format") != FORMAT:
            raise InvalidInput(say("exported.none"), say("exported.none.hint"))
        if found.get("version") != VERSION:
            raise InvalidInput(say("exported.version", version=found.get("version")), say("exported.version.hint"))
        try:
            heads = [
                Head(one["namespace_id"], one["kind"], one["place"], int(one["rows"]), one["hash"])
                for one in found["chains"]
            ]
            database = str(found["database"])
        except (KeyError, TypeError, ValueError):
            raise self._broken() from None
        self._advance()
        return database, {head.namespace_id: head for head in heads}

    def operations(self) -> Iterator[Operation]:
        """The operations, in their order."""
        while self._next.get("kind") == OPERATION:
            self._seen += 1
            yield self._operation()
            self._advance()

    def _operation(self) -> Operation:
        fields = {name: self._next.get(name) for name in _NAMES}
        text = self._next.get("payload_text")
        try:
            fields["payload"] = text if isinstance(text, str) else canonical(self._next["payload"])
        except (KeyError, TypeError, ValueError):
            raise self._broken() from None
        for name, value in fields.items():
            wanted = _TYPES.get(name, str)
            if not isinstance(value, wanted) and not (name == "target_id" and value is None):
                raise self._broken()
        return Operation(**fields)  # type: ignore[arg-type]  # each was looked at

    def end(self) -> None:
        """The events, which are counted, and the last line."""
        while self._next.get("kind") == EVENT:
            self.events += 1
            self._advance()
        told = self._next.get("operations"), self._next.get("events")
        if self._next.get("kind") != END or told != (self._seen, self.events) or next(self._lines, None) is not None:
            raise self._broken()

    def _advance(self) -> None:
        self._number, line = next(self._lines, (self._number + 1, ""))
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise self._broken()
        self._next = found

    def _broken(self) -> InvalidInput:
        return InvalidInput(say("exported.line", number=self._number), say("exported.line.hint"))
