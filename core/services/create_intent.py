"""Creating a standing intent: a proposal that is read back, then the confirmed row."""

from dataclasses import dataclass, replace
from datetime import datetime

from core.catalogue import say
from core.errors import LimitExceeded, StorageError
from core.operations.log import OpType, content_hash
from core.ports import Event, Tx
from core.services.context import Context
from core.services.record import log, micros
from core.services.refile import refile, scope_key
from core.services.rights import require_creator
from core.services.search import options_of
from core.standing.drafts import (
    check_cooldown,
    check_description,
    check_entries,
    check_expiry,
    check_max_fires,
)
from core.standing.intent import Draft, StandingIntent, Status
from core.standing.triggers import Entry, also_fires_on
from core.text.analyse import TextOptions
from core.turn import Actor, Principal, Spot, Where

HANDLE_LETTERS = (4, 4, 4, 4, 5, 5, 5, 6, 6, 6)


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the read-back shows. `also` pairs an entry with common words that its word forms bring in."""

    draft: Draft
    description: str
    entries: tuple[Entry, ...]
    also: tuple[tuple[str, tuple[str, ...]], ...]
    warnings: tuple[str, ...]
    expires_at: datetime
    options: TextOptions
    where: Where
    creator: Principal
    creator_name: str
    now: datetime


@dataclass(frozen=True, slots=True)
class ProposeIntent:
    """Check a draft against every rule and bound, and return what would be stored. Stores nothing.

    Raises NotAllowed, InvalidInput, InvalidTrigger or LimitExceeded.
    """

    ctx: Context

    def __call__(self, draft: Draft, actor: Actor, where: Where) -> Proposal:
        with self.ctx.store.read() as tx:
            proposal = propose(self.ctx, tx, draft, actor, where)
            spot = tx.places.find(where)
            check_room(self.ctx, tx, proposal.creator, spot)
            return proposal


def propose(ctx: Context, tx: Tx, draft: Draft, actor: Actor, where: Where) -> Proposal:
    """The checks of a draft that need no lock."""
    spot = tx.places.find(where)
    require_creator(actor, draft, replace(where, visibility=spot.visibility))
    assert actor.principal is not None, "require_creator checked it"  # noqa: S101
    now = ctx.clock.now()
    space = options_of(ctx, tx.records.settings(spot.space) if spot.space else {})
    options = TextOptions(space.language, draft.word_forms, space.fold_accents)
    description = check_description(draft.description, now, ctx.limits)
    check_max_fires(draft.max_fires, ctx.limits)
    check_cooldown(draft.cooldown, ctx.limits)
    expires_at = check_expiry(draft, now, ctx.limits)
    entries = check_entries(draft, options)
    also = tuple((entry.source, words) for entry in entries if (words := also_fires_on(entry, options)))
    warnings = tuple(warning for entry in entries for warning in entry.warnings)
    name = actor.name or actor.principal.user_id
    return Proposal(draft, description, entries, also, warnings, expires_at, options, where, actor.principal, name, now)


def check_room(ctx: Context, tx: Tx, creator: Principal, spot: Spot) -> None:
    """Raise LimitExceeded when the creator or the space has as many live intents as it may."""
    limits = ctx.limits
    for name, used, limit in (
        ("live_intents_per_creator", tx.intents.live_of_creator(creator), limits.live_intents_per_creator),
        (
            "live_intents_per_space",
            tx.intents.live_of_space(spot.space) if spot.space else 0,
            limits.live_intents_per_space,
        ),
    ):
        if used >= limit:
            raise LimitExceeded(
                say(f"draft.{name}", limit=limit),
                say(f"draft.{name}.hint"),
                name=name,
                used=used,
                limit=limit,
            )


@dataclass(frozen=True, slots=True)
class CreateIntent:
    """Store a confirmed draft, armed, with its evidence, its index rows and one ASSERT operation.

    Every check of the proposal is made again in the writing transaction. `message_id` and `said` are the
    message that asked for it.
    """

    ctx: Context

    def __call__(
        self, draft: Draft, actor: Actor, where: Where, message_id: str = "", said: str = ""
    ) -> StandingIntent:
        ctx = self.ctx
        with ctx.store.write() as tx:
            proposal = propose(ctx, tx, draft, actor, where)
            spot = tx.places.ensure(where, ctx.ids.uuid())
            tx.operations.lock([spot.namespace_id])
            check_room(ctx, tx, proposal.creator, spot)
            intent = self._store(tx, proposal, spot, message_id)
            refile(ctx, tx, intent)
            event_id = self._evidence(tx, intent, actor, said or draft.triggers, message_id)
            self._log(tx, intent, actor, event_id)
            tx.commit()
            return intent

    def _store(self, tx: Tx, proposal: Proposal, spot: Spot, message_id: str) -> StandingIntent:
        tx.places.ensure_principal(proposal.creator, proposal.creator_name)
        if proposal.draft.sender is not None:
            tx.places.ensure_principal(proposal.draft.sender, proposal.draft.sender_name)
        for letters in HANDLE_LETTERS:
            handle = self.ctx.ids.handle("i", letters)
            try:
                return tx.intents.add(self._row(proposal, spot, message_id, handle), self.ctx.ids.salt())
            except LimitExceeded:
                continue
        raise StorageError(say("handle.exhausted"), say("handle.exhausted.hint"))

    def _row(self, proposal: Proposal, spot: Spot, message_id: str, handle: str) -> StandingIntent:
        draft, now = proposal.draft, self.ctx.clock.now()
        watches = None if draft.anyone else draft.sender or proposal.creator
        watches_name = draft.sender_name if draft.sender else "" if draft.anyone else proposal.creator_name
        return StandingIntent(
            id=self.ctx.ids.uuid(),
            handle=handle,
            namespace_id=spot.namespace_id,
            space=spot.space,
            channel=spot.channel,
            conversation=spot.conversation,
            description=proposal.description,
            description_id=self.ctx.ids.uuid(),
            entries=tuple(entry.source for entry in proposal.entries),
            creator=proposal.creator,
            creator_name=proposal.creator_name,
            channel_scope=draft.channel_scope,
            watches=watches,
            watches_name=watches_name,
            status=Status.ARMED,
            created_at=now,
            armed_at=now,
            expires_at=proposal.expires_at,
            max_fires=draft.max_fires,
            cooldown=draft.cooldown,
            priority=draft.priority,
            options=proposal.options,
            on_edits=draft.on_edits,
            source_message_id=message_id,
        )

    def _evidence(self, tx: Tx, intent: StandingIntent, actor: Actor, said: str, message_id: str) -> str:
        ids = self.ctx.ids
        content_id, event_id, salt = ids.uuid(), ids.uuid(), ids.salt()
        said = said[: self.ctx.limits.turn_chars]
        tx.records.put_content(content_id, salt, said)
        tx.records.add_event(
            Event(
                id=event_id,
                ts=intent.created_at,
                stream=str(intent.conversation),
                actor_id=actor.id,
                actor_type=str(actor.type),
                role="USER",
                content_id=content_id,
                content_hash=content_hash(salt, said),
                namespace_id=intent.namespace_id,
                metadata={"message": message_id},
            )
        )
        return event_id

    def _log(self, tx: Tx, intent: StandingIntent, actor: Actor, event_id: str) -> None:
        payload = {
            "handle": intent.handle,
            "to": str(intent.status),
            "words": [list(pair) for pair in tx.intents.wordings(intent.key)],
            "creator": [intent.creator.provider, intent.creator.account, intent.creator.user_id],
            "channel_scope": str(intent.channel_scope),
            "scope_key": str(scope_key(tx, intent)),
            "sender_scope": "anyone" if intent.watches is None else intent.watches.user_id,
            "expires_at": micros(intent.expires_at),
            "max_fires": intent.max_fires,
            "cooldown": int(intent.cooldown.total_seconds()),
            "priority": intent.priority.name,
            "evidence": [event_id],
        }
        now = intent.created_at
        log(tx, self.ctx.ids, now, actor, OpType.ASSERT, intent.namespace_id, intent.id, payload)
