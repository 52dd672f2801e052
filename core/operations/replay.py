"""Replay: every derived row rebuilt from the operations alone, and compared with the stored one. Pure.

What is compared: all columns of standing intents, fires, timed reminders and goal memory, and the evidence that
operations name. Fields have the names of `core.audit.recorded`; a place counts as the one that it stands for since a
chat moved, a message id as the one it was before its chat had another id, erased words by their content id alone.

What is not compared, because it is not derived from operations: surrogate keys and places (the store's own names for
platform ids); who said the words of a fire, their name, the link and the matched terms (the log is never erased, and
keeps nothing of bystanders); the trigger index (made anew from the words and options of a row, which are compared) and
its fingerprints; the outbox with its leases and attempts (what became of a fire or a reminder is an operation, how
often it was tried is not); settings, mutes and facts; aspirations, which live in files that people edit.

A kind of object is added as one `Rebuilder`: a class of its own in a module beside `standing_replay`, named in
`REBUILDERS` of `core.services.replay`, and the reader of its stored rows in `STORED` there. It says which operations it
`takes` by their target type, whether one must wait for what another chain tells first (`waits`), how one `apply`s, and
how a field of a kind is compared where plain equality will not do (`kinds`). The services that change such rows put
under `fields` what their payloads do not tell (`core.operations.recorded`). A field that an operation of an older
release left out is not known: it is not compared, and the row counts as recorded in part.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, TypeGuard

from core.operations.log import Operation, OpType
from core.operations.recorded import FIELDS, Fields
from core.turn import FORMER

ROW = "row"
"""The field of a difference that is about a row as a whole; its sides are then one of the next three."""
THERE, MISSING, UNREADABLE = "there", "missing", "unreadable"
CHANGES = frozenset({OpType.EDITED, OpType.STANDING_TRANSITION, OpType.REFUNDED})
"""Operations whose payload tells fields as pairs of old and new value beside `fields`."""
ABSENT = object()


@dataclass(frozen=True, slots=True)
class Told:
    """One operation with its payload read; `fields` is None for one of an older release, which lacks it."""

    operation: Operation
    payload: Mapping[str, object]

    @property
    def fields(self) -> Mapping[str, object] | None:
        """What the payload tells under `fields`."""
        found = self.payload.get(FIELDS)
        return found if isinstance(found, dict) else None

    def text(self, name: str) -> str:
        """A value of the payload as text, "" when there is none."""
        return str(self.payload.get(name) or "")


class Stored(NamedTuple):
    """One stored row as it is compared. `fields` None is a row that this version cannot read."""

    kind: str
    id: str
    handle: str
    fields: Mapping[str, object] | None


@dataclass(frozen=True, slots=True)
class Difference:
    """One field of one row that is stored otherwise than its operations tell."""

    kind: str
    id: str
    handle: str
    field: str
    recorded: object
    stored: object


@dataclass(frozen=True, slots=True)
class Contradiction:
    """An operation that does not follow from those before it: its old value is not the one rebuilt so far."""

    namespace_id: str
    sequence_num: int
    operation_id: str
    kind: str
    id: str
    field: str
    rebuilt: object
    told: object


@dataclass(slots=True)
class Rebuilt:
    """What a replay has put together so far: objects by kind and id, and places that stand for others.

    `ended` are spaces that became part of another one. With `places_unknown` an older release moved places without
    telling which: then they cannot be compared.
    """

    objects: dict[str, dict[str, Fields]] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    ended: set[str] = field(default_factory=set)
    places_unknown: bool = False
    contradictions: list[Contradiction] = field(default_factory=list)
    untaken: Counter[str] = field(default_factory=Counter)
    operations: int = 0

    def of(self, kind: str) -> dict[str, Fields]:
        """The objects of a kind, by id."""
        return self.objects.setdefault(kind, {})

    def place(self, key: object) -> str:
        """The place that one stands for by now."""
        place = str(key)
        while place in self.aliases:
            place = self.aliases[place]
        return place

    def stand_for(self, gone: str, kept: str) -> None:
        """Let one place be another from now on."""
        if self.place(kept) != self.place(gone):
            self.aliases[self.place(gone)] = self.place(kept)

    def contradict(self, told: Told, kind: str, key: str, name: str, rebuilt: object, said: object) -> None:
        """Note an operation that contradicts those before it."""
        row = told.operation
        self.contradictions.append(
            Contradiction(row.namespace_id, row.sequence_num, row.id, kind, key, name, rebuilt, said)
        )


Same = Callable[[Rebuilt, object, object], bool]


class Rebuilder(Protocol):
    """Rebuilds the objects of some kinds from the operations on some types of targets."""

    @property
    def takes(self) -> frozenset[str]:
        """The target types whose operations it takes."""
        ...

    @property
    def kinds(self) -> Mapping[str, Mapping[str, Same]]:
        """The kinds of its objects, each with the fields that are compared in a way of their own."""
        ...

    def waits(self, state: Rebuilt, told: Told) -> bool:
        """Must something that stands in another chain be applied before this?"""
        ...

    def apply(self, state: Rebuilt, told: Told) -> None:
        """Change what is rebuilt. Never raises: what does not fit is a contradiction."""
        ...


def fold(chains: Mapping[str, Iterable[Operation]], rebuilders: Sequence[Rebuilder]) -> Rebuilt:
    """All operations applied, each chain in its own order. Memory grows with objects, not with operations.

    A chain whose next operation is about an object that another chain has yet to make, or to hand over, stands still
    meanwhile; clocks, which people set back, order nothing. Where all stand still the history contradicts itself: the
    first of them goes on, and says so.
    """
    state, by_type = Rebuilt(), {name: one for one in rebuilders for name in one.takes}
    waiting: dict[str, Told] = {}
    left = {name: iter(rows) for name, rows in chains.items()}
    while left:
        went_on = False
        for name in list(left):
            went_on |= _run(state, by_type, left, waiting, name)
        if left and not went_on:
            stuck = min(waiting, key=lambda name: (waiting[name].operation.ts, name))
            _apply(state, by_type, waiting.pop(stuck))
    return state


def _run(
    state: Rebuilt,
    by_type: Mapping[str, Rebuilder],
    left: dict[str, Iterator[Operation]],
    waiting: dict[str, Told],
    name: str,
) -> bool:
    """Apply one chain until it stands still or ends, then it is no longer `left`; did anything happen?"""
    told, went_on = waiting.pop(name, None), False
    while True:
        if told is None:
            row = next(left[name], None)
            if row is None:
                del left[name]
                return True
            told = read(row)
        one = by_type.get(told.operation.target_type)
        if one is not None and one.waits(state, told):
            waiting[name] = told
            return went_on
        _apply(state, by_type, told)
        told, went_on = None, True


def _apply(state: Rebuilt, by_type: Mapping[str, Rebuilder], told: Told) -> None:
    state.operations += 1
    one = by_type.get(told.operation.target_type)
    if one is None:
        state.untaken[told.operation.target_type] += 1
    else:
        one.apply(state, told)


def read(row: Operation) -> Told:
    """An operation with its payload; an empty one where it cannot be read (`audit verify` names that row)."""
    try:
        payload = json.loads(row.payload)
    except ValueError:
        payload = None
    return Told(row, payload if isinstance(payload, dict) else {})


def pairs_of(told: Told, names: frozenset[str], state: str = "status") -> dict[str, list[object]]:
    """{field: [old, new]} that a changing operation tells: as pairs of its own, `from` and `to`, and `fields`."""
    payload = told.payload
    found = {name: pair for name, pair in payload.items() if name in names and is_pair(pair)}
    if "from" in payload and "to" in payload and state not in found:
        found[state] = [payload["from"], payload["to"]]
    return {**found, **{name: pair for name, pair in (told.fields or {}).items() if is_pair(pair)}}


def is_pair(value: object) -> TypeGuard[list[object]]:
    """A list of two, as an old and a new value, or a content id and its hash."""
    return isinstance(value, list) and len(value) == 2


def born(told: Told, names: frozenset[str]) -> Fields:
    """What an ASSERT tells of a new row."""
    return {
        **{name: value for name, value in told.payload.items() if name in names},
        **(told.fields or {}),
        "namespace": told.operation.namespace_id,
    }


def change(
    state: Rebuilt, told: Told, kind: str, pairs: Mapping[str, Sequence[object]], same: Mapping[str, Same]
) -> None:
    """Apply pairs of old and new value to the object that an operation is about, and note what contradicts."""
    key = told.operation.target_id or ""
    row = state.of(kind).setdefault(key, {})
    for name, (old, new) in pairs.items():
        known = row.get(name, ABSENT)
        if known is not ABSENT and not _same(state, same.get(name), known, old):
            state.contradict(told, kind, key, name, known, old)
        row[name] = new


def present(state: Rebuilt, told: Told, kind: str) -> Fields:
    """The object that an operation is about; one that nobody made, or that is elsewhere, is a contradiction."""
    row, key = told.operation, told.operation.target_id or ""
    found = state.of(kind).get(key)
    if found is None:
        state.contradict(told, kind, key, ROW, None, row.op_type)
        found = state.of(kind)[key] = {}
    return found


def at_home(state: Rebuilt, told: Told, kind: str) -> bool:
    """Is the object that an operation is about there, and in the chain that the operation stands in?"""
    found = state.of(kind).get(told.operation.target_id or "")
    return found is not None and found.get("namespace", told.operation.namespace_id) == told.operation.namespace_id


@dataclass(slots=True)
class Compared:
    """What a comparison found: rows of each kind, those recorded in part, and the differences."""

    rows: Counter[str] = field(default_factory=Counter)
    partial: Counter[str] = field(default_factory=Counter)
    differences: list[Difference] = field(default_factory=list)


def compare(state: Rebuilt, stored: Iterable[Stored], rebuilders: Sequence[Rebuilder]) -> Compared:
    """The stored rows against the rebuilt ones, which are used up; rows that only one side has differ as a whole."""
    rules = {kind: same for one in rebuilders for kind, same in one.kinds.items()}
    done = Compared()
    for row in stored:
        done.rows[row.kind] += 1
        recorded = state.of(row.kind).pop(row.id, None)
        if recorded is None or row.fields is None:
            told, seen = MISSING if recorded is None else THERE, UNREADABLE if row.fields is None else THERE
            done.differences.append(Difference(row.kind, row.id, row.handle, ROW, told, seen))
            continue
        _compare(state, row, row.fields, recorded, rules.get(row.kind, {}), done)
    for kind in rules:
        for key, recorded in state.of(kind).items():
            done.differences.append(Difference(kind, key, str(recorded.get("handle", "")), ROW, THERE, MISSING))
    return done


def _compare(
    state: Rebuilt,
    row: Stored,
    fields: Mapping[str, object],
    recorded: Mapping[str, object],
    same: Mapping[str, Same],
    done: Compared,
) -> None:
    partial = False
    for name, value in fields.items():
        known = recorded.get(name, ABSENT)
        if known is ABSENT:
            partial = True
        elif not _same(state, same.get(name), known, value):
            done.differences.append(Difference(row.kind, row.id, row.handle, name, known, value))
    done.partial[row.kind] += partial


def _same(state: Rebuilt, rule: Same | None, recorded: object, stored: object) -> bool:
    return recorded == stored or (rule is not None and rule(state, recorded, stored))


def same_place(state: Rebuilt, recorded: object, stored: object) -> bool:
    """Two keys of places, or lists of them, that stand for the same by now."""
    if state.places_unknown:
        return True
    if isinstance(recorded, list) and isinstance(stored, list):
        return list(map(state.place, recorded)) == list(map(state.place, stored))
    return state.place(recorded) == state.place(stored)


def same_message(_state: Rebuilt, recorded: object, stored: object) -> bool:
    """A message id, and the same with the mark of the chat that it was said in before that had another id."""
    return recorded == stored or (bool(recorded) and str(stored).startswith(f"{recorded}{FORMER}"))


def same_words(_state: Rebuilt, recorded: object, stored: object) -> bool:
    """Content ids that are the same, and hashes that are: none where the store has erased the words.

    A recorded hash that is empty tells that the words were erased: then none may be stored.
    """
    if not (isinstance(recorded, list) and isinstance(stored, list) and len(recorded) == len(stored)):
        return recorded == stored
    both = zip(recorded, stored, strict=True)
    return all(is_pair(one) and one[0] == other[0] and other[1] in ("", one[1]) for one, other in both)


def erase(words: object, gone: frozenset[str]) -> list[object]:
    """The words of a row after the contents `gone` were erased."""
    pairs = filter(is_pair, words if isinstance(words, list) else ())
    return [[content_id, "" if str(content_id) in gone else digest] for content_id, digest in pairs]
