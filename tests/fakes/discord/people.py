"""What people do in Discord."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Union

from tests.fakes.discord import asking, threads
from tests.fakes.discord.answers import Answer
from tests.fakes.discord.engine import AllowedMentions, Payload
from tests.fakes.discord.messages import Message
from tests.fakes.discord.places import Channel

if TYPE_CHECKING:
    from tests.fakes.discord.world import World

Where = Union[Channel, "Person"]
NOBODY = AllowedMentions(everyone=False, users=frozenset(), roles=frozenset(), replied_user=False)


class Person:
    """Somebody with an account, or another bot. Every method is something that Discord's own client lets one do.

    What it would not let one do is an AssertionError: writing without permission, a command that is not offered, a
    button that is not there. `where` is a channel, or the bot for direct messages with it.
    """

    def __init__(self, world: "World", id: int, *, bot: bool = False) -> None:
        self.world, self.id, self.bot = world, id, bot

    def __repr__(self) -> str:
        return f"<{'Bot' if self.bot else 'Person'} {self.name} {self.id}>"

    @property
    def name(self) -> str:
        """The user name."""
        return self.world.backend.users[self.id].name

    @property
    def mention(self) -> str:
        """How a text names this person."""
        return f"<@{self.id}>"

    @property
    def dm(self) -> Channel:
        """The direct messages with the bot."""
        with self.world.lock:
            return self.world.channel(self.world.backend.get_dm_channel(self.id).id)

    def closes_dms(self) -> None:
        """Accept no direct messages of the bot: it gets 403 with code 50007."""
        self.world.closed.add(self.id)

    def opens_dms(self) -> None:
        """Accept them again."""
        self.world.closed.discard(self.id)

    # ---- writing

    def says(
        self,
        where: Where,
        text: str = "",
        *,
        reply_to: Message | None = None,
        ping: bool = True,
        pings_nobody: bool = False,
        embeds: Iterable[Payload] = (),
        files: Iterable[tuple[str, bytes]] = (),
    ) -> Message:
        """Write; `ping` is the switch @ON of a reply, `pings_nobody` what another bot can ask for."""
        world = self.world
        with world.lock:
            channel = self.place(where)
            self._may(channel, "send_messages_in_threads" if channel.kind == "thread" else "send_messages")
            assert channel.kind != "forum", f"{channel} takes posts only: `posts`"
            _wake(channel)
            state = world.backend.create_message(
                channel.id,
                self.id,
                text,
                embeds=list(embeds),
                attachments=world.backend.store_attachments(channel.id, list(files)),
                reference=self._reference(channel, reply_to),
                allowed_mentions=NOBODY if pings_nobody else AllowedMentions(replied_user=ping),
            )
            return world.message(state)

    def _reference(self, channel: Channel, reply_to: Message | None) -> Payload | None:
        if reply_to is None:
            return None
        assert reply_to.channel is channel, f"{reply_to} is not in {channel}"
        self._sees(reply_to)
        return {"channel_id": str(channel.id), "message_id": str(reply_to.id)}

    def edits(self, message: Message, text: str) -> Message:
        """Write one's message anew."""
        with self.world.lock:
            assert message.state.author_id == self.id, f"{message} is not of {self.name}"
            self._sees(message)
            self.world.backend.edit_message(message.channel.id, message.id, {"content": text})
            return message

    def deletes(self, message: Message) -> None:
        """Delete one's own message, or any with Manage Messages."""
        with self.world.lock:
            self._sees(message)
            if message.state.author_id != self.id:
                self._may(message.channel, "manage_messages")
            self.world.backend.delete_message(message.channel.id, message.id)

    def reacts(self, message: Message, emoji: str) -> None:
        """React with an emoji."""
        with self.world.lock:
            self._sees(message)
            self.world.backend.add_reaction(message.channel.id, message.id, emoji, self.id)

    def starts_typing(self, where: Where) -> None:
        """Type and say nothing yet."""
        with self.world.lock:
            channel = self.place(where)
            payload = {"channel_id": str(channel.id), "user_id": str(self.id), "timestamp": 0}
            if channel.guild is not None:
                payload["guild_id"] = str(channel.guild.id)
            self.world.backend.emit("TYPING_START", payload)

    # ---- threads

    def opens_thread(self, message: Message, name: str) -> Channel:
        """A thread from a message, with its id."""
        with self.world.lock:
            self._sees(message)
            self._may(message.channel, "create_public_threads")
            return threads.from_message(self, message, name)

    def starts_thread(
        self, channel: Channel, name: str, *, private: bool = False, members: Iterable["Person"] = ()
    ) -> Channel:
        """A thread from no message; only those invited see a private one."""
        with self.world.lock:
            self._may(channel, "view_channel" if private else "create_public_threads")
            return threads.alone(self, channel, name, private=private, members=members)

    def posts(self, forum: Channel, title: str, text: str) -> tuple[Channel, Message]:
        """A post in a forum: its thread and its first message, with one id."""
        with self.world.lock:
            self._may(forum, "send_messages")
            return threads.forum_post(self, forum, title, text)

    # ---- asking the bot

    def slash(self, where: Where, command: str, /, **options: Any) -> Answer:
        """Use a slash command: `slash(ops, "intent add", text="...", who=bob)`. A name with `-` takes `_` too."""
        return asking.slash(self, self.place(where), command, options)

    def completes(self, where: Where, command: str, option: str, typed: str, /, **options: Any) -> Answer:
        """Type into an option; its `suggestions()` are what the bot offers."""
        return asking.complete(self, self.place(where), command, option, typed, options)

    def uses_menu(self, message: Message, command: str) -> Answer:
        """Use a command of a message's context menu."""
        return asking.message_menu(self, message, command)

    def uses_user_menu(self, where: Where, person: "Person", command: str) -> Answer:
        """Use a command of a person's context menu."""
        return asking.user_menu(self, self.place(where), person, command)

    def clicks(self, message: Message, button: str) -> Answer:
        """Press the button with that label or custom_id."""
        return asking.click(self, message, button)

    def selects(self, message: Message, *values: Any, menu: str | None = None) -> Answer:
        """Choose in a menu: values or labels of its options, or people, roles and channels."""
        return asking.select(self, message, list(values), menu)

    def submits(self, shown: Answer, values: Mapping[str, Any]) -> Answer:
        """Send the form that an interaction was answered with; its fields by label or custom_id."""
        return asking.submit(self, shown, dict(values))

    def offered(self, where: Where) -> list[str]:
        """The slash commands that Discord offers here."""
        return asking.offered(self, self.place(where))

    # ---- what one may

    def place(self, where: Where) -> Channel:
        """The channel, or the direct messages with the bot."""
        if isinstance(where, Person):
            assert where is self.world.bot, f"only direct messages with the bot are known, not with {where}"
            return self.dm
        return where

    def can(self, channel: Channel, *permissions: str) -> bool:
        """Whether somebody has these permissions in a channel."""
        if not channel.open_to(self):
            return False
        if channel.state.guild_id is None:
            return True
        has = self.world.backend.compute_permissions(channel.state.guild_id, self.id, channel.id)
        return all(has & self.world.permission(name) for name in permissions)

    def _may(self, channel: Channel, permission: str) -> None:
        assert not channel.deleted, f"{channel} is gone"
        assert self.can(channel, permission), f"{self.name} may not {permission} in {channel}"

    def _sees(self, message: Message) -> None:
        assert message in self.world.visible(message.channel, self), f"{self.name} does not see {message}"


def _wake(channel: Channel) -> None:
    """A message opens an archived thread again, unless that is locked."""
    metadata = channel.state.thread_metadata
    if metadata is not None and metadata.archived:
        assert not metadata.locked, f"{channel} is locked"
        channel.archive(False)
