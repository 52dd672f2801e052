"""What people are told of goals: one notice a thing, merged and sent as all notices are."""

from collections.abc import Mapping

from core.goals.objects import IntentObject, IntentState
from core.ports import Tx
from core.services.context import Context
from core.services.left import left_at
from core.services.notices import NoticeKind, add, as_list
from core.standing.intent import Priority, StandingIntent
from core.turn import Actor, Principal, machine_kind


def asked(row: IntentObject) -> Principal | None:
    """Whom a question about an intent goes to: its owner; for one that a machine owns, who made it (D5)."""
    for person in (row.owner, row.creator):
        if machine_kind(person.who) is None:
            return person.who
    return None


def add_owned(ctx: Context, tx: Tx, row: IntentObject, actor: Actor) -> None:
    """Tell the owner, once, that somebody else made them responsible."""
    if row.owner.who != actor.principal and machine_kind(row.owner.who) is None:
        _add(ctx, tx, NoticeKind.GOAL_OWNED, row.owner.who, row, {"who": as_list(actor.principal)})


def add_proposed(ctx: Context, tx: Tx, row: IntentObject, reviewer: Principal | None) -> None:
    """Ask somebody, once, whether what a machine concluded is right."""
    if reviewer is not None:
        _add(ctx, tx, NoticeKind.GOAL_PROPOSED, reviewer, row, {})


def add_changed(ctx: Context, tx: Tx, row: IntentObject, actor: Actor) -> None:
    """Tell the owner what somebody else did to their intent; its state says what."""
    whom = asked(row)
    if whom is None or whom == actor.principal or row.is_proposal:
        return
    if actor.principal is not None:
        tx.places.ensure_principal(actor.principal, actor.name)
    body = {"who": as_list(actor.principal), "state": str(row.intent_state)}
    _add(ctx, tx, NoticeKind.GOAL_CHANGED, whom, row, body)


def add_expired(ctx: Context, tx: Tx, row: IntentObject, was: Priority) -> None:
    """The deadline has passed: the owner is told; of a risk, whose priority `was` that, its stakeholders, too."""
    people = [asked(row)]
    if row.is_risk:
        people += [one.who for one in row.stakeholders if machine_kind(one.who) is None]
    kind = NoticeKind.RISK_EXPIRED if row.is_risk else NoticeKind.GOAL_EXPIRED
    for whom in dict.fromkeys(people):
        if whom is not None:
            urgent = row.is_risk and row.priority >= Priority.HIGH
            _add(ctx, tx, kind, whom, row, {"state": was.name}, urgent)


def add_dependency(ctx: Context, tx: Tx, dependent: IntentObject, closed: IntentObject) -> None:
    """What an intent waited for is over: its owner is asked what to do, at once, or told that the way is free."""
    whom = asked(dependent)
    if whom is not None and not dependent.is_proposal:
        body = {"other": closed.id, "state": str(closed.intent_state)}
        asks = closed.intent_state is not IntentState.COMPLETED
        _add(ctx, tx, NoticeKind.GOAL_DEPENDENCY, whom, dependent, body, urgent=asks)


def add_faded(ctx: Context, tx: Tx, row: IntentObject) -> None:
    """Age alone archived it: the owner can take it up again."""
    whom = asked(row)
    if whom is not None:
        _add(ctx, tx, NoticeKind.GOAL_FADED, whom, row, {})


def add_rule_closed(ctx: Context, tx: Tx, rule: StandingIntent, goal: IntentObject) -> None:
    """The creator of a rule is told that it sleeps, since its goal is closed."""
    body = {"intent": rule.id, "handle": rule.handle, "goal": goal.id, "state": str(goal.intent_state)}
    add(ctx, tx, NoticeKind.RULE_CLOSED, rule.creator, rule.conversation, body)


def add_risks(ctx: Context, tx: Tx, whom: Principal, rows: tuple[IntentObject, ...]) -> None:
    """The open risks of one person in one space, together (D19): the most urgent `risks_told`, and how many in all."""
    first = rows[0]
    if left_at(tx, first.space) is not None:
        return
    told = [row.id for row in rows[: ctx.limits.risks_told]]
    body: dict[str, object] = {"goals": told, "handle": first.handle, "count": len(rows)}
    add(ctx, tx, NoticeKind.RISKS, whom, first.conversation, body)


def _add(
    ctx: Context,
    tx: Tx,
    kind: NoticeKind,
    whom: Principal,
    row: IntentObject,
    body: Mapping[str, object],
    urgent: bool = False,
) -> None:
    """Owe somebody a notice; nothing about a space that the bot was removed from."""
    if left_at(tx, row.space) is not None:
        return
    add(ctx, tx, kind, whom, row.conversation, {"goal": row.id, "handle": row.handle, **body}, urgent)
