"""Creating a standing intent: a proposal that is read back, then the confirmed row."""

from dataclasses import dataclass, replace
from datetime import datetime

from core.catalogue import say
from core.errors import LimitExceeded
from core.operations.log import content_hash
from core.ports import Tx
from core.services.context import Context
from core.services.elsewhere import Home, check_elsewhere, deliver_id, except_ids, require_there
from core.services.new_row import add_row, log_new
from core.services.notices import add_watched
from core.services.refile import refile, scope_key
from core.services.rights import require_creator
from core.services.search import options_of
from core.services.twins import refuse_twin
from core.standing.drafts import (
    check_cooldown,
    check_description,
    check_entries,
    check_expiry,
    check_max_fires,
)
from core.standing.intent import Deliver, Draft, StandingIntent, Status
from core.standing.triggers import Entry, also_fires_on
from core.stored import Event
from core.text.analyse import TextOptions
from core.turn import Actor, Principal, Spot, Visibility, Where


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

    Raises NotAllowed, InvalidInput (for a second rule on the same words, too), InvalidTrigger or LimitExceeded.
    """

    ctx: Context

    def __call__(self, draft: Draft, actor: Actor, where: Where) -> Proposal:
        with self.ctx.store.read() as tx:
            proposal = propose(self.ctx, tx, draft, actor, where)
            spot = tx.places.find(where)
            check_room(self.ctx, tx, proposal.creator, spot)
            row = row_of(proposal, spot, "")
            refuse_twin(tx, row, row.scope_key(spot.visibility is not Visibility.PUBLIC), proposal.now)
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
    draft = replace(draft, cooldown=check_cooldown(draft.cooldown, draft.sender, ctx.limits))
    expires_at = check_expiry(draft, now, ctx.limits)
    draft = check_elsewhere(ctx, tx, draft, Home(spot, where))
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
            require_there(tx, where, spot)
            check_room(ctx, tx, proposal.creator, spot)
            row = self._placed(tx, row_of(proposal, spot, message_id), proposal.draft, Home(spot, where))
            refuse_twin(tx, row, scope_key(tx, row), proposal.now)
            intent = self._store(tx, row, proposal)
            refile(ctx, tx, intent)
            event_id = self._evidence(tx, intent, actor, said or draft.triggers, message_id)
            log_new(ctx, tx, intent, actor, {"evidence": [event_id]})
            add_watched(ctx, tx, intent)
            tx.commit()
            return intent

    def _placed(self, tx: Tx, row: StandingIntent, draft: Draft, home: Home) -> StandingIntent:
        """With the ids of the places that the draft names."""
        to = deliver_id(self.ctx, tx, draft.deliver_to, home) if draft.deliver is Deliver.PLACE else 0
        return replace(row, except_in=except_ids(self.ctx, tx, draft.except_in, home), deliver_to=to)

    def _store(self, tx: Tx, row: StandingIntent, proposal: Proposal) -> StandingIntent:
        tx.places.ensure_principal(proposal.creator, proposal.creator_name)
        if proposal.draft.sender is not None:
            tx.places.ensure_principal(proposal.draft.sender, proposal.draft.sender_name)
        return add_row(self.ctx, tx, row)

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


def row_of(proposal: Proposal, spot: Spot, message_id: str) -> StandingIntent:
    """The row that a proposal asks for, before it has a name and ids."""
    draft, now = proposal.draft, proposal.now
    watches = None if draft.anyone else draft.sender or proposal.creator
    watches_name = draft.sender_name if draft.sender else "" if draft.anyone else proposal.creator_name
    return StandingIntent(
        id="",
        handle="",
        namespace_id=spot.namespace_id,
        space=spot.space,
        channel=spot.channel,
        conversation=spot.conversation,
        description=proposal.description,
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
        cooldown_per=draft.cooldown_per,
        deliver=draft.deliver,
        priority=draft.priority,
        options=proposal.options,
        on_edits=draft.on_edits,
        source_message_id=message_id,
    )
