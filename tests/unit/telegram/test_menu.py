"""The commands that Telegram shows: told when they differ, and only then."""

from adapters.telegram.service import MEMBER_COMMANDS, sync_commands

NAMES = ("intent", "remind", "settings", "help", "privacy", "cancel", "start")


def told(kit, names=NAMES):
    """How many menus were set."""
    before = len(kit.cast.bot.calls("setMyCommands"))
    kit.run(sync_commands(kit.application, names))
    return len(kit.cast.bot.calls("setMyCommands")) - before


def menus(kit):
    return {
        scope: [one["command"] for one in commands] for (scope, _language), commands in kit.cast.bot.commands.items()
    }


def test_each_kind_of_chat_is_told_once(kit):
    assert told(kit) == 3
    assert told(kit) == 0


def test_members_see_the_short_list_and_administrators_all(kit):
    told(kit)
    assert menus(kit) == {
        '{"type": "all_group_chats"}': [name for name in NAMES if name in MEMBER_COMMANDS],
        '{"type": "all_chat_administrators"}': [name for name in NAMES if name != "start"],
        '{"type": "all_private_chats"}': list(NAMES),
    }


def test_only_the_menu_that_changed_is_told_anew(kit):
    told(kit)
    assert told(kit, [*NAMES[:-1], "aspire"]) == 2
    assert told(kit, [name for name in NAMES if name != "start"]) == 2


def test_a_menu_that_somebody_else_emptied_is_told_again(kit):
    told(kit)
    kit.cast.bot.commands.clear()
    assert told(kit) == 3
