"""Timed reminders in the terminal: what has come due is posted where it belongs."""

from adapters.base.contract import Post
from adapters.console.notices import knows
from adapters.console.talk import Desk
from adapters.console.world import PROVIDER, principal
from core.services.timed_delivery import PendingTimed, TimedDelivery
from core.wording.shown import Clockface
from core.wording.timed import timed_line


def post_timed(desk: Desk) -> None:
    """Post what is owed to places that the person typing knows, and their own direct messages, to nobody else.

    Two terminals on the same file may both show one: it is recorded once it was shown.
    """
    world, pending = desk.world, PendingTimed(desk.ctx)
    owed = [(due, due.where) for due in pending.to_places(PROVIDER, knows(desk))]
    owed += [(due, world.direct()) for due in pending.to_person(principal(world.name))]
    for due, where in owed:
        desk.adapter.show(Post(where, (timed_line(due, Clockface(desk.now(), desk.zone)),)))
        TimedDelivery(desk.ctx).delivered(due.item_id)
