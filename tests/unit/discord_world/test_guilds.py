"""What changes in a guild, and what the bot may not see or do."""

import pytest

from tests.fakes.discord.engine import discord
from tests.fakes.discord.probe import Probe

pytestmark = pytest.mark.thorough


def _refused(probe, channel, code: int, status: int = 403) -> None:
    with pytest.raises(discord.HTTPException) as refused:
        probe.send(channel.id, "hello")
    assert (refused.value.status, refused.value.code) == (status, code)


def test_a_private_channel_is_neither_heard_nor_written_to(cast, probe) -> None:
    cast.ops.make_private(cast.ada, cast.bob)
    cast.bob.says(cast.ops, "secret")
    cast.bob.says(cast.guild.text("open"), "public")
    probe.heard("public")
    assert [one.content for one in probe.all("message")] == ["public"]
    _refused(probe, cast.ops, 50001)
    channel = probe.client.get_channel(cast.ops.id)
    assert not channel.permissions_for(channel.guild.me).view_channel
    cast.ops.make_public()
    cast.bob.says(cast.ops, "again")
    probe.heard("again")


def test_people_outside_see_nothing_of_a_private_channel(cast) -> None:
    secret = cast.guild.text("secret", only=[cast.ada])
    said = cast.ada.says(secret, "plan")
    assert cast.world.visible(secret, cast.ada) == [said]
    assert cast.world.visible(secret, cast.bob) == []
    with pytest.raises(AssertionError, match="may not send_messages"):
        cast.bob.says(secret, "hm")


def test_writing_may_be_denied_in_a_channel_and_in_its_threads(cast, probe) -> None:
    thread = cast.bob.starts_thread(cast.ops, "talk")
    cast.ops.permit(cast.world.bot, send_messages=False)
    _refused(probe, cast.ops, 50013)
    probe.send(thread.id, "allowed")
    cast.ops.permit(cast.world.bot, send_messages=None, send_messages_in_threads=False)
    probe.send(cast.ops.id, "allowed")
    _refused(probe, thread, 50013)


def test_a_private_thread_is_heard_where_the_bot_was_invited(cast, probe) -> None:
    closed = cast.ada.starts_thread(cast.ops, "closed", private=True)
    joined = cast.ada.starts_thread(cast.ops, "joined", private=True, members=[cast.world.bot])
    cast.ada.says(closed, "unheard")
    cast.ada.says(joined, "heard")
    assert probe.heard("heard").channel.id == joined.id
    assert [one.content for one in probe.all("message")] == ["heard"]
    _refused(probe, closed, 50001)
    assert cast.world.visible(closed, cast.bob) == []


def test_threads_are_told_of_when_their_channel_is_opened(cast, probe) -> None:
    cast.ops.make_private(cast.ada)
    thread = cast.ada.starts_thread(cast.ops, "inside")
    assert probe.client.get_channel(thread.id) is None
    cast.ops.permit(cast.world.bot, view_channel=True)
    cast.world.until(lambda: probe.client.get_channel(thread.id))
    cast.ada.says(thread, "welcome")
    probe.heard("welcome")


def test_what_is_gone_is_unknown(cast, probe) -> None:
    thread = cast.bob.starts_thread(cast.ops, "talk")
    said = cast.bob.says(cast.ops, "x")
    cast.bob.deletes(said)
    with pytest.raises(discord.NotFound) as refused:
        probe.call(lambda client: client.get_channel(cast.ops.id).fetch_message(said.id))
    assert refused.value.code == 10008
    cast.ops.delete()
    assert probe.event("guild_channel_delete").id == cast.ops.id
    _refused(probe, cast.ops, 10003, 404)
    _refused(probe, thread, 10003, 404)


def test_changes_of_names_owners_roles_and_members_are_told(cast, probe) -> None:
    guild = probe.client.get_guild(cast.guild.id)
    cast.ops.rename("operations")
    cast.guild.rename("Ops & more")
    cast.guild.set_owner(cast.bob)
    mods = cast.guild.role("Mods")
    cast.guild.give(cast.bob, mods)
    mods.set(manage_guild=True)
    probe.event("guild_role_update", 1)
    cast.world.until(lambda: guild.get_member(cast.bob.id).guild_permissions.manage_guild)
    assert (guild.name, guild.owner_id, guild.text_channels[0].name) == ("Ops & more", cast.bob.id, "operations")
    eve = cast.world.person("Eve")
    cast.guild.add(eve)
    assert probe.event("member_join").id == eve.id
    cast.guild.remove(eve)
    assert probe.event("member_remove").id == eve.id
    cast.guild.take(cast.bob, mods)
    cast.world.until(lambda: not guild.get_member(cast.bob.id).roles[1:])
    assert cast.world.messages(cast.ops) == []


def test_a_bot_that_was_removed_hears_nothing_until_it_is_added_again(cast, probe) -> None:
    cast.guild.remove_bot()
    assert probe.event("guild_remove").id == cast.guild.id
    _refused(probe, cast.ops, 50001)
    with pytest.raises(discord.Forbidden):
        probe.call(lambda client: client.fetch_guild(cast.guild.id))
    cast.bob.says(cast.ops, "unheard")
    cast.guild.add_bot()
    assert probe.event("guild_join").id == cast.guild.id
    cast.bob.says(cast.ops, "heard")
    probe.heard("heard")
    assert [one.content for one in probe.all("message")] == ["heard"]


def test_a_guild_may_be_added_while_the_bot_runs(cast, probe) -> None:
    other = cast.world.guild("Other", owner=cast.bob, bot=False)
    other.text("general")
    other.add_bot()
    assert [one.name for one in probe.event("guild_join").text_channels] == ["general"]


def test_an_outage_is_no_removal(cast, probe) -> None:
    cast.guild.goes_down()
    assert probe.event("guild_unavailable").id == cast.guild.id
    cast.bob.says(cast.ops, "unheard")
    cast.guild.comes_back()
    assert probe.event("guild_available").id == cast.guild.id
    cast.bob.says(cast.ops, "heard")
    probe.heard("heard")
    assert probe.all("guild_remove") == []


def test_contents_are_withheld_without_the_intent(cast) -> None:
    cast.world.application.message_content = False
    with Probe(cast.world, intents=discord.Intents.default()) as probe:
        cast.bob.says(cast.ops, "secret")
        cast.bob.says(cast.ops, f"{cast.world.bot.mention} hi")
        probe.event("message", 2)
        assert [one.content for one in probe.all("message")] == ["", f"{cast.world.bot.mention} hi"]
        cast.bob.says(cast.world.bot, "in private")
        probe.heard("in private")
        listed = probe.call(lambda client: client.http.logs_from(cast.ops.id, 5))
        assert [one["content"] for one in listed] == [f"{cast.world.bot.mention} hi", ""]


def test_the_portal_tells_which_intents_are_on(cast, probe) -> None:
    cast.world.application.members = False
    flags = probe.call(lambda client: client.application_info()).flags
    assert (flags.gateway_message_content_limited, flags.gateway_guild_members_limited) == (True, False)
    cast.world.application.limited = False
    assert probe.call(lambda client: client.application_info()).flags.gateway_message_content
    assert probe.call(lambda client: client.http.request(discord.http.Route("GET", "/applications/@me")))["flags"]
