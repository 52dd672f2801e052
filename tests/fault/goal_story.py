"""A seeded run over the services of goal memory, made to be killed anywhere and started again.

What the store holds decides with what it goes on. A byte on a pipe marks each beginning of a write transaction.
"""

import os
import random
from contextlib import suppress
from datetime import timedelta

from bots.runtime import SystemIds
from core.errors import RemembrancerError
from core.goals.kept import GoalFilter
from core.goals.objects import GoalChange, IntentType
from core.services.answer_goal import Answer, AnswerDependency
from core.services.change_goal import EditGoal, PinGoal
from core.services.context import Context
from core.services.goal_edges import DependGoal
from core.services.goal_moves import CancelGoal, CompleteGoal, HoldGoal, ResumeGoal
from core.services.goal_tick import TickGoals
from core.services.review_goals import ConfirmGoal, DismissGoal
from core.services.supersede_goal import SupersedeGoal
from core.standing.intent import Priority
from storage.unit_of_work import open_store
from tests.builders import HOME, NOW, an_owner
from tests.builders_goals import a_goal, a_person, add, due, propose
from tests.fakes.clock import FakeClock
from tests.fakes.reminding import a_context
from tests.fault import sabotage
from tests.fault.replay import Marking

OWNER = an_owner()
KINDS = tuple(IntentType)


def run(url: str, schema: str, seed: int, acts: int, pipe: str, torn: bool = False) -> None:
    """One life: so many acts, unless somebody kills it."""
    marks = os.open(pipe, os.O_WRONLY)
    if torn:
        sabotage.tear(lambda mark: os.write(marks, mark))
    store = open_store(url, schema=schema, migrate=False)
    clock = FakeClock(NOW + timedelta(days=seed))
    ctx = a_context(Marking(store, lambda mark: os.write(marks, mark)), clock, SystemIds())  # type: ignore[arg-type]
    rng = random.Random(seed)
    for _ in range(acts):
        clock.advance(minutes=rng.randint(1, 600))
        with suppress(RemembrancerError):
            act(ctx, rng)
    store.close()


def act(ctx: Context, rng: random.Random) -> None:
    """Something that people, machines or the heartbeat do."""
    with ctx.store.read() as tx:
        rows = tx.goals.list(GoalFilter(), 10_000, 0)
    if len(rows) < 4 or rng.random() < 0.2:
        when = due(ctx, timedelta(hours=rng.randint(1, 90))) if rng.random() < 0.4 else None
        draft = a_goal(
            f"thing {rng.random()}",
            intent_type=rng.choice(KINDS),
            priority=rng.choice(list(Priority)),
            due=when,
            note="Some words.",
            stakeholders=(a_person(),),
            depends_on=(rng.choice(rows).handle,) if rows and rng.random() < 0.3 else (),
        )
        rng.choice([add, add, propose])(ctx, draft)
        return
    handle, other = (rng.choice(rows[-40:]).handle for _ in range(2))
    here = (OWNER, HOME)
    works = (
        lambda: HoldGoal(ctx)(handle, *here),
        lambda: ResumeGoal(ctx)(handle, *here),
        lambda: CompleteGoal(ctx)(handle, *here, early=True, said="done"),
        lambda: CancelGoal(ctx)(handle, *here),
        lambda: SupersedeGoal(ctx)(handle, a_goal(f"instead {rng.random()}"), *here),
        lambda: EditGoal(ctx)(handle, GoalChange(value=f"new {rng.random()}", priority=Priority.HIGH), *here),
        lambda: PinGoal(ctx)(handle, rng.random() < 0.5, *here),
        lambda: DependGoal(ctx)(handle, (other,), *here),
        lambda: AnswerDependency(ctx)(handle, rng.choice([Answer.KEEP, Answer.HOLD, Answer.CANCEL]), *here),
        lambda: ConfirmGoal(ctx)(handle, *here),
        lambda: DismissGoal(ctx)(handle, *here),
        lambda: TickGoals(ctx)(),
    )
    rng.choice(works)()
