"""Who may decide: Discord tells with each act; for anybody else it is asked, each time."""

from dataclasses import replace

import pytest

from adapters.base.contract import NeverSent, Post, RetryLater
from adapters.discord.rights import OWNERS_TOLD, Rights
from core.errors import StorageError
from core.services.space_settings import ChangeSetting, ReadSettings
from core.settings import OFF, Setting
from core.wording.lines import Line, Segment
from tests.builders import an_owner
from tests.unit.discord.acting import words

OWNER_ROLE = "owner_role"


async def no_role(_where):
    return ""


def rights_of(kit, *operators, own_direct=False, role=no_role):
    return Rights(kit.client, operators, own_direct, role)


def owns(kit, who="ada", place="group"):
    return kit.run(kit.adapter.rights.is_owner(kit.people[who], kit.places[place]))


def gives(kit, who="bob", **permissions):
    role = kit.cast.guild.role("some role", **permissions)
    kit.cast.guild.give(getattr(kit.cast, who), role)
    return role


def decided_by(kit, role):
    value = str(role.id) if role else OFF
    ChangeSetting(kit.ctx)(Setting.OWNER_ROLE, value, an_owner(kit.people["ada"]), kit.places["group"])


# by permission


def test_the_owner_of_a_server_decides_and_a_member_does_not(kit):
    assert owns(kit) and not owns(kit, "bob")


@pytest.mark.parametrize("permission", ["manage_guild", "administrator"])
def test_whoever_manages_a_server_decides(kit, permission):
    role = gives(kit, **{permission: True})
    assert owns(kit, "bob")
    kit.cast.guild.take(kit.cast.bob, role)
    assert not owns(kit, "bob")


@pytest.mark.parametrize("permission", ["manage_channels", "manage_roles", "manage_messages", "kick_members"])
def test_another_permission_is_not_enough(kit, permission):
    gives(kit, **{permission: True})
    assert not owns(kit, "bob")


def test_a_role_that_loses_the_permission_takes_the_right_with_it(kit):
    role = gives(kit, manage_guild=True)
    role.set(manage_guild=False)
    assert not owns(kit, "bob")


def test_a_server_that_was_handed_over_has_another_owner(kit):
    kit.owner_no_more()
    assert owns(kit, "bob") and not owns(kit)


def test_a_permission_in_one_channel_is_none_of_the_server(kit):
    kit.cast.group.permit(kit.cast.bob, manage_channels=True, manage_messages=True)
    assert not owns(kit, "bob")


def test_each_act_asks_afresh(kit):
    def asked():
        return len(kit.world.requests("GET", "/guilds/*/members/*"))

    owns(kit), owns(kit)
    assert asked() == 2


# by the role of the setting


def test_members_of_the_role_that_was_set_decide(kit):
    role = gives(kit)
    assert not owns(kit, "bob")
    decided_by(kit, role)
    assert owns(kit, "bob")
    kit.cast.guild.take(kit.cast.bob, role)
    assert not owns(kit, "bob")
    kit.cast.guild.give(kit.cast.bob, role)
    decided_by(kit, None)
    assert not owns(kit, "bob")


def test_a_role_that_there_is_not_gives_nobody_a_right(kit):
    role = gives(kit)
    decided_by(kit, role)
    role.delete()
    assert not owns(kit, "bob")
    assert owns(kit), "who manages the server decides all the same"


def test_the_role_of_everybody_cannot_make_everybody_decide(kit):
    decided_by(kit, kit.cast.guild.everyone)
    assert not owns(kit, "bob")


def test_a_role_counts_in_its_server_alone(kit):
    role = gives(kit)
    decided_by(kit, role)
    other = kit.world.guild("Other", owner=kit.cast.ada, members=[kit.cast.bob])
    channel = other.text("general")
    where = replace(kit.places["group"], space=str(other.id), channel=str(channel.id), conversation=str(channel.id))
    assert not kit.run(kit.adapter.rights.is_owner(kit.people["bob"], where))


def test_a_press_of_a_member_of_the_role_has_the_rights_of_an_owner(here):
    kit, rule = here.kit, here.rule()
    role = gives(kit)
    press = f"do:pause:{rule.handle}"
    assert "There is no rule" in words(here.forged(kit.cast.bob, press))
    decided_by(kit, role)
    assert "all the same?" in words(here.forged(kit.cast.bob, press))
    kit.cast.guild.take(kit.cast.bob, role)
    assert "There is no rule" in words(here.forged(kit.cast.bob, press))


# who changes that role


def settings(here, who, value, setting=OWNER_ROLE):
    return words(here.slash(who, "remembrancer settings", setting=setting, value=value))


def kept(kit):
    return ReadSettings(kit.ctx)(kit.places["group"])[Setting.OWNER_ROLE]


def test_whoever_manages_the_server_sets_who_else_decides(here):
    kit = here.kit
    role = kit.cast.guild.role("Mods")
    assert "is now" in settings(here, kit.cast.ada, role.mention)
    assert kept(kit) == str(role.id)
    here.managers(kit.cast.bob)
    assert "is now" in settings(here, kit.cast.bob, "off")
    assert kept(kit) == OFF


def test_who_decides_by_the_role_alone_cannot_give_it_to_others(here):
    kit = here.kit
    mine, theirs = gives(kit), kit.cast.guild.role("Theirs")
    decided_by(kit, mine)
    for value in (theirs.mention, "off", f" {theirs.id}"):
        assert "people who manage this server" in settings(here, kit.cast.bob, value)
    assert kept(kit) == str(mine.id)
    assert "is now" in settings(here, kit.cast.bob, "Europe/Berlin", "zone"), "other settings are theirs to change"


def test_a_member_changes_no_setting(here):
    kit = here.kit
    assert "✗" in settings(here, kit.cast.bob, "Europe/Berlin", "zone")
    assert "✗" in settings(here, kit.cast.bob, kit.cast.guild.role("Mods").mention)
    assert kept(kit) == OFF


def test_what_is_no_role_is_refused(here):
    assert "is no role" in settings(here, here.kit.cast.ada, "@Mods")
    assert kept(here.kit) == OFF


def test_everybody_may_look_at_the_settings(here):
    assert OWNER_ROLE in words(here.slash(here.kit.cast.bob, "remembrancer settings"))


# operators and direct messages


def acting(kit, rights, who, place):
    return kit.run(rights.actor(_user(kit, who), kit.places[place]))


def _user(kit, who):
    """Somebody as the library has them."""
    guild = kit.client.get_guild(kit.cast.guild.id)
    return kit.run(guild.fetch_member(getattr(kit.cast, who).id))


def test_an_operator_is_known_everywhere_and_owns_nothing_by_it(kit):
    rights = rights_of(kit, kit.people["bob"])
    for place in ("group", "private", "direct"):
        actor = acting(kit, rights, "bob", place)
        assert (actor.is_operator, actor.is_owner) == (True, False), place
    assert not acting(kit, rights, "ada", "group").is_operator


@pytest.mark.parametrize("own_direct", [True, False])
def test_in_a_direct_message_it_is_a_setting_and_nobody_is_asked(kit, own_direct):
    rights = rights_of(kit, own_direct=own_direct)
    ada, direct = _user(kit, "ada"), kit.places["direct"]
    before = len(kit.world.calls)
    assert kit.run(rights.actor(ada, direct)).is_owner is own_direct
    assert kit.run(rights.is_owner(kit.people["ada"], kit.places["direct"])) is own_direct
    assert kit.run(rights.is_member(kit.people["ada"], kit.places["direct"]))
    assert kit.run(rights.may_read(kit.people["ada"], kit.places["direct"]))
    assert len(kit.world.calls) == before


def test_a_right_in_a_server_is_none_in_a_direct_message(kit):
    assert not acting(kit, rights_of(kit), "ada", "direct").is_owner


# who is there, and who may read


def test_a_member_is_somebody_who_is_in_the_server(kit):
    def here(who):
        return kit.run(kit.adapter.rights.is_member(kit.people[who], kit.places["group"]))

    assert here("ada") and here("bob")
    kit.cast.guild.remove(kit.cast.bob)
    assert not here("bob")
    assert not owns(kit, "bob")


def may_read(kit, who, place):
    kit.client.parse("GUILD_CREATE", kit._guild())
    return kit.run(kit.adapter.rights.may_read(kit.people[who], kit.places[place]))


def test_what_was_said_is_read_by_whom_the_channel_lets_read_it(kit):
    assert may_read(kit, "bob", "group") and may_read(kit, "bob", "private") and may_read(kit, "bob", "thread")
    kit.cast.private.permit(kit.cast.bob, view_channel=False)
    assert not may_read(kit, "bob", "private")
    kit.cast.group.permit(kit.cast.bob, read_message_history=False)
    assert not may_read(kit, "bob", "group")
    kit.cast.guild.remove(kit.cast.bob)
    assert not may_read(kit, "bob", "threads")


def test_a_channel_that_is_gone_is_read_by_nobody(kit):
    kit.cast.group.delete()
    for event, payload in kit._told:
        kit.client.parse(event, payload)
    assert not may_read(kit, "ada", "group")


# where Discord does not tell


def test_where_discord_is_silent_an_act_is_refused_and_a_right_is_asked_for_later(kit):
    faults, bob = kit.world.faults, _user(kit, "bob")
    faults.fail("GET", "/guilds/*", 403, 50_001)
    assert not owns(kit), "the bot is no more in it"
    faults.fail("GET", "/guilds/*", 401)
    with pytest.raises(RetryLater):
        owns(kit)
    faults.fail("GET", "/guilds/*", 401)
    with pytest.raises(StorageError, match="did not tell"):
        kit.run(rights_of(kit).actor(bob, kit.places["group"]))


# who is told


def test_the_owner_of_a_server_and_who_manages_it_are_told_as_far_as_they_are_known(here):
    kit = here.kit
    role = gives(kit, manage_guild=True)
    kit.cast.guild.give(kit.cast.robot, role)
    here.told()
    guild = kit.client.get_guild(kit.cast.guild.id)
    assert set(kit.adapter.rights.owners(guild)) == {kit.people["ada"], kit.people["bob"]}


@pytest.mark.parametrize("count", [OWNERS_TOLD, OWNERS_TOLD + 1])
def test_so_many_owners_are_told_at_most_and_the_owner_of_the_server_is_one(here, count):
    kit = here.kit
    role = kit.cast.guild.role("managers", manage_guild=True)
    for number in range(count - 1):
        kit.cast.guild.add(kit.world.person(f"p{number}"), role)
    here.told()
    found = kit.adapter.rights.owners(kit.client.get_guild(kit.cast.guild.id))
    assert len(found) == min(count, OWNERS_TOLD)
    assert found[0] == kit.people["ada"]


# whether a person gets what was said in a place


def tell(kit, place, who="bob"):
    kit.client.parse("GUILD_CREATE", kit._guild())
    words = (Line((Segment("Reminder for @Bob: secret"),)),)
    kit.run(kit.adapter.send(Post(kit.people[who], words, about=kit.places[place])))


def told(kit):
    return len(kit.world.bot_messages(kit.cast.bob.dm))


@pytest.mark.parametrize("place", ["group", "private", "thread", "direct"])
def test_words_of_a_place_go_to_a_person_who_may_look_into_it(kit, place):
    tell(kit, place)
    assert told(kit) == 1


def test_words_of_a_place_do_not_go_to_a_person_who_may_not_view_it_any_more(kit):
    kit.cast.group.permit(kit.cast.bob, read_message_history=False)
    tell(kit, "group")
    for channel in (kit.cast.group, kit.cast.threads):
        channel.permit(kit.cast.bob, view_channel=False)
    for place in ("group", "thread"):
        with pytest.raises(NeverSent, match="hidden"):
            tell(kit, place)
    assert told(kit) == 1
    tell(kit, "group", "ada")


def test_words_of_a_server_do_not_go_to_a_person_who_left_it(kit):
    kit.cast.guild.remove(kit.cast.bob)
    with pytest.raises(NeverSent, match="hidden"):
        tell(kit, "group")
    assert not told(kit)


def test_while_discord_does_not_answer_who_may_look_it_is_tried_later(kit):
    kit.world.faults.fail("GET", "/guilds/*", 503)
    with pytest.raises(RetryLater):
        tell(kit, "group")
    assert not told(kit)
