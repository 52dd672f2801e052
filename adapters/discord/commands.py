"""The slash commands of Discord: `/intent`, `/goal`, `/remind`, `/aspire`, `/remembrancer`, and "Remember this".

They only take in what was chosen and hand it on; who may do what is checked by whoever carries it out. Discord merely
hides from the others what needs Manage Server.
"""

import logging
from functools import partial

import discord
from discord import app_commands

from adapters.discord import composing
from adapters.discord.acknowledging import UNKNOWN_INTERACTION, Asker, Interaction, refused, show_form
from adapters.discord.forms import RememberForm
from adapters.discord.goals import GoalGroup
from adapters.discord.groups import CONTEXTS, INSTALLS, CommandGroup, PageNumber, mention, readable, shown, verb
from adapters.discord.intents import IntentGroup
from adapters.discord.sync import Tree, check_bounds, taken
from adapters.discord.text import to_marked_text
from core.catalogue import say
from core.errors import ConfigError
from core.limits import LIMITS
from core.text.commonwords import rank

RANKED_LANGUAGE = "en"
GROUPS = ("intent", "goal", "remind", "aspire", "remembrancer")
"""The names of the commands that `add_commands` adds, but for the menu of a message."""
_LIBRARY_LOG = "discord.app_commands.tree"


class RemindGroup(CommandGroup):
    """`/remind`, for everybody."""

    kind = "r"

    def __init__(self, asker: Asker) -> None:
        super().__init__(asker, "remind", owners=False)

    @verb("remind.me")
    async def me(
        self,
        interaction: Interaction,
        time: app_commands.Range[str, 1, LIMITS.when_chars],
        text: app_commands.Range[str, 1, LIMITS.description_chars],
        person: discord.User | None = None,
        deliver: str | None = None,
    ) -> None:
        whom, direct = mention(person), deliver == "dm"
        await self.told(interaction, text, lambda shown: composing.remind_me(time, shown, whom, direct))

    @verb("remind.list")
    async def list(self, interaction: Interaction, all_: bool = False, page: PageNumber = 1) -> None:
        await self.typed(interaction, lambda: composing.listed(all_, page))

    @verb("remind.show")
    async def show(self, interaction: Interaction, handle: str) -> None:
        await self.typed(interaction, lambda: composing.remind_one("show", handle))

    @verb("remind.done")
    async def done(self, interaction: Interaction, handle: str) -> None:
        await self.typed(interaction, lambda: composing.remind_one("done", handle))

    @verb("remind.cancel")
    async def cancel(self, interaction: Interaction, handle: str) -> None:
        await self.typed(interaction, lambda: composing.remind_one("cancel", handle))

    @verb("remind.later")
    async def later(self, interaction: Interaction, handle: str, time: str) -> None:
        await self.typed(interaction, lambda: composing.remind_one("snooze", handle, time))


class AspireGroup(CommandGroup):
    """`/aspire`."""

    kind = "m"

    def __init__(self, asker: Asker) -> None:
        super().__init__(asker, "aspire", owners=True)

    @verb("aspire.add")
    async def add(self, interaction: Interaction, text: str, review: str | None = None) -> None:
        await self.told(interaction, text, lambda shown: composing.aspire_add(shown, review or ""))

    @verb("aspire.list")
    async def list(self, interaction: Interaction, all_: bool = False, page: PageNumber = 1) -> None:
        await self.typed(interaction, lambda: composing.listed(all_, page))

    @verb("aspire.review")
    async def review(self, interaction: Interaction, handle: str, review: str) -> None:
        await self.typed(interaction, lambda: composing.aspire_one("review", handle, review))

    @verb("aspire.done")
    async def done(self, interaction: Interaction, handle: str) -> None:
        await self.typed(interaction, lambda: composing.aspire_one("done", handle))


class RemembrancerGroup(CommandGroup):
    """`/remembrancer`, for everybody."""

    def __init__(self, asker: Asker) -> None:
        super().__init__(asker, "remembrancer", owners=False)

    @verb("remembrancer.help")
    async def help(self, interaction: Interaction) -> None:
        await self.typed(interaction, lambda: "help")

    @verb("remembrancer.privacy")
    async def privacy(self, interaction: Interaction) -> None:
        await self.typed(interaction, lambda: "privacy")

    @verb("remembrancer.settings")
    async def settings(self, interaction: Interaction, setting: str | None = None, value: str | None = None) -> None:
        await self.typed(interaction, lambda: composing.setting(setting or "", value or ""))


def remember_menu(asker: Asker) -> app_commands.ContextMenu:
    """What stands in the menu of a message."""
    name = say("discord.menu.remember")

    async def remember(interaction: Interaction, message: discord.Message) -> None:
        async def given(submitted: Interaction, words: str, text: str) -> None:
            words, text = await readable(submitted, words), await shown(submitted, text)
            await asker.remember(submitted, message, words, text)

        await show_form(interaction, RememberForm(first_words(message.content), given), name)

    async def failed(interaction: Interaction, error: app_commands.AppCommandError) -> None:
        await refused(interaction, error, name)

    menu = app_commands.ContextMenu(name=name, callback=remember, allowed_contexts=CONTEXTS, allowed_installs=INSTALLS)
    menu.default_permissions = discord.Permissions(manage_guild=True)
    menu.error(failed)
    return menu


def first_words(content: str) -> str:
    """A first idea of what to listen for in messages like this one."""
    return composing.key_words(to_marked_text(content).text, partial(rank, language=RANKED_LANGUAGE))


def add_commands(tree: Tree, asker: Asker) -> None:
    """Add all of it to a tree, which may be somebody else's.

    Raises ConfigError, and adds nothing, where a name is taken or Discord's number of commands would be passed.
    """
    groups = (IntentGroup(asker), GoalGroup(asker), RemindGroup(asker), AspireGroup(asker), RemembrancerGroup(asker))
    commands: tuple[app_commands.Group | app_commands.ContextMenu, ...] = (*groups, remember_menu(asker))
    payloads = [command.to_dict(tree) for command in commands]
    for payload in payloads:
        check_bounds(payload)
    if names := taken(tree, payloads):
        raise ConfigError(say("discord.taken", names=", ".join(names)), say("discord.taken.hint"))
    added: list[app_commands.Group | app_commands.ContextMenu] = []
    try:
        for command in commands:
            tree.add_command(command)
            added.append(command)
    except app_commands.CommandLimitReached as error:
        for command in added:
            kind = command.type if isinstance(command, app_commands.ContextMenu) else discord.AppCommandType.chat_input
            tree.remove_command(command.name, type=kind)
        raise ConfigError(say("discord.too_many", limit=error.limit), say("discord.too_many.hint")) from None
    _hush_late_choices()


def _hush_late_choices() -> None:
    """Choices that came too late for somebody who types fast are no fault: the library would log a traceback."""
    log = logging.getLogger(_LIBRARY_LOG)
    if _is_no_late_choice not in log.filters:
        log.addFilter(_is_no_late_choice)


def _is_no_late_choice(record: logging.LogRecord) -> bool:
    error = record.exc_info[1] if record.exc_info else None
    late = isinstance(error, discord.NotFound) and error.code == UNKNOWN_INTERACTION
    name = str(record.args[0]) if isinstance(record.args, tuple) and record.args else ""
    ours = name.partition(" ")[0] in GROUPS
    return not (late and ours and record.msg.startswith("Ignoring exception in autocomplete"))


def remove_commands(tree: Tree) -> None:
    """Take out what `add_commands` added."""
    for name in GROUPS:
        tree.remove_command(name)
    tree.remove_command(say("discord.menu.remember"), type=discord.AppCommandType.message)
