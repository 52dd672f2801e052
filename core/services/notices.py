"""Notices: what a person is to know, kept in the outbox and told at most once an hour, merged.

A row holds ids, handles and counts; words are read from the intents when it is told. A notice is taken, shown, and then
recorded as told, so that a process that ends in between loses none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache, partial

from core.aspirations.item import Item
from core.goals import risks, states
from core.goals.objects import OPEN, UNRESOLVED, IntentObject, IntentState
from core.ports import Tx
from core.services.aspiration_sheets import look
from core.services.audit import SYSTEM_NAMESPACE
from core.services.context import Context
from core.services.goal_rights import shown_to
from core.services.outgoing import in_pages, quiet_end, space_of, where_of
from core.standing import lifecycle
from core.standing.intent import LIVE, OutboxItem, OutboxState, Priority, StandingIntent, Status
from core.stored import IntentFilter
from core.timed.reminder import TimedReminder
from core.turn import Actor, Principal, Visibility, Where, machine_kind


class NoticeKind(StrEnum):
    """What a notice is about, as the outbox stores it."""

    EXPIRING = "notice.expiring"
    CANCELLED = "notice.cancelled"
    REFUNDED = "notice.refunded"
    LEFT = "notice.left"
    WATCHED = "notice.watched"
    IMPORTED = "notice.imported"
    REVIEW = "notice.review"
    TIMED_CANCELLED = "notice.timed.cancelled"
    TIMED_FAILED = "notice.timed.failed"
    GOAL_OWNED = "notice.goal.owned"
    GOAL_PROPOSED = "notice.goal.proposed"
    GOAL_CHANGED = "notice.goal.changed"
    GOAL_EXPIRED = "notice.goal.expired"
    GOAL_DEPENDENCY = "notice.goal.dependency"
    GOAL_FADED = "notice.goal.faded"
    RISK_EXPIRED = "notice.goal.risk"
    RISKS = "notice.goal.risks"
    RULE_CLOSED = "notice.goal.rule"


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

    `body` holds `intent` and `handle`, `who` (a principal as a list), `count` and `review` (a date), `goal`, `other`
    and `goals` (ids of goal memory) and `state`, as the kind needs them.
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
    body: dict[str, object] = {"who": _acted(tx, actor)}
    body |= _about(first) if len(rows) == 1 else {"count": len(rows)}
    urgent = any(row.priority >= Priority.HIGH for row in rows)
    add(ctx, tx, NoticeKind.CANCELLED, first.creator, first.conversation, body, urgent)


def add_watched(ctx: Context, tx: Tx, intent: StandingIntent) -> None:
    """Tell a named person that an intent watches what they say; nobody else speaks in a direct message.

    Bots and webhooks are not told.
    """
    if machine_kind(intent.watches) is not None:
        return
    if intent.watches in {None, intent.creator} or tx.places.get(intent.channel).visibility is Visibility.DIRECT:
        return
    assert intent.watches is not None, "just checked"  # noqa: S101
    body = _about(intent) | {"who": as_list(intent.creator)}
    add(ctx, tx, NoticeKind.WATCHED, intent.watches, intent.conversation, body)


def add_timed(ctx: Context, tx: Tx, kind: NoticeKind, row: TimedReminder, actor: Actor, urgent: bool = False) -> None:
    """Owe the creator of a timed reminder a notice of what somebody, or something, did to it."""
    body = {"timed": row.id, "handle": row.handle, "who": _acted(tx, actor)}
    add(ctx, tx, kind, row.creator, row.conversation, body, urgent)


def _about(intent: StandingIntent) -> dict[str, object]:
    return {"intent": intent.id, "handle": intent.handle}


def _acted(tx: Tx, actor: Actor) -> list[str]:
    """Who acted, known by the name they have now: nothing else may have stored it."""
    if actor.principal is not None:
        tx.places.ensure_principal(actor.principal, actor.name)
    return as_list(actor.principal)


def as_list(person: Principal | None) -> list[str]:
    """A person as the body of a message keeps them."""
    return [] if person is None else person.parts


@dataclass(frozen=True, slots=True)
class News:
    """One thing to tell. `intent` is what it is about, its description "" where the words were erased.

    `who` did it (None for an administrator), `who_name` is the name they were last seen with; `count` is how many
    intents it is about; `where` is the place. Of an aspiration there are `handle` and `text`, which is "" where its
    file cannot be read; `timed` is the timed reminder that it is about. `goals` are the intents of goal memory that it
    is about, `other` is one that these wait for, and `state` what became of it then.
    """

    kind: NoticeKind
    where: Where
    intent: StandingIntent | None = None
    who: Principal | None = None
    count: int = 0
    who_name: str = ""
    handle: str = ""
    text: str = ""
    timed: TimedReminder | None = None
    goals: tuple[IntentObject, ...] = ()
    other: IntentObject | None = None
    state: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """What a person is told now, and how many notices wait for the next time. `items` are its rows in the outbox."""

    news: tuple[News, ...]
    waiting: int = 0
    items: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TakeNotices:
    """Take what a person is to be told now; None when there is nothing, or not yet.

    At most one notice an hour a person (`notice_gap`), merged of `notices_at_once` at most; an urgent one comes
    at once, together with what waits. The quiet hours that run now in the space that a notice is about hold it. What
    there is no reason to tell any more is closed and counts for nothing. It counts as told once `NoticesTold` says
    so: when that does not happen within `send_lease`, it is given out again.
    """

    ctx: Context

    def __call__(self, person: Principal) -> Notice | None:
        with self.ctx.store.read() as tx:
            seen = tellable(self.ctx, tx, person)
            if not (seen.ready or seen.moot):
                return None
        with self.ctx.store.write() as tx:
            tx.operations.lock([SYSTEM_NAMESPACE])  # one process takes at a time
            notice = claim_notice(self.ctx, tx, person, self.ctx.clock.now() + self.ctx.limits.send_lease)
            tx.commit()
        return notice


@dataclass(frozen=True, slots=True)
class NoticesTold:
    """Record that a person was told what `TakeNotices` gave out."""

    ctx: Context

    def __call__(self, notice: Notice) -> None:
        with self.ctx.store.write() as tx:
            for item_id in notice.items:
                tx.outbox.mark(item_id, OutboxState.SENT, self.ctx.clock.now())
            tx.commit()


@dataclass(frozen=True, slots=True)
class Tellable:
    """What is owed to a person: `ready` may be told now, urgent ones first; `moot` needs no telling any more.

    `waiting` is the rest of what no process has, each with the time until which it waits.
    """

    ready: tuple[OutboxItem, ...] = ()
    moot: tuple[OutboxItem, ...] = ()
    waiting: tuple[tuple[OutboxItem, datetime], ...] = ()


def tellable(ctx: Context, tx: Tx, person: Principal) -> Tellable:
    """Look at the notices that are owed to a person. Nothing is ready while some are about to be told.

    Nothing before the gap is over unless one is urgent. A time in the future, of a clock that went back, is no
    last time.
    """
    now = ctx.clock.now()
    end_of = cache(lambda place: quiet_end(ctx, tx, space_of(tx, place), now))
    owed = [item for item in in_pages(ctx.limits, partial(tx.outbox.owed, person)) if item.kind in KINDS]
    free = [item for item in owed if not _is_taken(item, now)]
    held = [(item, end) for item in free if (end := end_of(item.conversation)) is not None]
    heard = [item for item in free if end_of(item.conversation) is None]
    is_moot = {item.id: _is_moot(ctx, tx, person, item, now) for item in heard}
    moot = tuple(item for item in heard if is_moot[item.id])
    loud = [item for item in heard if not is_moot[item.id]]
    last = tx.outbox.last_sent(person, KINDS, now) if loud else None
    again = now if last is None else last + ctx.limits.notice_gap
    if len(free) < len(owed):
        again = max(again, now + ctx.limits.send_lease)
    elif any(map(_is_urgent, loud)):
        again = now
    if again > now:
        return Tellable((), moot, (*held, *((item, again) for item in loud)))
    return Tellable(tuple(sorted(loud, key=lambda item: not _is_urgent(item))), moot, tuple(held))


def claim_notice(ctx: Context, tx: Tx, person: Principal, until: datetime) -> Notice | None:
    """Take all that a person may be told now as one notice, in the caller's transaction, and close what is moot.

    What has to wait is due when it can be told.
    """
    seen, now = tellable(ctx, tx, person), ctx.clock.now()
    for item in seen.moot:
        tx.outbox.mark(item.id, OutboxState.FAILED, now)
    for item, end in seen.waiting:
        if item.due_at is None or item.due_at <= now:
            tx.outbox.postpone(item, end, held=True)
    most = ctx.limits.notices_at_once
    taken = [item for item in seen.ready[:most] if tx.outbox.claim(item.id, item.attempts, until)]
    news = tuple(_news(ctx, tx, item) for item in taken)
    return Notice(news, len(seen.ready[most:]), tuple(item.id for item in taken)) if news else None


def _is_taken(item: OutboxItem, now: datetime) -> bool:
    """Does a process tell it right now, or wait for its next attempt?"""
    tried = item.state is OutboxState.QUEUED and (item.attempts > 0 or bool(item.error))
    return tried and item.due_at is not None and item.due_at > now


def _is_moot(ctx: Context, tx: Tx, person: Principal, item: OutboxItem, now: datetime) -> bool:
    """Is there no reason any more to tell it? The question is settled, the rule is over, nothing waits."""
    intent = _intent(tx, item)
    match NoticeKind(item.kind):
        case NoticeKind.EXPIRING:
            return not _is_asked(intent, now)
        case NoticeKind.WATCHED:
            return not _is_live(intent, now)
        case NoticeKind.IMPORTED:
            return not _is_waiting(ctx, tx, person, now)
        case NoticeKind.REVIEW:
            return _is_settled(ctx, tx, item)
        case NoticeKind.RISKS:
            return not _goals(ctx, tx, item)
        case NoticeKind.GOAL_PROPOSED:
            return not all(row.is_proposal and row.intent_state in UNRESOLVED for row in _goals(ctx, tx, item))
        case NoticeKind.GOAL_DEPENDENCY:
            return not all(row.intent_state in OPEN and _still_waits(tx, row, item) for row in _goals(ctx, tx, item))
        case NoticeKind.RULE_CLOSED:
            return intent is None or not intent.goal_closed
        case _:
            return False


def _still_waits(tx: Tx, row: IntentObject, item: OutboxItem) -> bool:
    """Is the question what to do about what is over still open? That the way is free is told in any case."""
    free = item.body.get("state") == IntentState.COMPLETED
    return free or item.body.get("other") in {one.id for one in tx.goals.prerequisites(row.key)}


def _is_waiting(ctx: Context, tx: Tx, person: Principal, now: datetime) -> bool:
    """Does an imported rule of a person wait for their yes? Of very many that sleep, one may."""
    most = ctx.limits.live_intents_per_creator
    found = tx.intents.list(IntentFilter(creator=person, statuses=(Status.PENDING,)), most, 0)
    return len(found) == most or any(row.unconfirmed and _is_live(row, now) for row in found)


def _is_urgent(item: OutboxItem) -> bool:
    return bool(item.body.get("urgent"))


def _intent(tx: Tx, item: OutboxItem) -> StandingIntent | None:
    return tx.intents.by_id(str(item.body["intent"])) if "intent" in item.body else None


def _news(ctx: Context, tx: Tx, item: OutboxItem) -> News:
    found = _aspiration(ctx, tx, item)
    who, count = person_in(item), item.body.get("count")
    return News(
        NoticeKind(item.kind),
        where_of(tx, item.conversation),
        _intent(tx, item),
        who,
        count if isinstance(count, int) else 1,
        "" if who is None else tx.places.name_of(who),
        str(item.body.get("handle", "")),
        "" if found is None else found.text,
        tx.timed.by_id(str(item.body["timed"])) if "timed" in item.body else None,
        _goals(ctx, tx, item),
        _other(tx, item),
        str(item.body.get("state", "")),
    )


def _other(tx: Tx, item: OutboxItem) -> IntentObject | None:
    """What an intent waited for; without its words for who has no part in it: owners see them where they are asked."""
    found = tx.goals.by_id(str(item.body["other"])) if "other" in item.body else None
    if found is None:
        return None
    people = {found.creator.who, found.owner.who, *(one.who for one in found.stakeholders)}
    return shown_to(item.recipient in people, found)


def _goals(ctx: Context, tx: Tx, item: OutboxItem) -> tuple[IntentObject, ...]:
    """The intents of goal memory that a notice is about, as they are now; of risks those that are still to be told."""
    ids = item.body.get("goals", [item.body["goal"]] if "goal" in item.body else [])
    found = tx.goals.by_ids(list(map(str, ids))) if isinstance(ids, list) and ids else ()
    rows = tuple(states.effective(row, ctx.clock.now()) for row in found)
    return tuple(filter(risks.is_told, rows)) if item.kind == NoticeKind.RISKS else rows


def person_in(item: OutboxItem) -> Principal | None:
    """Whom the body of a message names."""
    who = item.body.get("who")
    return Principal(*map(str, who)) if isinstance(who, list) and len(who) == 3 else None


def _aspiration(ctx: Context, tx: Tx, item: OutboxItem) -> Item | None:
    """The aspiration that a notice is about; None where it is about something else, or nothing can be said of it."""
    sheet = look(ctx, tx, item.conversation) if item.kind == NoticeKind.REVIEW else None
    return None if sheet is None else sheet.document.find(str(item.body["handle"]))


def _is_settled(ctx: Context, tx: Tx, item: OutboxItem) -> bool:
    """Is an aspiration done, gone, or to be looked at on another day? Not known of a file that is away or blank."""
    sheet = look(ctx, tx, item.conversation)
    if sheet is None or not (sheet.text or "").strip():
        return False
    found = sheet.document.find(str(item.body["handle"]))
    return found is None or found.done or str(found.review) != item.body["review"]


def _is_live(intent: StandingIntent | None, now: datetime) -> bool:
    return intent is not None and lifecycle.settled(intent, now).status in LIVE


def _is_asked(intent: StandingIntent | None, now: datetime) -> bool:
    """Is the question whether to keep it still open? Not once it fired, ended or was kept; nor without its words."""
    if intent is None or not intent.description or not _is_live(intent, now):
        return False
    return intent.fire_count == 0 and intent.expiry_asked_at is not None
