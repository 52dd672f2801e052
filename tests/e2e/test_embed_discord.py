"""Remembrancer inside a bot of somebody else: the real discord.py over real sockets."""

import time

import pytest

from tests.fakes.discord.world import World
from tests.fakes.embedded import EXAMPLES, GUESTS, embedded

pytestmark = pytest.mark.thorough

SENTENCE = "when someone mentions the launch checklist, remind me to confirm the rollback owner"
TEXT = "Confirm the rollback owner"


@pytest.fixture
def world():
    with World("Somebody") as made:
        yield made


@pytest.fixture
def ada(world):
    return world.person("Ada")


@pytest.fixture
def bob(world):
    return world.person("Bob")


@pytest.fixture
def ops(world, ada, bob):
    return world.guild("Ops", owner=ada, members=[bob]).text("ops")


def a_program(world, folder, program, **env):
    env |= {"LOOPBACK_DISCORD_API": world.api_url, "LOOPBACK_DISCORD_GATEWAY": world.gateway_url}
    return embedded(program, folder, MY_DISCORD_TOKEN=world.token, **env)


def begins(world, program):
    """Started, and connected with its commands told."""
    before = len(world.syncs)
    program.start()
    world.until(lambda: len(world.syncs) > before, 30, "the commands are told")
    world.connects()


def remember(world, ada, ops):
    """A rule made by a sentence of its owner."""
    said = ada.says(ops, SENTENCE)
    question = world.answer(ops, TEXT, after=said)
    ada.clicks(question, "Yes, save it")
    world.until(lambda: "Saved as" in question.words, what="the rule is saved")


def test_the_example_answers_its_own_command_and_remembers(world, ada, bob, ops, tmp_path):
    with a_program(world, tmp_path, EXAMPLES / "discord_bot.py") as program:
        begins(world, program)
        bob.slash(ops, "ping").says("pong")
        remember(world, ada, ops)
        said = bob.says(ops, "is the launch checklist ready?")
        world.answer(ops, TEXT, after=said)
        assert program.stop() == 0
    told = program.output()
    assert "Warning" not in told and "WARNING" not in told and "Traceback" not in told, told


@pytest.mark.thorough
def test_everything_of_theirs_works_beside_ours_and_after_a_restart(world, ada, bob, ops, tmp_path):
    def theirs():
        """All that their bot does."""
        bob.slash(ops, "ping").says("pong")
        bob.slash(ops, "boom").says("their slash command failed: boom")
        for said, answer in (
            ("!hello", "hello yourself"),
            ("anybody there", "I am"),
            ("!boom", "their command failed: boom"),
            ("!nothing", "their command failed"),
        ):
            world.answer(ops, answer, after=bob.says(ops, said))
        panel = world.answer(ops, "a panel", after=bob.says(ops, "!panel"))
        bob.clicks(panel, "Press me").says("pressed")
        return panel

    with a_program(world, tmp_path, GUESTS / "discord_bot.py") as program:
        begins(world, program)
        old = theirs()
        remember(world, ada, ops)
        reminder = world.answer(ops, TEXT, after=bob.says(ops, "is the launch checklist ready?"))
        ada.clicks(reminder, "Why?").says("fired")
        ada.clicks(reminder, "Done")
        world.until(lambda: "Done – " in str(reminder.state.components), what="the button")
        ada.slash(ops, "intent list").says(TEXT)
        bob.slash(ops, "remind me", time="2h", text="check the logs").says("r-")
        theirs()
        assert program.stop() == 0
        told = program.output()
        assert told.index("embed.started") < told.index("embed.stopped")
        assert "Warning" not in told and "Traceback" not in told, told

        begins(world, program)
        bob.clicks(old, "Press me").says("pressed")
        ada.slash(ops, "intent list").says(TEXT)
        assert [one["disabled"] for one in reminder.buttons] == [True]
        assert program.stop() == 0


@pytest.mark.thorough
def test_the_cog_goes_and_comes_while_the_bot_runs(world, ada, bob, ops, tmp_path):
    with a_program(world, tmp_path, GUESTS / "discord_bot.py") as program:
        begins(world, program)
        remember(world, ada, ops)
        world.answer(ops, "used by 0; commands left: boom, ping", after=bob.says(ops, "!away"))
        quiet = bob.says(ops, "launch checklist")
        world.stays(lambda: world.said(ops, TEXT, after=quiet) is None, what="quiet")
        world.answer(ops, "hello yourself", after=bob.says(ops, "!hello"))
        world.answer(ops, "used by 1", after=bob.says(ops, "!back"))
        world.answer(ops, TEXT, after=bob.says(ops, "launch checklist"))
        assert program.stop() == 0
        assert "Traceback" not in program.output()


@pytest.mark.thorough
def test_a_bot_that_has_a_remind_of_its_own_is_told_and_goes_on_without_us(world, ada, bob, ops, tmp_path):
    with a_program(world, tmp_path, GUESTS / "discord_bot.py", OWN_REMIND="1") as program:
        begins(world, program)
        program.says("without Remembrancer: This bot has commands of these names already: remind.")
        bob.slash(ops, "remind").says("their own reminder")
        world.answer(ops, "hello yourself", after=bob.says(ops, "!hello"))
        assert world.commands() == ["ping", "boom", "remind"]
        time.sleep(0.5)  # their bot reads the answer to its own message
        assert program.stop() == 0
        assert "Traceback" not in program.output()
