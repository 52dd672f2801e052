"""What an assistant is handed with one turn: standing intents, goals, and what is recalled. Read only."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from core.catalogue import say
from core.context.budget import ESTIMATED, Exactly, Meter, Tokeniser
from core.context.bundle import Flag, Item, Metadata, Mode, Query, build, check_budget
from core.context.deck import Card, Deck, laid_out_in
from core.context.entities import plain, read
from core.context.met import Aliases
from core.errors import LimitExceeded, NotFound
from core.goals import states
from core.goals.kept import GoalFilter
from core.goals.objects import IntentObject, IntentState, IntentType, Session, Summary
from core.ports import Tx
from core.services import search
from core.services.context import Context
from core.services.rights import normal_handle
from core.settings import Setting, in_force
from core.standing.gates import turn_eligible
from core.standing.matcher import decide
from core.standing.outcome import Outcome
from core.stored import Look
from core.text.forms import primary_language
from core.text.zones import MarkedText
from core.turn import Principal, Turn, Where


@dataclass(frozen=True, slots=True)
class Asked:
    """What EXPLICIT mode is asked for; what is left empty restricts nothing. `ids` are handles or UUIDs."""

    ids: tuple[str, ...] = ()
    types: tuple[IntentType, ...] = ()
    states: tuple[IntentState, ...] = ()
    owner: Principal | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class BundleQuery:
    """What a bundle is for: a place, what is said there, and whom that mentions.

    `turn` is the message itself, if there is one, and `outcome` what `ReceiveTurn` made of it: then nothing is matched
    again. `budget` None is the usual one. `low` asks for LOW intents too, `listed` for all that was left out.
    """

    where: Where
    text: MarkedText = field(default_factory=lambda: MarkedText(""))
    mentions: tuple[Principal, ...] = ()
    turn: Turn | None = None
    outcome: Outcome | None = None
    mode: Mode = Mode.DEFAULT
    budget: int | None = None
    low: bool = False
    asked: Asked = field(default_factory=Asked)
    listed: bool = False


def about(turn: Turn, outcome: Outcome | None = None, budget: int | None = None) -> BundleQuery:
    """The bundle of one message."""
    return BundleQuery(turn.where, turn.text, turn.mentions, turn, outcome, budget=budget)


@dataclass(frozen=True, slots=True)
class Bundle:
    """`block` are the goals, `standing` the standing intents, `recalled` what was completed before; "" for none.

    `items` stand in `block`, in order. `session` is the one that goes on in this conversation, None when there is none.
    """

    block: str
    standing: str
    recalled: str
    items: tuple[Item, ...]
    summaries: tuple[Summary, ...]
    metadata: Metadata
    namespace_id: str = ""
    session: Session | None = None

    @property
    def text(self) -> str:
        """All blocks, one below the other."""
        return "\n".join(filter(None, (self.standing, self.block, self.recalled)))


@dataclass(frozen=True, slots=True)
class BuildBundle:
    """Put the context of a turn together, from the namespace of its place alone (D20).

    `tokeniser` counts exactly where one is configured; `aliases` are other names of things. Writes nothing: whoever
    hands the bundle to an assistant calls `BundleSent` then. A budget below `bundle_least` gives an empty block with
    BUDGET_ERROR. Raises LimitExceeded (`bundle_most`, `bundle_ids`), and NotFound for an id that is not there.
    """

    ctx: Context
    tokeniser: Tokeniser | None = None
    aliases: Mapping[str, str] = field(default_factory=dict)
    _meter: Meter = field(init=False, repr=False, compare=False)
    _aliases: Aliases = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_meter", ESTIMATED if self.tokeniser is None else Exactly(self.tokeniser))
        object.__setattr__(self, "_aliases", Aliases(self.aliases))

    def __call__(self, query: BundleQuery) -> Bundle:
        ctx = self.ctx
        budget = ctx.limits.bundle_tokens if query.budget is None else query.budget
        check_budget(budget, ctx.limits)
        now = ctx.clock.now()
        with ctx.store.read() as tx:
            look = tx.places.look(query.where)
            standing = self._standing(tx, query)
            namespace_id = look.spot.namespace_id
            if budget < ctx.limits.bundle_least:
                metadata = Metadata(query.mode, budget, flag=Flag.BUDGET_ERROR)
                return Bundle("", standing, "", (), (), metadata, namespace_id)
            language = primary_language(str(in_force(Setting.LANGUAGE, look.settings, ctx.defaults)))
            deck = tx.goals.remembered(namespace_id, laid_out_in(language))
            session = self._session(tx, deck, look, now)
            chosen, unread = self._chosen(tx, query, deck, namespace_id, now)
        made = Query(
            deck,
            self._aliases.widen(read(plain(query.text), language)),
            query.mentions,
            frozenset() if session is None else session.surfaced,
            chosen,
            unread,
            query.low,
            query.listed,
            self._meter,
            ctx.limits,
        )
        built = build(made, query.mode, budget, now)
        blocks = built.block, standing, built.recalled
        return Bundle(*blocks, built.items, built.summaries, built.metadata, namespace_id, session)

    def _standing(self, tx: Tx, query: BundleQuery) -> str:
        """The block that `ReceiveTurn` gave; for a turn that it has not seen the one that it would give."""
        turn = query.turn
        if query.outcome is not None:
            return query.outcome.block
        if turn is None or not turn_eligible(turn, self.ctx.clock.now(), self.ctx.limits).passed:
            return ""
        found = search.find(self.ctx, tx, turn, search.first_look(self.ctx, turn))
        rows = search.load(tx, found)
        facts = search.facts_of(self.ctx, tx, turn, found, found.spot, rows)
        return decide(rows, facts, self.ctx.limits).block

    def _session(self, tx: Tx, deck: Deck, look: Look, now: datetime) -> Session | None:
        """The session that goes on here, where there is something to surface in it."""
        overdue = deck.next_due is not None and deck.next_due <= now
        if not look.spot.conversation or not (deck.hand.risks or overdue):
            return None
        session = tx.goals.session(look.spot.conversation)
        return None if session is None or is_over(self.ctx, session, now) else session

    def _chosen(
        self, tx: Tx, query: BundleQuery, deck: Deck, namespace_id: str, now: datetime
    ) -> tuple[tuple[Card, ...], int]:
        """The cards that EXPLICIT mode asks for, in order, and how many more there are that were not read."""
        if query.mode is not Mode.EXPLICIT or not namespace_id:
            return (), 0
        asked, most = query.asked, self.ctx.limits.bundle_rows
        rows, unread = self._by_id(tx, asked.ids, namespace_id), 0
        if not asked.ids:
            wanted = GoalFilter((namespace_id,), asked.owner, asked.types, asked.states, text=asked.text, as_of=now)
            rows = tx.goals.list(wanted, most, 0)
            unread = tx.goals.count(wanted) - most if len(rows) == most else 0
        over = deck.overdue(now)
        settled = (states.effective(row, now) for row in rows)
        cards = (Card(row, deck.open_waits(row, over)) for row in settled if _is_asked(row, asked))
        return tuple(sorted(cards, key=lambda card: card.order)), unread

    def _by_id(self, tx: Tx, ids: tuple[str, ...], namespace_id: str) -> tuple[IntentObject, ...]:
        limit = self.ctx.limits.bundle_ids
        if len(ids) > limit:
            raise LimitExceeded(
                say("bundle.ids", used=len(ids), limit=limit),
                say("bundle.ids.hint", limit=limit),
                name="bundle_ids",
                used=len(ids),
                limit=limit,
            )
        return tuple({row.id: row for row in (_one(tx, one, namespace_id) for one in ids)}.values())


def is_over(ctx: Context, session: Session, now: datetime) -> bool:
    """Has its conversation been silent for `goal_session` (D11)?"""
    return not timedelta(0) <= now - session.last_at < ctx.limits.goal_session


_UUID_CHARS = 36


def _one(tx: Tx, wanted: str, namespace_id: str) -> IntentObject:
    """By handle or UUID, in this namespace; NotFound for any other, in the words for one that does not exist."""
    given = wanted.strip()
    handle = normal_handle(given, "g")
    row = tx.goals.by_id(given.lower()) if len(given) == _UUID_CHARS else tx.goals.by_handle(handle)
    if row is None or row.namespace_id != namespace_id:
        raise NotFound(say("goal.unknown", handle=handle), say("goal.unknown.hint"), handle=handle)
    return row


def _is_asked(row: IntentObject, asked: Asked) -> bool:
    """`row` is as of now. What the store was asked for already is asked again for those found by id."""
    text = asked.text.casefold()
    return (
        (not asked.types or row.intent_type in asked.types)
        and (not asked.states or row.intent_state in asked.states)
        and (asked.owner is None or row.owner.who == asked.owner)
        and (not text or any(text in words.casefold() for words in (row.value, row.criteria, row.note)))
    )
