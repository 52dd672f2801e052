"""Random histories of goal memory on a real SQLite file against a brute-force oracle, in two namespaces."""

import shutil
import tempfile
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from core.errors import InvalidInput, InvalidTransition, LimitExceeded, RemembrancerError
from core.goals.dependencies import DependencyCycle
from core.goals.objects import GoalChange, IntentType
from core.limits import LIMITS
from core.services.answer_goal import Answer, AnswerDependency
from core.services.audit import VerifyAudit
from core.services.build_bundle import BuildBundle, BundleQuery
from core.services.change_goal import EditGoal, PinGoal
from core.services.goal_edges import DependGoal, FreeGoal
from core.services.goal_moves import CancelGoal, CompleteGoal, HoldGoal, ResumeGoal
from core.services.goal_tick import TickGoals
from core.services.read_goals import ListGoals, ShowGoal, Wanted
from core.services.review_goals import ConfirmGoal, DismissGoal
from core.services.supersede_goal import SupersedeGoal
from core.standing.intent import Priority
from core.turn import ADMIN
from storage.unit_of_work import open_store
from tests.builders import HOME, NOW, an_owner
from tests.builders_goals import VAULT, a_goal, add, due, operations, propose, stored
from tests.fakes.clock import FakeClock
from tests.fakes.ids import SeededIds
from tests.fakes.reminding import a_context
from tests.fakes.replayed import differing
from tests.property.goal_oracle import CRITICAL, Goal, World

PHASES = (Phase.explicit, Phase.reuse, Phase.generate)  # shrinking on a file takes minutes
PLACES = {"home": HOME, "vault": VAULT}
OWNER = an_owner()
BUDGETS = (200, 1_024)
SMALL = replace(LIMITS, goal_depth=4, goal_dependents=3, goal_prerequisites=4, decay_gap=timedelta(0))
SPANS = [timedelta(hours=1), timedelta(days=1), timedelta(days=13), timedelta(days=40), timedelta(days=365)]
spans = st.sampled_from(SPANS)
dues = st.sampled_from([None, None, None, timedelta(minutes=30), timedelta(days=2), timedelta(days=100)])
kinds = st.sampled_from([IntentType.GOAL, IntentType.COMMITMENT, IntentType.RISK, IntentType.RISK])
priorities = st.sampled_from(list(Priority))
places = st.sampled_from(["home", "home", "vault"])


class Machine(RuleBasedStateMachine):
    """Every step is done to the program and to the oracle; what they say must agree."""

    template: Path

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="goals"))
        shutil.copy(self.template, self.folder / "store.db")
        self.clock = FakeClock(NOW)
        self.store = open_store(f"sqlite:///{self.folder / 'store.db'}")
        self.ctx = a_context(self.store, self.clock, SeededIds(1), SMALL)
        self.world = World(SMALL.goal_depth, SMALL.goal_dependents, SMALL.goal_prerequisites)
        self.names = iter(range(1, 10**6))
        self.ids: dict[str, str] = {}

    # helpers

    def pick(self, data, place=None) -> Goal:
        found = [goal for goal in self.world.goals.values() if place in {None, goal.place}]
        return data.draw(st.sampled_from(found))

    def now(self):
        self.clock.advance(timedelta(seconds=1))
        self.world.settle(self.clock.now())
        return self.clock.now()

    def where(self, goal):
        return PLACES[goal.place]

    def refused(self, error, work):
        with pytest.raises(error):
            work()

    def keep(self, row, place, risk, priority, proposal, due_at) -> Goal:
        now = self.clock.now()
        goal = Goal(row.handle, place, risk, priority, proposal, now, now, due_at)
        goal.weigh(now)
        self.world.goals[row.handle] = goal
        self.ids[row.id] = row.handle
        return goal

    # making

    @rule(kind=kinds, priority=priorities, place=places, span=dues, proposal=st.booleans())
    def make(self, kind, priority, place, span, proposal):
        now = self.now()
        when = None if span is None else due(self.ctx, span)
        draft = a_goal(f"thing {next(self.names)}", intent_type=kind, priority=priority, due=when)
        how = propose if proposal else add
        row = how(self.ctx, draft, where=PLACES[place])
        self.keep(row, place, kind is IntentType.RISK, int(priority), proposal, None if span is None else now + span)

    @precondition(lambda self: self.world.goals)
    @rule(data=st.data())
    def confirm(self, data):
        goal, now = self.pick(data), self.now()
        work = lambda: ConfirmGoal(self.ctx)(goal.handle, OWNER, self.where(goal))  # noqa: E731
        if not goal.proposal or not (goal.may("CANCELLED") or goal.state == "ON_HOLD"):
            self.refused(InvalidTransition, work)
            return
        work()
        goal.proposal, goal.archived = False, False
        goal.touch(now)

    @precondition(lambda self: self.world.goals)
    @rule(data=st.data())
    def dismiss(self, data):
        goal, _ = self.pick(data), self.now()
        work = lambda: DismissGoal(self.ctx)(goal.handle, OWNER, self.where(goal))  # noqa: E731
        if not goal.proposal or not goal.may("CANCELLED"):
            self.refused(InvalidTransition, work)
            return
        work()
        goal.go("CANCELLED")

    # changing

    @precondition(lambda self: self.world.goals)
    @rule(data=st.data(), priority=st.none() | priorities, note=st.booleans())
    def edit(self, data, priority, note):
        goal, now = self.pick(data), self.now()
        change = GoalChange(priority=priority, note=f"note {next(self.names)}" if note else None)
        work = lambda: EditGoal(self.ctx)(goal.handle, change, OWNER, self.where(goal))  # noqa: E731
        if goal.archived:
            self.refused(InvalidTransition, work)
            return
        moved = priority is not None and priority != goal.priority
        if not (note or moved):
            self.refused(InvalidInput, work)
            return
        work()
        goal.touch(now)
        if moved:
            goal.priority = int(priority)
            goal.weigh(now)

    @precondition(lambda self: self.world.goals)
    @rule(data=st.data(), pinned=st.booleans())
    def pin(self, data, pinned):
        goal, now = self.pick(data), self.now()
        work = lambda: PinGoal(self.ctx)(goal.handle, pinned, OWNER, self.where(goal))  # noqa: E731
        if goal.archived or goal.pinned is pinned:
            self.refused(RemembrancerError, work)
            return
        work()
        goal.pinned = pinned
        goal.weigh(now)

    # moving

    def move(self, goal, new, work):
        """Do it where there is a way; answers whether it was done."""
        if goal.proposal:
            self.refused((InvalidInput, InvalidTransition), work)
        elif not goal.may(new):
            self.refused(InvalidTransition, work)
        else:
            work()
            goal.go(new)
            return True
        return False

    @precondition(lambda self: self.world.goals)
    @rule(data=st.data())
    def hold(self, data):
        goal, _ = self.pick(data), self.now()
        self.move(goal, "ON_HOLD", lambda: HoldGoal(self.ctx)(goal.handle, OWNER, self.where(goal)))

    @precondition(lambda self: self.world.goals)
    @rule(data=st.data())
    def resume(self, data):
        goal, now = self.pick(data), self.now()
        work = lambda: ResumeGoal(self.ctx)(goal.handle, OWNER, self.where(goal))  # noqa: E731
        if not goal.proposal and goal.archived and goal.is_open:  # age archived it
            work()
            goal.go("ACTIVE")
        elif not self.move(goal, "ACTIVE", work):
            return
        goal.touch(now)
        self.world.settle(now)

    @precondition(lambda self: self.world.goals)
    @rule(data=st.data(), early=st.booleans())
    def complete(self, data, early):
        goal, now = self.pick(data), self.now()
        work = lambda: CompleteGoal(self.ctx)(goal.handle, OWNER, self.where(goal), early=early)  # noqa: E731
        waits = any(self.world.goals[one].is_open for one in goal.waits_for)
        if waits and not early and goal.may("COMPLETED"):
            self.refused(InvalidInput, work)
            return
        if self.move(goal, "COMPLETED", work):
            for dependent in self.world.dependents(goal.handle):
                if dependent.is_open and not dependent.archived:
                    dependent.touch(now)

    @precondition(lambda self: self.world.goals)
    @rule(data=st.data())
    def cancel(self, data):
        goal, _ = self.pick(data), self.now()
        before = {one.handle: one.state for one in self.world.goals.values() if one is not goal}
        if goal.state == "ON_HOLD" and not goal.proposal:
            goal.go("ACTIVE")
        done = self.move(goal, "CANCELLED", lambda: CancelGoal(self.ctx)(goal.handle, OWNER, self.where(goal)))
        if done:
            for handle, state in before.items():
                assert self.shown(handle).intent_state == state, "cancelling moved another one"

    @precondition(lambda self: self.world.goals)
    @rule(data=st.data(), kind=kinds, priority=priorities)
    def supersede(self, data, kind, priority):
        goal, now = self.pick(data), self.now()
        draft = a_goal(f"thing {next(self.names)}", intent_type=kind, priority=priority)
        made = []
        work = lambda: made.append(SupersedeGoal(self.ctx)(goal.handle, draft, OWNER, self.where(goal)))  # noqa: E731
        lesser = not (kind is IntentType.RISK and priority == CRITICAL)
        if not goal.proposal and goal.state == "ACTIVE" and goal.is_urgent_risk and lesser:
            self.refused(InvalidInput, work)
            return
        if not self.move(goal, "SUPERSEDED", work):
            return
        [told] = made
        new = self.keep(told.new, goal.place, kind is IntentType.RISK, int(priority), False, None)
        for one in [one for one in goal.waits_for if self.world.goals[one].state != "COMPLETED"]:
            goal.waits_for.remove(one)
            new.waits_for.add(one)
        for dependent in self.world.dependents(goal.handle):
            if dependent.is_open:
                dependent.waits_for.remove(goal.handle)
                dependent.waits_for.add(new.handle)
        assert new.born == now
        assert told.left == ()

    # edges

    @precondition(lambda self: len(self.world.goals) > 1)
    @rule(data=st.data(), near=st.booleans(), blocks=st.booleans())
    def depend(self, data, near, blocks):
        self.tick()  # bounds count what is stored as open
        one = self.pick(data)
        other = self.pick(data, one.place if near else None)
        late, early = (other, one) if blocks else (one, other)
        work = lambda: DependGoal(self.ctx)(  # noqa: E731
            one.handle, (other.handle,), OWNER, self.where(one), blocks=blocks
        )
        if one.place != other.place:
            self.refused(RemembrancerError, work)
            return
        match self.world.refuses(late.handle, early.handle):
            case "circle":
                self.refused(DependencyCycle, work)
            case "over":
                self.refused(InvalidInput, work)
            case "limit":
                self.refused(LimitExceeded, work)
            case _:
                work()
                late.waits_for.add(early.handle)

    @precondition(lambda self: any(goal.waits_for for goal in self.world.goals.values()))
    @rule(data=st.data())
    def free(self, data):
        self.now()
        goal = data.draw(st.sampled_from([goal for goal in self.world.goals.values() if goal.waits_for]))
        other = data.draw(st.sampled_from(sorted(goal.waits_for)))
        FreeGoal(self.ctx)(goal.handle, (other,), OWNER, self.where(goal))
        goal.waits_for.remove(other)

    @precondition(lambda self: any(self.world.questions(handle) for handle in self.world.goals))
    @rule(data=st.data(), answer=st.sampled_from(list(Answer)))
    def answer(self, data, answer):
        self.tick()  # bounds count what is stored as open
        open_ones = [handle for handle in self.world.goals if self.world.questions(handle)]
        if not open_ones:
            return
        goal = self.world.goals[data.draw(st.sampled_from(open_ones))]
        over = data.draw(st.sampled_from(sorted(self.world.questions(goal.handle))))
        instead = self.pick(data, goal.place).handle if answer is Answer.REPLACE else ""
        goal.waits_for.remove(over)
        why = self.world.refuses(goal.handle, instead) if instead else ""
        work = lambda: AnswerDependency(self.ctx)(  # noqa: E731
            goal.handle, answer, OWNER, self.where(goal), prerequisite=over, replacement=instead
        )
        if why in {"circle", "over", "limit"}:
            self.refused(RemembrancerError, work)
            goal.waits_for.add(over)
            return
        work()
        if instead:
            goal.waits_for.add(instead)
        elif answer is not Answer.KEEP:
            goal.go("ON_HOLD" if answer is Answer.HOLD else "CANCELLED")

    # time

    @rule(span=spans)
    def wait(self, span):
        self.clock.advance(span)
        self.now()

    @rule()
    def tick(self):
        now = self.now()
        TickGoals(self.ctx)()
        self.world.beat(now)

    # what must hold

    def shown(self, handle):
        goal = self.world.goals[handle]
        return ShowGoal(self.ctx)(handle, OWNER, self.where(goal)).intent

    @invariant()
    def rows_agree(self):
        now = self.clock.now()
        for name, where in PLACES.items():
            page = ListGoals(self.ctx)(OWNER, where, Wanted(everything=True), size=500)
            mine = {handle: goal for handle, goal in self.world.goals.items() if goal.place == name}
            assert {row.handle for row in page.rows} == set(mine)
            for row in page.rows:
                goal = mine[row.handle]
                living = str(row.lifecycle_state) == "ACTIVE"
                told = str(row.intent_state), int(row.priority), living, row.is_proposal
                assert told == (goal.state, goal.priority, not goal.archived, goal.proposal), row.handle
                if row.intent_state == stored(self.ctx, row).intent_state:  # else it is archived only later
                    assert abs(page.salience[row.id] - goal.shown(now)) <= 1, row.handle

    @invariant()
    def edges_agree(self):
        with self.store.read() as tx:
            found = [edge for name in tx.operations.namespaces() for edge in tx.goals.edges((name,))]
        edges = [(self.ids[edge.dependent], self.ids[edge.prerequisite]) for edge in found]
        wanted = [(goal.handle, one) for goal in self.world.goals.values() for one in goal.waits_for]
        assert sorted(edges) == sorted(wanted)
        assert self.world.is_acyclic(edges)

    @invariant()
    def bundles_hold(self):
        for name, where in PLACES.items():
            for budget in BUDGETS:
                made = BuildBundle(self.ctx)(BundleQuery(where, budget=budget))
                told = {item.intent.handle for item in made.items}
                told |= set() if made.metadata.overflow is None else set(made.metadata.overflow.handles)
                urgent = {goal.handle for goal in self.world.goals.values() if goal.is_urgent_risk}
                assert {handle for handle in urgent if self.world.goals[handle].place == name} <= told
                assert all(self.world.goals[handle].place == name for handle in told)
                assert made.metadata.tokens <= budget

    def teardown(self):
        TickGoals(self.ctx)()
        for goal in self.world.goals.values():
            row = ShowGoal(self.ctx)(goal.handle, ADMIN, None).intent
            assert operations(self.ctx, row).count("EXPIRED_RISK_ALERT") == goal.alerts
        assert all(report.bad is None and not report.why for report in VerifyAudit(self.ctx)())
        assert differing(self.store) == []
        self.store.close()
        shutil.rmtree(self.folder)


def run_machine(template: Path, examples: int) -> None:
    Machine.template = template
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=30,
            deadline=None,
            phases=PHASES,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_goal_memory_agrees_with_a_brute_force_oracle(sqlite_template):
    run_machine(sqlite_template, 20)


@pytest.mark.thorough
@pytest.mark.timeout(900)
def test_goal_memory_agrees_with_a_brute_force_oracle_for_longer(sqlite_template):
    run_machine(sqlite_template, 280)


@pytest.mark.slow
@pytest.mark.timeout(7_200)
def test_goal_memory_agrees_with_a_brute_force_oracle_at_length(sqlite_template):
    run_machine(sqlite_template, 10_000)
