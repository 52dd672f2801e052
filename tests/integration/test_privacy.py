"""What anybody may know of a place, counted on a real store."""

import pytest

from core.services.change_intent import CancelIntent, PauseIntent
from core.services.context import Context
from core.services.create_intent import CreateIntent
from core.services.privacy import ReadPrivacy, Watched
from core.turn import Visibility
from tests.builders import ADA, BOB, HOME, NOW, a_draft, a_place, an_owner

DIRECT = a_place("dm", space="dm", visibility=Visibility.DIRECT)
SECRET = a_place("secret", visibility=Visibility.PRIVATE)


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return Context(store, clock, ids)


def create(ctx, triggers, where=HOME, **fields):
    return CreateIntent(ctx)(a_draft(triggers, **fields), an_owner(), where, "made")


def test_a_place_that_nobody_ever_named_has_none(ctx):
    assert ReadPrivacy(ctx)(BOB, HOME) == Watched(0, 0, 0)


def test_it_counts_what_is_awake_what_listens_to_anyone_and_what_to_whoever_asks(ctx):
    create(ctx, "one")
    create(ctx, "two", anyone=False, sender=BOB, sender_name="Bob")
    create(ctx, "three", anyone=False)
    assert ReadPrivacy(ctx)(BOB, HOME) == Watched(3, 1, 1)
    assert ReadPrivacy(ctx)(ADA, HOME) == Watched(3, 1, 1)
    assert ReadPrivacy(ctx)(None, HOME) == Watched(3, 1, 0)


def test_what_sleeps_or_is_over_is_not_counted(ctx):
    PauseIntent(ctx)(create(ctx, "one").handle, an_owner(), HOME)
    CancelIntent(ctx)(create(ctx, "two").handle, an_owner(), HOME)
    assert ReadPrivacy(ctx)(BOB, HOME) == Watched(0, 0, 0)
    create(ctx, "three")
    assert ReadPrivacy(ctx)(BOB, HOME) == Watched(1, 1, 0)


def test_all_channels_of_a_space_count_and_nothing_crosses_a_namespace(ctx):
    create(ctx, "one")
    create(ctx, "two", a_place("ops"))
    create(ctx, "three", SECRET)
    create(ctx, "four", DIRECT)
    create(ctx, "five", a_place(space="elsewhere"))
    assert ReadPrivacy(ctx)(BOB, HOME).rules == 2
    assert ReadPrivacy(ctx)(BOB, SECRET).rules == 1
    assert ReadPrivacy(ctx)(BOB, DIRECT).rules == 1
