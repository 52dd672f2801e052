"""Putting a message into a chat: its number, its place in a topic or thread, and who gets it."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from tests.fakes.telegram.chats import FORWARDER, Chat, Message, Payload, Topic, origin
from tests.fakes.telegram.delivery import hears
from tests.fakes.telegram.text import cut, units

if TYPE_CHECKING:
    from tests.fakes.telegram.robots import Bot
    from tests.fakes.telegram.world import World


@dataclass
class Draft:
    """A message about to be posted. `sender` holds `from` and `sender_chat`, `content` its text, media or service."""

    sender: Payload
    content: Payload
    topic: Topic | None = None
    reply_to: Message | None = None
    quote: str | None = None
    bot: "Bot | None" = None
    via: "Bot | None" = None
    date: datetime | None = None
    extra: Payload = field(default_factory=dict)
    general: bool = False


def timestamp(date: datetime | None) -> int:
    """Seconds since 1970 of an aware time, or of now."""
    return int((date or datetime.now(UTC)).timestamp())


def _quote(draft: Draft, replied: Message) -> Payload:
    if draft.quote is None:
        return {}
    assert draft.quote in replied.text, f"{replied} does not hold {draft.quote!r}"
    position = units(replied.text[: replied.text.index(draft.quote)])
    return {"quote": {"text": draft.quote, "position": position, "is_manual": True}}


def _reply(chat: Chat, draft: Draft) -> Payload:
    replied = draft.reply_to
    if replied is None:
        return {}
    if replied.chat is chat:
        return {"reply_to_message": replied.shown(), **_quote(draft, replied)}
    far: Payload = {"origin": origin(replied)}
    if replied.chat.kind != "private":
        far |= {"chat": replied.chat.brief(), "message_id": replied.id}
    return {"external_reply": far, **_quote(draft, replied)}


def _thread(chat: Chat, draft: Draft) -> tuple[Payload, Topic | None]:
    """Where it stands: in a topic (with the topic's first message as its reply, as Telegram shows it) or a thread."""
    replied = draft.reply_to if draft.reply_to is not None and draft.reply_to.chat is chat else None
    if chat.forum:
        topic = draft.topic or (replied.topic if replied is not None and not draft.general else None)
        if topic is None:
            return {}, None
        first = {} if replied is not None or draft.reply_to is not None else {"reply_to_message": topic.created.shown()}
        return {"message_thread_id": topic.id, "is_topic_message": True, **first}, topic
    if chat.kind == "supergroup" and replied is not None:
        return {"message_thread_id": replied.thread_id or replied.id}, None
    return {}, None


def post(world: "World", chat: Chat, draft: Draft, *, deliver: bool = True) -> Message:
    """Keep a message and queue it for every bot that Telegram would give it to."""
    thread, topic = _thread(chat, draft)
    payload: Payload = {
        "message_id": world.next_message_id(chat),
        "date": timestamp(draft.date),
        "chat": chat.brief(),
        **draft.sender,
        **thread,
        **_reply(chat, draft),
        **draft.content,
        **draft.extra,
    }
    if draft.via is not None:
        payload["via_bot"] = draft.via.brief()
    message = Message(chat, payload)
    message.topic, message.bot, message.via = topic, draft.bot, draft.via
    chat.messages[message.id] = message
    if draft.bot is not None:
        chat.last_bot = draft.bot.id
    if deliver:
        distribute(world, message, "channel_post" if chat.kind == "channel" else "message")
    if chat.kind == "channel" and chat.linked is not None:
        _forward_to_discussion(world, message, chat.linked)
    world.changed()
    return message


def distribute(world: "World", message: Message, kind: str) -> None:
    """Queue a message as an update of this kind for every bot that hears it."""
    for bot in message.chat.bots():
        if hears(bot, message):
            bot.push(kind, message.payload)


def _forward_to_discussion(world: "World", message: Message, group: Chat) -> None:
    """Every post of a channel appears in its discussion group, sent by 777000 in the channel's name."""
    content = copied(message)
    sender: Payload = {"from": FORWARDER, "sender_chat": message.chat.brief(), "is_automatic_forward": True}
    post(world, group, Draft(sender, {**content, "forward_origin": origin(message)}))


CONTENT = (
    "text", "entities", "caption", "caption_entities", "photo", "document", "voice", "video", "audio", "sticker",
    "location", "dice",
)  # fmt: skip


def copied(message: Message) -> Payload:
    """What a forward of a message carries."""
    return {key: message.payload[key] for key in CONTENT if key in message.payload}


def service(
    world: "World", chat: Chat, sender: Any, content: Payload, *, topic: Topic | None = None, deliver: bool = True
) -> Message:
    """Post a service message by a person or bot."""
    by = {"sender_chat": chat.brief()} if chat.kind == "channel" else {"from": sender.brief()}
    draft = Draft(by, content, topic=topic, bot=sender if hasattr(sender, "token") else None)
    return post(world, chat, draft, deliver=deliver)


def covered(message: Message, kind: str) -> list[str]:
    """The parts of a message's text that entities of a kind cover."""
    found = message.payload.get("entities", []) + message.payload.get("caption_entities", [])
    return [cut(message.text, one["offset"], one["length"]) for one in found if one["type"] == kind]
