"""Each rule of matching on its own: passes, fails, and says why."""

from datetime import timedelta

import pytest

from core.limits import LIMITS
from core.standing.gates import (
    GATES,
    Reason,
    Rule,
    TurnFacts,
    all_verdicts,
    budget_left,
    cooled_down,
    creator_known,
    edit_allowed,
    first_failure,
    in_scope,
    not_expired,
    not_fired_before,
    same_tenancy,
    sender_allowed,
    sent_after_arming,
    status_allows,
    trigger_found,
    turn_eligible,
)
from core.standing.intent import ChannelScope, Status
from core.text.analyse import analyse
from core.turn import Principal, Spot, TurnKind, Visibility
from tests.builders import ADA, BOB, NOW, a_place, a_turn, an_intent

TICK = timedelta(microseconds=1)
SPOT = Spot(1, 2, 3, "home", Visibility.PUBLIC)


def facts(spot=SPOT, now=NOW, fired_before=frozenset(), text="the launch checklist is ready", **turn):
    said = a_turn(text, **turn)
    return TurnFacts(said, spot, analyse(said.text.text), now, fired_before)


@pytest.mark.parametrize(
    "kind, reason",
    [
        (TurnKind.BOT, Reason.NOT_A_PERSON),
        (TurnKind.WEBHOOK, Reason.NOT_A_PERSON),
        (TurnKind.COMMAND, Reason.COMMAND),
        (TurnKind.SERVICE, Reason.SERVICE_MESSAGE),
        (TurnKind.OWN, Reason.OWN_MESSAGE),
    ],
)
def test_only_a_person_talking_is_eligible(kind, reason):
    verdict = turn_eligible(a_turn(kind=kind), NOW, LIMITS)
    assert (verdict.passed, verdict.reason) == (False, reason)


def test_a_turn_without_sender_or_conversation_is_not_eligible():
    assert turn_eligible(a_turn(sender=None), NOW, LIMITS).reason is Reason.NO_SENDER
    nowhere = a_place(channel="")
    assert turn_eligible(a_turn(where=nowhere), NOW, LIMITS).reason is Reason.NO_SENDER


def test_a_host_that_cannot_deliver_skips_matching():
    assert turn_eligible(a_turn(can_deliver=False), NOW, LIMITS).reason is Reason.NO_DELIVERY


def test_a_message_is_too_old_after_ten_minutes_and_not_before():
    turn = a_turn(at=NOW)
    assert turn_eligible(turn, NOW + LIMITS.turn_max_age, LIMITS).passed
    late = turn_eligible(turn, NOW + LIMITS.turn_max_age + TICK, LIMITS)
    assert late.reason is Reason.TOO_OLD


def test_a_row_without_a_known_creator_never_fires():
    assert creator_known(an_intent(), facts()).passed
    assert creator_known(an_intent(creator=Principal("console", "local", "")), facts()).reason is Reason.NO_CREATOR


@pytest.mark.parametrize("status", [Status.PENDING, Status.CANCELLED])
def test_a_paused_or_cancelled_intent_is_not_armed(status):
    verdict = status_allows(an_intent(status=status), facts())
    assert (verdict.reason, verdict.figures["status"]) == (Reason.NOT_ARMED, str(status))


def test_expiry_counts_from_its_instant():
    assert not_expired(an_intent(expires_at=NOW + TICK), facts()).passed
    assert not_expired(an_intent(expires_at=NOW), facts()).reason is Reason.EXPIRED
    assert not_expired(an_intent(status=Status.EXPIRED), facts()).reason is Reason.EXPIRED


def test_nothing_crosses_a_namespace_but_an_operators_anywhere():
    elsewhere = Spot(11, 12, 13, "away", Visibility.PUBLIC)
    assert same_tenancy(an_intent(), facts()).passed
    assert same_tenancy(an_intent(), facts(elsewhere)).reason is Reason.OTHER_TENANCY
    assert same_tenancy(an_intent(channel_scope=ChannelScope.ANYWHERE), facts(elsewhere)).passed


@pytest.mark.parametrize(
    "scope, heard",
    [
        (ChannelScope.CONVERSATION, [True, False, False, False]),
        (ChannelScope.CHANNEL, [True, True, False, False]),
        (ChannelScope.SPACE, [True, True, True, False]),
        (ChannelScope.ANYWHERE, [True, True, True, True]),
    ],
)
def test_a_scope_hears_its_own_place_and_the_threads_in_it(scope, heard):
    spots = [
        SPOT,
        Spot(1, 2, 4, "home", Visibility.PUBLIC),
        Spot(1, 5, 6, "home", Visibility.PUBLIC),
        Spot(11, 12, 13, "away", Visibility.PUBLIC),
    ]
    assert [in_scope(an_intent(channel_scope=scope), facts(spot)).passed for spot in spots] == heard


def test_a_space_scope_made_in_a_private_channel_hears_that_channel_only():
    intent = an_intent(channel_scope=ChannelScope.SPACE, namespace_id="vault", channel=8, conversation=9)
    vault = Spot(1, 8, 9, "vault", Visibility.PRIVATE)
    assert in_scope(intent, facts(vault)).passed
    assert not same_tenancy(intent, facts(SPOT)).passed


def test_a_space_scope_of_the_space_does_not_hear_a_private_channel():
    intent, vault = an_intent(channel_scope=ChannelScope.SPACE), Spot(1, 8, 9, "vault", Visibility.PRIVATE)
    assert not in_scope(intent, facts(vault)).passed


def test_a_watched_person_is_known_by_id():
    assert sender_allowed(an_intent(watches=BOB), facts()).passed
    assert sender_allowed(an_intent(watches=None), facts()).passed
    assert sender_allowed(an_intent(watches=ADA), facts()).reason is Reason.OTHER_SENDER


def test_the_trigger_is_found_in_any_entry_and_named():
    intent = an_intent(entries=("rollback owner", "launch checklist"))
    verdict = trigger_found(intent, facts())
    assert verdict.passed
    assert verdict.figures["entry"] == "launch checklist"
    miss = trigger_found(an_intent(entries=("rollback owner",)), facts())
    assert (miss.reason, miss.figures["entry"]) == (Reason.TRIGGER, "rollback owner")


def test_an_edit_counts_only_where_the_intent_asks_for_it():
    assert not edit_allowed(an_intent(), facts(edited=True)).passed
    assert edit_allowed(an_intent(on_edits=True), facts(edited=True)).passed
    assert edit_allowed(an_intent(), facts()).passed


def test_a_message_sent_before_arming_does_not_fire():
    assert sent_after_arming(an_intent(armed_at=NOW), facts(at=NOW)).passed
    assert sent_after_arming(an_intent(armed_at=NOW), facts(at=NOW - TICK)).reason is Reason.SENT_BEFORE


def test_the_message_that_created_it_does_not_fire():
    intent = an_intent(source_message_id="m1")
    assert sent_after_arming(intent, facts(message_id="m1")).reason is Reason.CREATING_MESSAGE
    assert sent_after_arming(intent, facts(Spot(1, 2, 99, "home", Visibility.PUBLIC), message_id="m1")).passed


def test_a_message_fires_an_intent_once():
    assert not_fired_before(an_intent(key=7), facts(fired_before=frozenset({8}))).passed
    assert not_fired_before(an_intent(key=7), facts(fired_before=frozenset({7}))).reason is Reason.ALREADY_FIRED


def test_the_budget_ends_with_its_last_fire():
    assert budget_left(an_intent(fire_count=2, max_fires=3), facts()).passed
    spent = budget_left(an_intent(fire_count=3, max_fires=3, status=Status.DONE), facts())
    assert (spent.reason, spent.figures) == (Reason.BUDGET, {"used": 3, "limit": 3})


def test_a_cooldown_ends_at_its_instant():
    cooling = an_intent(status=Status.FIRED, fire_count=1, last_fired_at=NOW - timedelta(hours=24))
    assert cooled_down(cooling, facts()).passed
    verdict = cooled_down(cooling, facts(now=NOW - TICK))
    assert (verdict.reason, verdict.figures["until"]) == (Reason.COOLDOWN, NOW)
    assert cooled_down(an_intent(), facts()).passed


def test_the_first_failure_is_the_first_of_all_verdicts():
    intent = an_intent(expires_at=NOW, watches=ADA, entries=("nothing",), goal_id="goal")
    verdicts = all_verdicts(intent, facts(), LIMITS)
    assert [v.rule for v in verdicts] == list(Rule)
    assert first_failure(intent, facts()).rule is next(v.rule for v in verdicts if not v.passed)
    assert first_failure(an_intent(), facts()) is None


def test_a_goal_is_spoken_of_only_where_a_rule_is_linked_to_one():
    rules = [verdict.rule for verdict in all_verdicts(an_intent(), facts(), LIMITS)]
    assert rules == [rule for rule in Rule if rule is not Rule.GOAL]


def test_a_rule_whose_goal_is_closed_does_not_fire():
    closed = an_intent(goal_id="goal", goal_closed=True)
    assert first_failure(closed, facts()).reason is Reason.GOAL_CLOSED
    assert first_failure(an_intent(goal_id="goal"), facts()) is None


def test_every_rule_but_the_turns_own_is_a_gate():
    assert len(GATES) == len(Rule) - 1
