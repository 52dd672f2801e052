"""Telegram's messages as turns. Pure: the same message gives the same turn."""

from datetime import UTC, datetime, timedelta

from telegram import Message, MessageEntity, Update
from telegram.constants import ChatType
from telegram.ext.filters import StatusUpdate

from adapters.telegram.places import author, principal, shown_name, where_of
from adapters.telegram.text import marked
from core.text.zones import MarkedText
from core.turn import Principal, Turn, TurnKind

WITHIN = timedelta(seconds=1) - timedelta(microseconds=1)


def message_of(update: Update) -> tuple[Message, bool] | None:
    """The message that an update brings, and whether it is an edit; None for everything else."""
    for message in (update.message, update.channel_post):
        if message is not None:
            return message, False
    for message in (update.edited_message, update.edited_channel_post):
        if message is not None:
            return message, True
    return None


def turn_of(message: Message, account: str, received_at: datetime, edited: bool = False) -> Turn:
    """The turn that a message is. `account` is the bot's own id; a caption counts as text."""
    user = author(message)
    return Turn(
        where=where_of(message, account),
        message_id=str(message.message_id),
        text=text_of(message),
        sent_at=sent_at(message, received_at),
        received_at=received_at,
        sender=None if user is None else principal(user, account),
        sender_name="" if user is None else shown_name(user),
        kind=kind_of(message, account),
        edited=edited,
        link=link_of(message),
        mentions=_mentioned(message, account),
    )


def sent_at(message: Message, received_at: datetime) -> datetime:
    """When it was sent at the latest: Telegram tells whole seconds, and it cannot come before it was sent."""
    told = message.date.astimezone(UTC)  # a bot's defaults may name another zone
    return max(told, min(told + WITHIN, received_at))


def text_of(message: Message) -> MarkedText:
    """Text or caption with its zones; empty for a message that is an attachment alone."""
    if message.text is not None:
        return marked(message.text, message.entities)
    return marked(message.caption or "", message.caption_entities)


def kind_of(message: Message, account: str) -> TurnKind:
    """What kind of message it is."""
    user = message.from_user
    if user is not None and str(user.id) == account:
        return TurnKind.OWN
    if StatusUpdate.ALL.check_update(Update(0, message=message)):
        return TurnKind.SERVICE
    if user is not None and user.is_bot and author(message) is not None:
        return TurnKind.BOT
    return TurnKind.COMMAND if command_of(message) is not None else TurnKind.USER


def command_of(message: Message) -> tuple[str, str, str] | None:
    """`/intent@bot list` as ("intent", "bot", "list"), names in lower case; None for what begins with no command."""
    text, entities = message.text, message.entities
    if text is None:
        text, entities = message.caption or "", message.caption_entities
    if not entities or entities[0].type != MessageEntity.BOT_COMMAND or entities[0].offset:
        return None
    end = entities[0].length
    name, _, bot = text[1:end].partition("@")
    return name.lower(), bot.lower(), text[end:].strip()


def asks(message: Message) -> bool:
    """May a message ask the bot for something? Not one that is forwarded, or posted in a channel: nobody asks there."""
    posted = message.chat.type == ChatType.CHANNEL or message.is_automatic_forward
    return not posted and message.forward_origin is None


def is_anonymous(message: Message) -> bool:
    """Is it by an administrator who writes as the group?"""
    return message.sender_chat is not None and message.sender_chat.id == message.chat_id


def link_of(message: Message) -> str:
    """Where to look at it again; "" in private chats and plain groups, which have no links."""
    return (message.link or "").removesuffix("?thread=None")


def _mentioned(message: Message, account: str) -> tuple[Principal, ...]:
    entities = (*message.entities, *message.caption_entities)
    users = [entity.user for entity in entities if entity.type == MessageEntity.TEXT_MENTION and entity.user]
    return tuple(dict.fromkeys(principal(user, account) for user in users))
