"""The bot is removed from a space, comes back, or stays away until the texts are erased, on a real store."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from core.errors import InvalidTransition, NotAllowed
from core.limits import LIMITS
from core.services.audit import VerifyAudit
from core.services.change_intent import CancelIntent, EditIntent, PauseIntent, ResumeIntent
from core.services.context import Context
from core.services.deliver import ConfirmDelivery, PendingReminders
from core.services.end_space import EndSpace, ReturnSpace
from core.services.left import left_at
from core.services.notices import NoticeKind, TakeNotices
from core.services.read_intents import ShowIntent
from core.services.tick import Tick
from core.standing.intent import Change, ChannelScope, Deliver
from core.turn import ADMIN, SYSTEM, Visibility
from tests.builders import NOW, a_member
from tests.fakes.chats import ADA, BOB, ELSEWHERE, NEW, OLD, create, fired, hear, move, owner

DAYS = LIMITS.left_purge
MOMENT = timedelta(microseconds=1)
VAULT = replace(OLD, channel="vault", conversation="vault", visibility=Visibility.PRIVATE)


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


def status(ctx, *rows):
    return [str(row(ctx, made).status) for made in rows]


def operations(ctx, target):
    with ctx.store.read() as tx:
        return [(one.op_type, json.loads(one.payload)) for one in tx.operations.of_target(str(target), 99)]


def left(ctx, made):
    with ctx.store.read() as tx:
        return left_at(tx, made.space)


# removed


def test_every_armed_or_quiet_rule_of_the_space_is_paused_and_no_other(ctx):
    armed, quiet, hidden = create(ctx), create(ctx, triggers="zebra"), create(ctx, VAULT)
    paused, over = create(ctx, triggers="lynx"), create(ctx, triggers="otter")
    wide = create(ctx, triggers="giraffe", channel_scope=ChannelScope.ANYWHERE, operator=True)
    away, theirs = create(ctx, ELSEWHERE), create(ctx, replace(OLD, account="other"))
    hear(ctx, OLD, "1", "zebra")
    PauseIntent(ctx)(paused.handle, owner(), OLD)
    CancelIntent(ctx)(over.handle, owner(), OLD)
    assert EndSpace(ctx)(OLD, SYSTEM) == 4
    assert status(ctx, armed, quiet, hidden, wide) == ["pending"] * 4
    assert status(ctx, paused, over, away, theirs) == ["pending", "cancelled", "armed", "armed"]
    told = {"from": "armed", "to": "pending", "reason": "bot removed", "fields": {"version": [1, 2]}}
    assert operations(ctx, armed.id)[0] == ("STANDING_TRANSITION", told)
    assert operations(ctx, paused.id)[0][1]["reason"] == "paused"
    assert fired(hear(ctx, OLD, "2")) == []


def test_the_space_is_marked_once_with_one_operation(ctx, clock):
    made = create(ctx)
    assert EndSpace(ctx)(OLD, SYSTEM) == 1
    clock.advance(days=1)
    assert EndSpace(ctx)(OLD, SYSTEM) == 0
    assert left(ctx, made) == NOW
    [(kind, payload)] = operations(ctx, made.space)
    assert (kind, payload["setting"], payload["from"]) == ("NAMESPACE_POLICY_UPDATE", "left", None)


def test_what_is_owed_to_the_space_is_dropped_and_nobody_is_told(ctx):
    made, last = create(ctx), create(ctx, triggers="zebra", max_fires=1)
    [reminder] = hear(ctx, OLD, "1").fires
    hear(ctx, OLD, "2", "zebra")
    EndSpace(ctx)(OLD, SYSTEM)
    assert PendingReminders(ctx)(OLD) == () == PendingReminders(ctx).to_places(timedelta(0))
    assert not ConfirmDelivery(ctx).failed(reminder.fire_id, "kicked")
    assert TakeNotices(ctx)(ADA) is None
    assert (row(ctx, made).fire_count, status(ctx, made, last)) == (0, ["pending", "done"])
    assert [kind for kind, _ in operations(ctx, made.id)][:2] == ["STANDING_TRANSITION", "REFUNDED"]
    assert operations(ctx, made.id)[1][1]["why"] == "bot removed"


def test_what_is_owed_to_people_and_to_other_spaces_stays(ctx):
    direct = create(ctx, triggers="zebra", deliver=Deliver.DIRECT)
    wide = create(ctx, ELSEWHERE, triggers="lynx", channel_scope=ChannelScope.ANYWHERE, operator=True, max_fires=9)
    away = create(ctx, ELSEWHERE)
    hear(ctx, OLD, "1", "zebra")
    hear(ctx, OLD, "2", "lynx")
    hear(ctx, ELSEWHERE, "3")
    EndSpace(ctx)(OLD, SYSTEM)
    assert [owed.handle for owed in PendingReminders(ctx).to_person(ADA)] == [direct.handle]
    assert [owed.handle for owed in PendingReminders(ctx)(ELSEWHERE)] == [away.handle]
    assert (row(ctx, wide).fire_count, status(ctx, wide)) == (0, ["armed"]), "it was owed to the space that ended"


def test_an_unknown_space_ends_without_a_trace(ctx, database):
    create(ctx, ELSEWHERE)
    assert EndSpace(ctx)(OLD, SYSTEM) == 0
    assert database.execute("SELECT * FROM facts WHERE key LIKE 'left%'") == []


def test_only_owners_operators_and_the_platform_end_a_space(ctx):
    create(ctx)
    with pytest.raises(NotAllowed, match="Only owners"):
        EndSpace(ctx)(OLD, a_member(BOB))
    assert EndSpace(ctx)(OLD, owner(BOB)) == 1


# back


def test_the_mark_goes_and_rules_wait_until_somebody_resumes_them(ctx, clock):
    first, second, over = create(ctx), create(ctx, triggers="zebra"), create(ctx, triggers="lynx", expires_in=DAYS / 2)
    create(ctx, VAULT, triggers="otter")
    create(ctx, triggers="giraffe", channel_scope=ChannelScope.ANYWHERE, operator=True)
    EndSpace(ctx)(OLD, SYSTEM)
    clock.advance(DAYS / 2)
    assert (ReturnSpace(ctx)(OLD), left(ctx, first)) == (2, None)
    assert status(ctx, first, second, over) == ["pending", "pending", "expired"]
    assert fired(hear(ctx, OLD, "1")) == []
    ResumeIntent(ctx)(first.handle, owner(), OLD)
    assert fired(hear(ctx, OLD, "2")) == [first.handle]


def test_coming_back_twice_says_the_same_and_writes_once(ctx):
    made = create(ctx)
    EndSpace(ctx)(OLD, SYSTEM)
    assert [ReturnSpace(ctx)(OLD), ReturnSpace(ctx)(OLD)] == [1, 1]
    assert operations(ctx, made.space)[0][1]["to"] is None
    assert len(operations(ctx, made.space)) == 2
    assert ReturnSpace(ctx)(ELSEWHERE) == 0


def test_a_space_that_is_left_again_is_marked_anew(ctx, clock):
    made = create(ctx)
    EndSpace(ctx)(OLD, SYSTEM)
    ReturnSpace(ctx)(OLD)
    ResumeIntent(ctx)(made.handle, owner(), OLD)
    clock.advance(DAYS)
    assert EndSpace(ctx)(OLD, SYSTEM) == 1
    assert Tick(ctx)().erased == 0
    clock.advance(DAYS)
    assert Tick(ctx)().erased > 0


# erased


def texts(database):
    return [text for (text,) in database.execute("SELECT text FROM content WHERE text IS NOT NULL")]


@pytest.mark.parametrize(("span", "gone"), [(DAYS - MOMENT, False), (DAYS, True), (DAYS + MOMENT, True)])
def test_thirty_days_after_the_bot_was_removed_the_texts_are_erased(ctx, clock, database, span, gone):
    made = create(ctx, triggers="secret words", description="Something secret.")
    hear(ctx, OLD, "1", "secret words")
    EndSpace(ctx)(OLD, SYSTEM)
    clock.set(NOW + span)
    Tick(ctx)()
    assert bool(texts(database)) != gone
    for table in ("content", "standing_entries", "trig", "fires", "events", "outbox"):
        assert "secret" not in repr(database.execute(f"SELECT * FROM {table}")) or not gone
    assert status(ctx, made) == ["cancelled" if gone else "pending"]


def test_words_before_an_edit_and_the_evidence_are_erased_too(ctx, clock, database):
    made = create(ctx, triggers="secret one", description="Secret two.")
    change = Change(triggers="secret three", description="Secret four.")
    EditIntent(ctx)(made.handle, change, owner(), OLD)
    EditIntent(ctx)(made.handle, Change(description="Secret five."), owner(), OLD)
    assert len(texts(database)) == 6
    EndSpace(ctx)(OLD, SYSTEM)
    clock.advance(DAYS)
    Tick(ctx)()
    assert texts(database) == []
    (kind, payload), (moved, why) = operations(ctx, made.id)[:2]
    assert (kind, len(payload["content"]), payload["why"]) == ("ERASED", 6, "bot removed")
    told = {"from": "pending", "to": "cancelled", "reason": "texts erased", "fields": {"version": [4, 5]}}
    assert (moved, why) == ("STANDING_TRANSITION", told)


def test_rules_that_are_over_lose_their_texts_and_keep_their_state(ctx, clock, database):
    done, expired = create(ctx, max_fires=1), create(ctx, triggers="zebra", expires_in=timedelta(days=1))
    ConfirmDelivery(ctx).delivered(hear(ctx, OLD, "1").fires[0].fire_id)
    EndSpace(ctx)(OLD, SYSTEM)
    clock.advance(DAYS)
    Tick(ctx)()
    assert (status(ctx, done, expired), texts(database)) == (["done", "expired"], [])
    assert [kind for kind, _ in operations(ctx, done.id)][:2] == ["ERASED", "DELIVERED"]


def test_private_channels_go_too_and_other_spaces_stay(ctx, clock, database):
    create(ctx, VAULT, triggers="secret words")
    create(ctx, ELSEWHERE, triggers="kept words")
    create(ctx, replace(OLD, account="other"), triggers="kept words")
    EndSpace(ctx)(OLD, SYSTEM)
    clock.advance(DAYS)
    Tick(ctx)()
    found = " ".join(texts(database))
    assert ("secret" in found, found.count("kept words")) == (False, 4)


@pytest.mark.parametrize("rules", [1, 2, 3, 5])
def test_texts_are_erased_in_chunks_and_once(ctx, clock, database, rules):
    ctx = replace(ctx, limits=replace(ctx.limits, chunk=2))
    rests = []
    for number in range(rules):
        create(ctx, triggers=f"word{number}")
    EndSpace(ctx)(OLD, SYSTEM)
    clock.advance(DAYS)
    report = Tick(ctx, lambda: rests.append(1))()
    assert (report.erased, texts(database)) == (rules + 1, [])
    assert len(rests) >= (rules + 1) // 2
    assert Tick(ctx)().erased == 0
    erasures = "SELECT count(*) FROM operations WHERE op_type = 'ERASED'"
    assert database.execute(erasures) == [(rules,)]


def test_spaces_are_done_one_after_the_other_and_an_empty_one_is_no_obstacle(ctx, clock, database):
    for where in (OLD, ELSEWHERE, replace(OLD, account="other")):
        create(ctx, where)
    with ctx.store.write() as tx:
        tx.places.ensure(replace(OLD, account="empty"), ctx.ids.uuid())
        tx.commit()
    for where in (replace(OLD, account="empty"), ELSEWHERE, OLD):
        EndSpace(ctx)(where, SYSTEM)
        clock.advance(hours=1)
    clock.advance(DAYS - timedelta(hours=1))
    assert Tick(ctx)().erased == 1 + 2 + 2
    assert len(texts(database)) == 3


def test_a_bot_that_came_back_in_time_keeps_the_texts(ctx, clock, database):
    create(ctx)
    EndSpace(ctx)(OLD, SYSTEM)
    clock.advance(DAYS - MOMENT)
    ReturnSpace(ctx)(OLD)
    clock.advance(DAYS)
    assert (Tick(ctx)().erased, len(texts(database))) == (0, 3)


@pytest.mark.parametrize("sign", ["made", "resumed"])
def test_a_bot_that_is_evidently_back_keeps_the_texts_and_loses_the_mark(ctx, clock, database, sign):
    old = create(ctx)
    EndSpace(ctx)(OLD, SYSTEM)
    clock.advance(days=1)
    if sign == "made":
        new = create(ctx, triggers="zebra")
        PauseIntent(ctx)(new.handle, owner(), OLD)
    else:
        ResumeIntent(ctx)(old.handle, owner(), OLD)
    clock.advance(DAYS)
    Tick(ctx)()
    assert len(texts(database)) == (6 if sign == "made" else 3)
    assert left(ctx, old) is None
    assert Tick(ctx)().erased == 0


def test_after_the_erasing_nothing_waits_and_rules_can_be_made_again(ctx, clock):
    made = create(ctx)
    EndSpace(ctx)(OLD, SYSTEM)
    clock.advance(DAYS)
    Tick(ctx)()
    assert (left(ctx, made), EndSpace(ctx)(OLD, SYSTEM), Tick(ctx)().erased) == (NOW, 0, 0)
    assert ReturnSpace(ctx)(OLD) == 0
    with pytest.raises(InvalidTransition):
        ResumeIntent(ctx)(made.handle, owner(), OLD)
    again = create(ctx)
    assert fired(hear(ctx, OLD, "9")) == [again.handle]


def test_a_direct_message_that_is_still_owed_is_dropped_with_the_words(ctx, clock, database):
    made = create(ctx, deliver=Deliver.DIRECT)
    hear(ctx, OLD, "1")
    EndSpace(ctx)(OLD, SYSTEM)
    clock.advance(DAYS)
    Tick(ctx)()
    assert PendingReminders(ctx).to_person(ADA) == ()
    assert (row(ctx, made).fire_count, status(ctx, made)) == (0, ["cancelled"])
    assert database.execute("SELECT count(*) FROM outbox WHERE kind = 'reminder' AND state = 'queued'") == [(0,)]


def test_a_notice_about_an_erased_rule_is_told_without_its_words(ctx, clock):
    ctx = replace(ctx, limits=replace(ctx.limits, notice_age=2 * DAYS))
    made = create(ctx, who=BOB, expires_in=timedelta(days=365))
    CancelIntent(ctx)(made.handle, owner(), OLD)
    EndSpace(ctx)(OLD, SYSTEM)
    clock.advance(DAYS)
    Tick(ctx)()
    [told] = TakeNotices(ctx)(BOB).news
    assert (told.kind, told.intent.description) == (NoticeKind.CANCELLED, "")


# moved and left


def test_the_former_id_of_a_chat_neither_ends_nor_brings_back_the_new_one(ctx):
    made = create(ctx)
    move(ctx)
    assert (EndSpace(ctx)(OLD, SYSTEM), status(ctx, made)) == (0, ["armed"])
    assert EndSpace(ctx)(NEW, SYSTEM) == 1
    assert (ReturnSpace(ctx)(OLD), left(ctx, made)) == (0, NOW)
    assert (ReturnSpace(ctx)(NEW), left(ctx, made)) == (1, None)


def test_a_chat_that_was_left_and_then_moves_stays_left_until_the_bot_is_there(ctx, clock, database):
    made = create(ctx)
    EndSpace(ctx)(OLD, SYSTEM)
    move(ctx)
    assert (left(ctx, made), status(ctx, made)) == (NOW, ["pending"])
    clock.advance(DAYS)
    Tick(ctx)()
    assert texts(database) == []


def test_messages_under_the_new_id_show_that_the_bot_is_there(ctx, clock, database):
    made = create(ctx)
    EndSpace(ctx)(OLD, SYSTEM)
    create(ctx, NEW, triggers="zebra")
    move(ctx)
    assert (left(ctx, made), status(ctx, made)) == (None, ["pending"])
    clock.advance(DAYS)
    assert (Tick(ctx)().erased, len(texts(database))) == (0, 6)


def test_a_bot_that_was_removed_under_the_new_id_is_removed_from_all_of_it(ctx, clock, database):
    first, second = create(ctx), create(ctx, NEW, triggers="zebra")
    hear(ctx, OLD, "1")
    EndSpace(ctx)(NEW, SYSTEM)
    clock.advance(days=1)
    move(ctx)
    assert (left(ctx, first), status(ctx, first, second)) == (NOW, ["pending", "pending"])
    assert PendingReminders(ctx)(NEW) == ()
    clock.set(NOW + DAYS - MOMENT)
    assert Tick(ctx)().erased == 0
    clock.set(NOW + DAYS)
    Tick(ctx)()
    assert texts(database) == []
