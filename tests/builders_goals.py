"""Builders for goal memory: drafts, people, and what a store tells of an intent. Say what matters."""

import json
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any, TypeVar

import pytest

from core.errors import RemembrancerError
from core.goals.objects import OPEN, GoalChange, GoalDraft, IntentObject, IntentState, IntentType, Person
from core.operations.log import OpType
from core.services.add_goal import AddGoal, ProposeGoal
from core.services.change_goal import EditGoal
from core.services.context import Context
from core.services.goal_moves import CancelGoal, CompleteGoal, HoldGoal
from core.services.goal_tick import TickGoals
from core.services.notices import News
from core.services.read_goals import ShowGoal
from core.services.supersede_goal import SupersedeGoal
from core.timed.when import When
from core.turn import Actor, ActorType, Principal, TurnKind, Visibility, Where, machine
from tests.builders import ADA, BOB, HOME, a_place, an_owner
from tests.fakes.notices import take
from tests.fakes.reminding import at

E = TypeVar("E", bound=RemembrancerError)
CYD = Principal("console", "local", "cyd")
EVE = Principal("console", "local", "eve")
AGENT = machine(TurnKind.BOT, "console", "local", "agent")
OTHER_AGENT = machine(TurnKind.BOT, "console", "local", "other")
EXTRACTOR = Actor(ActorType.AI_AGENT, "extractor", "Extractor")
VAULT = a_place("vault", visibility=Visibility.PRIVATE)
AWAY = Where("console", "local", "away", "general", "general")
OVER = (IntentState.CANCELLED, IntentState.EXPIRED, IntentState.SUPERSEDED)
"""What is over so that whoever waits for it is asked."""
DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
SECOND = timedelta(seconds=1)


def direct(who: Principal) -> Where:
    """Somebody's direct message with us."""
    place = f"dm:{who.user_id}"
    return Where("console", "local", place, place, place, Visibility.DIRECT)


def a_person(who: Principal = ADA) -> Person:
    """With the name they go by."""
    return Person(who, who.user_id.title())


def an_agent(who: Principal = AGENT) -> Actor:
    """An assistant that acts for itself."""
    return Actor(ActorType.AI_AGENT, who.user_id, "Agent", who)


def a_goal(value: str = "Ship the API", **fields: Any) -> GoalDraft:
    """A goal of whoever asks, of medium priority."""
    return GoalDraft(**({"intent_type": IntentType.GOAL, "value": value} | fields))


def a_risk(value: str = "Vendor contract ends", **fields: Any) -> GoalDraft:
    """The same, a risk."""
    return a_goal(value, **({"intent_type": IntentType.RISK} | fields))


def due(ctx: Context, span: timedelta) -> When:
    """A deadline so far from now."""
    return at(ctx.clock.now() + span)


def add(
    ctx: Context,
    draft: GoalDraft | str = "Ship the API",
    actor: Actor | None = None,
    where: Where = HOME,
    **fields: Any,
) -> IntentObject:
    """Add one at an owner's word; a text is a goal with these fields."""
    wanted = a_goal(draft, **fields) if isinstance(draft, str) else draft
    return AddGoal(ctx)(wanted, actor or an_owner(), where, "asked", f"please remember: {wanted.value}")


def risk(ctx: Context, value: str = "Vendor contract ends", **fields: Any) -> IntentObject:
    """Add a risk."""
    return add(ctx, a_risk(value, **fields))


def propose(
    ctx: Context, draft: GoalDraft | str = "Ship the API", who: Principal = BOB, where: Where = HOME, **fields: Any
) -> IntentObject | None:
    """What a machine concluded from somebody's words."""
    wanted = a_goal(draft, **fields) if isinstance(draft, str) else draft
    return ProposeGoal(ctx)(wanted, a_person(who), EXTRACTOR, where, "said", f"I will: {wanted.value}")


def stored(ctx: Context, row: IntentObject) -> IntentObject:
    """The row as it is in the store."""
    with ctx.store.read() as tx:
        found = tx.goals.by_id(row.id)
    assert found is not None
    return found


def dependents(ctx: Context, row: IntentObject) -> list[str]:
    """Handles of what waits for it."""
    with ctx.store.read() as tx:
        return [one.handle for one in tx.goals.dependents(row.key)]


def prerequisites(ctx: Context, row: IntentObject) -> list[str]:
    """Handles of what it waits for."""
    with ctx.store.read() as tx:
        return [one.handle for one in tx.goals.prerequisites(row.key)]


def edges(ctx: Context) -> tuple[tuple[str, str], ...]:
    """Every edge of every namespace, as ids of dependent and prerequisite."""
    with ctx.store.read() as tx:
        names = tx.operations.namespaces()
        return tuple((one.dependent, one.prerequisite) for name in names for one in tx.goals.edges((name,)))


def operations(ctx: Context, row: IntentObject) -> list[str]:
    """Types of what is on record of an intent, first to last."""
    with ctx.store.read() as tx:
        return [one.op_type for one in tx.operations.of_target(row.id, 1_000)][::-1]


def payloads(ctx: Context, row: IntentObject, kind: OpType) -> list[dict[str, Any]]:
    """What operations of one kind tell of an intent, first to last."""
    with ctx.store.read() as tx:
        found = tx.operations.of_target(row.id, 1_000)[::-1]
    return [json.loads(one.payload) for one in found if one.op_type == kind]


def log_length(ctx: Context) -> int:
    """How many operations there are in all chains."""
    with ctx.store.read() as tx:
        return sum(tx.operations.head(name)[0] for name in tx.operations.namespaces())


def beat(ctx: Context) -> Any:
    """One heartbeat, of goal memory alone."""
    return TickGoals(ctx)()


def told(ctx: Context, who: Principal) -> list[News]:
    """What somebody is told now, in one notice."""
    notice = take(ctx, who)
    return [] if notice is None else list(notice.news)


def kinds_told(ctx: Context, who: Principal) -> list[str]:
    """The kinds of it."""
    return sorted(str(news.kind) for news in told(ctx, who))


def in_state(ctx: Context, state: IntentState, draft: GoalDraft) -> IntentObject:
    """A new intent that was brought to that state by the services; it is stored so, and its deadline is past if any."""
    if state is IntentState.EXPIRED:
        made = add(ctx, GoalDraft(draft.intent_type, draft.value, draft.priority, due=due(ctx, timedelta(hours=1))))
        ctx.clock.advance(hours=2)  # type: ignore[attr-defined]  # the clock of tests
        beat(ctx)
        return stored(ctx, made)
    made = add(ctx, draft)
    match state:
        case IntentState.COMPLETED:
            return CompleteGoal(ctx)(made.handle, an_owner(), HOME).intent
        case IntentState.CANCELLED:
            return CancelGoal(ctx)(made.handle, an_owner(), HOME).intent
        case IntentState.ON_HOLD:
            return HoldGoal(ctx)(made.handle, an_owner(), HOME)
        case IntentState.SUPERSEDED:
            return SupersedeGoal(ctx)(made.handle, a_goal(f"{draft.value} again"), an_owner(), HOME).old
    return made


def a_chain(ctx: Context, length: int, name: str = "step") -> list[IntentObject]:
    """So many intents, each but the first waiting for the one before it."""
    made: list[IntentObject] = []
    for number in range(length):
        before = (made[-1].handle,) if made else ()
        made.append(add(ctx, f"{name} {number}", depends_on=before))
    return made


def handles(rows: Iterable[IntentObject]) -> list[str]:
    """Their handles, sorted."""
    return sorted(row.handle for row in rows)


def refused(ctx: Context, error: type[E], work: Callable[[], object]) -> E:
    """That work raises and writes nothing, neither an edge nor an operation."""
    before, length = edges(ctx), log_length(ctx)
    with pytest.raises(error) as refusal:
        work()
    assert (edges(ctx), log_length(ctx)) == (before, length)
    assert refusal.value.hint
    return refusal.value


def close(ctx: Context, row: IntentObject, state: IntentState) -> None:
    """Bring an active one there."""
    match state:
        case IntentState.CANCELLED:
            CancelGoal(ctx)(row.handle, an_owner(), HOME)
        case IntentState.COMPLETED:
            CompleteGoal(ctx)(row.handle, an_owner(), HOME)
        case IntentState.EXPIRED:
            EditGoal(ctx)(row.handle, GoalChange(due=due(ctx, timedelta(hours=1))), an_owner(), HOME)
            ctx.clock.advance(hours=1)
            beat(ctx)
        case IntentState.SUPERSEDED:  # by one that waits for the dependents, so that they cannot move
            waiting = tuple(
                one.handle for one in ShowGoal(ctx)(row.handle, an_owner(), HOME).blocks if one.intent_state in OPEN
            )
            SupersedeGoal(ctx)(row.handle, a_goal("next", depends_on=waiting), an_owner(), HOME)
    assert stored(ctx, row).intent_state is state
