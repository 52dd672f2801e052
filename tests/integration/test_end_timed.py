"""Timed reminders when somebody leaves a space, when its bot is removed, and when the chat gets another id."""

from datetime import timedelta

import pytest

from core.services.audit import VerifyAudit
from core.services.end_space import EndSpace
from core.services.end_timed import EndTimed
from core.services.fire_timed import FireTimed
from core.services.move_place import MovePlace
from core.services.tick import Tick
from core.services.timed import ListTimed
from core.services.timed_delivery import PendingTimed
from core.timed.reminder import TimedStatus
from core.turn import SYSTEM, Visibility, Where
from tests.builders import ADA, BOB, HOME, NOW, a_member
from tests.fakes.reminding import a_context, owed, remind, stored

HOUR = timedelta(hours=1)
DIRECT = Where("console", "local", "dm:ada", "dm:ada", "dm:ada", Visibility.DIRECT)
ELSEWHERE = Where("console", "local", "other", "general", "general")


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return a_context(store, clock, ids)


def test_reminders_that_a_person_made_or_gets_there_end_and_no_others(ctx, clock):
    ada, bob = a_member(ADA), a_member(BOB)
    made = [remind(ctx, actor=ada), remind(ctx, actor=bob, target=ADA, target_name="Ada")]
    kept = [remind(ctx, actor=bob), remind(ctx, actor=ada, where=DIRECT), remind(ctx, actor=ada, where=ELSEWHERE)]
    assert EndTimed(ctx)(ADA, HOME, SYSTEM) == 2
    assert EndTimed(ctx)(ADA, HOME, SYSTEM) == 0
    status = {row.id: row.status for row in stored(ctx)}
    assert [status[row.id] for row in made] == [TimedStatus.CANCELLED] * 2
    assert [status[row.id] for row in kept] == [TimedStatus.ACTIVE] * 3
    clock.advance(3 * HOUR)
    assert FireTimed(ctx)() == 3
    assert all(report.bad is None for report in VerifyAudit(ctx)())


def test_what_is_owed_goes_with_it_and_a_space_that_nobody_knows_has_nothing(ctx, clock):
    remind(ctx, actor=a_member(ADA), rule="FREQ=DAILY")
    clock.advance(timedelta(days=1))
    FireTimed(ctx)()
    assert len(owed(ctx)) == 1
    assert EndTimed(ctx)(ADA, HOME, SYSTEM) == 1
    assert owed(ctx) == ()
    assert EndTimed(ctx)(ADA, ELSEWHERE, SYSTEM) == 0


@pytest.mark.parametrize("early", [True, False])
def test_their_texts_go_30_days_after_the_bot_was_removed(ctx, clock, early):
    row = remind(ctx, rule="FREQ=DAILY", text="water the plants")
    EndSpace(ctx)(HOME, SYSTEM)
    clock.advance(ctx.limits.left_purge - timedelta(microseconds=1))
    if not early:
        clock.advance(timedelta(microseconds=1))
    Tick(ctx)()
    Tick(ctx)()
    [found] = [one for one in stored(ctx) if one.id == row.id]
    assert found.text == ("water the plants" if early else "")
    assert found.status is (TimedStatus.ACTIVE if early else TimedStatus.CANCELLED)
    assert all(report.bad is None for report in VerifyAudit(ctx)())


def group(chat):
    return Where("telegram", "99", chat, chat, chat)


@pytest.mark.parametrize("merged", [False, True])
def test_reminders_move_with_their_chat_and_reply_to_none_of_its_old_messages(ctx, clock, merged):
    before, after = group("-1"), group("-100")
    rows = [remind(ctx, actor=a_member(ADA), where=before)]
    if merged:
        rows.append(remind(ctx, actor=a_member(ADA), where=after))
    assert MovePlace(ctx)("telegram", "99", "-1", "-100")
    assert {row.id for row in ListTimed(ctx)(a_member(ADA), after).rows} == {row.id for row in rows}
    clock.advance(2 * HOUR)
    FireTimed(ctx)()
    found = PendingTimed(ctx).to_places("telegram", lambda _: True)
    assert [(due.where.space, due.where.conversation) for due in found] == [("-100", "-100")] * len(rows)
    assert found[0].reply_to == ""
    assert all(report.bad is None for report in VerifyAudit(ctx)())
