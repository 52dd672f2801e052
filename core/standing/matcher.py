"""From index rows to a decision, without I/O: which intents fire on this turn, which do not and why."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.limits import Limits
from core.standing import block
from core.standing.gates import Reason, Rule, TurnFacts, Verdict, best_entry, first_failure
from core.standing.intent import Candidate, StandingIntent
from core.standing.triggers import compile_entry, match_entry
from core.text.analyse import Analysed


@dataclass(frozen=True, slots=True)
class PlannedFire:
    """An intent that fires, with the entry and the terms that brought it back."""

    intent: StandingIntent
    entry: str
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """What one turn does to the intents that were examined."""

    fires: tuple[PlannedFire, ...]
    passed_over: tuple[tuple[StandingIntent, Verdict], ...]
    block: str


def triggered(rows: Iterable[Candidate], analysed: Analysed) -> tuple[int, ...]:
    """Keys of the intents whose trigger test passes: priority high first, then oldest, then key.

    The bound on candidates counts these, never rows that merely share a word.
    """
    best: dict[int, tuple[int, float, int]] = {}
    for row in rows:
        if row.intent_key in best or not analysed.keys.issuperset(row.need.split()):
            continue
        if match_entry(compile_entry(row.source, row.options), analysed).matched:
            best[row.intent_key] = (-row.priority, row.created_at.timestamp(), row.intent_key)
    return tuple(sorted(best, key=best.__getitem__))


def in_order(intents: Iterable[StandingIntent]) -> list[StandingIntent]:
    """Priority high first, then oldest, then key."""
    return sorted(intents, key=lambda intent: (-intent.priority, intent.created_at, intent.key))


def decide(intents: Sequence[StandingIntent], facts: TurnFacts, limits: Limits) -> Decision:
    """Apply every rule to the authoritative rows. Deterministic: same rows, same turn, same now."""
    fires: list[PlannedFire] = []
    lines: list[str] = []
    passed_over: list[tuple[StandingIntent, Verdict]] = []
    for intent in in_order(intents):
        failure = first_failure(intent, facts) or _room(intent, lines, limits)
        if failure is not None:
            passed_over.append((intent, failure))
            continue
        number, found = best_entry(intent, facts.analysed)
        fires.append(PlannedFire(intent, intent.entries[number], found.terms))
        lines.append(block.line(intent.created_at, intent.description))
    return Decision(tuple(fires), tuple(passed_over), block.render(lines))


def _room(intent: StandingIntent, lines: list[str], limits: Limits) -> Verdict | None:
    if len(lines) >= limits.fires_per_turn:
        return Verdict(Rule.BUDGET, False, Reason.FIRES_LIMIT, {"limit": limits.fires_per_turn})
    size = len(block.render([*lines, block.line(intent.created_at, intent.description)]))
    if size > limits.block_chars:
        return Verdict(Rule.BUDGET, False, Reason.BLOCK_LIMIT, {"limit": limits.block_chars, "size": size})
    return None
