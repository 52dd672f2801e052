"""Who may do what with a timed reminder (design 04). A refusal looks the same as "does not exist"."""

from core.catalogue import say
from core.errors import InvalidInput, NotAllowed, NotFound
from core.ports import Tx
from core.services.context import Context
from core.services.rights import normal_handle, spot_of
from core.settings import OFF, OWNERS, Setting
from core.timed.kept import TimedFilter
from core.timed.reminder import RemindDraft, TimedReminder
from core.turn import Actor, Principal, Spot, Visibility, Where, machine_kind


def require_remind(ctx: Context, tx: Tx, draft: RemindDraft, actor: Actor, spot: Spot) -> Principal:
    """Who makes a reminder: a signed-in person whom the space's setting `reminders` allows it; in a direct message
    everybody, for themselves. Raises NotAllowed or, for somebody who cannot be reminded here, InvalidInput.
    """
    if actor.principal is None:
        raise NotAllowed(say("rights.remind.nobody"), say("rights.remind.nobody.hint"))
    other = draft.target not in {None, actor.principal}
    if spot.visibility is Visibility.DIRECT:
        if other:
            raise InvalidInput(say("remind.direct.other"), say("remind.direct.other.hint"))
        return actor.principal
    allowed = ctx.settings(tx.records.settings(spot.space) if spot.space else {})[Setting.REMINDERS]
    if allowed == OFF:
        raise NotAllowed(say("rights.remind.off"), say("rights.remind.off.hint"))
    if allowed == OWNERS and not (actor.is_owner or actor.is_operator):
        raise NotAllowed(say("rights.remind.owners"), say("rights.create.hint"))
    if draft.target_is_bot or machine_kind(draft.target) is not None:
        raise InvalidInput(say("remind.bot", name=draft.target_name), say("remind.bot.hint"))
    if other and draft.direct:
        raise InvalidInput(say("remind.direct.for"), say("remind.direct.for.hint"))
    return actor.principal


def may_see(actor: Actor, row: TimedReminder, spot: Spot | None) -> bool:
    """Admins and operators see all, people what they made or are reminded of, owners what is posted where they are."""
    if actor.is_admin or actor.is_operator or actor.principal in {row.creator, row.target}:
        return True
    return actor.is_owner and not row.direct and spot is not None and row.namespace_id == spot.namespace_id


def lookup(tx: Tx, handle: str, actor: Actor, where: Where | None) -> TimedReminder:
    """The reminder behind a handle that the actor may see. Raises NotFound."""
    wanted = normal_handle(handle, "r")
    row = tx.timed.by_handle(wanted)
    if row is None or not may_see(actor, row, spot_of(tx, where)):
        raise NotFound(say("timed.unknown", handle=wanted), say("timed.unknown.hint"), handle=wanted)
    return row


def lookup_own(tx: Tx, handle: str, actor: Actor, where: Where | None) -> TimedReminder:
    """The same, for who made it or is reminded. Raises NotFound, NotAllowed for who may only see it."""
    row = lookup(tx, handle, actor, where)
    if actor.principal not in {row.creator, row.target}:
        raise NotAllowed(say("rights.timed.own"), say("rights.timed.own.hint"), handle=row.handle)
    return row


def visible(tx: Tx, actor: Actor, where: Where | None, everything: bool) -> TimedFilter:
    """What a list shows this actor here: admins all, owners the space's, others their own."""
    open_only = not everything
    if actor.is_admin:
        return TimedFilter(open_only=open_only)
    spot = spot_of(tx, where)
    direct = where is None or where.visibility is Visibility.DIRECT
    if direct and actor.is_operator:
        return TimedFilter(open_only=open_only)
    namespace = () if direct else (spot.namespace_id,) if spot is not None and spot.namespace_id else ("",)
    if (actor.is_owner or actor.is_operator) and not direct:
        return TimedFilter(namespace, open_only=open_only, but_direct_of=None if actor.is_operator else actor.principal)
    return TimedFilter(namespace, actor.principal, open_only)
