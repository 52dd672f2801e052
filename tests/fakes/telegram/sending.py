"""Methods that send, edit and delete messages."""

from typing import Any

from tests.fakes.telegram import errors
from tests.fakes.telegram.access import writable
from tests.fakes.telegram.calls import Request, answers
from tests.fakes.telegram.chats import Chat, Message, Payload, Topic
from tests.fakes.telegram.markup import html
from tests.fakes.telegram.posting import Draft, distribute, post, timestamp
from tests.fakes.telegram.text import entities, outside, trimmed, units

TEXT_UNITS = 4096
DATA_BYTES = 64
BUTTONS = 100
ROW_BUTTONS = 8
ACTIONS = ("url", "callback_data", "copy_text", "switch_inline_query", "switch_inline_query_current_chat")
ANSWERED = ("message_id", "chat_id", "allow_sending_without_reply", "quote", "quote_position")


def _text(request: Request) -> Payload:
    """The text and entities as they are kept, with those that Telegram finds by itself."""
    given = request.params.get("entities") or []
    text = str(request.params["text"])
    mode = request.params.get("parse_mode")
    if mode is not None and mode.lower() != "html":
        request.world.complain(f"parse_mode {mode} is not understood here, only HTML and entities are")
        raise errors.cant_parse_entities("only HTML is understood here")
    if mode is not None:
        text, given = html(text)
    if wrong := outside(text, given):
        request.world.complain(f"entities outside of the text {text!r} ({units(text)} UTF-16 units): {wrong}")
        raise errors.bad_request("entity is outside of the text")
    text, given = trimmed(text, given)
    if not text:
        raise errors.bad_request("message text is empty")
    if units(text) > TEXT_UNITS:
        raise errors.bad_request("message is too long")
    found = entities(text, given)
    return {"text": text, **({"entities": found} if found else {})}


def _markup(request: Request) -> Payload | None:
    """The reply markup, with its inline buttons checked."""
    markup: Payload | None = request.params.get("reply_markup")
    if not markup or "inline_keyboard" not in markup:
        return markup
    rows = markup["inline_keyboard"]
    for button in (button for row in rows for button in row):
        used = [key for key in button if key not in ("text", "style", "icon_custom_emoji_id")]
        if len(used) != 1 or used[0] not in ACTIONS:
            request.world.complain(f"a button needs one action of {', '.join(ACTIONS)}: {button}")
            raise errors.bad_request("inline keyboard button must have exactly one action")
        if not button["text"].strip():
            raise errors.bad_request("inline keyboard button text must be non-empty")
        if "callback_data" in used and not 1 <= len(button["callback_data"].encode()) <= DATA_BYTES:
            raise errors.bad_request("BUTTON_DATA_INVALID")
    if sum(len(row) for row in rows) > BUTTONS or any(len(row) > ROW_BUTTONS for row in rows):
        raise errors.bad_request("reply markup is too long")
    return markup


def _inline(markup: Payload | None) -> Payload:
    """What of a markup is shown in the message."""
    rows = (markup or {}).get("inline_keyboard")
    return {"reply_markup": {"inline_keyboard": rows}} if rows else {}


def topic_of(chat: Chat, thread_id: int | None) -> Topic | None:
    """The topic of a message_thread_id; 400 for what is no topic, the General topic's 1 included."""
    if thread_id is None:
        return None
    topic = chat.topics.get(thread_id)
    if topic is None or topic.deleted:
        raise errors.thread_not_found()
    return topic


def _replied(request: Request, chat: Chat) -> tuple[Message | None, str | None]:
    """The message replied to and the quote; None where it is gone and that is allowed."""
    given = request.params.get("reply_parameters")
    if not given:
        return None, None
    unknown = set(given) - set(ANSWERED)
    if "quote" not in given:
        unknown.discard("quote_parse_mode")  # a default of the library, which says nothing then
    if unknown:
        request.world.complain(f"reply_parameters {unknown} are not understood here")
    source = request.world.readable(request.bot, given["chat_id"]) if "chat_id" in given else chat
    message = source.messages.get(given["message_id"])
    if message is None or message.deleted:
        if given.get("allow_sending_without_reply"):
            return None, None
        raise errors.reply_not_found()
    quote = given.get("quote")
    if quote and quote not in message.text:
        raise errors.bad_request("QUOTE_TEXT_INVALID")
    return message, quote


@answers(
    "sendMessage", "chat_id", "text", "parse_mode", "entities", "message_thread_id", "reply_parameters", "reply_markup",
    "link_preview_options", "disable_notification", "protect_content",
)  # fmt: skip
def send_message(request: Request) -> Payload:
    """Send a text."""
    params = request.params
    chat = writable(request.world, request.bot, params["chat_id"])
    content, markup = _text(request), _markup(request)
    topic = topic_of(chat, params.get("message_thread_id"))
    replied, quote = _replied(request, chat)
    place = topic or (replied.topic if replied is not None and replied.chat is chat else None)
    if place is not None and place.closed and not chat.membership(request.bot).administers:
        raise errors.bad_request("TOPIC_CLOSED")
    extra: Payload = {**_inline(markup)}
    if options := params.get("link_preview_options"):
        extra["link_preview_options"] = options
    if params.get("protect_content"):
        extra["has_protected_content"] = True
    sender = {"sender_chat": chat.brief()} if chat.kind == "channel" else {"from": request.bot.brief()}
    draft = Draft(sender, content, topic=topic, reply_to=replied, quote=quote, bot=request.bot, extra=extra)
    message = post(request.world, chat, draft)
    message.markup, message.silent = markup, bool(params.get("disable_notification"))
    request.call.message = message
    return message.payload


def _own(request: Request) -> Message:
    """The bot's own message that is to be edited."""
    if "inline_message_id" in request.params:
        raise errors.ApiError(501, "inline messages are not understood here")
    chat = request.chat()
    message = chat.messages.get(request.params.get("message_id", 0))
    if message is None or message.deleted:
        raise errors.bad_request("message to edit not found")
    if message.bot is not request.bot:
        raise errors.bad_request("message can't be edited")
    request.call.message = message
    return message


def _changed(request: Request, message: Message) -> Payload:
    message.payload["edit_date"] = timestamp(None)
    if message.chat.kind == "channel":
        distribute(request.world, message, "edited_channel_post")
    request.world.changed()
    return message.payload


@answers(
    "editMessageText",
    "chat_id",
    "message_id",
    "text",
    "parse_mode",
    "entities",
    "reply_markup",
    "link_preview_options",
)
def edit_message_text(request: Request) -> Payload:
    """Change a text and its buttons, which go away where none are given."""
    message = _own(request)
    content, markup = _text(request), _markup(request)
    new = {**content, **_inline(markup)}
    if new == {key: message.payload[key] for key in ("text", "entities", "reply_markup") if key in message.payload}:
        raise errors.not_modified()
    message.versions.append(message.text)
    for key in ("entities", "reply_markup"):
        message.payload.pop(key, None)
    message.payload |= new
    if options := request.params.get("link_preview_options"):
        message.payload["link_preview_options"] = options
    message.markup = markup
    return _changed(request, message)


@answers("editMessageReplyMarkup", "chat_id", "message_id", "reply_markup")
def edit_message_reply_markup(request: Request) -> Payload:
    """Change the buttons only."""
    message, markup = _own(request), _markup(request)
    new = _inline(markup)
    if new.get("reply_markup") == message.payload.get("reply_markup"):
        raise errors.not_modified()
    message.payload.pop("reply_markup", None)
    message.payload |= new
    message.markup = markup
    return _changed(request, message)


@answers("deleteMessage", "chat_id", "message_id")
def delete_message(request: Request) -> bool:
    """Delete an own message, any in a private chat, or with the right to delete those of others."""
    chat = request.chat()
    message = chat.messages.get(request.params["message_id"])
    if message is None or message.deleted:
        raise errors.bad_request("message to delete not found")
    own = message.bot is request.bot or chat.kind == "private"
    membership = chat.membership(request.bot)
    if not own and not (membership.administers and membership.may("can_delete_messages")):
        raise errors.bad_request("message can't be deleted")
    message.deleted = True
    request.call.message = message
    request.world.changed()
    return True


@answers("answerCallbackQuery", "callback_query_id", "text", "show_alert", "cache_time")
def answer_callback_query(request: Request) -> bool:
    """Stop a button from spinning."""
    done = request.world.queries.answered(request.bot, request.params)
    request.world.changed()
    return done


@answers("sendChatAction", "chat_id", "action", "message_thread_id")
def send_chat_action(request: Request) -> bool:
    """Show that the bot is writing."""
    chat = writable(request.world, request.bot, request.params["chat_id"])
    topic_of(chat, request.params.get("message_thread_id"))
    return True


@answers("setMessageReaction", "chat_id", "message_id", "reaction", "is_big")
def set_message_reaction(request: Request) -> bool:
    """Set the bot's reaction: one at most, an emoji out of those that Telegram knows, as in a chat without boosts."""
    from telegram.constants import ReactionEmoji

    chat = request.chat()
    message = chat.messages.get(request.params["message_id"])
    if message is None or message.deleted:
        raise errors.bad_request("message to react not found")
    wanted: list[Any] = request.params.get("reaction") or []
    known = {str(one.value) for one in ReactionEmoji}
    if len(wanted) > 1 or any(one.get("emoji") not in known for one in wanted):
        raise errors.bad_request("REACTION_INVALID")
    message.reactions[request.bot.id] = wanted
    request.call.message = message
    request.world.changed()
    return True
