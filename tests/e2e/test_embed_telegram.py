"""Remembrancer inside an application of somebody else: the real python-telegram-bot over real sockets."""

import pytest

from tests.fakes.bots import make, replies, reply_to
from tests.fakes.embedded import EXAMPLES, GUESTS, embedded
from tests.fakes.telegram.world import World

pytestmark = pytest.mark.thorough

SENTENCE = "when someone mentions the launch checklist, remind me to confirm the rollback owner"
TEXT = "Confirm the rollback owner"


@pytest.fixture
def world():
    with World() as made:
        yield made


@pytest.fixture
def bot(world):
    return world.bot("somebodys_bot", privacy=False)


@pytest.fixture
def ada(world, bot):
    person = world.person("Ada")
    person.starts(bot)
    return person


@pytest.fixture
def bob(world):
    return world.person("Bob")


@pytest.fixture
def ops(world, bot, ada, bob):
    return world.supergroup("Ops", creator=ada, members=[bob, bot])


def a_program(world, bot, folder, program):
    return embedded(program, folder, LOOPBACK_TELEGRAM=world.url, MY_TELEGRAM_TOKEN=bot.token)


def remember(world, ada, ops):
    """A rule made by a sentence of its owner."""
    question = reply_to(world, ada.says(ops, SENTENCE), "Confirm the rollback owner")
    ada.presses(question, "Yes, save it")
    world.until(lambda: "Saved as" in question.text, what="the rule is saved")


def test_the_example_answers_its_own_command_and_remembers(world, bot, ada, bob, ops, tmp_path):
    with a_program(world, bot, tmp_path, EXAMPLES / "telegram_bot.py") as program:
        program.start()
        assert reply_to(world, bob.says(ops, "/ping"), seconds=30).text == "pong"
        remember(world, ada, ops)
        assert TEXT in reply_to(world, bob.says(ops, "is the launch checklist ready?")).text
        assert program.stop() == 0
    assert program.output() == ""


@pytest.mark.thorough
def test_everything_of_theirs_works_beside_ours_and_after_a_restart(world, bot, ada, bob, ops, tmp_path):
    def theirs():
        """All that their application does."""
        assert reply_to(world, bob.says(ops, "/ping")).text == "pong"
        assert reply_to(world, bob.says(ops, "anybody there")).text == "I am"
        assert reply_to(world, bob.says(ops, "/boom")).text == "their handler failed: boom"
        assert reply_to(world, bob.says(ops, "/nothing")).text == "unknown command"
        assert reply_to(world, bob.says(ops, "/cancel")).text == "unknown command"
        assert reply_to(world, ada.says(ops, "/start")).text == "their start"
        panel = reply_to(world, bob.says(ops, "/panel"))
        press = bob.presses(panel, "Press me")
        world.until(lambda: press.answer is not None)
        assert press.answer["text"] == "pressed menu:help"

    with a_program(world, bot, tmp_path, GUESTS / "telegram_bot.py") as program:
        program.start("Application started")
        theirs()
        remember(world, ada, ops)
        reminder = reply_to(world, bob.says(ops, "is the launch checklist ready?"))
        assert TEXT in reminder.text
        asked = ada.says(ops, "/intent list")
        assert "privately" in reply_to(world, asked, "privately").text
        assert [one.text for one in replies(world, asked) if "unknown" in one.text] == []
        ada.presses(reminder, "Done")
        world.until(lambda: reminder.labels == ["✓ Done – ada"], what="the button")
        menu = reply_to(world, ada.says(ops, "/intent"))
        ada.presses(menu, "Help")
        world.until(lambda: len(replies(world, menu)) == 1, what="the help")
        assert "r-" in reply_to(world, bob.says(ops, "/remind in 2h check the logs")).text
        theirs()
        assert program.stop() == 0
        told = program.output()
        assert told.index("their post_init") < told.index("embed.started") < told.index("embed.stopped")
        assert "their post_shutdown, used by 0" in told
        assert "/start belongs to this application" in told
        assert "Warning" not in told and told.count("Traceback") == 0, told

        program.start("embed.started")
        make(world, ada, ops, "zebra => Feed it --anyone")
        assert "Feed it" in reply_to(world, bob.says(ops, "a zebra")).text
        listed = reply_to(world, ada.says(ops, "/intent list"), "privately")
        assert listed and TEXT in world.bot_messages(ada)[-1].text
        assert program.stop() == 0


@pytest.mark.thorough
def test_an_answer_that_waits_is_given_by_our_link_although_start_is_theirs(world, bot, ada, bob, tmp_path):
    group = world.supergroup("Quiet", creator=bob, members=[ada, bot])
    with a_program(world, bot, tmp_path, GUESTS / "telegram_bot.py") as program:
        program.start("embed.started")
        note = reply_to(world, bob.says(group, "/intent list"))
        assert note.buttons[0]["url"].endswith("?start=answer")
        bob.starts(bot, "answer")
        world.until(lambda: "No rules" in "".join(world.bot_texts(bob)), what="the answer")
        assert "their start" not in "".join(world.bot_texts(bob))
        assert program.stop() == 0
