"""Notices: what a person is to know, kept in the outbox and told at most once an hour, merged.

A row holds ids, handles and counts; words are read from the intents when it is told.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from core.ports import Tx
from core.services.audit import SYSTEM_NAMESPACE
from core.services.context import Context
from core.services.outgoing import quiet_end, space_of, where_of
from core.standing.intent import LIVE, OutboxItem, OutboxState, Priority, StandingIntent
from core.turn import Actor, Principal, Visibility, Where


class NoticeKind(StrEnum):
    """What a notice is about, as the outbox stores it."""

    EXPIRING = "notice.expiring"
    CANCELLED = "notice.cancelled"
    REFUNDED = "notice.refunded"
    LEFT = "notice.left"
    WATCHED = "notice.watched"
    IMPORTED = "notice.imported"


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


def _about(intent: StandingIntent) -> dict[str, object]:
    return {"intent": intent.id, "handle": intent.handle}


def _who(person: Principal | None) -> list[str]:
    return [] if person is None else [person.provider, person.account, person.user_id]


@dataclass(frozen=True, slots=True)
class News:
    """One thing to tell. `intent` is what it is about, its description "" where the words were erased.

    `who` did it (None for an administrator); `count` is how many intents it is about; `where` is the place.
    """

    kind: NoticeKind
    where: Where
    intent: StandingIntent | None = None
    who: Principal | None = None
    count: int = 0


@dataclass(frozen=True, slots=True)
class Notice:
    """What a person is told now, and how many notices wait for the next time."""

    news: tuple[News, ...]
    waiting: int = 0


@dataclass(frozen=True, slots=True)
class TakeNotices:
    """Take what a person is to be told now and record it as sent; None when there is nothing, or not yet.

    At most one notice an hour a person (`notice_gap`), merged of `notices_at_once` at most; an urgent one comes
    at once, together with what waits. The quiet hours of the space that a notice is about hold it.
    """

    ctx: Context

    def __call__(self, person: Principal) -> Notice | None:
        with self.ctx.store.read() as tx:
            if not self._ready(tx, person):
                return None
        with self.ctx.store.write() as tx:
            tx.operations.lock([SYSTEM_NAMESPACE])  # one process tells at a time
            ready, most = self._ready(tx, person), self.ctx.limits.notices_at_once
            told = tuple(news for item in ready[:most] if (news := self._take(tx, item)) is not None)
            tx.commit()
        return Notice(told, len(ready[most:])) if told else None

    def _ready(self, tx: Tx, person: Principal) -> tuple[OutboxItem, ...]:
        """All that may be told now, urgent ones first; nothing before the gap is over unless one is urgent."""
        now = self.ctx.clock.now()
        owed = tx.outbox.owed(person, self.ctx.limits.owed_rows)
        items = [item for item in owed if item.kind in KINDS and not _waits(item, now)]
        quiet = {place: self._is_quiet(tx, place, now) for place in {item.conversation for item in items}}
        items = [item for item in items if not quiet[item.conversation]]
        if not any(item.body.get("urgent") for item in items):
            last = tx.outbox.last_sent(person, KINDS) if items else None
            if last is not None and now < last + self.ctx.limits.notice_gap:
                return ()
        return tuple(sorted(items, key=lambda item: not item.body.get("urgent")))

    def _is_quiet(self, tx: Tx, place: int, now: datetime) -> bool:
        return quiet_end(self.ctx, tx, space_of(tx, place), now) is not None

    def _take(self, tx: Tx, item: OutboxItem) -> News | None:
        """Close the row; None when somebody else told it, or when there is nothing to tell any more."""
        news = _news(tx, item)
        state = OutboxState.FAILED if news is None else OutboxState.SENT
        return news if tx.outbox.mark(item.id, state, self.ctx.clock.now()) else None


def _waits(item: OutboxItem, now: datetime) -> bool:
    return item.state is OutboxState.HELD and item.due_at is not None and now < item.due_at


def _news(tx: Tx, item: OutboxItem) -> News | None:
    kind, body = NoticeKind(item.kind), item.body
    intent = tx.intents.by_id(str(body["intent"])) if "intent" in body else None
    if kind is NoticeKind.EXPIRING and not _is_asked(intent):
        return None
    who, count = body.get("who"), body.get("count")
    return News(
        kind,
        where_of(tx, item.conversation),
        intent,
        Principal(*map(str, who)) if isinstance(who, list) and who else None,
        count if isinstance(count, int) else 1,
    )


def _is_asked(intent: StandingIntent | None) -> bool:
    """Is the question whether to keep it still open? Not once it fired, ended or was kept; nor without its words."""
    if intent is None or not intent.description or intent.status not in LIVE:
        return False
    return intent.fire_count == 0 and intent.expiry_asked_at is not None
