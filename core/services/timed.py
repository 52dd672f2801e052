"""Timed reminders that there are: listing, showing, ending, and marking as done."""

from dataclasses import dataclass

from core.operations.log import OpType
from core.ports import Tx
from core.services import notices
from core.services.context import Context
from core.services.record import log, micros
from core.services.timed_rights import lookup, lookup_own, visible
from core.services.timed_rows import TARGET_TYPE, cancel_row, lock_row, store_change
from core.timed import reminder as rules
from core.timed.reminder import TimedReminder
from core.turn import Actor, Visibility, Where


@dataclass(frozen=True, slots=True)
class TimedPage:
    """One page of a list; `total` over all pages, `here` is the asker's channel (or 0), `channels` has names by id."""

    rows: tuple[TimedReminder, ...]
    total: int
    number: int
    size: int
    here: int
    channels: dict[int, str]

    @property
    def pages(self) -> int:
        """How many pages there are, at least 1."""
        return max(1, -(-self.total // self.size))


@dataclass(frozen=True, slots=True)
class ListTimed:
    """A page of what the asker may see here: what is to come, and what came and was not marked as done.

    With `everything` also what is over. `page` counts from 1; beyond the end is the last.
    """

    ctx: Context

    def __call__(
        self, actor: Actor, where: Where | None, page: int = 1, everything: bool = False, size: int | None = None
    ) -> TimedPage:
        size = size or self.ctx.limits.page
        with self.ctx.store.read() as tx:
            wanted = visible(tx, actor, where, everything)
            total = tx.timed.count(wanted)
            number = max(1, min(page, -(-total // size)))
            rows = tx.timed.list(wanted, size, (number - 1) * size)
            here = 0 if where is None else tx.places.find(where).channel
            return TimedPage(rows, total, number, size, here, {row.channel: _name(tx, row) for row in rows})


def _name(tx: Tx, row: TimedReminder) -> str:
    """The channel's name; "" for a direct message."""
    channel = tx.places.get(row.channel)
    return "" if channel.visibility is Visibility.DIRECT else channel.name or channel.external_id


@dataclass(frozen=True, slots=True)
class ShowTimed:
    """One reminder that the asker may see. Raises NotFound."""

    ctx: Context

    def __call__(self, handle: str, actor: Actor, where: Where | None) -> TimedReminder:
        with self.ctx.store.read() as tx:
            return lookup(tx, handle, actor, where)


@dataclass(frozen=True, slots=True)
class CancelTimed:
    """End a reminder for good, with what it still owes. Whoever may see it may: its creator, the person it is for,
    owners of the space, operators, administrators.

    Its creator is told when somebody else does. Raises NotFound, InvalidTransition when it was cancelled before.
    """

    ctx: Context

    def __call__(self, handle: str, actor: Actor, where: Where | None) -> TimedReminder:
        ctx = self.ctx
        with ctx.store.write() as tx:
            old = lock_row(tx, lookup(tx, handle, actor, where))
            new = cancel_row(ctx, tx, old, actor)
            if old.creator != actor.principal:
                notices.add_timed(ctx, tx, notices.NoticeKind.TIMED_CANCELLED, new, actor)
            tx.commit()
            return new


@dataclass(frozen=True, slots=True)
class AcknowledgeTimed:
    """Mark the newest message of a reminder as done; a recurring one goes on. Who made it or was reminded may.

    Raises NotFound, NotAllowed, InvalidTransition before it first came and when it is done already.
    """

    ctx: Context

    def __call__(self, handle: str, actor: Actor, where: Where | None) -> TimedReminder:
        ctx = self.ctx
        with ctx.store.write() as tx:
            now = ctx.clock.now()
            old = lock_row(tx, lookup_own(tx, handle, actor, where))
            new = rules.acknowledged(old, now)
            store_change(tx, old, new)
            payload = {"number": old.fired, "at": micros(now)}
            log(tx, ctx.ids, now, actor, OpType.ACKNOWLEDGED, old.namespace_id, old.id, payload, TARGET_TYPE)
            tx.commit()
            return new
