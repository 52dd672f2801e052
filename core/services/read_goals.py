"""Listing, showing and searching goal memory, within what the asker may see. What is shown is as of now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from core.catalogue import say
from core.errors import InvalidInput
from core.goals import states
from core.goals.kept import GoalFilter
from core.goals.objects import OPEN, Edge, IntentObject, IntentState, IntentType, LifecycleState, Summary
from core.goals.salience import salience_at
from core.limits import ALL_ROWS
from core.ports import Tx
from core.services.answer_goal import asked_about
from core.services.context import Context
from core.services.goal_rights import as_here, lookup, may_see, require_change, shown_to, visible
from core.services.rights import may_see as may_see_rule
from core.services.rights import spot_of
from core.standing.intent import StandingIntent
from core.turn import Actor, Visibility, Where


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a list shows: open intents of these types and states, with `everything` those that are over, too.

    With `proposals` it is the review queue instead.
    """

    types: tuple[IntentType, ...] = ()
    states: tuple[IntentState, ...] = ()
    everything: bool = False
    proposals: bool = False
    text: str = ""


@dataclass(frozen=True, slots=True)
class GoalPage:
    """One page of a list; `total` over all pages, `here` is the asker's channel (or 0), `channels` has names by id.

    `waits` gives the handles of the open prerequisites by the id of what waits, `salience` what it has faded to.
    """

    rows: tuple[IntentObject, ...]
    total: int
    number: int
    size: int
    now: datetime
    here: int = 0
    channels: Mapping[int, str] = field(default_factory=dict)
    waits: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    salience: Mapping[str, int] = field(default_factory=dict)

    @property
    def pages(self) -> int:
        """How many pages there are, at least 1."""
        return max(1, -(-self.total // self.size))


@dataclass(frozen=True, slots=True)
class ListGoals:
    """A page of what the asker may see here, urgent ones first. `page` counts from 1; beyond the end is the last."""

    ctx: Context

    def __call__(
        self, actor: Actor, where: Where | None, wanted: Wanted = Wanted(), page: int = 1, size: int | None = None
    ) -> GoalPage:
        with self.ctx.store.read() as tx:
            return page_of(self.ctx, tx, _filter(tx, actor, where, wanted, self.ctx.clock.now()), where, page, size)


def _filter(tx: Tx, actor: Actor, where: Where | None, wanted: Wanted, now: datetime) -> GoalFilter:
    found = replace(visible(tx, actor, where), as_of=now, types=wanted.types, states=wanted.states, text=wanted.text)
    if wanted.proposals:
        lifecycles = () if wanted.everything else (LifecycleState.ACTIVE,)
        return replace(found, proposals=True, lifecycles=lifecycles)
    if wanted.everything:
        return found
    lifecycles = () if wanted.states else (LifecycleState.ACTIVE,)
    return replace(found, proposals=False, lifecycles=lifecycles)


def page_of(ctx: Context, tx: Tx, wanted: GoalFilter, where: Where | None, page: int, size: int | None) -> GoalPage:
    """One page of what a filter lets through."""
    size, now = size or ctx.limits.page, ctx.clock.now()
    total = tx.goals.count(wanted)
    number = max(1, min(page, -(-total // size)))
    stored = tx.goals.list(wanted, size, (number - 1) * size)
    rows = tuple(states.effective(row, now) for row in stored)
    open_rows = {row.key: row.id for row in rows if row.intent_state in OPEN}
    waits = {open_rows[key]: handles for key, handles in tx.goals.waiting(list(open_rows), now).items()}
    names = {key: _name(tx, key) for key in {row.channel for row in rows}}
    salience = {row.id: salience_at(row, now) for row in stored}
    here = 0 if where is None else tx.places.find(where).channel
    return GoalPage(rows, total, number, size, now, here, names, waits, salience)


def _name(tx: Tx, key: int) -> str:
    """The name of a channel; "" for a direct message."""
    channel = tx.places.get(key)
    return "" if channel.visibility is Visibility.DIRECT else channel.name or channel.external_id


@dataclass(frozen=True, slots=True)
class GoalView:
    """One intent with everything around it. `questions` are prerequisites that are over and wait for an answer.

    What is around it is there as far as the asker may see it; `rules` are the standing intents linked to it.
    """

    intent: IntentObject
    depends_on: tuple[IntentObject, ...]
    blocks: tuple[IntentObject, ...]
    questions: tuple[IntentObject, ...]
    rules: tuple[StandingIntent, ...]
    summary: Summary | None
    successor: IntentObject | None
    salience: int
    channel_name: str
    now: datetime


@dataclass(frozen=True, slots=True)
class ShowGoal:
    """One intent that the asker may see. Raises NotFound."""

    ctx: Context

    def __call__(self, handle: str, actor: Actor, where: Where | None) -> GoalView:
        now = self.ctx.clock.now()
        with self.ctx.store.read() as tx:
            stored = lookup(tx, handle, actor, where)
            keys, spot = tx.intents.linked(stored.id), spot_of(tx, where)
            rules = tx.intents.by_keys(keys) if keys else ()
            row = states.effective(stored, now)

            def seen(found: Sequence[IntentObject]) -> tuple[IntentObject, ...]:
                return _effective([one for one in found if may_see(actor, one, spot)], now)

            questions = _effective(asked_about(tx, row, now), now)
            successor = () if row.superseded_by is None else seen(tx.goals.by_ids([row.superseded_by]))
            return GoalView(
                row,
                seen(tx.goals.prerequisites(row.key)),
                seen(tx.goals.dependents(row.key)),
                tuple(shown_to(may_see(actor, one, spot), one) for one in questions),
                tuple(rule for rule in rules if may_see_rule(actor, rule, spot)),
                tx.goals.summary_of(row.id),
                successor[0] if successor else None,
                salience_at(stored, now),
                _name(tx, row.channel),
                now,
            )


@dataclass(frozen=True, slots=True)
class CheckChange:
    """An intent that the actor may change (or `complete`, or `cancel`): what is asked before it is done.

    Raises NotFound, NotAllowed.
    """

    ctx: Context

    def __call__(
        self, handle: str, actor: Actor, where: Where | None, *, complete: bool = False, cancel: bool = False
    ) -> IntentObject:
        with self.ctx.store.read() as tx:
            row = lookup(tx, handle, actor, where)
            require_change(as_here(tx, actor, row, where), row, complete=complete, cancel=cancel)
            return states.effective(row, self.ctx.clock.now())


def _effective(rows: Sequence[IntentObject], now: datetime) -> tuple[IntentObject, ...]:
    return tuple(states.effective(row, now) for row in rows)


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found: intents in any state, and what is remembered of completed ones."""

    page: GoalPage
    summaries: tuple[Summary, ...]


@dataclass(frozen=True, slots=True)
class SearchGoals:
    """Words of intents in any state, and of summaries, within what the asker may see. Raises InvalidInput for none.

    Summaries are those of intents that the asker may see.
    """

    ctx: Context

    def __call__(self, text: str, actor: Actor, where: Where | None, page: int = 1, size: int | None = None) -> Found:
        words = " ".join(text.split())
        if not words:
            raise InvalidInput(say("goal.search.empty"), say("goal.search.empty.hint"))
        with self.ctx.store.read() as tx:
            wanted = replace(visible(tx, actor, where), text=words)
            found = page_of(self.ctx, tx, wanted, where, page, size)
            names = wanted.namespace_ids or tx.operations.namespaces()
            summaries = tx.goals.summaries(names, words, ALL_ROWS, 0)
            spot = spot_of(tx, where)
            owners = {row.id: row for row in tx.goals.by_ids([one.intent_id for one in summaries])}
            seen = tuple(one for one in summaries if may_see(actor, owners[one.intent_id], spot))
            return Found(found, seen[: self.ctx.limits.page])


@dataclass(frozen=True, slots=True)
class Graph:
    """What waits for what: each node once, edges between nodes only."""

    nodes: tuple[IntentObject, ...]
    edges: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class GraphGoals:
    """All that is open here, and what something open waits for; with a handle what is connected to that one.

    Raises NotFound.
    """

    ctx: Context

    def __call__(self, actor: Actor, where: Where | None, handle: str = "") -> Graph:
        now = self.ctx.clock.now()
        with self.ctx.store.read() as tx:
            start = lookup(tx, handle, actor, where) if handle else None
            wanted = visible(tx, actor, where) if start is None else GoalFilter((start.namespace_id,))
            spot = spot_of(tx, where)
            edges = list(tx.goals.edges(wanted.namespace_ids))
            stored = tx.goals.list(replace(wanted, lifecycles=(LifecycleState.ACTIVE,)), ALL_ROWS, 0)
            known = {row.id: row for row in stored}
            ids = {end for edge in edges for end in (edge.dependent, edge.prerequisite)} - set(known)
            known |= {row.id: row for row in tx.goals.by_ids(sorted(ids))} if ids else {}
            seen = {key: states.effective(row, now) for key, row in known.items() if may_see(actor, row, spot)}
            edges = [edge for edge in edges if edge.dependent in seen and edge.prerequisite in seen]
            shown = _connected(start.id, edges) if start is not None else _open_ones(seen, edges)
            return Graph(
                tuple(sorted((seen[key] for key in shown if key in seen), key=lambda row: row.key)),
                tuple(edge for edge in edges if edge.dependent in shown and edge.prerequisite in shown),
            )


def _open_ones(seen: Mapping[str, IntentObject], edges: Sequence[Edge]) -> set[str]:
    live = {key for key, row in seen.items() if row.lifecycle_state is LifecycleState.ACTIVE}
    return live | {edge.prerequisite for edge in edges if edge.dependent in live}


def _connected(start: str, edges: Sequence[Edge]) -> set[str]:
    beside: dict[str, set[str]] = {}
    for edge in edges:
        beside.setdefault(edge.dependent, set()).add(edge.prerequisite)
        beside.setdefault(edge.prerequisite, set()).add(edge.dependent)
    found, front = {start}, [start]
    while front:
        fresh = beside.get(front.pop(), set()) - found
        found |= fresh
        front.extend(fresh)
    return found
