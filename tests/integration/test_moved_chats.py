"""A group gets another id on its platform, on a real store: nothing is lost, nothing fires twice."""

import json
from contextlib import nullcontext
from dataclasses import replace
from datetime import timedelta

import pytest

from core.errors import LimitExceeded, StorageError
from core.services.audit import VerifyAudit
from core.services.change_intent import CancelIntent, EditIntent, PauseIntent
from core.services.context import Context
from core.services.deliver import ConfirmDelivery, PendingReminders
from core.services.elsewhere import require_there
from core.services.explain_turn import ExplainTurn
from core.services.mute import MuteHere, MuteIntent, MutePlace
from core.services.read_intents import ListIntents, ShowIntent
from core.services.receive_turn import ReceiveTurn
from core.services.search import options_of
from core.services.space_settings import ChangeSetting, ReadSettings
from core.settings import Setting
from core.standing.intent import Change, ChannelScope, CooldownPer, Deliver
from core.turn import ADMIN, PlaceKind
from tests.builders import NOW, a_turn
from tests.fakes.chats import ADA, BOB, ELSEWHERE, NEW, OLD, TOPIC, create, fired, hear, move, owner
from tests.fakes.interleaved import InterleavedStore, RacedStore

NEVER_QUIET = timedelta(0)


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return Context(store, clock, ids)


@pytest.fixture(autouse=True)
def chains_hold(ctx):
    yield
    assert all(report.bad is None and not report.why for report in VerifyAudit(ctx)())


def row(ctx, made):
    return ShowIntent(ctx)(made.handle, ADMIN, None).intent


def operations(ctx, made):
    with ctx.store.read() as tx:
        found = tx.operations.of_target(str(made.space), 9)
        return [(one.namespace_id, json.loads(one.payload)) for one in found]


# a chat whose new id was never seen


def test_a_rule_made_before_fires_after_under_both_ids_and_in_topics(ctx):
    made = create(ctx, cooldown=NEVER_QUIET, max_fires=9)
    assert move(ctx)
    assert [fired(hear(ctx, where, "1")) for where in (OLD, NEW, TOPIC)] == [[made.handle]] * 3
    assert row(ctx, made).fire_count == 3


def test_handle_history_budget_and_cooldown_stay(ctx, clock):
    made = create(ctx, cooldown=timedelta(hours=1), max_fires=2)
    hear(ctx, OLD, "1")
    before = row(ctx, made)
    move(ctx)
    assert row(ctx, made) == replace(before, source_message_id="created@-1")
    clock.advance(timedelta(hours=1) - timedelta(microseconds=1))
    assert fired(hear(ctx, NEW, "2")) == []
    clock.advance(timedelta(microseconds=1))
    assert fired(hear(ctx, NEW, "3")) == [made.handle]
    assert [fire.number for fire in ShowIntent(ctx)(made.handle, ADMIN, None).fires] == [2, 1]
    clock.advance(timedelta(hours=2))
    assert fired(hear(ctx, NEW, "4")) == []


@pytest.mark.parametrize("per", [CooldownPer.CONVERSATION, CooldownPer.SENDER])
def test_a_cooldown_by_conversation_or_sender_stays(ctx, clock, per):
    made = create(ctx, cooldown=timedelta(hours=1), cooldown_per=per, max_fires=9)
    hear(ctx, OLD, "1")
    move(ctx)
    clock.advance(timedelta(minutes=59))
    assert fired(hear(ctx, NEW, "2")) == []
    clock.advance(timedelta(minutes=1))
    assert fired(hear(ctx, NEW, "3")) == [made.handle]


def test_a_message_of_the_old_chat_that_comes_again_does_not_fire_again(ctx):
    made = create(ctx, cooldown=NEVER_QUIET, max_fires=9)
    hear(ctx, OLD, "17")
    move(ctx)
    assert fired(hear(ctx, OLD, "17")) == []
    assert fired(hear(ctx, OLD, "18")) == [made.handle]
    assert fired(hear(ctx, OLD, "18")) == []


def test_a_message_of_the_new_chat_with_the_number_of_an_old_one_fires(ctx):
    made = create(ctx, cooldown=NEVER_QUIET, max_fires=9, message="16")
    hear(ctx, OLD, "17")
    move(ctx)
    for number in ("16", "17"):
        assert fired(hear(ctx, NEW, number)) == [made.handle]
        assert fired(hear(ctx, NEW, number)) == []
    assert fired(hear(ctx, OLD, "16")) == [], "the message that made the rule"


def test_explain_says_of_late_messages_of_the_old_chat_what_happens(ctx, clock):
    made = create(ctx, cooldown=NEVER_QUIET, max_fires=9)
    hear(ctx, OLD, "17")
    move(ctx)
    late = a_turn("the launch checklist", at=clock.now(), where=OLD, message_id="17", sender=BOB)
    [told] = ExplainTurn(ctx)(late, ADMIN, made.handle).intents
    assert (told.fires, str(told.reason)) == (False, "already_fired")


def test_what_is_queued_goes_to_the_new_chat_as_a_post(ctx):
    create(ctx)
    [reminder] = hear(ctx, OLD, "1").fires
    move(ctx)
    for where in (OLD, NEW):
        [owed] = PendingReminders(ctx)(where)
        assert (owed.fire_id, owed.reply_to, owed.post_in.channel) == (reminder.fire_id, "", "-100")
    assert ConfirmDelivery(ctx).delivered(reminder.fire_id)
    assert PendingReminders(ctx)(NEW) == ()


def test_what_quiet_hours_hold_goes_to_the_new_chat(ctx, clock):
    side = replace(OLD, conversation="9")
    create(ctx, side, channel_scope=ChannelScope.SPACE, deliver=Deliver.PLACE, deliver_to=OLD)
    ChangeSetting(ctx)(Setting.QUIET_HOURS, "09:00-11:00", owner(), OLD)
    [held] = hear(ctx, side, "1").fires
    assert held.held_until is not None
    move(ctx)
    assert PendingReminders(ctx)(NEW) == ()
    clock.set(held.held_until)
    assert [owed.post_in.channel for owed in PendingReminders(ctx)(NEW)] == ["-100"]
    assert [owed.post_in.space for owed in PendingReminders(ctx).to_places(timedelta(0))] == ["-100"]


def test_a_message_of_the_old_chat_that_fires_late_is_answered_in_the_new_one(ctx):
    create(ctx)
    move(ctx)
    [reminder] = hear(ctx, OLD, "1").fires
    assert (reminder.reply_to, reminder.post_in.channel) == ("", "-100")
    assert [owed.fire_id for owed in PendingReminders(ctx)(NEW)] == [reminder.fire_id]


def test_mutes_exceptions_and_settings_stay(ctx, clock):
    made = create(ctx, channel_scope=ChannelScope.SPACE, cooldown=NEVER_QUIET, max_fires=9)
    ChangeSetting(ctx)(Setting.ZONE, "Asia/Tokyo", owner(), OLD)
    MutePlace(ctx)(PlaceKind.CHANNEL, timedelta(hours=1), owner(), OLD)
    move(ctx)
    assert ReadSettings(ctx)(NEW)[Setting.ZONE] == "Asia/Tokyo"
    assert MuteHere(ctx)(NEW).kind is PlaceKind.CHANNEL
    assert fired(hear(ctx, TOPIC, "1")) == []
    clock.advance(timedelta(hours=1))
    assert fired(hear(ctx, TOPIC, "2")) == [made.handle]
    MuteIntent(ctx)(made.handle, owner(), OLD)
    assert fired(hear(ctx, NEW, "3")) == []


def test_owners_see_and_change_their_rules_from_the_new_chat(ctx):
    made = create(ctx)
    move(ctx)
    assert [one.handle for one in ListIntents(ctx)(owner(), NEW).rows] == [made.handle]
    EditIntent(ctx)(made.handle, Change(except_in=(TOPIC,)), owner(), NEW)
    assert (fired(hear(ctx, TOPIC, "1")), fired(hear(ctx, NEW, "2"))) == ([], [made.handle])
    CancelIntent(ctx)(made.handle, owner(), NEW)


def test_a_rule_names_places_by_the_old_or_the_new_id(ctx):
    create(ctx)
    move(ctx)
    made = create(ctx, NEW, triggers="zebra", except_in=(OLD, TOPIC), deliver=Deliver.PLACE, deliver_to=OLD)
    assert (made.deliver_to, len(made.except_in)) == (made.conversation, 2)


def test_a_move_is_one_operation_in_the_chain_of_the_space(ctx):
    made = create(ctx)
    move(ctx)
    payload = {"setting": "external_id", "from": "-1", "to": "-100", "rows": 0}
    assert operations(ctx, made) == [(made.namespace_id, payload)]


def test_the_same_move_again_in_any_order_does_nothing(ctx):
    made = create(ctx)
    assert [move(ctx), move(ctx), move(ctx, NEW, OLD), move(ctx, OLD, OLD), move(ctx, NEW, NEW)] == [
        True, False, False, False, False,
    ]  # fmt: skip
    assert len(operations(ctx, made)) == 1
    third = replace(NEW, space="-200", channel="-200", conversation="-200")
    assert [move(ctx, NEW, third), move(ctx, OLD, NEW), move(ctx, OLD, third)] == [True, False, False]
    assert [fired(hear(ctx, where, "1")) for where in (third, NEW, OLD)] == [[made.handle], [], []]


def test_an_unknown_old_id_moves_nothing_and_takes_no_write(ctx, database):
    create(ctx, NEW)
    before = database.execute("SELECT * FROM places ORDER BY id")
    assert not move(ctx)
    assert not move(ctx, ELSEWHERE, OLD)
    assert database.execute("SELECT * FROM places ORDER BY id") == before


@pytest.mark.parametrize("other", [{"provider": "discord"}, {"account": "other"}])
def test_another_bot_and_another_space_are_left_alone(ctx, other):
    made, theirs, away = create(ctx), create(ctx, replace(OLD, **other)), create(ctx, ELSEWHERE)
    move(ctx)
    assert fired(hear(ctx, replace(NEW, **other), "1")) == []
    assert fired(hear(ctx, replace(OLD, **other), "2")) == [theirs.handle]
    assert (fired(hear(ctx, ELSEWHERE, "3")), fired(hear(ctx, NEW, "4"))) == ([away.handle], [made.handle])


# a chat whose new id was seen before the move was known


def test_rules_of_the_new_id_move_and_fire_under_both_ids(ctx):
    first, second = create(ctx, max_fires=9, cooldown=NEVER_QUIET), create(ctx, NEW, who=BOB, triggers="zebra")
    in_topic = create(ctx, TOPIC, channel_scope=ChannelScope.CONVERSATION, triggers="lynx")
    wide = create(ctx, NEW, channel_scope=ChannelScope.SPACE, triggers="otter")
    assert move(ctx)
    for made in (second, in_topic, wide):
        assert (row(ctx, made).namespace_id, row(ctx, made).space) == (first.namespace_id, first.space)
    assert row(ctx, second).channel == first.channel
    assert fired(hear(ctx, OLD, "1", "zebra")) == [second.handle]
    assert fired(hear(ctx, TOPIC, "2", "lynx and otter")) == [in_topic.handle, wide.handle]
    assert fired(hear(ctx, NEW, "3", "lynx")) == []
    assert fired(hear(ctx, NEW, "4")) == [first.handle]
    assert len(ListIntents(ctx)(owner(), NEW).rows) == 4


def test_each_rule_is_filed_under_exactly_one_scope_and_none_that_is_an_alias(ctx, database):
    create(ctx)
    create(ctx, NEW, triggers="zebra; lynx")
    create(ctx, NEW, triggers="otter", channel_scope=ChannelScope.SPACE)
    move(ctx)
    filed = "SELECT intent_key, count(DISTINCT scope_key) FROM trig GROUP BY intent_key"
    assert [count for _, count in database.execute(filed)] == [1, 1, 1]
    stale = "SELECT count(*) FROM trig AS t JOIN places AS p ON p.id = t.scope_key WHERE p.alias_of IS NOT NULL"
    assert database.execute(stale) == [(0,)]
    counted = "SELECT scope_key, rows FROM scopes WHERE rows > 0 ORDER BY scope_key"
    true = "SELECT scope_key, count(*) FROM trig GROUP BY scope_key ORDER BY scope_key"
    assert database.execute(counted) == database.execute(true)


def test_messages_that_fired_before_the_move_do_not_fire_again_after_it(ctx):
    made = create(ctx, NEW, cooldown=NEVER_QUIET, max_fires=9)
    wide = create(ctx, OLD, channel_scope=ChannelScope.ANYWHERE, operator=True, max_fires=9, cooldown=NEVER_QUIET)
    assert fired(hear(ctx, OLD, "5")) == [wide.handle]
    assert sorted(fired(hear(ctx, NEW, "5"))) == sorted([made.handle, wide.handle])
    move(ctx)
    assert [fired(hear(ctx, where, "5")) for where in (OLD, NEW)] == [[made.handle], []]
    assert row(ctx, wide).fire_count == 2


def test_state_budget_and_cooldown_of_moved_rules_stay(ctx, clock):
    create(ctx)
    quiet, paused, over = (create(ctx, NEW, triggers=word, max_fires=2) for word in ("zebra", "lynx", "otter"))
    hear(ctx, NEW, "1", "zebra")
    PauseIntent(ctx)(paused.handle, owner(), NEW)
    CancelIntent(ctx)(over.handle, owner(), NEW)
    move(ctx)
    assert [str(row(ctx, made).status) for made in (quiet, paused, over)] == ["fired", "pending", "cancelled"]
    assert fired(hear(ctx, NEW, "2", "zebra lynx otter")) == []
    clock.advance(timedelta(days=1))
    assert fired(hear(ctx, NEW, "3", "zebra lynx otter")) == [quiet.handle]
    clock.advance(timedelta(days=1))
    assert fired(hear(ctx, NEW, "4", "zebra")) == []


def test_what_is_owed_to_the_new_id_is_owed_once_and_still_a_reply(ctx):
    create(ctx)
    create(ctx, NEW, triggers="zebra", deliver=Deliver.PLACE, deliver_to=NEW)
    [reminder] = hear(ctx, NEW, "3", "zebra").fires
    move(ctx)
    [owed] = PendingReminders(ctx)(NEW)
    assert (owed.fire_id, owed.reply_to) == (reminder.fire_id, "3")
    assert ConfirmDelivery(ctx).failed(owed.fire_id, "gone")
    assert fired(hear(ctx, NEW, "4", "zebra")) == [reminder.handle]


def test_settings_of_the_old_space_win_and_mutes_and_exceptions_of_the_new_one_hold(ctx):
    create(ctx)
    made = create(ctx, NEW, triggers="zebra", channel_scope=ChannelScope.SPACE, cooldown=NEVER_QUIET, max_fires=9)
    ChangeSetting(ctx)(Setting.ZONE, "Asia/Tokyo", owner(), OLD)
    ChangeSetting(ctx)(Setting.ZONE, "UTC", owner(), NEW)
    ChangeSetting(ctx)(Setting.QUIET_HOURS, "22:00-07:00", owner(), NEW)
    MutePlace(ctx)(PlaceKind.CONVERSATION, None, owner(), TOPIC)
    MuteIntent(ctx)(made.handle, owner(), NEW)
    move(ctx)
    settings = ReadSettings(ctx)(OLD)
    assert (settings[Setting.ZONE], settings[Setting.QUIET_HOURS]) == ("Asia/Tokyo", "22:00-07:00")
    assert MuteHere(ctx)(TOPIC).kind is PlaceKind.CONVERSATION
    assert MuteHere(ctx)(NEW) is None
    assert fired(hear(ctx, NEW, "1", "zebra")) == []
    MuteIntent(ctx)(made.handle, owner(), OLD, off=True)
    assert fired(hear(ctx, NEW, "2", "zebra")) == [made.handle]


@pytest.mark.parametrize(("old", "new"), [(None, "de"), ("de", None), ("de", "fr")])
def test_all_rules_hear_the_language_of_the_old_space(ctx, old, new):
    create(ctx)
    made = create(ctx, NEW, triggers="Haus")
    for language, where in ((old, OLD), (new, NEW)):
        if language:
            ChangeSetting(ctx)(Setting.LANGUAGE, language, owner(), where)
    move(ctx)
    with ctx.store.read() as tx:
        options = options_of(ctx, tx.records.settings(tx.places.find(NEW).space))
    assert options.language == (old or "en")
    assert row(ctx, made).options == options
    assert bool(fired(hear(ctx, NEW, "1", "viele Häuser"))) == (old == "de")


def test_a_merge_is_one_operation_in_each_of_the_two_chains(ctx):
    kept, gone = create(ctx), create(ctx, NEW, triggers="zebra")
    move(ctx)
    told = {
        "setting": "external_id",
        "from": "-1",
        "to": "-100",
        "rows": 1,
        "merged": str(gone.space),
        "intents": [gone.id],
        "places": [
            [str(gone.space), str(kept.space)],
            [str(gone.channel), str(kept.channel)],
            [str(gone.conversation), str(kept.conversation)],
        ],
    }
    assert operations(ctx, kept) == [(kept.namespace_id, told)]
    ended = {"setting": "alias_of", "from": None, "to": str(kept.space), "rows": 1}
    assert operations(ctx, gone) == [(gone.namespace_id, ended)]
    assert kept.namespace_id != gone.namespace_id


def test_a_merge_that_makes_a_space_too_full_loses_no_rule(ctx):
    ctx = replace(ctx, limits=replace(ctx.limits, live_intents_per_space=2, entries_per_scope_and_anchor=2))
    made = [create(ctx, where, who=who, triggers="zebra") for where in (OLD, NEW) for who in (ADA, BOB)]
    move(ctx)
    assert len(fired(hear(ctx, NEW, "1", "zebra"))) == ctx.limits.fires_per_turn < len(made)
    with ctx.store.read() as tx:
        assert tx.intents.live_of_space(made[0].space) == 4
    with pytest.raises(LimitExceeded):
        create(ctx, NEW, triggers="lynx")


# who else is at work


def test_another_process_that_has_seen_both_ids_sees_the_move_at_once(ctx, database):
    made = create(ctx, cooldown=NEVER_QUIET, max_fires=9)
    create(ctx, NEW, triggers="zebra", cooldown=NEVER_QUIET, max_fires=9)
    other = replace(ctx, store=database.open(migrate=False))
    for number in range(3):
        hear(other, OLD, f"o{number}")
        hear(other, NEW, f"n{number}", "zebra")
    move(ctx)
    assert fired(hear(other, NEW, "1")) == [made.handle]
    assert len(hear(other, OLD, "2", "launch checklist zebra").fires) == 2
    assert fired(hear(other, NEW, "n0", "zebra")) == []


def test_a_move_between_look_and_write_of_a_message_is_seen_by_the_write(ctx):
    made = create(ctx, NEW, cooldown=NEVER_QUIET, max_fires=9)
    create(ctx, OLD, triggers="zebra")
    turn = a_turn("launch checklist", at=NOW, where=NEW, message_id="1", sender=BOB)
    during = replace(ctx, store=InterleavedStore(ctx.store, lambda: move(ctx)))
    assert fired(ReceiveTurn(during)(turn)) == [made.handle]
    assert fired(ReceiveTurn(ctx)(turn)) == []
    with ctx.store.read() as tx:
        assert tx.fires.of_message(tx.places.find(NEW).conversation, "1") == {made.key}


def test_a_move_by_another_process_meanwhile_is_made_once(ctx):
    made = create(ctx)
    during = replace(ctx, store=InterleavedStore(ctx.store, lambda: move(ctx)))
    assert not move(during)
    assert len(operations(ctx, made)) == 1


def test_a_place_that_moves_between_find_and_lock_is_refused_to_who_found_it(ctx):
    """Where rows are locked one by one: who waits for the chain while the chat moves stores nothing there."""
    create(ctx, OLD)
    create(ctx, NEW, triggers="zebra")
    with ctx.store.read() as tx:
        found = {where: tx.places.find(where) for where in (OLD, NEW, ELSEWHERE)}
    move(ctx)
    with ctx.store.read() as tx:
        require_there(tx, ELSEWHERE, found[ELSEWHERE])
        for where in (OLD, NEW):
            with pytest.raises(StorageError, match="another id") as refused:
                require_there(tx, where, found[where])
            assert refused.value.details["retry"]


@pytest.mark.parametrize(("losses", "tries", "moved"), [(2, 3, True), (3, 3, False)])
def test_a_move_that_loses_its_race_is_tried_again_and_gives_up_in_the_end(ctx, losses, tries, moved):
    create(ctx)
    store = RacedStore(ctx.store, losses)
    raced = replace(ctx, store=store)
    with nullcontext() if moved else pytest.raises(StorageError):
        assert move(raced)
    assert store.writes == tries


def test_erased_words_move_too(ctx):
    create(ctx)
    made = create(ctx, NEW, triggers="zebra")
    with ctx.store.write() as tx:
        for content_id, _ in tx.intents.wordings(made.key):
            tx.records.erase_content(content_id)
        tx.commit()
    move(ctx)
    assert (row(ctx, made).entries, fired(hear(ctx, NEW, "1", "zebra"))) == (("",), [])


def test_an_edit_that_triggers_in_the_old_chat_counts_as_the_same_message(ctx):
    made = create(ctx, on_edits=True, cooldown=NEVER_QUIET, max_fires=9)
    hear(ctx, OLD, "1")
    move(ctx)
    edited = hear(ctx, OLD, "1", edited=True, text="launch checklist again")
    assert fired(edited) == []
    assert row(ctx, made).fire_count == 1
