"""Who may do what with an intent of goal memory (D5, D20; design 04). A refusal looks the same as "does not exist"."""

from dataclasses import replace

from core.catalogue import say
from core.errors import InvalidInput, NotAllowed, NotFound
from core.goals.kept import GoalFilter
from core.goals.objects import IntentObject
from core.ports import Tx
from core.services.rights import normal_handle, spot_of
from core.turn import Actor, Principal, Spot, Visibility, Where, machine_kind


def require_maker(actor: Actor, visibility: Visibility, replaces: bool = False) -> Principal:
    """Goals are made by signed-in owners and operators, never by a bot or an administrator. Raises NotAllowed.

    One that `replaces` another is for whoever may change that.
    """
    if actor.principal is None or machine_kind(actor.principal) is not None:
        raise NotAllowed(say("rights.goal.nobody"), say("rights.goal.nobody.hint"))
    if not (actor.is_owner or actor.is_operator or replaces):
        direct = visibility is Visibility.DIRECT
        raise NotAllowed(say("rights.goal.direct" if direct else "rights.goal"), say("rights.create.hint"))
    return actor.principal


def involved(actor: Actor, row: IntentObject) -> bool:
    """Is it theirs: made or owned by them, or do they have a stake in it?"""
    return actor.principal in {row.creator.who, row.owner.who, *(one.who for one in row.stakeholders)}


def may_see(actor: Actor, row: IntentObject, spot: Spot | None) -> bool:
    """Admins and operators see all; others what lives in the namespace they stand in, owners all of it, others theirs.

    From a direct message or without a place people see what is theirs wherever it lives.
    """
    if actor.is_admin or actor.is_operator:
        return True
    here = spot is not None and row.namespace_id == spot.namespace_id
    if spot is None or spot.visibility is Visibility.DIRECT:
        return (here and actor.is_owner) or involved(actor, row)
    return here and (actor.is_owner or involved(actor, row))


def shown_to(sees: bool, row: IntentObject) -> IntentObject:
    """An intent for who may see it; for who may not, without its words."""
    return row if sees else replace(row, value=say("goal.hidden"), criteria="", note="", structured="")


def lookup(tx: Tx, handle: str, actor: Actor, where: Where | None) -> IntentObject:
    """The intent behind a handle that the actor may see. Raises NotFound."""
    wanted = normal_handle(handle, "g")
    row = tx.goals.by_handle(wanted)
    if row is None or not may_see(actor, row, spot_of(tx, where)):
        raise NotFound(say("goal.unknown", handle=wanted), say("goal.unknown.hint"), handle=wanted)
    return row


def as_here(tx: Tx, actor: Actor, row: IntentObject, where: Where | None) -> Actor:
    """The actor as far as that intent goes: who owns their direct message decides nothing about other places there."""
    spot = spot_of(tx, where)
    stands = spot is not None and spot.namespace_id == row.namespace_id
    return actor if stands or not actor.is_owner else replace(actor, is_owner=False)


def require_confirmed(row: IntentObject) -> None:
    """What a machine proposed has no effect before somebody said yes to it. Raises InvalidInput."""
    if row.is_proposal:
        raise InvalidInput(say("goal.proposal", handle=row.handle), say("goal.proposal.hint", handle=row.handle))


def require_change(actor: Actor, row: IntentObject, *, complete: bool = False, cancel: bool = False) -> None:
    """Its owner, whoever made it, and owners of the space decide; a stakeholder may complete, an administrator cancel.

    A machine decides for what it owns alone. Raises NotAllowed.
    """
    if actor.is_admin:
        if cancel:
            return
        raise NotAllowed(say("rights.goal.admin"), say("rights.admin.hint"), handle=row.handle)
    who = actor.principal
    if who is not None and (who == row.owner.who or (complete and who in {one.who for one in row.stakeholders})):
        return
    if (
        who is None
        or machine_kind(who) is not None
        or not (actor.is_owner or actor.is_operator or who == row.creator.who)
    ):
        raise NotAllowed(
            say("rights.goal.change", handle=row.handle), say("rights.goal.change.hint", name=row.owner.name)
        )


def require_review(actor: Actor, row: IntentObject, own_words: bool, *, dismiss: bool = False) -> None:
    """Owners of the space review proposals; a speaker their own words where the space allows it. Raises NotAllowed."""
    if actor.is_admin and dismiss:
        return
    mine = own_words and actor.principal == row.creator.who
    if (
        actor.is_admin
        or actor.principal is None
        or machine_kind(actor.principal) is not None
        or not (actor.is_owner or actor.is_operator or mine)
    ):
        raise NotAllowed(say("rights.goal.review", handle=row.handle), say("rights.create.hint"))


def visible(tx: Tx, actor: Actor, where: Where | None) -> GoalFilter:
    """What a list shows this actor here, before other restrictions."""
    direct = where is None or where.visibility is Visibility.DIRECT
    if actor.is_admin or (actor.is_operator and direct):
        return GoalFilter()
    spot = spot_of(tx, where)
    namespace = (spot.namespace_id,) if spot is not None and spot.namespace_id else ("",)
    if (actor.is_owner or actor.is_operator) and not direct:
        return GoalFilter(namespace)
    return GoalFilter(() if direct else namespace, actor.principal or _NOBODY)


_NOBODY = Principal("", "", "")
