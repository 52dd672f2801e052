"""The rules of matching, each a pure function that returns a verdict with a reason.

`receive_turn` stops at the first rule that fails; `explain` runs them all. Both use this list and nothing else.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from core.limits import LIMITS, Limits
from core.standing.intent import CooldownPer, StandingIntent, Status
from core.standing.lifecycle import effective_status
from core.standing.machines import answers_us, by_machine, is_named_one
from core.standing.mutes import Mute
from core.standing.triggers import EntryVerdict, compile_entry, match_entry
from core.text.analyse import Analysed
from core.turn import Spot, Turn, TurnKind, Visibility, machine_kind


class Reason(StrEnum):
    """Why a rule passed or failed, or why a hit was passed over."""

    OK = "ok"
    # the turn
    NO_SENDER = "no_sender"
    NOT_A_PERSON = "not_a_person"
    OUR_WORDS = "our_words"
    COMMAND = "command"
    OWN_MESSAGE = "own_message"
    SERVICE_MESSAGE = "service_message"
    TOO_OLD = "too_old"
    NO_DELIVERY = "no_delivery"
    NO_TERMS = "no_terms"
    # one intent on one turn
    NO_CREATOR = "no_creator"
    NOT_ARMED = "not_armed"
    EXPIRED = "expired"
    OTHER_TENANCY = "other_tenancy"
    OUT_OF_SCOPE = "out_of_scope"
    OTHER_SENDER = "other_sender"
    COOLDOWN = "cooldown"
    BUDGET = "budget"
    EDIT = "edit"
    SENT_BEFORE = "sent_before"
    CREATING_MESSAGE = "creating_message"
    ALREADY_FIRED = "already_fired"
    EXCEPTED = "excepted"
    MUTED = "muted"
    GOAL_CLOSED = "goal_closed"
    TRIGGER = "trigger"
    # among several hits
    CUT = "cut"
    FIRES_LIMIT = "fires_limit"
    BLOCK_LIMIT = "block_limit"
    DEADLINE = "deadline"


class Rule(StrEnum):
    """The rules in the order in which they are checked and shown."""

    TURN = "turn"
    CREATOR = "creator"
    STATUS = "status"
    EXPIRY = "expiry"
    TENANCY = "tenancy"
    SCOPE = "scope"
    SENDER = "sender"
    TRIGGER = "trigger"
    EDIT = "edit"
    FRESH = "fresh"
    RECEIPT = "receipt"
    EXCEPT = "except"
    MUTE = "mute"
    GOAL = "goal"
    BUDGET = "budget"
    COOLDOWN = "cooldown"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Pass or fail of one rule, with the reason and its figures (strings, integers, times)."""

    rule: Rule
    passed: bool
    reason: Reason
    figures: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TurnFacts:
    """What is known of a turn once it is analysed and its place is resolved.

    `fired_before` holds keys of intents that this message has fired already; `last_fires` has, for intents whose
    cooldown is counted by conversation or sender, the last fire that this turn's conversation or sender had.
    `mute` is the mute in force at this spot. `machine_cooldown`: how long a rule that listens to a bot or a webhook is
    quiet after each reminder, however it is set. `closed` holds channels that are known to be private: rules made there
    hear them alone.
    """

    turn: Turn
    spot: Spot
    analysed: Analysed
    now: datetime
    fired_before: frozenset[int] = frozenset()
    last_fires: Mapping[int, datetime] = field(default_factory=dict)
    mute: Mute | None = None
    machine_cooldown: timedelta = LIMITS.machine_cooldown
    closed: frozenset[int] = frozenset()


def _verdict(rule: Rule, passed: bool, failure: Reason, **figures: object) -> Verdict:
    return Verdict(rule, passed, Reason.OK if passed else failure, figures)


_KIND_REASONS = {
    TurnKind.COMMAND: Reason.COMMAND,
    TurnKind.SERVICE: Reason.SERVICE_MESSAGE,
    TurnKind.OWN: Reason.OWN_MESSAGE,
}


def turn_eligible(turn: Turn, now: datetime, limits: Limits) -> Verdict:
    """May this message fire anything at all? (Design 01, section 4.) Costs no look at the store.

    What a bot or a webhook wrote may, unless it answers or copies what we post; `sender_allowed` asks who listens.
    """
    if not turn.can_deliver:
        return _verdict(Rule.TURN, False, Reason.NO_DELIVERY)
    if by_machine(turn) and not is_named_one(turn):
        return _verdict(Rule.TURN, False, Reason.NOT_A_PERSON)
    if turn.kind in _KIND_REASONS:
        return _verdict(Rule.TURN, False, _KIND_REASONS[turn.kind])
    if turn.sender is None or not turn.where.conversation:
        return _verdict(Rule.TURN, False, Reason.NO_SENDER)
    if by_machine(turn) and answers_us(turn):
        return _verdict(Rule.TURN, False, Reason.OUR_WORDS)
    age, kind = now - turn.sent_at, str(turn.kind)
    return _verdict(Rule.TURN, age <= limits.turn_max_age, Reason.TOO_OLD, sent_at=turn.sent_at, kind=kind)


def creator_known(intent: StandingIntent, _facts: TurnFacts) -> Verdict:
    """A row without a known creator never fires."""
    return _verdict(Rule.CREATOR, bool(intent.creator.user_id), Reason.NO_CREATOR)


def status_allows(intent: StandingIntent, facts: TurnFacts) -> Verdict:
    """Armed or cooling down; the cooldown itself is a rule of its own."""
    status = effective_status(intent, facts.now)
    passed = status in {Status.ARMED, Status.FIRED, Status.EXPIRED} or _spent(intent)
    return _verdict(Rule.STATUS, passed, Reason.NOT_ARMED, status=str(status))


def _spent(intent: StandingIntent) -> bool:
    return intent.status is Status.DONE


def not_expired(intent: StandingIntent, facts: TurnFacts) -> Verdict:
    """now < expires_at, whether or not the heartbeat has moved the row."""
    passed = intent.status is not Status.EXPIRED and facts.now < intent.expires_at
    return _verdict(Rule.EXPIRY, passed, Reason.EXPIRED, expires_at=intent.expires_at)


def same_tenancy(intent: StandingIntent, facts: TurnFacts) -> Verdict:
    """Nothing crosses a namespace, but for an operator's `anywhere`."""
    passed = intent.namespace_id == facts.spot.namespace_id or intent.scope_key() == 0
    return _verdict(Rule.TENANCY, passed, Reason.OTHER_TENANCY)


def in_scope(intent: StandingIntent, facts: TurnFacts) -> Verdict:
    """The turn stands in the place the intent listens to; threads and topics belong to their channel."""
    private = intent.namespace_id == facts.spot.namespace_id and facts.spot.visibility is not Visibility.PUBLIC
    passed = intent.scope_key(private or intent.channel in facts.closed) in facts.spot.scope_keys()
    return _verdict(Rule.SCOPE, passed, Reason.OUT_OF_SCOPE, scope=str(intent.channel_scope))


def sender_allowed(intent: StandingIntent, facts: TurnFacts) -> Verdict:
    """The sender is the one that the intent watches; None watches every person, but neither bots nor webhooks."""
    named, machine = intent.watches == facts.turn.sender, by_machine(facts.turn)
    passed = named or (intent.watches is None and not machine)
    failure = Reason.NOT_A_PERSON if machine else Reason.OTHER_SENDER
    return _verdict(Rule.SENDER, passed, failure, watches=intent.watches_name or "anyone")


def trigger_found(intent: StandingIntent, facts: TurnFacts) -> Verdict:
    """At least one entry matches. Figures: the matching entry and its terms, or the nearest miss."""
    number, found = best_entry(intent, facts.analysed)
    figures = {"entry": intent.entries[number], "terms": found.terms, "detail": found.reason}
    return _verdict(Rule.TRIGGER, found.matched, Reason.TRIGGER, **figures)


def best_entry(intent: StandingIntent, analysed: Analysed) -> tuple[int, EntryVerdict]:
    """The first entry that matches, else the first one, with what it lacks."""
    first: EntryVerdict | None = None
    for number, source in enumerate(intent.entries):
        verdict = match_entry(compile_entry(source, intent.options), analysed)
        if verdict.matched:
            return number, verdict
        first = first or verdict
    assert first is not None, "a stored intent has at least one entry"  # noqa: S101
    return 0, first


def edit_allowed(intent: StandingIntent, facts: TurnFacts) -> Verdict:
    """An edited message counts only where the intent asks for it."""
    return _verdict(Rule.EDIT, intent.on_edits or not facts.turn.edited, Reason.EDIT)


def sent_after_arming(intent: StandingIntent, facts: TurnFacts) -> Verdict:
    """Sent after the intent was armed, and not the message that created it."""
    turn = facts.turn
    if turn.message_id == intent.source_message_id and facts.spot.conversation == intent.conversation:
        return _verdict(Rule.FRESH, False, Reason.CREATING_MESSAGE)
    passed = intent.armed_at is None or turn.sent_at >= intent.armed_at
    return _verdict(Rule.FRESH, passed, Reason.SENT_BEFORE, armed_at=intent.armed_at, sent_at=turn.sent_at)


def not_fired_before(intent: StandingIntent, facts: TurnFacts) -> Verdict:
    """A message fires an intent once, however often it is delivered, edited or replayed."""
    return _verdict(Rule.RECEIPT, intent.key not in facts.fired_before, Reason.ALREADY_FIRED)


def not_excepted(intent: StandingIntent, facts: TurnFacts) -> Verdict:
    """Not in a conversation, or a channel with its threads, in which the intent stays quiet."""
    passed = not {facts.spot.channel, facts.spot.conversation} & set(intent.except_in)
    return _verdict(Rule.EXCEPT, passed, Reason.EXCEPTED, count=len(intent.except_in))


def not_muted(_intent: StandingIntent, facts: TurnFacts) -> Verdict:
    """Nobody has muted the conversation, its channel or its space."""
    mute = facts.mute
    if mute is None:
        return _verdict(Rule.MUTE, True, Reason.MUTED)
    return _verdict(Rule.MUTE, False, Reason.MUTED, kind=str(mute.kind), until=mute.until)


def goal_open(intent: StandingIntent, _facts: TurnFacts) -> Verdict:
    """The goal that it is linked to is not completed or cancelled."""
    return _verdict(Rule.GOAL, not intent.goal_closed, Reason.GOAL_CLOSED)


def budget_left(intent: StandingIntent, _facts: TurnFacts) -> Verdict:
    """fire_count < max_fires."""
    passed = intent.fire_count < intent.max_fires and not _spent(intent)
    return _verdict(Rule.BUDGET, passed, Reason.BUDGET, used=intent.fire_count, limit=intent.max_fires)


def cooled_down(intent: StandingIntent, facts: TurnFacts) -> Verdict:
    """now >= last fire + cooldown; the last fire is that of the intent, or of this conversation or sender.

    One that listens to a bot or a webhook waits `machine_cooldown` after its last fire anywhere, too.
    """
    whole = intent.cooldown_per is CooldownPer.INTENT
    last = intent.last_fired_at if whole else facts.last_fires.get(intent.key)
    ready = None if last is None else last + intent.cooldown
    if machine_kind(intent.watches) is not None and intent.last_fired_at is not None:
        least = intent.last_fired_at + facts.machine_cooldown
        ready = least if ready is None else max(ready, least)
    passed = ready is None or facts.now >= ready
    return _verdict(Rule.COOLDOWN, passed, Reason.COOLDOWN, until=ready, per=str(intent.cooldown_per))


Gate = Callable[[StandingIntent, TurnFacts], Verdict]

GATES: tuple[Gate, ...] = (
    creator_known,
    status_allows,
    not_expired,
    same_tenancy,
    in_scope,
    sender_allowed,
    trigger_found,
    edit_allowed,
    sent_after_arming,
    not_fired_before,
    not_excepted,
    not_muted,
    goal_open,
    budget_left,
    cooled_down,
)


def first_failure(intent: StandingIntent, facts: TurnFacts) -> Verdict | None:
    """The first rule that this turn fails for this intent, None when all pass."""
    for gate in GATES:
        verdict = gate(intent, facts)
        if not verdict.passed:
            return verdict
    return None


def all_verdicts(intent: StandingIntent, facts: TurnFacts, limits: Limits) -> tuple[Verdict, ...]:
    """Every rule with its verdict, the turn's own first; that of a goal only where the intent is linked to one."""
    gates = (gate for gate in GATES if gate is not goal_open or intent.goal_id is not None)
    return (turn_eligible(facts.turn, facts.now, limits), *(gate(intent, facts) for gate in gates))
