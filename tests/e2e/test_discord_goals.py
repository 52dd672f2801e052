"""Goal memory on Discord: goals and risks made, listed and completed, and the questions that notices ask."""

import re

import pytest

from tests.fakes.discord.scene import Scene
from tests.fakes.discord.talking import told

PLATFORM = "discord"
pytestmark = pytest.mark.thorough

GOAL = re.compile(r"\bg-[0-9a-z]{4,6}\b")


@pytest.fixture
def here(world, process):
    return Scene(world, process)


def make(here, text, place=None, by=None, **options):
    """A goal by command; its handle."""
    answer = (by or here.ada).slash(place or here.ops, "goal add", text=text, **options)
    return GOAL.findall(told(answer, "g-"))[0]


def listed(here, place=None, by=None, **options):
    """What somebody is shown as the list."""
    return told((by or here.ada).slash(place or here.ops, "goal list", **options))


def test_a_risk_and_a_goal_that_waits_are_made_listed_and_completed(here):
    risk = make(here, "Vendor contract ends", type="risk", due="in 3 days", priority="high")
    goal = make(here, "Ship the API", depends=risk)
    text = listed(here)
    assert text.index(risk) < text.index(goal), "what is more urgent stands first"
    assert f"waits for {risk}" in text
    question = here.ada.slash(here.ops, "goal done", handle=goal).says(f"still waits for {risk}")
    here.ada.clicks(question, "No")
    here.world.until(lambda: "stays as it is" in question.words)
    assert "is completed" in told(here.ada.slash(here.ops, "goal done", handle=risk))
    assert goal in here.world.answer(here.ada.dm, "The way is free", timeout=8).words
    assert "is completed" in told(here.ada.slash(here.ops, "goal done", handle=goal))
    assert goal not in listed(here) and goal in listed(here, all=True)
    assert goal in told(here.ada.slash(here.ops, "goal search", text="API"))


def test_who_waits_for_what_is_cancelled_is_asked_and_answers_after_a_restart(here):
    first, other = make(here, "Sign the contract"), make(here, "Find another vendor")
    goal = make(here, "Ship the API", depends=first)
    told(here.ada.slash(here.ops, "goal cancel", handle=first), "cancelled for good")
    asked = here.world.answer(here.ada.dm, "What now?", timeout=8)
    assert asked.labels[0] == f"{goal}: go on without {first}"
    here.process.restarts()
    menu = here.ada.clicks(asked, f"{goal}: wait for something else").says("instead of")
    told(here.ada.selects(menu, other), "Find another vendor.")
    assert f"waits for {other}" in listed(here)
    shown = here.ada.slash(here.ops, "goal show", handle=goal).says("Ship the API")
    assert shown.labels == ["Done", "Hold", "Cancel"]
    told(here.ada.clicks(shown, "Hold"), "is on hold")
    here.world.until(lambda: shown.labels == ["Take it up again", "Cancel"], what="it is shown anew")


def test_the_deadline_of_a_risk_passes_and_its_owner_is_told_once(here):
    risk = make(here, "Certificate runs out", type="risk", due="in 2 seconds")
    notice = here.world.answer(here.ada.dm, "The deadline of a risk has passed", timeout=8)
    assert risk in notice.words and "high" in notice.words
    here.world.stays(
        lambda: len([one for one in here.world.bot_texts(here.ada.dm) if "of a risk has passed" in one]) == 1,
        what="once",
    )
    assert "expired" in listed(here)


def test_a_member_is_not_offered_goals_and_learns_what_they_answer_for(here):
    make(here, "Ship the API")
    assert not [name for name in here.bob.offered(here.ops) if name.startswith("goal ")]
    theirs = make(here, "Review the pull request", owner=here.bob)
    notice = here.world.answer(here.bob.dm, "made you responsible", timeout=8)
    assert theirs in notice.words and "/goal done handle:" in notice.words


def test_who_is_shown_the_commands_without_rights_sees_and_does_what_is_theirs(here):
    eve = here.world.person("Eve")
    managers = here.guild.role("managers", manage_guild=True)
    here.guild.add(eve, managers)
    goal = make(here, "Ship the API")
    shown = eve.slash(here.ops, "goal show", handle=goal).says("Ship the API")
    here.guild.take(eve, managers)
    assert "There is nothing called" in told(eve.clicks(shown, "Done"), "nothing called")
    assert goal in listed(here)


def test_what_is_made_in_a_private_channel_is_seen_there_alone(here):
    secret = here.guild.text("secret", only=[here.ada, here.world.bot])
    goal = make(here, "Whisper", secret)
    assert goal in listed(here, secret)
    assert goal not in listed(here)
    assert goal not in told(here.ada.slash(here.ops, "goal search", text="Whisper"))
    assert "There is nothing called" in told(here.ada.slash(here.ops, "goal show", handle=goal))
    assert [one.value for one in here.ada.completes(here.ops, "goal show", "handle", "").suggestions()] == []
