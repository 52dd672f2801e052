"""Which chats a bot may read and write, and what it is told where it may not."""

from typing import TYPE_CHECKING, Any

from tests.fakes.telegram import errors
from tests.fakes.telegram.chats import Chat
from tests.fakes.telegram.robots import Bot

if TYPE_CHECKING:
    from tests.fakes.telegram.world import World


def _inside(bot: Bot, chat: Chat) -> Chat:
    if chat.migrated_to is not None:
        raise errors.upgraded(chat.migrated_to.id)
    if bot.id not in chat.members and chat.username is None:
        raise errors.chat_not_found()
    membership = chat.membership(bot)
    if membership.status == "kicked":
        raise errors.kicked(chat.kind)
    if not membership.present and chat.username is None:
        raise errors.not_a_member(chat.kind)
    return chat


def _met(world: "World", bot: Bot, person_id: int) -> bool:
    return any(
        bot.id in chat.members and person_id in chat.members and chat.members[bot.id].present
        for chat in world.chats.values()
    )


def readable(world: "World", bot: Bot, chat_id: Any) -> Chat:
    """The chat with this id or @name; 400 or 403 where the bot has never met it or is out of it."""
    if isinstance(chat_id, str):
        for chat in world.chats.values():
            if chat.username and f"@{chat.username}".lower() == chat_id.lower():
                return _inside(bot, chat)
        raise errors.chat_not_found()
    if chat_id in world.chats:
        return _inside(bot, world.chats[chat_id])
    person = world.people.get(chat_id)
    if person is None or not (bot.id in person.started or bot.id in person.blocked or _met(world, bot, chat_id)):
        raise errors.chat_not_found()
    return bot.private(person)


def writable(world: "World", bot: Bot, chat_id: Any) -> Chat:
    """The chat, where the bot may send messages to it now."""
    if chat_id in world.bots:
        raise errors.forbidden("bot can't send messages to bots")
    chat = readable(world, bot, chat_id)
    person = chat.person
    if person is not None:
        if person.deleted:
            raise errors.deactivated()
        if bot.id in person.blocked:
            raise errors.blocked()
        if bot.id not in person.started:
            raise errors.never_started()
        return chat
    membership = chat.membership(bot)
    if not membership.present:
        raise errors.not_a_member(chat.kind)
    if chat.kind == "channel" and not (membership.administers and membership.may("can_post_messages")):
        raise errors.bad_request("need administrator rights in the channel chat")
    if not membership.may("can_send_messages") or not (chat.can_send or membership.administers):
        raise errors.may_not_write()
    return chat
