"""Other places that a rule names: where it stays quiet, and where its reminders go.

Nothing crosses a namespace: a rule names public channels of its own space, and the very channel it was made in.
A place that it cannot name is refused in the same words whether it exists or not.
"""

from dataclasses import dataclass, replace

from core.catalogue import say
from core.errors import InvalidInput, StorageError
from core.ports import Tx
from core.services.context import Context
from core.standing import drafts
from core.standing.intent import Deliver, Draft, StandingIntent
from core.turn import Spot, Visibility, Where


@dataclass(frozen=True, slots=True)
class Home:
    """Where a rule is made. `where` tells the place by name, for one that the store does not know yet."""

    spot: Spot
    where: Where | None = None

    @property
    def direct(self) -> bool:
        """Is it a direct message?"""
        return self.spot.visibility is Visibility.DIRECT


def require_there(tx: Tx, where: Where, spot: Spot) -> None:
    """Once the chain is locked: raise StorageError (`retry`) when a place moved between being found and the lock."""
    if tx.places.find(where) != spot:
        raise StorageError(say("place.raced"), say("storage.again.hint"), retry=True)


def home_of(tx: Tx, intent: StandingIntent) -> Home:
    """The home of a stored rule."""
    visibility = tx.places.get(intent.channel).visibility
    return Home(Spot(intent.space, intent.channel, intent.conversation, intent.namespace_id, visibility))


def check_elsewhere(ctx: Context, tx: Tx, draft: Draft, home: Home) -> Draft:
    """The draft with its exceptions and its way of delivery checked and made plain. Stores nothing.

    Raises InvalidInput or LimitExceeded.
    """
    named = drafts.check_except(draft.except_in, ctx.limits)
    for where in named:
        _check(tx.places.find(where), where, home)
    deliver = check_deliver(draft.deliver, home)
    to = draft.deliver_to if deliver is Deliver.PLACE else None
    if deliver is Deliver.PLACE:
        _check_target(tx.places.find(_target(to)), _target(to), home)
    return replace(draft, except_in=named, deliver=deliver, deliver_to=to)


def except_ids(ctx: Context, tx: Tx, named: tuple[Where, ...], home: Home) -> tuple[int, ...]:
    """Ids of the places in which a rule stays quiet, stored if new; that of a channel covers its threads."""
    ids = []
    for where in drafts.check_except(named, ctx.limits):
        _check(tx.places.find(where), where, home)
        spot = tx.places.ensure(where, ctx.ids.uuid())
        _check(spot, where, home)
        ids.append(spot.channel if where.conversation == where.channel else spot.conversation)
    return tuple(dict.fromkeys(ids))


def check_deliver(deliver: Deliver, home: Home) -> Deliver:
    """The way of delivery. What was made in a direct message is delivered there: DIRECT is the same as HERE."""
    if not home.direct:
        return deliver
    if deliver is Deliver.PLACE:
        raise InvalidInput(say("draft.deliver.direct"), say("draft.deliver.direct.hint"))
    return Deliver.HERE


def deliver_id(ctx: Context, tx: Tx, to: Where | None, home: Home) -> int:
    """Id of the conversation that reminders are posted in, stored if new."""
    where = _target(to)
    _check_target(tx.places.find(where), where, home)
    spot = tx.places.ensure(where, ctx.ids.uuid())
    _check_target(spot, where, home)
    return spot.conversation


def _target(to: Where | None) -> Where:
    if to is None:
        raise InvalidInput(say("draft.deliver.nowhere"), say("draft.deliver.nowhere.hint"))
    return drafts.whole(to)


def _check(found: Spot, named: Where, home: Home) -> None:
    if not (_same_space(found, named, home) and (found.visibility is Visibility.PUBLIC or _very(found, named, home))):
        name = named.channel_name or named.channel
        raise InvalidInput(say("draft.elsewhere", name=name), say("draft.elsewhere.hint"), name=name)


def _check_target(found: Spot, named: Where, home: Home) -> None:
    _check(found, named, home)
    if home.spot.visibility is Visibility.PRIVATE and not _very(found, named, home):
        raise InvalidInput(say("draft.deliver.private"), say("draft.deliver.private.hint"))


def _same_space(found: Spot, named: Where, home: Home) -> bool:
    if home.spot.space or home.where is None:
        return found.space == home.spot.space
    here = home.where
    return (named.provider, named.account, named.space) == (here.provider, here.account, here.space)


def _very(found: Spot, named: Where, home: Home) -> bool:
    if home.spot.channel or home.where is None:
        return found.channel == home.spot.channel
    return named.channel == home.where.channel
