"""Making timed reminders: who may, of what, for whom, and how many."""

from dataclasses import replace
from datetime import timedelta

import pytest

from core.errors import InvalidInput, LimitExceeded, NotAllowed, NotFound
from core.limits import LIMITS
from core.operations.log import OpType
from core.services.audit import VerifyAudit
from core.services.remind import Remind
from core.services.space_settings import ChangeSetting
from core.services.timed import AcknowledgeTimed, CancelTimed, ListTimed, ShowTimed
from core.settings import Setting
from core.timed.reminder import RemindDraft, TimedStatus
from core.timed.when import Note, Resolution, When
from core.turn import ADMIN, SYSTEM, Visibility, Where
from tests.builders import ADA, BOB, HOME, NOW, a_member, a_place, an_owner
from tests.fakes.reminding import a_context, at, remind, stored

HOUR = timedelta(hours=1)
DIRECT = Where("console", "local", "dm:bob", "dm:bob", "dm:bob", Visibility.DIRECT)


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return a_context(store, clock, ids)


def setting(ctx, value):
    ChangeSetting(ctx)(Setting.REMINDERS, value, an_owner(), HOME)


def operations(ctx, row):
    with ctx.store.read() as tx:
        return [operation.op_type for operation in tx.operations.of_target(row.id, 20)][::-1]


def test_a_member_is_reminded_where_they_asked_with_one_operation(ctx):
    row = remind(ctx)
    assert row.handle.startswith("r-")
    assert (row.creator, row.target, row.due_at, row.status) == (BOB, BOB, NOW + 2 * HOUR, TimedStatus.ACTIVE)
    assert (row.source_message_id, row.reply_to, row.direct) == ("asked", "asked", False)
    assert stored(ctx) == (row,)
    assert operations(ctx, row) == [OpType.ASSERT]
    assert all(report.bad is None for report in VerifyAudit(ctx)())


def test_the_operation_holds_no_words(ctx):
    row = remind(ctx, text="a very secret errand")
    with ctx.store.read() as tx:
        [operation] = tx.operations.of_target(row.id, 20)
        assert "secret" not in operation.payload
        assert row.text_id in operation.payload


def test_the_read_back_has_the_notes_of_the_time(ctx):
    when = When((NOW + HOUR).replace(tzinfo=None), "UTC", Resolution.DAY, "", (Note.DEFAULT_HOUR,))
    assert Remind(ctx)(RemindDraft(when, "Look."), a_member(), HOME).when.notes == (Note.DEFAULT_HOUR,)


@pytest.mark.parametrize(("value", "member", "owner"), [("members", 1, 1), ("owners", 0, 1), ("off", 0, 0)])
def test_the_space_says_who_may(ctx, value, member, owner):
    setting(ctx, value)
    for actor, may in ((a_member(), member), (an_owner(), owner)):
        if may:
            remind(ctx, actor=actor)
        else:
            with pytest.raises(NotAllowed):
                remind(ctx, actor=actor)
    assert len(stored(ctx)) == member + owner


def test_in_a_direct_message_everybody_reminds_themselves_and_nobody_else(ctx):
    setting(ctx, "off")
    row = remind(ctx, where=DIRECT, for_all=True)
    assert (row.direct, row.for_all, row.reply_to) == (True, False, "")
    with pytest.raises(InvalidInput, match="nobody but yourself"):
        remind(ctx, where=DIRECT, target=ADA, target_name="Ada")


@pytest.mark.parametrize("actor", [ADMIN, SYSTEM, replace(a_member(), principal=None)])
def test_nobody_without_an_identity_makes_one(ctx, actor):
    with pytest.raises(NotAllowed, match="signed-in"):
        remind(ctx, actor=actor)


def test_somebody_else_can_be_reminded_but_no_bot_and_not_by_direct_message(ctx):
    row = remind(ctx, target=ADA, target_name="Ada")
    assert (row.creator, row.target, row.target_name, row.direct) == (BOB, ADA, "Ada", False)
    with pytest.raises(InvalidInput, match="is a bot"):
        remind(ctx, target=ADA, target_name="Ada", target_is_bot=True)
    with pytest.raises(InvalidInput, match="not by direct message"):
        remind(ctx, target=ADA, target_name="Ada", direct=True)
    assert remind(ctx, direct=True).direct


def test_a_person_has_100_to_come_and_not_one_more(store, clock, ids):
    assert LIMITS.reminders_per_person == 100
    ctx = a_context(store, clock, ids, replace(LIMITS, reminders_per_person=3))
    rows = [remind(ctx) for _ in range(3)]
    with pytest.raises(LimitExceeded, match="You have 3 timed reminders") as caught:
        remind(ctx)
    assert (caught.value.details["used"], caught.value.details["limit"]) == (3, 3)
    remind(ctx, actor=an_owner())
    CancelTimed(ctx)(rows[0].handle, a_member(), HOME)
    remind(ctx)


@pytest.mark.parametrize("text", ["", " \u200b ", "x\x07y", "x" * (LIMITS.description_chars + 1)])
def test_the_words_are_checked_as_those_of_a_rule(ctx, text):
    with pytest.raises(InvalidInput):
        remind(ctx, text=text)
    assert remind(ctx, text="x" * LIMITS.description_chars).text
    assert len(stored(ctx)) == 1


def test_the_past_and_what_is_too_far_are_refused(ctx):
    for wrong in (timedelta(0), -HOUR, LIMITS.due_ahead + timedelta(seconds=1)):
        with pytest.raises(InvalidInput):
            remind(ctx, wrong)
    remind(ctx, timedelta(microseconds=1))
    remind(ctx, LIMITS.due_ahead)
    assert len(stored(ctx)) == 2


def test_a_rule_that_repeats_too_often_or_cannot_be_read_is_refused(ctx):
    with pytest.raises(LimitExceeded):
        remind(ctx, rule="FREQ=MINUTELY;INTERVAL=4")
    with pytest.raises(InvalidInput):
        remind(ctx, rule="nonsense")
    assert remind(ctx, rule="FREQ=MINUTELY;INTERVAL=5").recurring
    assert len(stored(ctx)) == 1


def test_local_time_and_zone_are_kept_and_the_instant_follows_from_them(ctx):
    when = at(NOW + HOUR, zone="America/New_York")
    row = Remind(ctx)(RemindDraft(when, "Look."), a_member(), HOME)
    assert (row.when.local.hour, row.when.zone, row.due_at) == (6, "America/New_York", NOW + HOUR)


def test_a_reminder_in_a_thread_or_a_private_channel_belongs_there(ctx):
    thread = remind(ctx, where=a_place("ops", "thread"))
    private = remind(ctx, where=a_place("vault", visibility=Visibility.PRIVATE))
    assert thread.channel != thread.conversation
    assert private.namespace_id != thread.namespace_id


def test_owners_see_what_is_posted_in_their_space_and_not_what_is_told_in_private(ctx):
    posted, private = remind(ctx), remind(ctx, direct=True)
    owner = an_owner()
    assert ShowTimed(ctx)(posted.handle, owner, HOME) == posted
    assert ListTimed(ctx)(owner, HOME).rows == (posted,)
    for handle in (private.handle, "r-none"):
        with pytest.raises(NotFound, match="There is no reminder"):
            ShowTimed(ctx)(handle, owner, HOME)
        with pytest.raises(NotFound, match="There is no reminder"):
            CancelTimed(ctx)(handle, owner, HOME)
    with pytest.raises(NotFound):
        ShowTimed(ctx)(posted.handle, owner, a_place(space="away"))
    for anybody in (ADMIN, replace(owner, is_owner=False, is_operator=True)):
        assert ShowTimed(ctx)(private.handle, anybody, None) == private
    with pytest.raises(NotAllowed, match="Only who made a reminder"):
        AcknowledgeTimed(ctx)(posted.handle, owner, HOME)
