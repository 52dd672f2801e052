"""Timed reminders in tests: asking for one, letting time pass, and reading what is owed."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from adapters.dates.recurrence import DateutilRecurrences
from core.limits import LIMITS, Limits
from core.services.context import Context
from core.services.fire_timed import FireTimed
from core.services.remind import Remind
from core.services.timed import ListTimed
from core.services.timed_delivery import PendingTimed, TimedDelivery
from core.timed.due import DueReminder
from core.timed.reminder import RemindDraft, TimedReminder
from core.timed.when import Resolution, When
from core.turn import ADMIN, Actor, Where
from storage.unit_of_work import SqlStore
from tests.builders import HOME, a_member
from tests.fakes.clock import FakeClock
from tests.fakes.ids import SeededIds


def a_context(store: SqlStore, clock: FakeClock, ids: SeededIds, limits: Limits = LIMITS) -> Context:
    """With the zones and the rules of a real process."""
    return Context(store, clock, ids, limits, zone_of=ZoneInfo, recurrences=DateutilRecurrences())


def at(due: datetime, rule: str = "", zone: str = "UTC") -> When:
    """That instant as wall time in a zone."""
    local = due.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    return When(local, zone, Resolution.MINUTE, rule)


def remind(
    ctx: Context,
    span: timedelta | datetime = timedelta(hours=2),
    actor: Actor | None = None,
    where: Where = HOME,
    rule: str = "",
    zone: str = "UTC",
    **fields: Any,
) -> TimedReminder:
    """Asked for by a member unless told otherwise, for in two hours."""
    due = ctx.clock.now() + span if isinstance(span, timedelta) else span
    draft = RemindDraft(at(due, rule, zone), **({"text": "Check the logs."} | fields))
    return Remind(ctx)(draft, actor or a_member(), where, "asked", reply=True)


def owed(ctx: Context) -> tuple[DueReminder, ...]:
    """What is to be posted now, in any place."""
    return PendingTimed(ctx).to_places("console", lambda _where: True)


def told(ctx: Context) -> tuple[DueReminder, ...]:
    """Fire what is due, post all that is owed in places, and record it."""
    FireTimed(ctx)()
    found = owed(ctx)
    for due in found:
        assert TimedDelivery(ctx).delivered(due.item_id)
    return found


def stored(ctx: Context) -> tuple[TimedReminder, ...]:
    """Every row."""
    return ListTimed(ctx)(ADMIN, None, everything=True, size=10_000).rows
