"""Filling a budget with the cards of a bundle: each as a full line, a short one or a reference, in order. Pure.

First room is kept. What is CRITICAL needs a reference each; HIGH risks that this session has not seen get one each in
what those leave, or in half of the room when they leave less. Critical risks that do not fit beside that are counted in
one line. So each bundle shows every critical risk or counts it, and at least one HIGH risk that was not shown before.
Where that leaves room, what else is HIGH gets references in half of it: many are named rather than few told in full.
Then the cards take their longest form that fits, in order; behind the first that fits in no form, nothing but what has
its room kept is shown.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from core.context import render
from core.context.budget import Line, Meter
from core.context.deck import LONGEST_FIRST, Card, Form
from core.standing.intent import Priority


@dataclass(frozen=True, slots=True)
class Groups:
    """Cards by rule: critical risks, what is urgent beside them, HIGH risks to be surfaced, and all that follows."""

    critical: tuple[Card, ...]
    urgent: tuple[Card, ...]
    risks: tuple[Card, ...]
    rest: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Filled:
    """The lines, what they show and how, the critical risks that are only counted, and what did not fit."""

    lines: tuple[Line, ...]
    shown: tuple[tuple[Card, Form], ...]
    counted: tuple[Card, ...]
    over: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class _Kept:
    """Room that is kept: for so many critical risks, the line that counts the others, and so many HIGH ones.

    `urgent` and `high` are how many of the other CRITICAL and HIGH intents have room for a reference, too.
    """

    critical: int
    line: Line | None
    risks: int
    cost: int
    urgent: int = 0
    high: int = 0


def fill(groups: Groups, meter: Meter, room: int) -> Filled:
    """As much as goes into `room`, in units of the meter, head and foot of the block included."""
    free = room - meter.cost(render.HEAD) - meter.cost(render.FOOT)
    kept = _keep_more(_keep(groups, meter, free), groups, meter, free)
    filling = _Filling(meter, free - kept.cost)
    for card in groups.critical[: kept.critical]:
        filling.raise_(card)
    counted = groups.critical[kept.critical :] if kept.line is not None else ()
    if kept.line is not None:
        filling.lines.append(kept.line)
        filling.shown.extend((card, Form.COUNTED) for card in counted)
    for cards, number in ((groups.urgent, kept.urgent), (groups.risks, kept.risks), (groups.rest, kept.high)):
        for card in cards[:number]:
            filling.raise_(card)
        filling.add_all(cards[number:])
    return Filled(tuple(filling.lines), tuple(filling.shown), counted, tuple(filling.over))


class _Filling:
    """A block under construction, with what is free of its room."""

    __slots__ = ("free", "full", "lines", "meter", "over", "shown")

    def __init__(self, meter: Meter, free: int) -> None:
        self.meter = meter
        self.free = free
        self.full = False
        self.lines: list[Line] = []
        self.shown: list[tuple[Card, Form]] = []
        self.over: list[Card] = []

    def raise_(self, card: Card) -> None:
        """Show a card whose reference has its room, in a longer form if there is more."""
        kept = self.meter.cost(card.line(Form.REFERENCE))
        if not self.full:
            for form in LONGEST_FIRST:
                line = card.line(form)
                more = self.meter.cost(line) - kept
                if more <= self.free:
                    self._show(card, form, line, more)
                    return
        self._show(card, Form.REFERENCE, card.line(Form.REFERENCE), 0)

    def add_all(self, cards: Sequence[Card]) -> None:
        """Show cards while there is room; the others are over the budget."""
        for number, card in enumerate(cards):
            if self.full or not self._add(card):
                self.full = True
                self.over.extend(cards[number:])
                return

    def _add(self, card: Card) -> bool:
        for form in LONGEST_FIRST:
            line = card.line(form)
            cost = self.meter.cost(line)
            if cost <= self.free:
                self._show(card, form, line, cost)
                return True
        return False

    def _show(self, card: Card, form: Form, line: Line, cost: int) -> None:
        self.free -= cost
        self.lines.append(line)
        self.shown.append((card, form))


def _keep(groups: Groups, meter: Meter, free: int) -> _Kept:
    critical = [meter.cost(card.line(Form.REFERENCE)) for card in groups.critical]
    needed = sum(critical)
    others = needed + sum(meter.cost(card.line(Form.REFERENCE)) for card in groups.urgent)
    risks, for_risks = _fitting(groups.risks, meter, max(free - others, free // 2))
    room = free - for_risks
    if needed <= room:
        return _Kept(len(critical), None, risks, needed + for_risks)
    shown = len(critical) - 1
    needed -= critical[shown]
    while shown and needed + meter.cost(_counting(groups.critical[shown:], 1)) > room:
        shown -= 1
        needed -= critical[shown]
    line = _longest(groups.critical[shown:], meter, room - needed)
    if line is None:
        return _Kept(shown, None, risks, needed + for_risks)
    return _Kept(shown, line, risks, needed + for_risks + meter.cost(line))


def _keep_more(kept: _Kept, groups: Groups, meter: Meter, free: int) -> _Kept:
    """Room for references to the CRITICAL ones that are no risks, and, in half of what is then left, to HIGH ones.

    None for HIGH ones where a CRITICAL one or a new risk has no room.
    """
    urgent, for_urgent = _fitting(groups.urgent, meter, free - kept.cost)
    cost = kept.cost + for_urgent
    if urgent < len(groups.urgent) or kept.risks < len(groups.risks):
        return replace(kept, urgent=urgent, cost=cost)
    pressing = takewhile(lambda card: card.intent.priority >= Priority.HIGH, groups.rest)
    high, for_high = _fitting(tuple(pressing), meter, (free - cost) // 2)
    return replace(kept, urgent=urgent, high=high, cost=cost + for_high)


def _fitting(cards: Sequence[Card], meter: Meter, room: int) -> tuple[int, int]:
    """How many references fit into `room`, from the first on, and what they cost."""
    cost = 0
    for number, card in enumerate(cards):
        more = meter.cost(card.line(Form.REFERENCE))
        if cost + more > room:
            return number, cost
        cost += more
    return len(cards), cost


def _counting(cards: Sequence[Card], handles: int) -> Line:
    return render.counted_line([card.intent for card in cards], handles)


def _longest(cards: Sequence[Card], meter: Meter, room: int) -> Line | None:
    """The line that counts these, with as many of their handles as fit; None when not even the count does."""
    for handles in range(min(len(cards), render.FIRST_HANDLES), -1, -1):
        line = _counting(cards, handles)
        if meter.cost(line) <= room:
            return line
    return None
