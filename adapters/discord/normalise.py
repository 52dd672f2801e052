"""Discord's messages as turns. Pure: the same message gives the same turn."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

import discord

from adapters.discord.places import PROVIDER, person_of, principal_of, sees, shown_name, where_of
from adapters.discord.text import to_marked_text
from core.text.zones import MarkedText
from core.turn import Principal, Turn, TurnKind, machine

_SAID = frozenset({discord.MessageType.default, discord.MessageType.reply})
_BY_COMMAND = frozenset({discord.MessageType.chat_input_command, discord.MessageType.context_menu_command})


def turn_of(message: discord.Message, account: str, received_at: datetime, edited: bool = False) -> Turn | None:
    """The turn that a message is, None where its channel is not known. `account` is the bot's own id."""
    where = where_of(message.channel, account)
    if where is None:
        return None
    kind = kind_of(message, account)
    return Turn(
        where=where,
        message_id=str(message.id),
        text=MarkedText("") if kind is TurnKind.SERVICE else text_of(message, kind),
        sent_at=min(message.created_at, received_at),
        received_at=received_at,
        sender=sender_of(message, account, kind),
        sender_name=shown_name(message.author),
        kind=kind,
        edited=edited,
        link=link_of(message),
        mentions=_mentioned(message, account),
        answers_us=_answers_us(message, account),
    )


def kind_of(message: discord.Message, account: str) -> TurnKind:
    """What kind of message it is."""
    if str(message.author.id) == account:
        return TurnKind.OWN
    if message.type not in _SAID | _BY_COMMAND or _is_system(message.author):
        return TurnKind.SERVICE
    if message.webhook_id is not None and message.type not in _BY_COMMAND:
        return TurnKind.WEBHOOK
    return TurnKind.BOT if message.author.bot else TurnKind.USER


def _is_system(user: discord.abc.User) -> bool:
    return bool(getattr(user, "system", False))


def sender_of(message: discord.Message, account: str, kind: TurnKind) -> Principal:
    """Who wrote it: a bot or a webhook by its own id, whatever name it posts under."""
    if kind is TurnKind.WEBHOOK:
        return machine(kind, PROVIDER, account, str(message.webhook_id))
    return person_of(message.author, account) if kind is TurnKind.BOT else principal_of(message.author.id, account)


def _answers_us(message: discord.Message, account: str) -> bool:
    quoted = message.reference.resolved if message.reference is not None else None
    return isinstance(quoted, discord.Message) and str(quoted.author.id) == account


def text_of(message: discord.Message, kind: TurnKind) -> MarkedText:
    """What was said, with its zones. Of bots and webhooks what stands in their embeds, too: they often say it there."""
    names = names_in(message)
    parts = [to_marked_text(message.content, names)]
    if kind in {TurnKind.BOT, TurnKind.WEBHOOK}:
        parts += [to_marked_text(text, names) for embed in message.embeds for text in _words_of(embed)]
    return joined(part for part in parts if part.text)


def _words_of(embed: discord.Embed) -> Iterator[str]:
    yield from (text for text in (embed.author.name, embed.title, embed.description) if text)
    for field in embed.fields:
        yield from (text for text in (field.name, field.value) if text)


def joined(parts: Iterator[MarkedText]) -> MarkedText:
    """Several texts as one, a line each, every zone where its words are."""
    text, zones = "", []
    for part in parts:
        start = len(text) + 1 if text else 0
        text = f"{text}\n{part.text}" if text else part.text
        zones += [replace(zone, start=zone.start + start, end=zone.end + start) for zone in part.zones]
    return MarkedText(text, tuple(zones))


def names_in(message: discord.Message) -> dict[str, str]:
    """What the ids in a message stand for."""
    people = {str(user.id): shown_name(user) for user in message.mentions}
    roles = {str(role.id): role.name for role in message.role_mentions}
    channels = {str(one.id): one.name for one in message.channel_mentions if sees(message.author, one)}
    return people | roles | channels


def link_of(message: discord.Message) -> str:
    """Where to look at it again; "" in direct messages, which only two people can open."""
    return message.jump_url if message.guild is not None else ""


def _mentioned(message: discord.Message, account: str) -> tuple[Principal, ...]:
    """People whom the words name; who is answered is not named by that."""
    named = dict.fromkeys(message.raw_mentions)
    known = {user.id for user in message.mentions if not user.bot}
    return tuple(principal_of(id_, account) for id_ in named if id_ in known)
