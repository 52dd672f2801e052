"""Telling Discord which commands there are: only when they changed, in one call, for all servers at once.

One call replaces the whole list, so that what is no longer there goes in the same moment and the number of commands
never passes Discord's bound on the way.
"""

import hashlib
import json
import logging
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import discord
from discord import app_commands

NAME_CHARS, DESCRIPTION_CHARS, OPTIONS, CHOICES, COMMAND_CHARS = 32, 100, 25, 25, 8_000
"""Bounds of one command; the last counts every name, description and choice in it."""
Tree = app_commands.CommandTree[Any]
Payload = Mapping[str, Any]
_log = logging.getLogger(__name__)


def payload_of(tree: Tree) -> str:
    """All commands for every server, as Discord would be told of them, in an order that does not depend on how they
    were added."""
    found = sorted((command.to_dict(tree) for command in tree.get_commands()), key=_key)
    return json.dumps(found, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def fingerprint(tree: Tree) -> str:
    """SHA-256 of the payload."""
    return hashlib.sha256(payload_of(tree).encode()).hexdigest()


async def sync_if_changed(tree: Tree, remembered: str, *, wanted: bool = True) -> str:
    """Tell Discord of the commands if it has others; what to remember until the next start.

    `remembered` is what this gave back the last time, "" for never. Where it is still right, one look at Discord's
    own list makes sure that none was taken away there. Without `wanted`, which is for a tree that somebody else looks
    after, nothing is asked or told. Raises discord.HTTPException and what belongs to it.
    """
    if not wanted:
        return remembered
    now = fingerprint(tree)
    if now == remembered:
        missing = _names(tree) - {(one.type.value, one.name) for one in await tree.fetch_commands()}
        if not missing:
            return now
        _log.warning("Discord has lost %s", ", ".join(sorted(name for _, name in missing)))
    told = await tree.sync()
    _log.info("Discord was told of %d commands", len(told))
    return now


def check_bounds(command: Payload) -> None:
    """Raises ValueError for a command, or a part of one, that Discord would not take."""
    name = command["name"]
    for part in _parts(command):
        _check(name, "name", len(part["name"]), NAME_CHARS)
        if "description" in part:  # a command of a message's menu has none
            _check(name, f"description of {part['name']}", len(part["description"]), DESCRIPTION_CHARS)
        _check(name, f"options of {part['name']}", len(part.get("options") or ()), OPTIONS)
        _check(name, f"choices of {part['name']}", len(part.get("choices") or ()), CHOICES)
    _check(name, "texts together", sum(_chars(command)), COMMAND_CHARS)


def _check(command: str, what: str, used: int, most: int) -> None:
    if used > most:
        raise ValueError(f"/{command}: {what} is {used}, and Discord takes {most}")


def _parts(command: Payload) -> Iterator[Payload]:
    yield command
    for part in command.get("options") or ():
        yield from _parts(part)


def _chars(command: Payload) -> Iterator[int]:
    for part in _parts(command):
        yield len(part["name"]) + len(part.get("description") or "")
        yield sum(len(choice["name"]) + len(str(choice["value"])) for choice in part.get("choices") or ())


def _names(tree: Tree) -> set[tuple[int, str]]:
    return {_key(command.to_dict(tree)) for command in tree.get_commands()}


def _key(command: Payload) -> tuple[int, str]:
    return int(command.get("type", discord.AppCommandType.chat_input.value)), command["name"]


def taken(tree: Tree, commands: Iterable[Payload]) -> list[str]:
    """The names among `commands` that the tree has already."""
    here = _names(tree)
    return [command["name"] for command in commands if _key(command) in here]
