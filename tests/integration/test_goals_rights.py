"""Who may do what with an intent of goal memory (D5), act by act, and what a stranger sees of it: nothing."""

from dataclasses import replace

import pytest

from core.errors import NotAllowed, NotFound
from core.goals.objects import GoalChange, IntentType
from core.services.add_goal import AddGoal, ProposeGoal
from core.services.answer_goal import Answer, AnswerDependency
from core.services.change_goal import EditGoal, PinGoal
from core.services.goal_edges import DependGoal, FreeGoal
from core.services.goal_moves import CancelGoal, CompleteGoal, HoldGoal, ResumeGoal
from core.services.read_goals import GraphGoals, ListGoals, SearchGoals, ShowGoal
from core.services.review_goals import ConfirmGoal, DismissGoal
from core.services.space_settings import ChangeSetting
from core.services.supersede_goal import SupersedeGoal
from core.settings import Setting
from core.standing.intent import Priority
from core.turn import ADMIN, SYSTEM, Principal
from tests.builders import ADA, BOB, HOME, NOW, a_member, an_owner
from tests.builders_goals import (
    AGENT,
    AWAY,
    CYD,
    EVE,
    EXTRACTOR,
    OTHER_AGENT,
    VAULT,
    a_goal,
    a_person,
    add,
    an_agent,
    direct,
    log_length,
    propose,
    stored,
)
from tests.fakes.reminding import a_context

DAN, FAY = (Principal("console", "local", name) for name in ("dan", "fay"))
ACTORS = {
    "owner of the space": an_owner(DAN),
    "operator": a_member(FAY),
    "owner of the goal": a_member(BOB),
    "stakeholder": a_member(CYD),
    "stranger": a_member(EVE),
    "administrator": ADMIN,
    "system": SYSTEM,
    "its agent": an_agent(AGENT),
    "another agent": an_agent(OTHER_AGENT),
}
ACTORS["operator"] = replace(ACTORS["operator"], is_operator=True)
DECIDES = {"owner of the space", "operator", "owner of the goal"}
COMPLETES = DECIDES | {"stakeholder"}
CANCELS = DECIDES | {"administrator"}
SEES_NOTHING = {"stranger", "system", "its agent", "another agent"}
REFUSED = {name: NotFound if name in SEES_NOTHING else NotAllowed for name in ACTORS}


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return a_context(store, clock, ids)


def complete(ctx, row, actor):
    CompleteGoal(ctx)(row.handle, actor, HOME)


def cancel(ctx, row, actor):
    CancelGoal(ctx)(row.handle, actor, HOME)


def hold(ctx, row, actor):
    HoldGoal(ctx)(row.handle, actor, HOME)


def resume(ctx, row, actor):
    ResumeGoal(ctx)(row.handle, actor, HOME)


def edit(ctx, row, actor):
    EditGoal(ctx)(row.handle, GoalChange(note="Changed."), actor, HOME)


def pin(ctx, row, actor):
    PinGoal(ctx)(row.handle, True, actor, HOME)


def free(ctx, row, actor):
    FreeGoal(ctx)(row.handle, (first_of(ctx, row),), actor, HOME)


def answer(ctx, row, actor):
    AnswerDependency(ctx)(row.handle, Answer.KEEP, actor, HOME)


def supersede(ctx, row, actor):
    SupersedeGoal(ctx)(row.handle, a_goal("The next one"), actor, HOME)


def first_of(ctx, row):
    with ctx.store.read() as tx:
        return tx.goals.prerequisites(row.key)[0].handle


def a_shared_goal(ctx, act, owner=BOB):
    """Made by ada, owned by `owner`, with a stake of cyd, in the state in which that act is legal."""
    before = add(ctx, "The one before", stakeholders=(a_person(BOB),)) if act in (free, answer) else None
    row = add(
        ctx,
        "The shared one",
        owner=a_person(owner),
        stakeholders=(a_person(CYD),),
        depends_on=() if before is None else (before.handle,),
    )
    if act is resume:
        HoldGoal(ctx)(row.handle, an_owner(), HOME)
    if act is answer:
        CancelGoal(ctx)(before.handle, an_owner(), HOME)
    return stored(ctx, row)


ACTS = [
    (complete, COMPLETES),
    (cancel, CANCELS),
    (hold, DECIDES),
    (resume, DECIDES),
    (edit, DECIDES),
    (pin, DECIDES),
    (free, DECIDES),
    (answer, DECIDES),
    (supersede, DECIDES),
]


@pytest.mark.parametrize("name", list(ACTORS))
@pytest.mark.parametrize(("act", "allowed"), ACTS)
def test_each_act_is_for_those_whom_it_belongs_to(ctx, act, allowed, name):
    row = a_shared_goal(ctx, act)
    length = log_length(ctx)
    if name in allowed:
        act(ctx, row, ACTORS[name])
        assert log_length(ctx) > length
        return
    with pytest.raises(REFUSED[name]) as refusal:
        act(ctx, row, ACTORS[name])
    assert refusal.value.hint
    assert stored(ctx, row) == row
    assert log_length(ctx) == length


@pytest.mark.parametrize(("act", "allowed"), ACTS)
def test_an_agent_decides_for_what_it_owns_and_another_agent_does_not(ctx, act, allowed):
    row = a_shared_goal(ctx, act, owner=AGENT)
    with pytest.raises(NotFound):
        act(ctx, row, an_agent(OTHER_AGENT))
    with pytest.raises(NotFound):
        act(ctx, row, an_agent(replace(AGENT, account="elsewhere")))
    if act is supersede:  # a new one is made: that is for owners of the space
        with pytest.raises(NotAllowed):
            act(ctx, row, an_agent())
    elif act is free:  # it does not see what it waits for
        with pytest.raises(NotFound):
            act(ctx, row, an_agent())
    else:
        act(ctx, row, an_agent())


@pytest.mark.parametrize("agent", [AGENT, OTHER_AGENT])
def test_a_machine_with_an_owners_rights_still_decides_for_its_own_alone(ctx, agent):
    row = add(ctx, owner=a_person(BOB))
    with pytest.raises(NotAllowed):
        HoldGoal(ctx)(row.handle, replace(an_agent(agent), is_owner=True, is_operator=True), HOME)
    assert stored(ctx, row) == row


@pytest.mark.parametrize("name", sorted(SEES_NOTHING))
def test_for_who_may_not_see_it_it_looks_as_if_it_did_not_exist(ctx, name):
    row, actor = add(ctx), ACTORS[name]
    for act, _ in ACTS:
        if act in (free, answer):
            continue
        with pytest.raises(NotFound) as hidden:
            act(ctx, row, actor)
        with pytest.raises(NotFound) as absent:
            act(ctx, replace(row, handle="g-zzzz"), actor)
        assert hidden.value.sentence.replace(row.handle, "g-zzzz") == absent.value.sentence
        assert hidden.value.hint == absent.value.hint
    with pytest.raises(NotFound):
        ShowGoal(ctx)(row.handle, actor, HOME)
    assert ListGoals(ctx)(actor, HOME).rows == ()
    assert SearchGoals(ctx)("Ship", actor, HOME).page.rows == ()
    assert GraphGoals(ctx)(actor, HOME).nodes == ()


@pytest.mark.parametrize("where", [AWAY, VAULT, direct(DAN)])
def test_from_another_namespace_an_owner_sees_nothing(ctx, where):
    row = add(ctx)
    with pytest.raises(NotFound):
        ShowGoal(ctx)(row.handle, an_owner(DAN), where)
    assert ListGoals(ctx)(an_owner(DAN), where).total == 0


@pytest.mark.parametrize("place", [VAULT, direct(ADA)])
def test_what_is_made_in_a_closed_place_is_seen_there_only(ctx, place):
    row = add(ctx, where=place)
    with pytest.raises(NotFound):
        ShowGoal(ctx)(row.handle, an_owner(DAN), HOME)
    assert ListGoals(ctx)(an_owner(DAN), HOME).total == 0
    assert ShowGoal(ctx)(row.handle, an_owner(), place).intent == row


@pytest.mark.parametrize("actor", [a_member(), ADMIN, SYSTEM, an_agent(), replace(an_agent(), is_owner=True)])
def test_goals_are_made_by_signed_in_owners(ctx, actor):
    with pytest.raises(NotAllowed):
        AddGoal(ctx)(a_goal(), actor, HOME)
    assert ListGoals(ctx)(ADMIN, None).total == 0


def test_who_owns_their_direct_message_owns_no_space_from_there(ctx):
    """A stakeholder cannot do there what they may not do in the space; the owner of the goal can."""
    row = a_shared_goal(ctx, hold)
    here = direct(CYD)
    for act in (HoldGoal, CancelGoal):
        with pytest.raises(NotAllowed):
            act(ctx)(row.handle, an_owner(CYD), here)
    with pytest.raises(NotAllowed):
        EditGoal(ctx)(row.handle, GoalChange(value="Mine now"), an_owner(CYD), here)
    with pytest.raises(NotAllowed):
        SupersedeGoal(ctx)(row.handle, a_goal("Mine now"), an_owner(CYD), here)
    assert stored(ctx, row) == row
    HoldGoal(ctx)(row.handle, an_owner(BOB), direct(BOB))
    assert stored(ctx, row).version == row.version + 1


def test_a_speaker_confirms_nothing_from_their_direct_message(ctx):
    row = propose(ctx, who=BOB)
    for act in (ConfirmGoal, DismissGoal):
        with pytest.raises(NotAllowed):
            act(ctx)(row.handle, an_owner(BOB), direct(BOB))
    assert stored(ctx, row) == row


def test_a_critical_risk_is_downgraded_by_a_person_never_by_the_machine_that_owns_it(ctx):
    row = add(ctx, intent_type=IntentType.RISK, priority=Priority.CRITICAL, owner=a_person(AGENT))
    calmer = GoalChange(priority=Priority.HIGH)
    with pytest.raises(NotAllowed):
        EditGoal(ctx)(row.handle, calmer, an_agent(), HOME)
    assert stored(ctx, row) == row
    EditGoal(ctx)(row.handle, GoalChange(note="Looked at."), an_agent(), HOME)
    assert EditGoal(ctx)(row.handle, calmer, an_owner(), HOME).priority is Priority.HIGH


REVIEWERS = {"owner of the space", "operator"}


@pytest.mark.parametrize("name", list(ACTORS))
@pytest.mark.parametrize("act", [ConfirmGoal, DismissGoal])
def test_proposals_are_reviewed_by_owners(ctx, act, name):
    row = propose(ctx, who=BOB, stakeholders=(a_person(CYD),))
    allowed = name in REVIEWERS or (act is DismissGoal and name == "administrator")
    if allowed:
        assert act(ctx)(row.handle, ACTORS[name], HOME).version > row.version
        return
    with pytest.raises(REFUSED[name]):
        act(ctx)(row.handle, ACTORS[name], HOME)
    assert stored(ctx, row) == row


def test_where_the_space_lets_them_speakers_review_their_own_words_alone(ctx):
    mine, others = propose(ctx, who=BOB), propose(ctx, "Write the docs", who=CYD, stakeholders=(a_person(BOB),))
    ChangeSetting(ctx)(Setting.REVIEW, "speakers", an_owner(), HOME)
    with pytest.raises(NotAllowed):
        ConfirmGoal(ctx)(others.handle, a_member(BOB), HOME)
    assert not ConfirmGoal(ctx)(mine.handle, a_member(BOB), HOME).is_proposal


@pytest.mark.parametrize("name", ["owner of the goal", "stakeholder"])
def test_a_proposal_is_edited_by_who_may_review_it(ctx, name):
    """The speaker could otherwise make it critical, and so put it into every bundle."""
    row = propose(ctx, who=BOB, intent_type=IntentType.RISK, stakeholders=(a_person(CYD),))
    with pytest.raises(NotAllowed):
        EditGoal(ctx)(row.handle, GoalChange(priority=Priority.CRITICAL), ACTORS[name], HOME)
    with pytest.raises(NotAllowed):
        PinGoal(ctx)(row.handle, True, ACTORS[name], HOME)
    edited = EditGoal(ctx)(row.handle, GoalChange(priority=Priority.HIGH), an_owner(), HOME)
    assert (edited.priority, edited.is_proposal) == (Priority.HIGH, True)


def test_people_do_not_propose(ctx):
    with pytest.raises(Exception, match="People do not propose"):
        ProposeGoal(ctx)(a_goal(), a_person(BOB), an_owner(), HOME)
    assert ProposeGoal(ctx)(a_goal(), a_person(BOB), EXTRACTOR, HOME) is not None


def test_what_a_goal_waits_for_is_shown_to_those_who_may_see_that_too(ctx):
    before = add(ctx, "A secret of the owners")
    row = add(ctx, "Bob's", owner=a_person(BOB), depends_on=(before.handle,))
    after = add(ctx, "Another secret", depends_on=(row.handle,))
    view = ShowGoal(ctx)(row.handle, a_member(BOB), HOME)
    assert (view.depends_on, view.blocks) == ((), ())
    full = ShowGoal(ctx)(row.handle, an_owner(), HOME)
    assert [one.handle for one in (*full.depends_on, *full.blocks)] == [before.handle, after.handle]
    assert [one.handle for one in GraphGoals(ctx)(a_member(BOB), HOME, row.handle).nodes] == [row.handle]


def test_edges_need_the_rights_of_both_ends(ctx):
    mine = add(ctx, "Bob's", owner=a_person(BOB))
    shared = add(ctx, "Cyd's, with a stake of bob", owner=a_person(CYD), stakeholders=(a_person(BOB),))
    with pytest.raises(NotAllowed):
        DependGoal(ctx)(mine.handle, (shared.handle,), a_member(BOB), HOME, blocks=True)
    DependGoal(ctx)(mine.handle, (shared.handle,), a_member(BOB), HOME)


@pytest.mark.parametrize("who", [BOB, CYD])
def test_a_list_of_a_member_has_what_is_theirs(ctx, who):
    row = a_shared_goal(ctx, hold)
    add(ctx, "Of ada alone")
    assert [one.handle for one in ListGoals(ctx)(a_member(who), HOME).rows] == [row.handle]
    assert [one.handle for one in ListGoals(ctx)(a_member(who), direct(who)).rows] == [row.handle]
    assert ListGoals(ctx)(an_owner(), HOME).total == 2
    assert ListGoals(ctx)(ADMIN, None).total == 2
