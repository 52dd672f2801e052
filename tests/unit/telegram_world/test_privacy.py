"""What a bot gets to hear in privacy mode, and without it."""

from types import SimpleNamespace

import pytest

from tests.fakes.telegram.robots import Bot
from tests.fakes.telegram.world import World


@pytest.fixture
def quiet() -> SimpleNamespace:
    """A world that does not listen: what is queued for the bots is looked at."""
    world = World()
    ada, bob = world.person("Ada"), world.person("Bob")
    bot = world.bot()
    ops = world.supergroup("Ops", creator=ada, members=[bob, bot])
    return SimpleNamespace(world=world, ada=ada, bob=bob, bot=bot, ops=ops)


def heard(bot: Bot) -> list[str]:
    kinds = [update.kind for update in bot.queue]
    bot.queue.clear()
    return kinds


def test_plain_talk_is_not_delivered_in_privacy_mode(quiet) -> None:
    quiet.bob.says(quiet.ops, "the launch checklist")
    quiet.bob.says(quiet.ops, "hey @remembrancer_bot")
    quiet.bob.sends(quiet.ops, "photo", "a caption")
    quiet.bob.says(quiet.ops, "/start@other_bot")
    assert heard(quiet.bot) == []
    assert quiet.bot.me()["can_read_all_group_messages"] is False


def test_commands_replies_and_messages_by_way_of_it_are_delivered(quiet) -> None:
    own = quiet.bot.says(quiet.ops, "hello")
    quiet.bob.says(quiet.ops, "/intent list")
    quiet.bob.says(quiet.ops, "/intent@Remembrancer_Bot list")
    quiet.bob.says(quiet.ops, "yes", reply_to=own)
    quiet.bob.says(quiet.ops, "a card", via=quiet.bot)
    assert heard(quiet.bot) == ["message"] * 4


def test_a_bare_command_goes_to_the_bot_that_spoke_last_and_to_all_where_none_has(quiet) -> None:
    second = quiet.world.bot("second_bot", "Second")
    quiet.world.sets(quiet.ops, second, "member")
    quiet.bob.says(quiet.ops, "/help")
    assert (heard(quiet.bot), heard(second)) == (["message"], ["message"])
    quiet.bot.says(quiet.ops, "hello")
    quiet.bob.says(quiet.ops, "/help")
    assert (heard(quiet.bot), heard(second)) == (["message"], [])
    quiet.bob.says(quiet.ops, "/help@second_bot")
    assert (heard(quiet.bot), heard(second)) == ([], ["message"])


def test_a_reply_to_one_bot_that_names_another_is_for_the_one_replied_to(quiet) -> None:
    second = quiet.world.bot("second_bot", "Second")
    quiet.world.sets(quiet.ops, second, "member")
    own = quiet.bot.says(quiet.ops, "hello")
    quiet.bob.says(quiet.ops, "/help@second_bot", reply_to=own)
    assert (heard(quiet.bot), heard(second)) == (["message"], [])


def test_service_messages_come_in_privacy_mode_too(quiet) -> None:
    cleo = quiet.world.person("Cleo")
    cleo.joins(quiet.ops)
    cleo.leaves(quiet.ops)
    quiet.ada.pins(quiet.bob.says(quiet.ops, "hi"))
    assert heard(quiet.bot) == ["message"] * 3


def test_an_administrator_and_a_bot_without_privacy_hear_all_but_bots(quiet) -> None:
    open_bot = quiet.world.bot("open_bot", "Open", privacy=False)
    quiet.world.sets(quiet.ops, open_bot, "member")
    quiet.world.sets(quiet.ops, quiet.bot, "administrator")
    quiet.bob.says(quiet.ops, "the launch checklist")
    assert (heard(quiet.bot), heard(open_bot)) == (["message"], ["message"])
    quiet.bot.says(quiet.ops, "said by a bot")
    assert (heard(quiet.bot), heard(open_bot)) == ([], [])
    assert open_bot.me()["can_read_all_group_messages"] is True


def test_a_change_of_privacy_mode_counts_after_the_bot_was_added_again(quiet) -> None:
    quiet.bot.privacy = False
    quiet.bob.says(quiet.ops, "one")
    assert heard(quiet.bot) == []
    quiet.ada.removes(quiet.ops, quiet.bot)
    quiet.ada.adds(quiet.ops, quiet.bot)
    heard(quiet.bot)
    quiet.bob.says(quiet.ops, "two")
    assert heard(quiet.bot) == ["message"]


def test_a_private_chat_is_one_bot_s_alone(quiet) -> None:
    second = quiet.world.bot("second_bot", "Second")
    quiet.bob.starts(second)
    quiet.bob.says(second, "hello")
    assert (heard(quiet.bot), heard(second)) == ([], ["message"] * 2)
    with pytest.raises(AssertionError, match="never pressed Start"):
        quiet.bob.says(quiet.bot, "hello")
