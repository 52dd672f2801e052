"""What goal memory should hold, worked out the slow way and without the program's own rules."""

import math
from dataclasses import dataclass, field
from datetime import datetime, timedelta

DAY = timedelta(days=1)
WAYS = {
    "ACTIVE": {"COMPLETED", "CANCELLED", "ON_HOLD", "EXPIRED", "SUPERSEDED"},
    "ON_HOLD": {"ACTIVE"},
    "EXPIRED RISK": {"COMPLETED", "CANCELLED"},
}
START = [300_000, 500_000, 700_000, 900_000]
CRITICAL, HIGH = 3, 2


@dataclass
class Goal:
    """One intent. `place` is its namespace; `salience` is that of `touched`."""

    handle: str
    place: str
    risk: bool
    priority: int
    proposal: bool
    born: datetime
    touched: datetime
    due: datetime | None = None
    state: str = "ACTIVE"
    archived: bool = False
    pinned: bool = False
    salience: int = 0
    alerts: int = 0
    waits_for: set[str] = field(default_factory=set)

    @property
    def is_open(self) -> bool:
        """Active or on hold."""
        return self.state in {"ACTIVE", "ON_HOLD"}

    @property
    def is_urgent_risk(self) -> bool:
        """In every bundle of its namespace."""
        return self.risk and self.priority == CRITICAL and self.state in {"ACTIVE", "ON_HOLD", "EXPIRED"}

    def may(self, new: str) -> bool:
        """Is there a way from its state to that one?"""
        key = "EXPIRED RISK" if self.risk and self.state == "EXPIRED" else self.state
        return new in WAYS.get(key, set())

    def go(self, new: str) -> None:
        """To another state, with what belongs to it."""
        self.state = new
        self.archived = new in {"COMPLETED", "CANCELLED", "SUPERSEDED"} or (new == "EXPIRED" and not self.risk)

    def weigh(self, now: datetime) -> None:
        """As after a change of priority or pin."""
        self.salience, self.touched = (1_000_000 if self.pinned else START[self.priority]), now

    def touch(self, now: datetime) -> None:
        """It stands out again."""
        if not self.risk:
            self.touched = max(now, self.touched)

    def shown(self, now: datetime) -> int:
        """The salience that a reader sees."""
        if self.risk or self.pinned or self.archived:
            return self.salience
        rate = 0.07 if self.proposal else 0.02
        return round(self.salience * math.exp(-rate * max((now - self.touched) / DAY, 0)))


class World:
    """All of them, in both namespaces."""

    def __init__(self, depth: int, crowd: int, most: int) -> None:
        self.goals: dict[str, Goal] = {}
        self.depth, self.crowd, self.most = depth, crowd, most

    def settle(self, now: datetime) -> None:
        """What is overdue is expired: a risk one level more urgent, once."""
        for goal in self.goals.values():
            if goal.state == "ACTIVE" and goal.due is not None and goal.due <= now:
                goal.go("EXPIRED")
                if goal.risk:
                    goal.priority = min(goal.priority + 1, CRITICAL)
                    goal.alerts += 1

    def beat(self, now: datetime) -> None:
        """What the heartbeat does besides: archives what has faded, and proposals nobody looked at."""
        for goal in self.goals.values():
            kept = goal.priority >= HIGH or (goal.due is not None and goal.due > now)
            fades = goal.is_open and not (goal.risk or goal.pinned or goal.archived)
            if fades and goal.shown(now) < 100_000 and not kept:
                goal.archived = True
            ageless = goal.risk and goal.priority >= HIGH
            if goal.proposal and now - goal.born > 14 * DAY and not ageless:
                goal.archived = True

    def dependents(self, handle: str) -> list[Goal]:
        """What waits for it."""
        return [goal for goal in self.goals.values() if handle in goal.waits_for]

    def reaches(self, start: str, end: str) -> bool:
        """Does one wait for the other, at any distance? Plain depth first."""
        seen: set[str] = set()
        stack = [start]
        while stack:
            here = stack.pop()
            if here == end:
                return True
            if here not in seen:
                seen.add(here)
                stack.extend(self.goals[here].waits_for)
        return False

    def longest(self, handle: str, up: bool) -> int:
        """How many open ones the longest way through what is open has, itself left out."""
        near = self.dependents(handle) if up else [self.goals[one] for one in self.goals[handle].waits_for]
        return max((1 + self.longest(goal.handle, up) for goal in near if goal.is_open), default=0)

    def refuses(self, dependent: str, prerequisite: str) -> str:
        """Why there can be no such edge: `circle`, `over`, `limit`, "" for none, `there` where it is there."""
        if self.reaches(prerequisite, dependent):
            return "circle"
        late, early = self.goals[dependent], self.goals[prerequisite]
        if prerequisite in late.waits_for:
            return "there"
        if any(goal.proposal or not goal.is_open for goal in (late, early)):
            return "over"
        waiting = sum(goal.is_open for goal in self.dependents(prerequisite))
        way = self.longest(dependent, up=True) + 2 + self.longest(prerequisite, up=False)
        full = len(late.waits_for) >= self.most or waiting >= self.crowd
        return "limit" if full or way > self.depth else ""

    def questions(self, handle: str) -> list[str]:
        """What it waits for and that is over."""
        goal = self.goals[handle]
        over = {"CANCELLED", "EXPIRED", "SUPERSEDED"}
        return [one for one in goal.waits_for if self.goals[one].state in over] if goal.is_open else []

    def is_acyclic(self, edges: list[tuple[str, str]]) -> bool:
        """Takes away what waits for nothing until nothing is left."""
        left = set(edges)
        while left:
            waiting = {dependent for dependent, _ in left}
            free = {edge for edge in left if edge[1] not in waiting}
            if not free:
                return False
            left -= free
        return True
