"""Who may decide here. Discord tells with each act what a person may do; for anybody else it is asked."""

from collections.abc import Awaitable, Callable, Iterable, Sequence

import discord

from adapters.base.contract import NeverSent
from adapters.discord.places import PROVIDER, principal_of, shown_name
from adapters.discord.sending import told
from core.catalogue import say
from core.errors import StorageError
from core.turn import Actor, ActorType, Principal, Visibility, Where

OWNERS_TOLD = 50
"""At most so many owners are told of something."""


OwnerRole = Callable[[Where], Awaitable[str]]


class Rights:
    """The rights of people in servers. `own_direct`: in their direct message everybody decides for themselves.

    `owner_role` answers the id of the role whose members are owners of a server, "" for none.
    """

    def __init__(
        self, client: discord.Client, operators: Iterable[Principal], own_direct: bool, owner_role: OwnerRole
    ) -> None:
        self._client = client
        self._owner_role = owner_role
        self._operators = frozenset(operators)
        self._own_direct = own_direct

    @property
    def account(self) -> str:
        """The bot's own id. Known once it has logged in."""
        assert self._client.user is not None, "it is logged in"  # noqa: S101
        return str(self._client.user.id)

    async def asking(self, interaction: discord.Interaction, where: Where) -> Actor:
        """Whoever pressed or typed a command, with the rights that Discord tells of at that moment."""
        here = interaction.guild_id is not None and where.space == str(interaction.guild_id)
        owner = here and (manages(interaction) or await self._has_role(interaction.user, where))
        return self._actor(interaction.user, where, owner)

    async def saying(self, user: discord.abc.User, where: Where) -> Actor:
        """Whoever wrote a message, with the roles that came with it; asked where none came. Raises RetryLater."""
        if isinstance(user, discord.Member):
            owner = await self.decides(user, where)
        else:  # as in a message that was read from a channel
            owner = await self.is_owner(principal_of(user.id, self.account), where)
        return self._actor(user, where, owner)

    def is_operator(self, who: Principal) -> bool:
        """May that person do everything, in every server?"""
        return who in self._operators

    async def _has_role(self, user: discord.abc.User, where: Where) -> bool:
        if not isinstance(user, discord.Member) or len(user.roles) < 2:  # everybody has one
            return False
        wanted = await self._owner_role(where)
        return bool(wanted) and any(str(role.id) == wanted for role in user.roles)

    def _actor(self, user: discord.abc.User, where: Where, owner: bool) -> Actor:
        who = principal_of(user.id, self.account)
        if where.visibility is Visibility.DIRECT:
            owner = self._own_direct
        operator = who in self._operators
        return Actor(ActorType.HUMAN_USER, who.user_id, shown_name(user), who, is_owner=owner, is_operator=operator)

    async def actor(self, user: discord.abc.User, where: Where) -> Actor:
        """Somebody with the rights of now in a place that they do not act in. Raises StorageError."""
        try:
            owner = await self.is_owner(principal_of(user.id, self.account), where)
        except Exception as error:
            raise unanswered() from error
        return self._actor(user, where, owner)

    async def is_owner(self, who: Principal, where: Where) -> bool:
        """Does that person decide for the server, now? Asked from Discord. Raises RetryLater."""
        if where.visibility is Visibility.DIRECT:
            return self._own_direct
        member = await self._member(who, where)
        return member is not None and await self.decides(member, where)

    async def decides(self, member: discord.Member, where: Where) -> bool:
        """Does a member decide for the server, by permission or by role?"""
        return member.guild_permissions.manage_guild or await self._has_role(member, where)

    async def is_member(self, who: Principal, where: Where) -> bool:
        """Is that person in the server, now?"""
        if where.visibility is Visibility.DIRECT:
            return True
        return await self._member(who, where) is not None

    async def may_read(self, who: Principal, where: Where) -> bool:
        """May that person read what was said there, now? Asked from Discord. Raises RetryLater."""
        if where.visibility is Visibility.DIRECT:
            return True
        may = await self._may(who, where)
        return may.view_channel and may.read_message_history

    async def may_view(self, who: Principal, where: Where) -> bool:
        """May that person look into that place, now? Asked from Discord. Raises RetryLater."""
        return where.visibility is Visibility.DIRECT or (await self._may(who, where)).view_channel

    async def _may(self, who: Principal, where: Where) -> discord.Permissions:
        """What a member may do in a channel or thread; in one that is not known, what they may do in its channel."""
        member = await self._member(who, where)
        channel = self._client.get_channel(int(where.conversation)) or self._client.get_channel(int(where.channel))
        if member is None or not isinstance(channel, (discord.abc.GuildChannel, discord.Thread)):
            return discord.Permissions.none()
        return channel.permissions_for(member)

    async def _member(self, who: Principal, where: Where) -> discord.Member | None:
        """A member with the roles of now, in a server with the roles of now."""
        try:
            guild = await told(lambda: self._client.fetch_guild(int(where.space), with_counts=False))
            return await told(lambda: guild.fetch_member(int(who.user_id)))
        except NeverSent:
            return None

    def owners(self, guild: discord.Guild) -> Sequence[Principal]:
        """The owner of a server and the people known to manage it."""
        found = [member.id for member in guild.members if member.guild_permissions.manage_guild and not member.bot]
        ids = dict.fromkeys([guild.owner_id, *found] if guild.owner_id else found)
        return [Principal(PROVIDER, self.account, str(id_)) for id_ in ids][:OWNERS_TOLD]


def manages(interaction: discord.Interaction) -> bool:
    """May whoever acts manage the server itself?"""
    return interaction.permissions.manage_guild


def unanswered() -> StorageError:
    """What is said where Discord does not tell who may do what."""
    return StorageError(say("discord.unanswered"), say("storage.again.hint"), retry=True)
