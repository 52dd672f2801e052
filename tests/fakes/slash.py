"""A bot with our slash commands in a simulated Discord, and an asker that only writes down what it was asked."""

import asyncio
import warnings
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC

import discord
import simcord
from discord import app_commands

from adapters.discord.commands import add_commands
from core.standing.typed import IntentCommand


@dataclass
class RecordingAsker:
    """Answers everything with "done". `fault` is raised instead, `suggestions` are the handles that it offers."""

    fault: BaseException | None = None
    suggestions: list[tuple[str, str]] = field(default_factory=list)
    asked: list[tuple] = field(default_factory=list)
    was_deferred: list[bool] = field(default_factory=list)

    @property
    def intent(self) -> IntentCommand:
        """The `/intent` command that was asked last."""
        return self.asked[-1][1]

    async def _take(self, interaction: discord.Interaction, *asked: object) -> None:
        self.was_deferred.append(interaction.response.is_done())
        self.asked.append(asked)
        if self.fault is not None:
            raise self.fault
        await interaction.followup.send("done", ephemeral=True)

    async def command(self, interaction, name, rest):
        await self._take(interaction, name, rest)

    async def do(self, interaction, wanted, said):
        await self._take(interaction, "intent", wanted(UTC), said)

    async def goal(self, interaction, wanted, said):
        await self._take(interaction, "goal", wanted, said)

    async def remember(self, interaction, message, words, text):
        await self._take(interaction, "remember", message.id, words, text)

    async def handles(self, interaction, kind, typed):
        self.asked.append(("handles", kind, typed))
        if self.fault is not None:
            raise self.fault
        return self.suggestions


class SlashBot(discord.Client):
    """A bot that has nothing but our commands."""

    def __init__(self, asker: RecordingAsker) -> None:
        super().__init__(intents=discord.Intents.default())
        self.tree = app_commands.CommandTree(self)
        add_commands(self.tree, asker)

    async def setup_hook(self) -> None:
        await self.tree.sync()


class Stage:
    """One server with an owner, a member, two channels; the bot is there."""

    def __init__(self, env: simcord.Env, asker: RecordingAsker) -> None:
        self.env, self.asker = env, asker
        self.guild = env.create_guild(name="Acme")
        self.channel, self.ops = self.guild.create_text_channel("general"), self.guild.create_text_channel("ops")
        managers = self.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
        self.ada = self.guild.add_member(env.create_user("ada"), roles=[managers])
        self.bob = self.guild.add_member(env.create_user("bob"))

    async def slash(self, name, *, by=None, **options):
        """Type a command; names that Python keeps for itself bear a `_`."""
        given = {option.rstrip("_"): value for option, value in options.items()}
        return await (by or self.ada).slash(self.channel, name, **given)

    def calls(self, since: int = 0):
        """What the bot asked of Discord: method, last part of the path, kind of the answer."""
        return [
            (call.method, call.path.rpartition("/")[2], (call.json or {}).get("type") if call.json else None)
            for call in self.env.http_requests[since:]
            if isinstance(call.json, dict | None)
        ]


@asynccontextmanager
async def stage(asker: RecordingAsker, **options):
    """A running bot; what it raised and nobody caught fails the test."""
    async with simcord.run(SlashBot(asker), **options) as env:
        yield Stage(env, asker)


def played(act: Callable[[Stage], Awaitable[object]], asker: RecordingAsker | None = None, **options):
    """Play one scene, and give back what it gave."""

    async def scene():
        async with stage(asker or RecordingAsker(), **options) as here:
            return await act(here)

    with warnings.catch_warnings():
        return asyncio.run(scene())
