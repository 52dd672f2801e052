"""What bots of somebody else share in one process: opened with the first, closed after the last."""

import asyncio
import logging

import discord
import pytest
import structlog
from discord.ext import commands
from telegram.ext import ApplicationBuilder

from bots.embed import Remembrancer
from bots.opened import Share, Shelf
from bots.runtime import SystemClock
from config import logs
from config.settings import Settings
from core.errors import ConfigError
from storage.unit_of_work import open_store

TOKEN = "7100000001:AAGuestsTokenOfTheTestsXXXXXXXXXXXXX"


@pytest.fixture
def settings(tmp_path):
    return Settings(data_dir=tmp_path)


def living(settings):
    """How many processes are registered."""
    store = open_store(settings.url(), migrate=False)
    try:
        return store.living_processes(SystemClock().now())
    finally:
        store.close()


def a_bot():
    return commands.Bot("!", intents=discord.Intents.default() | discord.Intents(message_content=True))


def an_application():
    return ApplicationBuilder().token(TOKEN).job_queue(None).build()


def test_the_bot_s_own_variables_are_not_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", "mysql://their/own")
    monkeypatch.setenv("DISCORD_TOKEN", "whatever they like")
    monkeypatch.setenv("TELEGRAM_TOKEN", "whatever they like")
    monkeypatch.setenv("REMEMBRANCER_DATA_DIR", str(tmp_path / "ours"))
    found = Remembrancer()._settings
    assert found.url().startswith("sqlite") and found.data_dir == tmp_path / "ours"
    assert found.discord_token.get_secret_value() == ""


def test_a_file_can_be_named_and_what_is_wrong_with_it_is_told(tmp_path):
    with pytest.raises(ConfigError, match=r"nowhere\.toml"):
        Remembrancer(config_file=tmp_path / "nowhere.toml")
    file = tmp_path / "mine.toml"
    file.write_text(f'zone = "Asia/Tokyo"\ndata_dir = "{tmp_path}"\n')
    assert Remembrancer(config_file=str(file))._settings.zone == "Asia/Tokyo"


def test_two_share_one_store_and_the_last_one_closes_it(settings):
    async def both():
        shelf = Shelf(settings)
        one, other = Share(shelf), Share(shelf)
        assert one.take() is other.take() is one.take()
        assert shelf.users == 2
        opened = one.take()
        await one.leave()
        await one.leave()
        assert (shelf.users, living(settings)) == (1, 1)
        await other.leave()
        assert (shelf.users, living(settings)) == (0, 0)
        assert one.take() is not opened
        await one.leave()

    asyncio.run(both())


def test_who_left_is_not_woken_any_more(settings):
    async def both():
        shelf, woken = Shelf(settings), []
        one, other = Share(shelf), Share(shelf)
        one.start(lambda: woken.append("one"))
        other.start(lambda: woken.append("other"))
        opened = one.take()
        await opened._rung(1)
        await other.leave()
        await opened._rung(1)
        assert woken == ["one", "other", "one"]
        await one.leave()

    asyncio.run(both())


def test_a_second_event_loop_is_refused(settings):
    shelf = Shelf(settings)
    one, other = Share(shelf), Share(shelf)

    async def begin(share):
        share.start(lambda: None)

    async def elsewhere():
        one.start(lambda: None)
        with pytest.raises(ConfigError, match="Two event loops"):
            await asyncio.to_thread(asyncio.run, begin(other))
        await other.leave()
        await one.leave()

    asyncio.run(elsewhere())
    assert shelf.users == 0


@pytest.fixture
def another_analyser(settings):
    """A process that analyses text in another way and lives."""
    store = open_store(settings.url())
    store.register_process("another", "other rules", SystemClock().now())
    yield
    store.close()


@pytest.mark.usefixtures("another_analyser")
def test_a_store_that_an_incompatible_process_uses_is_told_and_nothing_stays_behind(settings):
    remembrancer = Remembrancer(settings)
    application = an_application()
    with pytest.raises(ConfigError, match="Stop it, or wait"):
        remembrancer.telegram(application)
    assert (application.handlers, application.post_init) == ({}, None)

    async def add():
        async with a_bot() as bot:
            with pytest.raises(ConfigError, match="Stop it, or wait"):
                await bot.add_cog(remembrancer.discord(bot))
            assert not bot.cogs and not bot.tree.get_commands()

    asyncio.run(add())
    assert remembrancer.users == 0


def test_both_platforms_of_one_process_share_one_store(settings):
    async def both():
        remembrancer = Remembrancer(settings)
        guest = remembrancer.telegram(an_application())
        async with a_bot() as bot:
            await bot.add_cog(remembrancer.discord(bot))
            assert (remembrancer.users, living(settings)) == (2, 1)
            assert "intent" in {command.name for command in bot.tree.get_commands()}
            await guest.end()
            assert remembrancer.users == 1
        assert (remembrancer.users, living(settings)) == (0, 0)
        assert not bot.tree.get_commands()

    asyncio.run(both())


def test_an_application_is_attached_to_once(settings):
    remembrancer, application = Remembrancer(settings), an_application()
    guest = remembrancer.telegram(application)
    with pytest.raises(ConfigError, match="already"):
        remembrancer.telegram(application)
    asyncio.run(guest.end())


def test_a_taken_name_leaves_nothing_behind(settings):
    async def add():
        remembrancer = Remembrancer(settings)
        async with a_bot() as bot:

            @bot.tree.command(description="Theirs")
            async def remind(interaction):
                """Their own."""

            with pytest.raises(ConfigError, match=r"names already: remind\."):
                await bot.add_cog(remembrancer.discord(bot))
            assert not bot.cogs
            assert [command.name for command in bot.tree.get_commands()] == ["remind"]
            assert remembrancer.users == 0

    asyncio.run(add())


def test_a_bot_that_does_not_hear_messages_is_told_so(settings, caplog):
    async def add():
        remembrancer = Remembrancer(settings)
        async with commands.Bot("!", intents=discord.Intents(guilds=True)) as bot:
            await bot.add_cog(remembrancer.discord(bot))

    with caplog.at_level(logging.WARNING):
        asyncio.run(add())
    assert "guild_messages, message_content" in caplog.text


@pytest.fixture
def structlog_anew():
    """Structlog as in a program that never set it up."""
    before = structlog.get_config() if structlog.is_configured() else None
    structlog.reset_defaults()
    yield
    structlog.reset_defaults()
    if before is not None:
        structlog.configure(**before)


@pytest.mark.usefixtures("structlog_anew")
def test_what_we_log_goes_where_their_log_goes(caplog, capsys):
    logs.join()
    handlers = logging.getLogger().handlers[:]
    with caplog.at_level(logging.INFO):
        logs.get("x").info("heartbeat.started", seconds=60, text="their words", odd="100 %s")
        try:
            raise ValueError("a defect")
        except ValueError:
            logs.get("x").exception("alarm.failed")
    first, second = caplog.records
    assert first.getMessage() == "heartbeat.started seconds=60 text='(not logged)' odd='100 %s'"
    assert (second.levelname, second.exc_info[0]) == ("ERROR", ValueError)
    assert logging.getLogger().handlers == handlers
    assert capsys.readouterr().out == ""


@pytest.mark.usefixtures("structlog_anew")
def test_where_they_use_structlog_it_stays_as_they_set_it_up():
    structlog.configure(processors=[structlog.processors.JSONRenderer()])
    before = structlog.get_config()["processors"]
    logs.join()
    assert structlog.get_config()["processors"] is before
