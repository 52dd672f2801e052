"""Mutes of places and of single rules on a real store: rights, bounds, ends, records, and two at once."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest

from core.errors import InvalidInput, InvalidTransition, LimitExceeded, NotAllowed, NotFound
from core.limits import LIMITS
from core.operations.log import OpType
from core.services.audit import VerifyAudit
from core.services.change_intent import CancelIntent
from core.services.context import Context
from core.services.create_intent import CreateIntent
from core.services.mute import MuteHere, MuteIntent, MutePlace, UnmutePlace
from core.services.read_intents import ShowIntent
from core.services.receive_turn import ReceiveTurn
from core.services.space_settings import ChangeSetting, ReadSettings
from core.settings import Setting
from core.standing.intent import ChannelScope
from core.standing.mutes import PREFIX, Mute, key_of
from core.turn import ADMIN, PlaceKind, Visibility
from tests.builders import BOB, HOME, NOW, a_draft, a_member, a_place, a_turn, an_owner
from tests.fakes.ids import SeededIds

HOUR = timedelta(hours=1)
THREAD = a_place("general", "rollout")
OPS = a_place("ops")
VAULT = a_place("vault", visibility=Visibility.PRIVATE)
DIRECT = replace(HOME, space="dm", channel="dm", conversation="dm", visibility=Visibility.DIRECT)
AWAY = replace(HOME, space="away")
TICK = timedelta(microseconds=1)


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return Context(store, clock, ids)


@pytest.fixture
def rule(ctx):
    draft = a_draft(cooldown=timedelta(0), max_fires=1_000, channel_scope=ChannelScope.SPACE)
    return CreateIntent(ctx)(draft, an_owner(), HOME, "created")


def fires(ctx, where=HOME):
    return len(ReceiveTurn(ctx)(a_turn("launch checklist", ctx.clock.now(), where=where)).fires)


def mute(ctx, kind=PlaceKind.CHANNEL, span=None, where=HOME, actor=None):
    return MutePlace(ctx)(kind, span, actor or an_owner(), where)


def unmute(ctx, kind=PlaceKind.CHANNEL, where=HOME, actor=None):
    UnmutePlace(ctx)(kind, actor or an_owner(), where)


def stored(ctx, where=HOME):
    with ctx.store.read() as tx:
        spot = tx.places.find(where)
        return {key: value for key, value in tx.records.settings(spot.space).items() if key.startswith(PREFIX)}


def operations(ctx, where=HOME):
    with ctx.store.read() as tx:
        spot = tx.places.find(where)
        rows = [row for name in tx.operations.namespaces() for row in tx.operations.chain(name)]
        found = [row for row in rows if row.op_type == OpType.NAMESPACE_POLICY_UPDATE]
        return spot, found


@pytest.mark.parametrize(
    "kind, where, quiet, loud",
    [
        (PlaceKind.CONVERSATION, THREAD, [THREAD], [HOME, OPS]),
        (PlaceKind.CHANNEL, HOME, [HOME, THREAD], [OPS]),
        (PlaceKind.SPACE, HOME, [HOME, THREAD, OPS], []),
    ],
)
def test_a_mute_covers_its_place_and_what_lies_in_it_and_nothing_is_charged(ctx, rule, kind, where, quiet, loud):
    away = CreateIntent(ctx)(a_draft(), an_owner(), AWAY, "created")
    mute(ctx, kind, where=where)
    assert [fires(ctx, place) for place in quiet] == [0] * len(quiet)
    assert ShowIntent(ctx)(rule.handle, ADMIN, None).intent.fire_count == 0
    assert [fires(ctx, place) for place in loud] == [1] * len(loud)
    assert fires(ctx, AWAY) == 1
    unmute(ctx, kind, where)
    assert [fires(ctx, place) for place in quiet] == [1] * len(quiet)
    assert away.handle != rule.handle


def test_a_mute_ends_by_itself_to_the_microsecond(ctx, rule, clock):
    assert mute(ctx, span=HOUR) == Mute(PlaceKind.CHANNEL, NOW + HOUR)
    clock.set(NOW + HOUR - TICK)
    assert (fires(ctx), MuteHere(ctx)(HOME)) == (0, Mute(PlaceKind.CHANNEL, NOW + HOUR))
    clock.set(NOW + HOUR)
    assert (fires(ctx), MuteHere(ctx)(HOME)) == (1, None)


def test_muting_twice_replaces_the_end(ctx, rule, clock):
    mute(ctx, span=HOUR)
    mute(ctx, span=2 * HOUR)
    clock.advance(HOUR)
    assert fires(ctx) == 0
    mute(ctx)
    clock.advance(1_000 * HOUR)
    assert fires(ctx) == 0
    assert len(stored(ctx)) == 1


@pytest.mark.parametrize("kind", list(PlaceKind))
@pytest.mark.parametrize("actor", [a_member(), ADMIN])
def test_only_owners_and_operators_mute_and_unmute(ctx, rule, kind, actor):
    for act in (mute, unmute):
        with pytest.raises(NotAllowed, match="Only owners"):
            act(ctx, kind, actor=actor)
    operator = replace(a_member(), is_operator=True)
    mute(ctx, kind, actor=operator)
    unmute(ctx, kind, actor=operator)


def test_a_span_of_the_longest_is_taken_and_one_more_is_not(ctx):
    limit = LIMITS.mute
    assert mute(ctx, span=limit).until == NOW + limit
    for span in (limit + TICK, timedelta(0), -HOUR):
        with pytest.raises(InvalidInput, match="length of time"):
            mute(ctx, span=span)
    assert mute(ctx, span=TICK).until == NOW + TICK


@pytest.mark.parametrize("where", [VAULT, DIRECT])
def test_from_a_private_place_nothing_outside_of_it_is_muted(ctx, rule, where):
    before = stored(ctx)
    for act in (mute, unmute):
        with pytest.raises(InvalidInput, match="only that place itself"):
            act(ctx, PlaceKind.SPACE, where=where)
    assert stored(ctx) == before
    CreateIntent(ctx)(a_draft(), an_owner(), where, "created")
    mute(ctx, where=where)
    assert (fires(ctx, where), fires(ctx), fires(ctx, OPS)) == (0, 1, 1)
    spot, [row] = operations(ctx, where)
    assert row.namespace_id == spot.namespace_id


def test_a_channel_that_is_private_stays_so_whatever_is_said_of_it(ctx, rule):
    CreateIntent(ctx)(a_draft("other words"), an_owner(), VAULT, "created")
    with pytest.raises(InvalidInput, match="only that place itself"):
        mute(ctx, PlaceKind.SPACE, where=replace(VAULT, visibility=Visibility.PUBLIC))
    assert stored(ctx) == {}


@pytest.mark.parametrize(
    "there, wanted, hint",
    [
        (None, PlaceKind.CHANNEL, "Mute it: /intent mute"),
        (PlaceKind.SPACE, PlaceKind.CHANNEL, "--space"),
        (PlaceKind.CHANNEL, PlaceKind.CONVERSATION, "The whole channel is muted: /intent unmute"),
        (PlaceKind.CONVERSATION, PlaceKind.CHANNEL, "--thread"),
    ],
)
def test_ending_a_mute_that_there_is_not_is_refused_with_the_one_in_force(ctx, there, wanted, hint):
    if there is not None:
        mute(ctx, there, where=THREAD)
    before = stored(ctx)
    with pytest.raises(InvalidInput, match="No mute of") as refusal:
        unmute(ctx, wanted, THREAD)
    assert hint in refusal.value.hint
    assert stored(ctx) == before


def test_a_mute_that_is_over_cannot_be_ended(ctx, clock):
    mute(ctx, span=HOUR)
    clock.advance(HOUR)
    with pytest.raises(InvalidInput, match="No mute of this channel"):
        unmute(ctx)


def test_each_change_is_one_operation_of_the_place(ctx, clock):
    mute(ctx, span=HOUR)
    mute(ctx)
    unmute(ctx)
    spot, rows = operations(ctx)
    assert {row.namespace_id for row in rows} == {spot.namespace_id}
    until = int((NOW + HOUR).timestamp()) * 10**6
    key = key_of(spot.channel)
    base = {"setting": key, "kind": "channel", "ended": 0}
    assert [json.loads(row.payload) for row in rows] == [
        base | {"from": None, "to": until},
        base | {"from": until, "to": 0},
        base | {"from": 0, "to": None},
    ]
    assert all(report.bad is None and not report.why for report in VerifyAudit(ctx)())


def test_settings_are_not_disturbed_by_mutes(ctx):
    before = ReadSettings(ctx)(HOME)
    mute(ctx, PlaceKind.SPACE)
    assert ReadSettings(ctx)(HOME) == before
    ChangeSetting(ctx)(Setting.ZONE, "Asia/Tokyo", an_owner(), HOME)
    assert MuteHere(ctx)(HOME) == Mute(PlaceKind.SPACE, None)
    unmute(ctx, PlaceKind.SPACE)
    assert ReadSettings(ctx)(HOME) == before | {Setting.ZONE: "Asia/Tokyo"}


def test_so_many_places_can_be_muted_and_one_more_only_in_place_of_one_that_is_over(ctx, clock):
    bound = 3
    ctx = replace(ctx, limits=replace(LIMITS, mutes_per_space=bound))
    places = [a_place(f"c{number}") for number in range(bound + 2)]
    mute(ctx, span=HOUR, where=places[0])
    for place in places[1:bound]:
        mute(ctx, where=place)
    with pytest.raises(LimitExceeded) as refusal:
        mute(ctx, where=places[bound])
    assert refusal.value.details == {"name": "mutes_per_space", "used": bound, "limit": bound}
    mute(ctx, span=HOUR, where=places[1])
    mute(ctx, where=replace(places[0], space="away"))
    assert len(stored(ctx)) == bound
    clock.advance(HOUR)
    mute(ctx, where=places[bound])
    assert len(stored(ctx)) == bound - 1
    _, rows = operations(ctx)
    assert max(json.loads(row.payload)["ended"] for row in rows) == 2
    mute(ctx, where=places[bound + 1])
    assert len(stored(ctx)) == bound


def test_two_that_mute_at_once_lose_neither_and_keep_the_bound(ctx, database):
    bound, places = 6, [a_place(f"c{number}") for number in range(8)]
    places[-1] = VAULT
    with ctx.store.write() as tx:
        for place in places:
            tx.places.ensure(place, ctx.ids.uuid())
        tx.commit()
    limits = replace(LIMITS, mutes_per_space=bound)
    contexts = [replace(ctx, store=database.open(migrate=False), ids=SeededIds(seed), limits=limits) for seed in (2, 3)]
    refused = []

    def work(number):
        for place in places[number::2]:
            try:
                mute(contexts[number], where=place)
            except LimitExceeded:
                refused.append(place)

    with ThreadPoolExecutor(2) as threads:
        list(threads.map(work, range(2)))
    assert (len(stored(ctx)), len(refused)) == (bound, len(places) - bound)
    assert len(operations(ctx)[1]) == bound
    assert all(report.bad is None and not report.why for report in VerifyAudit(ctx)())


# one rule


def test_one_rule_is_quiet_in_a_channel_with_its_threads_and_heard_elsewhere(ctx, rule):
    other = CreateIntent(ctx)(a_draft("checklist"), an_owner(), HOME, "created")
    MuteIntent(ctx)(rule.handle, an_owner(), HOME)
    assert [fires(ctx, place) for place in (HOME, THREAD, OPS)] == [1, 0, 1]
    assert ShowIntent(ctx)(other.handle, ADMIN, None).intent.fire_count == 1
    MuteIntent(ctx)(rule.handle, an_owner(), HOME, off=True)
    assert fires(ctx) == 1


def test_one_rule_is_quiet_in_a_thread_alone(ctx, rule):
    MuteIntent(ctx)(rule.handle, an_owner(), THREAD)
    assert [fires(ctx, place) for place in (HOME, THREAD)] == [1, 0]


def test_muting_one_rule_is_one_edit_of_it(ctx, rule):
    with ctx.store.read() as tx:
        before = len(tx.operations.of_target(rule.id, 99))
    MuteIntent(ctx)(rule.handle, an_owner(), HOME)
    with ctx.store.read() as tx:
        rows, spot = tx.operations.of_target(rule.id, 99), tx.places.find(HOME)
    assert len(rows) == before + 1
    assert (rows[0].op_type, json.loads(rows[0].payload)) == (
        OpType.EDITED,
        {"except_in": [[], [str(spot.channel)]], "fields": {"version": [1, 2]}},
    )
    assert ShowIntent(ctx)(rule.handle, ADMIN, None).intent.except_in == (spot.channel,)
    assert all(report.bad is None and not report.why for report in VerifyAudit(ctx)())


def test_what_would_change_nothing_is_refused(ctx, rule):
    with pytest.raises(InvalidInput, match="is not muted here"):
        MuteIntent(ctx)(rule.handle, an_owner(), HOME, off=True)
    MuteIntent(ctx)(rule.handle, an_owner(), HOME)
    with pytest.raises(InvalidInput, match="is muted here already"):
        MuteIntent(ctx)(rule.handle, an_owner(), HOME)
    with pytest.raises(InvalidInput, match="is not muted here"):
        MuteIntent(ctx)(rule.handle, an_owner(), THREAD, off=True)


@pytest.mark.parametrize("where", [VAULT, DIRECT, AWAY])
def test_a_rule_cannot_be_muted_where_it_does_not_listen(ctx, rule, where):
    with pytest.raises(InvalidInput, match="does not listen here"):
        MuteIntent(ctx)(rule.handle, an_owner(), where)


def test_a_rule_of_one_thread_can_be_muted_in_its_channel(ctx):
    made = CreateIntent(ctx)(a_draft(channel_scope=ChannelScope.CONVERSATION), an_owner(), THREAD, "created")
    MuteIntent(ctx)(made.handle, an_owner(), HOME)
    assert fires(ctx, THREAD) == 0


def test_a_rule_stays_quiet_in_so_many_places_and_no_more(ctx, rule):
    bound = LIMITS.except_places
    for number in range(bound):
        MuteIntent(ctx)(rule.handle, an_owner(), a_place(f"c{number}"))
    with pytest.raises(LimitExceeded) as refusal:
        MuteIntent(ctx)(rule.handle, an_owner(), a_place("one-more"))
    assert refusal.value.details == {"name": "except_places", "used": bound, "limit": bound}
    assert len(ShowIntent(ctx)(rule.handle, ADMIN, None).intent.except_in) == bound


def test_only_who_may_change_a_rule_may_mute_it(ctx, rule):
    with pytest.raises(NotFound):
        MuteIntent(ctx)(rule.handle, a_member(), HOME)
    with pytest.raises(NotAllowed):
        MuteIntent(ctx)(rule.handle, ADMIN, HOME)
    MuteIntent(ctx)(rule.handle, an_owner(BOB), HOME)


def test_a_rule_that_is_over_cannot_be_muted(ctx, rule):
    CancelIntent(ctx)(rule.handle, an_owner(), HOME)
    with pytest.raises(InvalidTransition, match="cancelled"):
        MuteIntent(ctx)(rule.handle, an_owner(), HOME)
