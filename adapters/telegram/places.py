"""Telegram's chats, topics and people in the words of the core."""

from telegram import Chat, Message, User
from telegram.constants import ChatType

from core.turn import Principal, Visibility, Where

PROVIDER = "telegram"
ANONYMOUS_ADMIN, CHANNEL_BOT, TELEGRAM = 1_087_968_824, 136_817_688, 777_000
NOBODY = frozenset({ANONYMOUS_ADMIN, CHANNEL_BOT, TELEGRAM})
"""Accounts behind which nobody in particular stands."""


def where_of_chat(chat: Chat, account: str, thread: int | None = None, thread_name: str = "") -> Where:
    """A chat, or one topic of it. A group is a space with one channel; its topics are conversations."""
    key = str(chat.id)
    direct = chat.type == ChatType.PRIVATE
    name = chat.title or chat.username or chat.full_name or key
    conversation = key if thread is None else str(thread)
    visibility = Visibility.DIRECT if direct else Visibility.PUBLIC
    shown = name if thread is None else thread_name
    return Where(PROVIDER, account, key, key, conversation, visibility, name, name, shown)


def where_of(message: Message, account: str) -> Where:
    """Where a message was said; a thread of replies is no topic."""
    thread = message.message_thread_id if message.is_topic_message else None
    return where_of_chat(message.chat, account, thread, topic_name(message) if thread else "")


def topic_name(message: Message) -> str:
    """The name of a message's topic, "" where the message does not tell it."""
    for told in (message, message.reply_to_message):
        if told is not None and told.forum_topic_created is not None:
            return told.forum_topic_created.name
        if told is not None and told.forum_topic_edited is not None and told.forum_topic_edited.name:
            return told.forum_topic_edited.name
    return ""


def chat_id(where: Where) -> int:
    """The chat that a place lies in."""
    return int(where.channel)


def thread_id(where: Where) -> int | None:
    """The topic, None for a plain chat and the general topic."""
    return None if where.conversation == where.channel else int(where.conversation)


def principal(user: User, account: str) -> Principal:
    """A person, by the id that never changes."""
    return Principal(PROVIDER, account, str(user.id))


def shown_name(user: User) -> str:
    """The name that people know somebody by, without an @ of its own."""
    return (user.username or user.full_name or str(user.id)).lstrip("@")


def author(message: Message) -> User | None:
    """The person who wrote a message; None for channels, anonymous administrators and what Telegram itself sends."""
    user = message.from_user
    if user is None or message.sender_chat is not None or message.is_automatic_forward or user.id in NOBODY:
        return None
    return user
