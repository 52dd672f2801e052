"""Exceptions, delivery and what a cooldown is counted by, from the draft to the stored row and its effect."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from core.errors import InvalidInput, LimitExceeded, NotFound
from core.limits import LIMITS
from core.operations.log import OpType
from core.services.change_intent import EditIntent, PauseIntent, ResumeIntent
from core.services.context import Context
from core.services.create_intent import CreateIntent, ProposeIntent
from core.services.deliver import ConfirmDelivery
from core.services.explain_turn import ExplainTurn
from core.services.read_intents import ListIntents, NamedPlace, ShowIntent
from core.services.receive_turn import ReceiveTurn
from core.standing.gates import Reason, Rule
from core.standing.intent import Change, ChannelScope, CooldownPer, Deliver, Status
from core.turn import ADMIN, PlaceKind, Principal, Visibility
from tests.builders import ADA, BOB, HOME, NOW, a_draft, a_place, a_turn, an_owner

OPS, RANDOM = a_place("ops", channel_name="ops"), a_place("random", channel_name="random")
THREAD = a_place("random", "party", channel_name="random", conversation_name="party")
VAULT, HIDDEN = (a_place(name, visibility=Visibility.PRIVATE) for name in ("vault", "hidden"))
DIRECT = replace(HOME, space="dm", channel="dm", conversation="dm", visibility=Visibility.DIRECT)
AWAY = replace(HOME, space="away")
CYD = Principal("console", "local", "cyd")
HOUR = timedelta(hours=1)


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return Context(store, clock, ids)


def create(ctx, where=HOME, **fields):
    return CreateIntent(ctx)(a_draft(**fields), an_owner(), where, "created")


def edit(ctx, row, **fields):
    return EditIntent(ctx)(row.handle, Change(**fields), an_owner(), HOME)


def fires(ctx, where=HOME, who=BOB, text="the launch checklist is ready"):
    return ReceiveTurn(ctx)(a_turn(text, at=ctx.clock.now(), where=where, sender=who)).fires


def payload(ctx, row, kind):
    with ctx.store.read() as tx:
        return next(json.loads(op.payload) for op in tx.operations.of_target(row.id, 100) if op.op_type == kind)


def places(ctx, *keys):
    with ctx.store.read() as tx:
        return [tx.places.get(key) for key in keys]


def test_a_rule_stays_quiet_in_an_excepted_channel_and_its_threads(ctx):
    row = create(ctx, channel_scope=ChannelScope.SPACE, cooldown=timedelta(0), except_in=(RANDOM,))
    assert not fires(ctx, RANDOM) and not fires(ctx, THREAD)
    assert fires(ctx, OPS)
    [place] = places(ctx, *row.except_in)
    assert (place.kind, place.external_id) == (PlaceKind.CHANNEL, "random")


def test_an_excepted_thread_leaves_its_channel_alone(ctx):
    row = create(ctx, channel_scope=ChannelScope.SPACE, cooldown=timedelta(0), except_in=(THREAD,))
    assert not fires(ctx, THREAD)
    assert fires(ctx, RANDOM)
    view = ShowIntent(ctx)(row.handle, an_owner(), HOME)
    assert view.places == {row.except_in[0]: NamedPlace("random", "party")}


def test_the_new_fields_stand_in_the_row_the_list_and_the_log(ctx):
    row = create(ctx, cooldown_per=CooldownPer.SENDER, except_in=(RANDOM, OPS), deliver=Deliver.PLACE, deliver_to=OPS)
    assert ShowIntent(ctx)(row.handle, an_owner(), HOME).intent == row
    told = payload(ctx, row, OpType.ASSERT)
    assert told["cooldown_per"] == "sender" and told["deliver"] == "place"
    assert told["except_in"] == [str(key) for key in row.except_in]
    assert told["deliver_to"] == str(row.deliver_to)
    assert places(ctx, row.deliver_to)[0].kind is PlaceKind.CONVERSATION
    named = ListIntents(ctx)(an_owner(), HOME).places
    assert [named[key] for key in (*row.except_in, row.deliver_to)] == [
        NamedPlace("random"),
        NamedPlace("ops"),
        NamedPlace("ops"),
    ]


def test_the_bound_on_exceptions_counts_each_place_once(ctx):
    many = tuple(a_place(f"c{number}") for number in range(LIMITS.except_places + 1))
    for use_case in (ProposeIntent(ctx), CreateIntent(ctx)):
        with pytest.raises(LimitExceeded) as refusal:
            use_case(a_draft(except_in=many), an_owner(), HOME)
        assert refusal.value.details["name"] == "except_places"
    most = many[:-1]
    row = create(ctx, except_in=(*most, most[0], replace(most[1], conversation="")))
    assert len(row.except_in) == LIMITS.except_places
    with pytest.raises(LimitExceeded):
        edit(ctx, row, except_in=many)


@pytest.mark.parametrize("named", [AWAY, VAULT, HIDDEN, DIRECT, a_place("nowhere", visibility=Visibility.PRIVATE)])
def test_a_place_that_a_rule_cannot_name_is_refused_in_the_same_words_whether_it_exists_or_not(ctx, named):
    create(ctx, where=VAULT, triggers="vault")
    create(ctx, where=AWAY, triggers="away")
    row = create(ctx)
    for fields in ({"except_in": (named,)}, {"deliver": Deliver.PLACE, "deliver_to": named}):
        for refused in (
            lambda fields=fields: ProposeIntent(ctx)(a_draft("budget", **fields), an_owner(), HOME),
            lambda fields=fields: create(ctx, triggers="budget", **fields),
            lambda fields=fields: edit(ctx, row, **fields),
        ):
            with pytest.raises(InvalidInput) as refusal:
                refused()
            assert refusal.value.sentence == f"A rule made here cannot name the place “{named.channel}”."
            assert refusal.value.hint == "Name a public channel of this space."
    assert ShowIntent(ctx)(row.handle, an_owner(), HOME).intent == row


def test_a_private_channel_that_is_called_public_stays_private(ctx):
    create(ctx, where=VAULT)
    with pytest.raises(InvalidInput):
        create(ctx, triggers="budget", except_in=(a_place("vault"),))


def test_a_first_rule_names_places_of_its_own_space_only(ctx):
    with pytest.raises(InvalidInput):
        ProposeIntent(ctx)(a_draft(except_in=(AWAY,)), an_owner(), HOME)
    assert ProposeIntent(ctx)(a_draft(except_in=(RANDOM,)), an_owner(), HOME).draft.except_in == (RANDOM,)


def test_what_is_made_in_a_private_channel_is_posted_there_or_told_by_direct_message(ctx):
    row = create(ctx, where=VAULT, deliver=Deliver.PLACE, deliver_to=VAULT)
    assert row.deliver_to == row.conversation
    assert create(ctx, where=VAULT, triggers="budget", deliver=Deliver.DIRECT).deliver is Deliver.DIRECT
    with pytest.raises(InvalidInput) as refusal:
        create(ctx, where=VAULT, triggers="plan", deliver=Deliver.PLACE, deliver_to=OPS)
    assert "posted there" in refusal.value.sentence


def test_what_is_made_in_a_direct_message_is_delivered_there(ctx):
    row = create(ctx, where=DIRECT, deliver=Deliver.DIRECT)
    assert row.deliver is Deliver.HERE
    for refused in (
        lambda: ProposeIntent(ctx)(a_draft(deliver=Deliver.PLACE, deliver_to=OPS), an_owner(), DIRECT),
        lambda: create(ctx, where=DIRECT, triggers="budget", deliver=Deliver.PLACE, deliver_to=OPS),
        lambda: edit(ctx, row, deliver=Deliver.PLACE, deliver_to=OPS),
    ):
        with pytest.raises(InvalidInput) as refusal:
            refused()
        assert refusal.value.sentence == "What is made in a direct message is delivered there, nowhere else."


def test_a_place_to_deliver_to_must_be_named(ctx):
    with pytest.raises(InvalidInput):
        create(ctx, deliver=Deliver.PLACE)
    assert create(ctx, deliver_to=OPS).deliver_to == 0


def test_an_edit_changes_the_new_fields_and_says_so_in_one_operation(ctx):
    row = create(ctx)
    new = edit(
        ctx, row, cooldown_per=CooldownPer.CONVERSATION, except_in=(RANDOM,), deliver=Deliver.PLACE, deliver_to=OPS
    )
    told = payload(ctx, row, OpType.EDITED)
    assert told == {
        "cooldown_per": ["intent", "conversation"],
        "except_in": [[], [str(new.except_in[0])]],
        "deliver": ["here", "place"],
        "deliver_to": ["", str(new.deliver_to)],
        "fields": {"version": [1, 2]},
    }
    back = edit(ctx, row, except_in=(), deliver=Deliver.DIRECT)
    assert (back.except_in, back.deliver, back.deliver_to) == ((), Deliver.DIRECT, 0)
    with pytest.raises(InvalidInput):
        edit(ctx, row, except_in=(), deliver=Deliver.DIRECT)


def test_a_stranger_cannot_change_exceptions(ctx):
    row = create(ctx)
    with pytest.raises(NotFound):
        EditIntent(ctx)(row.handle, Change(except_in=(RANDOM,)), an_owner(BOB), AWAY)


# what the quiet time is counted by


def test_each_person_has_a_quiet_time_of_their_own(ctx, clock):
    row = create(ctx, cooldown=HOUR, cooldown_per=CooldownPer.SENDER)
    assert fires(ctx) and not fires(ctx) and fires(ctx, who=CYD)
    clock.advance(HOUR)
    assert fires(ctx)
    assert ShowIntent(ctx)(row.handle, an_owner(), HOME).intent.status is Status.DONE


def test_each_conversation_has_a_quiet_time_of_its_own(ctx):
    create(ctx, cooldown_per=CooldownPer.CONVERSATION, max_fires=9)
    thread = a_place("general", "rollout")
    assert fires(ctx) and not fires(ctx, who=CYD)
    assert fires(ctx, thread) and not fires(ctx, thread, CYD)


def test_explain_tells_whose_quiet_time_runs(ctx):
    row = create(ctx, cooldown_per=CooldownPer.SENDER)
    assert fires(ctx)
    for who, reason in ((BOB, Reason.COOLDOWN), (CYD, Reason.OK)):
        turn = a_turn(at=ctx.clock.now(), sender=who)
        [told] = ExplainTurn(ctx)(turn, ADMIN, None, row.handle).intents
        rule = next(rule for rule in told.rules if rule.rule is Rule.COOLDOWN)
        assert (told.reason, rule.figures["per"]) == (reason, "sender")
        assert bool(ReceiveTurn(ctx)(turn).fires) is (reason is Reason.OK)


def test_a_refund_gives_that_person_their_turn_back_and_nobody_else(ctx):
    row = create(ctx, cooldown_per=CooldownPer.SENDER)
    [first], [second] = fires(ctx), fires(ctx, who=CYD)
    assert ConfirmDelivery(ctx).failed(first.fire_id, "gone")
    assert ConfirmDelivery(ctx).delivered(second.fire_id)
    now = ShowIntent(ctx)(row.handle, an_owner(), HOME).intent
    assert (now.status, now.fire_count, now.last_fire_id) == (Status.ARMED, 1, second.fire_id)
    assert fires(ctx) and not fires(ctx, who=CYD)


def test_a_refund_of_the_last_reminder_wakes_a_rule_that_is_counted_by_person(ctx):
    row = create(ctx, cooldown_per=CooldownPer.SENDER, max_fires=1)
    [only] = fires(ctx)
    assert ConfirmDelivery(ctx).failed(only.fire_id, "gone")
    assert ShowIntent(ctx)(row.handle, an_owner(), HOME).intent.status is Status.ARMED
    assert fires(ctx)


def test_a_quiet_rule_wakes_when_its_quiet_time_becomes_each_persons_own_and_sleeps_again_with_it(ctx):
    row = create(ctx)
    assert fires(ctx)
    awake = edit(ctx, row, cooldown_per=CooldownPer.SENDER)
    assert awake.status is Status.ARMED
    assert payload(ctx, row, OpType.EDITED)["status"] == ["fired", "armed"]
    assert not fires(ctx) and fires(ctx, who=CYD)
    asleep = edit(ctx, row, cooldown_per=CooldownPer.INTENT)
    assert asleep.status is Status.FIRED and asleep.ready_at == NOW + timedelta(hours=24)
    assert not fires(ctx, who=ADA)


def test_a_paused_rule_stays_paused_whatever_its_quiet_time_is_counted_by(ctx):
    row = create(ctx)
    assert fires(ctx)
    PauseIntent(ctx)(row.handle, an_owner(), HOME)
    assert edit(ctx, row, cooldown_per=CooldownPer.SENDER).status is Status.PENDING
    assert ResumeIntent(ctx)(row.handle, an_owner(), HOME).status is Status.ARMED
