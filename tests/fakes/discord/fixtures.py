"""The fixture `discord_service`. A conftest offers it with one line:

    from tests.fakes.discord.fixtures import discord_service  # noqa: F401

A test that takes it gets a running `World` without people or guilds; it stops by itself and fails the test where the
bot asked for something that is not understood.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.fakes.discord.world import World


@pytest.fixture
def discord_service() -> "Iterator[World]":
    """A Discord on a free port of 127.0.0.1; the libraries it needs are imported at its first use only."""
    from tests.fakes.discord.world import World

    with World() as world:
        yield world
