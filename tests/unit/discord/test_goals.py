"""`/goal` on Discord: what is chosen reaches goal memory, and the answer its asker alone."""

from datetime import timedelta

import pytest

from adapters.base.goal_buttons import GoalPress
from core.goals.objects import GoalDraft, IntentState, IntentType, Person
from core.limits import LIMITS
from core.services.add_goal import AddGoal, ProposeGoal
from core.services.read_goals import ListGoals, ShowGoal, Wanted
from core.standing.intent import Priority
from core.turn import ADMIN, Actor, ActorType, TurnKind, machine
from core.wording.readback import Choice
from tests.builders import an_owner
from tests.unit.discord.acting import last, words

UNKNOWN = "There is nothing called"
OLD_BUTTON = "no longer does anything"


def made(here, value="Ship the API", who="ada", place="group", **fields):
    """One of somebody, made without a chat."""
    kit = here.kit
    draft = GoalDraft(IntentType.GOAL, value, **fields)
    return AddGoal(kit.ctx)(draft, an_owner(kit.people[who]), kit.places[place], f"made-{kit.ctx.ids.uuid()}")


def now(here, row):
    return ShowGoal(here.kit.ctx)(row.handle, ADMIN, None).intent


def every(here):
    return ListGoals(here.kit.ctx)(ADMIN, None, Wanted(everything=True), size=100).rows


def menu_of(message):
    [menu] = message.selects
    return {one["label"]: one["value"] for one in menu["options"]}


# making and changing


def test_everything_that_can_be_chosen_is_kept(here):
    kit, ada = here.kit, here.kit.cast.ada
    first = made(here, "Sign the contract")
    answer = here.slash(
        ada,
        "goal add",
        text='Ship type:risk "the API" --due never',
        type="commitment",
        due="in 3 days",
        priority="high",
        owner=kit.cast.bob,
        **{"with": f"{kit.cast.eve.mention} {kit.cast.ada.mention}"},
        criteria="the tests pass; the docs are there",
        note=f"ask {kit.cast.bob.mention}",
        depends=f"{first.handle} Sign the contract",
    )
    [row] = [one for one in every(here) if one.value.startswith("Ship")]
    assert row.handle in words(answer) and last(answer).ephemeral
    assert (row.value, row.intent_type) == ('Ship type:risk "the API" --due never', IntentType.COMMITMENT)
    assert (row.priority, row.owner.who) == (Priority.HIGH, kit.people["bob"])
    assert [one.name for one in row.stakeholders] == ["eve", "ada"]
    assert row.criteria == "the tests pass\nthe docs are there" and row.note == "ask @bob"
    assert timedelta(days=2) < row.target_completion - kit.ctx.clock.now() <= timedelta(days=4)
    view = ShowGoal(kit.ctx)(row.handle, ADMIN, None)
    assert [one.handle for one in view.depends_on] == [first.handle]


def test_a_bot_can_be_made_responsible(here):
    kit = here.kit
    here.slash(kit.cast.ada, "goal add", text="Sort the tickets", owner=kit.cast.robot)
    [row] = every(here)
    assert row.owner.who == machine(TurnKind.BOT, "discord", kit.adapter.account, str(kit.cast.robot.id))


def test_without_words_a_form_opens_that_takes_lines(here):
    ada = here.kit.cast.ada
    shown = here.slash(ada, "goal add", priority="high")
    assert shown.shows_modal()["title"] == "Something to remember"
    fields = {"What is to be reached, decided or watched?": "Vendor leaves", "What kind is it?": ["risk"]}
    more = {"How can one tell that it is done?": "one\ntwo", "Until when? (friday, tomorrow at 17:00)": "in 3 days"}
    here.done(lambda: ada.submits(shown, fields | more))
    [row] = every(here)
    assert (row.intent_type, row.priority, row.criteria) == (IntentType.RISK, Priority.HIGH, "one\ntwo")


def test_a_change_by_options_and_one_by_a_form(here):
    ada, row = here.kit.cast.ada, made(here)
    here.slash(ada, "goal edit", handle=row.handle, type="risk", note="look")
    assert (now(here, row).intent_type, now(here, row).value) == (IntentType.RISK, "Ship the API")
    shown = here.slash(ada, "goal edit", handle=row.handle)
    assert "empty fields" in shown.shows_modal()["title"]
    here.done(lambda: ada.submits(shown, {"What is to be reached, decided or watched?": "Ship it"}))
    found = now(here, row)
    assert (found.value, found.intent_type, found.note) == ("Ship it", IntentType.RISK, "look")


def test_what_waits_for_what_is_told_and_ended(here):
    ada = here.kit.cast.ada
    first, second, third = made(here, "One"), made(here, "Two"), made(here, "Three")
    here.slash(ada, "goal depends", handle=first.handle, on=f"{second.handle}, {third.handle} Three")
    here.slash(ada, "goal blocks", handle=third.handle, others=second.handle)

    def needs(row):
        return {one.value for one in ShowGoal(here.kit.ctx)(row.handle, ADMIN, None).depends_on}

    assert (needs(first), needs(second)) == ({"Two", "Three"}, {"Three"})
    here.slash(ada, "goal depends", handle=first.handle, on=second.handle, off=True)
    here.slash(ada, "goal blocks", handle=third.handle, others=second.handle, off=True)
    assert (needs(first), needs(second)) == ({"Three"}, set())
    assert "circle" in words(here.slash(ada, "goal depends", handle=third.handle, on=first.handle))


def test_a_rule_belongs_to_a_goal_and_is_freed(here):
    ada, row, rule = here.kit.cast.ada, made(here), here.rule()
    assert "✗" in words(here.slash(ada, "goal link", rule=rule.handle))
    here.slash(ada, "goal link", rule=rule.handle, handle=row.handle)
    assert [one.handle for one in ShowGoal(here.kit.ctx)(row.handle, ADMIN, None).rules] == [rule.handle]
    assert "belongs to no goal" in words(here.slash(ada, "goal link", rule=rule.handle, off=True))


def test_the_other_verbs_do_what_they_say(here):
    ada, row = here.kit.cast.ada, made(here)
    here.slash(ada, "goal pin", handle=row.handle)
    assert now(here, row).pinned
    here.slash(ada, "goal unpin", handle=row.handle)
    here.slash(ada, "goal hold", handle=row.handle)
    assert now(here, row).intent_state is IntentState.ON_HOLD
    here.slash(ada, "goal resume", handle=row.handle)
    new = here.slash(ada, "goal supersede", handle=row.handle, text="Ship the second API")
    assert "is replaced by" in words(new)
    [after] = [one for one in every(here) if one.value == "Ship the second API"]
    here.slash(ada, "goal done", handle=after.handle)
    assert (now(here, row).intent_state, now(here, after).intent_state) == (
        IntentState.SUPERSEDED,
        IntentState.COMPLETED,
    )
    assert "Ship the second API" in words(here.slash(ada, "goal search", text="second"))


def test_a_member_is_refused_as_if_there_were_nothing(here):
    bob, row = here.kit.cast.bob, made(here)
    here.kit.says("bob", "good morning")
    for data in (f"goal:done:{row.handle}", f"goalask:cancel:{row.handle}"):
        assert UNKNOWN in words(here.forged(bob, data))
    assert now(here, row).intent_state is IntentState.ACTIVE


# lists


def test_below_a_list_a_menu_shows_one_with_what_can_be_done(here):
    ada, row = here.kit.cast.ada, made(here)
    message = last(here.slash(ada, "goal list"))
    assert menu_of(message) == {"Ship the API": row.handle}
    shown = last(here.select(ada, message, row.handle))
    assert shown.labels == ["Done", "Hold", "Cancel"] and shown.ephemeral


def test_pages_are_turned_after_a_restart_and_keep_what_was_asked(here):
    ada = here.kit.cast.ada
    for number in range(LIMITS.page + 1):
        made(here, f"Goal {number:02}")
    made(here, "Not this")
    message = last(here.slash(ada, "goal list", filter="Goal", type="goal", state="active"))
    first = set(menu_of(message))
    here.restart()
    here.click(ada, message, "Older ›")
    second = set(menu_of(message))
    assert len(first) == LIMITS.page and len(first | second) == LIMITS.page + 1
    assert "Not this" not in first | second


def test_what_is_private_to_a_channel_is_not_listed_offered_or_shown_elsewhere(here):
    kit, bob = here.kit, here.kit.cast.bob
    hidden = made(here, "Whisper", "bob", "private")
    here.managers(bob)
    assert "Whisper" not in words(here.slash(bob, "goal list"))
    assert "Whisper" in words(here.slash(bob, "goal list", kit.cast.private))
    assert UNKNOWN in words(here.slash(bob, "goal show", handle=hidden.handle))
    assert here.completed(bob, "goal show") == []
    assert UNKNOWN in words(here.forged(bob, f"goal:done:{hidden.handle}"))
    assert UNKNOWN in words(here.chosen(bob, "goalshow", hidden.handle))
    assert now(here, hidden).intent_state is IntentState.ACTIVE


# what is offered while somebody types


def offered(here, command, typed="", option="handle"):
    return [one.value for one in here.completed(here.kit.cast.ada, command, typed, option=option)]


def test_each_command_is_offered_what_it_can_be_about(here):
    ada = here.kit.cast.ada
    row, held, over = made(here), made(here, "Held"), made(here, "Over")
    here.slash(ada, "goal hold", handle=held.handle)
    here.slash(ada, "goal done", handle=over.handle)
    assert set(offered(here, "goal done")) == {row.handle, held.handle}
    assert set(offered(here, "goal show")) == {row.handle, held.handle, over.handle}
    assert offered(here, "goal show", "held") == [held.handle]
    assert offered(here, "goal confirm") == []
    rule = here.rule()
    assert offered(here, "goal link", option="rule") == [rule.handle]


def test_a_list_of_handles_is_completed_behind_its_last_comma(here):
    row, other = made(here), made(here, "Other")
    assert set(offered(here, "goal depends", "", "on")) == {row.handle, other.handle}
    assert offered(here, "goal depends", f"{row.handle}, oth", "on") == [f"{row.handle}, {other.handle}"]
    assert offered(here, "goal add", "other", "depends") == [other.handle]


# buttons


def shown(here, row, who=None):
    return last(here.slash(who or here.kit.cast.ada, "goal show", handle=row.handle))


def test_a_button_does_it_and_shows_the_goal_as_it_is_then(here):
    ada, row = here.kit.cast.ada, made(here)
    message = shown(here, row)
    here.restart()
    here.click(ada, message, "Hold")
    assert now(here, row).intent_state is IntentState.ON_HOLD
    assert message.labels == ["Take it up again", "Cancel"] and "on hold" in message.words
    here.click(ada, message, "Take it up again")
    here.click(ada, message, "Done")
    assert message.labels == [] and now(here, row).intent_state is IntentState.COMPLETED


def test_below_one_that_fills_several_messages_the_buttons_alone_are_changed(here):
    row = made(here, criteria="\n".join("x" * 900 for _ in range(9)))
    message = shown(here, row)
    before = message.words
    here.click(here.kit.cast.ada, message, "Hold")
    assert (message.words, message.labels) == (before, ["Take it up again", "Cancel"])


def test_what_is_over_is_offered_as_what_an_answer_is_about(here):
    first, row = made(here, "Sign the contract"), made(here)
    here.slash(here.kit.cast.ada, "goal cancel", handle=first.handle)
    assert offered(here, "goal answer", "", "of") == [first.handle]
    assert offered(here, "goal answer", "", "by") == [row.handle]


def test_one_is_given_up_after_a_question(here):
    ada, row = here.kit.cast.ada, made(here)
    question = last(here.click(ada, shown(here, row), "Cancel"))
    assert now(here, row).intent_state is IntentState.ACTIVE
    here.click(ada, question, Choice.CANCEL.label)
    assert now(here, row).intent_state is IntentState.CANCELLED


def test_somebody_who_lost_the_right_meanwhile_is_refused(here):
    bob, row = here.kit.cast.bob, made(here)
    here.kit.says("bob", "good morning")
    role = here.managers(bob)
    message = shown(here, row, bob)
    here.kit.cast.guild.take(bob, role)
    assert UNKNOWN in words(here.click(bob, message, "Done"))
    assert now(here, row).intent_state is IntentState.ACTIVE


@pytest.mark.parametrize("data", ["goal:delete:{g}", "goal:keep:{g}", "goal:done:i-7k2m", "goalinstead:{g}", "goalask"])
def test_data_that_nobody_made_does_nothing(here, data):
    row = made(here)
    assert OLD_BUTTON in words(here.forged(here.kit.cast.ada, data.format(g=row.handle)))
    assert now(here, row).intent_state is IntentState.ACTIVE


def test_a_choice_that_stands_in_no_menu_is_refused(here):
    row = made(here)
    assert OLD_BUTTON in words(here.chosen(here.kit.cast.ada, f"goalinstead:{row.handle}:g-zzzz", "i-7k2m"))


# what a notice asks


def noticed(here, who="ada"):
    """Everything that somebody is owed, sent; the message."""
    kit = here.kit
    sent = kit.notified(who)
    return next(one for one in kit.world.bot_messages(getattr(kit.cast, who).dm) if str(one.id) == sent.id)


@pytest.fixture
def asked(here):
    """A goal of ada's whose prerequisite is cancelled, and the notice about it."""
    first, other = made(here, "Sign the contract"), made(here, "Find another vendor")
    row = made(here, depends_on=(first.handle,))
    here.slash(here.kit.cast.ada, "goal cancel", handle=first.handle)
    return row, first, other, noticed(here)


def needs(here, row):
    return [one.handle for one in ShowGoal(here.kit.ctx)(row.handle, ADMIN, None).depends_on]


def test_a_notice_is_answered_by_its_button_once_and_after_a_restart(here, asked):
    row, first, _, message = asked
    assert len(message.labels) == 4
    here.restart()
    answer = here.click(here.kit.cast.ada, message, f"{row.handle}: go on without {first.handle}")
    assert "goes on without it" in words(answer)
    assert (needs(here, row), message.labels) == ([], [])


def test_something_else_is_chosen_to_wait_for(here, asked):
    row, first, other, message = asked
    menu = last(here.click(here.kit.cast.ada, message, f"{row.handle}: wait for something else"))
    assert first.handle not in menu_of(menu).values() and row.handle not in menu_of(menu).values()
    here.restart()
    here.select(here.kit.cast.ada, menu, other.handle)
    assert needs(here, row) == [other.handle]


def test_somebody_else_cannot_answer_it(here, asked):
    row, first, _, message = asked
    here.kit.says("bob", "good morning")
    answer = here.forged(here.kit.cast.bob, GoalPress("keep", row.handle, first.handle).data, message)
    assert UNKNOWN in words(answer)
    assert needs(here, row) == [first.handle]


def proposed(here, value="Ship the API", place="group", reviewer="ada"):
    kit = here.kit
    machine_actor = Actor(ActorType.AI_AGENT, "extractor", "Extractor")
    speaker = Person(kit.people["bob"], "bob")
    draft = GoalDraft(IntentType.COMMITMENT, value)
    return ProposeGoal(kit.ctx)(
        draft, speaker, machine_actor, kit.places[place], f"said-{kit.ctx.ids.uuid()}", value, kit.people[reviewer]
    )


@pytest.mark.parametrize(("verb", "becomes"), [("Right", "ASSERTED"), ("Wrong", "INFERRED")])
def test_a_proposal_is_confirmed_or_dismissed_in_a_direct_message_with_the_rights_of_its_place(here, verb, becomes):
    row = proposed(here)
    message = noticed(here)
    assert message.labels == [f"Right: {row.handle}", f"Wrong: {row.handle}"]
    here.click(here.kit.cast.ada, message, f"{verb}: {row.handle}")
    found = now(here, row)
    assert found.epistemic_type == becomes
    assert found.intent_state is (IntentState.ACTIVE if verb == "Right" else IntentState.CANCELLED)
    assert message.labels == []


def test_who_decides_no_more_cannot_say_yes(here):
    row = proposed(here)
    message = noticed(here)
    here.kit.owner_no_more()
    here.click(here.kit.cast.ada, message, f"Right: {row.handle}")
    assert now(here, row).is_proposal


def test_who_cannot_look_into_a_private_channel_decides_nothing_there(here):
    kit = here.kit
    row = proposed(here, place="private")
    eve = kit.cast.eve
    here.managers(eve)
    kit.says("bob", "good morning")
    answer = here.forged(eve, GoalPress("confirm", row.handle).data, place=kit.world.people[eve.id].dm)
    assert UNKNOWN in words(answer)
    assert now(here, row).is_proposal


def test_the_review_lists_what_waits_for_a_yes(here):
    row = proposed(here)
    answer = here.slash(here.kit.cast.ada, "goal review")
    message = last(answer)
    assert row.handle in words(answer)
    chosen = last(here.select(here.kit.cast.ada, message, row.handle))
    assert chosen.labels == ["That is right", "Dismiss"]
    here.click(here.kit.cast.ada, chosen, "That is right")
    assert not now(here, row).is_proposal
    assert chosen.labels == ["Done", "Hold", "Cancel"]
