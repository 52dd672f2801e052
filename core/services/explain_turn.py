"""Why a message fires an intent, or does not: the same rules as the matcher, all of them shown."""

from dataclasses import dataclass, replace

from core.limits import Limits
from core.ports import Tx
from core.services import search
from core.services.context import Context
from core.services.rights import lookup, visible
from core.standing.gates import Reason, Rule, TurnFacts, Verdict, all_verdicts, first_failure, turn_eligible
from core.standing.intent import INDEXED, StandingIntent
from core.standing.matcher import Decision, decide
from core.stored import IntentFilter
from core.text.zones import Zone
from core.turn import Actor, Turn, Where

EXPLAINED_AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class Explanation:
    """`fires` and `reason` tell what `receive_turn` does with this intent on this turn at this instant.

    `rules` lists every rule with its verdict and figures, in order.
    """

    intent: StandingIntent
    fires: bool
    reason: Reason
    rules: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True)
class TurnExplanation:
    """Explanations of the intents asked about, and what the analysis left out or cut."""

    intents: tuple[Explanation, ...]
    left_out: tuple[Zone, ...]
    truncated: bool
    candidates: int
    cut: int
    probe_cut: bool


@dataclass(frozen=True, slots=True)
class ExplainTurn:
    """Explain a turn for one intent (`handle`) or for all live ones the asker may see here (at most 50).

    Read only. Raises NotFound for a handle that the asker may not see.
    """

    ctx: Context

    def __call__(self, turn: Turn, actor: Actor, where: Where | None, handle: str | None = None) -> TurnExplanation:
        with self.ctx.store.read() as tx:
            found = search.find(self.ctx, tx, turn, search.first_look(self.ctx, turn))
            rows, wanted = search.load(tx, found), self._wanted(tx, actor, where, handle)
            facts = search.facts_of(self.ctx, tx, turn, found, found.spot, (*rows, *wanted))
            facts = replace(facts, closed=search.closed(tx, wanted))
            decision = decide(rows, facts, self.ctx.limits)
        return TurnExplanation(
            tuple(explain(intent, facts, decision, self.ctx.limits) for intent in wanted),
            found.analysed.left_out,
            found.analysed.truncated,
            len(found.keys),
            found.cut,
            found.probe_cut,
        )

    def _wanted(self, tx: Tx, actor: Actor, where: Where | None, handle: str | None) -> tuple[StandingIntent, ...]:
        if handle is not None:
            return (lookup(tx, handle, actor, where),)
        shown: IntentFilter = visible(tx, actor, where, tuple(INDEXED), "")
        return tx.intents.list(shown, EXPLAINED_AT_ONCE, 0)


def explain(intent: StandingIntent, facts: TurnFacts, decision: Decision, limits: Limits) -> Explanation:
    """What the decision on a turn means for one intent. Pure."""
    rules = all_verdicts(intent, facts, limits)
    turn = turn_eligible(facts.turn, facts.now, limits)
    if not turn.passed:
        return Explanation(intent, False, turn.reason, rules)
    if any(planned.intent.key == intent.key for planned in decision.fires):
        return Explanation(intent, True, Reason.OK, rules)
    for passed_over, verdict in decision.passed_over:
        if passed_over.key == intent.key:
            extra = () if verdict.reason in {rule.reason for rule in rules} else (verdict,)
            return Explanation(intent, False, verdict.reason, (*rules, *extra))
    failure = first_failure(intent, facts) or Verdict(Rule.TRIGGER, False, Reason.CUT)
    return Explanation(intent, False, failure.reason, rules)
