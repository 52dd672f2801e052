"""What waits for what: circles and limits are refused as they are written."""

from datetime import timedelta

import pytest

from core.errors import InvalidInput, LimitExceeded, NotFound
from core.goals.dependencies import DependencyCycle
from core.limits import LIMITS
from core.operations.log import OpType
from core.services.answer_goal import Answer, AnswerDependency
from core.services.goal_edges import DependGoal, FreeGoal
from core.services.goal_moves import CancelGoal, CompleteGoal, HoldGoal
from core.services.read_goals import GraphGoals, ListGoals, ShowGoal
from core.services.supersede_goal import SupersedeGoal
from tests.builders import HOME, NOW, an_owner
from tests.builders_goals import (
    AWAY,
    OVER,
    VAULT,
    a_chain,
    a_goal,
    add,
    close,
    dependents,
    due,
    edges,
    handles,
    log_length,
    operations,
    payloads,
    prerequisites,
    propose,
    refused,
)
from tests.fakes.reminding import a_context


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return a_context(store, clock, ids)


def depend(ctx, row, *others, blocks=False):
    return DependGoal(ctx)(row.handle, tuple(one.handle for one in others), an_owner(), HOME, blocks=blocks)


def test_depends_on_and_blocks_are_one_edge_read_both_ways(ctx):
    one, two, three = (add(ctx, name) for name in ("one", "two", "three"))
    depend(ctx, two, one)
    depend(ctx, two, three, blocks=True)
    view = ShowGoal(ctx)(two.handle, an_owner(), HOME)
    assert handles(view.depends_on) == [one.handle]
    assert handles(view.blocks) == [three.handle]
    assert set(edges(ctx)) == {(two.id, one.id), (three.id, two.id)}
    assert ListGoals(ctx)(an_owner(), HOME).waits == {two.id: (one.handle,), three.id: (two.handle,)}


def test_an_edge_is_one_relate_and_the_same_again_is_nothing(ctx):
    one, two = add(ctx, "one"), add(ctx, "two")
    depend(ctx, two, one)
    length = log_length(ctx)
    depend(ctx, two, one, one)
    depend(ctx, one, two, blocks=True)
    assert log_length(ctx) == length
    assert operations(ctx, two).count("RELATE") == 1
    assert payloads(ctx, two, OpType.RELATE)[0]["edge"] == [two.id, one.id]


def test_an_edge_taken_away_is_one_unrelate(ctx):
    one, two = add(ctx, "one"), add(ctx, "two", depends_on=())
    depend(ctx, two, one)
    FreeGoal(ctx)(two.handle, (one.handle,), an_owner(), HOME)
    assert edges(ctx) == ()
    assert operations(ctx, two).count("UNRELATE") == 1
    refused(ctx, InvalidInput, lambda: FreeGoal(ctx)(two.handle, (one.handle,), an_owner(), HOME))


def test_what_a_new_one_waits_for_and_blocks_is_there_from_the_start(ctx):
    one, three = add(ctx, "one"), add(ctx, "three")
    two = add(ctx, "two", depends_on=(one.handle, one.handle), blocks=(three.handle,))
    assert (prerequisites(ctx, two), dependents(ctx, two)) == ([one.handle], [three.handle])


def test_a_new_one_that_would_close_a_circle_is_not_made(ctx):
    one, two = add(ctx, "one"), add(ctx, "two")
    depend(ctx, two, one)
    error = refused(ctx, DependencyCycle, lambda: add(ctx, "three", depends_on=(two.handle,), blocks=(one.handle,)))
    assert len(error.details["path"]) == 4
    assert ListGoals(ctx)(an_owner(), HOME).total == 2


# circles


def test_nothing_waits_for_itself(ctx):
    row = add(ctx)
    for blocks in (False, True):
        error = refused(ctx, DependencyCycle, lambda blocks=blocks: depend(ctx, row, row, blocks=blocks))
        assert error.details["path"] == (row.handle, row.handle)


def test_a_circle_of_two_is_refused_with_its_path(ctx):
    one, two = add(ctx, "one"), add(ctx, "two")
    depend(ctx, two, one)
    error = refused(ctx, DependencyCycle, lambda: depend(ctx, one, two))
    assert error.details["path"] == (one.handle, two.handle, one.handle)
    assert f"{one.handle} → {two.handle} → {one.handle}" in error.sentence


def test_a_circle_through_both_readings_is_refused(ctx):
    one, two, three = (add(ctx, name) for name in ("one", "two", "three"))
    depend(ctx, two, one)  # two waits for one
    depend(ctx, two, three, blocks=True)  # three waits for two
    error = refused(ctx, DependencyCycle, lambda: depend(ctx, three, one, blocks=True))
    assert error.details["path"] == (one.handle, three.handle, two.handle, one.handle)


def test_a_circle_of_ten_is_refused_with_the_whole_way_and_before_the_limit(ctx):
    chain = a_chain(ctx, 10)
    error = refused(ctx, DependencyCycle, lambda: depend(ctx, chain[0], chain[-1]))
    way = [one.handle for one in reversed(chain)]
    assert list(error.details["path"]) == [chain[0].handle, *way]
    assert " → ".join([chain[0].handle, *way]) in error.sentence


def test_a_circle_through_what_is_over_is_one_too(ctx):
    one, two, three = a_chain(ctx, 3)
    CancelGoal(ctx)(two.handle, an_owner(), HOME)
    refused(ctx, DependencyCycle, lambda: depend(ctx, one, three))


def test_a_circle_is_reported_before_a_crowd(ctx):
    first = add(ctx, "first")
    crowd = [add(ctx, f"later {n}", depends_on=(first.handle,)) for n in range(LIMITS.goal_dependents)]
    refused(ctx, DependencyCycle, lambda: depend(ctx, first, crowd[0]))
    refused(ctx, DependencyCycle, lambda: depend(ctx, first, first))


def test_a_diamond_is_fine(ctx):
    top = add(ctx, "top")
    left, right = (add(ctx, name, depends_on=(top.handle,)) for name in ("left", "right"))
    bottom = add(ctx, "bottom", depends_on=(left.handle, right.handle))
    assert len(edges(ctx)) == 4
    assert handles(GraphGoals(ctx)(an_owner(), HOME, bottom.handle).nodes) == handles([top, left, right, bottom])


# limits


def test_ten_in_a_row_may_wait_and_an_eleventh_may_not(ctx):
    chain = a_chain(ctx, LIMITS.goal_depth)
    extra = add(ctx, "extra")
    error = refused(ctx, LimitExceeded, lambda: depend(ctx, extra, chain[-1]))
    assert (error.details["name"], error.details["used"], error.details["limit"]) == ("goal_depth", 11, 10)
    refused(ctx, LimitExceeded, lambda: depend(ctx, chain[0], extra))
    depend(ctx, extra, chain[-2])


def test_two_rows_that_meet_in_the_middle_are_counted_together(ctx):
    low, high = a_chain(ctx, 5, "low"), a_chain(ctx, 6, "high")
    refused(ctx, LimitExceeded, lambda: depend(ctx, high[0], low[-1]))
    CompleteGoal(ctx)(low[0].handle, an_owner(), HOME)
    depend(ctx, high[0], low[-1])  # only what is open counts


def test_twenty_may_wait_for_one_and_a_twenty_first_may_not(ctx):
    first = add(ctx, "first")
    crowd = [add(ctx, f"later {n}", depends_on=(first.handle,)) for n in range(LIMITS.goal_dependents)]
    extra = add(ctx, "extra")
    error = refused(ctx, LimitExceeded, lambda: depend(ctx, extra, first))
    assert (error.details["name"], error.details["used"]) == ("goal_dependents", 21)
    HoldGoal(ctx)(crowd[0].handle, an_owner(), HOME)
    refused(ctx, LimitExceeded, lambda: depend(ctx, extra, first))
    CompleteGoal(ctx)(crowd[1].handle, an_owner(), HOME, early=True)
    depend(ctx, extra, first)


def test_one_may_wait_for_fifty_and_not_for_fifty_one(ctx):
    rows = [add(ctx, f"first {n}") for n in range(LIMITS.goal_prerequisites)]
    last = add(ctx, "last", depends_on=tuple(row.handle for row in rows))
    extra = add(ctx, "extra")
    error = refused(ctx, LimitExceeded, lambda: depend(ctx, last, extra))
    assert (error.details["name"], error.details["used"]) == ("goal_prerequisites", 51)
    CancelGoal(ctx)(rows[0].handle, an_owner(), HOME)
    ask = AnswerDependency(ctx)
    ask(last.handle, Answer.REPLACE, an_owner(), HOME, replacement=extra.handle)  # one goes, one comes
    assert extra.handle in prerequisites(ctx, last)


def test_a_full_dependent_moves_to_the_successor_all_the_same(ctx):
    rows = [add(ctx, f"first {n}") for n in range(LIMITS.goal_prerequisites)]
    last = add(ctx, "last", depends_on=tuple(row.handle for row in rows))
    done = SupersedeGoal(ctx)(rows[0].handle, a_goal("instead"), an_owner(), HOME)
    assert handles(done.moved) == [last.handle]
    assert len(prerequisites(ctx, last)) == LIMITS.goal_prerequisites


# namespaces and states


@pytest.mark.parametrize("where", [AWAY, VAULT])
@pytest.mark.parametrize("operator", [False, True])
def test_an_edge_out_of_the_namespace_looks_as_if_there_were_nothing(ctx, where, operator):
    row, foreign = add(ctx), add(ctx, "elsewhere", where=where)
    actor = an_owner(is_operator=operator)

    def link(handle):
        return refused(ctx, NotFound, lambda: DependGoal(ctx)(row.handle, (handle,), actor, HOME))

    hidden, absent = link(foreign.handle), link("g-zzzz")
    assert hidden.sentence.replace(foreign.handle, "g-zzzz") == absent.sentence
    assert hidden.hint == absent.hint
    refused(ctx, NotFound, lambda: FreeGoal(ctx)(row.handle, (foreign.handle,), actor, HOME))
    refused(ctx, NotFound, lambda: add(ctx, "new", depends_on=(foreign.handle,)))


@pytest.mark.parametrize("state", OVER)
@pytest.mark.parametrize("blocks", [False, True])
def test_nothing_new_is_tied_to_what_is_over(ctx, state, blocks):
    row = add(ctx, "closed")
    other = add(ctx, "open")
    close(ctx, row, state)
    refused(ctx, InvalidInput, lambda: depend(ctx, other, row, blocks=blocks))


def test_nothing_new_is_tied_to_what_is_overdue_before_the_heartbeat_comes(ctx):
    row, other = add(ctx, "late", due=due(ctx, timedelta(hours=1))), add(ctx, "open")
    ctx.clock.advance(hours=1)
    refused(ctx, InvalidInput, lambda: depend(ctx, other, row))


def test_nothing_waits_for_a_proposal(ctx):
    """What a machine proposed has no effect before somebody said yes to it."""
    row, other = propose(ctx), add(ctx, "open")
    refused(ctx, InvalidInput, lambda: depend(ctx, other, row))
    refused(ctx, InvalidInput, lambda: depend(ctx, row, other))
