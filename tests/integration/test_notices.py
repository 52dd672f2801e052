"""Notices on a real store: kept until they are told, merged, once an hour, never in quiet hours."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Barrier

import pytest

from core.errors import StorageError
from core.services import notices
from core.services.change_intent import CancelIntent
from core.services.context import Context
from core.services.deliver import ConfirmDelivery
from core.services.notices import NoticeKind
from core.services.receive_turn import ReceiveTurn
from core.services.space_settings import ChangeSetting
from core.services.tick import Tick
from core.settings import Setting
from core.turn import ADMIN, Visibility
from tests.builders import ADA, BOB, HOME, NOW, a_turn, an_owner
from tests.fakes.interleaved import InterleavedStore
from tests.fakes.notices import create, kinds, owe, take

SECOND = timedelta(seconds=1)
HOUR = timedelta(hours=1)
NIGHT = datetime(2026, 11, 30, 23, 0, tzinfo=UTC)
WEEK_BEFORE = NOW + timedelta(days=83)


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return Context(store, clock, ids)


# telling


def test_a_notice_is_told_to_its_person_once(ctx, clock):
    owe(ctx, create(ctx))
    assert take(ctx, BOB) is None
    [news] = take(ctx).news
    assert (news.kind, news.who, news.count, news.where.channel) == (NoticeKind.LEFT, BOB, 1, "general")
    clock.advance(HOUR)
    assert take(ctx) is None


def test_one_notice_an_hour_merges_what_came_meanwhile(ctx, clock):
    row = create(ctx)
    owe(ctx, row)
    assert take(ctx) is not None
    owe(ctx, row, 2)
    clock.advance(HOUR - SECOND)
    assert take(ctx) is None
    clock.advance(SECOND)
    assert [news.count for news in take(ctx).news] == [1, 2]


def test_the_hour_is_of_each_person(ctx):
    row = create(ctx)
    owe(ctx, row)
    owe(ctx, row, who=BOB)
    assert take(ctx) is not None and take(ctx, BOB) is not None


@pytest.mark.parametrize(("count", "told", "waiting"), [(2, 2, 0), (3, 3, 0), (4, 3, 1)])
def test_as_many_are_told_at_once_as_the_bound_says_and_the_rest_is_counted(ctx, clock, count, told, waiting):
    ctx = replace(ctx, limits=replace(ctx.limits, notices_at_once=3))
    owe(ctx, create(ctx), count)
    notice = take(ctx)
    assert ([news.count for news in notice.news], notice.waiting) == (list(range(1, told + 1)), waiting)
    assert take(ctx) is None
    clock.advance(HOUR)
    assert [news.count for news in take(ctx).news] == [4] if waiting else take(ctx) is None


def test_an_urgent_one_is_told_at_once_and_first_with_what_waits(ctx):
    row = create(ctx)
    owe(ctx, row)
    take(ctx)
    owe(ctx, row, 2)
    assert take(ctx) is None
    owe(ctx, row, 1, urgent=True)
    assert [news.count for news in take(ctx).news] == [1, 1, 2]


def test_t047_quiet_hours_of_the_space_it_is_about_hold_all_of_them(ctx, clock):
    row, away = create(ctx), create(ctx, replace(HOME, space="away"))
    ChangeSetting(ctx)(Setting.QUIET_HOURS, "22:00-07:00", an_owner(), HOME)
    owe(ctx, row)
    clock.set(datetime(2026, 11, 30, 23, 0, tzinfo=UTC))
    owe(ctx, row, 1, urgent=True)
    assert take(ctx) is None
    owe(ctx, away, 3)
    assert [news.where.space for news in take(ctx).news] == ["away"] * 3
    clock.set(datetime(2026, 12, 1, 6, 59, 59, tzinfo=UTC))
    assert take(ctx) is None
    clock.advance(SECOND)
    assert len(take(ctx).news) == 2


def test_what_is_held_is_told_at_once_when_the_quiet_hours_are_switched_off(ctx, clock):
    row = create(ctx)
    ChangeSetting(ctx)(Setting.QUIET_HOURS, "22:00-07:00", an_owner(), HOME)
    clock.set(NIGHT)
    owe(ctx, row)
    assert take(ctx) is None
    ChangeSetting(ctx)(Setting.QUIET_HOURS, "off", an_owner(), HOME)
    assert len(take(ctx).news) == 1


def test_what_is_held_is_told_at_once_when_the_clock_goes_back_to_the_day(ctx, clock):
    row = create(ctx)
    ChangeSetting(ctx)(Setting.QUIET_HOURS, "22:00-07:00", an_owner(), HOME)
    clock.set(NIGHT)
    owe(ctx, row)
    clock.set(NIGHT - 2 * HOUR)
    assert len(take(ctx).news) == 1


def test_a_notice_told_in_the_future_holds_none_back_and_one_told_before_does(ctx, clock):
    row = create(ctx)
    clock.set(NOW + timedelta(days=1))
    owe(ctx, row)
    assert take(ctx) is not None
    clock.set(NOW)
    owe(ctx, row, 2)
    assert len(take(ctx).news) == 2
    owe(ctx, row)
    clock.advance(HOUR - SECOND)
    assert take(ctx) is None
    clock.advance(SECOND)
    assert take(ctx) is not None


@pytest.mark.parametrize(("pages", "told"), [(3, 0), (4, 1)])
def test_notices_that_one_space_holds_do_not_hide_an_urgent_one_of_another(ctx, clock, pages, told):
    """Six held ones fill three pages of two."""
    row, away = create(ctx), create(ctx, replace(HOME, space="away"))
    ChangeSetting(ctx)(Setting.QUIET_HOURS, "22:00-07:00", an_owner(), HOME)
    clock.set(NIGHT)
    owe(ctx, row, 6)
    clock.advance(SECOND)
    owe(ctx, away, 1, urgent=True)
    few = replace(ctx, limits=replace(ctx.limits, owed_rows=2, owed_pages=pages))
    assert len(kinds(take(few))) == told


# what there is no reason to tell any more


def over(ctx, kind, row, count=3, urgent=False):
    """So many notices about a rule."""
    with ctx.store.write() as tx:
        for _ in range(count):
            body = {"intent": row.id, "handle": row.handle, "who": [BOB.provider, BOB.account, BOB.user_id]}
            notices.add(ctx, tx, kind, ADA, row.conversation, body, urgent)
        tx.commit()


@pytest.mark.parametrize("kind", [NoticeKind.EXPIRING, NoticeKind.WATCHED, NoticeKind.IMPORTED])
@pytest.mark.parametrize("urgent", [False, True])
def test_what_is_moot_takes_no_place_of_what_is_to_be_told(ctx, kind, urgent):
    ctx = replace(ctx, limits=replace(ctx.limits, notices_at_once=2))
    row = create(ctx)
    CancelIntent(ctx)(row.handle, an_owner(), HOME)
    over(ctx, kind, row, urgent=urgent)
    owe(ctx, row, 3)
    notice = take(ctx)
    assert (kinds(notice), notice.waiting) == ([NoticeKind.LEFT] * 2, 1)
    with ctx.store.read() as tx:
        assert [item.kind for item in tx.outbox.owed(ADA, 9)] == [NoticeKind.LEFT]


def test_what_is_moot_is_no_urgent_reason_to_tell_within_the_hour(ctx):
    row = create(ctx)
    owe(ctx, row)
    take(ctx)
    owe(ctx, row)
    CancelIntent(ctx)(row.handle, an_owner(), HOME)
    over(ctx, NoticeKind.WATCHED, row, urgent=True)
    assert take(ctx) is None


def test_a_rule_that_is_past_its_end_watches_nobody_any_more(ctx, clock):
    row = create(ctx, sender=BOB, sender_name="Bob", anyone=False)
    clock.set(row.expires_at)
    assert take(ctx, BOB) is None


def test_a_notice_that_another_process_told_meanwhile_is_not_told_again(ctx):
    row = create(ctx)
    owe(ctx, row)
    first = []
    again = replace(ctx, store=InterleavedStore(ctx.store, lambda: first.append(take(ctx))))
    assert take(again) is None and len(first[0].news) == 1


def test_of_many_at_once_one_tells(ctx, clock):
    row, together = create(ctx), Barrier(4)

    def told(_number):
        together.wait()
        try:
            return len(kinds(take(ctx)))
        except StorageError:
            return 0

    with ThreadPoolExecutor(4) as pool:
        for _ in range(10):
            owe(ctx, row, 5)
            clock.advance(HOUR)
            assert sum(pool.map(told, range(4))) == 5


def test_a_look_without_notices_takes_no_write_lock(ctx):
    blind = replace(ctx, store=InterleavedStore(ctx.store, lambda: pytest.fail("it wrote")))
    assert take(blind) is None


# what the outbox holds


def test_no_words_lie_in_the_outbox(ctx, clock):
    row = create(ctx, description="Confirm the secret owner", triggers="zebra", sender=BOB, anyone=False)
    clock.set(WEEK_BEFORE)
    Tick(ctx)()
    CancelIntent(ctx)(row.handle, an_owner(BOB), HOME)
    with ctx.store.read() as tx:
        items = [*tx.outbox.owed(ADA, 9), *tx.outbox.owed(BOB, 9)]
    assert sorted(item.kind for item in items) == ["notice.cancelled", "notice.expiring", "notice.watched"]
    assert not any(word in str(item.body) for item in items for word in ("secret", "zebra", "Ada", "Bob"))


def test_erased_words_are_not_told(ctx):
    row = create(ctx)
    CancelIntent(ctx)(row.handle, an_owner(BOB), HOME)
    with ctx.store.write() as tx:
        assert tx.records.erase_content(row.description_id)
        tx.commit()
    [news] = take(ctx).news
    assert news.intent.description == ""


# a rule that somebody else cancelled


def test_t133_the_creator_is_told_who_cancelled_their_rule(ctx):
    row = create(ctx)
    CancelIntent(ctx)(row.handle, an_owner(BOB), HOME)
    [news] = take(ctx).news
    assert (news.kind, news.who, news.intent.handle) == (NoticeKind.CANCELLED, BOB, row.handle)


def test_an_administrator_is_told_of_without_a_name_and_oneself_not_at_all(ctx):
    CancelIntent(ctx)(create(ctx).handle, an_owner(), HOME)
    assert take(ctx) is None
    CancelIntent(ctx)(create(ctx).handle, ADMIN, None)
    assert take(ctx).news[0].who is None


# a reminder that could not be delivered


def test_a_reminder_that_could_not_be_delivered_is_told_at_once(ctx):
    row = create(ctx)
    owe(ctx, row)
    take(ctx)
    [reminder] = ReceiveTurn(ctx)(a_turn()).fires
    ConfirmDelivery(ctx).failed(reminder.fire_id, "blocked")
    ConfirmDelivery(ctx).failed(reminder.fire_id, "blocked")
    [news] = take(ctx).news
    assert (news.kind, news.intent.handle) == (NoticeKind.REFUNDED, row.handle)


# a named person


def test_a_named_person_is_told_once_that_a_rule_watches_them(ctx, clock):
    row = create(ctx, sender=BOB, sender_name="Bob", anyone=False)
    assert take(ctx) is None
    [news] = take(ctx, BOB).news
    assert (news.kind, news.who, news.intent.handle) == (NoticeKind.WATCHED, ADA, row.handle)
    clock.advance(HOUR)
    assert take(ctx, BOB) is None


@pytest.mark.parametrize("fields", [{"anyone": True}, {"anyone": False}, {"anyone": False, "sender": ADA}])
def test_nobody_is_told_of_a_rule_that_names_nobody_else(ctx, fields):
    create(ctx, **fields)
    assert take(ctx) is None and take(ctx, BOB) is None


def test_nobody_else_speaks_in_a_direct_message_so_nobody_is_told(ctx):
    dm = replace(HOME, space="dm", channel="dm", conversation="dm", visibility=Visibility.DIRECT)
    create(ctx, dm, sender=BOB, anyone=False)
    assert take(ctx, BOB) is None
