"""Servers on Discord that change: people and bots that come and go, rights that are given and taken, what ends."""

import pytest

from core.standing.intent import Status
from core.timed.reminder import TimedStatus
from tests.fakes.discord.talking import OFTEN, TEXT, WORDS, asked, clock, make, quiet, reply_to, told

PLATFORM = "discord"
CHANGE = "remembrancer settings"

pytestmark = pytest.mark.thorough


@pytest.fixture
def managers(guild):
    return guild.role("Managers", manage_guild=True)


def fires(world, who, place):
    """The reminder that the words set off."""
    reminder = reply_to(world, who.says(place, WORDS))
    assert TEXT in reminder.text
    return reminder


def by_the_clock(process, handle):
    """The state of a timed reminder."""
    with process.reading() as tx:
        return tx.timed.by_handle(handle).status


def paused(world, process, *handles):
    """Wait until these rules are paused."""
    world.until(lambda: all(process.rules()[one].status is Status.PENDING for one in handles), what="paused")


def test_rules_of_a_member_who_leaves_are_paused_and_the_owners_told(world, guild, managers, ada, bob, ops, process):
    guild.give(bob, managers)
    handle, timed = make(bob, ops, **OFTEN), clock(bob, ops)
    guild.remove(bob)
    paused(world, process, handle)
    world.until(lambda: by_the_clock(process, timed) is TimedStatus.CANCELLED, what="the reminder by the clock ends")
    notice = world.answer(ada.dm, "paused now: 1", timeout=8)
    assert "Bob left or is no owner any more" in notice.text
    quiet(world, ada.says(ops, WORDS))


def test_rules_of_a_member_who_loses_the_right_are_paused_and_reminders_stay(
    world, guild, managers, ada, bob, ops, process
):
    guild.give(bob, managers)
    handle, timed = make(bob, ops, **OFTEN), clock(bob, ops)
    guild.take(bob, managers)
    paused(world, process, handle)
    assert by_the_clock(process, timed) is TimedStatus.ACTIVE
    world.answer(ada.dm, "paused now: 1", timeout=8)
    quiet(world, bob.says(ops, WORDS))
    told(ada.slash(ops, "intent resume", handle=handle), handle)
    fires(world, bob, ops)


def test_rules_rest_where_the_role_itself_loses_the_right(world, guild, managers, ada, bob, ops, process):
    guild.give(bob, managers)
    handle = make(bob, ops, **OFTEN)
    managers.set(manage_guild=False)
    paused(world, process, handle)


def test_rules_rest_of_an_owner_who_lost_the_right_after_a_restart(world, guild, managers, ada, bob, ops, process):
    guild.give(bob, managers)
    handle = make(bob, ops, **OFTEN)
    process.restarts()
    told(bob.slash(ops, "remind list"))
    guild.take(bob, managers)
    paused(world, process, handle)


def test_who_left_or_lost_the_right_while_the_bot_was_away_is_noticed(world, guild, managers, ada, bob, ops, process):
    eve = world.person("Eve")
    guild.add(eve, managers)
    guild.give(bob, managers)
    left, lost, kept = make(bob, ops, **OFTEN), make(eve, ops, "zebra", "Feed it"), make(ada, ops, "gnu", "Graze")
    process.stop()
    guild.remove(bob)
    guild.take(eve, managers)
    process.start()
    paused(world, process, left, lost)
    assert process.rules()[kept].status is Status.ARMED
    world.until(lambda: "".join(world.bot_texts(ada.dm)).count("paused now: 1") == 2, 8, "the owner is told")


def test_a_bot_that_is_removed_and_added_again_tells_how_many_rules_wait(world, guild, ada, bob, ops, process):
    handle, other = make(ada, ops, **OFTEN), make(ada, ops, "zebra", "Feed it")
    guild.remove_bot()
    paused(world, process, handle, other)
    guild.add_bot()
    hello = world.answer(ops, "Hello again")
    assert "Rules of before that are paused: 2" in hello.text
    quiet(world, bob.says(ops, WORDS))
    told(ada.slash(ops, "intent resume", handle=handle), handle)
    fires(world, bob, ops)
    assert process.rules()[other].status is Status.PENDING


def test_an_outage_of_a_server_is_no_removal(world, guild, ada, bob, ops, process):
    handle = make(ada, ops, **OFTEN)
    guild.goes_down()
    guild.comes_back()
    fires(world, bob, ops)
    assert process.rules()[handle].status is not Status.PENDING
    assert world.said(ops, "Hello again") is None


def test_a_removal_while_the_bot_was_not_running_is_noticed_at_the_next_start(world, guild, ada, bob, ops, process):
    handle = make(ada, ops, **OFTEN)
    process.stop()
    guild.remove_bot()
    process.start()
    paused(world, process, handle)
    guild.add_bot()
    assert "paused: 1" in world.answer(ops, "Hello again").text


def test_a_bot_that_was_removed_and_added_again_while_it_was_away_goes_on(world, guild, ada, bob, ops, process):
    handle = make(ada, ops, **OFTEN)
    process.stop()
    guild.remove_bot()
    guild.add_bot()
    process.start()
    assert handle in fires(world, bob, ops).text


def test_a_deleted_channel_takes_its_reminders_with_it_and_nothing_is_tried_forever(
    world, guild, ada, bob, ops, process
):
    other = guild.text("other")
    make(ada, other, **OFTEN)
    path = f"/channels/{other.id}/messages"
    held = world.faults.delay("POST", path, 0.5)
    bob.says(other, WORDS)
    world.until(lambda: held.happened, what="the request to send")
    other.delete()
    told_of = world.answer(ada.dm, "could not be delivered", timeout=8)
    assert TEXT in told_of.text
    world.until(process.owes_nothing, what="nothing is owed")
    count = len(world.requests("POST", path))
    world.stays(lambda: len(world.requests("POST", path)) == count, 1, "no more attempts")


def test_a_bot_that_may_not_write_matches_nothing_and_does_again_when_it_may(world, bot, guild, ada, bob, ops, process):
    handle = make(ada, ops, **OFTEN)
    ops.permit(bot, send_messages=False)
    before = len(world.requests("POST", f"/channels/{ops.id}/messages"))
    quiet(world, bob.says(ops, WORDS))
    assert process.rules()[handle].fire_count == 0
    assert len(world.requests("POST", f"/channels/{ops.id}/messages")) == before
    ops.permit(bot, send_messages=None)
    fires(world, bob, ops)
    assert process.rules()[handle].fire_count == 1


def test_a_question_about_a_sentence_is_not_lost_where_the_bot_may_not_write(world, bot, ada, ops, process):
    ops.permit(bot, send_messages=False)
    quiet(world, ada.says(ops, "when someone mentions gnus, remind me to look"))
    assert not any(row.description == "Look" for row in process.rules().values())
    assert asked(ada, ops).ephemeral, "a command is answered all the same"


def test_a_channel_that_is_hidden_from_the_bot_says_nothing_and_the_rest_goes_on(world, bot, guild, ada, bob, ops):
    other = guild.text("other")
    make(ada, ops, **OFTEN, scope="space")
    other.permit(bot, view_channel=False)
    quiet(world, bob.says(other, WORDS))
    fires(world, bob, ops)


def test_members_of_the_owner_role_decide_until_it_is_taken(world, guild, ada, bob, ops, process):
    role = guild.role("Moderators")
    ops.guild.give(bob, role)
    sentence = "when someone mentions the budget, remind me to ask for the sheet"
    quiet(world, bob.says(ops, sentence))
    told(ada.slash(ops, CHANGE, setting="owner_role", value=role.mention), "role is now")
    question = reply_to(world, bob.says(ops, sentence))
    bob.clicks(question, "Yes, save it")
    world.until(lambda: "Saved as" in question.text)
    [handle] = [one for one, row in process.rules().items() if row.description == "Ask for the sheet"]
    told(bob.slash(ops, CHANGE, setting="zone", value="Europe/Berlin"), "Berlin")
    assert "people who manage this server" in told(bob.slash(ops, CHANGE, setting="owner_role", value="off"))
    guild.take(bob, role)
    paused(world, process, handle)
    quiet(world, bob.says(ops, sentence.replace("budget", "zebra")))


def test_an_owner_role_that_is_deleted_lets_nobody_decide(world, guild, ada, bob, ops, process):
    role = guild.role("Moderators")
    guild.give(bob, role)
    told(ada.slash(ops, CHANGE, setting="owner_role", value=str(role.id)), "role is now")
    question = reply_to(world, bob.says(ops, "when someone mentions the budget, remind me to ask"))
    role.delete()
    bob.clicks(question, "Yes, save it")
    world.until(lambda: "Only owners" in question.text, what="the refusal")


def test_a_server_that_is_handed_over_has_another_owner(world, guild, managers, ada, bob, ops, process):
    guild.give(ada, managers)
    handle = make(ada, ops, **OFTEN)
    guild.set_owner(bob)
    world.stays(lambda: process.rules()[handle].status is Status.ARMED, what="Ada manages it still")
    question = bob.slash(ops, "intent pause", handle=handle).says("Pause it all the same?")
    bob.clicks(question, question.labels[0])
    paused(world, process, handle)


def test_rules_of_an_owner_who_handed_the_server_over_are_paused(world, guild, ada, bob, ops, process):
    handle = make(ada, ops, **OFTEN)
    guild.set_owner(bob)
    paused(world, process, handle)
    assert "Ada left or is no owner any more" in world.answer(bob.dm, "paused now: 1", timeout=8).text


def test_without_the_intent_for_members_everything_else_works(tmp_path):
    from tests.fakes.discord.bots import running
    from tests.fakes.discord.world import World

    with World() as world, running(world, tmp_path, start=False) as process:
        world.application.members = False
        process.start()
        ada, bob = world.person("Ada"), world.person("Bob")
        ops = world.guild("Ops", owner=ada, members=[bob]).text("ops")
        make(ada, ops, **OFTEN)
        fires(world, bob, ops)
        timed = ada.slash(ops, "remind me", time="in 2h", text="look", person=bob)
        assert "@Bob" in told(timed, "r-")
