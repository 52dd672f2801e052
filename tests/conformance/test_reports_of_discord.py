"""Public reports about bots on Discord: the real client library against a simulated Discord."""

import asyncio
import logging
from collections import Counter

import discord
import pytest
import simcord
from discord import app_commands

from adapters.base.contract import Post
from adapters.discord.markup import CONTENT_CHARS
from adapters.discord.sending import Sender
from adapters.discord.service import DiscordService
from adapters.discord.sync import sync_if_changed
from bots.bootstrap import runner_of
from core.services.context import Context
from core.turn import Where
from core.wording.lines import Line, Segment
from storage.hot_thread import HotThread
from tests.fakes.discord.probe import Probe, pointed_at
from tests.fakes.slash import RecordingAsker, SlashBot, played

pytestmark = pytest.mark.thorough

DEFERRED, FORM = 5, 9
ONLY_FOR_YOU = 64
UNKNOWN, TAKEN = 10062, 40060


def some_value(option):
    match option["type"]:
        case discord.AppCommandOptionType.integer.value:
            return 1
        case discord.AppCommandOptionType.string.value:
            choices = option.get("choices") or ()
            return choices[0]["value"] if choices else "in 2h" if option["name"] == "time" else "x <@123>"
    return None


FORMS = {"intent add", "intent edit", "goal add", "goal edit"}
"""These open a form where nothing is said with them."""


def commands():
    """Each command with what it needs, and `/intent add` with everything; whether a form is its first answer."""
    bot = SlashBot(RecordingAsker())
    for group in bot.tree.get_commands(type=discord.AppCommandType.chat_input):
        for one in group.to_dict(bot.tree)["options"]:
            needed = {option["name"]: some_value(option) for option in one["options"] if option.get("required")}
            name = f"{group.name} {one['name']}"
            needed |= {"handle": "i-7k2m"} if name == "intent cancel" else {}  # it, or a person
            needed |= {"handle": "g-7k2m"} if name == "goal link" else {}  # it, or `off`
            yield pytest.param(name, needed, name in FORMS, id=name)
    yield pytest.param("intent add", {"words": "launch <@123>", "text": "x"}, False, id="intent add, all of it")
    yield pytest.param("intent edit", {"handle": "i-7k2m", "words": "<@123>"}, False, id="intent edit, words")
    yield pytest.param("intent preview", {"words": "<@123>"}, False, id="intent preview, words")


EVERY_COMMAND = tuple(commands())


@pytest.mark.parametrize(("name", "options", "form"), EVERY_COMMAND)
def test_t013_the_first_thing_that_every_command_does_is_to_answer_discord(name, options, form):
    asker = RecordingAsker()

    async def scene(here):
        since = len(here.env.http_requests)
        await here.slash(name, **options)
        return here.env.http_requests[since:]

    first = played(scene, asker)[0]
    assert (first.method, first.path.rpartition("/")[2]) == ("POST", "callback")
    assert first.json["type"] == (FORM if form else DEFERRED)
    assert form or first.json["data"]["flags"] == ONLY_FOR_YOU
    assert asker.was_deferred == ([] if form else [True]), "the work began after the answer"


def test_t013_a_form_and_the_menu_of_a_message_answer_first_too():
    asker = RecordingAsker()

    async def scene(here):
        said = await here.bob.send(here.channel, "launch checklist")
        since = len(here.env.http_requests)
        shown = await here.ada.context_menu(here.channel, "Remember this", said)
        await here.ada.submit_modal(shown, {"words": "<@123>", "text": "x"})
        shown = await here.slash("intent add")
        await here.ada.submit_modal(shown, {"words": "<@123>", "text": "x"})
        return [(call.json or {}).get("type") for call in here.env.http_requests[since:] if "callback" in call.path]

    assert played(scene, asker) == [FORM, DEFERRED, FORM, DEFERRED]
    assert asker.was_deferred == [True, True]


def lose(here, code):
    here.env.inject_error("POST", "/interactions/*/callback", status=404 if code == UNKNOWN else 400, code=code)


@pytest.mark.parametrize("code", [UNKNOWN, TAKEN])
def test_t015_of_twenty_commands_those_that_discord_gave_up_are_dropped_and_the_others_answered(code, caplog):
    asker = RecordingAsker()

    async def scene(here):
        for number in range(20):
            if number % 3 == 0:
                lose(here, code)
            result = await here.slash("intent list", page=number + 1)
            assert (result.response is None) is (number % 3 == 0)

    played(scene, asker)
    assert [asked[1].page for asked in asker.asked] == [number + 1 for number in range(20) if number % 3]
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


@pytest.mark.parametrize(("name", "options", "form"), EVERY_COMMAND)
def test_t015_no_command_is_carried_out_or_crashes_where_its_first_answer_came_too_late(name, options, form, caplog):
    asker = RecordingAsker()

    async def scene(here):
        since = len(here.env.http_requests)
        lose(here, UNKNOWN)
        await here.slash(name, **options)
        return len(here.env.http_requests) - since

    assert played(scene, asker) == 1, "nothing was asked of Discord but to take the answer"
    assert asker.asked == []
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_t015_a_form_that_came_too_late_or_was_sent_in_too_late_is_no_crash(caplog):
    asker = RecordingAsker()

    async def scene(here):
        said = await here.bob.send(here.channel, "launch checklist")
        lose(here, UNKNOWN)
        await here.ada.context_menu(here.channel, "Remember this", said)
        shown = await here.ada.context_menu(here.channel, "Remember this", said)
        lose(here, UNKNOWN)
        await here.ada.submit_modal(shown, {"words": "launch", "text": "x"})

    played(scene, asker)
    assert asker.asked == []
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


# lengths


@pytest.mark.parametrize(("letters", "messages"), [(CONTENT_CHARS, 1), (CONTENT_CHARS + 1, 2)])
def test_t021_a_text_that_is_longer_than_a_message_is_split(discord_service, letters, messages):
    world = discord_service
    guild = world.guild("Ops", owner=world.person("Ada"))
    ops, text = guild.text("ops"), "".join("abc"[number % 3] for number in range(letters))
    where = Where("discord", str(world.bot.id), str(guild.id), str(ops.id), str(ops.id))
    with Probe(world) as probe:
        sent = probe.call(lambda client: Sender(client).send(Post(where, (Line((Segment(text),)),))))
    assert len(sent.message_ids) == messages
    assert "".join(world.bot_texts(ops)) == text
    assert all(len(part) <= CONTENT_CHARS for part in world.bot_texts(ops))


# connections that break


def tasks():
    found = asyncio.all_tasks()
    return Counter((task.get_name().rstrip("0123456789"), task.get_coro().__qualname__) for task in found)


async def until(condition):
    async with asyncio.timeout(10):
        while not condition():
            await asyncio.sleep(0.02)


@pytest.mark.parametrize(
    ("forgotten", "times"), [(False, 5), pytest.param(True, 2, marks=pytest.mark.thorough, id="new sessions")]
)
def test_t023_however_often_it_connects_again_there_is_one_loop_and_one_of_every_task(
    discord_service, sqlite_store, clock, ids, forgotten, times
):
    gateway, hot = discord_service.gateway, HotThread(sqlite_store)
    discord_service.guild("Ops", owner=discord_service.person("Ada"))

    async def scene():
        service = DiscordService(
            ctx=Context(sqlite_store, clock, ids),
            run_in_hot_thread=runner_of(hot),
            token=discord_service.token,
            api_url=discord_service.api_url,
            gateway_url=discord_service.gateway_url,
        )
        up, stop = asyncio.Event(), asyncio.Event()
        running = asyncio.create_task(service.run(up.set, stop))
        async with asyncio.timeout(10):
            await up.wait()
        before = tasks()
        for number in range(times):
            if forgotten:
                gateway.forget()
            gateway.drop()
            await until(lambda number=number: gateway.resumes + gateway.identifies > number + 1 and gateway.connected)
        await until(lambda: tasks() == before)
        stop.set()
        await running
        return before

    try:
        with pointed_at(discord_service):
            found = asyncio.run(scene())
    finally:
        hot.close()
    assert found[("delivery discord", "DeliveryLoop._work")] == 1
    assert gateway.identifies == (1 + times if forgotten else 1)


# telling Discord of the commands


class QuietBot(SlashBot):
    """Tells Discord of nothing by itself."""

    async def setup_hook(self) -> None:
        return


def on_quiet_bot(act):
    async def scene():
        async with simcord.run(QuietBot(RecordingAsker())) as env:
            return await act(env, env.bot.tree)

    return asyncio.run(scene())


def told(env):
    return [(call.method, call.path.count("/guilds/")) for call in env.http_requests if call.path.endswith("commands")]


def command_named(name):
    async def callback(interaction: discord.Interaction) -> None: ...

    return app_commands.Command(name=name, description="One of a hundred", callback=callback)


def test_t027_at_the_most_that_there_can_be_one_is_exchanged_for_another_in_one_call():
    async def scene(env, tree):
        for number in range(95):
            tree.add_command(command_named(f"old{number}"))
        kept = await sync_if_changed(tree, "")
        tree.remove_command("old0")
        tree.add_command(command_named("new"))
        await sync_if_changed(tree, kept)
        names = {one.name for one in await tree.fetch_commands() if one.type is discord.AppCommandType.chat_input}
        return told(env)[:-1], len(names), "new" in names, "old0" in names

    assert on_quiet_bot(scene) == ([("PUT", 0), ("PUT", 0)], 100, True, False)


def test_t029_however_many_servers_there_are_only_a_change_is_told_and_once_for_all():
    async def scene(env, tree):
        for number in range(40):
            env.create_guild(name=f"guild {number}")
        kept = ""
        for _start in range(3):
            kept = await sync_if_changed(tree, kept)
        return told(env)

    assert on_quiet_bot(scene) == [("PUT", 0), ("GET", 0), ("GET", 0)]
