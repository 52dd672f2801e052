"""The people, owners and places of a channel that has no platform behind it: the terminal's own workspace."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from core.operations.log import OpType
from core.services.audit import SYSTEM_NAMESPACE
from core.services.context import Context
from core.services.record import log
from core.turn import Actor, Visibility, Where

PEOPLE, OWNERS, PLACES, CLOCK = "console.people", "console.owners", "console.places", "console.clock"


@dataclass(frozen=True, slots=True)
class Workspace:
    """What is kept between two runs: names as shown, ids of the owners, places, the clock's lead."""

    people: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()
    places: tuple[Where, ...] = ()
    ahead: timedelta = timedelta(0)


@dataclass(frozen=True, slots=True)
class KeepWorkspace:
    """Load and save the workspace; making an owner is one operation in the system namespace."""

    ctx: Context

    def load(self) -> Workspace:
        """What was saved; empty for a new file."""
        with self.ctx.store.read() as tx:
            people = _list(tx.records.fact(PEOPLE))
            owners = _list(tx.records.fact(OWNERS))
            places = tuple(_place(item) for item in _list(tx.records.fact(PLACES)))
            ahead = int(tx.records.fact(CLOCK) or 0)
        return Workspace(
            tuple(str(name) for name in people),
            tuple(str(owner) for owner in owners),
            places,
            timedelta(seconds=ahead),
        )

    def save(self, workspace: Workspace) -> None:
        """Store people, places and the clock's lead (owners are made by `grant`)."""
        with self.ctx.store.write() as tx:
            tx.records.put_fact(PEOPLE, json.dumps(workspace.people))
            tx.records.put_fact(PLACES, json.dumps([_as_data(place) for place in workspace.places]))
            tx.records.put_fact(CLOCK, str(int(workspace.ahead.total_seconds())))
            tx.commit()

    def grant(self, owners: Sequence[str], new: str, actor: Actor) -> tuple[str, ...]:
        """Store `new` among the owners; answers all of them. The caller has checked the right."""
        if new in owners:
            return tuple(owners)
        with self.ctx.store.write() as tx:
            granted = (*owners, new)
            tx.records.put_fact(OWNERS, json.dumps(granted))
            payload = {"owner": new, "owners": len(granted)}
            now = self.ctx.clock.now()
            log(
                tx,
                self.ctx.ids,
                now,
                actor,
                OpType.NAMESPACE_POLICY_UPDATE,
                SYSTEM_NAMESPACE,
                None,
                payload,
                "workspace",
            )
            tx.commit()
        return granted


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


def _place(data: object) -> Where:
    assert isinstance(data, list), "written by _as_data"  # noqa: S101
    provider, account, space, channel, conversation, visibility, *names = map(str, data)
    return Where(provider, account, space, channel, conversation, Visibility(visibility), *names)
