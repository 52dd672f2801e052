"""The smallest host of the Discord adapter: one client of its own."""

import asyncio
import logging
from collections.abc import Callable, Iterable
from contextlib import suppress

import aiohttp
import discord
from discord.ext import commands

from adapters.base.runner import Runner
from adapters.discord.adapter import Options
from adapters.discord.cog import RememberCog
from adapters.discord.endpoints import point_at
from core.catalogue import say
from core.errors import ConfigError, RemembrancerError
from core.services.context import Context
from core.turn import Principal

log = logging.getLogger(__name__)

discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # this bot does not speak

LONGEST_WAIT = 30.0
"""Seconds of a rate limit for which the library waits; for longer ones the outbox does."""
BAD_TOKEN = 4004


class Host(commands.Bot):
    """A bot with no commands of its own: what people write is no command to it."""

    def __init__(self, intents: discord.Intents) -> None:
        super().__init__(
            commands.when_mentioned,
            intents=intents,
            help_command=None,
            max_messages=None,
            chunk_guilds_at_startup=False,
            allowed_mentions=discord.AllowedMentions.none(),
            max_ratelimit_timeout=LONGEST_WAIT,
        )

    async def on_message(self, message: discord.Message, /) -> None:
        """Nothing: the cog listens."""


class DiscordService:
    """Runs one bot until it is told to stop. Raises ConfigError (with `permanent`) for a token that is not valid."""

    name = "discord"

    def __init__(
        self,
        *,
        ctx: Context,
        run_in_hot_thread: Runner,
        token: str,
        api_url: str = "",
        gateway_url: str = "",
        operators: Iterable[Principal] = (),
        dm_owners: bool = False,
        poll: float = 5.0,
        changed: Callable[[], object] = lambda: None,
    ) -> None:
        self._ctx = ctx
        self._hot = run_in_hot_thread
        self._token = token
        self._options = Options(tuple(operators), dm_owners, changed)
        self._poll = poll
        self._bot: Host | None = None
        self._cog: RememberCog | None = None
        point_at(api_url, gateway_url)

    def wake(self) -> None:
        """Something is to be delivered."""
        if self._cog is not None:
            self._cog.wake()

    def described(self) -> str:
        """Its name, and in how many servers it listens."""
        bot = self._bot
        assert bot is not None and bot.user is not None, "it is ready"  # noqa: S101
        count = len(bot.guilds)
        key = "discord.ready.none" if not count else "discord.ready.one" if count == 1 else "discord.ready"
        return say(key, name=bot.user.name, count=count)

    async def run(self, ready: Callable[[], None], stop: asyncio.Event) -> None:
        """Receive and deliver until `stop` is set; `ready` is called once it works."""
        intents = await self._allowed()
        bot = self._bot = Host(intents)
        self._cog = RememberCog(bot, self._ctx, self._hot, self._options, poll=self._poll, sync=True, ready=ready)
        async with bot:
            await self._log_in(bot)
            await bot.add_cog(self._cog)
            connected = asyncio.create_task(bot.connect(), name="discord gateway")
            stopping = asyncio.create_task(stop.wait())
            try:
                await asyncio.wait({connected, stopping}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                stopping.cancel()
                await bot.remove_cog(self._cog.qualified_name)
                await bot.close()
                with suppress(Exception):
                    await asyncio.wait_for(asyncio.gather(connected, return_exceptions=True), LONGEST_WAIT)
            if connected.done() and not connected.cancelled() and (error := connected.exception()) is not None:
                raise _told(error) from error

    async def _allowed(self) -> discord.Intents:
        """What the bot may listen to, as its application says. Raises ConfigError without the content of messages."""
        client = discord.Client(intents=discord.Intents(guilds=True))
        async with client:
            await self._log_in(client)
            flags = client.application_flags
        if not (flags.gateway_message_content or flags.gateway_message_content_limited):
            raise ConfigError(say("discord.intents"), say("discord.intents.hint"), permanent=True)
        members = flags.gateway_guild_members or flags.gateway_guild_members_limited
        return listening(members=members)

    async def _log_in(self, client: discord.Client) -> None:
        try:
            await client.login(self._token)
        except (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError) as error:
            raise _told(error) from error


def listening(*, members: bool) -> discord.Intents:
    """What the bot asks Discord to tell it of, and nothing more."""
    intents = discord.Intents.none()
    intents.guilds = intents.guild_messages = intents.dm_messages = intents.message_content = True
    intents.members = members
    return intents


def _told(error: BaseException) -> RemembrancerError:
    """What an error means for whoever runs the bot."""
    if isinstance(error, discord.LoginFailure):
        return ConfigError(say("discord.token"), say("discord.token.hint"), permanent=True)
    if isinstance(error, discord.PrivilegedIntentsRequired):
        return ConfigError(say("discord.intents"), say("discord.intents.hint"), permanent=True)
    if isinstance(error, discord.ConnectionClosed) and error.code == BAD_TOKEN:
        return RemembrancerError(say("discord.refused"), say("discord.token.hint"))
    log.warning("discord.unreachable: %s", type(error).__name__)
    return RemembrancerError(say("discord.unreachable"), say("discord.unreachable.hint"))
