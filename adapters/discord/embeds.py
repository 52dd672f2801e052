"""Answers to one person: as a message where they fit into one, else as embeds, which hold twice as much."""

import logging
from collections.abc import Sequence
from typing import Any

import discord

from adapters.discord.markup import EMBED_CHARS, parts_of
from core.wording.lines import Line, Mood

log = logging.getLogger(__name__)

FOLLOW_UPS = 5
"""So many messages an answer to one person has at most; each holds 4 096 characters."""
_COLOURS = {
    Mood.BAD: discord.Colour.red(),
    Mood.WARNING: discord.Colour.gold(),
    Mood.GOOD: discord.Colour.green(),
}


def answers_of(found: Sequence[Line]) -> list[dict[str, Any]]:
    """What each message of an answer holds: `content`, or `embed` where it is long."""
    contents = parts_of(found)
    if len(contents) == 1:
        return [{"content": contents[0]}]
    return [{"embed": embed} for embed in _embeds_of(found)]


def edit_of(found: Sequence[Line]) -> dict[str, Any]:
    """What an answer is changed to. What does not fit into one message is left out."""
    first = answers_of(found)[0]
    return {"content": first.get("content"), "embeds": [first["embed"]] if "embed" in first else []}


def _embeds_of(found: Sequence[Line]) -> list[discord.Embed]:
    """One a message, the colour telling how it went. Embeds know no small letters."""
    colour = next((_COLOURS[mood] for mood in _COLOURS if any(one.mood is mood for one in found)), None)
    parts = parts_of(found, EMBED_CHARS, faint="")
    if len(parts) > FOLLOW_UPS:
        log.warning("discord.long: %d of %d parts were left out", len(parts) - FOLLOW_UPS, len(parts))
    return [discord.Embed(description=part, colour=colour) for part in parts[:FOLLOW_UPS]]
