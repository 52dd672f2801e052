"""What a rule would have done with messages of the past: the matcher's own gates, run in order. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Self

from core.limits import Limits
from core.standing import lifecycle
from core.standing.gates import Reason, TurnFacts, best_entry, first_failure, turn_eligible
from core.standing.intent import CooldownPer, StandingIntent, Status
from core.standing.triggers import Entry, compile_entry
from core.text.analyse import Analysed, analyse
from core.turn import Principal, Turn

HELD_BACK = frozenset({Reason.EXCEPTED, Reason.MUTED, Reason.GOAL_CLOSED, Reason.BUDGET, Reason.COOLDOWN})
ELSEWHERE = frozenset({Reason.OUT_OF_SCOPE, Reason.OTHER_TENANCY})


class Past(tuple[Turn, ...]):
    """What was said in a place, where not all of it is there: give it wherever a history is asked for.

    `unread` messages could not be read; with `more` there are older ones that nobody asked for.
    """

    unread: int
    more: bool

    def __new__(cls, turns: Iterable[Turn], unread: int = 0, more: bool = False) -> Self:
        """Turns in the order in which they were sent."""
        past = super().__new__(cls, turns)
        past.unread, past.more = unread, more
        return past


class Miss(StrEnum):
    """Why a message only nearly fired."""

    SENDER = "sender"
    TERM = "term"
    FORMS = "forms"
    LEFT_OUT = "left_out"
    MACHINE = "machine"


_NOT_HEARD = {Reason.OTHER_SENDER: Miss.SENDER, Reason.NOT_A_PERSON: Miss.MACHINE}


@dataclass(frozen=True, slots=True)
class Hit:
    """A message that would have fired. `by_forms`: with exact words only it would not."""

    turn: Turn
    entry: str
    terms: tuple[str, ...]
    by_forms: bool


@dataclass(frozen=True, slots=True)
class HeldBack:
    """A message that has the words, but not the moment or the place: `reason` is one of `HELD_BACK`."""

    turn: Turn
    reason: Reason


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A message that one thing keeps from firing.

    `term`: the missing term, else the entry that matches but for that: by other forms, by what stands in code, quotes
    and addresses, or by words of a sender to whom the rule does not listen.
    """

    turn: Turn
    kind: Miss
    term: str


@dataclass(frozen=True, slots=True)
class Preview:
    """What came of it, in the order of the messages. `near` has the newest near misses within the bound.

    `looked_at` counts messages, the first of which was sent at `since`. `formed` of the hits need word forms; in
    `left_out` messages some stretch was not looked at. `elsewhere`: the rule does not listen in that place.
    """

    hits: tuple[Hit, ...] = ()
    held_back: tuple[HeldBack, ...] = ()
    near: tuple[NearMiss, ...] = ()
    looked_at: int = 0
    since: datetime | None = None
    left_out: int = 0
    elsewhere: bool = False

    @property
    def formed(self) -> int:
        """How many hits the word forms add."""
        return sum(hit.by_forms for hit in self.hits)


@dataclass(slots=True)
class _Run:
    """The state of a rule while the past goes by."""

    intent: StandingIntent
    last: dict[object, datetime] = field(default_factory=dict)
    receipts: set[tuple[int, str]] = field(default_factory=set)

    def facts(self, facts: TurnFacts) -> TurnFacts:
        """The facts with what the rule has done before that message."""
        receipt = (facts.spot.conversation, facts.turn.message_id)
        last = self.last.get(self._counted_by(facts))
        return replace(
            facts,
            fired_before=frozenset({self.intent.key} if receipt in self.receipts else ()),
            last_fires={} if last is None else {self.intent.key: last},
        )

    def fire(self, facts: TurnFacts) -> None:
        """Charge one fire."""
        self.intent = lifecycle.fired(self.intent, "", facts.now)
        self.last[self._counted_by(facts)] = facts.now
        self.receipts.add((facts.spot.conversation, facts.turn.message_id))

    def _counted_by(self, facts: TurnFacts) -> int | Principal | None:
        by_sender = self.intent.cooldown_per is CooldownPer.SENDER
        return facts.turn.sender if by_sender else facts.spot.conversation


def made_before(intent: StandingIntent) -> StandingIntent:
    """The rule as if it had been armed, unused, before every message."""
    return replace(
        intent,
        status=Status.ARMED,
        armed_at=None,
        fire_count=0,
        last_fired_at=None,
        last_fire_id=None,
        unconfirmed=False,
    )


def simulate(intent: StandingIntent, past: Iterable[TurnFacts], limits: Limits) -> Preview:
    """Run the gates over messages of the past, each at its own time: `now` of the facts is when it was sent.

    Cooldown, budget and receipts are those of the run; a mute and exceptions apply as the facts and the intent have
    them. Other rules are not looked at: the most that may fire on one message is not counted in.
    """
    run = _Run(intent)
    ordered = sorted(past, key=lambda facts: facts.now)
    hits: list[Hit] = []
    held: list[HeldBack] = []
    near: list[NearMiss] = []
    elsewhere = False
    for one in ordered:
        if not turn_eligible(one.turn, one.now, limits).passed or not one.analysed.keys:
            continue
        facts = run.facts(one)
        failure = first_failure(run.intent, facts)
        if failure is None:
            hits.append(_hit(run.intent, facts))
            run.fire(facts)
        elif failure.reason in HELD_BACK:
            held.append(HeldBack(facts.turn, failure.reason))
        elif miss := _near(run.intent, facts, failure.reason):
            near.append(miss)
        elsewhere |= failure is not None and failure.reason in ELSEWHERE
    return Preview(
        tuple(hits),
        tuple(held),
        _telling(near, limits.preview_near),
        len(ordered),
        ordered[0].now if ordered else None,
        sum(bool(one.analysed.left_out) for one in ordered),
        elsewhere,
    )


def _telling(near: Sequence[NearMiss], most: int) -> tuple[NearMiss, ...]:
    """The newest of them, what one option would change before what another word would."""
    chosen = sorted(range(len(near)), key=lambda at: (near[at].kind is Miss.TERM, -at))[:most]
    return tuple(near[at] for at in sorted(chosen))


def _hit(intent: StandingIntent, facts: TurnFacts) -> Hit:
    number, found = best_entry(intent, facts.analysed)
    exact = best_entry(_with_forms(intent, False), facts.analysed)[1].matched
    return Hit(facts.turn, intent.entries[number], found.terms, not exact)


def _with_forms(intent: StandingIntent, forms: bool) -> StandingIntent:
    return replace(intent, options=replace(intent.options, word_forms=forms))


def _near(intent: StandingIntent, facts: TurnFacts, reason: Reason) -> NearMiss | None:
    if reason in _NOT_HEARD:
        number, found = best_entry(intent, facts.analysed)
        return NearMiss(facts.turn, _NOT_HEARD[reason], intent.entries[number]) if found.matched else None
    if reason is not Reason.TRIGGER:
        return None
    if not intent.options.word_forms:
        number, found = best_entry(_with_forms(intent, True), facts.analysed)
        if found.matched:
            return NearMiss(facts.turn, Miss.FORMS, intent.entries[number])
    if facts.analysed.left_out:
        number, found = best_entry(intent, _with_left_out(intent, facts))
        if found.matched:
            return NearMiss(facts.turn, Miss.LEFT_OUT, intent.entries[number])
    entries = (compile_entry(source, intent.options) for source in intent.entries)
    lacking = next((term for entry in entries if (term := _only_lack(entry, facts.analysed))), "")
    return NearMiss(facts.turn, Miss.TERM, lacking) if lacking else None


def _with_left_out(intent: StandingIntent, facts: TurnFacts) -> Analysed:
    """The message with what is left out of it set below, as ordinary words."""
    said = facts.turn.text
    left_out = (said.text[zone.start : zone.end] for zone in facts.analysed.left_out)
    return analyse("\n\n".join((said.text, *left_out)), said.zones, facts.analysed.language, intent.options)


def _only_lack(entry: Entry, analysed: Analysed) -> str:
    """The one term of several that a text lacks; "" when it lacks more, or holds what is excluded."""
    forms = entry.options.word_forms and entry.language == analysed.language
    missing = [term.text for term in entry.terms if not term.found(analysed, forms)]
    ruled_out = any(term.found(analysed, forms) for term in entry.exclusions)
    return missing[0] if len(missing) == 1 < len(entry.terms) and not ruled_out else ""


def newest(turns: Sequence[Turn], limit: int) -> tuple[Turn, ...]:
    """The newest so many, by the time they were sent."""
    return tuple(sorted(turns, key=lambda turn: turn.sent_at))[-limit:]
