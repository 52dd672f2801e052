"""Who hears what: privacy mode as the Bot API's documentation and its list of frequent questions describe it."""

from tests.fakes.telegram.chats import Chat, Message
from tests.fakes.telegram.robots import Bot
from tests.fakes.telegram.text import cut

SERVICE = frozenset(
    {
        "new_chat_members", "left_chat_member", "new_chat_title", "pinned_message", "group_chat_created",
        "supergroup_chat_created", "channel_chat_created", "migrate_to_chat_id", "migrate_from_chat_id",
        "forum_topic_created", "forum_topic_edited", "forum_topic_closed", "forum_topic_reopened",
    }
)  # fmt: skip


def is_service(message: Message) -> bool:
    """Whether it is a service message."""
    return not SERVICE.isdisjoint(message.payload)


def commands(message: Message) -> list[str]:
    """The commands in a message, such as `/start` or `/start@some_bot`."""
    found = [one for one in message.payload.get("entities", ()) if one["type"] == "bot_command"]
    return [cut(message.text, one["offset"], one["length"]) for one in found]


def hears(bot: Bot, message: Message) -> bool:
    """Whether Telegram delivers a message to a bot."""
    chat = message.chat
    if chat.kind == "private":
        return chat.bot is bot and message.bot is None
    membership = chat.membership(bot)
    if not membership.present or message.bot is bot:
        return False
    if chat.kind == "channel" or is_service(message):
        return True
    if message.bot is not None:
        return False
    if membership.administers or not membership.privacy:
        return True
    return bot in meant_for(chat, message)


def meant_for(chat: Chat, message: Message) -> list[Bot]:
    """The bots in privacy mode that a message is for: one, but for a bare command where no bot has spoken yet.

    Replies come first, then commands by name, messages sent through a bot, and last any command, which goes to the bot
    that spoke last.
    """
    inside = chat.bots()
    replied = message.reply_to
    if replied is not None and replied.bot is not None:
        return [replied.bot]
    given = commands(message)
    named = {command.partition("@")[2].lower() for command in given}
    if called := [bot for bot in inside if bot.username.lower() in named]:
        return called[:1]
    if message.via is not None:
        return [message.via]
    if "" in named:
        return [bot for bot in inside if bot.id == chat.last_bot] or inside
    return []
