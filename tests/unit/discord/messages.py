"""Messages as the client library gives them, without a connection."""

from typing import Any

import discord

AT = "2026-11-30T10:00:00+00:00"
FIRST = 1_576_900_000_000_000_000
GUILD, OPS, SECRETS, FORUM, THREAD, HIDDEN, STRAY, MODS, NOWHERE = range(FIRST, FIRST + 9)
BOB_ID, ADA_ID, ROBOT_ID, ACCOUNT, HOOK_ID = (str(FIRST + number) for number in range(100, 105))
BOB = {"id": BOB_ID, "username": "bob", "discriminator": "0", "global_name": "Bob", "avatar": None}
ADA = BOB | {"id": ADA_ID, "username": "ada", "global_name": "Ada"}
ROBOT = BOB | {"id": ROBOT_ID, "username": "robot", "global_name": None, "bot": True}
OURS = ROBOT | {"id": ACCOUNT, "username": "remembrancer"}
VIEW = "1024"
EVERYBODY = {"id": str(GUILD), "name": "@everyone", "permissions": VIEW}
TEXT, PUBLIC_THREAD, PRIVATE_THREAD, FORUM_KIND = 0, 11, 12, 15


def _channel(id_: int, name: str, kind: int = TEXT, **fields: Any) -> dict[str, Any]:
    more = {"position": 0, "permission_overwrites": [], "parent_id": None, "topic": None, "nsfw": False}
    return {"id": str(id_), "name": name, "type": kind, **more} | fields


def _thread(id_: int, name: str, parent: int, kind: int = PUBLIC_THREAD) -> dict[str, Any]:
    metadata = {"archived": False, "auto_archive_duration": 60, "archive_timestamp": AT, "locked": False}
    more = {"owner_id": BOB_ID, "message_count": 1, "member_count": 1, "thread_metadata": metadata}
    return _channel(id_, name, kind, parent_id=str(parent), **more)


CLOSED = [{"id": str(GUILD), "type": 0, "allow": "0", "deny": VIEW}]
SERVER: dict[str, Any] = {
    "id": str(GUILD),
    "name": "Ops server",
    "owner_id": ADA_ID,
    "roles": [EVERYBODY, {"id": str(MODS), "name": "Mods", "permissions": "0"}],
    "channels": [
        _channel(OPS, "ops"),
        _channel(SECRETS, "secrets", permission_overwrites=CLOSED),
        _channel(FORUM, "questions", FORUM_KIND),
    ],
    "threads": [
        _thread(THREAD, "Rollback", OPS),
        _thread(HIDDEN, "Quiet", OPS, PRIVATE_THREAD),
        _thread(STRAY, "Elsewhere", NOWHERE),
    ],
    "members": [],
    "emojis": [],
    "stickers": [],
    "features": [],
}


def a_message(content: str = "hello", channel: int = OPS, **fields: Any) -> discord.Message:
    """A message of bob in #ops of a server; fields as the gateway tells them."""
    state: Any = discord.Client(intents=discord.Intents.none())._connection
    state._add_guild_from_data(SERVER)
    return _message(state, {"guild_id": str(GUILD)}, content, channel, fields)


def a_direct_message(content: str = "hello", **fields: Any) -> discord.Message:
    """A message of bob to the bot."""
    state: Any = discord.Client(intents=discord.Intents.none())._connection
    return _message(state, {}, content, NOWHERE, fields)


def _message(state: Any, place: dict[str, Any], content: str, channel: int, fields: dict[str, Any]) -> discord.Message:
    data: dict[str, Any] = {
        "id": str(discord.utils.time_snowflake(discord.utils.parse_time(AT))),
        "channel_id": str(channel),
        "author": BOB,
        "content": content,
        "timestamp": AT,
        "edited_timestamp": None,
        "type": 0,
    }
    lists = ("mentions", "mention_roles", "attachments", "embeds", "components", "sticker_items")
    nothing = {"tts": False, "mention_everyone": False, "pinned": False, "flags": 0}
    data |= {name: [] for name in lists} | nothing | place | fields
    found, _ = state._get_guild_channel(data)
    return discord.Message(state=state, channel=found, data=data)  # type: ignore[arg-type] # as the gateway tells it
