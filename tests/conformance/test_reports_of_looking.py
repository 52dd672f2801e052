"""What was reported of rules that are tried, tested, counted, and of bots that set them off."""

from datetime import timedelta

import pytest

from core.services.change_intent import CancelIntent, EditIntent
from core.services.context import Context
from core.services.create_intent import CreateIntent
from core.services.deliver import ConfirmDelivery
from core.services.history import ReadHistory
from core.services.read_intents import ShowIntent
from core.services.receive_turn import ReceiveTurn
from core.standing.gates import Reason
from core.standing.intent import Change
from core.turn import ADMIN, TurnKind, machine
from tests.builders import HOME, NOW, a_draft, a_turn, an_owner

CI = machine(TurnKind.WEBHOOK, "console", "local", "17")
STRANGER = machine(TurnKind.WEBHOOK, "console", "local", "18")


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return Context(store, clock, ids)


def post(ctx, text, sender=CI, after=timedelta(minutes=2), **turn):
    ctx.clock.advance(after)
    return ReceiveTurn(ctx)(a_turn(text, ctx.clock.now(), sender=sender, kind=TurnKind.WEBHOOK, **turn))


def test_t121_a_named_webhook_fires_and_others_do_not(ctx):
    assert post(ctx, "build failed").ignored is Reason.NOT_A_PERSON
    draft = a_draft("build failed", "Look.", anyone=False, sender=CI, sender_name="CI", cooldown=timedelta(0))
    CreateIntent(ctx)(draft, an_owner(), HOME, "made")
    assert len(post(ctx, "build failed").fires) == 1
    second = timedelta(seconds=1)
    assert post(ctx, "build failed", sender=STRANGER, after=second).ignored is Reason.NOT_A_PERSON
    assert post(ctx, "build failed", after=58 * second).fires == ()
    assert len(post(ctx, "build failed", after=second).fires) == 1


def test_t121_a_webhook_that_answers_with_the_words_of_a_reminder_does_not_go_round(ctx):
    draft = a_draft("failed", "See what failed.", anyone=False, sender=CI, sender_name="CI", max_fires=1_000)
    rule = CreateIntent(ctx)(draft, an_owner(), HOME, "made")
    assert len(post(ctx, "failed").fires) == 1
    later = timedelta(days=2)
    assert post(ctx, f"Reminder: See what failed. · {rule.handle}", after=later).ignored is Reason.OUR_WORDS
    assert post(ctx, "See what failed.", after=later, answers_us=True).ignored is Reason.OUR_WORDS


def test_t137_a_rule_is_tried_on_what_was_said_before_it_is_saved(chat):
    chat("/as bob")
    for day in range(7):
        chat(*["deploy fail", "deploy fail again"][: 2 if day < 3 else 0], "all well", "/time +24h")
    chat("/as ada")
    before = chat.state()
    assert "would have fired 3 times" in chat("/intent preview deploy fail --anyone --max 9 --cooldown 24h")
    assert "would have fired 3 times" in chat("/intent add deploy fail => Look --anyone --max 9 --cooldown 24h", "no")
    assert chat.state() == before


def test_t139_one_test_goes_to_the_maker_and_the_others_see_nothing(chat):
    chat("/intent add deploy => Look --anyone", "yes")
    [rule] = chat.rules()
    before = chat.state()
    shown = chat(f"/intent test {rule.handle}").splitlines()
    assert all(text.startswith("│ ") for text in shown), "for the person typing"
    assert sum("Reminder for @ada" in text for text in shown) == 1
    assert any("This is a test" in text for text in shown)
    assert chat.state() == before


def test_t183_the_fires_of_a_replaced_entry_stay_counted_and_listed(ctx):
    draft = a_draft("launch; budget", cooldown=timedelta(0), max_fires=9)
    rule = CreateIntent(ctx)(draft, an_owner(), HOME, "made")
    for word in ("launch", "budget", "rollback"):
        if word == "rollback":
            EditIntent(ctx)(rule.handle, Change(triggers=word), an_owner(), HOME)
        ctx.clock.advance(timedelta(minutes=1))
        [reminder] = ReceiveTurn(ctx)(a_turn(word, ctx.clock.now())).fires
        assert ConfirmDelivery(ctx).delivered(reminder.fire_id)
    CancelIntent(ctx)(rule.handle, an_owner(), HOME)
    found = ReadHistory(ctx)(rule.handle, an_owner(), HOME)
    assert [fire.entry for fire, _ in found.fires] == ["rollback", "budget", "launch"]
    assert (found.total, ShowIntent(ctx)(rule.handle, ADMIN, None).intent.fire_count) == (3, 3)
