"""A bot on Telegram whose privacy mode is on: it says so first, and hears commands and replies alone."""

import pytest

from tests.fakes.bots import RULE, make, replies, reply_to

pytestmark = pytest.mark.thorough

PRIVACY = True


def test_t211_the_first_message_explains_what_it_cannot_hear_and_how_to_change_that(world, bot, ada, bob):
    group = world.supergroup("New", creator=ada, members=[bob])
    ada.adds(group, bot)
    hello = world.answer(group, "Hello")
    assert "I cannot hear this group yet" in hello.text
    assert f"{bot.username}, then Bot Settings, Group Privacy, Turn off" in hello.text
    assert "administrator here" in hello.text


def test_commands_and_replies_are_heard_and_nothing_else(world, bot, ada, bob, ops):
    make(world, ada, ops, f"{RULE} --cooldown 0s")
    plain = bob.says(ops, "the launch checklist")
    world.settled()
    world.stays(lambda: replies(world, plain) == [], what="silence")
    reply = bob.says(ops, "the launch checklist", reply_to=world.bot_messages(ops)[-1])
    assert "Confirm" in reply_to(world, reply).text


def test_an_administrator_hears_everything_and_is_not_told_of_a_mode(world, bot, ada, bob):
    group = world.supergroup("New", creator=ada, members=[bob])
    ada.adds(group, bot, can_delete_messages=True)
    hello = world.answer(group, "Hello")
    assert "cannot hear" not in hello.text
    make(world, ada, group)
    assert "Confirm" in reply_to(world, bob.says(group, "the launch checklist")).text
