"""A group on Telegram: the real library over real sockets, the bot in a process of its own."""

import pytest

from tests.fakes.bots import reply_to, running
from tests.fakes.telegram.world import World


@pytest.fixture(scope="module")
def telegram(tmp_path_factory):
    """One Telegram and one running bot for all tests of this file; each makes groups and people of its own."""
    with World() as world:
        bot = world.bot("remembrancer_bot", privacy=False)
        with running(world, bot, tmp_path_factory.mktemp("bot")) as process:
            yield world, bot, process


@pytest.fixture
def people(telegram):
    world, bot, _ = telegram
    ada, bob = world.person("Ada"), world.person("Bob")
    ada.starts(bot)
    return ada, bob


@pytest.fixture
def ops(telegram, people):
    world, bot, _ = telegram
    ada, bob = people
    return world.supergroup("Ops", creator=ada, members=[bob, bot])


def make(world, ada, group, words="launch checklist => Confirm the rollback owner --anyone"):
    """A rule made by command and saved by its button; the message that shows it."""
    asked = ada.says(group, f"/intent add {words}")
    question = reply_to(world, asked)
    ada.presses(question, "Yes, save it")
    world.until(lambda: "Saved" in question.text or "saved" in question.text, what="the rule is saved")
    return question


def test_a_rule_made_by_command_fires_at_the_words_of_another_member(telegram, people, ops):
    world, _, _ = telegram
    ada, bob = people
    make(world, ada, ops)
    said = bob.says(ops, "is the launch checklist ready?")
    reminder = reply_to(world, said)
    assert "Confirm the rollback owner" in reminder.text
    assert reminder.reply_to.id == said.id
    print(reminder.text, reminder.labels)
