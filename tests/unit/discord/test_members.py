"""What happens to a server: the bot comes and goes, people leave, owners change."""

from dataclasses import replace

import pytest

from adapters.discord.members import greeted
from core.services.create_intent import CreateIntent
from core.services.end_space import EndSpace
from core.services.notices import TakeNotices
from core.services.read_intents import ShowIntent
from core.services.space_settings import ChangeSetting
from core.services.timed import ListTimed
from core.settings import Setting
from core.turn import ADMIN, SYSTEM
from tests.builders import a_draft, an_owner

HELLO, BACK = "Hello. I remember to act", "Hello again"


@pytest.fixture
def people(here):
    """Bob has a role that manages the server, and Discord told of it."""
    here.managers(here.kit.cast.bob)
    here.told()
    return here


def told(here, who="ada"):
    return TakeNotices(here.kit.ctx)(here.kit.people[who])


def guild_of(kit, cast_guild=None):
    found = kit.client.get_guild((cast_guild or kit.cast.guild).id)
    assert found is not None
    return found


def remind(here, who):
    here.slash(who, "remind me", time="in 2h", text="Look.")


# people


def test_the_rules_of_somebody_who_left_are_paused_and_the_owners_told(people):
    kit = people.kit
    theirs, hidden, others = people.rule("bob"), people.rule("bob", "private"), people.rule("ada")
    kit.cast.guild.remove(kit.cast.bob)
    people.told()
    assert [people.status(one) for one in (theirs, hidden, others)] == ["pending", "pending", "armed"]
    assert told(people) is not None
    assert told(people, "bob") is None


def test_whoever_left_is_not_reminded_by_the_clock_any_more(people):
    kit = people.kit
    remind(people, kit.cast.bob)
    remind(people, kit.cast.ada)
    kit.cast.guild.remove(kit.cast.bob)
    people.told()
    assert [row.creator for row in ListTimed(kit.ctx)(ADMIN, None).rows] == [kit.people["ada"]]


def test_leaving_twice_is_leaving_once(people):
    kit, rule = people.kit, people.rule("bob")
    for _ in range(2):
        kit.run(kit.adapter.members.left(guild_of(kit), kit.cast.bob.id, gone=True))
    assert people.status(rule) == "pending"
    assert told(people) is not None and told(people) is None


def test_a_bot_that_leaves_sets_nothing_off(people):
    kit = people.kit
    rule = people.rule("ada")
    kit.cast.guild.remove(kit.cast.robot)
    people.told()
    assert people.status(rule) == "armed" and told(people) is None


def test_the_rules_of_an_owner_who_lost_the_role_are_paused_and_their_reminders_stay(here):
    kit, bob = here.kit, here.kit.cast.bob
    role = here.managers(bob)
    here.told()
    rule = here.rule("bob")
    remind(here, bob)
    kit.cast.guild.take(bob, role)
    here.told()
    assert here.status(rule) == "pending"
    assert told(here) is not None
    assert ListTimed(kit.ctx)(ADMIN, None).total == 1


def test_who_has_the_right_by_another_role_keeps_it(here):
    kit, bob = here.kit, here.kit.cast.bob
    first, second = here.managers(bob), kit.cast.guild.role("seconds", administrator=True)
    kit.cast.guild.give(bob, second)
    here.told()
    rule = here.rule("bob")
    kit.cast.guild.take(bob, first)
    here.told()
    assert here.status(rule) == "armed"
    kit.cast.guild.take(bob, second)
    here.told()
    assert here.status(rule) == "pending"


def test_who_loses_the_role_of_the_setting_is_no_owner_any_more(here):
    kit, bob = here.kit, here.kit.cast.bob
    role = kit.cast.guild.role("mods")
    ChangeSetting(kit.ctx)(Setting.OWNER_ROLE, str(role.id), an_owner(kit.people["ada"]), kit.places["group"])
    kit.cast.guild.give(bob, role)
    here.told()
    rule = here.rule("bob")
    kit.cast.guild.take(bob, role)
    here.told()
    assert here.status(rule) == "pending"


def test_a_role_that_decides_nothing_changes_nothing(here):
    kit, bob = here.kit, here.kit.cast.bob
    plain = kit.cast.guild.role("plain")
    here.managers(bob)
    kit.cast.guild.give(bob, plain)
    here.told()
    rule = here.rule("bob")
    kit.cast.guild.take(bob, plain)
    here.told()
    assert here.status(rule) == "armed" and told(here) is None


# the bot


def elsewhere(kit, space="7"):
    where = replace(kit.places["group"], space=space, channel=f"{space}1", conversation=f"{space}1")
    return CreateIntent(kit.ctx)(a_draft(), an_owner(kit.people["ada"]), where, f"made-{space}")


def happens(here, event, payload):
    """What the gateway tells of the server itself."""
    here.kit._told.append((event, payload))
    here.told()


def removed(here):
    here.kit.cast.guild.remove_bot()
    happens(here, "GUILD_DELETE", {"id": str(here.kit.cast.guild.id)})


def back(here):
    here.kit.cast.guild.add_bot()
    joins = dict(here.kit._guild())
    joins.pop("unavailable", None)
    happens(here, "GUILD_CREATE", joins)


def status(kit, rule):
    return str(ShowIntent(kit.ctx)(rule.handle, ADMIN, None).intent.status)


def test_a_server_that_the_bot_was_removed_from_rests(here):
    rule = here.rule()
    removed(here)
    assert here.status(rule) == "pending"


def test_an_outage_is_no_removal(here):
    rule = here.rule()
    happens(here, "GUILD_DELETE", {"id": str(here.kit.cast.guild.id), "unavailable": True})
    assert here.status(rule) == "armed"


def test_what_changed_while_the_bot_was_away_is_found_at_its_start(here):
    kit = here.kit
    stays, gone = here.rule(), elsewhere(kit)
    kit.run(kit.cog._gone())
    assert (status(kit, stays), status(kit, gone)) == ("armed", "pending")
    EndSpace(kit.ctx)(kit.places["group"], SYSTEM)
    kit.run(kit.cog._gone())
    assert status(kit, stays) == "pending", "it is back, and rests until somebody wakes it"
    kit.run(kit.adapter.members.compare(frozenset()))
    assert status(kit, stays) == "pending"


def test_servers_of_another_login_are_left_alone(here):
    kit = here.kit
    where = replace(kit.places["group"], account="98", space="7", channel="71", conversation="71")
    rule = CreateIntent(kit.ctx)(a_draft(), an_owner(kit.people["ada"]), where, "made")
    kit.run(kit.adapter.members.compare(frozenset()))
    assert status(kit, rule) == "armed"


# hello


def said(kit, channel):
    return [one.text for one in kit.world.bot_messages(channel)]


def joined(kit):
    kit.client.parse("GUILD_CREATE", kit._guild())
    kit.run(kit.adapter.members.joined(guild_of(kit)))


def test_a_new_server_is_greeted_in_the_first_channel_to_write_in(kit):
    joined(kit)
    assert [text.startswith(HELLO) for text in said(kit, kit.cast.group)] == [True]
    assert said(kit, kit.cast.threads) == []


def test_it_is_greeted_where_it_shows_its_own_messages(kit):
    payload = dict(kit._guild()) | {"system_channel_id": str(kit.cast.threads.id)}
    kit.client.parse("GUILD_CREATE", payload)
    channel = greeted(guild_of(kit))
    assert channel is not None and channel.id == kit.cast.threads.id
    kit.run(kit.adapter.members.joined(guild_of(kit)))
    assert len(said(kit, kit.cast.threads)) == 1 and said(kit, kit.cast.group) == []


def test_a_channel_in_which_the_bot_may_not_write_is_passed_over(kit):
    kit.cast.group.permit(kit.cast.bot, send_messages=False)
    kit.cast.private.permit(kit.cast.bot, view_channel=False)
    joined(kit)
    assert said(kit, kit.cast.group) == [] and len(said(kit, kit.cast.threads)) == 1


def test_where_it_may_write_nowhere_it_says_nothing(kit):
    for channel in (kit.cast.group, kit.cast.private, kit.cast.threads):
        channel.permit(kit.cast.bot, send_messages=False)
    kit.client.parse("GUILD_CREATE", kit._guild())
    assert greeted(guild_of(kit)) is None
    joined(kit)


def test_a_hello_that_cannot_be_sent_is_no_error(kit, caplog):
    kit.world.faults.fail("POST", "/channels/*/messages", 403, 50_013)
    joined(kit)
    assert "discord.hello: forbidden" in caplog.text


def test_a_server_to_which_it_comes_back_is_told_of_what_rests(here):
    rule = here.rule()
    removed(here)
    back(here)
    [hello] = said(here.kit, here.kit.cast.group)
    assert hello.startswith(BACK) and "paused: 1" in hello.replace("\\", "")
    assert here.status(rule) == "pending"


def test_a_server_to_which_it_comes_back_without_rules_is_greeted_anew(here):
    removed(here)
    back(here)
    assert [text.startswith(HELLO) for text in said(here.kit, here.kit.cast.group)] == [True]
