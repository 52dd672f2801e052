"""How many statements a turn takes: constant for what is read, and so many for each fire."""

from collections import Counter
from datetime import timedelta

import pytest

from core.services.context import Context
from core.services.create_intent import CreateIntent
from core.services.receive_turn import ReceiveTurn
from core.standing.intent import CooldownPer, Deliver
from storage.link import Link
from storage.repositories import fires, intents, operations, places
from tests.builders import ADA, BOB, HOME, NOW, a_draft, a_place, a_turn, an_owner

WRITES_A_FIRE = 5
"""The receipt, the intent, the outbox row, the operation and the head of its chain."""

MOST_OFTEN = 3
"""A turn looks, looks again under the lock, and resolves the conversation, its channel and its space."""


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return Context(store, clock, ids)


@pytest.fixture
def statements(monkeypatch):
    """Every statement that is run, reads and writes."""
    seen: list[object] = []
    for name in ("rows", "run", "run_each"):
        plain = getattr(Link, name)
        monkeypatch.setattr(
            Link, name, lambda link, text, *more, plain=plain: seen.append(text) or plain(link, text, *more)
        )
    return seen


def make(ctx, number, **fields):
    ctx.clock.advance(timedelta(milliseconds=1))
    draft = a_draft(f"launch word{number}; launch checklist", f"Do thing {number}.", cooldown=timedelta(0), **fields)
    return CreateIntent(ctx)(draft, an_owner(ADA if number % 2 else BOB), HOME, "made")


def hear(ctx, text, where=HOME):
    ctx.clock.advance(timedelta(minutes=1))
    return ReceiveTurn(ctx)(a_turn(text, at=ctx.clock.now(), where=where))


def test_a_turn_without_a_hit_in_a_known_place_takes_one_statement(ctx, statements):
    make(ctx, 1)
    for _ in range(2):
        hear(ctx, "nothing to see")
    statements.clear()
    assert hear(ctx, "nothing to see here either").candidates == 0
    assert statements == [places.SCOPES]


def test_a_turn_in_an_unknown_place_takes_a_handful(ctx, statements):
    make(ctx, 1)
    statements.clear()
    hear(ctx, "nothing to see", a_place("elsewhere"))
    assert len(statements) <= 4


@pytest.mark.parametrize("deliver", [Deliver.HERE, Deliver.DIRECT])
@pytest.mark.parametrize("per", list(CooldownPer))
def test_what_is_read_does_not_grow_with_the_rules_that_are_hit(ctx, statements, per, deliver):
    taken = []
    for number in range(1, 7):
        made = make(ctx, number, cooldown_per=per, max_fires=1_000, deliver=deliver)
        hear(ctx, "nothing")
        statements.clear()
        outcome = hear(ctx, f"the launch checklist of word{number}")
        assert outcome.candidates == number
        assert len(outcome.fires) == min(number, 3), made
        taken.append((len(outcome.fires), Counter(statements)))
    reads = [
        {text: count for text, count in seen.items() if text.sqlite.startswith(("SELECT", "WITH"))} for _, seen in taken
    ]
    assert len({len(seen) for seen in reads[2:]}) == 1
    assert all(seen[intents.BY_KEYS] == 2 and seen[fires.OF_MESSAGE] == 2 for seen in reads), "one look, one under lock"
    looped = {text.sqlite for seen in reads for text, count in seen.items() if count > MOST_OFTEN}
    expected = {operations.LOCKED_HEAD.sqlite, places.PRINCIPAL.sqlite}
    assert looped <= expected, "the head of a chain moves with each fire; of people each is looked up once"
    assert all(seen[places.PRINCIPAL] <= 4 for seen in reads if places.PRINCIPAL in seen)
    writes = [sum(seen.values()) - sum(read.values()) for (_, seen), read in zip(taken, reads, strict=True)]
    assert writes[1:] == [WRITES_A_FIRE * count for count, _ in taken[1:]]
