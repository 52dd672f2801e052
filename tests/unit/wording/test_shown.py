"""Lists, single rules and explanations, in words."""

from dataclasses import replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from core.services.explain_turn import Explanation, TurnExplanation
from core.services.read_intents import IntentView, NamedPlace, Page
from core.standing.gates import Reason, Rule, Verdict
from core.standing.intent import ChannelScope, CooldownPer, Deliver, FireState, Priority, Status
from core.text.analyse import TextOptions
from core.text.zones import Zone, ZoneKind
from core.wording.shown import (
    Clockface,
    explanation_lines,
    has_fired,
    hidden_line,
    page_lines,
    rule_words,
    view_lines,
)
from tests.builders import BOB, NOW, a_fire, an_intent

FACE = Clockface(NOW, UTC)


def test_a_list_shows_two_lines_a_rule():
    quiet = an_intent(status=Status.FIRED, fire_count=1, last_fired_at=NOW, priority=Priority.HIGH)
    shown = [part.text for part in page_lines(Page((quiet,), 1, 1, 10), FACE)]
    assert shown == [
        "i-7k2m  quiet  Confirm the rollback owner.",
        "        anyone says launch checklist · in its channel · 1 of 3 used · quiet until Tue 10:00"
        " · ends Sat 27 Feb 2027 10:00 · high priority",
        "1 rule.",
    ]


@pytest.mark.parametrize(
    "scope, names, direct, here, wanted",
    [
        (ChannelScope.CHANNEL, {2: "ops"}, frozenset(), 2, "in this channel"),
        (ChannelScope.CHANNEL, {2: "ops"}, frozenset(), 7, "in #ops"),
        (ChannelScope.CONVERSATION, {2: "ops"}, frozenset(), 7, "in a thread of #ops"),
        (ChannelScope.CONVERSATION, {2: "ops"}, frozenset(), 2, "in one thread"),
        (ChannelScope.SPACE, {2: "ops"}, frozenset(), 7, "in the whole space"),
        (ChannelScope.CHANNEL, {2: "dm"}, frozenset({2}), 7, "in a direct message"),
    ],
)
def test_a_list_says_in_which_channel_a_rule_listens(scope, names, direct, here, wanted):
    row = an_intent(channel=2, channel_scope=scope)
    shown = page_lines(Page((row,), 1, 1, 10, names, direct, here), FACE)[1].text
    assert f" · {wanted} · " in shown


def test_what_a_filter_hides_is_counted():
    assert hidden_line(1, "").text == "1 more has another status. See all: /intent list --all"
    assert hidden_line(2, "launch").text == "2 more have another status. See all: /intent list launch --all"


def test_an_explanation_of_a_message_that_fired_says_so_first():
    held = tuple(Verdict(rule, True, Reason.OK, FIGURES) for rule in Rule if rule is not Rule.RECEIPT)
    rules = (*held, Verdict(Rule.RECEIPT, False, Reason.ALREADY_FIRED))
    quiet = an_intent(status=Status.FIRED, fire_count=1, last_fired_at=NOW)
    one = Explanation(quiet, False, Reason.ALREADY_FIRED, rules)
    assert has_fired(one)
    fired = {"i-7k2m": a_fire(state=FireState.DELIVERED)}
    shown = [part.text for part in explanation_lines(TurnExplanation((one,), (), False, 1, 0, False), FACE, fired)]
    assert shown[:2] == [
        "i-7k2m fired on it: Confirm the rollback owner.",
        "  This message fired it Mon 10:00 (1 of 3, delivered); now it is quiet until Tue 10:00.",
    ]
    assert not any("✗" in text for text in shown)
    done = replace(one, intent=an_intent(status=Status.DONE, fire_count=3, last_fired_at=NOW))
    shown = [part.text for part in explanation_lines(TurnExplanation((done,), (), False, 1, 0, False), FACE, fired)]
    assert shown[1].endswith("; now it is done.")


def test_an_empty_list_and_pages_are_said():
    assert [part.text for part in page_lines(Page((), 0, 1, 10), FACE)] == ["No rules to show here."]
    assert page_lines(Page((an_intent(),), 11, 2, 10), FACE)[-1].text == "11 rules; page 2 of 2. Next: --page N"
    assert page_lines(Page((an_intent(), an_intent()), 2, 1, 10), FACE)[-1].text == "2 rules."


@pytest.mark.parametrize("status", list(Status))
@pytest.mark.parametrize("scope", list(ChannelScope))
def test_every_state_and_scope_can_be_shown(status, scope):
    row = an_intent(
        status=status, channel_scope=scope, watches=BOB, watches_name="", last_fired_at=NOW, on_edits=True,
        options=TextOptions(word_forms=False), priority=Priority.CRITICAL,
    )  # fmt: skip
    fires = tuple(a_fire(state=state) for state in FireState)
    shown = [part.text for part in view_lines(IntentView(row, "home", "ops", "plan", fires), FACE)]
    assert "Said by: @bob" in shown
    assert sum("launch checklist:" in part for part in shown) == len(FireState)
    assert page_lines(Page((row,), 1, 1, 10), FACE)


def test_an_explanation_tells_what_was_left_out_or_cut():
    zone = Zone(0, 1, ZoneKind.CODE)
    one = Explanation(an_intent(), False, Reason.CUT, ())
    shown = explanation_lines(TurnExplanation((one,), (zone,), True, 300, 44, True), FACE)
    text = "\n".join(part.text for part in shown)
    for words in (
        "too many other rules",
        "first 20 000",
        "1 place was left out",
        "44 more rules",
        "not all were looked at",
    ):
        assert words in text
    nothing = explanation_lines(TurnExplanation((), (), False, 0, 0, False), FACE)
    assert [part.text for part in nothing] == ["No live rule here to explain."]


FIGURES = {
    "expires_at": NOW, "scope": "channel", "watches": "anyone", "entry": "x", "terms": ("x", "y"), "detail": "missing",
    "used": 1, "limit": 3, "until": NOW, "armed_at": NOW, "sent_at": NOW, "status": "pending", "size": 9,
    "kind": "channel", "count": 1,
}  # fmt: skip


@pytest.mark.parametrize("rule", list(Rule))
def test_every_rule_that_passes_has_words(rule):
    assert rule_words(Verdict(rule, True, Reason.OK, FIGURES), FACE)


@pytest.mark.parametrize(
    "reason",
    [reason for reason in Reason if reason not in {Reason.OK, Reason.NO_TERMS, Reason.CUT, Reason.DEADLINE}],
)
def test_every_reason_has_words(reason):
    rule = Rule.TRIGGER if reason is Reason.TRIGGER else Rule.TURN
    for detail in ("missing", "excluded", "no_terms"):
        assert rule_words(Verdict(rule, False, reason, FIGURES | {"detail": detail}), FACE)


def test_a_rule_that_never_fired_has_no_quiet_time():
    assert rule_words(Verdict(Rule.COOLDOWN, True, Reason.OK, {"until": None}), FACE) == "no quiet time is running"


def test_figures_are_shown_in_the_readers_zone():
    late = datetime(2026, 11, 30, 23, 30, tzinfo=UTC)
    verdict = Verdict(Rule.COOLDOWN, False, Reason.COOLDOWN, {"until": late})
    assert (
        rule_words(verdict, Clockface(NOW, ZoneInfo("Europe/Berlin")))
        == "quiet after the last reminder, until Tue 00:30"
    )


PLACES = {5: NamedPlace("random"), 6: NamedPlace("ops", "rollout"), 8: NamedPlace("ops")}


def shown_both_ways(row):
    listed = [part.text for part in page_lines(Page((row,), 1, 1, 10, places=PLACES), FACE)]
    return listed, [part.text for part in view_lines(IntentView(row, "home", "ops", "ops", (), PLACES), FACE)]


@pytest.mark.parametrize(
    "fields, in_list, in_view",
    [
        (
            {"except_in": (5, 6)},
            " · quiet in #random, the thread rollout in #ops · ",
            "Where: #ops, threads included; quiet in #random, the thread rollout in #ops",
        ),
        (
            {"deliver": Deliver.DIRECT},
            " · told by direct message only · ",
            "Where: #ops, threads included; told by direct message only",
        ),
        (
            {"deliver": Deliver.PLACE, "deliver_to": 8},
            " · posted in #ops · ",
            "Where: #ops, threads included; posted in #ops",
        ),
        (
            {"cooldown_per": CooldownPer.SENDER},
            " · quiet time for each person apart · ",
            "The quiet time is counted for each person apart.",
        ),
        (
            {"cooldown_per": CooldownPer.CONVERSATION},
            " · quiet time for each channel or thread apart · ",
            "The quiet time is counted for each channel or thread apart.",
        ),
    ],
)
def test_exceptions_delivery_and_quiet_times_are_said_in_list_and_show(fields, in_list, in_view):
    listed, view = shown_both_ways(an_intent(**fields))
    assert in_list in listed[1]
    assert in_view in view


def test_a_rule_that_waits_for_its_confirmation_does_not_look_paused():
    listed, view = shown_both_ways(an_intent(status=Status.PENDING, unconfirmed=True))
    assert listed[0].startswith("i-7k2m  waiting for a yes  ")
    assert view[0] == "i-7k2m is waiting for a yes"
    assert view[1] == "It was imported and sleeps until @Ada says yes: /intent confirm i-7k2m"
    for other in (an_intent(status=Status.PENDING), an_intent(status=Status.CANCELLED, unconfirmed=True)):
        assert "yes" not in " ".join(part for lines in shown_both_ways(other) for part in lines)


@pytest.mark.parametrize("entries", [("budget", '"l\u0430unch party"'), ("ready -l\u0430unch",)])
def test_look_alike_letters_are_said_in_one_line_of_list_and_show(entries):
    listed, view = shown_both_ways(an_intent(entries=entries))
    for lines in (listed, view):
        [warning] = [text for text in lines if "look alike" in text]
        assert warning.strip().startswith("Look closely: ") and "l\u0430unch mixes letters of" in warning
    assert not any("look alike" in text for lines in shown_both_ways(an_intent()) for text in lines)
