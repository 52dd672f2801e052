"""The delivery loop's use cases: take what is due, and record what became of it. Each is one transaction.

A parcel that was taken is due again when its lease ends: what a process that ended had taken comes back by itself. The
lease (`send_lease`) is longer than any single send may last, so that it is never extended.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from core.limits import Limits
from core.ports import Tx
from core.services import notices
from core.services.context import Context
from core.services.notices import claim_notice
from core.services.outgoing import quiet_end, space_of
from core.services.parcels import (
    BLOCKED,
    KINDS,
    MOOT,
    UNKNOWN_KIND,
    Parcel,
    ParcelKind,
    add_unreached,
    mark_failed,
    mark_sent,
    space_about,
    target,
    zone_in,
)
from core.standing.intent import OutboxItem, OutboxState

MANY_DOUBLINGS = 30


def back_off(attempts: int, limits: Limits) -> timedelta:
    """How long to wait after so many attempts (1 or more) where the platform names no time: doubled each time."""
    return min(limits.retry_first * (1 << min(max(attempts, 1) - 1, MANY_DOUBLINGS)), limits.retry_most)


@dataclass(frozen=True, slots=True)
class ClaimParcels:
    """Take what one bot login is to send now, the oldest first: at most `limit` parcels, one a chat.

    Chats in `busy` are left alone. What waits for its next attempt keeps the later ones of its chat back; what quiet
    hours hold does not. What there is no reason to send any more is closed on the way; a row of a kind that this
    version does not know is parked with its error. Of two processes one gets a parcel.
    """

    ctx: Context
    kinds: Mapping[str, ParcelKind] = field(default_factory=lambda: KINDS)

    def __call__(
        self, provider: str, account: str, busy: frozenset[int] = frozenset(), limit: int = 1
    ) -> tuple[Parcel, ...]:
        with self.ctx.store.read() as tx:
            if not self._heads(tx, provider, account, busy, 1):
                return ()
        found: list[Parcel] = []
        with self.ctx.store.write() as tx:
            for _ in range(self.ctx.limits.owed_pages):
                heads = self._heads(tx, provider, account, busy, limit - len(found))
                found += [parcel for chat, item in heads if (parcel := self._claim(tx, chat, item)) is not None]
                if not heads or len(found) >= limit:
                    break
            tx.commit()
        return tuple(found)

    def _heads(
        self, tx: Tx, provider: str, account: str, busy: frozenset[int], limit: int
    ) -> list[tuple[int, OutboxItem]]:
        ready = tx.outbox.ready(provider, account, self.ctx.clock.now(), limit + len(busy))
        return [head for head in ready if head[0] not in busy][:limit]

    def _claim(self, tx: Tx, chat: int, item: OutboxItem) -> Parcel | None:
        now = self.ctx.clock.now()
        until = now + self.ctx.limits.send_lease
        if item.kind in notices.KINDS and item.recipient is not None:
            return self._notice(tx, chat, item, until)
        kind = self.kinds.get(item.kind)
        if kind is None:
            tx.outbox.postpone(item, now + self.ctx.limits.retry_most, UNKNOWN_KIND, held=True)
            return None
        content = kind.read(self.ctx, tx, item)
        if content is None:
            tx.outbox.mark(item.id, OutboxState.FAILED, now, MOOT)
            return None
        space = space_about(tx, item)
        end = quiet_end(self.ctx, tx, space, now) if kind.holds(self.ctx, item) else None
        if end is not None:
            tx.outbox.postpone(item, end, held=True)
            return None
        if not tx.outbox.claim(item.id, item.attempts, until):
            return None
        return self._parcel(tx, chat, (item.id,), space, content)

    def _notice(self, tx: Tx, chat: int, item: OutboxItem, until: datetime) -> Parcel | None:
        """All that the person may be told now, as one parcel."""
        assert item.recipient is not None, "a notice is for a person"  # noqa: S101
        notice = claim_notice(self.ctx, tx, item.recipient, until)
        if notice is None:
            return None
        return self._parcel(tx, chat, notice.items, space_of(tx, item.conversation), notice)

    def _parcel(self, tx: Tx, chat: int, items: tuple[str, ...], space: int, content: object) -> Parcel:
        first = tx.outbox.get(items[0])
        assert first is not None and first.due_at is not None, "it was just claimed"  # noqa: S101
        to, zone = target(tx, first), zone_in(self.ctx, tx, space)
        return Parcel(items, first.kind, chat, to, first.reply_to, first.attempts, first.due_at, zone, content)


@dataclass(frozen=True, slots=True)
class NextDue:
    """How long until something of a bot login becomes due that is not yet; None when nothing waits."""

    ctx: Context

    def __call__(self, provider: str, account: str) -> timedelta | None:
        now = self.ctx.clock.now()
        with self.ctx.store.read() as tx:
            due = tx.outbox.next_due(provider, account, now)
        return None if due is None else due - now


@dataclass(frozen=True, slots=True)
class ParcelSent:
    """The platform accepted a parcel as these messages; False when it had been settled before."""

    ctx: Context
    kinds: Mapping[str, ParcelKind] = field(default_factory=lambda: KINDS)

    def __call__(self, parcel: Parcel, message_ids: Sequence[str]) -> bool:
        with self.ctx.store.write() as tx:
            now = self.ctx.clock.now()
            record = self.kinds[parcel.kind].sent if parcel.kind in self.kinds else mark_sent
            done = [record(self.ctx, tx, item, now, message_ids) for item in _items(tx, parcel)]
            tx.commit()
        return any(done)


@dataclass(frozen=True, slots=True)
class ParcelLater:
    """Sending did not work and may work later: it waits as long as the platform asked, else longer each time.

    After `send_attempts` attempts, or when it is older than `send_age` (`notice_age` for notices), it failed for good.
    An attempt after which the platform named a wait does not count: those are bounded by age alone. False when it
    failed for good, or had been settled or taken by somebody else before.
    """

    ctx: Context
    kinds: Mapping[str, ParcelKind] = field(default_factory=lambda: KINDS)

    def __call__(self, parcel: Parcel, wait: timedelta | None, why: str) -> bool:
        with self.ctx.store.write() as tx:
            now = self.ctx.clock.now()
            items = _items(tx, parcel, claimed=True)
            over = [item for item in items if self._is_over(item, wait, now)]
            fail_all(self.ctx, tx, over, now, why, self.kinds)
            later = [item for item in items if item not in over and self._wait(tx, item, wait, now, why)]
            tx.commit()
        return bool(later)

    def _is_over(self, item: OutboxItem, wait: timedelta | None, now: datetime) -> bool:
        limits = self.ctx.limits
        old = item.created_at is not None and now - item.created_at >= age_of(item.kind, limits)
        return old or (wait is None and item.attempts >= limits.send_attempts)

    def _wait(self, tx: Tx, item: OutboxItem, wait: timedelta | None, now: datetime, why: str) -> bool:
        pause = back_off(item.attempts, self.ctx.limits) if wait is None else max(wait, timedelta(0))
        return tx.outbox.postpone(item, now + pause, why, counted=wait is None)


@dataclass(frozen=True, slots=True)
class ParcelBack:
    """A parcel that was taken and not sent is due at once, as if nobody had taken it."""

    ctx: Context

    def __call__(self, parcel: Parcel) -> None:
        with self.ctx.store.write() as tx:
            for item in _items(tx, parcel, claimed=True):
                tx.outbox.postpone(item, self.ctx.clock.now(), counted=False)
            tx.commit()


@dataclass(frozen=True, slots=True)
class ParcelFailed:
    """A parcel failed for good, `why` is a short code; False when it was settled or taken by another before.

    A fire is refunded and its creator told. Who cannot be told, because they block direct messages, is asked once to
    open a private chat, in the channel that it was about.
    """

    ctx: Context
    kinds: Mapping[str, ParcelKind] = field(default_factory=lambda: KINDS)

    def __call__(self, parcel: Parcel, why: str) -> bool:
        with self.ctx.store.write() as tx:
            done = fail_all(self.ctx, tx, _items(tx, parcel, claimed=True), self.ctx.clock.now(), why, self.kinds)
            tx.commit()
        return done


def fail_all(
    ctx: Context, tx: Tx, items: Sequence[OutboxItem], now: datetime, why: str, kinds: Mapping[str, ParcelKind] = KINDS
) -> bool:
    """These messages failed for good, in the caller's transaction; False when all had been settled before."""
    told = [item for item in items if item.kind in notices.KINDS]
    if why == BLOCKED:
        any(add_unreached(ctx, tx, item, now) for item in told)
    done = [mark_failed(ctx, tx, item, now, why) for item in told]
    for item in items:
        if item.kind not in notices.KINDS:
            end = kinds[item.kind].failed if item.kind in kinds else mark_failed
            done.append(end(ctx, tx, item, now, why))
    return any(done)


def age_of(kind: str, limits: Limits) -> timedelta:
    """How old a message of this kind gets at most."""
    return limits.notice_age if kind in notices.KINDS else limits.send_age


def _items(tx: Tx, parcel: Parcel, claimed: bool = False) -> list[OutboxItem]:
    """The rows of a parcel that are not final, or only those that are still taken for this very parcel."""
    found = (tx.outbox.get(item_id) for item_id in parcel.items)
    live = [item for item in found if item is not None and item.state in {OutboxState.QUEUED, OutboxState.HELD}]
    return [item for item in live if item.due_at == parcel.lease or not claimed]
