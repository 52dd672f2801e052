"""What `core` needs from outside, as protocols. `storage` and `bots.runtime` provide them.

A transaction is opened by a service (`with store.write() as tx: ...; tx.commit()`); leaving the block without
`commit()` rolls back. Repositories never commit. Every method is synchronous.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from typing import Protocol

from core.aspirations.keys import FileKey
from core.audit.kept import Kept
from core.goals.kept import Goals
from core.operations.log import Operation, OperationDraft
from core.outbox import Outbox
from core.places import Places
from core.standing.intent import Fire, FireState, IndexRow, StandingIntent
from core.stored import Event, IntentFilter, Probe, Scope
from core.timed.kept import Timed
from core.turn import Principal


class Clock(Protocol):
    """The only source of time. Aware UTC, microseconds."""

    def now(self) -> datetime: ...


class Ids(Protocol):
    """The only source of identity and randomness."""

    def uuid(self) -> str:
        """A UUIDv7 as 36-character text."""
        ...

    def salt(self) -> bytes:
        """16 random bytes."""
        ...

    def handle(self, prefix: str, letters: int) -> str:
        """`prefix` + "-" + `letters` random base-32 letters (no i, l, o, u)."""
        ...


class TriggerIndex(Protocol):
    """Entries clustered under (scope, anchor). Only armed and fired intents are filed."""

    def scopes(self, keys: Sequence[int]) -> tuple[Scope, ...]:
        """Those of these scopes that hold rows. `Places.look` tells the same of a spot."""
        ...

    def probe(
        self, scopes: Sequence[Scope], keys: frozenset[str], sender: Principal | None, limit: int, named: bool = False
    ) -> Probe:
        """Rows filed under any pair of scope and key, whose further keys are all in `keys` too.

        Only those that listen to `sender` or, unless `named`, to anyone. At most `limit` index rows are read (`cut`
        tells).
        """
        ...

    def file(self, intent: StandingIntent, scope_key: int, rows: Sequence[IndexRow], fingerprint: str) -> None:
        """File an intent's entries, replacing what is filed for it."""
        ...

    def remove(self, intent_key: int) -> None:
        """Delete all of an intent's rows by their stored anchors."""
        ...

    def crowd(self, scope_key: int, anchor: str) -> int:
        """How many rows stand under one scope and anchor."""
        ...

    def stale(self, fingerprint: str, limit: int) -> tuple[int, ...]:
        """Keys of intents filed under another fingerprint, ascending."""
        ...


class Intents(Protocol):
    """Standing intents with description and entries."""

    def add(self, intent: StandingIntent, salt: bytes) -> StandingIntent:
        """Store a new intent (its description as content `description_id` with `salt`); returns it with `key` set.

        Raises LimitExceeded when the handle is taken, now or ever before (details name="handle").
        """
        ...

    def by_handle(self, handle: str) -> StandingIntent | None: ...

    def by_id(self, intent_id: str) -> StandingIntent | None: ...

    def by_keys(self, keys: Sequence[int], lock: bool = False) -> tuple[StandingIntent, ...]:
        """Ascending by key, in one statement; `lock` takes row locks first, in that order, where the store has them.

        Locks are taken in one order everywhere: intents, timed reminders, then heads of chains (`Operations.lock`),
        then the index.
        """
        ...

    def update(self, old: StandingIntent, new: StandingIntent) -> bool:
        """Guarded: writes only while the stored version is `old.version`; stores version old + 1.

        Covers every mutable field but the description text, which changes by `reword`.
        """
        ...

    def rehouse(self, old: StandingIntent, new: StandingIntent) -> bool:
        """Guarded as `update`, for what it does not cover: namespace, space, channel and conversation."""
        ...

    def linked(self, goal_id: str) -> tuple[int, ...]:
        """Keys of the intents that are linked to a goal, whatever their status, ascending."""
        ...

    def worded(self, namespace_ids: Sequence[str], limit: int) -> tuple[int, ...]:
        """Keys of the intents of these namespaces, whatever their status, that hold words; ascending."""
        ...

    def reword(self, content_id: str, salt: bytes, text: str) -> None:
        """Put a new description under a new content row (a later `update` points `description_id` at it)."""
        ...

    def wordings(self, intent_key: int) -> tuple[tuple[str, str], ...]:
        """(content id, salted hash) of the description and then of each entry in order; "" for erased words.

        What operations keep in place of the words.
        """
        ...

    def list(self, wanted: IntentFilter, limit: int, offset: int) -> tuple[StandingIntent, ...]:
        """Newest first."""
        ...

    def count(self, wanted: IntentFilter) -> int: ...

    def live_of_creator(self, creator: Principal) -> int: ...

    def live_of_space(self, space: int) -> int: ...

    def expiring(self, now: datetime, limit: int) -> tuple[StandingIntent, ...]:
        """Live rows whose expiry has come, earliest first."""
        ...

    def unasked(self, until: datetime, limit: int) -> tuple[StandingIntent, ...]:
        """Live rows that never fired, expire by `until`, and whose creator was not asked; earliest first.

        Rows made for less than `EXPIRY_NOTICE` are not among them.
        """
        ...

    def twins(self, intent: StandingIntent, scope_key: int, anchor: str) -> tuple[StandingIntent, ...]:
        """Other filed rows of the same creator under the same scope, anchor and sender, ascending by key."""
        ...

    def unreadable(self, limit: int) -> tuple[str, ...]:
        """Handles of rows that hold a value this version does not know; they are parked: nothing else shows them."""
        ...

    def cooled(self, now: datetime, limit: int) -> tuple[StandingIntent, ...]:
        """`fired` rows whose cooldown is over, earliest first."""
        ...


class Fires(Protocol):
    """Receipts and reservations."""

    def of_message(self, conversation: int, message_id: str) -> frozenset[int]:
        """Keys of the intents that this message has fired already, whatever became of the fires."""
        ...

    def add(self, fire: Fire) -> bool:
        """Store; False when this message has fired this intent already (unique: intent, conversation, message)."""
        ...

    def get(self, fire_id: str) -> Fire | None: ...

    def acknowledge(self, fire_id: str, at: datetime) -> bool:
        """Guarded: once; the state stays as it is. False when somebody did before."""
        ...

    def newest_kept(self, intent_key: int) -> Fire | None:
        """The newest fire of an intent that was not refunded."""
        ...

    def settle(self, fire_id: str, state: FireState, at: datetime) -> bool:
        """Guarded: only while `reserved`; False when it was settled before."""
        ...

    def last_in(self, keys: Sequence[int], conversation: int) -> dict[int, datetime]:
        """The last fire of each of these intents in a conversation, refunded ones left out."""
        ...

    def last_of(self, keys: Sequence[int], sender: Principal) -> dict[int, datetime]:
        """The last fire of each of these intents by a sender, refunded ones left out."""
        ...

    def of_intent(self, intent_key: int, limit: int, offset: int = 0) -> tuple[Fire, ...]:
        """Newest first."""
        ...

    def count_of_intent(self, intent_key: int) -> int:
        """How many fires `of_intent` would give in all."""
        ...

    def open_of_creator(self, creator: Principal) -> tuple[Fire, ...]:
        """Every reserved fire of the intents that a person made, oldest first."""
        ...

    def open_of_intent(self, intent_key: int) -> tuple[Fire, ...]:
        """Every reserved fire of an intent, oldest first."""
        ...

    def open_in(self, space: int) -> tuple[Fire, ...]:
        """Every reserved fire that is owed to a place of a space (not to a person), oldest first."""
        ...

    def stale(self, before: datetime, limit: int) -> tuple[Fire, ...]:
        """Reserved before that time and without a live outbox row, oldest first."""
        ...


class Operations(Protocol):
    """The append-only log. Appends to one chain are serialised by the store."""

    def append(self, draft: OperationDraft) -> Operation:
        """Lock the chain's head, seal behind it, store."""
        ...

    def lock(self, namespace_ids: Iterable[str]) -> None:
        """Lock the heads of these chains in order of their ids, where the store has row locks."""
        ...

    def namespaces(self) -> tuple[str, ...]: ...

    def head(self, namespace_id: str) -> tuple[int, str]:
        """(last sequence number, last hash); (0, GENESIS) for an empty chain."""
        ...

    def chain(self, namespace_id: str) -> Iterator[Operation]: ...

    def of_target(self, target_id: str, limit: int) -> tuple[Operation, ...]:
        """Newest first."""
        ...


class Records(Protocol):
    """Content, events, settings of a space and facts about the store itself."""

    def put_content(self, content_id: str, salt: bytes, text: str) -> str:
        """Store words; returns their salted hash."""
        ...

    def content(self, content_id: str) -> str | None:
        """The words; None when erased or unknown."""
        ...

    def erase_content(self, content_id: str) -> bool:
        """Blank text and salt; False when there was nothing to erase."""
        ...

    def add_event(self, event: Event) -> None: ...

    def evidence(self, event_id: str) -> str | None:
        """Id of the content that holds the words of an event; None for an unknown one."""
        ...

    def settings(self, space: int) -> dict[str, object]:
        """Stored settings of a space (without defaults), in canonical values."""
        ...

    def put_setting(self, space: int, key: str, value: object) -> None: ...

    def drop_setting(self, space: int, key: str) -> bool:
        """Forget one stored setting; False when there was none."""
        ...

    def fact(self, key: str) -> str | None:
        """A fact about the store (`heartbeat.last_success`, `analysis.fingerprint`, ...)."""
        ...

    def put_fact(self, key: str, value: str) -> None: ...

    def drop_fact(self, key: str) -> bool:
        """Forget a fact; False when there was none."""
        ...

    def facts(self, low: str, high: str, limit: int) -> tuple[tuple[str, str], ...]:
        """(key, value) of the facts with low <= key < high, byte by byte, ascending."""
        ...


class Tx(Protocol):
    """One transaction."""

    @property
    def places(self) -> Places: ...
    @property
    def index(self) -> TriggerIndex: ...
    @property
    def intents(self) -> Intents: ...
    @property
    def fires(self) -> Fires: ...
    @property
    def outbox(self) -> Outbox: ...
    @property
    def timed(self) -> Timed: ...
    @property
    def goals(self) -> Goals: ...
    @property
    def operations(self) -> Operations: ...
    @property
    def records(self) -> Records: ...
    @property
    def kept(self) -> Kept: ...

    def commit(self) -> None: ...


class Store(Protocol):
    """Opens transactions. Raises StorageError with a clear sentence when the store cannot be used."""

    def read(self) -> AbstractContextManager[Tx]:
        """A read-only snapshot; never waits for writers."""
        ...

    def write(self, patience: timedelta | None = None) -> AbstractContextManager[Tx]:
        """Takes the write lock at begin (SQLite) or locks rows as they are read with `lock` (PostgreSQL).

        Waits for other writers at most `patience` (the store's own time-out when None), then raises StorageError
        with `retry` set.
        """
        ...


class AspirationFiles(Protocol):
    """The Markdown files of aspirations: one a namespace, found by its code, which people edit, too.

    Every method raises StorageError with the file's name for one that cannot be read or written, is longer than
    `aspiration_file_bytes`, is no UTF-8 or no plain file, or is there twice.
    """

    def read(self, key: FileKey) -> str | None:
        """The text with its line ends as they are; None when there is no file."""
        ...

    def replace(self, key: FileKey, expected: str | None, text: str) -> bool:
        """Put `text` in the place of `expected` (None: no file), whole or not at all; False when it is another by now.

        Raises LimitExceeded for a text of more than `aspiration_file_bytes`.
        """
        ...

    def stamps(self) -> Mapping[str, str]:
        """Every file by its code, with a text that changes whenever the file does. Reads no file."""
        ...

    def shown(self, key: FileKey) -> str:
        """What people call the file, without the folders above."""
        ...
