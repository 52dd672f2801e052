"""Every bound of goal memory at N and N + 1, and what is refused before anything is stored."""

from dataclasses import replace
from datetime import timedelta

import pytest

from core.errors import InvalidInput, LimitExceeded
from core.goals.objects import GoalChange, Person
from core.limits import LIMITS
from core.services.change_goal import EditGoal
from core.services.goal_moves import CompleteGoal, HoldGoal, ResumeGoal
from core.services.read_goals import ListGoals, SearchGoals, ShowGoal, Wanted
from core.services.review_goals import ConfirmGoal, DismissGoal
from core.services.space_settings import ChangeSetting
from core.settings import Setting
from core.timed.when import Resolution, When
from core.turn import Principal
from tests.builders import BOB, HOME, NOW, an_owner
from tests.builders_goals import (
    CYD,
    VAULT,
    a_goal,
    a_person,
    add,
    beat,
    kinds_told,
    log_length,
    operations,
    payloads,
    propose,
    refused,
    stored,
    told,
)
from tests.fakes.reminding import a_context, at


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return a_context(store, clock, ids)


def people(count):
    return tuple(Person(Principal("console", "local", f"p{number}"), f"P{number}") for number in range(count))


def lines(count, length=3):
    return "\n".join("x" * length for _ in range(count))


def structured(length):
    text = '{"a":""}'
    return '{"a":"' + "x" * (length - len(text)) + '"}'


BOUNDS = {
    "goal_chars": ("value", lambda n: "x" * n),
    "goal_note_chars": ("note", lambda n: "x" * n),
    "goal_criteria": ("criteria", lines),
    "goal_criterion_chars": ("criteria", lambda n: lines(1, n)),
    "goal_structured_chars": ("structured", structured),
    "goal_stakeholders": ("stakeholders", people),
}


@pytest.mark.parametrize("name", list(BOUNDS))
def test_each_field_has_its_bound_when_made_and_when_edited(ctx, name):
    field, of = BOUNDS[name]
    limit = getattr(LIMITS, name)
    row = add(ctx, a_goal(**{field: of(limit)}))
    assert getattr(ShowGoal(ctx)(row.handle, an_owner(), HOME).intent, field) == of(limit)
    error = refused(ctx, LimitExceeded, lambda: add(ctx, a_goal(**{field: of(limit + 1)})))
    assert (error.details["name"], error.details["used"], error.details["limit"]) == (name, limit + 1, limit)
    assert str(limit) in error.sentence
    error = refused(ctx, LimitExceeded, lambda: edit(ctx, row, **{field: of(limit + 1)}))
    assert error.details["name"] == name
    error = refused(ctx, LimitExceeded, lambda: propose(ctx, a_goal(**{field: of(limit + 1)})))
    assert error.details["name"] == name


def edit(ctx, row, **fields):
    return EditGoal(ctx)(row.handle, GoalChange(**fields), an_owner(), HOME)


def test_a_space_has_so_many_open_goals_and_no_more(store, clock, ids):
    ctx = a_context(store, clock, ids, replace(LIMITS, open_goals_per_space=2))
    first, second = add(ctx, "one"), add(ctx, "two", where=VAULT)
    error = refused(ctx, LimitExceeded, lambda: add(ctx, "three"))
    assert (error.details["name"], error.details["limit"]) == ("open_goals_per_space", 2)
    proposal = propose(ctx, "three")  # what nobody confirmed does not count
    refused(ctx, LimitExceeded, lambda: ConfirmGoal(ctx)(proposal.handle, an_owner(), HOME))
    HoldGoal(ctx)(first.handle, an_owner(), HOME)
    refused(ctx, LimitExceeded, lambda: add(ctx, "three"))
    CompleteGoal(ctx)(second.handle, an_owner(), VAULT)
    assert ConfirmGoal(ctx)(proposal.handle, an_owner(), HOME)
    refused(ctx, LimitExceeded, lambda: add(ctx, "four"))


def test_what_age_archived_comes_back_only_where_there_is_room(store, clock, ids):
    ctx = a_context(store, clock, ids, replace(LIMITS, open_goals_per_space=1))
    first = add(ctx, "one")
    ctx.clock.advance(days=90)
    beat(ctx)
    add(ctx, "two")
    refused(ctx, LimitExceeded, lambda: ResumeGoal(ctx)(first.handle, an_owner(), HOME))


def test_so_many_proposals_wait_in_a_place_and_no_more(store, clock, ids):
    ctx = a_context(store, clock, ids, replace(LIMITS, goal_proposals=2))
    rows = [propose(ctx, f"maybe {number}") for number in range(2)]
    error = refused(ctx, LimitExceeded, lambda: propose(ctx, "maybe more"))
    assert (error.details["name"], LIMITS.goal_proposals) == ("goal_proposals", 200)
    assert propose(ctx, "maybe more", where=VAULT) is not None
    DismissGoal(ctx)(rows[0].handle, an_owner(), HOME)
    assert propose(ctx, "maybe more") is not None


# words


@pytest.mark.parametrize("value", ["", "   ", "\n", "\u200b", "\u00a0\u200d"])
def test_a_value_has_something_to_see(ctx, value):
    row = add(ctx)
    refused(ctx, InvalidInput, lambda: add(ctx, a_goal(value)))
    refused(ctx, InvalidInput, lambda: edit(ctx, row, value=value))


@pytest.mark.parametrize("value", ["a\x00b", "a\x1b[31m", "a\ud800"])
@pytest.mark.parametrize("field", ["value", "note", "criteria"])
def test_control_characters_are_refused(ctx, value, field):
    row = add(ctx)
    length = log_length(ctx)
    with pytest.raises(InvalidInput):
        add(ctx, a_goal(**{field: value}))
    with pytest.raises(InvalidInput):
        edit(ctx, row, **{field: value})
    assert log_length(ctx) == length


def test_a_value_is_one_line_and_criteria_are_one_a_line(ctx):
    row = add(ctx, a_goal(" Ship \n the   API ", criteria=" tests pass \n\n  docs are  there\n", note=" one\ntwo "))
    assert (row.value, row.criteria, row.note) == ("Ship the API", "tests pass\ndocs are there", "one\ntwo")
    assert stored(ctx, row) == row


@pytest.mark.parametrize(
    "text", ["[]", "1", "{", '{"a": 1.5}', '{"a": 1e400}', "[" * 100_000, '{"a": 9007199254740994}']
)
def test_a_structured_value_is_a_json_object_that_can_be_hashed(ctx, text):
    row = add(ctx)
    refused(ctx, InvalidInput, lambda: add(ctx, a_goal(structured=text)))
    refused(ctx, InvalidInput, lambda: edit(ctx, row, structured=text))


def test_a_structured_value_is_kept_in_canonical_form(ctx):
    assert add(ctx, a_goal(structured='{"b": 1, "a": [true, null]}')).structured == '{"a":[true,null],"b":1}'


def test_a_person_with_a_stake_twice_has_one(ctx):
    row = add(ctx, a_goal(stakeholders=(a_person(BOB), a_person(CYD), a_person(BOB))))
    assert [one.who for one in row.stakeholders] == [CYD, BOB] or [one.who for one in row.stakeholders] == [BOB, CYD]
    assert len(stored(ctx, row).stakeholders) == 2


# deadlines


def test_a_deadline_lies_ahead_and_not_too_far(ctx):
    now, most = ctx.clock.now(), LIMITS.due_ahead
    minute = timedelta(minutes=1)
    assert add(ctx, "last", due=at(now + most)).target_completion == now + most
    refused(ctx, LimitExceeded, lambda: add(ctx, "beyond", due=at(now + most + minute)))
    refused(ctx, InvalidInput, lambda: add(ctx, "now", due=at(now)))
    assert add(ctx, "soon", due=at(now + minute)).target_completion == now + minute
    row = add(ctx, "one")
    refused(ctx, InvalidInput, lambda: edit(ctx, row, due=at(now - minute)))
    refused(
        ctx, InvalidInput, lambda: edit(ctx, row, due=When(at(now + minute).local, "UTC", Resolution.DAY, "FREQ=DAILY"))
    )


def test_a_deadline_is_kept_as_it_was_said_and_can_be_taken_away(ctx):
    row = add(ctx, due=at(NOW + timedelta(days=1), zone="Europe/Berlin"))
    assert (row.due.zone, row.target_completion) == ("Europe/Berlin", NOW + timedelta(days=1))
    assert edit(ctx, row, no_due=True).target_completion is None
    assert stored(ctx, row).due is None


# editing


def test_an_edit_is_one_operation_with_old_and_new_content_ids_and_no_words(ctx):
    row = add(ctx, a_goal(note="Before."))
    new = edit(ctx, row, value="Ship it", note="", criteria="tests pass")
    [payload] = payloads(ctx, row, "EDITED")
    assert payload["fields"]["value"] == [row.value_id, new.value_id]
    assert {"value", "note", "criteria"} <= set(payload["fields"])
    assert "Ship it" not in str(payload)
    assert stored(ctx, row).version == 2


def test_a_change_of_priority_is_an_operation_of_its_own(ctx):
    row = add(ctx)
    new = edit(ctx, row, priority=row.priority.HIGH, note="Now it matters.")
    assert operations(ctx, row) == ["ASSERT", "EDITED", "PRIORITY_CHANGED"]
    assert (new.salience, new.version) == (700_000, 3)


def test_an_edit_that_changes_nothing_is_refused(ctx):
    row = add(ctx)
    refused(ctx, InvalidInput, lambda: edit(ctx, row, value="Ship  the API", priority=row.priority))


def test_whoever_is_made_responsible_is_told_once(ctx):
    row = add(ctx)
    edit(ctx, row, owner=a_person(BOB))
    edit(ctx, row, note="More.")
    [news] = told(ctx, BOB)
    assert (news.kind, news.goals[0].handle, news.who.user_id) == ("notice.goal.owned", row.handle, "ada")
    HoldGoal(ctx)(row.handle, an_owner(), HOME)
    ctx.clock.advance(hours=2)
    assert kinds_told(ctx, BOB) == ["notice.goal.changed"]


def test_what_the_owner_does_themselves_is_told_to_nobody(ctx):
    row = add(ctx)
    HoldGoal(ctx)(row.handle, an_owner(), HOME)
    ResumeGoal(ctx)(row.handle, an_owner(), HOME)
    CompleteGoal(ctx)(row.handle, an_owner(), HOME)
    assert kinds_told(ctx, an_owner().principal) == []


# reading


def test_a_list_has_urgent_ones_first_then_what_is_due_first(ctx):
    names = [
        ("later", {"due": at(NOW + timedelta(days=9))}),
        ("soon", {"due": at(NOW + timedelta(days=1))}),
        ("some day", {}),
        ("urgent", {"priority": a_goal().priority.CRITICAL}),
    ]
    for name, fields in names:
        add(ctx, name, **fields)
    page = ListGoals(ctx)(an_owner(), HOME)
    assert [row.value for row in page.rows] == ["urgent", "soon", "later", "some day"]
    second = ListGoals(ctx)(an_owner(), HOME, page=9, size=3)
    assert ([row.value for row in second.rows], second.number, second.pages) == (["some day"], 2, 2)


def test_a_list_can_be_narrowed(ctx):
    goal = add(ctx, "Über alles", note="hidden WORDS")
    done = add(ctx, "done")
    CompleteGoal(ctx)(done.handle, an_owner(), HOME)
    assert [row.id for row in ListGoals(ctx)(an_owner(), HOME).rows] == [goal.id]
    assert ListGoals(ctx)(an_owner(), HOME, Wanted(everything=True)).total == 2
    assert ListGoals(ctx)(an_owner(), HOME, Wanted(states=(done.intent_state.COMPLETED,))).rows[0].id == done.id
    assert ListGoals(ctx)(an_owner(), HOME, Wanted(text="ÜBER")).rows[0].id == goal.id
    assert ListGoals(ctx)(an_owner(), HOME, Wanted(text="Words")).rows[0].id == goal.id
    assert ListGoals(ctx)(an_owner(), HOME, Wanted(text="nowhere")).total == 0


def test_a_search_finds_any_state_and_what_is_remembered(ctx):
    row = add(ctx)
    CompleteGoal(ctx)(row.handle, an_owner(), HOME)
    found = SearchGoals(ctx)("ship THE", an_owner(), HOME)
    assert [one.id for one in found.page.rows] == [row.id]
    assert [one.intent_id for one in found.summaries] == [row.id]
    elsewhere = SearchGoals(ctx)("ship", an_owner(), VAULT)
    assert (elsewhere.page.total, elsewhere.summaries) == (0, ())
    with pytest.raises(InvalidInput):
        SearchGoals(ctx)("  ", an_owner(), HOME)


def test_a_space_that_wants_no_summaries_has_none(ctx):
    ChangeSetting(ctx)(Setting.SUMMARIES, False, an_owner(), HOME)
    row = add(ctx)
    assert CompleteGoal(ctx)(row.handle, an_owner(), HOME).summary == ""
    assert ShowGoal(ctx)(row.handle, an_owner(), HOME).summary is None
