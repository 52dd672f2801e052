"""Guilds, roles and channels, and what happens to them. Every change is told to the bot as Discord tells it."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Union

from tests.fakes.discord.engine import (
    ChannelState,
    ChannelType,
    GuildState,
    Overwrite,
    OverwriteType,
    Payload,
    channel_accessible,
    discord,
    serializers,
)
from tests.fakes.discord.messages import Message

if TYPE_CHECKING:
    from tests.fakes.discord.people import Person
    from tests.fakes.discord.world import World

Target = Union["Person", "Role"]
KINDS = {
    ChannelType.TEXT: "text",
    ChannelType.FORUM: "forum",
    ChannelType.DM: "dm",
    ChannelType.NEWS: "news",
    ChannelType.VOICE: "voice",
}


def bits(**permissions: bool | None) -> tuple[int, int]:
    """The permissions that are True and those that are False, as bits."""
    allowed, denied = discord.PermissionOverwrite(**permissions).pair()
    return allowed.value, denied.value


class Role:
    """A role; its id is how text mentions it."""

    def __init__(self, guild: "Guild", id: int) -> None:
        self.guild, self.id = guild, id

    @property
    def name(self) -> str:
        """Its name."""
        return self.guild.state.roles[self.id].name

    @property
    def mention(self) -> str:
        """How a text names it."""
        return f"<@&{self.id}>"

    def set(self, **permissions: bool) -> None:
        """Give and take permissions of everybody who has it."""
        with self.guild.world.lock:
            allowed, denied = bits(**permissions)
            now = self.guild.state.roles[self.id].permissions
            changed = {"permissions": (now | allowed) & ~denied}
            self.guild.world.backend.edit_role(self.guild.id, self.id, changed)

    def delete(self) -> None:
        """Delete it."""
        with self.guild.world.lock:
            self.guild.world.backend.delete_role(self.guild.id, self.id)


class Guild:
    """A server with its owner, members, roles and channels."""

    def __init__(self, world: "World", state: GuildState) -> None:
        self.world, self.state = world, state

    def __repr__(self) -> str:
        return f"<Guild {self.name} {self.id}>"

    @property
    def id(self) -> int:
        """Its snowflake, which is its everyone role's too."""
        return self.state.id

    @property
    def name(self) -> str:
        """Its name."""
        return self.state.name

    @property
    def owner(self) -> "Person":
        """Its owner."""
        return self.world.people[self.state.owner_id]

    @property
    def everyone(self) -> Role:
        """The role of everybody."""
        return Role(self, self.id)

    @property
    def bot_role(self) -> Role:
        """The bot's own role, which holds the permissions of its invitation."""
        return Role(self, next(role.id for role in self.state.roles.values() if role.managed))

    # ---- what it is made of

    def text(self, name: str, *, only: Iterable[Target] | None = None, topic: str | None = None) -> "Channel":
        """A text channel; with `only`, private to those people and roles (name the bot too where it may see it)."""
        return self._channel(name, ChannelType.TEXT, only, topic)

    def forum(self, name: str, *, only: Iterable[Target] | None = None) -> "Channel":
        """A forum channel."""
        return self._channel(name, ChannelType.FORUM, only, None)

    def voice(self, name: str) -> "Channel":
        """A voice channel, of which only its chat is there."""
        return self._channel(name, ChannelType.VOICE, None, None)

    def _channel(self, name: str, kind: int, only: Iterable[Target] | None, topic: str | None) -> "Channel":
        with self.world.lock:
            overwrites = None if only is None else _private(self, only)
            state = self.world.backend.create_channel(self.id, name, type=kind, overwrites=overwrites, topic=topic)
            return self.world.channel(state.id)

    def role(self, name: str, *, mentionable: bool = False, **permissions: bool) -> Role:
        """A role that gives these permissions."""
        with self.world.lock:
            made = self.world.backend.create_role(
                self.id, name, permissions=bits(**permissions)[0], mentionable=mentionable
            )
            return Role(self, made.id)

    # ---- who is in it

    def add(self, person: "Person", *roles: Role, nick: str | None = None) -> None:
        """Somebody joins."""
        with self.world.lock:
            ids = [role.id for role in roles]
            self.world.backend.add_member(self.id, person.id, roles=ids, nick=nick, announce=True)

    def remove(self, person: "Person") -> None:
        """Somebody leaves."""
        with self.world.lock:
            self.world.backend.remove_member(self.id, person.id)

    def has(self, person: "Person") -> bool:
        """Whether somebody is a member."""
        return person.id in self.state.members

    def give(self, person: "Person", role: Role) -> None:
        """Give a role."""
        with self.world.lock:
            self.world.backend.add_member_role(self.id, person.id, role.id)

    def take(self, person: "Person", role: Role) -> None:
        """Take a role."""
        with self.world.lock:
            self.world.backend.remove_member_role(self.id, person.id, role.id)

    def set_owner(self, person: "Person") -> None:
        """Hand it over."""
        with self.world.lock:
            self.world.backend.edit_guild(self.id, {"owner_id": person.id})

    def rename(self, name: str) -> None:
        """Give it another name."""
        with self.world.lock:
            self.world.backend.edit_guild(self.id, {"name": name})

    # ---- the bot in it

    def remove_bot(self) -> None:
        """Kick the bot: it is told, hears nothing more from here, and every request gives 403."""
        with self.world.lock:
            self.world.gateway.emit("GUILD_DELETE", {"id": str(self.id)})
            self.world.away.add(self.id)
            del self.state.members[self.world.bot.id]

    def add_bot(self) -> None:
        """Invite the bot (again)."""
        with self.world.lock:
            self.world.away.discard(self.id)
            self.world.backend.add_member(self.id, self.world.bot.id, roles=[self.bot_role.id])
            self.world.gateway.emit("GUILD_CREATE", self.world.guild_payload(self.id, joined=True))

    def goes_down(self) -> None:
        """An outage: the bot is told that the guild is unavailable, and nothing else until it is over."""
        with self.world.lock:
            self.world.gateway.emit("GUILD_DELETE", {"id": str(self.id), "unavailable": True})
            self.world.down.add(self.id)

    def comes_back(self) -> None:
        """The outage is over."""
        with self.world.lock:
            self.world.down.discard(self.id)
            self.world.gateway.emit("GUILD_CREATE", self.world.guild_payload(self.id))


def _private(guild: Guild, only: Iterable[Target]) -> list[Overwrite]:
    view = discord.Permissions.view_channel.flag
    found = [Overwrite(guild.id, OverwriteType.ROLE, deny=view)]
    return found + [Overwrite(one.id, _kind(one), allow=view) for one in only]


def _kind(target: Target) -> OverwriteType:
    return OverwriteType.ROLE if isinstance(target, Role) else OverwriteType.MEMBER


class Channel:
    """A text or forum channel, a thread, or the direct messages of one person with the bot."""

    def __init__(self, world: "World", state: ChannelState) -> None:
        self.world, self.state = world, state

    def __repr__(self) -> str:
        return f"<Channel {self.name} {self.id}>"

    @property
    def id(self) -> int:
        """Its snowflake; a thread from a message has the message's."""
        return self.state.id

    @property
    def name(self) -> str:
        """Its name; `dm` for direct messages."""
        return self.state.name or "dm"

    @property
    def mention(self) -> str:
        """How a text names it."""
        return f"<#{self.id}>"

    @property
    def kind(self) -> str:
        """text, news, forum, voice, thread or dm."""
        return "thread" if self.state.is_thread else KINDS[ChannelType(self.state.type)]

    @property
    def guild(self) -> Guild | None:
        """Its guild; None for direct messages."""
        return None if self.state.guild_id is None else self.world.guilds[self.state.guild_id]

    @property
    def parent(self) -> "Channel | None":
        """The channel of a thread."""
        return self.world.channel(self.state.parent_id) if self.state.is_thread and self.state.parent_id else None

    @property
    def deleted(self) -> bool:
        """Whether it is gone."""
        return self.id not in self.world.backend.channels

    @property
    def payload(self) -> Payload:
        """How Discord describes it."""
        return dict(serializers.channel_payload(self.world.backend, self.state))

    def open_to(self, person: "Person") -> bool:
        """Whether somebody may view it."""
        return channel_accessible(self.world.backend, self.id, person.id)

    # ---- changes

    def rename(self, name: str) -> None:
        """Give it another name. Nothing is posted about it, as in Discord."""
        with self.world.lock:
            self.state.name = name
            self.world.backend.announce_channel_update(self.id)

    def permit(self, target: Target, **permissions: bool | None) -> None:
        """Allow (True), deny (False) or leave open (None) permissions of somebody or of a role here."""
        with self.world.lock, self.world.watching_threads():
            old = next((one for one in self.state.overwrites if one.target_id == target.id), None)
            now = discord.PermissionOverwrite.from_pair(
                discord.Permissions(old.allow if old else 0), discord.Permissions(old.deny if old else 0)
            )
            now.update(**permissions)
            allowed, denied = now.pair()
            made = Overwrite(target.id, _kind(target), allow=allowed.value, deny=denied.value)
            self.world.backend.set_overwrite(self.id, made)

    def make_private(self, *only: Target) -> None:
        """Let nobody else view it."""
        with self.world.lock, self.world.watching_threads():
            guild = self.guild
            assert guild is not None, "direct messages are private"
            self.state.overwrites = _private(guild, only)
            self.world.backend.announce_channel_update(self.id)

    def make_public(self) -> None:
        """Drop every overwrite."""
        with self.world.lock, self.world.watching_threads():
            self.state.overwrites = []
            self.world.backend.announce_channel_update(self.id)

    def archive(self, archived: bool = True, *, locked: bool = False) -> None:
        """Archive a thread, or open it again."""
        with self.world.lock:
            self.world.backend.edit_channel(self.id, {}, thread_metadata={"archived": archived, "locked": locked})

    def delete(self) -> None:
        """Delete it with its messages and threads."""
        with self.world.lock:
            for one in [other for other in self.world.backend.channels.values() if other.parent_id == self.id]:
                self.world.backend.delete_channel(one.id)
            self.world.backend.delete_channel(self.id)

    def webhook(self, name: str) -> "Webhook":
        """A webhook that posts here."""
        with self.world.lock:
            guild = self.guild
            assert guild is not None, "direct messages have no webhooks"
            made = self.world.backend.create_webhook(self.id, name, guild.owner.id)
            return Webhook(self, made.id)


class Webhook:
    """A webhook of a channel, which nobody here made by the API."""

    def __init__(self, channel: Channel, id: int) -> None:
        self.channel, self.id = channel, id

    def says(self, text: str, *, username: str | None = None, embeds: Iterable[Payload] = ()) -> Message:
        """Post, perhaps under a name."""
        world = self.channel.world
        with world.lock:
            state = world.backend.create_message(
                self.channel.id, self.id, text, embeds=list(embeds), webhook_id=self.id, author_name=username
            )
            return world.message(state)
