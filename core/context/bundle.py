"""The bounded context of one turn: which intents are in it, in which order and form, and why others are not.

Pure. The order, and what is kept free for whom, is design 02, section 6, and decision 0060.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from operator import attrgetter

from core.catalogue import say
from core.context import render
from core.context.budget import ESTIMATED, Line, Meter, text_of
from core.context.deck import Card, Deck, Form, Hand, Left
from core.context.entities import Said
from core.context.fill import Filled, Groups, fill
from core.errors import LimitExceeded
from core.goals.objects import IntentObject, IntentState, Summary
from core.limits import LIMITS, Limits
from core.standing.intent import Priority

Listed = tuple[tuple[str, Left], ...]


class Mode(StrEnum):
    """DEFAULT: what stands out now. EXPLICIT: what was asked for, in any state."""

    DEFAULT = "default"
    EXPLICIT = "explicit"


class Flag(StrEnum):
    """What is wrong with a bundle as a whole."""

    BUDGET_ERROR = "budget_error"


@dataclass(frozen=True, slots=True)
class Query:
    """What a bundle is made of and for.

    `said` is what the turn says, `people` whom it mentions. `surfaced` are keys of the risks that were shown in this
    session. `chosen` are the cards that EXPLICIT mode was asked for (as of now, in order), `unread` how many more
    there are. `low` asks for LOW intents too, `listed` for the whole list of what was left out.
    """

    deck: Deck
    said: Said = field(default_factory=Said)
    people: tuple[object, ...] = ()
    surfaced: frozenset[int] = frozenset()
    chosen: tuple[Card, ...] = ()
    unread: int = 0
    low: bool = False
    listed: bool = False
    meter: Meter = ESTIMATED
    limits: Limits = LIMITS


@dataclass(frozen=True, slots=True)
class Item:
    """One intent of a bundle, as of then, and the form it has in it. `met`: it is there since the turn is about it."""

    intent: IntentObject
    form: Form
    met: bool = False


@dataclass(frozen=True, slots=True)
class Overflow:
    """Critical risks that fit in no other form: how many, and the handles of all of them."""

    count: int
    handles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Metadata:
    """What is to be known about a bundle. `tokens` and `recalled_tokens` are what its two blocks cost.

    `left` counts what was left out by reason; `left_out` names each, when it was asked for.
    """

    mode: Mode
    budget: int
    tokens: int = 0
    recalled_tokens: int = 0
    flag: Flag | None = None
    overflow: Overflow | None = None
    left: Mapping[Left, int] = field(default_factory=dict)
    left_out: Listed = ()


@dataclass(frozen=True, slots=True)
class Built:
    """The block of goals, the block of what is recalled, and what stands in them."""

    block: str
    recalled: str
    items: tuple[Item, ...]
    summaries: tuple[Summary, ...]
    metadata: Metadata


def build(query: Query, mode: Mode, budget: int, now: datetime) -> Built:
    """The bundle as of `now`, its block within `budget` tokens.

    With fewer than `bundle_least` tokens it is empty and flagged. Raises LimitExceeded above `bundle_most`.
    """
    check_budget(budget, query.limits)
    if budget < query.limits.bundle_least:
        return Built("", "", (), (), Metadata(mode, budget, flag=Flag.BUDGET_ERROR))
    hand = query.deck.at(now)
    dealt = _explicit(query, hand) if mode is Mode.EXPLICIT else _default(query, hand)
    filled, lines, tokens = _fitted(dealt.groups, query.meter, budget)
    recalled, summaries = _recall(query, budget) if mode is Mode.DEFAULT else ((), ())
    counted = filled.counted
    metadata = Metadata(
        mode,
        budget,
        tokens,
        query.meter.tokens(recalled) if recalled else 0,
        None if _is_whole(hand, filled) else Flag.BUDGET_ERROR,
        Overflow(len(counted), tuple(card.intent.handle for card in counted)) if counted else None,
        *_left_out(query, [*dealt.left, (Left.OVER_BUDGET, filled.over)]),
    )
    items = tuple([Item(card.intent, form, card.key in dealt.met) for card, form in filled.shown])
    return Built(text_of(lines), text_of(recalled), items, summaries, metadata)


def _is_whole(hand: Hand, filled: Filled) -> bool:
    """Is every critical risk in it? A tokeniser that counts more than a token a character may leave no room."""
    return len(hand.critical) <= len(filled.shown)


def _left_out(query: Query, left: Sequence[tuple[Left, Sequence[Card]]]) -> tuple[dict[Left, int], Listed]:
    """How many for each reason; which ones, when that was asked for."""
    counts = {why: len(cards) for why, cards in left if cards}
    if query.unread:
        counts[Left.NOT_READ] = query.unread
    return counts, tuple((card.intent.handle, why) for why, cards in left for card in cards) if query.listed else ()


def check_budget(budget: int, limits: Limits) -> None:
    """Raises LimitExceeded above `bundle_most`."""
    if budget > limits.bundle_most:
        raise LimitExceeded(
            say("bundle.most", budget=budget, limit=limits.bundle_most),
            say("bundle.most.hint", limit=limits.bundle_most),
            name="bundle_most",
            used=budget,
            limit=limits.bundle_most,
        )


@dataclass(frozen=True, slots=True)
class _Dealt:
    """Cards by the rule that shows them, which ones the turn is about, and those that no rule shows."""

    groups: Groups
    met: frozenset[int]
    left: tuple[tuple[Left, Sequence[Card]], ...]


def _default(query: Query, hand: Hand) -> _Dealt:
    met = query.deck.about.met(query.said, query.people) if hand.medium else frozenset()
    new = tuple([card for card in hand.risks if card.key not in query.surfaced])
    seen = [card for card in hand.risks if card.key in query.surfaced]
    again = [card for card in seen if card.intent.intent_state is IntentState.ACTIVE]
    high = sorted((*hand.high, *again), key=attrgetter("order")) if again else hand.high
    medium, low = [card for card in hand.medium if card.key in met], hand.low if query.low else ()
    left: list[tuple[Left, Sequence[Card]]] = list(hand.out.items())
    if len(seen) > len(again):
        left.append((Left.SURFACED, [card for card in seen if card.intent.intent_state is not IntentState.ACTIVE]))
    left.append((Left.NO_ENTITY, [card for card in hand.medium if card.key not in met]))
    left.append((Left.LOW, () if query.low else hand.low))
    return _Dealt(Groups(hand.critical, hand.urgent, new, (*high, *medium, *low)), met, tuple(left))


def _explicit(query: Query, hand: Hand) -> _Dealt:
    """Every critical risk, and what was asked for; what nobody has confirmed only when it is urgent."""
    first = {card.key for card in hand.critical}
    asked = [card for card in query.chosen if card.key not in first]
    rest = tuple(card for card in asked if _is_shown(card.intent))
    proposals = [card for card in asked if not _is_shown(card.intent)]
    return _Dealt(Groups(hand.critical, (), (), rest), frozenset(), ((Left.PROPOSAL, proposals),))


def _is_shown(row: IntentObject) -> bool:
    return not row.is_proposal or row.priority >= Priority.HIGH


def _fitted(groups: Groups, meter: Meter, budget: int) -> tuple[Filled, tuple[Line, ...], int]:
    """Filled so that the block as a whole is within the budget; its lines, and what it costs.

    A tokeniser may count more for a text than for its lines; then it is filled again with so much less.
    """
    room = budget
    while True:
        filled = fill(groups, meter, room * meter.scale)
        lines = (render.HEAD, *filled.lines, render.FOOT) if filled.lines else ()
        cost = meter.tokens(lines) if lines else 0
        if cost <= budget:
            return filled, lines, cost
        room -= cost - budget


def _recall(query: Query, budget: int) -> tuple[tuple[Line, ...], tuple[Summary, ...]]:
    """What the turn is about and was completed before, the newest first, in a block with a bound of its own."""
    met = query.deck.recalled.met(query.said) if query.deck.summaries else frozenset()
    wanted = [one for one in query.deck.summaries if one.summary.key in met and one.summary.text]
    most = min(query.limits.bundle_recalled_tokens, budget)
    block: tuple[Line, ...] = (render.RECALLED_HEAD, render.RECALLED_FOOT)
    shown: list[Summary] = []
    for one in wanted[: query.limits.bundle_summaries]:
        for line in (one.full, one.short):
            longer = (*block[:-1], line, block[-1])
            if query.meter.tokens(longer) <= most:
                block = longer
                shown.append(one.summary)
                break
    return (block if shown else ()), tuple(shown)
