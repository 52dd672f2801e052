"""Trying a draft or a stored rule on what was said: what is looked at, and that nothing is stored."""

from dataclasses import replace
from datetime import timedelta

import pytest

from core.errors import InvalidInput, InvalidTrigger, NotAllowed, NotFound
from core.limits import LIMITS
from core.services.change_intent import CancelIntent
from core.services.context import Context
from core.services.create_intent import CreateIntent
from core.services.mute import MutePlace
from core.services.preview_intent import PreviewIntent
from core.services.receive_turn import ReceiveTurn
from core.services.space_settings import ChangeSetting
from core.settings import Setting
from core.standing.gates import Reason
from core.standing.intent import ChannelScope, CooldownPer, Deliver, Priority
from core.standing.preview import Past
from core.turn import PlaceKind, Visibility
from tests.builders import ADA, BOB, HOME, NOW, a_draft, a_member, a_place, a_turn, an_owner

HOUR = timedelta(hours=1)
VAULT = a_place("vault", visibility=Visibility.PRIVATE)


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return Context(store, clock, ids)


def heard(*texts, where=HOME, **turn):
    """Messages of the last days."""
    start = NOW - timedelta(days=4)
    return [a_turn(text, start + number * HOUR, where=where, **turn) for number, text in enumerate(texts)]


def heads(ctx):
    with ctx.store.read() as tx:
        return {name: tx.operations.head(name) for name in tx.operations.namespaces()}


def preview(ctx, what, history, actor=None, where=HOME):
    return PreviewIntent(ctx)(what, actor or an_owner(), where, history)


def test_t137_a_draft_would_have_fired_3_times_with_cooldown_counted_in(ctx):
    start = NOW - timedelta(days=7)
    history = [a_turn(f"deploy fail {hour}", start + hour * HOUR) for hour in range(0, 64, 8)]
    found = preview(ctx, a_draft("deploy fail", max_fires=9), history)
    assert (len(found.preview.hits), len(found.preview.held_back)) == (3, 5)
    assert found.preview.since == start


def test_t139_the_sample_is_one_reminder_for_its_maker_and_charges_nothing(ctx):
    made = CreateIntent(ctx)(a_draft(), an_owner(), HOME, "created")
    before = heads(ctx)
    found = preview(ctx, made.handle, heard("the launch checklist", sender=BOB))
    assert (found.sample.number, found.sample.max_fires, found.sample.handle) == (1, 3, made.handle)
    assert (found.sample.creator, found.sample.sender) == (ADA, BOB)
    assert heads(ctx) == before
    [reminder] = ReceiveTurn(ctx)(a_turn("the launch checklist")).fires
    assert reminder.number == 1


@pytest.mark.parametrize("where", [HOME, a_place("ops", "rollout"), VAULT, replace(HOME, visibility=Visibility.DIRECT)])
@pytest.mark.parametrize("known", [False, True])
def test_a_place_need_not_be_known_to_the_store(ctx, where, known):
    if known:
        CreateIntent(ctx)(a_draft("other words"), an_owner(), where, "created")
    for scope in (ChannelScope.CONVERSATION, ChannelScope.CHANNEL, ChannelScope.SPACE):
        found = preview(ctx, a_draft(channel_scope=scope), heard("launch checklist", where=where), where=where)
        assert len(found.preview.hits) == 1
        assert not found.preview.elsewhere


def test_the_draft_is_tried_as_the_row_that_is_stored_for_it(ctx):
    draft = a_draft(
        "launch checklist; plan",
        anyone=False,
        sender=BOB,
        sender_name="Bob",
        channel_scope=ChannelScope.SPACE,
        max_fires=7,
        cooldown=HOUR,
        cooldown_per=CooldownPer.SENDER,
        priority=Priority.HIGH,
        word_forms=False,
        on_edits=True,
        deliver=Deliver.DIRECT,
        except_in=(a_place("ops"), a_place("dev", "talk")),
    )
    for place in (HOME, *draft.except_in):
        CreateIntent(ctx)(a_draft("other words"), an_owner(), place, "created")
    tried = preview(ctx, draft, ()).intent
    made = CreateIntent(ctx)(draft, an_owner(), HOME, "created")
    named = {"id": made.id, "handle": made.handle, "description_id": made.description_id, "key": made.key}
    assert replace(tried, **named, armed_at=made.armed_at, source_message_id="created") == made


@pytest.mark.parametrize("known", [False, True])
def test_an_exception_for_here_counts_whether_or_not_the_place_is_stored(ctx, known):
    thread = a_place("general", "rollout")
    if known:
        CreateIntent(ctx)(a_draft("other words"), an_owner(), thread, "created")
    said = heard("launch checklist", where=thread)
    for quiet, held in ((HOME, 1), (thread, 1), (a_place("general", "other"), 0), (a_place("ops"), 0)):
        found = preview(ctx, a_draft(except_in=(quiet,)), said, where=thread).preview
        assert [one.reason for one in found.held_back] == [Reason.EXCEPTED] * held
        assert len(found.hits) == 1 - held


def test_a_mute_in_force_applies(ctx):
    MutePlace(ctx)(PlaceKind.CHANNEL, None, an_owner(), HOME)
    found = preview(ctx, a_draft(), heard("launch checklist")).preview
    assert [one.reason for one in found.held_back] == [Reason.MUTED]


def test_messages_of_other_places_are_dropped(ctx):
    made = CreateIntent(ctx)(a_draft(channel_scope=ChannelScope.SPACE), an_owner(), HOME, "created")
    others = (VAULT, a_place("ops"), a_place("general", "rollout"), replace(HOME, space="away"))
    others = (*others, replace(HOME, account="other"), replace(HOME, provider="discord"))
    history = [turn for where in others for turn in heard("secret launch checklist", where=where)]
    found = preview(ctx, made.handle, [*history, *heard("the launch checklist")])
    assert found.preview.looked_at == 1
    assert [hit.turn.text.text for hit in found.preview.hits] == ["the launch checklist"]
    assert found.older == 0


def test_the_newest_messages_count_within_the_bound_and_the_rest_is_told(ctx):
    bound = LIMITS.preview_messages
    draft = a_draft(cooldown=timedelta(0), max_fires=1_000)
    within = preview(ctx, draft, heard(*["launch checklist"] * bound))
    assert (len(within.preview.hits), within.preview.looked_at, within.older) == (bound, bound, 0)
    over = preview(ctx, draft, heard("launch checklist first", *["launch checklist"] * bound))
    assert (len(over.preview.hits), over.preview.looked_at, over.older) == (bound, bound, 1)
    assert "launch checklist first" not in {hit.turn.text.text for hit in over.preview.hits}


def test_messages_count_within_the_bound_of_their_characters_and_the_rest_is_told(ctx):
    half = "launch checklist".ljust(LIMITS.preview_chars // 2, "x")
    draft = a_draft("launch", cooldown=timedelta(0), max_fires=1_000)
    within = preview(ctx, draft, heard(half, half))
    assert (within.preview.looked_at, within.older) == (2, 0)
    over = preview(ctx, draft, heard("launch", half + "x", half, "launch"))
    assert (over.preview.looked_at, over.older) == (2, 2)
    assert [hit.turn.text.text for hit in over.preview.hits] == [half, "launch"]


def test_the_newest_message_is_looked_at_however_long_it_is(ctx):
    found = preview(ctx, a_draft(), heard("launch", "launch checklist " + "x " * LIMITS.preview_chars))
    assert (found.preview.looked_at, found.older, len(found.preview.hits)) == (1, 1, 1)


def test_what_is_missing_of_a_history_is_told(ctx):
    said = heard("launch checklist", "other")
    whole = preview(ctx, a_draft(), said)
    assert (whole.unread, whole.more) == (0, False)
    part = preview(ctx, a_draft(), Past(said, unread=2, more=True))
    assert (part.unread, part.more, part.preview) == (2, True, whole.preview)
    none = preview(ctx, a_draft(), Past((), unread=1))
    assert (none.unread, none.preview.looked_at) == (1, 0)


def test_the_language_and_accents_of_the_space_count(ctx):
    ChangeSetting(ctx)(Setting.LANGUAGE, "de", an_owner(), HOME)
    found = preview(ctx, a_draft("Schaden"), heard("die Schäden melden")).preview
    assert [hit.by_forms for hit in found.hits] == [True]


def test_a_draft_is_checked_as_a_proposal_is(ctx):
    with pytest.raises(NotAllowed):
        preview(ctx, a_draft(), (), a_member())
    with pytest.raises(InvalidTrigger):
        preview(ctx, a_draft("-only"), ())
    with pytest.raises(InvalidInput):
        preview(ctx, a_draft(max_fires=0), ())


def test_somebody_elses_rule_looks_like_none(ctx):
    made = CreateIntent(ctx)(a_draft(), an_owner(), VAULT, "created")
    for what, actor, where in ((made.handle, a_member(), VAULT), (made.handle, an_owner(BOB), HOME)):
        with pytest.raises(NotFound) as hidden:
            preview(ctx, what, (), actor, where)
        with pytest.raises(NotFound) as unknown:
            preview(ctx, "i-0000", (), actor, where)
        assert str(hidden.value).replace(made.handle, "i-0000") == str(unknown.value)


def test_a_rule_that_is_over_can_still_be_tried(ctx):
    made = CreateIntent(ctx)(a_draft(), an_owner(), HOME, "created")
    CancelIntent(ctx)(made.handle, an_owner(), HOME)
    assert len(preview(ctx, made.handle, heard("launch checklist")).preview.hits) == 1


def test_a_rule_of_another_channel_says_that_it_does_not_listen_here(ctx):
    made = CreateIntent(ctx)(a_draft(), an_owner(), a_place("ops"), "created")
    found = preview(ctx, made.handle, heard("launch checklist")).preview
    assert (found.hits, found.elsewhere) == ((), True)


@pytest.mark.parametrize("term", ["example.test/guide", "/guide/start"])
def test_t069_a_term_that_is_the_path_of_an_address_is_told(ctx, term):
    assert preview(ctx, a_draft(term), ()).paths == (term,)


def test_t069_an_address_as_a_term_carries_its_warning(ctx):
    assert "only the host" in preview(ctx, a_draft("https://example.test/guide"), ()).warnings[0]
    plain = preview(ctx, a_draft("and/or; example.test; 24/7"), ())
    assert (plain.paths, plain.warnings) == ((), ())
