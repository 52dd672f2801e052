"""What was said while the bot was away: Discord does not send it again, so it is read from the channels.

How far messages were received is noted every half minute and at the end. What is read again fires nothing twice: each
message has its receipt. Sentences that the bot answered already are left out by its answers.
"""

import logging
from collections.abc import Awaitable, Callable, Iterator
from functools import partial

import discord

from adapters.base.contract import SendFailed
from adapters.base.runner import Runner
from adapters.discord.places import PROVIDER
from adapters.discord.rights import Rights
from adapters.discord.sending import told
from core.services.context import Context
from core.services.watermark import NoteWatermark, ReadWatermark

log = logging.getLogger(__name__)

CHANNELS = 100
"""In so many channels it is looked, those with the newest messages first."""
MESSAGES = 100
"""So many messages of a channel are read, the newest."""
NOTE_SECONDS = 30.0
Readable = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.Thread


class Missed:
    """Reads what was missed. `receive` takes a message as it takes those that Discord sends."""

    def __init__(
        self,
        ctx: Context,
        hot: Runner,
        client: discord.Client,
        rights: Rights,
        receive: Callable[[discord.Message], Awaitable[None]],
    ) -> None:
        self._ctx = ctx
        self._hot = hot
        self._client = client
        self._rights = rights
        self._receive = receive
        self._newest = 0
        self._noted = 0
        self._since = 0

    def saw(self, message_id: int) -> None:
        """Discord has sent a message."""
        self._newest = max(self._newest, message_id)

    def connected(self) -> None:
        """A new session begins: whatever comes from now on was not missed."""
        self._since = self._newest

    async def note(self) -> None:
        """Keep how far messages were received."""
        newest = self._newest
        if newest > self._noted:
            await self._hot(partial(NoteWatermark(self._ctx), PROVIDER, self._rights.account, newest))
            self._noted = newest

    async def catch_up(self) -> None:
        """Receive what was said since then, and not too long ago. Nothing at the first start of all."""
        since = self._since or await self._hot(partial(ReadWatermark(self._ctx), PROVIDER, self._rights.account))
        if not since:
            return
        oldest = discord.utils.time_snowflake(self._ctx.clock.now() - self._ctx.limits.turn_max_age)
        found = sorted(self._silent_since(max(since, oldest)), key=_last, reverse=True)
        if len(found) > CHANNELS:
            log.warning("discord.missed: %d channels were left out", len(found) - CHANNELS)
        count = 0
        for channel in found[:CHANNELS]:
            count += await self._read(channel, max(since, oldest))
        if count:
            log.info("discord.missed: %d messages were read", count)

    def _silent_since(self, since: int) -> Iterator[Readable]:
        """Channels in which something was said since then, that the bot may read."""
        for guild in self._client.guilds:
            channels: list[Readable] = [*guild.text_channels, *guild.voice_channels, *guild.threads]
            for channel in channels:
                may = channel.permissions_for(guild.me)
                if _last(channel) > since and may.view_channel and may.read_message_history:
                    yield channel

    async def _read(self, channel: Readable, since: int) -> int:
        try:
            messages = await told(lambda: _after(channel, since))
        except SendFailed as failed:
            log.warning("discord.missed: %s", failed.why)
            return 0
        answered = {
            message.reference.message_id
            for message in messages
            if message.reference is not None and str(message.author.id) == self._rights.account
        }
        missed = [message for message in reversed(messages) if message.id not in answered]
        for message in missed:
            await self._receive(message)
        return len(missed)


def _last(channel: Readable) -> int:
    return channel.last_message_id or 0


async def _after(channel: Readable, since: int) -> list[discord.Message]:
    """The newest messages since then, the newest first."""
    after = discord.Object(since)
    return [message async for message in channel.history(limit=MESSAGES, after=after, oldest_first=False)]
