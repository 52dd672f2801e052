"""A conversation in this process, or with a bot in a process of its own."""

import pytest

from storage.unit_of_work import SqlStore
from tests.fakes.clock import FakeClock
from tests.fakes.console import Chat
from tests.fakes.ids import SeededIds
from tests.fakes.telegram.fixtures import telegram_world  # noqa: F401

PASTE = "when someone mentions the launch checklist, remind me to confirm the rollback owner"


@pytest.fixture
def chat(sqlite_store: SqlStore, clock: FakeClock, ids: SeededIds) -> Chat:
    """Ada in a new workspace."""
    return Chat(sqlite_store, clock, ids)


@pytest.fixture
def ruled(chat: Chat) -> Chat:
    """The same with the launch checklist saved."""
    chat(PASTE, "yes")
    assert len(chat.rules()) == 1
    return chat


@pytest.fixture(scope="module")
def telegram(request, tmp_path_factory):
    """One Telegram and one running bot for the tests of a file; each makes groups and people of its own.

    A file may name `PRIVACY` (its mode, off unless it says so) and `SETTINGS` of its bot.
    """
    from tests.fakes.bots import running
    from tests.fakes.telegram.world import World

    with World() as world:
        bot = world.bot("remembrancer_bot", privacy=getattr(request.module, "PRIVACY", False))
        settings = getattr(request.module, "SETTINGS", {})
        with running(world, bot, tmp_path_factory.mktemp("bot"), **settings) as process:
            yield world, bot, process
        told = process.output()
        pages = told.count("Can not load invalid JSON data")  # the library logs a proxy's page with its traceback
        assert told.count("Traceback (") == pages, told


@pytest.fixture(scope="module")
def discord(request, tmp_path_factory):
    """The same on Discord, for a file that says `PLATFORM = "discord"`."""
    from tests.fakes.discord.bots import running
    from tests.fakes.discord.world import World

    with World() as world:
        settings = getattr(request.module, "SETTINGS", {})
        with running(world, tmp_path_factory.mktemp("bot"), **settings) as process:
            yield world, world.bot, process
        told = process.output()
        assert "Traceback (" not in told, told


@pytest.fixture
def platform(request):
    return getattr(request.module, "PLATFORM", "telegram")


@pytest.fixture
def started(request, platform):
    return request.getfixturevalue(platform)


@pytest.fixture
def world(started):
    return started[0]


@pytest.fixture
def bot(started):
    return started[1]


@pytest.fixture
def process(started):
    return started[2]


@pytest.fixture
def ada(world, bot, platform):
    """An owner; on Telegram one who pressed Start."""
    person = world.person("Ada")
    if platform == "telegram":
        person.starts(bot)
    return person


@pytest.fixture
def bob(world):
    """A member who never wrote to the bot."""
    return world.person("Bob")


@pytest.fixture
def guild(ops):
    """The server on Discord in which the channel is."""
    return ops.guild


@pytest.fixture
def ops(world, bot, ada, bob, platform):
    """A supergroup on Telegram; on Discord a text channel in which the bot said hello."""
    if platform == "discord":
        guild = world.guild("Ops", owner=ada, members=[bob], bot=False)
        channel = guild.text("ops")
        guild.add_bot()
        world.answer(channel, "Hello. I remember to act")
        return channel
    return world.supergroup("Ops", creator=ada, members=[bob, bot])
