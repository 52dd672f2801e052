"""Messages both ways, and what people see of them."""

import pytest

from tests.fakes.discord.engine import discord


def test_the_library_logs_in_and_finds_the_guild_its_members_and_channels(cast, probe) -> None:
    guild = probe.client.get_guild(cast.guild.id)
    assert (guild.name, guild.owner_id, guild.me.id) == ("Ops", cast.ada.id, cast.world.bot.id)
    assert {one.name for one in guild.members} == {"ada", "bob", "Remembrancer"}
    assert [one.name for one in guild.text_channels] == ["ops"]
    assert (cast.world.gateway.identifies, cast.world.gateway.resumes) == (1, 0)


def test_a_message_its_edit_and_its_end_are_heard(cast, probe) -> None:
    said = cast.bob.says(cast.ops, "hello")
    assert probe.heard("hello").author.id == cast.bob.id
    cast.bob.edits(said, "hello all")
    assert probe.event("raw_message_edit").message.content == "hello all"
    cast.bob.deletes(said)
    assert probe.event("raw_message_delete").message_id == said.id
    assert said.deleted


def test_the_bot_replies_edits_and_reacts(cast, probe) -> None:
    said = cast.bob.says(cast.ops, "hello")

    async def answered(client):
        message = client.get_channel(cast.ops.id).get_partial_message(said.id)
        await message.add_reaction("👍")
        sent = await message.reply("hi", mention_author=False)
        await sent.edit(content="hi Bob")

    probe.call(answered)
    reply = cast.world.answer(cast.ops, "hi bob")
    assert (reply.reply_to, reply.edited, reply.answers_interaction) == (said, True, False)
    assert said.reactions == {"👍": [cast.world.bot.id]}
    assert not reply.pings
    assert len(cast.world.sends(cast.ops)) == 1


def test_a_reply_to_what_is_gone_is_a_plain_message_when_asked_for(cast, probe) -> None:
    said = cast.bob.says(cast.ops, "hello")
    cast.bob.deletes(said)
    reference = discord.MessageReference(message_id=said.id, channel_id=cast.ops.id, fail_if_not_exists=False)
    probe.send(cast.ops.id, "still", reference=reference)
    assert cast.world.answer(cast.ops, "still").reply_to is None
    strict = discord.MessageReference(message_id=said.id, channel_id=cast.ops.id)
    with pytest.raises(discord.HTTPException) as refused:
        probe.send(cast.ops.id, "never", reference=strict)
    assert refused.value.code == 50035


def test_who_is_pinged_is_what_the_message_allows_and_the_author_may(cast, probe) -> None:
    role = cast.guild.role("Mods", mentionable=True)
    cast.guild.bot_role.set(mention_everyone=True)
    text = f"@everyone {role.mention} {cast.bob.mention}"
    probe.send(cast.ops.id, text, allowed_mentions=discord.AllowedMentions.none())
    quiet = cast.world.answer(cast.ops)
    assert not quiet.pings
    probe.send(cast.ops.id, text, allowed_mentions=discord.AllowedMentions(users=[cast.bob], everyone=False))
    named = cast.world.answer(cast.ops, after=quiet)
    assert (named.pings.users, named.pings.everyone) == ((cast.bob.id,), False)
    probe.send(cast.ops.id, text, allowed_mentions=discord.AllowedMentions.all())
    loud = cast.world.answer(cast.ops, after=named)
    assert loud.pings.everyone and loud.pings.roles == (role.id,)
    cast.guild.bot_role.set(mention_everyone=False)
    probe.send(cast.ops.id, text, allowed_mentions=discord.AllowedMentions.all())
    assert not cast.world.answer(cast.ops, after=loud).pings.everyone


def test_a_nonce_that_is_known_gives_the_first_message(cast, probe) -> None:
    first = probe.send(cast.ops.id, "once", nonce="fire-1")
    assert probe.send(cast.ops.id, "once", nonce="fire-1").id == first.id
    assert cast.world.bot_texts(cast.ops) == ["once"]
    assert probe.send(cast.ops.id, "twice", nonce="fire-2").id != first.id
    cast.world.advance(cast.world.nonce_seconds + 1)
    assert probe.send(cast.ops.id, "once", nonce="fire-1").id != first.id


def test_history_is_paged_both_ways(cast, probe) -> None:
    said = [cast.bob.says(cast.ops, f"{number}") for number in range(5)]

    async def read(client, **bounds):
        listed = await client.http.logs_from(cast.ops.id, 2, **bounds)
        return [one["content"] for one in listed]

    assert probe.call(lambda client: read(client)) == ["4", "3"]
    assert probe.call(lambda client: read(client, before=said[3].id)) == ["2", "1"]
    assert probe.call(lambda client: read(client, after=said[0].id)) == ["2", "1"]
    cast.ops.permit(cast.world.bot, read_message_history=False)
    assert probe.call(lambda client: read(client)) == []


@pytest.mark.parametrize(("length", "refused"), [(2000, False), (2001, True)])
def test_a_text_has_two_thousand_characters_at_most(cast, probe, length: int, refused: bool) -> None:
    if not refused:
        assert len(probe.send(cast.ops.id, "x" * length).content) == length
        return
    with pytest.raises(discord.HTTPException) as problem:
        probe.send(cast.ops.id, "x" * length)
    assert (problem.value.status, problem.value.code) == (400, 50035)


def test_direct_messages_go_both_ways_until_they_are_closed(cast, probe) -> None:
    cast.bob.says(cast.world.bot, "psst")
    assert probe.heard("psst").guild is None
    probe.send(cast.bob.dm.id, "yes?")
    assert cast.world.answer(cast.bob.dm).text == "yes?"
    cast.bob.closes_dms()
    with pytest.raises(discord.Forbidden) as refused:
        probe.send(cast.bob.dm.id, "hello?")
    assert refused.value.code == 50007


def test_webhooks_and_other_bots_are_told_apart(cast, probe) -> None:
    cast.ops.webhook("CI").says("built", username="Jenkins")
    other = cast.world.other_bot("Poll")
    cast.guild.add(other)
    other.says(cast.ops, "vote", embeds=[{"title": "Lunch"}])
    hook, vote = probe.heard("built"), probe.heard("vote")
    assert (hook.webhook_id is not None, hook.author.name) == (True, "Jenkins")
    assert (vote.author.bot, vote.webhook_id, vote.embeds[0].title) == (True, None, "Lunch")
    assert cast.world.bot_messages(cast.ops) == []


def test_a_thread_from_a_message_has_its_id_and_an_empty_starter(cast, probe) -> None:
    said = cast.bob.says(cast.ops, "shall we?")
    thread = cast.bob.opens_thread(said, "Launch")
    assert thread.id == said.id
    starter = probe.event("message", 2)
    assert (starter.type, starter.content) == (discord.MessageType.thread_starter_message, "")
    cast.bob.says(thread, "inside")
    assert probe.heard("inside").channel.parent_id == cast.ops.id
    probe.send(thread.id, "here")
    assert cast.world.answer(thread).text == "here"


def test_a_post_in_a_forum_and_its_first_message_have_one_id(cast, probe) -> None:
    forum = cast.guild.forum("ideas")
    thread, first = cast.bob.posts(forum, "Title", "body")
    heard = probe.heard("body")
    assert heard.id == heard.channel.id == thread.id == first.id
    assert heard.channel.parent_id == forum.id


def test_a_message_opens_an_archived_thread_unless_it_is_locked(cast, probe) -> None:
    thread = cast.bob.starts_thread(cast.ops, "old")
    thread.archive()
    probe.send(thread.id, "up")
    assert thread.state.thread_metadata.archived is False
    thread.archive(locked=True)
    with pytest.raises(discord.HTTPException) as refused:
        probe.send(thread.id, "no")
    assert refused.value.code == 50083


def test_files_go_both_ways(cast, probe) -> None:
    cast.bob.says(cast.ops, "look", files=[("a.txt", b"abc")])
    assert [(one.filename, one.size) for one in probe.heard("look").attachments] == [("a.txt", 3)]

    async def sent(client):
        import io

        await client.get_channel(cast.ops.id).send("mine", file=discord.File(io.BytesIO(b"x"), "b.txt"))

    probe.call(sent)
    assert cast.world.answer(cast.ops, "mine").attachments[0]["filename"] == "b.txt"
