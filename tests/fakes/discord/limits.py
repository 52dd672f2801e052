"""The limits of the real API that simcord does not enforce: each breach is 400 with code 50035."""

import re
from typing import Any

from tests.fakes.discord.engine import BackendError, OptionType

KINDS = {1: ("slash", 100), 2: ("user", 15), 3: ("message", 15)}
OPTIONS = CHOICES = 25
TEXT = 100
NAME = 32
COMMAND_CHARACTERS = 8000
NONCE = 25
PAGE = 100
SMALL = re.compile(r"[-_'\w]{1,32}")
NESTING: dict[int, set[int]] = {0: {1, 2}, 1: set(), 2: {1}}
"""What a command (0), a subcommand (1) and a group (2) may hold of subcommands and groups."""


def broken(field: str, detail: str) -> BackendError:
    """Invalid Form Body."""
    errors = {field: {"_errors": [{"code": "BASE_TYPE_BAD_LENGTH", "message": detail}]}}
    return BackendError(400, 50035, "Invalid Form Body", errors=errors)


def _length(value: object, field: str, most: int, least: int = 1) -> int:
    if not isinstance(value, str) or not least <= len(value) <= most:
        raise broken(field, f"Must be between {least} and {most} in length.")
    return len(value)


def _few(values: list[Any], field: str, most: int) -> None:
    if len(values) > most:
        raise broken(field, f"Must be {most} or fewer in length.")
    names = [value["name"] for value in values]
    if len(set(names)) != len(names):
        raise broken(field, "Names must be unique.")


def check_commands(commands: list[dict[str, Any]]) -> None:
    """The body of a command sync."""
    for kind, (name, most) in KINDS.items():
        _few([one for one in commands if one.get("type", 1) == kind], f"{name} commands", most)
    for index, command in enumerate(commands):
        if command.get("type", 1) not in KINDS:
            raise broken(f"{index}.type", "Not a known type.")
        if _command(command, f"{index}") > COMMAND_CHARACTERS:
            raise broken(f"{index}", f"Command exceeds maximum size ({COMMAND_CHARACTERS}).")


def _command(command: dict[str, Any], where: str) -> int:
    if command.get("type", 1) != 1:
        if command.get("description") or command.get("options"):
            raise broken(where, "Only slash commands have a description and options.")
        return _length(command.get("name"), f"{where}.name", NAME)
    return _named(command, where) + _options(command, where, 0)


def _named(item: dict[str, Any], where: str) -> int:
    name = item.get("name")
    if not isinstance(name, str) or not SMALL.fullmatch(name) or name != name.lower():
        raise broken(f"{where}.name", f"Command name is invalid: {name!r}.")
    return len(name) + _length(item.get("description"), f"{where}.description", TEXT)


def _options(node: dict[str, Any], where: str, parent: int) -> int:
    """The characters of its options. `parent` is 0 for a command, 1 for a subcommand, 2 for a group."""
    options = node.get("options") or []
    _few(options, f"{where}.options", OPTIONS)
    nested = [one for one in options if one["type"] in (OptionType.SUBCOMMAND, OptionType.SUBCOMMAND_GROUP)]
    if nested and len(nested) != len(options):
        raise broken(f"{where}.options", "Sub-command options cannot stand beside others.")
    if any(int(one["type"]) not in NESTING[parent] for one in nested):
        raise broken(f"{where}.options", "Sub-commands cannot be nested like that.")
    if parent == 2 and not nested:
        raise broken(f"{where}.options", "A group needs sub-commands.")
    wanted = [bool(one.get("required")) for one in options]
    if wanted != sorted(wanted, reverse=True):
        raise broken(f"{where}.options", "Required options must be placed before non-required options.")
    return sum(_option(one, f"{where}.options.{index}") for index, one in enumerate(options))


def _option(option: dict[str, Any], where: str) -> int:
    kind = int(option["type"])
    if kind in (OptionType.SUBCOMMAND, OptionType.SUBCOMMAND_GROUP):
        return _named(option, where) + _options(option, where, kind)
    choices = option.get("choices") or []
    if choices and option.get("autocomplete"):
        raise broken(f"{where}.autocomplete", "An option with choices cannot have autocomplete.")
    return _named(option, where) + check_choices(choices, f"{where}.choices")


def check_choices(choices: list[dict[str, Any]], where: str = "choices") -> int:
    """Choices of an option or of an autocomplete; how many characters they have."""
    _few(choices, where, CHOICES)
    total = 0
    for index, choice in enumerate(choices):
        total += _length(choice.get("name"), f"{where}.{index}.name", TEXT)
        if isinstance(choice.get("value"), str):
            total += _length(choice["value"], f"{where}.{index}.value", TEXT)
        elif isinstance(choice.get("value"), bool) or not isinstance(choice.get("value"), int | float):
            raise broken(f"{where}.{index}.value", "Must be a string or a number.")
    return total


def check_nonce(nonce: object) -> str:
    """The nonce of a message, as text."""
    text = str(nonce)
    _length(text, "nonce", NONCE)
    return text


def page_size(query: dict[str, str]) -> int:
    """The `limit` of a listing of messages."""
    text = query.get("limit", "50")
    if not text.isdigit() or not 1 <= int(text) <= PAGE:
        raise broken("limit", f"int value should be between 1 and {PAGE}.")
    return int(text)
