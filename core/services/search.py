"""Finding the intents that a turn may fire: analysis, place and index probe in one read-only pass."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache

from core.ports import Tx
from core.services.context import Context
from core.settings import Setting, in_force
from core.standing.gates import TurnFacts
from core.standing.intent import ChannelScope, CooldownPer, StandingIntent
from core.standing.machines import by_machine
from core.standing.matcher import triggered
from core.standing.mutes import mute_at
from core.text.analyse import Analysed, TextOptions, analyse
from core.turn import Spot, Turn, Visibility, former_message

OF_WORDS = (Setting.LANGUAGE, Setting.FOLD_ACCENTS)
"""The settings that say how words are compared."""


@dataclass(frozen=True, slots=True)
class Found:
    """Triggered candidates of a turn within the bound, in order, and what was cut."""

    spot: Spot
    analysed: Analysed
    keys: tuple[int, ...]
    cut: int
    probe_cut: bool


def first_look(ctx: Context, turn: Turn) -> Analysed:
    """Analyse in the installation's language, before the store is touched."""
    return _analyse(turn, options_of(ctx, {}))


def find(ctx: Context, tx: Tx, turn: Turn, analysed: Analysed) -> Found:
    """Resolve the place, analyse again if its space speaks another language, probe the index."""
    look = tx.places.look(turn.where)
    spot = look.spot
    if look.settings and (options := options_of(ctx, look.settings)) != options_of(ctx, {}):
        analysed = _analyse(turn, options)
    most, named = ctx.limits.probed_rows, by_machine(turn)
    probe = tx.index.probe(look.scopes, analysed.keys, turn.sender, most, named)
    keys = triggered(probe.rows, analysed) if probe.rows else ()
    bound = ctx.limits.candidates
    return Found(spot, analysed, keys[:bound], len(keys[bound:]), probe.cut)


def facts_of(ctx: Context, tx: Tx, turn: Turn, found: Found, spot: Spot, rows: Sequence[StandingIntent]) -> TurnFacts:
    """What the gates need, read in this transaction; `now` is read here, after the lock is taken."""
    now = ctx.clock.now()
    if spot.moved_from:
        turn = replace(turn, message_id=former_message(turn.message_id, spot.moved_from))
    receipts = tx.fires.of_message(spot.conversation, turn.message_id)
    mute = mute_at(tx.records.settings(spot.space), spot, now) if spot.space else None
    last, least = last_fires(tx, rows, turn, spot), ctx.limits.machine_cooldown
    return TurnFacts(turn, spot, found.analysed, now, receipts, last, mute, least)


def last_fires(tx: Tx, rows: Iterable[StandingIntent], turn: Turn, spot: Spot) -> dict[int, datetime]:
    """The last fire that this turn's conversation or sender had of intents whose cooldown is counted so."""
    by_place = [row.key for row in rows if row.cooldown_per is CooldownPer.CONVERSATION]
    by_sender = [row.key for row in rows if row.cooldown_per is CooldownPer.SENDER]
    found = tx.fires.last_in(by_place, spot.conversation) if by_place else {}
    if by_sender and turn.sender is not None:
        found |= tx.fires.last_of(by_sender, turn.sender)
    return found


def closed(tx: Tx, rows: Iterable[StandingIntent]) -> frozenset[int]:
    """The channels of these rules that are private, where it matters: for those that listen to their space."""
    wide = {row.channel for row in rows if row.channel_scope is ChannelScope.SPACE}
    return frozenset(key for key in wide if tx.places.get(key).visibility is not Visibility.PUBLIC)


def load(tx: Tx, found: Found, lock: bool = False) -> tuple[StandingIntent, ...]:
    """The authoritative rows of the candidates."""
    return tx.intents.by_keys(found.keys, lock=lock) if found.keys else ()


def _analyse(turn: Turn, options: TextOptions) -> Analysed:
    return analyse(turn.text.text, turn.text.zones, options.language, options)


def options_of(ctx: Context, stored: Mapping[str, object]) -> TextOptions:
    """Text options that a space's settings ask for."""
    language, fold_accents = (in_force(setting, stored, ctx.defaults) for setting in OF_WORDS)
    return _options(str(language), bool(fold_accents))


@lru_cache(maxsize=64)
def _options(language: str, fold_accents: bool) -> TextOptions:
    return TextOptions(language, True, fold_accents)
