"""Whose rules are live in a space, on a real store."""

from dataclasses import replace

import pytest

from core.services.change_intent import PauseIntent
from core.services.context import Context
from core.services.live_creators import LiveCreators
from core.turn import Visibility
from tests.builders import NOW
from tests.fakes.chats import ADA, BOB, ELSEWHERE, OLD, create, owner

VAULT = replace(OLD, channel="vault", conversation="vault", visibility=Visibility.PRIVATE)


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return Context(store, clock, ids)


def test_everybody_with_an_armed_or_quiet_rule_is_named_once_and_nobody_else(ctx):
    assert LiveCreators(ctx)(OLD) == ()
    create(ctx, OLD, ADA, message="ADAOLD")
    create(ctx, VAULT, ADA, message="ADAVAULT")
    made = create(ctx, OLD, BOB, message="BOBOLD")
    create(ctx, ELSEWHERE, BOB, message="BOBELSEWHERE")
    assert set(LiveCreators(ctx)(OLD)) == {ADA, BOB}
    PauseIntent(ctx)(made.handle, owner(BOB), OLD)
    assert LiveCreators(ctx)(OLD) == (ADA,)
