"""`/goal` on Telegram: lists come privately, and what its buttons do."""

import pytest

from adapters.base.goal_buttons import GoalPress
from core.catalogue import say
from core.goals.objects import GoalDraft, IntentState, IntentType, Person
from core.limits import LIMITS
from core.services.add_goal import AddGoal, ProposeGoal
from core.services.read_goals import ShowGoal
from core.turn import ADMIN, Actor, ActorType
from core.wording.readback import Choice
from tests.builders import an_owner

PRIVATELY = say("telegram.privately")
UNKNOWN = "There is nothing called"


def made(kit, value="Ship the API", who="ada", place="group", **fields):
    """One of somebody, made without a chat."""
    draft = GoalDraft(IntentType.GOAL, value, **fields)
    return AddGoal(kit.ctx)(draft, an_owner(kit.people[who]), kit.places[place], f"made-{kit.ctx.ids.uuid()}")


def now(kit, row):
    return ShowGoal(kit.ctx)(row.handle, ADMIN, None).intent


def private(kit):
    """What ada's private chat shows last."""
    return kit.world.bot_messages(kit.cast.bot.private(kit.cast.ada), bot=kit.cast.bot)[-1]


def press(kit, message, label, who="ada", stale=False):
    """What is told to whoever pressed."""
    pressed = getattr(kit.cast, who).presses(message, label, stale=stale)
    kit.takes(kit.cast.bot.queue[-1].body)
    return pressed.shown


def forge(kit, data, who="bob"):
    """Press a button that somebody put under a message of the bot in the group."""
    keyboard = [[{"text": "x", "callback_data": data}]]
    message = kit.cast.bot.says(kit.cast.group, "a message", extra={"reply_markup": {"inline_keyboard": keyboard}})
    return press(kit, message, "x", who)


@pytest.mark.parametrize(
    "text", ["/goal", "/goal list", "/goal --all", "/goal search api", "/goal review", "show", "one"]
)
def test_lists_and_explanations_come_privately(kit, text):
    row = made(kit)
    text = {"show": f"/goal show {row.handle}", "one": f"/goal {row.handle}"}.get(text, text)
    kit.says("ada", text)
    assert [one.text for one in kit.sent() if one.place == "group"] == [PRIVATELY]
    assert "Ship the API" in private(kit).text or text == "/goal review"


def test_what_concerns_the_group_is_answered_there(kit):
    kit.says("ada", '/goal add type:risk due:"in 3 days" Vendor leaves')
    [shown] = kit.sent()
    assert shown.place == "group" and "Vendor leaves" in shown.text


def test_a_member_who_asks_is_refused_as_if_there_were_nothing(kit):
    row = made(kit)
    kit.says("bob", f"/goal done {row.handle}")
    assert UNKNOWN in kit.sent()[-1].text
    for verb in ("done", "hold", "cancel"):
        assert UNKNOWN in forge(kit, GoalPress(verb, row.handle, shown=True).data)
    assert now(kit, row).intent_state is IntentState.ACTIVE


def test_the_graph_is_for_the_terminal(kit):
    kit.says("ada", "/goal graph")
    assert "terminal" in kit.sent()[-1].text


def test_pages_are_turned_after_a_restart(kit):
    for number in range(LIMITS.page + 1):
        made(kit, f"Goal {number:02}")
    kit.says("ada", "/goal list --type goal")
    message = private(kit)
    first = message.text
    kit.restarts()
    press(kit, message, "Older ›")
    assert sum(f"Goal {number:02}" in first for number in range(LIMITS.page + 1)) == LIMITS.page
    assert sum(f"Goal {number:02}" in message.text for number in range(LIMITS.page + 1)) == 1


def test_a_button_does_it_and_shows_the_goal_as_it_is_then(kit):
    row = made(kit)
    kit.says("ada", f"/goal show {row.handle}")
    message = private(kit)
    assert message.labels == ["Done", "Hold", "Cancel"]
    kit.restarts()
    assert "is on hold" in press(kit, message, "Hold")
    assert now(kit, row).intent_state is IntentState.ON_HOLD
    assert message.labels == ["Take it up again", "Cancel"] and "on hold" in message.text
    press(kit, message, "Take it up again")
    press(kit, message, "Done")
    assert (message.labels, now(kit, row).intent_state) == ([], IntentState.COMPLETED)


def test_below_one_that_fills_several_messages_the_buttons_alone_are_changed(kit):
    row = made(kit, criteria="\n".join("x" * 900 for _ in range(9)))
    kit.says("ada", f"/goal show {row.handle}")
    message = private(kit)
    before = message.text
    press(kit, message, "Hold")
    assert (message.text, message.labels) == (before, ["Take it up again", "Cancel"])


def test_one_is_given_up_after_a_question(kit):
    row = made(kit)
    kit.says("ada", f"/goal show {row.handle}")
    press(kit, private(kit), "Cancel")
    assert now(kit, row).intent_state is IntentState.ACTIVE
    press(kit, private(kit), Choice.CANCEL.label)
    assert now(kit, row).intent_state is IntentState.CANCELLED


def test_the_rights_are_those_of_the_place_at_the_moment_of_the_press(kit):
    row = made(kit, who="bob")
    kit.says("ada", f"/goal show {row.handle}")
    message = private(kit)
    kit.owner_no_more()
    assert UNKNOWN in press(kit, message, "Done")
    assert now(kit, row).intent_state is IntentState.ACTIVE


@pytest.fixture
def asked(kit):
    """A goal of ada's whose prerequisite is cancelled, and the notice about it."""
    first, other = made(kit, "Sign the contract"), made(kit, "Find another vendor")
    row = made(kit, depends_on=(first.handle,))
    kit.says("ada", f"/goal cancel {first.handle}")
    kit.notified("ada")
    return row, first, other, private(kit)


def needs(kit, row):
    return [one.handle for one in ShowGoal(kit.ctx)(row.handle, ADMIN, None).depends_on]


def test_a_question_is_answered_once_and_after_a_restart(kit, asked):
    row, first, _, message = asked
    label = f"{row.handle}: go on without {first.handle}"
    kit.restarts()
    press(kit, message, label)
    assert (needs(kit, row), message.labels) == ([], [])
    assert "goes on without it" in private(kit).text


def test_something_else_is_chosen_to_wait_for(kit, asked):
    row, _, other, message = asked
    press(kit, message, f"{row.handle}: wait for something else")
    offered = private(kit)
    assert offered.labels == [f"{other.handle} Find another vendor"]
    kit.restarts()
    press(kit, offered, offered.labels[0])
    assert needs(kit, row) == [other.handle]
    press(kit, message, f"{row.handle}: give up")
    assert now(kit, row).intent_state is IntentState.ACTIVE, "it was answered already"


def test_a_goal_of_a_private_chat_is_not_for_whoever_knows_its_name(kit):
    row = made(kit, place="direct")
    assert UNKNOWN in forge(kit, GoalPress("done", row.handle).data)


def proposed(kit, value="Ship the API"):
    """What a machine concluded from words of bob; ada is asked."""
    speaker, extractor = Person(kit.people["bob"], "bob"), Actor(ActorType.AI_AGENT, "extractor", "Extractor")
    draft = GoalDraft(IntentType.COMMITMENT, value)
    message = f"said-{kit.ctx.ids.uuid()}"
    return ProposeGoal(kit.ctx)(draft, speaker, extractor, kit.places["group"], message, value, kit.people["ada"])


@pytest.mark.parametrize(("word", "confirmed"), [("Right", True), ("Wrong", False)])
@pytest.mark.parametrize("way", ["notice", "review"])
def test_proposals_are_confirmed_and_dismissed_one_by_one(kit, word, confirmed, way):
    row, other = proposed(kit), proposed(kit, "Call the vendor")
    if way == "notice":
        kit.notified("ada")
    else:
        kit.says("ada", "/goal review")
    message = private(kit)
    assert len(message.labels) == 4
    press(kit, message, f"{word}: {row.handle}")
    found = now(kit, row)
    assert found.is_proposal is not confirmed
    assert found.intent_state is (IntentState.ACTIVE if confirmed else IntentState.CANCELLED)
    assert message.labels == [f"Right: {other.handle}", f"Wrong: {other.handle}"]


@pytest.mark.parametrize("data", ["goal:delete:g-7k2m", "goal:keep:g-7k2m", "goalask:show:g-7k2m", "goals:1", "goal:"])
def test_data_that_nobody_made_is_out_of_date(kit, data):
    assert forge(kit, data, "ada") == say("telegram.old_button")
