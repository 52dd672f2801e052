"""Notices: what a person is to know, kept in the outbox and told at most once an hour, merged.

A row holds ids, handles and counts; words are read from the intents when it is told.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache, partial

from core.ports import Tx
from core.services.audit import SYSTEM_NAMESPACE
from core.services.context import Context
from core.services.outgoing import in_pages, quiet_end, space_of, where_of
from core.standing import lifecycle
from core.standing.intent import LIVE, OutboxItem, OutboxState, Priority, StandingIntent, Status
from core.stored import IntentFilter
from core.timed.reminder import TimedReminder
from core.turn import Actor, Principal, Visibility, Where


class NoticeKind(StrEnum):
    """What a notice is about, as the outbox stores it."""

    EXPIRING = "notice.expiring"
    CANCELLED = "notice.cancelled"
    REFUNDED = "notice.refunded"
    LEFT = "notice.left"
    WATCHED = "notice.watched"
    IMPORTED = "notice.imported"
    TIMED_CANCELLED = "notice.timed.cancelled"
    TIMED_FAILED = "notice.timed.failed"


KINDS = tuple(map(str, NoticeKind))


def add(
    ctx: Context,
    tx: Tx,
    kind: NoticeKind,
    recipient: Principal,
    conversation: int,
    body: Mapping[str, object],
    urgent: bool = False,
) -> None:
    """Owe a person a notice, in the caller's transaction. `conversation` is the place it is about.

    `body` holds `intent` and `handle`, `who` (a principal as a list) and `count`, as the kind needs them.
    """
    now = ctx.clock.now()
    until = quiet_end(ctx, tx, space_of(tx, conversation), now)
    item = OutboxItem(
        ctx.ids.uuid(),
        kind,
        conversation,
        None,
        "",
        {**body, "urgent": urgent},
        OutboxState.QUEUED if until is None else OutboxState.HELD,
        until or now,
        now,
        recipient=recipient,
    )
    tx.outbox.add(item)


def add_about(ctx: Context, tx: Tx, kind: NoticeKind, intent: StandingIntent, urgent: bool = False) -> None:
    """Owe the creator of an intent a notice about it; at once where its priority is HIGH or CRITICAL."""
    urgent = urgent or intent.priority >= Priority.HIGH
    add(ctx, tx, kind, intent.creator, intent.conversation, _about(intent), urgent)


def add_cancelled(ctx: Context, tx: Tx, rows: Sequence[StandingIntent], actor: Actor) -> None:
    """Tell the creator of these intents, once, that somebody else cancelled them."""
    if not rows or rows[0].creator == actor.principal:
        return
    first = rows[0]
    body = _about(first) if len(rows) == 1 else {"count": len(rows)}
    urgent = any(row.priority >= Priority.HIGH for row in rows)
    add(ctx, tx, NoticeKind.CANCELLED, first.creator, first.conversation, body | {"who": _who(actor.principal)}, urgent)


def add_watched(ctx: Context, tx: Tx, intent: StandingIntent) -> None:
    """Tell a named person that an intent watches what they say; nobody else speaks in a direct message."""
    if intent.watches in {None, intent.creator} or tx.places.get(intent.channel).visibility is Visibility.DIRECT:
        return
    assert intent.watches is not None, "just checked"  # noqa: S101
    body = _about(intent) | {"who": _who(intent.creator)}
    add(ctx, tx, NoticeKind.WATCHED, intent.watches, intent.conversation, body)


def add_timed(ctx: Context, tx: Tx, kind: NoticeKind, row: TimedReminder, actor: Actor, urgent: bool = False) -> None:
    """Owe the creator of a timed reminder a notice of what somebody, or something, did to it."""
    body = {"timed": row.id, "handle": row.handle, "who": _who(actor.principal)}
    add(ctx, tx, kind, row.creator, row.conversation, body, urgent)


def _about(intent: StandingIntent) -> dict[str, object]:
    return {"intent": intent.id, "handle": intent.handle}


def _who(person: Principal | None) -> list[str]:
    return [] if person is None else [person.provider, person.account, person.user_id]


@dataclass(frozen=True, slots=True)
class News:
    """One thing to tell. `intent` is what it is about, its description "" where the words were erased.

    `who` did it (None for an administrator); `count` is how many intents it is about; `where` is the place. `timed` is
    the timed reminder that it is about.
    """

    kind: NoticeKind
    where: Where
    intent: StandingIntent | None = None
    who: Principal | None = None
    count: int = 0
    timed: TimedReminder | None = None


@dataclass(frozen=True, slots=True)
class Notice:
    """What a person is told now, and how many notices wait for the next time."""

    news: tuple[News, ...]
    waiting: int = 0


@dataclass(frozen=True, slots=True)
class TakeNotices:
    """Take what a person is to be told now and record it as sent; None when there is nothing, or not yet.

    At most one notice an hour a person (`notice_gap`), merged of `notices_at_once` at most; an urgent one comes
    at once, together with what waits. The quiet hours that run now in the space that a notice is about hold it. What
    there is no reason to tell any more is closed and counts for nothing. Told is what is recorded here: a process
    that ends between this and showing it loses that one notice, once.
    """

    ctx: Context

    def __call__(self, person: Principal) -> Notice | None:
        with self.ctx.store.read() as tx:
            if not any(self._look(tx, person)):
                return None
        with self.ctx.store.write() as tx:
            tx.operations.lock([SYSTEM_NAMESPACE])  # one process tells at a time
            ready, moot = self._look(tx, person)
            now, most = self.ctx.clock.now(), self.ctx.limits.notices_at_once
            for item in moot:
                tx.outbox.mark(item.id, OutboxState.FAILED, now)
            told = [item for item in ready[:most] if tx.outbox.mark(item.id, OutboxState.SENT, now)]
            news = tuple(_news(tx, item) for item in told)
            tx.commit()
        return Notice(news, len(ready[most:])) if news else None

    def _look(self, tx: Tx, person: Principal) -> tuple[list[OutboxItem], list[OutboxItem]]:
        """All that may be told now, urgent ones first, and what is moot.

        Nothing before the gap is over unless one is urgent. A time in the future, of a clock that went back, is no
        last time.
        """
        now = self.ctx.clock.now()
        items = self._loud(tx, person, now)
        last = tx.outbox.last_sent(person, KINDS, now) if items else None
        early = last is not None and now < last + self.ctx.limits.notice_gap
        if early and not any(map(_is_urgent, items)):
            return [], []
        is_moot = {item.id: self._is_moot(tx, person, item, now) for item in items}
        moot = [item for item in items if is_moot[item.id]]
        ready = sorted((item for item in items if not is_moot[item.id]), key=lambda item: not _is_urgent(item))
        return ([] if early and not any(map(_is_urgent, ready)) else ready), moot

    def _loud(self, tx: Tx, person: Principal, now: datetime) -> list[OutboxItem]:
        """The notices owed to a person that no quiet hours hold now."""
        quiet = cache(lambda place: quiet_end(self.ctx, tx, space_of(tx, place), now) is not None)
        owed = in_pages(self.ctx.limits, partial(tx.outbox.owed, person))
        return [item for item in owed if item.kind in KINDS and not quiet(item.conversation)]

    def _is_moot(self, tx: Tx, person: Principal, item: OutboxItem, now: datetime) -> bool:
        """Is there no reason any more to tell it? The question is settled, the rule is over, nothing waits."""
        intent = _intent(tx, item)
        match NoticeKind(item.kind):
            case NoticeKind.EXPIRING:
                return not _is_asked(intent, now)
            case NoticeKind.WATCHED:
                return not _is_live(intent, now)
            case NoticeKind.IMPORTED:
                return not self._is_waiting(tx, person, now)
            case _:
                return False

    def _is_waiting(self, tx: Tx, person: Principal, now: datetime) -> bool:
        """Does an imported rule of a person wait for their yes? Of very many that sleep, one may."""
        most = self.ctx.limits.live_intents_per_creator
        found = tx.intents.list(IntentFilter(creator=person, statuses=(Status.PENDING,)), most, 0)
        return len(found) == most or any(row.unconfirmed and _is_live(row, now) for row in found)


def _is_urgent(item: OutboxItem) -> bool:
    return bool(item.body.get("urgent"))


def _intent(tx: Tx, item: OutboxItem) -> StandingIntent | None:
    return tx.intents.by_id(str(item.body["intent"])) if "intent" in item.body else None


def _news(tx: Tx, item: OutboxItem) -> News:
    who, count = item.body.get("who"), item.body.get("count")
    return News(
        NoticeKind(item.kind),
        where_of(tx, item.conversation),
        _intent(tx, item),
        Principal(*map(str, who)) if isinstance(who, list) and who else None,
        count if isinstance(count, int) else 1,
        tx.timed.by_id(str(item.body["timed"])) if "timed" in item.body else None,
    )


def _is_live(intent: StandingIntent | None, now: datetime) -> bool:
    return intent is not None and lifecycle.settled(intent, now).status in LIVE


def _is_asked(intent: StandingIntent | None, now: datetime) -> bool:
    """Is the question whether to keep it still open? Not once it fired, ended or was kept; nor without its words."""
    if intent is None or not intent.description or not _is_live(intent, now):
        return False
    return intent.fire_count == 0 and intent.expiry_asked_at is not None
