"""What was said in a channel, asked from Discord."""

from collections.abc import Sequence
from datetime import datetime

import discord

from adapters.base.contract import NeverSent
from adapters.discord.normalise import turn_of
from adapters.discord.places import channel_id
from adapters.discord.sending import told
from core.standing.preview import Past
from core.standing.sentences import parse_sentence
from core.turn import TurnKind, Where

_SAID = frozenset({TurnKind.USER, TurnKind.BOT, TurnKind.WEBHOOK})
READABLE = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.Thread | discord.DMChannel


async def said_in(client: discord.Client, where: Where, limit: int, account: str, now: datetime) -> Past | None:
    """The last messages of a conversation, oldest first; None where the bot may not read them. Raises RetryLater.

    At most `limit` of them are read; `more` tells that there are older ones.
    """
    channel = client.get_channel(channel_id(where))
    try:
        found = channel if channel is not None else await told(lambda: client.fetch_channel(channel_id(where)))
        if not isinstance(found, READABLE) or not _may_look_back(found):
            return None
        messages = await told(lambda: _read(found, limit + 1))
    except NeverSent:
        return None
    asked = _answered(messages, account)
    turns = [turn_of(message, account, now) for message in reversed(messages[:limit]) if not _asks(message, asked)]
    return Past((turn for turn in turns if turn is not None and turn.kind in _SAID), more=len(messages) > limit)


def _answered(messages: Sequence[discord.Message], account: str) -> frozenset[int]:
    """The messages to which the bot replied."""
    ours = (one.reference.message_id for one in messages if one.reference and str(one.author.id) == account)
    return frozenset(id_ for id_ in ours if id_ is not None)


def _asks(message: discord.Message, answered: frozenset[int]) -> bool:
    """Was it a sentence that asked the bot for something? Such a one was not matched."""
    return message.id in answered and parse_sentence(message.content) is not None


def _may_look_back(channel: READABLE) -> bool:
    """Discord answers with nothing where the bot may not: that is no empty channel."""
    return isinstance(channel, discord.DMChannel) or channel.permissions_for(channel.guild.me).read_message_history


async def _read(channel: READABLE, limit: int) -> list[discord.Message]:
    return [message async for message in channel.history(limit=limit)]
