"""Discord's servers, channels, threads and people in the words of the core."""

import discord
from discord.abc import GuildChannel, User

from core.turn import Principal, TurnKind, Visibility, Where, machine

PROVIDER = "discord"


def where_of(channel: object, account: str) -> Where | None:
    """A channel, thread or direct message; None for what is not known well enough to tell who can read it.

    A thread and a forum post lie in their channel. A private thread, and one whose channel the bot cannot see, is a
    private channel of its own.
    """
    if isinstance(channel, discord.DMChannel):
        return _direct(channel, account)
    if isinstance(channel, discord.Thread):
        parent = channel.parent
        if channel.is_private() or parent is None:
            return _place(
                channel.guild, channel.id, channel.id, Visibility.PRIVATE, account, channel.name, channel.name
            )
        return _place(channel.guild, parent.id, channel.id, visibility_of(parent), account, parent.name, channel.name)
    if isinstance(channel, GuildChannel):
        return _place(
            channel.guild, channel.id, channel.id, visibility_of(channel), account, channel.name, channel.name
        )
    return None


def visibility_of(channel: GuildChannel) -> Visibility:
    """Private where not everybody of the server can read it."""
    everybody = channel.permissions_for(channel.guild.default_role)
    return Visibility.PUBLIC if everybody.view_channel else Visibility.PRIVATE


def sees(user: User, channel: GuildChannel | discord.Thread) -> bool:
    """Can somebody see a channel? Of whom no roles are known, what everybody sees; of a private thread, nobody."""
    if isinstance(channel, discord.Thread) and channel.is_private():
        return False
    who = user if isinstance(user, discord.Member) else channel.guild.default_role
    return channel.permissions_for(who).view_channel


def may_say(channel: GuildChannel | discord.Thread, member: discord.Member) -> bool:
    """May a member write in a channel?"""
    may = channel.permissions_for(member)
    says = may.send_messages_in_threads if isinstance(channel, discord.Thread) else may.send_messages
    return may.view_channel and says


def _place(
    guild: discord.Guild, channel: int, conversation: int, visibility: Visibility, account: str, name: str, shown: str
) -> Where:
    return Where(PROVIDER, account, str(guild.id), str(channel), str(conversation), visibility, guild.name, name, shown)


def _direct(channel: discord.DMChannel, account: str) -> Where:
    key = str(channel.id)
    name = channel.recipient.name if channel.recipient is not None else key
    return Where(PROVIDER, account, key, key, key, Visibility.DIRECT, name, name, name)


def channel_id(where: Where) -> int:
    """Where to send: the thread, or the channel."""
    return int(where.conversation)


def principal_of(user_id: int, account: str) -> Principal:
    """A person, by the id that never changes."""
    return Principal(PROVIDER, account, str(user_id))


def person_of(user: User, account: str) -> Principal:
    """Whoever can be named in a rule: a person, or somebody else's bot."""
    return machine(TurnKind.BOT, PROVIDER, account, str(user.id)) if user.bot else principal_of(user.id, account)


def shown_name(user: User) -> str:
    """The name that people of the place know somebody by, without an @ of its own."""
    return (user.display_name or str(user.id)).lstrip("@")
