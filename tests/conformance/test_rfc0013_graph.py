"""RFC-0013, row 31: a layered graph of 1 000 intents and 5 000 edges, and 100 edges that would close a circle."""

import random
from itertools import pairwise

import pytest

from core.goals.dependencies import DependencyCycle
from core.limits import LIMITS
from core.services.goal_edges import DependGoal
from tests.builders import HOME, an_owner
from tests.builders_goals import add, edges, log_length
from tests.property.goal_oracle import World


def layered(ctx, nodes, count, rng):
    """Ten layers; each intent waits for some of the layer before, none has more than its share of dependents."""
    layers = [[add(ctx, f"node {n}") for n in range(nodes // 10)] for _ in range(10)]
    free = [(late, early) for first, then in pairwise(layers) for late in then for early in first]
    rng.shuffle(free)
    crowd, made = {}, []
    for late, early in free:
        if len(made) < count and crowd.get(early.id, 0) < LIMITS.goal_dependents:
            crowd[early.id] = crowd.get(early.id, 0) + 1
            made.append((late, early))
    assert len(made) == count
    return made


def below(made, start):
    """Ids of all that one waits for, at any distance."""
    near = {}
    for late, early in made:
        near.setdefault(late.id, []).append(early)
    found, stack = {}, [start]
    while stack:
        for early in near.get(stack.pop().id, []):
            if early.id not in found:
                found[early.id] = early
                stack.append(early)
    return list(found.values())


def checked(ctx, nodes, count, circles):
    rng = random.Random(31)
    made = layered(ctx, nodes, count, rng)
    for late in {late.id: late for late, _ in made}.values():
        wanted = tuple(early.handle for one, early in made if one.id == late.id)
        DependGoal(ctx)(late.handle, wanted, an_owner(), HOME)
    before, length, refused = edges(ctx), log_length(ctx), 0
    while refused < circles:
        late = rng.choice(made)[0]
        early = rng.choice(below(made, late))
        with pytest.raises(DependencyCycle) as error:
            DependGoal(ctx)(early.handle, (late.handle,), an_owner(), HOME)
        path = error.value.details["path"]
        assert path[0] == path[-1] == early.handle
        refused += 1
    assert (edges(ctx), log_length(ctx)) == (before, length)
    assert len(before) == count
    assert World(0, 0, 0).is_acyclic(list(before))


def test_r31_just_the_edges_that_close_a_circle_are_refused(ctx):
    checked(ctx, 100, 400, 20)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_r31_of_a_thousand_nodes_and_five_thousand_edges_just_the_hundred_circles_are_refused(ctx):
    checked(ctx, 1_000, 5_000, 100)
