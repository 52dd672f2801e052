"""One person has one live rule for the same words, place and sender."""

from dataclasses import replace
from datetime import timedelta

import pytest

from core.errors import InvalidInput
from core.services.change_intent import CancelIntent, EditIntent, PauseIntent
from core.services.context import Context
from core.services.create_intent import CreateIntent, ProposeIntent
from core.services.read_intents import ListIntents
from core.services.receive_turn import ReceiveTurn
from core.standing.intent import Change, ChannelScope
from core.turn import ADMIN, Visibility
from tests.builders import ADA, BOB, HOME, NOW, a_draft, a_place, a_turn, an_owner

AWAY = replace(HOME, space="away")
VAULT = a_place("vault", visibility=Visibility.PRIVATE)


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return Context(store, clock, ids)


def create(ctx, triggers="launch checklist\nrelease", where=HOME, who=ADA, **fields):
    return CreateIntent(ctx)(a_draft(triggers, **fields), an_owner(who), where, "created")


def refused(ctx, row, triggers="launch checklist\nrelease", where=HOME, **fields):
    """Both the proposal and the creation name the other rule; nothing is stored."""
    before = ListIntents(ctx)(ADMIN, None).total
    for use_case in (ProposeIntent(ctx), CreateIntent(ctx)):
        with pytest.raises(InvalidInput) as refusal:
            use_case(a_draft(triggers, **fields), an_owner(), where)
        assert refusal.value.details == {"handle": row.handle}
        assert f"/intent edit {row.handle}" in refusal.value.hint
    assert ListIntents(ctx)(ADMIN, None).total == before


@pytest.mark.parametrize(
    "again",
    [
        "launch checklist\nrelease",
        "release; LAUNCH checklist",
        "Checklist launch\nRelease",
    ],
)
@pytest.mark.parametrize("forms, forms_again", [(True, True), (True, False), (False, True), (False, False)])
@pytest.mark.parametrize("scope", [ChannelScope.CHANNEL, ChannelScope.SPACE])
def test_the_same_words_again_are_refused_with_the_name_of_the_rule(ctx, again, forms, forms_again, scope):
    row = create(ctx, word_forms=forms, channel_scope=scope)
    refused(ctx, row, again, word_forms=forms_again, channel_scope=scope, description="Something else.")


@pytest.mark.parametrize(
    "first, again",
    [
        ("caf\u00e9", "cafe\u0301"),
        ("STRASSE", "stra\u00dfe"),
        ("roll-back owner", "Owner Roll-Back"),
        ('"release candidate"', '"Release, candidate"'),
        ("deploy -staging", "DEPLOY -Staging"),
        ("deploys", "Deploys"),
    ],
)
def test_words_are_compared_folded(ctx, first, again):
    refused(ctx, create(ctx, first), again)
    refused(ctx, create(ctx, first, channel_scope=ChannelScope.CONVERSATION), again, channel_scope="conversation")


def test_other_words_places_senders_and_people_are_no_duplicates(ctx):
    create(ctx)
    create(ctx, "launch checklist")
    create(ctx, "launch checklist\nrelease\nbudget")
    create(ctx, who=BOB)
    create(ctx, where=a_place("ops"))
    create(ctx, where=AWAY)
    create(ctx, where=VAULT)
    create(ctx, channel_scope=ChannelScope.SPACE)
    create(ctx, channel_scope=ChannelScope.CONVERSATION)
    create(ctx, anyone=False)
    create(ctx, anyone=False, sender=BOB, sender_name="Bob")
    assert ListIntents(ctx)(ADMIN, None, size=50).total == 11


def test_a_person_whom_nobody_knows_yet_is_not_anyone(ctx):
    create(ctx)
    ProposeIntent(ctx)(a_draft("launch checklist\nrelease", anyone=False, sender=BOB), an_owner(), HOME)


def test_in_a_private_channel_its_space_is_the_channel_itself(ctx):
    refused(ctx, create(ctx, where=VAULT), where=VAULT, channel_scope=ChannelScope.SPACE)


def test_a_rule_in_its_quiet_time_counts(ctx):
    row = create(ctx)
    assert ReceiveTurn(ctx)(a_turn(at=ctx.clock.now())).fires
    refused(ctx, row)


def test_a_rule_that_is_paused_cancelled_spent_or_over_is_no_hindrance(ctx, clock):
    PauseIntent(ctx)(create(ctx).handle, an_owner(), HOME)
    CancelIntent(ctx)(create(ctx).handle, an_owner(), HOME)
    create(ctx, max_fires=1)
    assert ReceiveTurn(ctx)(a_turn(at=ctx.clock.now())).fires
    create(ctx, expires_in=timedelta(hours=1))
    clock.advance(timedelta(hours=1))
    create(ctx)


def test_an_edit_cannot_make_one_either(ctx):
    row = create(ctx)
    other = create(ctx, "budget")
    mine = create(ctx, anyone=False)
    for handle, change in (
        (other.handle, Change(triggers="RELEASE\nlaunch checklist")),
        (mine.handle, Change(anyone=True)),
    ):
        with pytest.raises(InvalidInput) as refusal:
            EditIntent(ctx)(handle, change, an_owner(), HOME)
        assert refusal.value.details == {"handle": row.handle}
    assert EditIntent(ctx)(row.handle, Change(triggers="release; Launch checklist"), an_owner(), HOME)
    assert EditIntent(ctx)(other.handle, Change(description="Look."), an_owner(), HOME).description == "Look."


def test_the_rules_of_the_creator_count_when_another_owner_edits(ctx):
    row = create(ctx)
    other = create(ctx, "budget")
    create(ctx, "plan", who=BOB)
    with pytest.raises(InvalidInput) as refusal:
        EditIntent(ctx)(other.handle, Change(triggers="launch checklist; release"), an_owner(BOB), HOME)
    assert refusal.value.details == {"handle": row.handle}
