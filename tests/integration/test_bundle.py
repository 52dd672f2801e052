"""Bundles from a store: of which namespace, what a sent one changes, and what is read anew."""

from dataclasses import replace
from datetime import timedelta

import pytest

from core.context.bundle import Flag, Mode
from core.context.deck import Form, Left
from core.errors import LimitExceeded, NotFound
from core.goals.objects import IntentState, IntentType
from core.limits import LIMITS
from core.operations.log import OpType
from core.services.build_bundle import Asked, BuildBundle, BundleQuery, about
from core.services.bundle_sent import BundleSent
from core.services.create_intent import CreateIntent
from core.services.goal_moves import CancelGoal, CompleteGoal, HoldGoal
from core.services.receive_turn import ReceiveTurn
from core.standing.intent import Priority
from core.text.zones import MarkedText
from core.turn import Visibility
from storage.link import Link
from storage.repositories import goals, places
from tests.builders import ADA, BOB, HOME, NOW, a_draft, a_place, a_turn, an_owner
from tests.builders_goals import AWAY, DAY, VAULT, a_risk, add, direct, due, log_length, propose, risk, stored
from tests.fakes.reminding import a_context

LOW, MEDIUM, HIGH, CRITICAL = Priority
SECOND = timedelta(seconds=1)
THREAD = a_place("general", "thread")


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return a_context(store, clock, ids)


@pytest.fixture
def statements(monkeypatch):
    """Every statement that is run, reads and writes."""
    seen = []
    for name in ("rows", "run", "run_each"):
        plain = getattr(Link, name)
        monkeypatch.setattr(
            Link, name, lambda link, text, *more, plain=plain: seen.append(text) or plain(link, text, *more)
        )
    return seen


def bundle(ctx, text="hello", where=HOME, **fields):
    return BuildBundle(ctx)(BundleQuery(where, MarkedText(text), **fields))


def shown(made):
    return [item.intent.handle for item in made.items]


def send(ctx, text="hello", where=HOME, **fields):
    made = bundle(ctx, text, where, **fields)
    BundleSent(ctx)(made, where)
    return made


def overflows(ctx):
    with ctx.store.read() as tx:
        return [
            one.op_type
            for name in tx.operations.namespaces()
            for one in tx.operations.chain(name)
            if one.op_type == OpType.BUDGET_OVERFLOW
        ]


def test_a_namespace_is_shown_in_its_own_places_alone(ctx):
    places_of = {"home": HOME, "away": AWAY, "vault": VAULT, "dm": direct(ADA), "other dm": direct(BOB)}
    draft = a_risk(priority=CRITICAL)
    made = {name: add(ctx, draft, where=where) for name, where in places_of.items()}
    for name, where in places_of.items():
        for mode in Mode:
            assert shown(bundle(ctx, where=where, mode=mode)) == [made[name].handle]
    assert shown(bundle(ctx, where=THREAD)) == shown(bundle(ctx, where=a_place("new"))) == [made["home"].handle]
    for unknown in (a_place("new", visibility=Visibility.PRIVATE), direct(replace(ADA, user_id="zed"))):
        assert bundle(ctx, where=unknown).text == ""


def test_a_turn_of_a_known_place_takes_three_statements_and_remembers(ctx, statements):
    risk(ctx, priority=HIGH)
    send(ctx)
    statements.clear()
    assert bundle(ctx).items
    assert len(statements) == 3
    assert statements[:2] == [places.SCOPES, goals.GENERATION]
    add(ctx, "next", priority=HIGH)
    assert len(bundle(ctx).items) == 2


def test_every_change_shows_in_the_next_bundle(ctx):
    first, second = add(ctx, "Ship Acme", priority=HIGH), add(ctx, "Call Acme", priority=HIGH)
    assert shown(bundle(ctx)) == [first.handle, second.handle]
    HoldGoal(ctx)(second.handle, an_owner(), HOME)
    made = bundle(ctx)
    assert (shown(made), made.metadata.left) == ([first.handle], {Left.ON_HOLD: 1})
    CompleteGoal(ctx)(first.handle, an_owner(), HOME)
    made = bundle(ctx, "and acme?")
    assert (made.block, [one.intent_handle for one in made.summaries]) == ("", [first.handle])
    assert bundle(ctx, "hello").recalled == ""


def test_standing_intents_and_goals_come_from_one_call_and_fire_once(ctx):
    CreateIntent(ctx)(a_draft(), an_owner(), HOME, "made")
    goal = add(ctx, priority=HIGH)
    ctx.clock.advance(SECOND)
    turn = a_turn("the launch checklist", at=ctx.clock.now())
    foretold = BuildBundle(ctx)(about(turn))
    outcome = ReceiveTurn(ctx)(turn)
    before = log_length(ctx)
    made = BuildBundle(ctx)(about(turn, outcome))
    assert "Confirm the rollback owner." in made.standing
    assert foretold.standing == made.standing == outcome.block
    assert made.text == f"{made.standing}\n{made.block}"
    assert shown(made) == [goal.handle]
    assert BuildBundle(ctx)(about(turn)).standing == ""  # it has fired for this message
    assert log_length(ctx) == before


@pytest.mark.parametrize("budget", [0, -1, 1, LIMITS.bundle_least - 1])
def test_too_small_a_budget_is_flagged_and_leaves_the_standing_block(ctx, budget):
    CreateIntent(ctx)(a_draft(), an_owner(), HOME, "made")
    risk(ctx, priority=CRITICAL)
    ctx.clock.advance(SECOND)
    made = BuildBundle(ctx)(about(a_turn(at=ctx.clock.now()), budget=budget))
    assert (made.block, made.items, made.metadata.flag) == ("", (), Flag.BUDGET_ERROR)
    assert made.standing


def test_bounds_of_a_question_are_held(ctx):
    made = add(ctx)
    assert bundle(ctx, budget=LIMITS.bundle_most).metadata.budget == LIMITS.bundle_most
    with pytest.raises(LimitExceeded):
        bundle(ctx, budget=LIMITS.bundle_most + 1)
    ids = (made.handle,) * LIMITS.bundle_ids
    assert shown(bundle(ctx, mode=Mode.EXPLICIT, asked=Asked(ids=ids))) == [made.handle]
    with pytest.raises(LimitExceeded) as refusal:
        bundle(ctx, mode=Mode.EXPLICIT, asked=Asked(ids=(*ids, made.handle)))
    assert refusal.value.details["name"] == "bundle_ids"


def test_rows_beyond_the_bound_are_counted_as_not_read(ctx):
    made = [add(ctx, f"goal {n}") for n in range(3)]
    for rows, left in ((3, {}), (2, {Left.NOT_READ: 1})):
        few = replace(ctx, limits=replace(LIMITS, bundle_rows=rows))
        answer = bundle(few, mode=Mode.EXPLICIT)
        assert (shown(answer), answer.metadata.left) == ([one.handle for one in made[:rows]], left)


def test_explicit_filters_narrow_in_any_state(ctx):
    goal = add(ctx, "Ship the API")
    question = add(ctx, "Which database", intent_type=IntentType.OPEN_QUESTION, actor=an_owner(BOB))
    done, gone = add(ctx, "Write the API notes"), add(ctx, "Old")
    CompleteGoal(ctx)(done.handle, an_owner(), HOME)
    CancelGoal(ctx)(gone.handle, an_owner(), HOME)
    late = add(ctx, "Late", due=due(ctx, timedelta(hours=1)))
    ctx.clock.advance(hours=1)

    def found(**asked):
        return set(shown(bundle(ctx, mode=Mode.EXPLICIT, asked=Asked(**asked))))

    assert found() == {one.handle for one in (goal, question, done, gone, late)}
    assert found(ids=(done.handle, late.id)) == {done.handle, late.handle}
    assert found(types=(IntentType.OPEN_QUESTION,)) == found(owner=BOB) == {question.handle}
    assert found(states=(IntentState.COMPLETED,)) == {done.handle}
    assert found(states=(IntentState.EXPIRED,)) == {late.handle}
    assert found(states=(IntentState.ACTIVE,)) == {goal.handle, question.handle}
    assert found(text="api") == {goal.handle, done.handle}
    assert found(ids=(goal.handle, done.handle), states=(IntentState.ACTIVE,)) == {goal.handle}
    other = add(ctx, "elsewhere", where=AWAY)
    for unknown in ("g-zzzz", other.handle, other.id):
        with pytest.raises(NotFound):
            found(ids=(unknown,))


def test_a_high_risk_surfaces_once_in_a_session_and_again_in_the_next(ctx):
    row = risk(ctx, priority=HIGH, due=due(ctx, timedelta(minutes=1)))
    risk_of_low = risk(ctx, "Rain", priority=LOW)
    ctx.clock.advance(minutes=2)  # it is critical now
    assert [item.intent.priority for item in bundle(ctx).items] == [CRITICAL]
    medium = risk(ctx, "Leak", priority=MEDIUM, due=due(ctx, timedelta(minutes=1)))
    ctx.clock.advance(minutes=2)  # it is high now, and expired
    assert shown(bundle(ctx)) == shown(bundle(ctx)) == [row.handle, medium.handle]  # not sent
    assert shown(send(ctx)) == [row.handle, medium.handle]
    made = send(ctx)
    assert (shown(made), made.metadata.left[Left.SURFACED]) == ([row.handle], 1)
    assert medium.handle in shown(bundle(ctx, where=THREAD))  # another conversation
    ctx.clock.advance(LIMITS.goal_session - timedelta(microseconds=1))
    assert shown(bundle(ctx)) == [row.handle]
    ctx.clock.advance(timedelta(microseconds=1))
    assert shown(send(ctx)) == [row.handle, medium.handle]
    assert risk_of_low.handle not in shown(bundle(ctx))


def test_a_session_goes_on_while_bundles_are_sent_and_is_written_seldom(ctx, statements):
    row = risk(ctx, priority=MEDIUM, due=due(ctx, timedelta(minutes=1)))
    ctx.clock.advance(minutes=2)
    assert shown(send(ctx)) == [row.handle]
    writes = 0
    for _ in range(60):
        ctx.clock.advance(minutes=2)
        statements.clear()
        assert shown(send(ctx)) == []
        writes += any("INSERT INTO goal_sessions" in one.sqlite for one in statements)
    assert writes == 12  # two hours, one write in ten minutes


def test_what_has_nothing_to_record_opens_no_write_transaction(ctx, monkeypatch):
    add(ctx, "Ship Acme", priority=HIGH)
    add(ctx, "Renew Acme")
    risk(ctx, priority=CRITICAL)
    made = bundle(ctx, "acme")
    monkeypatch.setattr(type(ctx.store), "write", lambda *_more: pytest.fail("nothing is to be written"))
    BundleSent(ctx)(made, HOME)


def test_critical_risks_that_are_only_counted_are_logged_once_a_sent_bundle(ctx):
    for number in range(40):
        risk(ctx, f"risk {number}", priority=CRITICAL)
    made = bundle(ctx, budget=200)
    counted = [item for item in made.items if item.form is Form.COUNTED]
    assert len(made.items) == 40
    assert made.metadata.overflow.count == len(counted) > 0
    assert overflows(ctx) == []
    BundleSent(ctx)(made, HOME)
    BundleSent(ctx)(bundle(ctx), HOME)
    assert len(overflows(ctx)) == 1


def test_a_mention_that_was_sent_touches_a_goal_once_a_day(ctx):
    row, other = add(ctx, "Renew Acme"), add(ctx, "Renew Zephyr")
    ctx.clock.advance(LIMITS.goal_touch_gap - SECOND)
    send(ctx, "acme?")
    assert stored(ctx, row).touched_at == NOW
    ctx.clock.advance(SECOND)
    send(ctx, "hello")
    assert stored(ctx, row).touched_at == NOW
    send(ctx, "acme?")
    assert (stored(ctx, row).touched_at, stored(ctx, other).touched_at) == (ctx.clock.now(), NOW)
    length = log_length(ctx)
    send(ctx, "acme?")
    assert log_length(ctx) == length


def test_a_goal_that_was_closed_before_the_bundle_was_sent_is_left_alone(ctx):
    row = add(ctx, "Renew Acme")
    ctx.clock.advance(DAY)
    made = bundle(ctx, "acme?")
    closed = CancelGoal(ctx)(row.handle, an_owner(), HOME).intent
    BundleSent(ctx)(made, HOME)
    assert stored(ctx, row).version == closed.version


def test_a_bundle_sent_to_another_namespace_changes_nothing(ctx):
    risk(ctx, priority=HIGH)
    length = log_length(ctx)
    BundleSent(ctx)(bundle(ctx), AWAY)
    assert log_length(ctx) == length
    assert shown(bundle(ctx)) != []
    with ctx.store.read() as tx:
        for where in (HOME, AWAY):
            assert tx.goals.session(tx.places.find(where).conversation) is None


def test_proposals_are_shown_unconfirmed_and_only_when_urgent(ctx):
    propose(ctx, "I will call Acme")
    urgent = propose(ctx, "Acme may leave", intent_type=IntentType.RISK, priority=CRITICAL)
    made = bundle(ctx, "acme")
    assert shown(made) == [urgent.handle]
    assert 'confirmed="no"' in made.block
    assert made.metadata.left == {Left.PROPOSAL: 1}


def test_aliases_and_a_tokeniser_are_the_callers(ctx):
    row = add(ctx, "Tune pg")

    class Words:
        def count(self, text):
            return len(text.split())

    build = BuildBundle(ctx, tokeniser=Words(), aliases={"pg": "Postgres"})
    made = build(BundleQuery(HOME, MarkedText("is Postgres slow?")))
    assert (shown(made), made.metadata.tokens) == ([row.handle], len(made.block.split()))


def test_a_mention_of_a_stakeholder_meets_their_goals(ctx):
    row = add(ctx, "tidy up", actor=an_owner(BOB))
    assert shown(bundle(ctx, mentions=(BOB,))) == [row.handle]
    assert shown(bundle(ctx, mentions=(ADA,))) == []
