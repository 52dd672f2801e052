"""The bot of this project as a child process, as far as the loopback Discord leads it."""

import pytest

from config.loading import load
from tests.fakes.discord.bots import Running

pytestmark = pytest.mark.thorough


def test_a_child_is_led_to_the_loopback_by_settings_that_are_accepted(cast, tmp_path) -> None:
    child = Running(cast.world, tmp_path)
    settings = load(env=child.reaches(), cwd=tmp_path).settings
    assert settings.discord_api_url == cast.world.api_url
    assert settings.discord_gateway_url == cast.world.gateway_url
    assert settings.discord_token.get_secret_value() == cast.world.token
    assert (child.runs, child.arguments) == (False, ("--only", "discord"))
