"""Discord is told of the commands when they changed, in one call, and otherwise left in peace."""

import asyncio
import hashlib
import json
import os
import subprocess
import sys

import discord
import pytest
import simcord
from discord import app_commands

from adapters.discord import sync
from adapters.discord.sync import check_bounds, fingerprint, payload_of, sync_if_changed
from tests.fakes.slash import RecordingAsker, SlashBot

FINGERPRINT = """
import warnings; warnings.simplefilter("ignore")
from adapters.discord.sync import fingerprint
from tests.fakes.slash import RecordingAsker, SlashBot
print(fingerprint(SlashBot(RecordingAsker()).tree))
"""


class QuietBot(SlashBot):
    """Tells Discord of nothing by itself."""

    async def setup_hook(self) -> None:
        return


def played(act):
    async def scene():
        async with simcord.run(QuietBot(RecordingAsker())) as env:
            return await act(env, env.bot.tree)

    return asyncio.run(scene())


def calls(env):
    return [call.method for call in env.http_requests if call.path.endswith("/commands")]


def test_the_first_start_tells_discord_in_one_call_for_all_servers():
    async def scene(env, tree):
        assert await sync_if_changed(tree, "") == fingerprint(tree)
        return calls(env), [call.path for call in env.http_requests if "/guilds/" in call.path]

    assert played(scene) == (["PUT"], [])


def test_a_start_with_the_same_commands_only_looks():
    async def scene(env, tree):
        kept = await sync_if_changed(tree, "")
        assert await sync_if_changed(tree, kept) == kept
        return calls(env)

    assert played(scene) == ["PUT", "GET"]


def test_a_command_that_somebody_took_away_at_discord_is_told_again(caplog):
    async def scene(env, tree):
        kept = await sync_if_changed(tree, "")
        left = [one.to_dict(tree) for one in tree.get_commands() if one.name != "remind"]
        await env.bot.http.bulk_upsert_global_commands(env.bot.application_id, payload=left)
        since = len(env.http_requests)
        assert await sync_if_changed(tree, kept) == kept
        assert {one.name for one in await tree.fetch_commands()} == {one.name for one in tree.get_commands()}
        return [call.method for call in env.http_requests[since:]]

    assert played(scene) == ["GET", "PUT", "GET"]
    assert "remind" in caplog.text


def test_another_set_is_told_and_remembered():
    async def scene(env, tree):
        kept = await sync_if_changed(tree, "")
        tree.remove_command("aspire")
        changed = await sync_if_changed(tree, kept)
        assert changed == fingerprint(tree) != kept
        return {one.name for one in await tree.fetch_commands()}

    assert "aspire" not in played(scene)


def test_another_bots_tree_is_left_alone():
    async def scene(env, tree):
        assert await sync_if_changed(tree, "kept", wanted=False) == "kept"
        return calls(env)

    assert played(scene) == []


def test_what_cannot_be_told_is_not_remembered():
    async def scene(env, tree):
        env.inject_error("PUT", "/applications/*/commands", status=403, code=50001, message="Missing Access")
        with pytest.raises(discord.Forbidden):
            await sync_if_changed(tree, "")

    played(scene)


def test_the_fingerprint_is_of_all_that_discord_is_told_and_not_of_the_order():
    tree, other = SlashBot(RecordingAsker()).tree, SlashBot(RecordingAsker()).tree
    group = other.remove_command("intent")
    other.add_command(group)
    assert payload_of(tree) == payload_of(other)
    assert {one["name"] for one in json.loads(payload_of(tree))} >= {"intent", "Remember this"}
    assert fingerprint(tree) == hashlib.sha256(payload_of(tree).encode()).hexdigest()
    other.get_command("remind").description = "Another"
    assert fingerprint(tree) != fingerprint(other)


def test_the_fingerprint_is_the_same_in_another_process():
    found = {
        subprocess.run(
            [sys.executable, "-c", FINGERPRINT],
            check=True,
            capture_output=True,
            text=True,
            env=os.environ | {"PYTHONPATH": ".", "PYTHONHASHSEED": seed},
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert found == {fingerprint(SlashBot(RecordingAsker()).tree)}


# bounds


def option(**more):
    return {"name": "x", "description": "y"} | more


@pytest.mark.parametrize(
    ("bound", "made"),
    [
        (sync.NAME_CHARS, lambda n: option(name="x" * n)),
        (sync.DESCRIPTION_CHARS, lambda n: option(description="x" * n)),
        (sync.DESCRIPTION_CHARS, lambda n: option(options=[option(description="x" * n)])),
        (sync.OPTIONS, lambda n: option(options=[option()] * n)),
        (sync.CHOICES, lambda n: option(options=[option(choices=[{"name": "x", "value": "y"}] * n)])),
    ],
)
def test_a_command_beyond_what_discord_takes_is_found_before_it_is_told(bound, made):
    check_bounds(made(bound))
    with pytest.raises(ValueError, match=str(bound + 1)):
        check_bounds(made(bound + 1))


def test_the_texts_of_a_command_are_counted_together():
    choices = [{"name": "n" * 100, "value": "v" * 100}] * 25
    full = option(options=[option(choices=choices), option(choices=[{"name": "n", "value": "v" * 2_993}])])
    check_bounds(full)  # 3 x 2 + 5 000 + 1 + 2 993
    full["description"] += "y"
    with pytest.raises(ValueError, match="8001"):
        check_bounds(full)


def test_every_command_of_ours_is_within_the_bounds():
    tree = SlashBot(RecordingAsker()).tree
    for command in tree.get_commands():
        check_bounds(command.to_dict(tree))
    assert {type(one) for one in tree.get_commands()} > {app_commands.ContextMenu}
