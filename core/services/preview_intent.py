"""Trying a rule on what was said: a draft or a stored rule, run over messages of the past. Nothing is stored."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from core.catalogue import say
from core.ports import Tx
from core.services.context import Context
from core.services.create_intent import Proposal, propose, row_of
from core.services.rights import lookup
from core.services.search import closed, options_of
from core.standing.gates import TurnFacts
from core.standing.intent import Deliver, Draft, StandingIntent
from core.standing.mutes import mute_at
from core.standing.outcome import Reminder
from core.standing.preview import Past, Preview, made_before, newest, simulate
from core.standing.triggers import compile_entry
from core.text.analyse import analyse
from core.turn import Actor, Spot, Turn, Visibility, Where

PATH = re.compile(r"^(?!www\.)(?!\w+://)[^\s/]+\.[^\W\d]{2,}/|^/\w")
"""A host with a path, or a path alone."""
SPACE, CHANNEL, CONVERSATION = -1, -2, -3
"""Stand for places that are not in the store yet."""


@dataclass(frozen=True, slots=True)
class Previewed:
    """A rule, tried. `intent` as it would be stored (without id and handle) or as it is.

    `sample` is the first reminder as it would have been posted. `older` messages were more than are looked at.
    `paths` are terms that look like the path of an address, which is left out where it stands in one. `unread` and
    `more` are those of the `Past` that was given.
    """

    intent: StandingIntent
    preview: Preview
    sample: Reminder
    warnings: tuple[str, ...]
    paths: tuple[str, ...]
    older: int
    unread: int = 0
    more: bool = False


@dataclass(frozen=True, slots=True)
class PreviewIntent:
    """Run a draft, or the rule behind a handle, over what was said where the asker stands.

    The rule counts as made before all of it, unused. Of `history` only messages of that very conversation are
    looked at, the newest `preview_messages` of them, and of those as many as have `preview_chars` characters in all,
    at least one. Raises what a proposal of the draft raises, or NotFound.
    """

    ctx: Context

    def __call__(self, what: Draft | str, actor: Actor, where: Where, history: Sequence[Turn]) -> Previewed:
        ctx = self.ctx
        with ctx.store.read() as tx:
            spot, shut = _known(tx.places.find(where)), frozenset[int]()
            if isinstance(what, str):
                intent = lookup(tx, what, actor, where)
                shut = closed(tx, (intent,))
            else:
                intent = _as_stored(tx, propose(ctx, tx, what, actor, where), spot)
            stored = tx.records.settings(spot.space) if spot.space > 0 else {}
        here = [turn for turn in history if _same_place(turn.where, where)]
        turns = _within(newest(here, ctx.limits.preview_messages), ctx.limits.preview_chars)
        past = [replace(self._facts(turn, spot, stored), closed=shut) for turn in turns]
        preview = simulate(made_before(intent), past, ctx.limits)
        compiled = [compile_entry(entry, intent.options) for entry in intent.entries]
        paths = tuple(term.text for entry in compiled for term in entry.terms if PATH.search(term.text))
        warnings = tuple(text for entry in compiled for text in entry.warnings)
        sample = _sample(intent, preview, ctx.clock.now(), _said_in(intent, what, where, spot))
        unread, more = (history.unread, history.more) if isinstance(history, Past) else (0, False)
        return Previewed(intent, preview, sample, warnings, paths, len(here) - len(turns), unread, more)

    def _facts(self, turn: Turn, spot: Spot, stored: dict[str, object]) -> TurnFacts:
        options = options_of(self.ctx, stored)
        analysed = analyse(turn.text.text, turn.text.zones, options.language, options)
        mute, least = mute_at(stored, spot, turn.sent_at), self.ctx.limits.machine_cooldown
        return TurnFacts(turn, spot, analysed, turn.sent_at, mute=mute, machine_cooldown=least)


def _within(turns: Sequence[Turn], room: int) -> Sequence[Turn]:
    """The newest of these that have so many characters in all, at least one. Oldest first."""
    used = 0
    for count, turn in enumerate(reversed(turns)):
        used += len(turn.text.text)
        if count and used > room:
            return turns[-count:]
    return turns


def _same_place(one: Where, other: Where) -> bool:
    return _ids(one) == _ids(other)


def _ids(where: Where) -> tuple[str, ...]:
    return where.provider, where.account, where.space, where.channel, where.conversation


def _known(spot: Spot) -> Spot:
    """The spot with stand-ins for what is not in the store yet."""
    return replace(
        spot,
        space=spot.space or SPACE,
        channel=spot.channel or CHANNEL,
        conversation=spot.conversation or CONVERSATION,
    )


def _excepted(tx: Tx, places: Sequence[Where], here: Where, spot: Spot) -> tuple[int, ...]:
    """Ids of excepted places, as far as they can matter here: what is not stored and not here matters nowhere."""
    keys = []
    for place in places:
        found = tx.places.find(place)
        whole = place.conversation == place.channel
        if _ids(place)[:-1] == _ids(here)[:-1] and (whole or place.conversation == here.conversation):
            found = spot
        keys.append(found.channel if whole else found.conversation)
    return tuple(key for key in keys if key)


def _as_stored(tx: Tx, proposal: Proposal, spot: Spot) -> StandingIntent:
    """The row that the proposal would become, but for its identity."""
    excepted = _excepted(tx, proposal.draft.except_in, proposal.where, spot)
    return replace(row_of(proposal, spot, ""), armed_at=None, except_in=excepted)


def _sample(intent: StandingIntent, preview: Preview, now: datetime, said_in: Where | None) -> Reminder:
    """The first reminder of the run; without one, as if the person that the rule listens to said it now."""
    hit = preview.hits[0] if preview.hits else None
    sender, name = intent.watches or intent.creator, intent.watches_name or intent.creator_name
    if hit is not None and hit.turn.sender is not None:
        sender, name = hit.turn.sender, hit.turn.sender_name
    at = hit.turn.sent_at if hit else now
    return Reminder(
        fire_id="",
        outbox_id="",
        handle=intent.handle or say("preview.unnamed"),
        description=intent.description,
        created_at=intent.created_at,
        creator=intent.creator,
        creator_name=intent.creator_name,
        sender=sender,
        sender_name=name,
        entry=hit.entry if hit else intent.entries[0],
        terms=hit.terms if hit else (),
        number=1,
        max_fires=intent.max_fires,
        fired_at=at,
        quiet_until=None if intent.max_fires == 1 else at + intent.cooldown,
        cooldown_per=intent.cooldown_per,
        conversation=intent.conversation,
        reply_to="",
        said_in=said_in,
    )


def _said_in(intent: StandingIntent, what: Draft | str, where: Where, spot: Spot) -> Where | None:
    """The place that a reminder names because it goes elsewhere; None for a reply."""
    to = what.deliver_to if isinstance(what, Draft) else None
    there = (to is not None and _same_place(to, where)) or intent.deliver_to == spot.conversation
    if intent.deliver is Deliver.HERE or spot.visibility is Visibility.DIRECT:
        return None
    return None if intent.deliver is Deliver.PLACE and there else where
