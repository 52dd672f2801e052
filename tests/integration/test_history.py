"""Every fire of a rule, with where it happened; kept whatever became of the rule."""

from datetime import timedelta

import pytest

from core.errors import NotFound
from core.limits import LIMITS
from core.services.change_intent import CancelIntent, EditIntent
from core.services.context import Context
from core.services.create_intent import CreateIntent
from core.services.deliver import ConfirmDelivery
from core.services.history import PlaceNames, ReadHistory
from core.services.receive_turn import ReceiveTurn
from core.services.tick import Tick
from core.standing.intent import Change, ChannelScope, FireState, Status
from core.turn import ADMIN, Visibility
from tests.builders import BOB, HOME, NOW, a_draft, a_member, a_place, a_turn, an_owner

IDEAS = a_place("ideas", channel_name="ideas", space_name="Home")
THREAD = a_place("ideas", "t1", channel_name="ideas", conversation_name="rollout", space_name="Home")


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return Context(store, clock, ids)


def made(ctx, **fields):
    draft = a_draft(**({"cooldown": timedelta(0), "max_fires": 1_000, "channel_scope": ChannelScope.SPACE} | fields))
    return CreateIntent(ctx)(draft, an_owner(), HOME, "created")


def say(ctx, clock, text="the launch checklist", **turn):
    clock.advance(minutes=1)
    return ReceiveTurn(ctx)(a_turn(text, clock.now(), **turn)).fires


def test_t033_t035_a_hit_is_told_with_term_channel_thread_sender_link_and_state(ctx, clock):
    rule = made(ctx, triggers="plan")
    [first] = say(ctx, clock, "the plan", where=IDEAS, link="https://example.test/1")
    ConfirmDelivery(ctx).delivered(first.fire_id)
    say(ctx, clock, "who plans?", where=THREAD)
    found = ReadHistory(ctx)(rule.handle, an_owner(), HOME)
    (new, there), (old, here) = found.fires
    assert here == PlaceNames("Home", "ideas", "", Visibility.PUBLIC)
    assert there == PlaceNames("Home", "ideas", "rollout", Visibility.PUBLIC)
    assert (old.link, old.entry, old.terms, old.sender) == ("https://example.test/1", "plan", ("plan",), BOB)
    assert (old.state, new.state) == (FireState.DELIVERED, FireState.RESERVED)
    assert (old.number, new.number) == (1, 2)


def test_t183_the_history_is_kept_once_a_rule_is_cancelled(ctx, clock):
    rule = made(ctx)
    say(ctx, clock)
    CancelIntent(ctx)(rule.handle, an_owner(), HOME)
    found = ReadHistory(ctx)(rule.handle, an_owner(), HOME)
    assert (found.intent.status, found.total, len(found.fires)) == (Status.CANCELLED, 1, 1)


def test_t183_the_history_is_kept_once_a_rule_is_done_or_expired(ctx, clock):
    done, expired = made(ctx, max_fires=1), made(ctx, triggers="plan", expires_in=timedelta(hours=1))
    say(ctx, clock, "the launch checklist and the plan")
    clock.advance(hours=2)
    Tick(ctx)()
    for rule, status in ((done, Status.DONE), (expired, Status.EXPIRED)):
        found = ReadHistory(ctx)(rule.handle, an_owner(), HOME)
        assert (found.intent.status, found.total) == (status, 1)


def test_erased_words_are_gone_and_the_fire_stays(ctx, clock):
    rule = made(ctx)
    say(ctx, clock)
    with ctx.store.write() as tx:
        for content_id, _ in tx.intents.wordings(rule.key):
            tx.records.erase_content(content_id)
        tx.commit()
    [(fire, _)] = ReadHistory(ctx)(rule.handle, an_owner(), HOME).fires
    assert (fire.entry, fire.terms) == ("", ())


def erase(ctx, content_id):
    with ctx.store.write() as tx:
        assert tx.records.erase_content(content_id)
        tx.commit()


def test_words_that_an_edit_replaced_are_gone_from_the_history_once_erased(ctx, clock, database):
    rule = made(ctx, triggers="mango tree; plum")
    with ctx.store.read() as tx:
        _, (mango, _), (plum, _) = tx.intents.wordings(rule.key)
    say(ctx, clock, "the plum")
    say(ctx, clock, "a mango tree")
    EditIntent(ctx)(rule.handle, Change(triggers="cherry"), an_owner(), HOME)
    say(ctx, clock, "one cherry")

    def told():
        return [(fire.entry, fire.terms) for fire, _ in ReadHistory(ctx)(rule.handle, an_owner(), HOME).fires]

    cherry, tree = ("cherry", ("cherry",)), ("mango tree", ("mango", "tree"))
    assert told() == [cherry, tree, ("plum", ("plum",))]
    erase(ctx, plum)
    assert told() == [cherry, tree, ("", ())]
    erase(ctx, mango)
    assert told() == [cherry, ("", ()), ("", ())]
    for table in ("fires", "outbox", "operations", "trig"):
        kept = repr(database.execute(f"SELECT * FROM {table}"))
        assert not [word for word in ("mango", "plum") if word in kept]


def test_pages_hold_so_many_fires_newest_first_and_beyond_the_end_is_the_last(ctx, clock):
    rule = made(ctx)
    assert ReadHistory(ctx)(rule.handle, an_owner(), HOME).pages == 1
    for _ in range(LIMITS.page):
        say(ctx, clock)
    assert ReadHistory(ctx)(rule.handle, an_owner(), HOME).pages == 1
    say(ctx, clock)
    first = ReadHistory(ctx)(rule.handle, an_owner(), HOME)
    last = ReadHistory(ctx)(rule.handle, an_owner(), HOME, page=99)
    assert (first.pages, first.total, last.number) == (2, LIMITS.page + 1, 2)
    numbers = [fire.number for page in (first, last) for fire, _ in page.fires]
    assert numbers == list(range(LIMITS.page + 1, 0, -1))


def test_who_may_not_see_a_rule_may_not_see_its_history(ctx, clock):
    vault = a_place("vault", visibility=Visibility.PRIVATE)
    rule = CreateIntent(ctx)(a_draft(), an_owner(), vault, "created")
    say(ctx, clock, where=vault)
    for actor, where in ((a_member(), vault), (an_owner(BOB), HOME), (an_owner(BOB), None)):
        with pytest.raises(NotFound) as refusal:
            ReadHistory(ctx)(rule.handle, actor, where)
        assert str(refusal.value).startswith(f"There is no rule {rule.handle} here.")
    assert ReadHistory(ctx)(rule.handle, ADMIN, None).total == 1
    [(_, place)] = ReadHistory(ctx)(rule.handle, an_owner(), HOME).fires
    assert place.visibility is Visibility.PRIVATE
