"""What a rule would have done with messages of the past."""

from dataclasses import replace
from datetime import timedelta

import pytest

from core.limits import LIMITS
from core.standing.gates import Reason, TurnFacts
from core.standing.intent import CooldownPer, Status
from core.standing.mutes import Mute
from core.standing.preview import Miss, made_before, newest, simulate
from core.text.analyse import TextOptions, analyse
from core.text.zones import MarkedText, Zone, ZoneKind
from core.turn import PlaceKind, Spot, TurnKind, Visibility, machine
from tests.builders import ADA, BOB, NOW, a_turn, an_intent

SPOT = Spot(1, 2, 3, "home", Visibility.PUBLIC)
THREAD = replace(SPOT, conversation=4)
HOUR = timedelta(hours=1)


def a_rule(*entries, **fields):
    base = {"entries": entries, "cooldown": timedelta(0)} if entries else {}
    return made_before(an_intent(**(base | fields)))


def past(*texts, spot=SPOT, every=HOUR, start=NOW, mute=None, **turn):
    """Messages one after the other."""
    return [facts(text, start + number * every, spot, mute, **turn) for number, text in enumerate(texts)]


def facts(text, at=NOW, spot=SPOT, mute=None, **turn):
    marked = text if isinstance(text, MarkedText) else MarkedText(text)
    said = replace(a_turn(at=at, **turn), text=marked)
    return TurnFacts(said, spot, analyse(marked.text, marked.zones), at, mute=mute)


def texts(found):
    return [one.turn.text.text for one in found]


def test_t137_it_would_have_fired_3_times_with_the_cooldown_counted_in():
    said = past(*[f"deploy fail {number}" for number in range(7)], every=timedelta(hours=10))
    found = simulate(a_rule("deploy fail", cooldown=timedelta(hours=24), max_fires=9), said, LIMITS)
    assert texts(found.hits) == ["deploy fail 0", "deploy fail 3", "deploy fail 6"]
    assert [one.reason for one in found.held_back] == [Reason.COOLDOWN] * 4
    assert (found.looked_at, found.since) == (7, NOW)


def test_a_budget_is_counted_in_and_a_cooldown_after_its_last_fire_is_no_reason():
    said = past("deploy 0", "deploy 1", "deploy 2", "deploy 3")
    found = simulate(a_rule("deploy", max_fires=2), said, LIMITS)
    assert (len(found.hits), [one.reason for one in found.held_back]) == (2, [Reason.BUDGET] * 2)


@pytest.mark.parametrize("per, hits", [(CooldownPer.INTENT, 1), (CooldownPer.CONVERSATION, 2), (CooldownPer.SENDER, 3)])
def test_a_cooldown_is_counted_by_rule_conversation_or_sender(per, hits):
    cyd = replace(BOB, user_id="cyd")
    said = [
        *past("deploy", "deploy"),
        *past("deploy", spot=THREAD, start=NOW + 3 * HOUR, sender=ADA),
        *past("deploy", start=NOW + 4 * HOUR, sender=cyd),
    ]
    found = simulate(a_rule("deploy", cooldown=timedelta(days=1), cooldown_per=per), said, LIMITS)
    assert len(found.hits) == hits
    assert len(found.held_back) == 4 - hits


def test_messages_count_in_the_order_in_which_they_were_sent():
    first, second = past("deploy one", "deploy two")
    found = simulate(a_rule("deploy", max_fires=1), [second, first], LIMITS)
    assert texts(found.hits) == ["deploy one"]


def test_a_message_that_comes_twice_fires_once():
    one = facts("deploy")
    assert len(simulate(a_rule("deploy"), [one, one], LIMITS).hits) == 1


def test_a_mute_and_an_exception_apply():
    muted = past("deploy", mute=Mute(PlaceKind.CHANNEL, None))
    assert [one.reason for one in simulate(a_rule("deploy"), muted, LIMITS).held_back] == [Reason.MUTED]
    found = simulate(a_rule("deploy", except_in=(4,)), [*past("deploy"), *past("deploy", spot=THREAD)], LIMITS)
    assert (len(found.hits), [one.reason for one in found.held_back]) == (1, [Reason.EXCEPTED])


@pytest.mark.parametrize("kind", [TurnKind.BOT, TurnKind.COMMAND, TurnKind.OWN])
def test_what_is_no_talk_of_a_person_is_passed_over(kind):
    found = simulate(a_rule("deploy"), past("deploy", kind=kind), LIMITS)
    assert (found.hits, found.near, found.looked_at) == ((), (), 1)


@pytest.mark.parametrize("kind", [TurnKind.BOT, TurnKind.WEBHOOK])
def test_what_a_bot_said_is_a_near_miss_of_a_rule_that_does_not_name_it(kind):
    said = past("deploy", "other words", kind=kind, sender=machine(kind, "console", "local", "ci"))
    found = simulate(a_rule("deploy"), said, LIMITS)
    assert (found.hits, [(miss.kind, miss.term) for miss in found.near]) == ((), [(Miss.MACHINE, "deploy")])


@pytest.mark.parametrize(
    "text, zones",
    [
        ("see deploy now", (Zone(4, 10, ZoneKind.CODE),)),
        ("deploy\nno idea", (Zone(0, 6, ZoneKind.QUOTE),)),
        ("look at https://example.test/deploy/now", ()),
    ],
)
def test_words_that_stand_only_in_what_is_left_out_are_a_near_miss(text, zones):
    found = simulate(a_rule("deploy"), past(MarkedText(text, zones)), LIMITS)
    assert [(miss.kind, miss.term) for miss in found.near] == [(Miss.LEFT_OUT, "deploy")]
    assert found.left_out == 1
    other = simulate(a_rule("rollback"), past(MarkedText(text, zones)), LIMITS)
    assert (other.near, other.left_out) == ((), 1)


def test_part_of_the_words_in_code_is_told_before_a_word_that_is_missing():
    text = MarkedText("deploy the plan", (Zone(11, 15, ZoneKind.CODE),))
    found = simulate(a_rule("deploy plan"), past(text, "deploy the"), LIMITS)
    assert [miss.kind for miss in found.near] == [Miss.LEFT_OUT, Miss.TERM]


def test_a_rule_that_exists_counts_as_made_before_everything_and_unused():
    worn = an_intent(
        status=Status.CANCELLED, armed_at=NOW + HOUR, fire_count=3, last_fired_at=NOW, cooldown=HOUR, unconfirmed=True
    )
    assert simulate(worn, past("launch checklist"), LIMITS).hits == ()
    assert len(simulate(made_before(worn), past("launch checklist"), LIMITS).hits) == 1


def test_a_hit_that_only_word_forms_bring_is_flagged():
    found = simulate(a_rule("deploy"), past("deploy it", "who deployed it?"), LIMITS)
    assert [hit.by_forms for hit in found.hits] == [False, True]
    assert found.formed == 1


def test_t113_an_exact_rule_shows_the_miss_that_word_forms_would_add():
    exact = a_rule("approve", options=TextOptions(word_forms=False))
    found = simulate(exact, past("who approves it?", "nothing here"), LIMITS)
    assert found.hits == ()
    assert [(miss.kind, miss.term, miss.turn.text.text) for miss in found.near] == [
        (Miss.FORMS, "approve", "who approves it?")
    ]
    assert texts(simulate(a_rule("approve"), past("who approves it?"), LIMITS).hits) == ["who approves it?"]


def test_another_sender_is_a_near_miss_only_with_the_words():
    mine = a_rule("deploy", watches=ADA, watches_name="Ada")
    found = simulate(mine, past("deploy", "hello"), LIMITS)
    assert [(miss.kind, miss.term) for miss in found.near] == [(Miss.SENDER, "deploy")]


def test_the_one_missing_term_is_named():
    said = past("launch soon", "soon", "the launch plan", "launch the test checklist")
    found = simulate(a_rule("launch checklist -test"), said, LIMITS)
    assert [(miss.kind, miss.term) for miss in found.near] == [(Miss.TERM, "checklist")] * 2
    assert simulate(a_rule("launch"), past("soon"), LIMITS).near == ()


def test_the_newest_near_misses_are_kept_within_the_bound():
    bound = LIMITS.preview_near
    kept = simulate(a_rule("launch plan"), past(*["launch"] * bound), LIMITS)
    over = simulate(a_rule("launch plan"), past(*[f"launch {number}" for number in range(bound + 1)]), LIMITS)
    assert (len(kept.near), len(over.near)) == (bound, bound)
    assert texts(over.near)[-1] == f"launch {bound}" and "launch 0" not in texts(over.near)


def test_t093_what_is_left_out_of_a_message_is_counted():
    code = MarkedText("type @all to ping", (Zone(5, 9, ZoneKind.CODE),))
    found = simulate(a_rule("@all"), [facts(code), facts("type @all to ping", NOW + HOUR)], LIMITS)
    assert (len(found.hits), found.left_out) == (1, 1)


def test_t069_a_host_is_found_in_an_address_and_its_path_is_not():
    said = past("docs at https://example.test/guide")
    assert len(simulate(a_rule("example.test"), said, LIMITS).hits) == 1
    found = simulate(a_rule("guide"), said, LIMITS)
    assert (found.hits, found.left_out) == ((), 1)


def test_a_rule_of_another_place_is_told_from_one_that_heard_nothing():
    there = a_rule("deploy", channel=9, conversation=9)
    assert simulate(there, past("deploy"), LIMITS).elsewhere
    assert not simulate(a_rule("deploy"), past("hello"), LIMITS).elsewhere
    assert not simulate(there, [], LIMITS).elsewhere


def test_the_newest_messages_are_those_sent_last():
    turns = [a_turn("b", NOW + HOUR), a_turn("a", NOW), a_turn("c", NOW + 2 * HOUR)]
    assert [turn.text.text for turn in newest(turns, 2)] == ["b", "c"]
