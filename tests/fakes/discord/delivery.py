"""What a session of the gateway is told of an event: intents, what the bot may see, and censored contents."""

import copy
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tests.fakes.discord.engine import Payload, channel_accessible, discord, intents

if TYPE_CHECKING:
    from tests.fakes.discord.world import World

SEEN = ("MESSAGE_", "TYPING_START", "CHANNEL_PINS_UPDATE")
THREADS = ("THREAD_CREATE", "THREAD_UPDATE", "THREAD_MEMBERS_UPDATE")


def told(world: "World", wanted: discord.Intents, event: str, payload: Mapping[str, Any]) -> Payload | None:
    """A copy of the payload as a session with these intents gets it; None where it is not told."""
    gate = intents.required_intent(event, payload)
    if gate is not None and not getattr(wanted, gate) and not _about_the_bot(world, event, payload):
        return None
    if not (_in_reach(world, event, payload) and _seen(world, event, payload)):
        return None
    made = copy.deepcopy(dict(payload))
    if not wanted.message_content:
        _censor(world, event, made)
    if event == "GUILD_CREATE":
        made["threads"] = [one for one in made["threads"] if _active(world, one)]
        intents.prune_guild_create(made, wanted, world.bot.id)
    return made


def _about_the_bot(world: "World", event: str, payload: Mapping[str, Any]) -> bool:
    """A bot hears of changes to its own membership without the intent."""
    return event == "GUILD_MEMBER_UPDATE" and int(payload["user"]["id"]) == world.bot.id


def _in_reach(world: "World", event: str, payload: Mapping[str, Any]) -> bool:
    """Whether the bot is in that guild and the guild is up; GUILD_DELETE says that it is not."""
    own = event in ("GUILD_CREATE", "GUILD_UPDATE", "GUILD_DELETE")
    guild_id = payload.get("id") if own else payload.get("guild_id")
    if guild_id is None or event == "GUILD_DELETE":
        return True
    return world.reachable(int(guild_id))


def _seen(world: "World", event: str, payload: Mapping[str, Any]) -> bool:
    """Whether the bot may view the channel of the event."""
    if event in THREADS:
        channel_id = payload.get("id")
    elif event.startswith(SEEN):
        channel_id = payload.get("channel_id")
    else:
        return True
    if channel_id is None or int(channel_id) not in world.backend.channels:
        return True
    return channel_accessible(world.backend, int(channel_id), world.bot.id)


def _active(world: "World", thread: Mapping[str, Any]) -> bool:
    if thread["thread_metadata"]["archived"]:
        return False
    return channel_accessible(world.backend, int(thread["id"]), world.bot.id)


def _censor(world: "World", event: str, made: Payload) -> None:
    if event in ("MESSAGE_CREATE", "MESSAGE_UPDATE"):
        intents.censor_message(made, world.bot.id, backend=world.backend)
    elif event == "INTERACTION_CREATE":
        if isinstance(made.get("message"), dict):
            intents.censor_message(made["message"], world.bot.id, backend=world.backend, exempt_root=True)
        data = made.get("data") or {}
        for message_id, message in ((data.get("resolved") or {}).get("messages") or {}).items():
            chosen = data.get("type") == 3 and str(data.get("target_id")) == str(message_id)
            intents.censor_message(message, world.bot.id, backend=world.backend, exempt_root=chosen)
