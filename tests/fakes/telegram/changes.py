"""Changes of a chat: who is in it, its topics, what is pinned, and a group that becomes a supergroup."""

from typing import Any

from tests.fakes.telegram.chats import Chat, Message, Payload, Topic, is_bot
from tests.fakes.telegram.members import Membership
from tests.fakes.telegram.posting import service, timestamp
from tests.fakes.telegram.robots import Bot


def set_member(
    chat: Chat,
    who: Any,
    status: str,
    *,
    rights: dict[str, bool] | None = None,
    anonymous: bool = False,
    title: str | None = None,
) -> Membership:
    """Change a standing without telling anybody."""
    old = chat.membership(who)
    made = Membership(who, status, dict(rights or {}), anonymous, title)
    made.privacy = old.privacy if old.present or not is_bot(who) else who.privacy
    chat.members[who.id] = made
    return made


def move(
    chat: Chat,
    who: Any,
    status: str,
    *,
    by: Any,
    rights: dict[str, bool] | None = None,
    anonymous: bool = False,
    title: str | None = None,
) -> None:
    """Change a standing as people do: with my_chat_member and chat_member updates and service messages.

    A bot that is put out of a group gets my_chat_member and, in a basic group only, the service message.
    """
    world, old = chat.world, chat.membership(who)
    before, was_inside = old.payload(chat.kind), old.present
    new = set_member(chat, who, status, rights=rights, anonymous=anonymous, title=title)
    tell_of_member(chat, who, by=by, old=before, new=new.payload(chat.kind))
    if chat.kind in ("group", "supergroup") and was_inside != new.present:
        if new.present:
            service(world, chat, by, {"new_chat_members": [who.brief()]})
        else:
            made = service(world, chat, by, {"left_chat_member": who.brief()})
            if is_bot(who) and chat.kind == "group" and by is not who:
                who.push("message", made.payload)
    world.changed()


def found(chat: Chat, members: list[Any], *, by: Any) -> None:
    """Fill a group just made, as its bots see it: my_chat_member, then the service message group_chat_created."""
    for who in members:
        before = chat.membership(who).payload(chat.kind)
        tell_of_member(chat, who, by=by, old=before, new=set_member(chat, who, "member").payload(chat.kind))
    service(chat.world, chat, by, {"group_chat_created": True})


def tell_of_member(chat: Chat, who: Any, *, by: Any, old: Payload, new: Payload) -> None:
    """my_chat_member to the bot it is about, chat_member to the bots that are administrators and asked for it."""
    what: Payload = {"chat": chat.brief(), "from": by.brief(), "date": timestamp(None)}
    what |= {"old_chat_member": old, "new_chat_member": new}
    if is_bot(who):
        who.push("my_chat_member", what)
    for bot in chat.bots():
        if bot is not who and chat.kind != "private" and chat.membership(bot).administers:
            bot.push("chat_member", what)


def private_member(chat: Chat, bot: Bot, *, by: Any, old: str, new: str) -> None:
    """my_chat_member in a private chat: the bot was blocked or unblocked."""
    before, after = (Membership(bot, status).payload("private") for status in (old, new))
    tell_of_member(chat, bot, by=by, old=before, new=after)


def open_topic(chat: Chat, name: str, *, by: Any, told: bool) -> Topic:
    """Open a topic with its service message, whose id is the topic's."""
    assert chat.forum, f"{chat} is no forum"
    created = {"name": name, "icon_color": 7322096}
    message = service(chat.world, chat, by, {"forum_topic_created": created}, deliver=False)
    topic = Topic(chat, name, message)
    chat.topics[topic.id] = message.topic = topic
    message.payload |= {"message_thread_id": topic.id, "is_topic_message": True}
    if told:
        for bot in chat.bots():
            if message.bot is not bot:
                bot.push("message", message.payload)
    return topic


def close_topic(topic: Topic, *, by: Any) -> Message:
    """Close a topic: only administrators write there from now on."""
    topic.closed = True
    return service(topic.chat.world, topic.chat, by, {"forum_topic_closed": {}}, topic=topic)


def pin(message: Message, *, by: Any) -> Message:
    """Pin a message; the service message."""
    message.chat.pinned = message
    content: Payload = {"pinned_message": message.shown()}
    return service(message.chat.world, message.chat, by, content, topic=message.topic)


def upgrade(group: Chat, supergroup: Chat, *, by: Any, told: bool, member_updates: bool) -> Chat:
    """Make a group a supergroup with a new id; the old one answers sends with the new id from now on.

    Its members move with their standing. `told` False keeps the service messages from bots, as if they had been lost.
    """
    world = group.world
    for who, old in group.members.items():
        supergroup.members[who] = Membership(
            old.account, old.status, dict(old.rights), old.is_anonymous, old.custom_title, old.is_member, old.privacy
        )
    service(world, group, by, {"migrate_to_chat_id": supergroup.id}, deliver=told)
    group.migrated_to, supergroup.migrated_from = supergroup, group
    service(world, supergroup, by, {"migrate_from_chat_id": group.id}, deliver=told)
    if member_updates:
        for bot in group.bots():
            inside = group.membership(bot).payload("group")
            gone = Membership(bot, "left").payload("group")
            tell_of_member(group, bot, by=by, old=inside, new=gone)
            tell_of_member(supergroup, bot, by=by, old=gone, new=supergroup.membership(bot).payload("supergroup"))
    return supergroup
