"""Discord refuses commands and forms whose words are too long, all for the sake of one. The catalogue's fit."""

import re

import pytest

from core.catalogue.en_discord import DISCORD

MESSAGE, DESCRIPTION, FORM, MENU, NAME = 2_000, 100, 45, 32, 32
BOUNDS = {
    "discord.command.": DESCRIPTION,
    "discord.option.": DESCRIPTION,
    "discord.field.": FORM,
    "discord.new.title": FORM,
    "discord.menu.": MENU,
}
COMMANDS = {
    "intent": "add list show edit pause resume cancel why preview test history mute unmute keep confirm",
    "goal": (
        "add list show edit done hold resume cancel supersede depends blocks pin unpin search answer review confirm"
        " dismiss link"
    ),
    "remind": "me list show done cancel later",
    "aspire": "add list review done",
    "remembrancer": "help privacy settings",
}
NAMES = re.compile(r"[-_a-z]+")


def units(text: str) -> int:
    """Its length as Discord may count it: an emoji is two."""
    return len(text.encode("utf-16-le")) // 2


@pytest.mark.parametrize("key", DISCORD)
def test_every_text_fits_where_discord_shows_it(key: str) -> None:
    limit = next((bound for start, bound in BOUNDS.items() if key.startswith(start)), MESSAGE)
    assert 0 < units(DISCORD[key]) <= limit
    if limit != MESSAGE:
        assert DISCORD[key] == " ".join(DISCORD[key].split()), "one line, and nothing that is filled in"
        assert "{" not in DISCORD[key]


def test_every_command_has_a_description_and_none_is_left_over() -> None:
    wanted = {f"discord.command.{group}" for group in COMMANDS}
    wanted |= {f"discord.command.{group}.{name}" for group, names in COMMANDS.items() for name in names.split()}
    assert wanted == {key for key in DISCORD if key.startswith("discord.command.")}


@pytest.mark.parametrize("key", [key for key in DISCORD if key.startswith(("discord.command.", "discord.option."))])
def test_every_name_of_a_command_or_an_option_can_be_one(key: str) -> None:
    for name in key.split(".")[2:]:
        assert NAMES.fullmatch(name)
        assert len(name) <= NAME


@pytest.mark.parametrize("key", [key for key in DISCORD if key.endswith(".hint")])
def test_every_hint_follows_a_sentence_or_ends_one(key: str) -> None:
    assert DISCORD[key].endswith(".")
