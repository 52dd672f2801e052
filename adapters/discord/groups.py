"""How groups of slash commands are made: words and choices from the catalogue, rights, and completion of handles."""

import inspect
import re
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, ClassVar

import discord
from discord import app_commands

from adapters.base.contract import SendFailed
from adapters.discord.acknowledging import CHOICE_CHARS, Asker, Interaction, carry_out, choices, cut, refused
from adapters.discord.composing import PLACES, Wanted
from adapters.discord.forms import WHO
from adapters.discord.places import sees, shown_name
from adapters.discord.sending import told
from adapters.discord.text import to_entry_text, to_shown_text
from core.catalogue import say, template
from core.goals.commands import ANSWERS
from core.goals.commands import VALUES as GOAL_VALUES
from core.settings import Setting
from core.standing.commands import VALUES

CONTEXTS = app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False)
INSTALLS = app_commands.AppInstallationType(guild=True, user=False)
CHOICES: dict[str, tuple[str, ...]] = {
    "who": WHO,
    "per": VALUES["per"],
    "scope": VALUES["scope"],
    "priority": VALUES["priority"],
    "status": VALUES["status"],
    "place": tuple(PLACES),
    "setting": tuple(Setting),
    "remind.me.deliver": VALUES["deliver"],
    "type": GOAL_VALUES["type"],
    "state": GOAL_VALUES["state"],
    "answer": ANSWERS,
}
"""What can be chosen for an option, by its name or by command and name."""
LOOK_UPS = 8
"""How many people of one entry Discord is asked for."""
PageNumber = app_commands.Range[int, 1, 100_000]
_ID = re.compile(r"<(?:@[!&]?|#)(\d{1,25})>")
Handler = Callable[..., Coroutine[Any, Any, None]]
Suggests = Callable[[Any, Interaction, str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]


class CommandGroup(app_commands.Group):
    """A group whose commands an asker carries out. `kind` is that of the handles in it."""

    kind: ClassVar[str] = ""

    def __init__(self, asker: Asker, name: str, *, owners: bool) -> None:
        super().__init__(
            name=name,
            description=say(f"discord.command.{name}"),
            default_permissions=discord.Permissions(manage_guild=True) if owners else None,
            allowed_contexts=CONTEXTS,
            allowed_installs=INSTALLS,
        )
        self.asker = asker

    async def suggest(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """What can stand in a `handle` option."""
        return await choices(self.asker, interaction, self.kind, typed)

    async def suggest_bots(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Bots and webhooks that posted here lately."""
        return await choices(self.asker, interaction, "b", typed)

    async def suggest_rules(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Rules, in a group that is about something else."""
        return await choices(self.asker, interaction, "i", typed)

    async def suggest_over(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Goals that are over without being completed: what others may still wait for."""
        return await choices(self.asker, interaction, "o", typed)

    async def suggest_more(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """What can stand behind the last comma of a list of handles."""
        before, comma, last = typed.rpartition(",")
        found = await choices(self.asker, interaction, self.kind, last.strip())
        if not comma:
            return found
        made = ((f"{before}, {one.name}", f"{before}, {one.value}") for one in found)
        return [
            app_commands.Choice(name=cut(name, CHOICE_CHARS), value=value)
            for name, value in made
            if len(value) <= CHOICE_CHARS
        ]

    async def typed(self, interaction: Interaction, compose: Callable[[], str]) -> None:
        """Carry out what the options were composed to."""
        name = self.name
        await carry_out(interaction, lambda: self.asker.command(interaction, name, compose()), f"/{name}")

    async def told(self, interaction: Interaction, text: str, compose: Callable[[str], str]) -> None:
        """The same with a text for people, in which ids are made readable."""

        async def act() -> None:
            await self.asker.command(interaction, self.name, compose(await shown(interaction, text)))

        await carry_out(interaction, act, f"/{self.name}")

    async def wanted(self, interaction: Interaction, wanted: Wanted, said: str) -> None:
        """Carry out an `/intent` command."""
        await carry_out(interaction, lambda: self.asker.do(interaction, wanted, said), f"/{self.name}")

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        await refused(interaction, error, f"/{self.name}")


COMPLETED: dict[str, Suggests] = {
    "handle": CommandGroup.suggest,
    "bot": CommandGroup.suggest_bots,
    "rule": CommandGroup.suggest_rules,
    "of": CommandGroup.suggest_over,
    "by": CommandGroup.suggest,
    **dict.fromkeys(("on", "others", "depends", "blocks"), CommandGroup.suggest_more),
}
"""What is offered while somebody types an option."""


def verb(path: str) -> Callable[[Handler], app_commands.Command[Any, ..., None]]:
    """Make a handler the command `path` (`intent.add`). An option bears its parameter's name, without a `_` at the end.

    The texts are `discord.command.<path>` and `discord.option.<name>`, or where there is one that of the path or the
    group: `discord.option.intent.add.<name>`, `discord.option.intent.<name>`.
    """

    def made(handler: Handler) -> app_commands.Command[Any, ..., None]:
        names = {parameter: parameter.rstrip("_") for parameter in list(inspect.signature(handler).parameters)[2:]}
        described = app_commands.describe(**{one: _described(path, name) for one, name in names.items()})
        renamed = app_commands.rename(**{one: name for one, name in names.items() if one != name})
        can_be = {one: found for one, name in names.items() if (found := _choices(path, name))}
        handler = app_commands.choices(**can_be)(renamed(described(handler)))
        completed = {one: COMPLETED[name] for one, name in names.items() if name in COMPLETED}
        if completed:
            handler = app_commands.autocomplete(**completed)(handler)
        name = path.rpartition(".")[2]
        return app_commands.command(name=name, description=say(f"discord.command.{path}"))(handler)

    return made


def _described(path: str, name: str) -> str:
    for key in (f"discord.option.{path}.{name}", f"discord.option.{path.partition('.')[0]}.{name}"):
        try:
            return template(key)
        except KeyError:
            continue
    return say(f"discord.option.{name}")


def _choices(path: str, name: str) -> list[app_commands.Choice[str]]:
    found = CHOICES.get(f"{path}.{name}") or CHOICES.get(name, ())
    return [app_commands.Choice(name=value, value=value) for value in found]


def mention(person: discord.abc.User | None) -> str:
    """Somebody who was picked, as Discord writes it: `<@123>`."""
    return f"<@{person.id}>" if person else ""


async def readable(interaction: Interaction, words: str) -> str:
    """Words to listen for, with the names of those whom Discord put there as ids; what it does not tell stays an id."""
    return to_entry_text(words, await _names(interaction, words))


async def shown(interaction: Interaction, text: str) -> str:
    """A text for people, with the names of whom and what Discord put there as ids."""
    return to_shown_text(text, await _names(interaction, text))


async def _names(interaction: Interaction, text: str) -> dict[str, str]:
    guild = interaction.guild
    if guild is None:
        return {}
    keys = dict.fromkeys(found[1] for found in _ID.finditer(text))
    names = {key: name for key in keys if (name := _known(guild, int(key), interaction.user))}
    for key in [key for key in keys if key not in names][:LOOK_UPS]:
        try:
            names[key] = shown_name(await told(partial(guild.fetch_member, int(key))))
        except SendFailed:  # nobody of this server, or not told now
            continue
    return names


def _known(guild: discord.Guild, key: int, asker: discord.abc.User) -> str:
    """The name of a member, a role, or a channel that whoever asks can see; "" for all else."""
    if member := guild.get_member(key):
        return shown_name(member)
    channel = guild.get_channel_or_thread(key)
    if channel is not None:
        return channel.name if sees(asker, channel) else ""
    role = guild.get_role(key)
    return role.name if role is not None else ""
