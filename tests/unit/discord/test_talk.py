"""What people ask for: only what the asker may see is offered, and names are those of the server."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from adapters.base.collected import CollectedDesk
from adapters.discord.acknowledging import CHOICES
from core.errors import InvalidInput
from core.services.read_intents import ListIntents
from core.turn import ADMIN, TurnKind, machine
from storage.aspirations import FolderFiles
from tests.builders import an_owner
from tests.unit.discord.acting import last, words

RULE = "when someone mentions the launch checklist, remind me to confirm the owner"


def values(choices):
    return [choice.value for choice in choices]


def names(choices):
    return " ".join(choice.name for choice in choices)


# what is offered while somebody types


def test_an_owner_is_offered_the_rules_of_the_place_and_those_that_the_words_name(here):
    ada = here.kit.cast.ada
    first = here.rule(description="Confirm the owner.")
    second = here.rule("bob", triggers="rollback", description="Look at the graph.")
    assert set(values(here.completed(ada, "intent show"))) == {first.handle, second.handle}
    assert values(here.completed(ada, "intent show", "graph")) == [second.handle]
    assert values(here.completed(ada, "intent show", first.handle)) == [first.handle]
    assert values(here.completed(ada, "intent show", "nothing like it")) == []


def test_a_rule_of_a_private_channel_is_offered_there_alone_to_whoever_may_see_it(here):
    kit = here.kit
    hidden, plain = here.rule("bob", "private", description="Whisper."), here.rule("bob")
    here.managers(kit.cast.bob)
    assert "Whisper" not in names(here.completed(kit.cast.ada, "intent show"))
    assert "Whisper" in names(here.completed(kit.cast.bob, "intent show", place=kit.cast.private))
    assert values(here.completed(kit.cast.ada, "intent show", hidden.handle)) == []
    assert values(here.completed(kit.cast.ada, "intent show")) == [plain.handle]


def test_somebody_who_owns_nothing_is_offered_what_is_theirs_alone(here):
    kit, bob = here.kit, here.kit.cast.bob
    here.rule("ada", description="Hers.")
    own = here.rule("bob", triggers="rollback")
    role = here.managers(bob)
    assert len(here.completed(bob, "intent show")) == 2
    kit.cast.guild.take(bob, role)
    assert [handle for _, handle in kit.run(handles(kit, bob, "i"))] == [own.handle]


async def handles(kit, who, kind, typed=""):
    """The same without Discord's own check of who is offered a command."""
    guild = kit.client.get_guild(kit.cast.guild.id)
    member = await guild.fetch_member(who.id)
    channel = guild.get_channel(kit.cast.group.id)
    asking = SimpleNamespace(
        user=member,
        channel=channel,
        guild=guild,
        guild_id=guild.id,
        permissions=channel.permissions_for(member),
        command=None,
    )
    return await kit.adapter.talk.handles(asking, kind, typed)


@pytest.mark.parametrize("count", [CHOICES, CHOICES + 1])
def test_no_more_are_offered_than_discord_takes(here, count):
    for number in range(count):
        here.rule(triggers=f"word{number}", description=f"Confirm {number}.")
    assert len(here.completed(here.kit.cast.ada, "intent show")) == CHOICES
    assert len(here.completed(here.kit.cast.ada, "intent show", "confirm")) == CHOICES


def test_reminders_are_offered_to_whom_they_belong(here):
    ada, bob = here.kit.cast.ada, here.kit.cast.bob
    here.slash(bob, "remind me", time="in 2h", text="water the plants")
    assert "plants" in names(here.completed(bob, "remind done"))
    here.slash(ada, "remind me", time="in 2h", text="feed the cat")
    assert "cat" not in names(here.completed(bob, "remind done"))
    assert here.completed(bob, "remind done", "nothing") == []


def test_aspirations_are_offered_to_owners(here, tmp_path):
    kit, ada = here.kit, here.kit.cast.ada
    files = FolderFiles(tmp_path / "aspirations", kit.ctx.limits.aspiration_file_bytes)
    kit.adapter.talk.ctx = replace(kit.ctx, aspirations=files)
    here.slash(ada, "aspire add", text="Improve the checklist", review="90d")
    [choice] = here.completed(ada, "aspire done")
    assert choice.value in choice.name and "Improve the checklist" in choice.name
    assert here.completed(ada, "aspire done", "improve") == [choice]
    assert here.completed(ada, "aspire done", "nothing") == []


def test_where_no_aspirations_are_kept_none_are_offered(here):
    assert here.completed(here.kit.cast.ada, "aspire done") == []


def test_bots_and_webhooks_that_posted_are_offered_by_name_where_they_posted(here):
    kit, ada = here.kit, here.kit.cast.ada
    kit.cast.hook.says("build failed", username="Deploys")
    here.told()
    kit.cast.robot.says(kit.cast.group, "build passed")
    here.told()
    shown = {choice.name.partition(" · ")[0] for choice in here.completed(ada, "intent add", option="bot")}
    assert shown == {"Deploys", "robot"}
    [value] = values(here.completed(ada, "intent add", "dep", option="bot"))
    assert value.startswith("webhook:"), "two of one name are told apart"
    assert here.completed(ada, "intent add", place=kit.cast.private, option="bot") == []


# channels that a rule may name


def offered(here, who, place="group", forums=False):
    """The places that somebody may name, by name."""
    kit = here.kit
    guild = kit.client.get_guild(kit.cast.guild.id)
    member = kit.run(guild.fetch_member(who.id))
    found = kit.adapter.talk._places(kit.places[place], member, forums=forums)
    return {name for name in found if not name.startswith("<")}


def refreshed(here):
    here.kit.client.parse("GUILD_CREATE", here.kit._guild())


def test_a_channel_is_offered_to_those_who_see_it(here):
    cast = here.kit.cast
    assert offered(here, cast.bob) == {"ops", "secrets", "launches", "rollback"}
    assert offered(here, cast.eve) == {"ops", "launches", "rollback"}
    assert offered(here, cast.bob, forums=True) == {"questions"}


def test_a_channel_that_is_closed_to_one_person_is_not_offered_to_them(here):
    cast = here.kit.cast
    cast.threads.permit(cast.eve, view_channel=False)
    refreshed(here)
    assert offered(here, cast.eve) == {"ops", "rollback"}, "the thread of the forum stays"
    assert "launches" in offered(here, cast.bob)


def test_a_channel_that_the_bot_does_not_see_is_offered_to_nobody(here):
    cast = here.kit.cast
    cast.private.permit(cast.bot, view_channel=False)
    cast.threads.permit(cast.bot, view_channel=False)
    refreshed(here)
    assert not {"secrets", "launches"} & offered(here, cast.bob)
    assert not {"secrets", "launches"} & offered(here, cast.ada)


def test_a_rule_is_not_delivered_where_its_maker_does_not_see(here):
    kit = here.kit
    here.managers(kit.cast.eve)
    made = here.slash(kit.cast.eve, "intent add", words="launch", text="x", deliver=kit.cast.private.mention)
    assert "✗" in words(made)
    made = here.slash(kit.cast.eve, "intent add", words="launch", text="x", deliver="#secrets")
    assert "✗" in words(made)
    assert ListIntents(kit.ctx)(ADMIN, None).total == 0


def test_in_a_direct_message_no_channel_is_offered(here):
    assert offered(here, here.kit.cast.ada, "direct") == set()


# names


def looked_up(here, name, place="group"):
    """Whom a name stands for."""
    kit = here.kit
    desk = _desk(here, place)
    kit.run(kit.adapter.talk.look_up(desk, name))
    found = desk.people.get(name)
    return None if found is None else found[0]


def _desk(here, place):
    kit = here.kit
    return CollectedDesk(kit.ctx, kit.places[place], an_owner(kit.people["ada"]))


def test_somebody_is_found_by_a_mention(here):
    kit = here.kit
    for mention in (kit.cast.bob.mention, f"<@!{kit.cast.bob.id}>"):
        assert looked_up(here, mention) == kit.people["bob"]
    assert looked_up(here, kit.cast.robot.mention) == machine(
        TurnKind.BOT, "discord", kit.adapter.account, str(kit.cast.robot.id)
    )


def test_a_mention_of_nobody_here_is_nobody(here):
    stranger = here.kit.world.person("stranger")
    assert looked_up(here, stranger.mention) is None
    assert looked_up(here, "<@1>") is None
    assert looked_up(here, here.kit.cast.bob.mention, "direct") is None


def found_by_gateway(here, monkeypatch, *people):
    """What Discord tells of a name: the gateway is not connected here."""

    async def query(_guild, _name=None, *, limit=5, **_more):
        guild = here.kit.client.get_guild(here.kit.cast.guild.id)
        return [await guild.fetch_member(one.id) for one in people][:limit]

    monkeypatch.setattr("discord.Guild.query_members", query)


def test_somebody_is_found_by_name_in_any_case(here, monkeypatch):
    found_by_gateway(here, monkeypatch, here.kit.cast.bob, here.kit.cast.eve)
    assert looked_up(here, "bob") == here.kit.people["bob"]
    assert looked_up(here, "bo") is None, "the beginning of a name is none"


def test_a_name_that_several_have_is_nobody(here, monkeypatch):
    kit = here.kit
    other = kit.world.person("bob2", shown="bob")
    kit.cast.guild.add(other)
    found_by_gateway(here, monkeypatch, kit.cast.bob, other)
    kit.says("bob", "hello")
    with pytest.raises(InvalidInput, match="Several here"):
        looked_up(here, "bob")


def test_where_discord_does_not_tell_the_store_knows_who_was_here(here, monkeypatch):
    found_by_gateway(here, monkeypatch)
    kit = here.kit
    here.managers(kit.cast.bob)
    kit.says("bob", RULE)
    shown = last_question(kit)
    here.click(kit.cast.bob, shown, "Yes, save it")
    assert looked_up(here, "bob") == kit.people["bob"]
    kit.cast.guild.remove(kit.cast.bob)
    assert looked_up(here, "bob") is None, "who left is nobody of this server"


def last_question(kit):
    return next(one for one in reversed(kit.world.bot_messages(kit.cast.group)) if one.buttons)


@pytest.mark.parametrize("name", ["Deploys", "deploys"])
def test_a_rule_may_listen_to_a_webhook_by_its_name(here, name):
    kit = here.kit
    kit.cast.hook.says("build failed", username="Deploys")
    here.told()
    question = last(here.slash(kit.cast.ada, "intent add", words="build failed", text="look", bot=name))
    here.click(kit.cast.ada, question, "Yes, save it")
    [row] = ListIntents(kit.ctx)(ADMIN, None).rows
    assert row.watches == machine(TurnKind.WEBHOOK, "discord", kit.adapter.account, str(kit.cast.hook.id))


def test_a_bot_that_never_posted_here_is_nobody(here, monkeypatch):
    found_by_gateway(here, monkeypatch)
    answer = here.slash(here.kit.cast.ada, "intent add", words="x y", text="look", bot="CI")
    assert "✗" in words(answer)
    assert ListIntents(here.kit.ctx)(ADMIN, None).total == 0


# help and settings


def test_help_in_a_direct_message_tells_how_to_begin_and_on_a_server_of_all_commands(here):
    ada, bot = here.kit.cast.ada, here.kit.cast.bot
    assert "Here I can remind you by the clock" in words(here.slash(ada, "remembrancer help", bot))
    assert "/intent preview" in words(here.slash(ada, "remembrancer help"))


def test_settings_are_shown_and_changed_in_their_place(here):
    ada, bot = here.kit.cast.ada, here.kit.cast.bot
    assert "zone" in words(here.slash(ada, "remembrancer settings"))
    assert "is now" in words(here.slash(ada, "remembrancer settings", setting="zone", value="europe/berlin"))
    assert "Europe/Berlin" in words(here.slash(ada, "remembrancer settings"))
    assert "Europe/Berlin" not in words(here.slash(ada, "remembrancer settings", bot)), "their own is another"


def test_a_value_without_a_setting_is_refused(here):
    assert "✗ Say which setting" in words(here.slash(here.kit.cast.ada, "remembrancer settings", value="UTC"))


def test_privacy_is_for_everybody(here):
    assert "I keep" in words(here.slash(here.kit.cast.bob, "remembrancer privacy"))


# nobody in particular


def test_a_webhook_that_asks_for_a_rule_is_told_once_that_nobody_stands_behind_it(here):
    kit = here.kit
    for _ in range(3):
        kit.cast.hook.says(RULE)
        here.told()
    told = [one for one in kit.world.bot_messages(kit.cast.group) if "posted by a webhook" in one.text]
    assert len(told) == 1
    other = kit.cast.group.webhook("another")
    other.says(RULE)
    here.told()
    assert sum("posted by a webhook" in one.text for one in kit.world.bot_messages(kit.cast.group)) == 2
    assert ListIntents(kit.ctx)(ADMIN, None).total == 0


def test_a_webhook_that_says_anything_else_is_told_nothing(here):
    kit = here.kit
    for text in ("build failed", "remind me in 2 hours to look"):
        kit.cast.hook.says(text)
        here.told()
    assert kit.world.bot_messages(kit.cast.group) == []


def test_where_the_place_is_not_known_it_is_said_how_to_go_on(here):
    with pytest.raises(InvalidInput, match="cannot see this channel"):
        here.kit.adapter.talk.place(SimpleNamespace(channel=None))
