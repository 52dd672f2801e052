"""What happens to a server: the bot comes and goes, people leave, owners change."""

import logging

import discord

from adapters.base.contract import Post, SendFailed
from adapters.base.runner import Runner
from adapters.discord.places import PROVIDER, principal_of, where_of
from adapters.discord.receiving import may_write
from adapters.discord.rights import Rights
from adapters.discord.sending import Sender, told
from core.errors import StorageError
from core.services.context import Context
from core.services.end_membership import EndMembership
from core.services.end_space import CompareSpaces, EndSpace, ReturnSpace
from core.services.end_timed import EndTimed
from core.services.live_creators import LiveCreators
from core.turn import SYSTEM, Where
from core.wording.lines import Line, line, lines

log = logging.getLogger(__name__)

ASKED_AT_ONCE = 100
"""So many members Discord tells of in one answer."""


class Members:
    """Carries out changes of membership. All of it may come twice."""

    def __init__(self, ctx: Context, hot: Runner, client: discord.Client, sender: Sender, rights: Rights) -> None:
        self._ctx = ctx
        self._hot = hot
        self._client = client
        self._sender = sender
        self._rights = rights

    def space(self, guild_id: int, name: str = "") -> Where:
        """A server as a place."""
        key = str(guild_id)
        return Where(PROVIDER, self._rights.account, key, key, key, space_name=name)

    async def joined(self, guild: discord.Guild) -> None:
        """The bot was added to a server: what to say, and what waits from before."""
        waiting = await self._hot(lambda: ReturnSpace(self._ctx)(self.space(guild.id)))
        found: list[Line] = [line("discord.hello.back", count=waiting)] if waiting else [*lines("discord.hello")]
        channel = greeted(guild)
        where = None if channel is None else where_of(channel, self._rights.account)
        if where is None:
            log.info("discord.hello: no channel in which to write")
            return
        try:
            await self._sender.send(Post(where, tuple(found)))
        except SendFailed as failed:
            log.warning("discord.hello: %s", failed.why)

    async def removed(self, guild_id: int) -> None:
        """The bot was removed from a server: its rules rest."""
        await self._hot(lambda: EndSpace(self._ctx)(self.space(guild_id), SYSTEM))

    async def compare(self, here: frozenset[str]) -> None:
        """Servers that the bot was removed from, or added to again, while it was away."""
        account = self._rights.account
        ended, returned = await self._hot(lambda: CompareSpaces(self._ctx)(PROVIDER, account, here))
        if ended or returned:
            log.info("discord.servers: left %s, back in %s", ended, returned)

    async def left(self, guild: discord.Guild, user_id: int, *, gone: bool) -> None:
        """Somebody is no owner any more: their rules there are paused, and the owners told.

        Who is `gone` altogether is not reminded there by the clock any more, either.
        """
        where, who = self.space(guild.id, guild.name), principal_of(user_id, self._rights.account)
        owners = tuple(one for one in self._rights.owners(guild) if one != who)
        await self._hot(lambda: EndMembership(self._ctx)(who, where, owners, SYSTEM))
        if gone:
            await self._hot(lambda: EndTimed(self._ctx)(who, where, SYSTEM))

    async def review(self, guild: discord.Guild) -> None:
        """Look after whoever has live rules in a server: they may have left it, or lost the right, unseen.

        Discord does not tell what happened while the bot was away, and the library not of members that it does not
        know; whoever is asked for here is known from then on. Raises RetryLater.
        """
        where, rights = self.space(guild.id, guild.name), self._rights
        creators = await self._hot(lambda: LiveCreators(self._ctx)(where))
        watched = [who for who in creators if who.account == rights.account and not rights.is_operator(who)]
        for start in range(0, len(watched), ASKED_AT_ONCE):
            asked = watched[start : start + ASKED_AT_ONCE]
            found = {str(one.id): one for one in await self._ask(guild, [int(who.user_id) for who in asked])}
            for who in asked:
                member = found.get(who.user_id)
                if member is None:
                    if not await rights.is_member(who, where):
                        await self.left(guild, int(who.user_id), gone=True)
                elif not await rights.decides(member, where):
                    await self.left(guild, member.id, gone=False)

    async def review_all(self) -> None:
        """The same in every server; where it cannot be done now, the next start does it."""
        for guild in list(self._client.guilds):
            if guild.unavailable:
                continue
            try:
                await self.review(guild)
            except (SendFailed, StorageError) as error:
                log.warning("discord.review: %s: %s", guild.id, error)

    async def met(self, guild: discord.Guild, user: discord.abc.User) -> None:
        """An owner did something: the library tells of changes to members that it knows, so it gets to know them."""
        if not isinstance(user, discord.Member) or guild.get_member(user.id) is not None:
            return
        if await self._rights.decides(user, self.space(guild.id)):
            await self._ask(guild, [user.id])

    async def _ask(self, guild: discord.Guild, ids: list[int]) -> list[discord.Member]:
        """Members of now. Without the intent for members nobody tells what becomes of them: they are not kept."""
        keeps = self._client.intents.members
        return await told(lambda: guild.query_members(user_ids=ids, limit=ASKED_AT_ONCE, cache=keeps))

    async def changed(self, before: discord.Member, after: discord.Member) -> None:
        """Roles were given or taken."""
        if before.roles == after.roles or after.bot:
            return
        where, rights = self.space(after.guild.id), self._rights
        if await rights.decides(before, where) and not await rights.decides(after, where):
            await self.left(after.guild, after.id, gone=False)


def greeted(guild: discord.Guild) -> discord.TextChannel | None:
    """Where to say hello: where the server shows its own messages, else the first channel to write in."""
    first = [guild.system_channel] if guild.system_channel is not None else []
    return next((channel for channel in (*first, *guild.text_channels) if may_write(channel)), None)
