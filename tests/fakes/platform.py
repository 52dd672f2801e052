"""A chat platform called `telegram` as the delivery tests need it: people, places, and rules that fire there."""

from dataclasses import replace

from core.services.create_intent import CreateIntent
from core.services.dispatch import ClaimParcels
from core.services.receive_turn import ReceiveTurn
from core.turn import Principal, Where
from tests.builders import a_draft, a_turn, an_owner

LOGIN = ("telegram", "bot")
ADA, BOB = Principal(*LOGIN, "ada"), Principal(*LOGIN, "bob")
GROUP = Where(*LOGIN, "group", "group", "group")


def topic(name):
    return replace(GROUP, conversation=name)


def a_chat(name):
    return Where(*LOGIN, name, name, name)


def create(ctx, where=GROUP, who=ADA, **fields):
    return CreateIntent(ctx)(a_draft(**fields), an_owner(who), where, "created")


def fire(ctx, where=GROUP, who=BOB, **fields):
    """Say what fires one rule; its reminder."""
    turn = a_turn(at=ctx.clock.now(), where=where, sender=who, **fields)
    [reminder] = ReceiveTurn(ctx)(turn).fires
    return reminder


def claim(ctx, limit=9, busy=frozenset()):
    return ClaimParcels(ctx)(*LOGIN, busy, limit)


def claim_one(ctx):
    [parcel] = claim(ctx)
    return parcel


def item_of(ctx, item_id):
    with ctx.store.read() as tx:
        return tx.outbox.get(item_id)


def fire_of(ctx, fire_id):
    with ctx.store.read() as tx:
        return tx.fires.get(fire_id)


def operations(ctx, intent):
    with ctx.store.read() as tx:
        return [row.op_type for row in reversed(tx.operations.of_target(intent.id, 99))]


def owed(ctx, who):
    with ctx.store.read() as tx:
        return [item.kind for item in tx.outbox.owed(who, 99)]
