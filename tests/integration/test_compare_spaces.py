"""Spaces that a bot was removed from, or added to again, while it was away, on a real store."""

from dataclasses import replace

import pytest

from core.services.audit import VerifyAudit
from core.services.context import Context
from core.services.end_space import CompareSpaces, EndSpace
from core.services.left import left_at
from core.services.notices import TakeNotices
from core.services.read_intents import ShowIntent
from core.turn import ADMIN, SYSTEM, Visibility, Where
from tests.builders import NOW
from tests.fakes.chats import ADA, create, fired, hear

HERE = Where("discord", "99", "1", "10", "10")
THERE = Where("discord", "99", "2", "20", "20")
OTHER_LOGIN = replace(HERE, account="98", space="3", channel="30", conversation="30")
OTHER_PLATFORM = replace(HERE, provider="telegram", space="4", channel="4", conversation="4")
DIRECT = Where("discord", "99", "5", "5", "5", Visibility.DIRECT)
VAULT = replace(HERE, channel="11", conversation="11", visibility=Visibility.PRIVATE)


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return Context(store, clock, ids)


@pytest.fixture(autouse=True)
def chains_hold(ctx):
    yield
    assert all(report.bad is None and not report.why for report in VerifyAudit(ctx)())


def compare(ctx, *here):
    return CompareSpaces(ctx)("discord", "99", frozenset(here))


def status(ctx, *rows):
    return [str(ShowIntent(ctx)(one.handle, ADMIN, None).intent.status) for one in rows]


def left(ctx, row):
    with ctx.store.read() as tx:
        return left_at(tx, row.space)


def test_a_space_that_is_gone_is_ended_and_every_other_one_stays(ctx):
    gone, hidden, stays = create(ctx, HERE), create(ctx, VAULT), create(ctx, THERE)
    others = [create(ctx, where) for where in (OTHER_LOGIN, OTHER_PLATFORM, DIRECT)]
    assert compare(ctx, "2") == (("1",), ())
    assert status(ctx, gone, hidden, stays, *others) == ["pending"] * 2 + ["armed"] * 4
    assert left(ctx, gone) == NOW
    assert not any(left(ctx, one) for one in (stays, *others))
    assert fired(hear(ctx, HERE, "m-1")) == []
    assert fired(hear(ctx, THERE, "m-2")) == [stays.handle]


def test_what_was_ended_is_ended_once(ctx, clock):
    gone = create(ctx, HERE)
    compare(ctx)
    clock.advance(clock.now() - NOW + ctx.limits.turn_max_age)
    assert compare(ctx) == ((), ())
    assert left(ctx, gone) == NOW


def test_a_space_that_is_back_is_not_left_any_more_and_its_rules_rest(ctx):
    row = create(ctx, HERE)
    EndSpace(ctx)(HERE, SYSTEM)
    assert compare(ctx, "1") == ((), ("1",))
    assert left(ctx, row) is None
    assert status(ctx, row) == ["pending"]
    assert compare(ctx, "1") == ((), ())


def test_several_spaces_end_and_return_at_once(ctx):
    for number in range(4):
        create(ctx, replace(HERE, space=str(number), channel=f"1{number}", conversation=f"1{number}"))
    assert compare(ctx, "2", "3") == (("0", "1"), ())
    ended, returned = compare(ctx, "0", "1", "2")
    assert (ended, sorted(returned)) == (("3",), ["0", "1"])


def test_a_space_of_which_nothing_is_stored_is_none_of_ours(ctx):
    assert compare(ctx, "1", "2") == ((), ())
    create(ctx, HERE)
    assert compare(ctx, "1", "2") == ((), ())


def test_nobody_is_told(ctx):
    create(ctx, HERE)
    compare(ctx)
    assert TakeNotices(ctx)(ADA) is None
