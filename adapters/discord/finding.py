"""Finding what an act names: people, bots, webhooks and channels, and what was said, asked from Discord."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import discord

from adapters.base.collected import CollectedDesk, work
from adapters.base.contract import NeverSent, SendFailed
from adapters.base.runner import Runner
from adapters.discord.history import said_in
from adapters.discord.places import PROVIDER, may_say, person_of, shown_name, where_of
from adapters.discord.rights import Rights, unanswered
from adapters.discord.seen import Seen
from adapters.discord.sending import told
from adapters.discord.voice import Voice
from core.catalogue import say
from core.errors import InvalidInput
from core.services.context import Context
from core.standing.preview import Past
from core.turn import Principal, Turn, Visibility, Where, machine_kind

_PERSON = re.compile(r"<@!?([0-9]{1,20})>")
NAMED = 5
LOOKED_BACK = 100
"""So many messages are read for a bot or webhook that is named and has not posted yet since the start."""
Named = discord.Thread | discord.TextChannel | discord.VoiceChannel | discord.ForumChannel
T = TypeVar("T")


class Finder:
    """`adapters.base.collected.Asker` of Discord."""

    def __init__(
        self, ctx: Context, hot: Runner, client: discord.Client, voice: Voice, rights: Rights, seen: Seen
    ) -> None:
        self.ctx = ctx
        self.hot = hot
        self.client = client
        self.voice = voice
        self.rights = rights
        self.seen = seen

    def _places(self, where: Where, user: discord.abc.User, *, forums: bool = False) -> Mapping[str, Where]:
        """The channels, or the `forums`, that both the person and the bot can see, by lower-case name and by id."""
        guild = self.client.get_guild(int(where.space)) if where.visibility is not Visibility.DIRECT else None
        if guild is None:
            return {}
        member = user if isinstance(user, discord.Member) else guild.get_member(user.id)
        channels: list[Named] = [*guild.threads, *guild.text_channels, *guild.voice_channels]
        if forums:
            channels = [*guild.forums]
        found = {}
        for channel in channels:
            there = where_of(channel, self.rights.account)
            if there is None or not channel.permissions_for(guild.me).view_channel:
                continue
            public = there.visibility is Visibility.PUBLIC
            if not (public if member is None else channel.permissions_for(member).view_channel):
                continue
            found[channel.name.casefold()] = found[f"<#{channel.id}>"] = there
        return found

    def _silent(self, where: Where, user: discord.abc.User) -> bool:
        """May the person, or the bot, not write there?"""
        channel = self.client.get_channel(int(where.conversation))
        if not isinstance(channel, Named):
            return True
        member = user if isinstance(user, discord.Member) else channel.guild.get_member(user.id)
        return not may_say(channel, channel.guild.me) or (member is not None and not may_say(channel, member))

    async def work(self, desk: CollectedDesk, act: Callable[[], T]) -> T:
        """Do it on the database thread; what Discord has to be asked for is asked first, and it is begun again."""
        return await work(desk, act, self.hot, self)

    async def look_up(self, desk: CollectedDesk, name: str) -> None:
        """Somebody of the server: by the mention that Discord put in, by name, or by the name that the store knows."""
        guild = self.client.get_guild(int(desk.where.space)) if desk.where.visibility is not Visibility.DIRECT else None
        mentioned = _PERSON.fullmatch(name)
        if mentioned is not None:
            await self._look_up_id(desk, name, int(mentioned[1]), guild)
            return
        robots = self._called(desk.where, name) or await self._looked_back(desk.where, name)
        found = [] if guild is None else await _named(guild, name)
        members = [
            (person_of(one, self.rights.account), shown_name(one))
            for one in found
            if name in {one.name.casefold(), one.display_name.casefold()}
        ]
        if not members and not robots:
            stored = await self.hot(lambda: self._stored(name))
            people = [(who, shown) for who, shown in stored if machine_kind(who) is None]
            members = [(who, shown) for who, shown in people if await self.rights.is_member(who, desk.where)]
        named = dict([*members, *robots])
        if len(named) > 1:
            raise InvalidInput(say("discord.several", name=name), say("discord.several.hint"))
        for one in named.items():
            desk.people[name] = one

    def _called(self, where: Where, name: str) -> list[tuple[Principal, str]]:
        """Bots and webhooks of that name or id that posted here."""
        return [(who, shown) for who, shown in self.seen.robots(where).items() if _is_called(who, shown, name)]

    async def _looked_back(self, where: Where, name: str) -> list[tuple[Principal, str]]:
        """The same, of those whose posts are read for it: before this process began."""
        for turn in await self._said(where, LOOKED_BACK) or ():
            if machine_kind(turn.sender) is not None:
                self.seen.remember(turn)
        return self._called(where, name)

    async def _said(self, where: Where, limit: int) -> Past | None:
        try:
            return await said_in(self.client, where, limit, self.rights.account, self.ctx.clock.now())
        except SendFailed:
            return None

    async def _look_up_id(self, desk: CollectedDesk, name: str, id_: int, guild: discord.Guild | None) -> None:
        if guild is None:
            return
        try:
            member = guild.get_member(id_)
            if member is None:
                member = await told(lambda: guild.fetch_member(id_))
        except NeverSent:
            return
        except SendFailed as failed:
            raise unanswered() from failed
        desk.people[name] = person_of(member, self.rights.account), shown_name(member)

    def _stored(self, name: str) -> tuple[tuple[Principal, str], ...]:
        with self.ctx.store.read() as tx:
            return tx.places.people_named(PROVIDER, self.rights.account, name, self.ctx.limits.people_named)

    async def reaches(self, desk: CollectedDesk) -> bool:
        """Can the person be written to?"""
        assert desk.who.principal is not None, "a person asks"  # noqa: S101
        return await self.voice.sender.reaches(desk.who.principal)

    async def read_back(self, desk: CollectedDesk) -> Sequence[Turn] | None:
        """What was said at the desk's place; None where the person may not read it."""
        assert desk.who.principal is not None, "a person asks"  # noqa: S101
        if not await self.rights.may_read(desk.who.principal, desk.where):
            return None
        limit, now = self.ctx.limits.preview_messages, self.ctx.clock.now()
        found = await said_in(self.client, desk.where, limit, self.rights.account, now)
        if found is None:
            return None
        return Past((turn for turn in found if turn.message_id != desk.asking), more=found.more)


def _is_called(robot: Principal, shown: str, name: str) -> bool:
    return name in {shown.casefold(), robot.user_id}


async def _named(guild: discord.Guild, name: str) -> list[discord.Member]:
    """Members whose names begin like that, as far as Discord tells."""
    try:
        return await guild.query_members(name, limit=NAMED)
    except (TimeoutError, discord.DiscordException, ValueError, RuntimeError, AttributeError):  # or not connected
        return []
