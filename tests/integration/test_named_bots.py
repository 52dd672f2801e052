"""Bots and webhooks that a rule names: heard by that rule alone, once a minute at most, never in a circle."""

from dataclasses import replace
from datetime import UTC, timedelta

import pytest

from core.errors import NotAllowed
from core.limits import LIMITS
from core.services.change_intent import EditIntent
from core.services.context import Context
from core.services.create_intent import CreateIntent, ProposeIntent
from core.services.explain_turn import ExplainTurn
from core.services.preview_intent import PreviewIntent
from core.services.receive_turn import ReceiveTurn
from core.standing.gates import Reason
from core.standing.intent import Change, CooldownPer
from core.standing.preview import Miss
from core.turn import ADMIN, TurnKind, machine
from core.wording.reminders import reminder_line
from storage.link import Link
from storage.repositories import places
from tests.builders import ADA, BOB, HOME, NOW, a_draft, a_place, a_turn, an_owner

CI = machine(TurnKind.WEBHOOK, "console", "local", "17")
OTHER = machine(TurnKind.WEBHOOK, "console", "local", "18")
BOT = machine(TurnKind.BOT, "console", "local", "17")
TICK = timedelta(microseconds=1)
LOUD = {"cooldown": timedelta(0), "max_fires": 1_000}


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return Context(store, clock, ids)


def a_rule(ctx, triggers="build failed", sender=CI, **fields):
    ctx.clock.advance(timedelta(milliseconds=1))
    named = {"anyone": False, "sender": sender, "sender_name": "CI"} if sender else {"anyone": True}
    return CreateIntent(ctx)(a_draft(triggers, "Look at the log.", **(LOUD | named | fields)), an_owner(), HOME, "made")


def a_post(ctx, text="build failed", sender=CI, kind=TurnKind.WEBHOOK, **turn):
    return a_turn(text, ctx.clock.now(), sender=sender, sender_name="CI", kind=kind, **turn)


def hear(ctx, *args, after=timedelta(minutes=2), **turn):
    ctx.clock.advance(after)
    return ReceiveTurn(ctx)(a_post(ctx, *args, **turn))


def test_a_rule_hears_the_webhook_that_it_names_and_no_other_sender(ctx):
    rule = a_rule(ctx)
    assert hear(ctx, sender=OTHER).ignored is Reason.NOT_A_PERSON
    assert hear(ctx, sender=BOT, kind=TurnKind.BOT).ignored is Reason.NOT_A_PERSON
    assert hear(ctx, sender=BOB, kind=TurnKind.USER).fires == ()
    [reminder] = hear(ctx).fires
    assert (reminder.handle, reminder.sender, reminder.sender_name) == (rule.handle, CI, "CI")


def test_rules_for_anyone_and_for_people_never_hear_a_bot(ctx):
    for sender in (None, ADA, BOB):
        a_rule(ctx, sender=sender)
    assert hear(ctx).ignored is Reason.NOT_A_PERSON
    named = a_rule(ctx)
    outcome = hear(ctx)
    assert ([one.handle for one in outcome.fires], outcome.candidates) == ([named.handle], 1)


def test_rules_for_anyone_leave_a_bot_its_place_among_the_candidates(store, clock, ids):
    clock.set(NOW)
    ctx = Context(store, clock, ids, replace(LIMITS, candidates=1, probed_rows=2))
    for number in range(3):
        a_rule(ctx, f"build failed; word{number}", sender=None)
    named = a_rule(ctx)
    outcome = hear(ctx)
    assert ([one.handle for one in outcome.fires], outcome.cut) == ([named.handle], 0)


@pytest.mark.parametrize("per", list(CooldownPer))
def test_it_fires_once_a_minute_at_most_wherever_it_is_said(ctx, per):
    a_rule(ctx, cooldown_per=per)
    assert len(hear(ctx).fires) == 1
    thread = a_place("general", "rollout")
    assert hear(ctx, after=LIMITS.machine_cooldown - TICK, where=thread).fires == ()
    assert len(hear(ctx, after=TICK, where=thread).fires) == 1


def test_a_cooldown_below_the_least_is_raised_however_it_is_asked_for(ctx):
    least = LIMITS.machine_cooldown
    proposed = ProposeIntent(ctx)(a_draft(anyone=False, sender=CI, cooldown=least - TICK), an_owner(), HOME)
    assert proposed.draft.cooldown == least
    rule = a_rule(ctx)
    assert rule.cooldown == least
    longer = EditIntent(ctx)(rule.handle, Change(cooldown=least + timedelta(seconds=1)), an_owner(), HOME)
    assert longer.cooldown == least + timedelta(seconds=1)
    edited = EditIntent(ctx)(rule.handle, Change(cooldown=least - TICK), an_owner(), HOME)
    assert edited.cooldown == least
    free = EditIntent(ctx)(rule.handle, Change(cooldown=timedelta(0), anyone=True), an_owner(), HOME)
    assert (free.cooldown, free.watches) == (timedelta(0), None)


def test_what_copies_or_answers_a_reminder_never_fires(ctx):
    a_rule(ctx)
    second = a_rule(ctx, "log")
    [reminder] = hear(ctx).fires
    copied = reminder_line(reminder, ctx.clock.now(), UTC).text
    assert "the webhook CI posted *build failed*" in copied and "Look at the log" in copied
    assert hear(ctx, copied).ignored is Reason.OUR_WORDS
    assert hear(ctx, f"<bot> {copied}").ignored is Reason.OUR_WORDS
    assert hear(ctx, "build failed", answers_us=True).ignored is Reason.OUR_WORDS
    assert [one.handle for one in hear(ctx, "the log").fires] == [second.handle]


def test_a_bridge_that_copies_all_we_post_stops_after_one(ctx):
    a_rule(ctx)
    a_rule(ctx, "log")
    said, fired = "build failed", 0
    for _ in range(10):
        outcome = hear(ctx, said)
        if not outcome.fires:
            break
        fired += len(outcome.fires)
        said = reminder_line(outcome.fires[0], ctx.clock.now(), UTC).text
    assert (fired, outcome.ignored) == (1, Reason.OUR_WORDS)


def test_a_bot_that_nobody_named_takes_one_look_up_and_no_analysis(ctx, monkeypatch):
    a_rule(ctx)
    hear(ctx)
    seen = []
    plain = Link.rows
    monkeypatch.setattr(Link, "rows", lambda link, text, *more: seen.append(text) or plain(link, text, *more))
    assert hear(ctx, sender=OTHER).ignored is Reason.NOT_A_PERSON
    assert seen == [places.PRINCIPAL]


def test_a_named_bot_that_says_other_words_takes_one_probe(ctx, monkeypatch):
    a_rule(ctx)
    for _ in range(3):
        hear(ctx, "nothing to see")
    seen = []
    plain = Link.rows
    monkeypatch.setattr(Link, "rows", lambda link, text, *more: seen.append(text) or plain(link, text, *more))
    assert hear(ctx, "nothing to see").fires == ()
    assert seen == [places.SCOPES]


def test_bots_and_webhooks_never_create(ctx):
    for who in (CI, BOT):
        with pytest.raises(NotAllowed):
            CreateIntent(ctx)(a_draft(), an_owner(who), HOME, "made")


def test_nobody_is_told_that_a_bot_is_watched(ctx):
    a_rule(ctx)
    with ctx.store.read() as tx:
        assert tx.outbox.owed(CI, 10) == ()


@pytest.mark.parametrize(
    "turn, reason",
    [
        ({}, Reason.OK),
        ({"sender": OTHER}, Reason.NOT_A_PERSON),
        ({"sender": BOB}, Reason.NOT_A_PERSON),
        ({"sender": BOB, "kind": TurnKind.USER}, Reason.OTHER_SENDER),
        ({"answers_us": True}, Reason.OUR_WORDS),
        ({"text": "build failed · i-7k2m"}, Reason.OUR_WORDS),
        ({"text": "build done"}, Reason.TRIGGER),
    ],
)
def test_why_tells_what_really_happens(ctx, turn, reason):
    rule = a_rule(ctx)
    ctx.clock.advance(timedelta(minutes=2))
    said = a_post(ctx, **turn)
    [told] = ExplainTurn(ctx)(said, ADMIN, None, rule.handle).intents
    assert told.reason is reason
    assert told.fires is bool(ReceiveTurn(ctx)(said).fires) is (reason is Reason.OK)


def test_why_names_the_least_quiet_time(ctx):
    rule = a_rule(ctx, cooldown_per=CooldownPer.CONVERSATION)
    hear(ctx)
    fired_at = ctx.clock.now()
    ctx.clock.advance(timedelta(seconds=1))
    [told] = ExplainTurn(ctx)(a_post(ctx, where=a_place("general", "t")), ADMIN, None, rule.handle).intents
    assert told.reason is Reason.COOLDOWN
    assert told.rules[-1].figures["until"] == fired_at + LIMITS.machine_cooldown


def test_a_preview_counts_the_least_quiet_time_in_and_shows_what_a_rule_for_people_misses(ctx):
    start = NOW - timedelta(days=1)
    past = [
        a_turn("build failed", start + timedelta(seconds=40 * number), sender=CI, kind=TurnKind.WEBHOOK)
        for number in range(4)
    ]
    draft = a_draft("build failed", anyone=False, sender=CI, sender_name="CI", **LOUD)
    found = PreviewIntent(ctx)(draft, an_owner(), HOME, past).preview
    assert (len(found.hits), [one.reason for one in found.held_back]) == (2, [Reason.COOLDOWN] * 2)
    found = PreviewIntent(ctx)(a_draft("build failed"), an_owner(), HOME, past).preview
    assert (found.hits, {miss.kind for miss in found.near}) == ((), {Miss.MACHINE})
