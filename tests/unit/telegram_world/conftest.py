"""The loopback Telegram and a small cast in it."""

from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from tests.fakes.telegram.fixtures import telegram_world  # noqa: F401


@pytest.fixture(autouse=True)
def spans_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library gives waits as timedelta; without this it warns at every 429."""
    monkeypatch.setenv("PTB_TIMEDELTA", "true")


@pytest.fixture
def cast(telegram_world):  # noqa: F811
    """Ada owns Ops, a supergroup with Bob and the bot in it; the bot hears all and Ada pressed Start."""
    world = telegram_world
    ada, bob = world.person("Ada"), world.person("Bob")
    bot = world.bot(privacy=False, started_by=[ada])
    ops = world.supergroup("Ops", creator=ada, members=[bob, bot])
    return SimpleNamespace(world=world, ada=ada, bob=bob, bot=bot, ops=ops)


@pytest.fixture
def probe(cast) -> Iterator[object]:
    """The real library, polling."""
    from tests.fakes.telegram.probe import Probe

    with Probe(cast.world, cast.bot) as running:
        yield running
