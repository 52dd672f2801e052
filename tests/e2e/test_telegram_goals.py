"""Goal memory on Telegram: goals and risks made, listed and completed, and the questions that notices ask."""

import re

import pytest

from tests.fakes.bots import reply_to

pytestmark = pytest.mark.thorough

GOAL = re.compile(r"\bg-[0-9a-z]{4,6}\b")


@pytest.fixture(autouse=True)
def alive(process):
    """The next test finds a bot that runs."""
    yield
    if not process.runs:
        process.start()


def make(world, who, place, words):
    """A goal by command; its handle."""
    return GOAL.findall(reply_to(world, who.says(place, f"/goal add {words}")).text)[0]


def privately(world, who, place, command):
    """What somebody is told in their private chat, as a message."""
    before = len(world.bot_messages(who))
    assert reply_to(world, who.says(place, command)).text == "I sent it to you privately."
    return world.until(lambda: world.bot_messages(who)[before:], what=f"the answer to {command}")[-1]


def told(world, press):
    """What is shown to whoever pressed a button."""
    return world.until(lambda: press.answer is not None and press.answer)


def test_a_risk_and_a_goal_that_waits_are_made_listed_and_completed(world, ada, ops):
    risk = make(world, ada, ops, 'type:risk due:"in 3 days" Vendor contract ends --priority high')
    goal = make(world, ada, ops, f"Ship the API --depends {risk}")
    listed = privately(world, ada, ops, "/goal list").text
    assert listed.index(risk) < listed.index(goal), "what is more urgent stands first"
    assert f"waits for {risk}" in listed
    question = reply_to(world, ada.says(ops, f"/goal done {goal}"))
    assert f"still waits for {risk}" in question.text
    ada.presses(question, "No")
    world.until(lambda: "stays as it is" in question.text)
    assert f"{risk} is completed" in reply_to(world, ada.says(ops, f"/goal done {risk}")).text
    assert f"The way is free for {goal}" in world.answer(ada, "The way is free", timeout=8).text
    assert f"{goal} is completed" in reply_to(world, ada.says(ops, f"/goal done {goal}")).text
    assert goal not in privately(world, ada, ops, "/goal list").text
    assert goal in privately(world, ada, ops, "/goal search API").text


def test_who_waits_for_what_is_cancelled_is_asked_and_answers_after_a_restart(world, ada, ops, process):
    first, other = make(world, ada, ops, "Sign the contract"), make(world, ada, ops, "Find another vendor")
    goal = make(world, ada, ops, f"Ship the API --depends {first}")
    reply_to(world, ada.says(ops, f"/goal cancel {first}"), "cancelled for good")
    asked = world.answer(ada, "What now?", timeout=8)
    assert asked.labels[0] == f"{goal}: go on without {first}"
    process.kill()
    process.start()
    ada.presses(asked, f"{goal}: wait for something else")
    offered = world.answer(ada, "instead of", timeout=8)
    ada.presses(offered, f"{other} Find another vendor")
    world.answer(ada, f"{other} (active)", timeout=8)
    assert f"waits for {other}" in privately(world, ada, ops, "/goal list").text
    shown = privately(world, ada, ops, f"/goal show {goal}")
    assert shown.labels == ["Done", "Hold", "Cancel"]
    assert "is on hold" in told(world, ada.presses(shown, "Hold"))["text"]
    world.until(lambda: shown.labels == ["Take it up again", "Cancel"])


def test_the_deadline_of_a_risk_passes_and_its_owner_is_told_once(world, ada, ops):
    risk = make(world, ada, ops, 'type:risk due:"in 2 seconds" Certificate runs out')
    notice = world.answer(ada, "The deadline of a risk has passed", timeout=8)
    assert risk in notice.text and "high" in notice.text
    world.stays(lambda: len([one for one in world.bot_texts(ada) if "of a risk has passed" in one]) == 1, what="once")
    assert "expired" in privately(world, ada, ops, "/goal list").text


def test_a_member_without_rights_makes_and_sees_nothing_and_may_be_made_responsible(world, bot, ada, bob, ops):
    bob.starts(bot)
    bob.says(ops, "hello")
    goal = make(world, ada, ops, "Ship the API")
    assert "Only owners" in reply_to(world, bob.says(ops, "/goal add Ship another")).text
    assert "There is nothing called" in reply_to(world, bob.says(ops, f"/goal done {goal}")).text
    assert goal not in privately(world, bob, ops, "/goal list").text
    theirs = make(world, ada, ops, "Review the pull request --owner @bob")
    assert theirs in world.answer(bob, "made you responsible", timeout=8).text
    assert theirs in privately(world, bob, ops, "/goal list").text
    assert f"{theirs} is completed" in reply_to(world, bob.says(ops, f"/goal done {theirs}")).text


def test_what_is_made_in_one_group_is_not_seen_in_another(world, bot, ada, bob, ops):
    goal = make(world, ada, ops, "Whisper")
    other = world.supergroup("Other", creator=ada, members=[bob, bot])
    assert goal not in privately(world, ada, other, "/goal list").text
    assert "There is nothing called" in reply_to(world, ada.says(other, f"/goal done {goal}")).text
    assert goal not in privately(world, ada, other, "/goal search Whisper").text
