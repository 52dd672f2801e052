"""What the services need of the store to keep goal memory: intents, edges, summaries, sessions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypeVar

from core.goals.objects import Edge, IntentObject, IntentState, IntentType, LifecycleState, Session, Summary
from core.turn import Principal

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class GoalFilter:
    """What a list shows. None, empty or 0 means no restriction; `text` is part of the words, case-folded.

    With `as_of` states and lifecycles are those of that time, else what is stored. `mine` are those that somebody owns,
    made, or has a stake in. `proposals` True shows what waits for review alone, False leaves it out.
    """

    namespace_ids: tuple[str, ...] = ()
    mine: Principal | None = None
    types: tuple[IntentType, ...] = ()
    states: tuple[IntentState, ...] = ()
    lifecycles: tuple[LifecycleState, ...] = ()
    proposals: bool | None = None
    text: str = ""
    space: int = 0
    as_of: datetime | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """All that a bundle can show of a namespace: intents that are not over, risks among them also when EXPIRED.

    `waits_for` pairs the id of a dependent with the handles of its open prerequisites, in order of their handles.
    """

    intents: tuple[IntentObject, ...]
    waits_for: dict[str, tuple[str, ...]]
    summaries: tuple[Summary, ...]


class Goals(Protocol):
    """Goal memory in one transaction.

    Rows have no locks of their own: whoever changes goal memory of a namespace holds the head of its chain
    (`Operations.lock`) before reading what is to be changed.
    """

    def add(self, intent: IntentObject, salt: bytes) -> IntentObject:
        """Store a new intent, its words as content with `salt`; returns it with `key` set.

        Raises LimitExceeded when the handle is taken, now or ever before (details name="handle").
        """
        ...

    def by_handle(self, handle: str) -> IntentObject | None: ...

    def by_id(self, intent_id: str) -> IntentObject | None: ...

    def by_ids(self, ids: Sequence[str]) -> tuple[IntentObject, ...]:
        """Ascending by key."""
        ...

    def update(self, old: IntentObject, new: IntentObject) -> bool:
        """Guarded: writes only while the stored version is `old.version`; stores version old + 1.

        Covers every mutable field; words change by `reword` first.
        """
        ...

    def reword(self, content_id: str, salt: bytes, text: str) -> None:
        """Put new words under a new content row (a later `update` points at it)."""
        ...

    def wordings(self, key: int) -> dict[str, tuple[str, str]]:
        """Field -> (content id, salted hash) of `value`, `criteria`, `note`, `structured`, those that there are.

        The hash is "" for erased words.
        """
        ...

    def worded(self, namespace_ids: Sequence[str], limit: int) -> tuple[IntentObject, ...]:
        """The intents of these namespaces that hold words, or whose summary does; ascending by key."""
        ...

    def forget(self, namespace_id: str) -> None:
        """What was made of a namespace is made anew (`remembered`), after words were erased."""
        ...

    def list(self, wanted: GoalFilter, limit: int, offset: int) -> tuple[IntentObject, ...]:
        """Urgent ones first, then what is due first, then the oldest."""
        ...

    def count(self, wanted: GoalFilter) -> int: ...

    def open_of_space(self, space: int) -> int:
        """How many of a space are ACTIVE or ON_HOLD, proposals and faded ones left out."""
        ...

    def same(self, namespace_id: str, fold: str) -> IntentObject | None:
        """The newest intent there with these folded words and type, in any state."""
        ...

    def overdue(self, now: datetime, limit: int) -> tuple[IntentObject, ...]:
        """ACTIVE ones whose deadline has come, earliest first."""
        ...

    def fading(self, now: datetime, limit: int) -> tuple[IntentObject, ...]:
        """Those that have fallen below a threshold of salience, earliest first."""
        ...

    def unreviewed(self, before: datetime, limit: int) -> tuple[IntentObject, ...]:
        """Proposals made before that time that nobody looked at, oldest first; not those that never age (D18)."""
        ...

    def untold(self, before: datetime, now: datetime, limit: int) -> tuple[IntentObject, ...]:
        """Open risks, HIGH and CRITICAL, of owners who were told of none in that space from `before` to `now`.

        All of `limit` owners and spaces, by owner. Proposals are left out. HIGH ones on hold, too.
        """
        ...

    # edges

    def relate(self, dependent: int, prerequisite: int, at: datetime) -> bool:
        """Store an edge; False when it is there."""
        ...

    def unrelate(self, dependent: int, prerequisite: int) -> bool:
        """Take an edge away; False when there was none."""
        ...

    def prerequisites(self, key: int) -> tuple[IntentObject, ...]:
        """What an intent waits for, by key."""
        ...

    def waiting(self, keys: Sequence[int], now: datetime) -> dict[int, tuple[str, ...]]:
        """What each of these intents waits for: handles of prerequisites that are open as of `now`, in their order."""
        ...

    def dependents(self, key: int) -> tuple[IntentObject, ...]:
        """What waits for an intent, by key."""
        ...

    def path(self, start: int, end: int) -> tuple[IntentObject, ...]:
        """A way from one intent to another along what each depends on, both ends included; () when there is none.

        Reachability is asked by one recursive query; the way is looked for only where there is one.
        """
        ...

    def levels(self, key: int, below: bool, limit: int) -> int:
        """How many open intents the longest path below (prerequisites) or above it (dependents) has, itself left out.

        Counts no further than `limit`.
        """
        ...

    def edges(self, namespace_ids: Sequence[str]) -> tuple[Edge, ...]:
        """Every edge of these namespaces, of all when there are none; in order of keys."""
        ...

    # summaries

    def add_summary(self, summary: Summary, salt: bytes) -> Summary:
        """Store one with its words; returns it with `key` set."""
        ...

    def summaries(self, namespace_ids: Sequence[str], text: str, limit: int, offset: int) -> tuple[Summary, ...]:
        """Those that hold `text` (case-folded), newest first."""
        ...

    def summary_of(self, intent_id: str) -> Summary | None: ...

    # what is told

    def session(self, conversation: int) -> Session | None:
        """The last session of a conversation, over or not."""
        ...

    def put_session(self, session: Session) -> None: ...

    def surfaced(self, since: datetime) -> frozenset[int]:
        """Keys of the risks that were shown in a session which was going on at that time or later."""
        ...

    def remembered(self, namespace_id: str, make: Callable[[Known], T]) -> T:
        """What `make` makes of a namespace, made anew only after something in it changed.

        The same function gives the same result object until then; it must not change it.
        """
        ...
