"""Rules that listen to a bot or a webhook: who is one, what is a copy of ours, and the least quiet time."""

from dataclasses import replace
from datetime import timedelta

import pytest

from core.limits import LIMITS
from core.standing.gates import Reason, TurnFacts, cooled_down, sender_allowed, turn_eligible
from core.standing.intent import CooldownPer
from core.standing.machines import answers_us, least_cooldown
from core.text.analyse import analyse
from core.text.zones import MarkedText
from core.turn import Principal, Spot, TurnKind, Visibility, machine, machine_kind
from tests.builders import ADA, BOB, NOW, a_turn, an_intent

TICK = timedelta(microseconds=1)
SPOT = Spot(1, 2, 3, "home", Visibility.PUBLIC)
BOT = machine(TurnKind.BOT, "console", "local", "ci")
HOOK = machine(TurnKind.WEBHOOK, "console", "local", "ci")


def said(text="build failed", kind=TurnKind.BOT, sender=BOT, **turn):
    return a_turn(text, kind=kind, sender=sender, **turn)


def facts(turn=None, now=NOW, **fields):
    turn = turn or said()
    return TurnFacts(turn, SPOT, analyse(turn.text.text), now, **fields)


def test_a_bot_a_webhook_and_a_person_of_one_id_are_three():
    person = Principal("console", "local", "ci")
    assert len({BOT, HOOK, person}) == 3
    assert [machine_kind(who) for who in (BOT, HOOK, person, None)] == [TurnKind.BOT, TurnKind.WEBHOOK, None, None]
    with pytest.raises(KeyError):
        machine(TurnKind.USER, "console", "local", "ci")


@pytest.mark.parametrize(
    "kind, sender, reason",
    [
        (TurnKind.BOT, BOT, Reason.OK),
        (TurnKind.WEBHOOK, HOOK, Reason.OK),
        (TurnKind.BOT, HOOK, Reason.NOT_A_PERSON),
        (TurnKind.WEBHOOK, BOT, Reason.NOT_A_PERSON),
        (TurnKind.BOT, BOB, Reason.NOT_A_PERSON),
        (TurnKind.WEBHOOK, None, Reason.NOT_A_PERSON),
        (TurnKind.OWN, BOT, Reason.OWN_MESSAGE),
    ],
)
def test_what_a_bot_wrote_is_eligible_only_under_its_own_principal(kind, sender, reason):
    assert turn_eligible(said(kind=kind, sender=sender), NOW, LIMITS).reason is reason


def test_a_message_of_a_bot_is_too_old_after_ten_minutes_too():
    assert turn_eligible(said(at=NOW - LIMITS.turn_max_age), NOW, LIMITS).passed
    assert turn_eligible(said(at=NOW - LIMITS.turn_max_age - TICK), NOW, LIMITS).reason is Reason.TOO_OLD


@pytest.mark.parametrize("watches, passes", [(BOT, True), (None, False), (HOOK, False), (BOB, False)])
def test_only_a_rule_that_names_it_listens_to_a_bot(watches, passes):
    verdict = sender_allowed(an_intent(watches=watches), facts())
    assert (verdict.passed, verdict.reason) == (passes, Reason.OK if passes else Reason.NOT_A_PERSON)


def test_a_rule_that_names_a_bot_listens_to_nobody_else():
    for sender in (BOB, ADA):
        verdict = sender_allowed(an_intent(watches=BOT), facts(a_turn(sender=sender)))
        assert verdict.reason is Reason.OTHER_SENDER


@pytest.mark.parametrize("per", list(CooldownPer))
def test_it_is_quiet_for_the_least_time_however_its_cooldown_is_set(per):
    rule = an_intent(watches=BOT, cooldown=timedelta(0), cooldown_per=per, last_fired_at=NOW)
    least = LIMITS.machine_cooldown
    early = cooled_down(rule, facts(now=NOW + least - TICK))
    assert (early.reason, early.figures["until"]) == (Reason.COOLDOWN, NOW + least)
    assert cooled_down(rule, facts(now=NOW + least)).passed
    assert cooled_down(rule, facts(now=NOW + TICK, machine_cooldown=TICK)).passed, "the bound of the facts counts"
    assert cooled_down(replace(rule, watches=BOB), facts(now=NOW)).passed, "rules for people are as they are set"


def test_a_longer_cooldown_of_its_own_stays():
    rule = an_intent(watches=BOT, cooldown=timedelta(hours=1), last_fired_at=NOW)
    assert cooled_down(rule, facts(now=NOW + timedelta(hours=1))).passed
    assert not cooled_down(rule, facts(now=NOW + timedelta(hours=1) - TICK)).passed


def test_the_least_cooldown_is_for_bots_and_webhooks_alone():
    assert [least_cooldown(who, LIMITS) for who in (BOT, HOOK)] == [timedelta(seconds=60)] * 2
    assert [least_cooldown(who, LIMITS) for who in (BOB, None)] == [timedelta(0)] * 2


@pytest.mark.parametrize(
    "text",
    [
        "Reminder for @ada: Look. (the bot CI posted *build failed*) · 1 of 1 · i-7k2m · This was the last one.",
        "<remembrancer> Reminder for @ada: build failed. · 1 of 3 · **i-7k2m**",
        "> build failed · `I-7K2M`",
        "build failed ·i-7k2m·",
        "Reminder for @ada: build failed. · r-7k2m9x",
    ],
)
def test_a_copy_of_a_reminder_is_known_by_the_name_of_its_rule(text):
    assert answers_us(said(text))
    assert turn_eligible(said(text), NOW, LIMITS).reason is Reason.OUR_WORDS
    assert turn_eligible(a_turn(text), NOW, LIMITS).passed, "people may quote what they like"


@pytest.mark.parametrize(
    "text",
    [
        "build failed",
        "i-7k2m failed",
        "build · i-7k2",
        "build · i-7k2m9xz",
        "build · i-0abcd1234ef567890",
        "build · i-7k2m-prod",
        "build · i-lou",
    ],
)
def test_other_words_of_a_bot_are_no_copy(text):
    assert not answers_us(said(text))


def test_an_answer_to_a_message_of_ours_is_never_heard_from_a_bot():
    assert turn_eligible(said(answers_us=True), NOW, LIMITS).reason is Reason.OUR_WORDS
    assert turn_eligible(a_turn(answers_us=True), NOW, LIMITS).passed


def test_looking_for_copies_takes_time_that_grows_with_the_text_only():
    assert not answers_us(replace(said(), text=MarkedText("· " * 100_000)))
