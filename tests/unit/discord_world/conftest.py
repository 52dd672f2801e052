"""The loopback Discord and a small cast in it."""

from types import SimpleNamespace

import pytest


@pytest.fixture
def cast(discord_service):
    """Ada owns Ops with Bob in it; #ops is public; the bot is there too."""
    world = discord_service
    ada, bob = world.person("Ada"), world.person("Bob")
    guild = world.guild("Ops", owner=ada, members=[bob])
    return SimpleNamespace(world=world, ada=ada, bob=bob, guild=guild, ops=guild.text("ops"))


@pytest.fixture
def probe(cast):
    """The real library, listening; no commands."""
    from tests.fakes.discord.probe import Probe

    with Probe(cast.world) as running:
        yield running


@pytest.fixture
def small(cast):
    """The real library with a small bot, its commands synced."""
    from tests.fakes.discord.probe import Probe
    from tests.fakes.discord.smallbot import setup

    with Probe(cast.world, setup, sync=True) as running:
        yield running
