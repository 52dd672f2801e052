"""What is made of a namespace's goals is remembered until something in it changes, on both databases."""

import pytest

from core.services.context import Context
from core.services.goal_moves import CompleteGoal
from storage.memory import GoalMemory
from storage.repositories import goal_memories
from tests.builders import HOME, NOW, an_owner
from tests.builders_goals import VAULT, add


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return Context(store, clock, ids)


class Made:
    """Makes something new of a namespace each time, and counts how often."""

    def __init__(self):
        self.times = 0

    def __call__(self, known):
        self.times += 1
        return self.times, known


def remembered(ctx, made, row):
    with ctx.store.read() as tx:
        return tx.goals.remembered(row.namespace_id, made)


def test_it_is_made_once_and_again_after_a_change_of_that_namespace_alone(ctx):
    made, row = Made(), add(ctx)
    assert [remembered(ctx, made, row)[0] for _ in range(2)] == [1, 1]
    add(ctx, where=VAULT)
    assert remembered(ctx, made, row)[0] == 1
    add(ctx, "Pay the vendor")
    assert remembered(ctx, made, row)[0] == 2


def test_what_a_transaction_writes_is_not_remembered(ctx):
    made, row = Made(), add(ctx)
    with ctx.store.write() as tx:
        tx.goals.forget(row.namespace_id)
        assert tx.goals.remembered(row.namespace_id, made)[0] == 1
    assert remembered(ctx, made, row)[0] == 2
    assert remembered(ctx, made, row)[0] == 2


@pytest.mark.parametrize(("namespaces", "made_again"), [(2, False), (3, True)])
def test_so_many_namespaces_are_remembered_and_the_least_used_goes(namespaces, made_again):
    memory, made = GoalMemory(size=2), Made()
    for number in range(namespaces):
        memory.remembered(str(number), 1, made, lambda: None)
    memory.remembered("0", 1, made, lambda: None)
    assert made.times == namespaces + made_again


@pytest.mark.parametrize("more", [0, 1])
def test_the_newest_summaries_can_be_recalled(ctx, clock, monkeypatch, more):
    monkeypatch.setattr(goal_memories, "KEPT", 2)
    rows = []
    for number in range(2 + more):
        rows.append(add(ctx, f"goal {number}"))
        CompleteGoal(ctx)(rows[-1].handle, an_owner(), HOME)
        clock.advance(seconds=1)
    _, known = remembered(ctx, Made(), rows[0])
    assert [one.intent_handle for one in known.summaries] == [row.handle for row in rows[::-1][:2]]
