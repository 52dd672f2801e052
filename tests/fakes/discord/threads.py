"""Threads and forum posts that people start, with the events and ids that Discord gives them."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tests.fakes.discord.engine import ChannelType, MessageState, serializers
from tests.fakes.discord.messages import Message
from tests.fakes.discord.places import Channel

if TYPE_CHECKING:
    from tests.fakes.discord.people import Person

HAS_THREAD = 1 << 5
THREAD_STARTER_MESSAGE = 21


def from_message(person: "Person", message: Message, name: str) -> Channel:
    """A thread with the id of its message. Discord then tells an update of the message and a second, empty starter."""
    world = person.world
    thread = world.backend.create_thread(message.channel.id, name, person.id, message_id=message.id, broadcast=False)
    world.backend.announce_thread_create(thread)
    message.state.flags |= HAS_THREAD
    payload = dict(serializers.message_payload(world.backend, message.state))
    payload["thread"] = serializers.thread_payload(world.backend, thread)
    world.backend.emit("MESSAGE_UPDATE", payload)
    starter = MessageState(
        id=world.backend.snowflake(),
        channel_id=thread.id,
        author_id=message.state.author_id,
        timestamp=world.backend.now_iso(),
        type=THREAD_STARTER_MESSAGE,
        reference={"channel_id": str(message.channel.id), "message_id": str(message.id)},
    )
    if message.channel.state.guild_id is not None:
        starter.reference = {**(starter.reference or {}), "guild_id": str(message.channel.state.guild_id)}
    world.backend.messages[thread.id][starter.id] = starter
    world.backend.announce_message_create(starter)
    return world.channel(thread.id)


def alone(person: "Person", channel: Channel, name: str, *, private: bool, members: Iterable["Person"]) -> Channel:
    """A thread that starts from no message; a public one is announced in its channel."""
    world = person.world
    kind = ChannelType.PRIVATE_THREAD if private else ChannelType.PUBLIC_THREAD
    thread = world.backend.create_thread(channel.id, name, person.id, type=kind, broadcast=not private)
    for member in members:
        thread.thread_members[member.id] = world.backend.now_iso()
    if private:
        world.backend.announce_thread_create(thread)
    return world.channel(thread.id)


def forum_post(person: "Person", forum: Channel, title: str, text: str) -> tuple[Channel, Message]:
    """A post of a forum: a thread and its first message, which have one id."""
    world = person.world
    assert forum.kind == "forum", f"{forum} is no forum"
    thread = world.backend.create_thread(forum.id, title, person.id, broadcast=False)
    state = world.backend.prepare_message(thread.id, person.id, text)
    state.id = thread.id
    world.backend.commit_message(state, broadcast=False)
    forum.state.last_message_id = thread.id
    world.backend.announce_thread_create(thread)
    world.backend.announce_message_create(state)
    return world.channel(thread.id), world.message(state)
