"""Remembrancer as one cog of a discord.py bot that somebody else runs: what it needs opens and ends with it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from discord.ext import commands

from adapters.discord.cog import RememberCog
from core.catalogue import say

log = logging.getLogger(__name__)

NEEDED = ("guilds", "guild_messages", "message_content")
"""The intents without which a rule hears nothing."""


class GuestCog(commands.Cog, name="Remembrancer"):
    """`await bot.add_cog(...)` begins, `remove_cog` and the bot's close end.

    `begin` makes the cog that does the work; `end` may be called more than once.
    """

    def __init__(
        self, bot: commands.Bot, begin: Callable[[], Awaitable[RememberCog]], end: Callable[[], Awaitable[None]]
    ) -> None:
        self._bot = bot
        self._begin = begin
        self._end = end
        self._cog: RememberCog | None = None

    async def cog_load(self) -> None:
        """Open what is needed and listen. Raises ConfigError and StorageError; then nothing was added."""
        try:
            cog = await self._begin()
            await self._bot.add_cog(cog)
        except BaseException:
            await asyncio.shield(self._end())
            raise
        self._cog = cog
        if missing := [name for name in NEEDED if not getattr(self._bot.intents, name)]:
            log.warning("discord.guest: %s", say("embed.intents", names=", ".join(missing)))

    async def cog_unload(self) -> None:
        """Let the sends under way end, take the commands away, close."""
        cog, self._cog = self._cog, None
        try:
            if cog is not None:
                await self._bot.remove_cog(cog.qualified_name)
        finally:
            await self._end()
