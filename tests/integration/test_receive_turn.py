"""The way of one message on a real store: what fires, what is charged, what is written."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import pytest

from core.limits import LIMITS
from core.operations.log import OpType
from core.services.change_intent import CancelIntent, PauseIntent, ResumeIntent
from core.services.context import Context
from core.services.create_intent import CreateIntent
from core.services.deliver import ConfirmDelivery, PendingReminders
from core.services.read_intents import ShowIntent
from core.services.receive_turn import ReceiveTurn
from core.services.tick import Tick
from core.standing.gates import Reason
from core.standing.intent import ChannelScope, FireState, Priority, Status
from core.turn import ADMIN, Principal, TurnKind, Visibility
from tests.builders import ADA, BOB, HOME, NOW, a_draft, a_place, a_turn, an_owner

pytestmark = pytest.mark.usefixtures("clock")
SECOND = timedelta(seconds=1)


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return Context(store, clock, ids)


def create(ctx, where=HOME, who=ADA, **fields):
    return CreateIntent(ctx)(a_draft(**fields), an_owner(who, is_operator=True), where, "created")


def say(ctx, text="the launch checklist is ready", **fields):
    return ReceiveTurn(ctx)(a_turn(text, at=ctx.clock.now(), **fields))


def handles(outcome):
    return [reminder.handle for reminder in outcome.fires]


def shown(ctx, intent):
    return ShowIntent(ctx)(intent.handle, ADMIN, None)


def operations(ctx, intent):
    with ctx.store.read() as tx:
        return [row.op_type for row in tx.operations.of_target(intent.id, 100)][::-1]


def test_another_persons_words_bring_the_intent_back(ctx):
    intent = create(ctx)
    outcome = say(ctx, "Is the launch checklist done?")
    [reminder] = outcome.fires
    assert (reminder.handle, reminder.number, reminder.max_fires) == (intent.handle, 1, 3)
    assert reminder.creator == ADA and reminder.sender == BOB
    assert reminder.quiet_until == NOW + timedelta(hours=24)
    assert "Confirm the rollback owner." in outcome.block
    assert (outcome.ignored, outcome.candidates, outcome.cut) == (None, 1, 0)


def test_a_fire_writes_one_receipt_one_outbox_row_and_one_operation(ctx):
    intent = create(ctx)
    [reminder] = say(ctx).fires
    view = shown(ctx, intent)
    assert view.intent.status is Status.FIRED and view.intent.fire_count == 1
    assert [fire.state for fire in view.fires] == [FireState.RESERVED]
    assert operations(ctx, intent) == [OpType.ASSERT, OpType.FIRED]
    [owed] = PendingReminders(ctx)(HOME)
    assert (owed.fire_id, owed.late_since) == (reminder.fire_id, NOW)


def test_words_that_trigger_nothing_write_nothing(ctx):
    intent = create(ctx)
    outcome = say(ctx, "nothing to see here")
    assert (outcome.fires, outcome.candidates) == ((), 0)
    assert operations(ctx, intent) == [OpType.ASSERT]


@pytest.mark.parametrize("text", ["", "   ", "\u200b\u200b", "\ufe0f"])
def test_a_message_without_terms_does_not_touch_the_store(ctx, text):
    assert say(replace(ctx, store=None), text).ignored is Reason.NO_TERMS


def test_an_ineligible_message_does_not_touch_the_store(ctx):
    blind = replace(ctx, store=None)
    assert say(blind, kind=TurnKind.BOT).ignored is Reason.NOT_A_PERSON
    assert say(blind, can_deliver=False).ignored is Reason.NO_DELIVERY


def test_the_cooldown_holds_and_ends_at_its_instant(ctx, clock):
    create(ctx)
    assert say(ctx).fires
    clock.advance(timedelta(hours=24) - SECOND)
    assert not say(ctx).fires
    clock.advance(SECOND)
    assert say(ctx).fires


def test_the_budget_ends_with_the_last_fire_which_says_so(ctx, clock):
    intent = create(ctx, max_fires=2, cooldown=timedelta(0))
    assert [r.last for r in say(ctx).fires] == [False]
    [last] = say(ctx).fires
    assert (last.last, last.quiet_until) == (True, None)
    assert not say(ctx).fires
    assert shown(ctx, intent).intent.status is Status.DONE


def test_an_expired_intent_does_not_fire_though_no_heartbeat_ran(ctx, clock):
    intent = create(ctx, expires_in=timedelta(hours=1))
    clock.advance(timedelta(hours=1))
    assert not say(ctx).fires
    assert shown(ctx, intent).intent.status is Status.EXPIRED


def test_the_same_message_delivered_again_fires_once(ctx):
    create(ctx, cooldown=timedelta(0), on_edits=True)
    turn = a_turn(at=NOW)
    receive = ReceiveTurn(ctx)
    assert receive(turn).fires
    assert not receive(turn).fires
    for _ in range(10):
        assert not receive(replace(turn, edited=True)).fires


def test_an_edit_may_fire_an_intent_that_the_first_version_did_not(ctx):
    create(ctx, on_edits=True)
    receive, turn = ReceiveTurn(ctx), a_turn("hello", at=NOW)
    assert not receive(turn).fires
    edited = a_turn("the launch checklist", at=NOW, message_id=turn.message_id, edited=True)
    assert receive(edited).fires


def test_an_edit_does_not_fire_an_intent_that_did_not_ask_for_edits(ctx):
    create(ctx)
    assert not say(ctx, edited=True).fires


def test_a_backlog_message_does_not_fire(ctx, clock):
    create(ctx)
    turn = a_turn(at=NOW)
    clock.advance(LIMITS.turn_max_age + SECOND)
    assert ReceiveTurn(ctx)(turn).ignored is Reason.TOO_OLD


def test_the_creating_message_does_not_fire(ctx):
    create(ctx)
    assert not say(ctx, message_id="created", sender=ADA).fires


def test_a_message_sent_before_the_intent_was_armed_does_not_fire(ctx):
    create(ctx)
    assert not ReceiveTurn(ctx)(a_turn(at=NOW - SECOND)).fires


@pytest.mark.parametrize(
    "scope, heard",
    [
        (ChannelScope.CONVERSATION, ["general"]),
        (ChannelScope.CHANNEL, ["general", "thread"]),
        (ChannelScope.SPACE, ["general", "thread", "ops"]),
        (ChannelScope.ANYWHERE, ["general", "thread", "ops", "vault", "away", "elsewhere"]),
    ],
)
def test_a_scope_hears_what_it_should_and_nothing_of_another_space_account_or_private_channel(ctx, scope, heard):
    create(ctx, channel_scope=scope, cooldown=timedelta(0), max_fires=100)
    places = {
        "general": HOME,
        "thread": a_place(thread="t1"),
        "ops": a_place("ops"),
        "vault": a_place("vault", visibility=Visibility.PRIVATE),
        "away": replace(HOME, space="away"),
        "elsewhere": replace(HOME, account="other"),
    }
    assert [name for name, where in places.items() if say(ctx, where=where).fires] == heard


def test_what_is_made_in_a_private_channel_stays_there(ctx):
    vault = a_place("vault", visibility=Visibility.PRIVATE)
    create(ctx, vault, channel_scope=ChannelScope.SPACE, cooldown=timedelta(0))
    assert say(ctx, where=vault).fires
    assert not say(ctx).fires
    assert not say(ctx, where=a_place("other", visibility=Visibility.PRIVATE)).fires


def test_a_channel_that_was_private_at_first_use_stays_its_own_namespace(ctx):
    vault = a_place("vault", visibility=Visibility.PRIVATE)
    create(ctx, vault, cooldown=timedelta(0))
    create(ctx, HOME, channel_scope=ChannelScope.SPACE, cooldown=timedelta(0))
    assert len(say(ctx, where=a_place("vault")).fires) == 1


@pytest.mark.parametrize("watches, hears", [(None, [True, True]), ("me", [True, False]), ("bob", [False, True])])
def test_a_watched_sender_is_the_only_one_that_counts(ctx, watches, hears):
    fields = {"anyone": watches is None, "sender": BOB if watches == "bob" else None}
    create(ctx, cooldown=timedelta(0), **fields)
    assert [bool(say(ctx, sender=who).fires) for who in (ADA, BOB)] == hears


def test_the_same_user_id_on_another_provider_is_another_person(ctx):
    create(ctx, anyone=False, sender=BOB)
    assert not say(ctx, sender=Principal("discord", "local", "bob")).fires


def test_several_hits_come_by_priority_then_age_and_three_at_most(ctx, clock):
    made = []
    for number, priority in enumerate((Priority.LOW, Priority.MEDIUM, Priority.MEDIUM, Priority.CRITICAL)):
        made.append(create(ctx, triggers=f"launch -not{number}", priority=priority).handle)
        clock.advance(SECOND)
    outcome = say(ctx)
    assert handles(outcome) == [made[3], made[1], made[2]]
    assert handles(say(ctx)) == [made[0]]


def test_a_paused_intent_is_silent_until_it_is_resumed(ctx, clock):
    intent = create(ctx, cooldown=timedelta(0))
    PauseIntent(ctx)(intent.handle, an_owner(), HOME)
    assert not say(ctx).fires
    clock.advance(SECOND)
    ResumeIntent(ctx)(intent.handle, an_owner(), HOME)
    assert say(ctx).fires


def test_a_cancelled_intent_never_fires_again(ctx):
    intent = create(ctx, cooldown=timedelta(0))
    CancelIntent(ctx)(intent.handle, an_owner(), HOME)
    assert not say(ctx).fires
    assert operations(ctx, intent) == [OpType.ASSERT, OpType.STANDING_TRANSITION]


def test_past_the_deadline_nothing_is_charged(ctx, clock):
    intent = create(ctx)
    for span, fires in ((LIMITS.turn_deadline + SECOND, 0), (LIMITS.turn_deadline, 1)):
        turn = a_turn(at=clock.now() - span)
        outcome = ReceiveTurn(ctx)(replace(turn, sent_at=clock.now()))
        assert len(outcome.fires) == fires
        assert (outcome.ignored is Reason.DEADLINE) is (fires == 0)
        assert shown(ctx, intent).intent.fire_count == fires
    assert operations(ctx, intent) == [OpType.ASSERT, OpType.FIRED]


def test_the_bound_on_candidates_cuts_the_last_in_order_and_says_so(ctx, clock):
    tight = replace(ctx, limits=replace(LIMITS, candidates=2))
    made = []
    for number in range(3):
        made.append(create(ctx, triggers=f"launch -not{number}"))
        clock.advance(SECOND)
    assert (say(tight, "nothing").cut, say(tight, sender=None).cut) == (0, 0)
    CancelIntent(ctx)(made[0].handle, an_owner(), HOME)
    assert say(tight).cut == 0
    create(ctx, triggers="launch -not3")
    create(ctx, triggers="launch -not4")
    outcome = say(tight)
    assert (outcome.candidates, outcome.cut) == (2, 2)


def test_the_bound_on_probed_rows_is_flagged(ctx):
    for number in range(3):
        create(ctx, triggers=f"launch -not{number}")
    bound = {2: True, 3: False}
    for rows, cut in bound.items():
        narrow = replace(ctx, limits=replace(LIMITS, probed_rows=rows, turn_deadline=timedelta(days=1)))
        outcome = say(narrow)
        assert outcome.probe_cut is cut


def test_many_rules_on_a_common_word_do_not_starve_the_one_that_is_meant(ctx, clock):
    for number in range(300):
        who = Principal("console", "local", f"p{number % 2}")
        create(ctx, who=who, triggers=f"deploy zq{number:04}", channel_scope=ChannelScope.ANYWHERE)
    meant = create(ctx, who=BOB, triggers="deploy zz9999", channel_scope=ChannelScope.ANYWHERE)
    outcome = say(ctx, "we deploy zz9999 today")
    assert (handles(outcome), outcome.cut) == ([meant.handle], 0)


def test_delivery_settles_a_fire_once(ctx):
    intent = create(ctx)
    [reminder] = say(ctx).fires
    confirm = ConfirmDelivery(ctx)
    assert confirm.delivered(reminder.fire_id)
    assert not confirm.delivered(reminder.fire_id)
    assert not confirm.failed(reminder.fire_id, "late")
    assert PendingReminders(ctx)(HOME) == ()
    assert operations(ctx, intent) == [OpType.ASSERT, OpType.FIRED, OpType.DELIVERED]


def test_a_failed_delivery_gives_the_fire_back_and_the_intent_can_fire_again(ctx):
    intent = create(ctx, max_fires=1)
    [reminder] = say(ctx).fires
    assert shown(ctx, intent).intent.status is Status.DONE
    assert ConfirmDelivery(ctx).failed(reminder.fire_id, "blocked")
    row = shown(ctx, intent).intent
    assert (row.status, row.fire_count, row.last_fired_at) == (Status.ARMED, 0, None)
    assert say(ctx).fires
    assert operations(ctx, intent) == [OpType.ASSERT, OpType.FIRED, OpType.REFUNDED, OpType.FIRED]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2)])
def test_when_nothing_could_be_delivered_the_whole_budget_comes_back_in_any_order(ctx, order):
    intent = create(ctx, cooldown=timedelta(0))
    fires = [say(ctx).fires[0].fire_id for _ in range(3)]
    assert shown(ctx, intent).intent.status is Status.DONE
    for number in order:
        assert ConfirmDelivery(ctx).failed(fires[number], "gone")
    row = shown(ctx, intent).intent
    assert (row.status, row.fire_count, row.last_fired_at, row.last_fire_id) == (Status.ARMED, 0, None, None)
    assert [r.number for r in say(ctx).fires] == [1]


def test_an_unknown_fire_is_no_fire(ctx):
    assert not ConfirmDelivery(ctx).delivered("no-such-fire")
    assert not ConfirmDelivery(ctx).failed("no-such-fire", "gone")


def test_the_heartbeat_refunds_a_reservation_that_nothing_will_deliver(ctx, clock):
    intent = create(ctx)
    [reminder] = say(ctx).fires
    clock.advance(LIMITS.reservation_age + SECOND)
    assert Tick(ctx)().refunded == 0, "its outbox row is live"
    with ctx.store.write() as tx:
        from core.standing.intent import OutboxState

        tx.outbox.mark(reminder.outbox_id, OutboxState.FAILED, clock.now())
        tx.commit()
    assert Tick(ctx)().refunded == 1
    assert shown(ctx, intent).intent.fire_count == 0


def test_the_heartbeat_rearms_and_expires_and_a_second_one_finds_nothing(ctx, clock):
    cooling = create(ctx)
    ending = create(ctx, triggers="something else", expires_in=timedelta(hours=2))
    say(ctx)
    clock.advance(timedelta(hours=24))
    report = Tick(ctx)()
    assert (report.expired, report.rearmed) == (1, 1)
    assert (shown(ctx, cooling).intent.status, shown(ctx, ending).intent.status) == (
        Status.ARMED,
        Status.EXPIRED,
    )
    assert Tick(ctx)() == type(report)()


def test_the_heartbeat_works_in_chunks(ctx, clock):
    small = replace(ctx, limits=replace(LIMITS, chunk=2))
    for number in range(5):
        create(ctx, triggers=f"word{number}", expires_in=timedelta(hours=1))
    clock.advance(timedelta(hours=1))
    assert Tick(small)().expired == 5


@dataclass
class Running:
    """A clock on which time goes by with every look at it."""

    at: datetime
    step: timedelta

    def now(self) -> datetime:
        self.at += self.step
        return self.at


@pytest.mark.parametrize(("step", "rests"), [(1, 0), (40, 2)])
def test_a_chunk_of_the_heartbeat_ends_when_its_time_is_up_and_others_get_the_lock(ctx, clock, step, rests):
    for number in range(3):
        create(ctx, triggers=f"word{number}", expires_in=timedelta(hours=1))
    slow = replace(ctx, clock=Running(clock.now() + timedelta(hours=1), timedelta(milliseconds=step)))
    rested = []
    assert Tick(slow, lambda: rested.append(shown(ctx, create(ctx, triggers=f"new{len(rested)}"))))().expired == 3
    assert len(rested) == rests


def test_a_heartbeat_that_can_change_nothing_ends(ctx, clock):
    create(ctx, expires_in=timedelta(hours=1))
    clock.advance(timedelta(hours=1))
    stuck = Tick(ctx)
    looks = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Tick, "_settle", lambda *_: bool(looks.append(1)))
        assert stuck().expired == 0
    assert len(looks) == 1
