"""What a namespace can put into bundles, laid out once after each change of it: nothing here depends on the time.

`at` deals it for a moment: what is overdue is as the heartbeat will leave it, whether or not it has run.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from functools import lru_cache
from operator import attrgetter

from core.context import render
from core.context.budget import Line
from core.context.entities import Said, read, read_names
from core.context.met import Index, Subject
from core.goals import risks, states
from core.goals.kept import Known
from core.goals.objects import IntentObject, IntentState, LifecycleState, Summary
from core.standing.intent import Priority
from core.turn import machine_kind


class Left(StrEnum):
    """Why an intent is not in a bundle."""

    OVER_BUDGET = "over_budget"
    NO_ENTITY = "no_entity"
    LOW = "low"
    ON_HOLD = "on_hold"
    PROPOSAL = "proposal"
    SURFACED = "surfaced"
    EXPIRED = "expired"
    FADED = "faded"
    NOT_READ = "not_read"


class Form(StrEnum):
    """How an intent stands in a bundle. COUNTED: a critical risk in the one line that counts them."""

    FULL = "full"
    SHORT = "short"
    REFERENCE = "reference"
    COUNTED = "counted"


LONGEST_FIRST = (Form.FULL, Form.SHORT, Form.REFERENCE)
Order = tuple[int, bool, datetime, datetime, str]
_NO_DUE = datetime.min.replace(tzinfo=UTC)


class Card:
    """An intent as of some moment, its place among others, and its lines.

    A line is written when it is first asked for: most cards of a large namespace are never shown.
    """

    __slots__ = ("_lines", "_waits_for", "intent", "key", "order")

    def __init__(self, intent: IntentObject, waits_for: Sequence[str] = ()) -> None:
        due = intent.target_completion
        self.intent = intent
        self.key = intent.key
        self.order: Order = (-intent.priority, due is None, due or _NO_DUE, intent.created_at, intent.id)
        self._waits_for = waits_for
        self._lines: dict[Form, Line] = {}

    def line(self, form: Form) -> Line:
        """The line in that form (not COUNTED, which is no line of one card)."""
        found = self._lines.get(form)
        if found is None:
            found = self._lines[form] = self._write(form)
        return found

    def _write(self, form: Form) -> Line:
        if form is Form.FULL:
            return render.full_line(self.intent, self._waits_for)
        return render.short_line(self.intent) if form is Form.SHORT else render.reference(self.intent)


@dataclass(frozen=True, slots=True)
class Hand:
    """The cards of one moment by the rule that shows them, each in order; `out` are those that none does."""

    critical: tuple[Card, ...] = ()
    urgent: tuple[Card, ...] = ()
    risks: tuple[Card, ...] = ()
    high: tuple[Card, ...] = ()
    medium: tuple[Card, ...] = ()
    low: tuple[Card, ...] = ()
    out: Mapping[Left, tuple[Card, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recalled:
    """A summary with its line and its short one."""

    summary: Summary
    full: Line
    short: Line


@dataclass(frozen=True, slots=True)
class Deck:
    """All of a namespace.

    `next_due` is the first deadline of what is active, `about` finds MEDIUM intents by their entities.
    """

    hand: Hand
    waits: Mapping[str, tuple[str, ...]]
    next_due: datetime | None
    about: Index
    summaries: tuple[Recalled, ...]
    recalled: Index

    def at(self, now: datetime) -> Hand:
        """As of `now`."""
        return self.hand if self.next_due is None or now < self.next_due else self._moved(now)

    def _moved(self, now: datetime) -> Hand:
        cards = list(_cards(self.hand))
        over = {card.intent.handle for card in cards if states.overdue(card.intent, now)}
        return deal([self._card_at(card, now, over) for card in cards])

    def _card_at(self, card: Card, now: datetime, over: set[str]) -> Card:
        waits = self.waits.get(card.intent.id, ())
        if card.intent.handle not in over and over.isdisjoint(waits):
            return card
        return Card(states.effective(card.intent, now), self.open_waits(card.intent, over))

    def open_waits(self, intent: IntentObject, over: Iterable[str] = ()) -> tuple[str, ...]:
        """Handles of what an intent waits for, without those that are `over`."""
        return tuple(handle for handle in self.waits.get(intent.id, ()) if handle not in set(over))

    def overdue(self, now: datetime) -> frozenset[str]:
        """Handles of what is active here and past its deadline."""
        if self.next_due is None or now < self.next_due:
            return frozenset()
        return frozenset(card.intent.handle for card in _cards(self.hand) if states.overdue(card.intent, now))


def _cards(hand: Hand) -> Iterable[Card]:
    for group in (hand.critical, hand.urgent, hand.risks, hand.high, hand.medium, hand.low, *hand.out.values()):
        yield from group


@lru_cache(maxsize=64)
def laid_out_in(language: str) -> Callable[[Known], Deck]:
    """What makes a deck of a namespace whose people speak that language: the same function for the same language."""

    def lay_out(known: Known) -> Deck:
        cards = [Card(intent, known.waits_for.get(intent.id, ())) for intent in known.intents]
        active = [one for one in known.intents if one.intent_state is IntentState.ACTIVE]
        dues = [one.target_completion for one in active if one.target_completion is not None]
        hand = deal(cards)
        return Deck(
            hand,
            known.waits_for,
            min(dues, default=None),
            Index([_subject(card.intent, language) for card in hand.medium], language),
            tuple(map(_recalled, known.summaries)),
            Index([_subject_of(one, language) for one in known.summaries], language),
        )

    return lay_out


def deal(cards: Iterable[Card]) -> Hand:
    """Cards by the rule that shows them (design 02, section 6), each group in order."""
    shown: dict[str, list[Card]] = {}
    out: dict[Left, list[Card]] = {}
    for card in sorted(cards, key=attrgetter("order")):
        rule = _rule(card.intent)
        if isinstance(rule, Left):
            out.setdefault(rule, []).append(card)
        else:
            shown.setdefault(rule, []).append(card)
    groups = {name: tuple(found) for name, found in shown.items()}
    return Hand(**groups, out={why: tuple(found) for why, found in out.items()})


_BY_PRIORITY = {
    Priority.CRITICAL: "urgent",
    Priority.HIGH: "high",
    Priority.MEDIUM: "medium",
    Priority.LOW: "low",
}


def _rule(row: IntentObject) -> str | Left:
    """Which rule shows it, or why none does."""
    if risks.is_critical(row):
        return "critical"
    if risks.is_high(row):
        return "risks"
    if row.intent_state is IntentState.ON_HOLD:
        return Left.ON_HOLD
    if row.intent_state is not IntentState.ACTIVE:
        return Left.EXPIRED
    if row.lifecycle_state is not LifecycleState.ACTIVE:
        return Left.FADED
    if row.is_proposal and row.priority < Priority.HIGH:
        return Left.PROPOSAL
    return _BY_PRIORITY[row.priority]


def _subject(row: IntentObject, language: str) -> Subject:
    people = [one for one in (row.owner, *row.stakeholders) if machine_kind(one.who) is None]
    names = tuple(one.name for one in people)
    return Subject(
        row.key, _read(row.value, row.handle, language), [one.who for one in people], _names(names, language)
    )


@lru_cache(maxsize=4_096)
def _read(value: str, handle: str, language: str) -> Said:
    """A message that names an intent is about it. After a change of one intent the others need no reading."""
    said = read(value, language)
    return replace(said, words=said.words | {handle}, sure=said.sure | {handle})


@lru_cache(maxsize=1_024)
def _names(names: tuple[str, ...], language: str) -> Said:
    return read_names(names, language)


def _recalled(summary: Summary) -> Recalled:
    full = render.summary_line(summary, summary.text)
    return Recalled(summary, full, render.summary_line(summary, render.shortened(summary.text)))


def _subject_of(summary: Summary, language: str) -> Subject:
    return Subject(summary.key, _read(summary.text, summary.intent_handle, language))
