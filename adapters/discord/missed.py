"""What was said while the bot was away: Discord does not send it again, so it is read from the channels.

How far messages were received is noted every half minute and at the end, but not while anything is left to be read:
what a channel does not give now is asked for again. What is read twice fires nothing twice: each message has its
receipt, and a sentence is acted on once.
"""

import logging
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from functools import partial

import discord

from adapters.base.contract import NeverSent, SendFailed
from adapters.base.runner import Runner
from adapters.discord.places import PROVIDER
from adapters.discord.rights import Rights
from adapters.discord.sending import told
from core.services.context import Context
from core.services.watermark import NoteWatermark, ReadWatermark

log = logging.getLogger(__name__)

CHANNELS = 100
"""In so many channels it is looked, those with the newest messages first."""
MESSAGES = 500
"""So many messages of a channel are received, the newest; Discord gives them by 100."""
NOTE_SECONDS = 30.0
Readable = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.Thread


@dataclass(frozen=True, slots=True)
class _Left:
    """A channel that is to be read: what was said in it after `since`, up to `last` at least."""

    channel: Readable
    since: int
    last: int


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
        self._since: int | None = 0
        """From where on it is to be looked: None where nothing is, 0 where the process before ended."""
        self._known = True
        self._left: dict[int, _Left] = {}

    def saw(self, message_id: int) -> None:
        """Discord has sent a message."""
        self._newest = max(self._newest, message_id)

    def connected(self) -> None:
        """A new session begins, whose servers are not known yet: whatever comes from now on was not missed."""
        self._known = False
        if self._since is None:
            self._since = self._newest

    def ready(self) -> None:
        """The servers of the session are known."""
        self._known = True

    async def note(self) -> None:
        """Keep how far messages were received, unless something before that is left to be read."""
        newest = self._newest
        if newest > self._noted and self._is_done():
            await self._hot(partial(NoteWatermark(self._ctx), PROVIDER, self._rights.account, newest))
            self._noted = newest

    async def catch_up(self) -> bool:
        """Receive what was missed, and not too long ago: nothing at the first start of all. False: do it again soon."""
        await self._look()
        count = 0
        for left in list(self._left.values()):
            count += await self._read(left)
        if count:
            log.info("discord.missed: %d messages were read", count)
        return self._is_done()

    def _is_done(self) -> bool:
        return self._since is None and not self._left

    async def _look(self) -> None:
        """Find the channels in which something was missed, once the servers are known."""
        if self._since == 0:
            self._since = await self._begun()
        if self._since is None or not self._known:
            return
        before, since = self._left, self._since
        found = {channel.id: _Left(channel, since, _last(channel)) for channel in self._silent_since(since)}
        for id_, left in before.items():
            now = found.get(id_, left)
            found[id_] = _Left(now.channel, min(now.since, left.since), now.last)
        newest = sorted(found.values(), key=lambda left: left.last, reverse=True)
        if len(newest) > CHANNELS:
            log.warning("discord.missed: %d channels were left out", len(newest) - CHANNELS)
        self._left = {left.channel.id: left for left in newest[:CHANNELS]}
        self._since = None

    async def _begun(self) -> int:
        """How far the process before came. The first of all begins now, and notes it in case it is killed soon."""
        login = PROVIDER, self._rights.account
        stored = await self._hot(partial(ReadWatermark(self._ctx), *login))
        if stored:
            return stored
        now = discord.utils.time_snowflake(self._ctx.clock.now(), high=True)
        await self._hot(partial(NoteWatermark(self._ctx), *login, now))
        return now

    def _silent_since(self, since: int) -> Iterator[Readable]:
        """Channels in which something was said since then, and not too long ago, that the bot may read."""
        since = max(since, self._oldest())
        for guild in self._client.guilds:
            channels: list[Readable] = [*guild.text_channels, *guild.voice_channels, *guild.threads]
            for channel in channels:
                may = channel.permissions_for(guild.me)
                if _last(channel) > since and may.view_channel and may.read_message_history:
                    yield channel

    def _oldest(self) -> int:
        """What was said before that sets off nothing any more."""
        return discord.utils.time_snowflake(self._ctx.clock.now() - self._ctx.limits.turn_max_age)

    async def _read(self, left: _Left) -> int:
        """Receive what was missed in a channel; it stays left where Discord does not give it now."""
        channel, oldest = left.channel, self._oldest()
        if left.last < oldest:
            log.warning("discord.missed: channel %d could not be read in time", channel.id)
            self._over(left)
            return 0
        try:
            messages = await told(lambda: _after(channel, max(left.since, oldest)))
        except SendFailed as failed:
            log.warning("discord.missed: channel %d: %s", channel.id, failed.why)
            if _for_good(failed):
                self._over(left)
            return 0
        if len(messages) > MESSAGES:
            log.warning("discord.missed: channel %d: only the newest %d messages were read", channel.id, MESSAGES)
        answered = {
            message.reference.message_id
            for message in messages
            if message.reference is not None and str(message.author.id) == self._rights.account
        }
        missed = [message for message in reversed(messages[:MESSAGES]) if message.id not in answered]
        for message in missed:
            await self._receive(message)
        self._over(left)
        return len(missed)

    def _over(self, left: _Left) -> None:
        del self._left[left.channel.id]


def _for_good(failed: SendFailed) -> bool:
    """Did Discord itself say that it will never work? An error without a code is of something on the way to it."""
    cause = failed.__cause__
    return isinstance(failed, NeverSent) and not (isinstance(cause, discord.HTTPException) and not cause.code)


def _last(channel: Readable) -> int:
    return channel.last_message_id or 0


async def _after(channel: Readable, since: int) -> list[discord.Message]:
    """The newest messages since then, the newest first; one more than are received, where there are more."""
    after = discord.Object(since)
    return [message async for message in channel.history(limit=MESSAGES + 1, after=after, oldest_first=False)]
