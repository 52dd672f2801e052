"""The people, owners and places of a channel that has no platform behind it: the terminal's own workspace."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta

from core.catalogue import say
from core.errors import InvalidInput, NotAllowed
from core.operations.log import OpType
from core.ports import Tx
from core.services.audit import SYSTEM_NAMESPACE
from core.services.context import Context
from core.services.end_membership import end_membership
from core.services.record import log
from core.turn import Actor, Principal, Visibility, Where

PEOPLE, OWNERS, PLACES, CLOCK = "console.people", "console.owners", "console.places", "console.clock"
VISITS = "console.visits"


@dataclass(frozen=True, slots=True)
class Workspace:
    """What is kept between two runs: names as shown, ids of the owners, places, the clock's lead.

    `visits` tells who was in a private channel or a direct message: pairs of channel and person.
    """

    people: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()
    places: tuple[Where, ...] = ()
    ahead: timedelta = timedelta(0)
    visits: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class KeepWorkspace:
    """Load and save the workspace; making an owner is one operation in the system namespace."""

    ctx: Context

    def load(self) -> Workspace:
        """What was saved; empty for a new file."""
        with self.ctx.store.read() as tx:
            return _load(tx)

    def update(self, change: Callable[[Workspace], Workspace]) -> Workspace:
        """Change people, places, visits or the clock's lead on what is stored now, not on what was read earlier.

        Owners are made by `grant`. Answers what is stored afterwards.
        """
        with self.ctx.store.write() as tx:
            stored = _load(tx)
            new = replace(change(stored), owners=stored.owners)
            tx.records.put_fact(PEOPLE, json.dumps(new.people))
            tx.records.put_fact(PLACES, json.dumps([_as_data(place) for place in new.places]))
            tx.records.put_fact(VISITS, json.dumps(new.visits))
            tx.records.put_fact(CLOCK, str(int(new.ahead.total_seconds())))
            tx.commit()
            return new

    def grant(self, new: str, by: str, actor: Actor) -> Workspace:
        """Make `new` an owner at the word of `by`, who must be one unless nobody is yet. Raises NotAllowed."""
        with self.ctx.store.write() as tx:
            tx.operations.lock([SYSTEM_NAMESPACE])  # owners change one act after the other
            stored = _load(tx)
            if stored.owners and by not in stored.owners:
                names = ", ".join(stored.owners)
                raise NotAllowed(say("console.owner.refused"), say("console.owner.refused.hint", names=names))
            if new in stored.owners:
                return stored
            granted = replace(stored, owners=(*stored.owners, new))
            tx.records.put_fact(OWNERS, json.dumps(granted.owners))
            payload = {"owner": new, "owners": len(granted.owners)}
            now, ids, kind = self.ctx.clock.now(), self.ctx.ids, OpType.NAMESPACE_POLICY_UPDATE
            log(tx, ids, now, actor, kind, SYSTEM_NAMESPACE, None, payload, "workspace")
            tx.commit()
            return granted

    def leave(self, who: Principal, actor: Actor, where: Where) -> tuple[Workspace, int]:
        """Somebody leaves the workspace that `where` lies in: they own it no more, and their rules are paused.

        Answers what is stored afterwards and how many were paused. The last owner cannot leave: NotAllowed.
        """
        with self.ctx.store.write() as tx:
            tx.operations.lock([SYSTEM_NAMESPACE])
            done = self._without(tx, _load(tx), who, actor, where)
            tx.commit()
            return done

    def revoke(self, who: Principal, actor: Actor, where: Where) -> tuple[Workspace, int]:
        """An owner takes the ownership of somebody away: the same, for one who is an owner. Raises NotAllowed."""
        with self.ctx.store.write() as tx:
            tx.operations.lock([SYSTEM_NAMESPACE])
            stored = _load(tx)
            names = ", ".join(stored.owners)
            if actor.principal is None or actor.principal.user_id not in stored.owners:
                raise NotAllowed(say("console.owner.off.refused"), say("console.owner.refused.hint", names=names))
            if who.user_id not in stored.owners:
                sentence = say("console.owner.none", name=who.user_id)
                raise InvalidInput(sentence, say("console.owner.refused.hint", names=names))
            done = self._without(tx, stored, who, actor, where)
            tx.commit()
            return done

    def _without(self, tx: Tx, stored: Workspace, who: Principal, actor: Actor, where: Where) -> tuple[Workspace, int]:
        """What `leave` does, in the caller's transaction, which holds the system's chain."""
        gone = replace(stored, owners=tuple(owner for owner in stored.owners if owner != who.user_id))
        if not gone.owners:
            raise NotAllowed(say("console.owner.last", name=who.user_id), say("console.owner.last.hint"))
        owners = (Principal(who.provider, who.account, owner) for owner in gone.owners)
        paused = end_membership(self.ctx, tx, who, where, owners, actor)
        if gone != stored:
            tx.records.put_fact(OWNERS, json.dumps(gone.owners))
            payload = {"owner_off": who.user_id, "owners": len(gone.owners)}
            now, ids, kind = self.ctx.clock.now(), self.ctx.ids, OpType.NAMESPACE_POLICY_UPDATE
            log(tx, ids, now, actor, kind, SYSTEM_NAMESPACE, None, payload, "workspace")
        return gone, paused


def _load(tx: Tx) -> Workspace:
    facts = tx.records.fact
    return Workspace(
        tuple(str(name) for name in _list(facts(PEOPLE))),
        tuple(str(owner) for owner in _list(facts(OWNERS))),
        tuple(_place(item) for item in _list(facts(PLACES))),
        timedelta(seconds=int(facts(CLOCK) or 0)),
        tuple(_visit(item) for item in _list(facts(VISITS))),
    )


def _list(text: str | None) -> list[object]:
    found = json.loads(text) if text else []
    return found if isinstance(found, list) else []


def _as_data(where: Where) -> list[str]:
    return [
        where.provider,
        where.account,
        where.space,
        where.channel,
        where.conversation,
        str(where.visibility),
        where.space_name,
        where.channel_name,
        where.conversation_name,
    ]


def _visit(data: object) -> tuple[str, str]:
    assert isinstance(data, list), "written by save"  # noqa: S101
    channel, person = map(str, data)
    return channel, person


def _place(data: object) -> Where:
    assert isinstance(data, list), "written by _as_data"  # noqa: S101
    provider, account, space, channel, conversation, visibility, *names = map(str, data)
    return Where(provider, account, space, channel, conversation, Visibility(visibility), *names)
