"""What reaches people beside the talk: reminders that are owed, and notices."""

from collections.abc import Callable, Collection
from datetime import timedelta

from adapters.console.talk import Desk, post
from adapters.console.world import ACCOUNT, PROVIDER, principal
from core.services.deliver import PendingReminders
from core.services.notices import Notice, NoticesTold, TakeNotices
from core.turn import Visibility, Where
from core.wording.lines import Line, Mood, line
from core.wording.notices import notice_lines
from core.wording.shown import Clockface


def post_owed(desk: Desk) -> None:
    """Post, in the places that the person typing knows, what a process that ended too early still owes."""
    _post(desk, timedelta(0), line("console.open.late", Mood.FAINT))


def deliver_due(desk: Desk) -> Notice | None:
    """Post what has become due, then tell the person typing what they are to know: the notice, if there is one."""
    _post(desk, desk.ctx.limits.reservation_age)
    world = desk.world
    notice = TakeNotices(desk.ctx)(principal(world.name))
    if notice is not None:
        desk.private(*notice_lines(notice, Clockface(desk.now(), desk.zone), world.shown_name))
        NoticesTold(desk.ctx)(notice)
    return notice


def _post(desk: Desk, age: timedelta, *heading: Line) -> None:
    """Reminders owed to places and older than that, and direct messages of the person typing, to nobody else."""
    pending = PendingReminders(desk.ctx)
    to_places = pending.to_places(age, PROVIDER, knows(desk))
    owed = [(reminder, reminder.post_in) for reminder in to_places if reminder.post_in is not None]
    owed += [(reminder, desk.world.direct()) for reminder in pending.to_person(principal(desk.world.name))]
    if owed:
        desk.private(*heading)
    for reminder, where in owed:
        post(desk, reminder, where)


def knows(desk: Desk) -> Callable[[Where], bool]:
    """Tells whether a place is one of this terminal that is public, or where the person typing was."""
    channels = {place.channel for place in desk.world.places()}
    return lambda where: _is_known(channels, where)


def _is_known(channels: Collection[str], where: Where) -> bool:
    if (where.provider, where.account) != (PROVIDER, ACCOUNT):
        return False
    return where.visibility is Visibility.PUBLIC or where.channel in channels
