"""What people do with goals in a long history (`bots.bench.history`)."""

import random
from collections.abc import Iterator
from datetime import datetime, timedelta

from core.goals.objects import GoalChange, GoalDraft, IntentType
from core.services.add_goal import AddGoal
from core.services.change_goal import EditGoal, PinGoal
from core.services.context import Context
from core.services.goal_edges import DependGoal
from core.services.goal_moves import CancelGoal, CompleteGoal, HoldGoal, ResumeGoal
from core.services.supersede_goal import SupersedeGoal
from core.standing.intent import Priority
from core.timed.when import Resolution, When
from core.turn import Actor, Where

OPEN_TO = 100
"""So many goals a space are made before old ones are closed for new ones."""


class GoalActs:
    """Acts on the goals of the places of a history; `handles` are those of one place that were made and not closed."""

    def __init__(self, ctx: Context, rng: random.Random, numbers: Iterator[int]) -> None:
        self._ctx = ctx
        self._rng = rng
        self._numbers = numbers

    def add(self, handles: list[str], who: Actor, where: Where, now: datetime) -> None:
        """Make one, which waits for another one now and then; with many, close one."""
        if len(handles) >= OPEN_TO:
            self.close(handles, who, where)
        needs = tuple(self._rng.sample(handles, 1)) if handles and self._rng.random() < 0.5 else ()
        made = AddGoal(self._ctx)(self._draft(now, needs), who, where, f"m{next(self._numbers)}")
        handles.append(made.handle)

    def _draft(self, now: datetime, needs: tuple[str, ...] = ()) -> GoalDraft:
        local = (now + timedelta(hours=self._rng.randint(1, 2_000))).replace(tzinfo=None)
        due = When(local, "UTC", Resolution.MINUTE) if self._rng.random() < 0.3 else None
        kind, priority = self._rng.choice(list(IntentType)), self._rng.choice(list(Priority))
        return GoalDraft(kind, f"Ship part {next(self._numbers)} of the API.", priority, due=due, depends_on=needs)

    def change(self, handles: list[str], who: Actor, where: Where, now: datetime) -> None:
        """Reword, weigh, pin, hold and resume, or replace one."""
        handle = self._rng.choice(handles or ["g-0000"])
        match self._rng.randrange(5):
            case 0:
                EditGoal(self._ctx)(handle, GoalChange(note=f"see ticket {next(self._numbers)}"), who, where)
            case 1:
                EditGoal(self._ctx)(handle, GoalChange(priority=self._rng.choice(list(Priority))), who, where)
            case 2:
                PinGoal(self._ctx)(handle, self._rng.random() < 0.5, who, where)
            case 3:
                HoldGoal(self._ctx)(handle, who, where)
                ResumeGoal(self._ctx)(handle, who, where)
            case _:
                found = SupersedeGoal(self._ctx)(handle, self._draft(now), who, where)
                handles.remove(handle)
                handles.append(found.new.handle)

    def depend(self, handles: list[str], who: Actor, where: Where, _now: datetime) -> None:
        """Let one wait for another; what would close a circle is refused."""
        one, other = self._rng.sample(handles, 2) if len(handles) > 1 else ("g-0000", "g-0000")
        DependGoal(self._ctx)(one, (other,), who, where)

    def close(self, handles: list[str], who: Actor, where: Where, _now: datetime | None = None) -> None:
        """Complete or cancel one."""
        handle = handles.pop(self._rng.randrange(len(handles))) if handles else "g-0000"
        if self._rng.random() < 0.5:
            CompleteGoal(self._ctx)(handle, who, where, early=True)
        else:
            CancelGoal(self._ctx)(handle, who, where)
