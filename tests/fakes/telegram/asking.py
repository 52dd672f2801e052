"""Methods that ask about chats and members, and those that set a bot's menu."""

import json
import re
from typing import Any

from tests.fakes.telegram import errors
from tests.fakes.telegram.calls import Request, answers
from tests.fakes.telegram.chats import ANONYMOUS, CHANNEL_BOT, FORWARDER, Chat, Payload, is_bot
from tests.fakes.telegram.members import ADMINISTRATORS, PERMISSIONS

COMMAND = re.compile(r"[a-z0-9_]{1,32}")
DESCRIPTION = 256
COMMANDS = 100
GIFTS = ("unlimited_gifts", "limited_gifts", "unique_gifts", "premium_subscription", "gifts_from_channels")
SYSTEM = {one["id"]: one for one in (ANONYMOUS, CHANNEL_BOT, FORWARDER)}


@answers("getMe")
def get_me(request: Request) -> Payload:
    """The bot's own account."""
    return request.bot.me()


@answers("logOut")
def log_out(request: Request) -> bool:
    """Leave this server: every later request is refused."""
    request.bot.logged_out = True
    return True


@answers("close")
def close(request: Request) -> bool:
    """Close the bot's instance; nothing changes here."""
    return True


@answers("getChat", "chat_id")
def get_chat(request: Request) -> Payload:
    """Everything about a chat."""
    chat = request.chat()
    full: Payload = {**chat.brief(), "accent_color_id": 0, "max_reaction_count": 11}
    full["accepted_gift_types"] = dict.fromkeys(GIFTS, False)
    if chat.kind in ("group", "supergroup"):
        full["permissions"] = dict.fromkeys(PERMISSIONS, True) | {"can_send_messages": chat.can_send}
    if chat.description:
        full["description"] = chat.description
    if chat.pinned is not None and not chat.pinned.deleted:
        full["pinned_message"] = chat.pinned.shown()
    if chat.linked is not None:
        full["linked_chat_id"] = chat.linked.id
    return full


def _member(request: Request, chat: Chat, user_id: int) -> Payload:
    world = request.world
    account: Any = world.people.get(user_id) or world.bots.get(user_id)
    if account is None and user_id in SYSTEM:
        return {"status": "left", "user": SYSTEM[user_id]}
    if account is None:
        raise errors.bad_request("invalid user_id specified")
    if chat.kind == "private":
        inside = account in (chat.person, chat.bot)
        return {"status": "member" if inside else "left", "user": account.brief()}
    return chat.membership(account).payload(chat.kind)


@answers("getChatMember", "chat_id", "user_id")
def get_chat_member(request: Request) -> Payload:
    """One member."""
    return _member(request, request.chat(), request.params["user_id"])


@answers("getChatAdministrators", "chat_id", "return_bots")
def get_chat_administrators(request: Request) -> list[Payload]:
    """The administrators, without other bots unless those are asked for."""
    chat = request.chat()
    if chat.kind == "private":
        raise errors.bad_request("there are no administrators in the private chat")
    found = []
    for one in chat.members.values():
        other_bot = is_bot(one.account) and one.account is not request.bot
        if one.status in ADMINISTRATORS and (not other_bot or request.params.get("return_bots")):
            found.append(one.payload(chat.kind))
    return found


@answers("leaveChat", "chat_id")
def leave_chat(request: Request) -> bool:
    """Leave a group or channel."""
    chat = request.chat()
    if chat.kind == "private":
        raise errors.bad_request("chat member status can't be changed in private chats")
    request.world.moves(chat, request.bot, "left", by=request.bot)
    return True


def _key(request: Request) -> tuple[str, str]:
    scope = request.params.get("scope") or {"type": "default"}
    if "chat_id" in scope:
        request.world.readable(request.bot, scope["chat_id"])
    return json.dumps(scope, sort_keys=True), request.params.get("language_code") or ""


@answers("setMyCommands", "commands", "scope", "language_code")
def set_my_commands(request: Request) -> bool:
    """Set the menu of a scope and language."""
    commands, key = request.params["commands"], _key(request)
    if len(commands) > COMMANDS:
        raise errors.bad_request("BOT_COMMANDS_TOO_MUCH")
    for one in commands:
        if not COMMAND.fullmatch(one["command"].removeprefix("/")):
            raise errors.bad_request("BOT_COMMAND_INVALID")
        if not 1 <= len(one["description"]) <= DESCRIPTION:
            raise errors.bad_request("BOT_COMMAND_DESCRIPTION_INVALID")
    request.bot.commands[key] = [
        {"command": one["command"].removeprefix("/"), "description": one["description"]} for one in commands
    ]
    return True


@answers("getMyCommands", "scope", "language_code")
def get_my_commands(request: Request) -> list[Payload]:
    """The menu of exactly this scope and language."""
    return request.bot.commands.get(_key(request), [])


@answers("deleteMyCommands", "scope", "language_code")
def delete_my_commands(request: Request) -> bool:
    """Empty the menu of a scope and language."""
    request.bot.commands.pop(_key(request), None)
    return True


def _described(request: Request, name: str, kept: dict[str, str], most: int) -> bool:
    text = request.params.get(name) or ""
    if len(text) > most:
        raise errors.bad_request("BOT_DESCRIPTION_INVALID")
    kept[request.params.get("language_code") or ""] = text
    return True


@answers("setMyDescription", "description", "language_code")
def set_my_description(request: Request) -> bool:
    """What an empty chat with the bot shows, up to 512 characters."""
    return _described(request, "description", request.bot.description, 512)


@answers("setMyShortDescription", "short_description", "language_code")
def set_my_short_description(request: Request) -> bool:
    """What the bot's profile shows, up to 120 characters."""
    return _described(request, "short_description", request.bot.short_description, 120)


@answers("getMyDescription", "language_code")
def get_my_description(request: Request) -> Payload:
    """The description of a language."""
    return {"description": request.bot.description.get(request.params.get("language_code") or "", "")}


@answers("getMyShortDescription", "language_code")
def get_my_short_description(request: Request) -> Payload:
    """The short description of a language."""
    return {"short_description": request.bot.short_description.get(request.params.get("language_code") or "", "")}
