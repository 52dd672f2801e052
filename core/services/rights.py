"""Who may do what with a standing intent (design 04). A refusal looks the same as "does not exist"."""

from dataclasses import replace

from core.catalogue import say
from core.errors import NotAllowed, NotFound
from core.ports import Tx
from core.standing.intent import ChannelScope, Deliver, Draft, Fire, StandingIntent, Status
from core.stored import IntentFilter
from core.turn import Actor, ActorType, Principal, Spot, Visibility, Where, machine_kind

HANDLE_LETTERS = frozenset("0123456789abcdefghijklmnopqrstuvwxyz-")


def require_creator(actor: Actor, draft: Draft, where: Where) -> None:
    """Creation needs a signed-in owner, never a bot; `anywhere` needs an operator, in a public channel.

    Raises NotAllowed.
    """
    if actor.principal is None or machine_kind(actor.principal) is not None:
        raise NotAllowed(say("rights.create.nobody"), say("rights.create.nobody.hint"))
    if not (actor.is_owner or actor.is_operator):
        if where.visibility is Visibility.DIRECT:
            raise NotAllowed(say("rights.create.direct"), say("rights.create.direct.hint"))
        raise NotAllowed(say("rights.create"), say("rights.create.hint"))
    if draft.channel_scope is ChannelScope.ANYWHERE and not actor.is_operator:
        raise NotAllowed(say("rights.anywhere"), say("rights.anywhere.hint"))
    if draft.channel_scope is ChannelScope.ANYWHERE and where.visibility is not Visibility.PUBLIC:
        raise NotAllowed(say("rights.anywhere.private"), say("rights.anywhere.private.hint"))


def require_waking(actor: Actor, intent: StandingIntent) -> None:
    """What is paused is woken by owners and operators of now: who left does not wake theirs. Raises NotAllowed.

    One that tells its creator by direct message is woken by them alone, one that listens everywhere by operators.
    """
    if not (actor.is_owner or actor.is_operator):
        raise NotAllowed(say("rights.resume"), say("rights.create.hint"))
    if intent.deliver is Deliver.DIRECT and intent.creator != actor.principal:
        raise NotAllowed(say("rights.resume.direct"), say("rights.resume.direct.hint"))
    _require_reach(actor, intent)


def require_change(actor: Actor, intent: StandingIntent) -> None:
    """What a rule says, where it is quiet and how long it lives: for owners and operators of now. Raises NotAllowed.

    One that waits for its creator's yes is changed by them alone, one that listens everywhere by operators.
    """
    if not (actor.is_owner or actor.is_operator):
        raise NotAllowed(say("rights.change"), say("rights.change.hint"))
    if intent.unconfirmed and intent.creator != actor.principal:
        raise NotAllowed(say("rights.change.unconfirmed"), say("rights.change.unconfirmed.hint"))
    _require_reach(actor, intent)


def _require_reach(actor: Actor, intent: StandingIntent) -> None:
    if intent.channel_scope is ChannelScope.ANYWHERE and not actor.is_operator:
        raise NotAllowed(say("rights.change.anywhere"), say("rights.change.anywhere.hint"))


def require_end(actor: Actor, who: Principal) -> None:
    """A membership is ended by that person, an owner, an operator or the platform. Raises NotAllowed."""
    by_system = actor.principal is None and actor.type is not ActorType.HUMAN_USER
    if not (by_system or actor.principal == who or actor.is_owner or actor.is_operator):
        raise NotAllowed(say("rights.end"), say("rights.create.hint"))


def may_see(actor: Actor, intent: StandingIntent, spot: Spot | None) -> bool:
    """Admins and operators see all, creators their own, owners what lives in the namespace they stand in.

    What listens everywhere was made by an operator: owners of the place where it was made do not see it.
    """
    if actor.is_admin or actor.is_operator or intent.creator == actor.principal:
        return True
    if intent.channel_scope is ChannelScope.ANYWHERE:
        return False
    return actor.is_owner and spot is not None and intent.namespace_id == spot.namespace_id


def may_change(actor: Actor, intent: StandingIntent, spot: Spot | None) -> bool:
    """Edit, pause and resume: as seeing, but never an admin. All but pausing asks for more besides."""
    return not actor.is_admin and may_see(actor, intent, spot)


def may_see_fire(tx: Tx, actor: Actor, intent: StandingIntent, spot: Spot | None, fire: Fire) -> bool:
    """May somebody who sees the rule see that fire? One of a private channel: its creator, and who stands in it."""
    if actor.is_admin or actor.is_operator or intent.creator == actor.principal:
        return True
    place = tx.places.get(fire.conversation)
    channel = place if place.parent_id is None else tx.places.get(place.parent_id)
    here = spot is not None and spot.channel == channel.id
    return here or channel.visibility is not Visibility.PRIVATE


def spot_of(tx: Tx, where: Where | None) -> Spot | None:
    """The asker's place, None for the command line."""
    return None if where is None else tx.places.find(where)


def lookup(tx: Tx, handle: str, actor: Actor, where: Where | None, change: bool = False) -> StandingIntent:
    """The intent behind a handle that the actor may see (or, with `change`, change). Raises NotFound."""
    wanted = normal_handle(handle)
    intent = tx.intents.by_handle(wanted)
    allowed = may_change if change else may_see
    if intent is None or not allowed(actor, intent, spot_of(tx, where)):
        if intent is not None and change and may_see(actor, intent, spot_of(tx, where)):
            raise NotAllowed(say("rights.admin"), say("rights.admin.hint"), handle=wanted)
        raise NotFound(say("intent.unknown", handle=wanted), say("intent.unknown.hint"), handle=wanted)
    return intent


def normal_handle(handle: str, prefix: str = "i") -> str:
    """As stored: lower case, `i-` in front. At most 12 characters are looked at; a foreign one becomes `?`."""
    typed = handle.strip().strip("`").lower()[:12]
    text = "".join(letter if letter in HANDLE_LETTERS else "?" for letter in typed)
    return text if text.startswith(f"{prefix}-") else f"{prefix}-{text}"


def visible(tx: Tx, actor: Actor, where: Where | None, statuses: tuple[Status, ...], text: str) -> IntentFilter:
    """What a list shows this actor here."""
    if actor.is_admin:
        return IntentFilter(statuses=statuses, text=text)
    spot = spot_of(tx, where)
    namespace = (spot.namespace_id,) if spot is not None and spot.namespace_id else ("",)
    if actor.is_operator and (where is None or where.visibility is Visibility.DIRECT):
        return IntentFilter(statuses=statuses, text=text)
    if actor.is_owner and where is not None and where.visibility is not Visibility.DIRECT:
        everywhere = None if actor.is_operator else actor.principal
        return IntentFilter(namespace, statuses=statuses, text=text, anywhere_of=everywhere)
    own_everywhere = where is None or where.visibility is Visibility.DIRECT
    return IntentFilter(() if own_everywhere else namespace, actor.principal, statuses, text)


def of_person(tx: Tx, actor: Actor, where: Where | None, who: Principal, statuses: tuple[Status, ...]) -> IntentFilter:
    """What a person made of what the actor may cancel here. Raises NotAllowed."""
    wanted = visible(tx, actor, where, statuses, "")
    nobody = actor.principal is None and not actor.is_admin
    if nobody or (wanted.creator not in {None, who} and not actor.is_operator):
        raise NotAllowed(say("rights.cancel_all"), say("rights.create.hint"))
    return replace(wanted, creator=who)
