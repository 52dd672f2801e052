"""Creating, changing and reading standing intents on a real store: rights, bounds, evidence."""

from dataclasses import replace
from datetime import timedelta

import pytest

from core.errors import InvalidInput, InvalidTransition, LimitExceeded, NotAllowed, NotFound
from core.limits import LIMITS
from core.operations.log import OpType
from core.services.audit import VerifyAudit
from core.services.change_intent import CancelIntent, EditIntent, PauseIntent, ResumeIntent
from core.services.context import Context
from core.services.create_intent import CreateIntent, ProposeIntent
from core.services.explain_turn import ExplainTurn
from core.services.read_intents import ListIntents, ShowIntent
from core.services.receive_turn import ReceiveTurn
from core.services.reindex import Reindex
from core.standing.gates import Reason
from core.standing.intent import Change, ChannelScope, Priority, Status
from core.turn import ADMIN, SYSTEM, Principal, Visibility
from tests.builders import ADA, BOB, HOME, NOW, a_draft, a_member, a_place, a_turn, an_owner

VAULT = a_place("vault", visibility=Visibility.PRIVATE)
AWAY = replace(HOME, space="away")
CYD = Principal("console", "local", "cyd")


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return Context(store, clock, ids)


def create(ctx, where=HOME, actor=None, **fields):
    return CreateIntent(ctx)(a_draft(**fields), actor or an_owner(), where, "created", "when ...")


def count(ctx):
    return ListIntents(ctx)(ADMIN, None).total


def test_a_created_intent_reads_back_as_it_was_made(ctx):
    made = create(ctx, priority=Priority.HIGH, max_fires=5, cooldown=timedelta(hours=2), on_edits=True)
    view = ShowIntent(ctx)(made.handle, an_owner(), HOME)
    assert view.intent == made
    assert (made.status, made.max_fires, made.priority) == (Status.ARMED, 5, Priority.HIGH)
    assert made.expires_at == NOW + timedelta(days=90)


def test_the_defaults_are_the_conservative_ones(ctx):
    row = create(ctx)
    assert (row.max_fires, row.cooldown, row.channel_scope) == (3, timedelta(hours=24), ChannelScope.CHANNEL)


def test_a_proposal_stores_nothing(ctx):
    proposal = ProposeIntent(ctx)(a_draft(), an_owner(), HOME)
    assert (proposal.description, proposal.expires_at) == (
        "Confirm the rollback owner.",
        NOW + timedelta(days=90),
    )
    assert count(ctx) == 0


@pytest.mark.parametrize("actor", [a_member(), ADMIN, SYSTEM])
def test_who_owns_nothing_creates_nothing(ctx, actor):
    for use_case in (ProposeIntent(ctx), CreateIntent(ctx)):
        with pytest.raises(NotAllowed):
            use_case(a_draft(), actor, HOME)
    assert count(ctx) == 0


def test_anywhere_is_for_operators(ctx):
    with pytest.raises(NotAllowed):
        create(ctx, channel_scope=ChannelScope.ANYWHERE)
    assert create(ctx, actor=an_owner(is_operator=True), channel_scope=ChannelScope.ANYWHERE)


@pytest.mark.parametrize("visibility", [Visibility.PRIVATE, Visibility.DIRECT])
def test_what_is_made_in_a_private_place_cannot_listen_everywhere(ctx, visibility):
    operator, hidden = an_owner(is_operator=True), a_place("hidden", visibility=visibility)
    create(ctx, where=hidden, actor=operator)
    for where in (hidden, a_place("hidden")):
        with pytest.raises(NotAllowed):
            create(ctx, where=where, actor=operator, channel_scope=ChannelScope.ANYWHERE)
    assert count(ctx) == 1


@pytest.mark.parametrize(
    "good, bad",
    [
        ({"description": "x" * 500}, {"description": "x" * 501}),
        ({"description": " x "}, {"description": "   "}),
        ({"description": "a\nb"}, {"description": "a\x00b"}),
        ({"description": "ä"}, {"description": "a\ud800"}),
        ({"description": "<" * 280}, {"description": "<" * 300}),
        ({"max_fires": 1}, {"max_fires": 0}),
        ({"max_fires": 1000}, {"max_fires": 1001}),
        ({"cooldown": timedelta(0)}, {"cooldown": timedelta(seconds=-1)}),
        ({"cooldown": timedelta(days=365)}, {"cooldown": timedelta(days=365, microseconds=1)}),
        ({"expires_in": timedelta(microseconds=1)}, {"expires_in": timedelta(0)}),
        ({"expires_in": timedelta(days=1825)}, {"expires_in": timedelta(days=1825, microseconds=1)}),
        ({"expires_at": NOW + timedelta(seconds=1)}, {"expires_at": NOW}),
        (
            {"triggers": "\n".join(f"w{n}" for n in range(24))},
            {"triggers": "\n".join(f"w{n}" for n in range(25))},
        ),
        (
            {"triggers": " ".join(f"w{n}" for n in range(8))},
            {"triggers": " ".join(f"w{n}" for n in range(9))},
        ),
        ({"triggers": "x" * 64}, {"triggers": "x" * 65}),
        ({"triggers": "deploy -staging"}, {"triggers": "-staging"}),
        ({"triggers": "xy"}, {"triggers": "x"}),
        ({"triggers": "a b"}, {"triggers": "launch\x07"}),
        ({"triggers": "café"}, {"triggers": "\u200b\u200b"}),
        ({"triggers": "launch\nlaunches party"}, {"triggers": "launch\nLAUNCH"}),
        ({"triggers": '"release candidate"'}, {"triggers": '"release candidate'}),
    ],
)
def test_every_bound_of_a_draft_holds_at_n_and_is_refused_beyond(ctx, good, bad):
    for use_case in (ProposeIntent(ctx), CreateIntent(ctx)):
        with pytest.raises(InvalidInput) as refusal:
            use_case(a_draft(**bad), an_owner(), HOME)
        assert refusal.value.sentence and refusal.value.hint
    assert count(ctx) == 0
    create(ctx, **good)
    assert count(ctx) == 1


def test_the_201st_intent_of_a_creator_is_refused(ctx):
    few = replace(ctx, limits=replace(LIMITS, live_intents_per_creator=2))
    create(few)
    create(few, where=AWAY)
    with pytest.raises(LimitExceeded) as refusal:
        create(few)
    assert refusal.value.details["limit"] == 2
    create(few, actor=an_owner(BOB))
    assert LIMITS.live_intents_per_creator == 200


def test_the_1001st_intent_of_a_space_is_refused_and_a_cancelled_one_makes_room(ctx):
    few = replace(ctx, limits=replace(LIMITS, live_intents_per_space=2))
    first = create(few)
    create(few, actor=an_owner(BOB))
    with pytest.raises(LimitExceeded):
        create(few, actor=an_owner(CYD))
    create(few, where=AWAY)
    CancelIntent(few)(first.handle, an_owner(), HOME)
    create(few, actor=an_owner(CYD))


def test_a_word_that_is_too_common_here_is_refused(ctx):
    few = replace(ctx, limits=replace(LIMITS, entries_per_scope_and_anchor=2))
    create(few, triggers="kiwi")
    create(few, triggers="kiwi juice")
    create(few, triggers="kiwi", where=a_place("ops"))
    with pytest.raises(LimitExceeded) as refusal:
        create(few, triggers="kiwi pie")
    assert refusal.value.details["name"] == "entries_per_scope_and_anchor"


def test_the_entries_of_one_rule_count_towards_the_crowd(ctx):
    few = replace(ctx, limits=replace(LIMITS, entries_per_scope_and_anchor=2))
    with pytest.raises(LimitExceeded):
        create(few, triggers="kiwi one; kiwi two; kiwi the")
    create(few, triggers="kiwi the; kiwi of")


def test_an_owner_of_the_space_may_change_what_another_created_there(ctx):
    row = create(ctx)
    other = an_owner(BOB)
    assert PauseIntent(ctx)(row.handle, other, HOME).status is Status.PENDING
    assert ResumeIntent(ctx)(row.handle, other, HOME).status is Status.ARMED
    assert EditIntent(ctx)(row.handle, Change(max_fires=9), other, HOME).max_fires == 9
    assert CancelIntent(ctx)(row.handle, other, HOME).status is Status.CANCELLED


@pytest.mark.parametrize(
    "actor, where",
    [
        (a_member(), HOME),
        (an_owner(BOB), AWAY),
        (an_owner(BOB), VAULT),
        (an_owner(Principal("discord", "local", "ada"), is_owner=False), HOME),
    ],
)
def test_somebody_elses_handle_looks_like_one_that_does_not_exist(ctx, actor, where):
    row = create(ctx)
    create(ctx, where=VAULT)
    create(ctx, where=AWAY)
    said = set()
    for handle in (row.handle, "i-0000"):
        for use_case in (ShowIntent(ctx), PauseIntent(ctx), ResumeIntent(ctx), CancelIntent(ctx)):
            with pytest.raises(NotFound) as refusal:
                use_case(handle, actor, where)
            said.add(str(refusal.value).replace(handle, "HANDLE"))
        with pytest.raises(NotFound):
            EditIntent(ctx)(handle, Change(max_fires=2), actor, where)
        with pytest.raises(NotFound):
            ExplainTurn(ctx)(a_turn(), actor, where, handle)
    assert len(said) == 1
    assert ShowIntent(ctx)(row.handle, ADMIN, None).intent == row


def test_a_creator_who_lost_the_ownership_still_manages_their_own(ctx):
    row = create(ctx)
    assert PauseIntent(ctx)(row.handle, a_member(ADA), HOME).status is Status.PENDING


def test_an_admin_inspects_and_cancels_and_changes_nothing_else(ctx):
    row = create(ctx)
    for use_case in (PauseIntent(ctx), ResumeIntent(ctx)):
        with pytest.raises(NotAllowed):
            use_case(row.handle, ADMIN, None)
    with pytest.raises(NotAllowed):
        EditIntent(ctx)(row.handle, Change(max_fires=2), ADMIN, None)
    assert CancelIntent(ctx)(row.handle, ADMIN, None).status is Status.CANCELLED


@pytest.mark.parametrize("handle", ["I-{}", " i-{} ", "{}", "`i-{}`"])
def test_a_handle_is_found_however_it_is_typed(ctx, handle):
    row = create(ctx)
    assert ShowIntent(ctx)(handle.format(row.handle[2:]), an_owner(), HOME).intent == row


@pytest.mark.parametrize("handle", ["", "i-", "nothing", "i-0000", "\x00", "\ud800", "x" * 10_000])
def test_an_unknown_handle_is_a_clear_refusal(ctx, handle):
    with pytest.raises(NotFound):
        ShowIntent(ctx)(handle, ADMIN, None)


def test_lists_show_each_asker_what_is_theirs_to_see(ctx):
    in_home, in_vault, in_away = create(ctx), create(ctx, where=VAULT), create(ctx, where=AWAY)
    direct = replace(HOME, space="dm", channel="dm", conversation="dm", visibility=Visibility.DIRECT)
    listed = ListIntents(ctx)

    def seen(actor, where):
        return {row.handle for row in listed(actor, where).rows}

    assert seen(an_owner(BOB), HOME) == {in_home.handle}
    assert seen(an_owner(BOB), VAULT) == {in_vault.handle}
    assert seen(an_owner(BOB), AWAY) == {in_away.handle}
    assert seen(a_member(), HOME) == set()
    assert seen(a_member(), direct) == set()
    assert seen(an_owner(), direct) == {in_home.handle, in_vault.handle, in_away.handle}
    assert seen(a_member(ADA), HOME) == {in_home.handle}
    assert seen(ADMIN, None) == {in_home.handle, in_vault.handle, in_away.handle}


def test_an_owner_in_a_place_the_store_does_not_know_sees_nothing(ctx):
    create(ctx)
    assert ListIntents(ctx)(an_owner(BOB), replace(HOME, space="new")).total == 0


def test_a_list_comes_in_pages_and_beyond_the_end_is_the_last(ctx):
    made = [create(ctx, triggers=f"word{n}").handle for n in range(11)]
    listed = ListIntents(ctx)
    first, second = listed(an_owner(), HOME), listed(an_owner(), HOME, page=2)
    assert (first.total, first.pages, len(first.rows), len(second.rows)) == (11, 2, 10, 1)
    assert listed(an_owner(), HOME, page=99).rows == second.rows
    assert listed(an_owner(), HOME, page=-1).rows == first.rows
    assert {row.handle for row in (*first.rows, *second.rows)} == set(made)


def test_a_list_filters_by_status_and_text(ctx):
    row = create(ctx, description="Water the Flowers")
    CancelIntent(ctx)(create(ctx, triggers="budget").handle, an_owner(), HOME)
    listed = ListIntents(ctx)
    assert [r.handle for r in listed(an_owner(), HOME, statuses=(Status.ARMED,)).rows] == [row.handle]
    assert [r.handle for r in listed(an_owner(), HOME, text="flowers").rows] == [row.handle]
    assert listed(an_owner(), HOME, text="100%_").total == 0


def test_an_edit_changes_what_fires_and_is_one_operation(ctx):
    row = create(ctx)
    new = EditIntent(ctx)(row.handle, Change(triggers="budget", description="Ask Dana."), an_owner(), HOME)
    assert (new.entries, new.description, new.version) == (("budget",), "Ask Dana.", row.version + 1)
    receive = ReceiveTurn(ctx)
    assert not receive(a_turn()).fires
    assert [r.description for r in receive(a_turn("the budget?")).fires] == ["Ask Dana."]
    with ctx.store.read() as tx:
        kinds = [op.op_type for op in tx.operations.of_target(row.id, 9)]
    assert kinds[::-1] == [OpType.ASSERT, OpType.EDITED, OpType.FIRED]


def test_an_edit_to_word_forms_and_sender_is_matched_at_once(ctx):
    row = create(ctx, triggers="approve", anyone=False)
    receive = ReceiveTurn(ctx)
    assert not receive(a_turn("who approves it?")).fires
    EditIntent(ctx)(row.handle, Change(anyone=True), an_owner(), HOME)
    EditIntent(ctx)(row.handle, Change(word_forms=False), an_owner(), HOME)
    assert not receive(a_turn("who approves it?")).fires
    EditIntent(ctx)(row.handle, Change(word_forms=True), an_owner(), HOME)
    assert receive(a_turn("who approves it?")).fires


def test_an_edit_that_changes_nothing_or_breaks_a_bound_is_refused_and_stores_nothing(ctx):
    row = create(ctx)
    for change in (
        Change(),
        Change(max_fires=3),
        Change(max_fires=0),
        Change(cooldown=timedelta(-1)),
        Change(expires_at=NOW),
        Change(description="x" * 501),
        Change(triggers="-x"),
    ):
        with pytest.raises(InvalidInput):
            EditIntent(ctx)(row.handle, change, an_owner(), HOME)
    assert ShowIntent(ctx)(row.handle, ADMIN, None).intent == row


def test_a_budget_cannot_be_edited_to_what_is_spent(ctx):
    row = create(ctx)
    ReceiveTurn(ctx)(a_turn())
    with pytest.raises(InvalidInput):
        EditIntent(ctx)(row.handle, Change(max_fires=1), an_owner(), HOME)
    assert EditIntent(ctx)(row.handle, Change(max_fires=2), an_owner(), HOME).max_fires == 2


@pytest.mark.parametrize("end", ["cancel", "expire"])
def test_a_final_intent_refuses_every_change_and_names_its_state(ctx, clock, end):
    row = create(ctx, expires_in=timedelta(hours=1))
    if end == "cancel":
        CancelIntent(ctx)(row.handle, an_owner(), HOME)
    else:
        clock.advance(timedelta(hours=1))
    for use_case in (PauseIntent(ctx), ResumeIntent(ctx), CancelIntent(ctx)):
        with pytest.raises(InvalidTransition) as refusal:
            use_case(row.handle, an_owner(), HOME)
        assert row.handle in str(refusal.value)
    with pytest.raises(InvalidTransition):
        EditIntent(ctx)(row.handle, Change(max_fires=9), an_owner(), HOME)


def test_explain_names_the_rule_that_failed_with_its_figures(ctx, clock):
    row = create(ctx)
    turn = a_turn()
    told = ExplainTurn(ctx)(turn, an_owner(), HOME, row.handle)
    assert [e.fires for e in told.intents] == [True]
    ReceiveTurn(ctx)(turn)
    clock.advance(timedelta(hours=1))
    [why] = ExplainTurn(ctx)(a_turn(at=clock.now()), an_owner(), HOME, row.handle).intents
    assert (why.fires, why.reason) == (False, Reason.COOLDOWN)
    failed = [verdict for verdict in why.rules if not verdict.passed]
    assert failed[0].figures["until"] == NOW + timedelta(hours=24)


def test_explain_without_a_handle_covers_what_the_asker_may_see(ctx):
    row = create(ctx)
    create(ctx, where=VAULT)
    told = ExplainTurn(ctx)(a_turn("nothing"), an_owner(BOB), HOME)
    assert [(e.intent.handle, e.reason) for e in told.intents] == [(row.handle, Reason.TRIGGER)]


def test_explain_says_what_the_bounds_cut(ctx, clock):
    made = []
    for number in range(5):
        made.append(create(ctx, triggers=f"launch -not{number}"))
        clock.advance(timedelta(seconds=1))
    tight = replace(ctx, limits=replace(LIMITS, candidates=4))
    told = ExplainTurn(tight)(a_turn(at=clock.now()), an_owner(), HOME)
    reasons = {e.intent.handle: e.reason for e in told.intents}
    assert [reasons[row.handle] for row in made] == [Reason.OK] * 3 + [Reason.FIRES_LIMIT, Reason.CUT]
    assert (told.candidates, told.cut) == (4, 1)


def test_reindexing_an_index_that_is_up_to_date_does_nothing(ctx):
    create(ctx)
    assert Reindex(ctx)() == 0


def test_rows_of_an_older_analyser_are_filed_anew_and_fire_all_the_while(ctx):
    row = create(ctx, cooldown=timedelta(0))
    gone = create(ctx, triggers="kiwi")
    with ctx.store.write() as tx:
        from core.services.refile import index_rows

        for intent in (row, gone):
            tx.index.file(intent, intent.channel, index_rows(intent), "an older fingerprint")
        tx.commit()
    assert ReceiveTurn(ctx)(a_turn()).fires
    one = replace(ctx, limits=replace(LIMITS, chunk=1))
    assert [Reindex(one)(), Reindex(one)(), Reindex(one)()] == [1, 1, 0]
    assert ReceiveTurn(ctx)(a_turn()).fires


def test_every_chain_verifies_after_all_of_it(ctx):
    row = create(ctx)
    create(ctx, where=VAULT)
    ReceiveTurn(ctx)(a_turn())
    CancelIntent(ctx)(row.handle, an_owner(), HOME)
    reports = VerifyAudit(ctx)()
    assert all(report.bad is None and not report.why for report in reports)
    assert sum(report.rows for report in reports) >= 4
    assert {report.namespace_id for report in VerifyAudit(ctx)()} >= {"system"}
