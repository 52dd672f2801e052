"""Finding the intents that a turn may fire: analysis, place and index probe in one read-only pass."""

from dataclasses import dataclass

from core.ports import Tx
from core.services.context import Context
from core.settings import Setting
from core.standing.gates import TurnFacts
from core.standing.intent import StandingIntent
from core.standing.matcher import triggered
from core.text.analyse import Analysed, TextOptions, analyse
from core.turn import Spot, Turn


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
    spot = tx.places.find(turn.where)
    stored = tx.records.settings(spot.space) if spot.space else {}
    if stored and (options := options_of(ctx, stored)) != options_of(ctx, {}):
        analysed = _analyse(turn, options)
    sender = tx.places.principal_key(turn.sender)
    probe = tx.index.probe(spot.scope_keys(), sorted(analysed.keys), sender, ctx.limits.probed_rows)
    keys = triggered(probe.rows, analysed) if probe.rows else ()
    bound = ctx.limits.candidates
    return Found(spot, analysed, keys[:bound], len(keys[bound:]), probe.cut)


def facts_of(ctx: Context, tx: Tx, turn: Turn, found: Found, spot: Spot) -> TurnFacts:
    """What the gates need, read in this transaction; `now` is read here, after the lock is taken."""
    now = ctx.clock.now()
    receipts = tx.fires.of_message(spot.conversation, turn.message_id)
    return TurnFacts(turn, spot, found.analysed, now, receipts)


def load(tx: Tx, found: Found, lock: bool = False) -> tuple[StandingIntent, ...]:
    """The authoritative rows of the candidates."""
    return tx.intents.by_keys(found.keys, lock=lock) if found.keys else ()


def _analyse(turn: Turn, options: TextOptions) -> Analysed:
    return analyse(turn.text.text, turn.text.zones, options.language, options)


def options_of(ctx: Context, stored: dict[str, object]) -> TextOptions:
    """Text options that a space's settings ask for."""
    settings = ctx.settings(stored)
    return TextOptions(str(settings[Setting.LANGUAGE]), True, bool(settings[Setting.FOLD_ACCENTS]))
