"""What was said while the bot was away: read once, from the channels, within bounds."""

import asyncio
from datetime import timedelta

import discord
import pytest

from adapters.discord import missed as module
from adapters.discord.missed import CHANNELS, MESSAGES, Missed
from core.services.deliver import PendingReminders
from core.services.watermark import NoteWatermark, ReadWatermark
from tests.unit.discord.acting import at_once

SECOND = timedelta(seconds=1)


@pytest.fixture
def away(kit, clock):
    """The bot is away since ten seconds ago, and has received what was said before that."""
    return Away(kit, clock)


class Away:
    """Says things that the bot is not told, and lets it catch up."""

    def __init__(self, kit, clock):
        self.kit, self.clock = kit, clock
        self.received = []
        self.missed = self.made()
        said = kit.cast.bob.says(kit.cast.group, "before")
        self.note(said.id)
        clock.advance(SECOND)

    def made(self):
        """What reads, in a new process."""
        kit = self.kit
        return Missed(kit.ctx, at_once, kit.client, kit.adapter.rights, self.take)

    async def take(self, message):
        self.received.append((message.channel.name, message.content))

    def note(self, number):
        NoteWatermark(self.kit.ctx)("discord", self.kit.adapter.account, number)

    @property
    def noted(self):
        return ReadWatermark(self.kit.ctx)("discord", self.kit.adapter.account)

    def says(self, text, place="group", who="bob"):
        self.clock.advance(SECOND)
        channel = getattr(self.kit.cast, place) if isinstance(place, str) else place
        return getattr(self.kit.cast, who).says(channel, text)

    def back(self, missed=None):
        """A new process, or the one given, knows the server as it is now and catches up."""
        kit = self.kit
        kit.client.parse("GUILD_CREATE", kit._guild())
        self.received.clear()
        kit.run((missed or self.made()).catch_up())
        return self.received


def test_what_was_said_while_it_was_away_is_received_oldest_first(away):
    for text in ("one", "two", "three"):
        away.says(text)
    assert away.back() == [("ops", "one"), ("ops", "two"), ("ops", "three")]


def test_each_channel_and_thread_is_read_the_one_with_the_newest_message_first(away):
    away.says("a", "private")
    away.says("b", "thread")
    away.says("c", "post")
    away.says("d")
    away.says("e", "private")
    assert away.back() == [("secrets", "a"), ("secrets", "e"), ("ops", "d"), ("Rollback", "c"), ("Rollback", "b")]


def test_nothing_is_read_at_the_very_first_start(kit, clock):
    kit.cast.bob.says(kit.cast.group, "said long ago")
    kit.client.parse("GUILD_CREATE", kit._guild())
    before = len(kit.world.calls)
    kit.run(kit.adapter.missed.catch_up())
    assert [call for call in kit.world.calls[before:] if call.method == "GET"] == []


def test_nothing_is_asked_where_nothing_was_said(away):
    before = len(away.kit.world.calls)
    assert away.back() == []
    assert len(away.kit.world.calls) == before


def test_what_the_bot_answered_already_is_left_out(away):
    first = away.says("when someone mentions it, remind me to look", who="ada")
    away.says("two")
    away.kit.run(away.kit.adapter.voice.reply(_as_message(away.kit, first), away.kit.places["group"]))
    assert away.back()[0] == ("ops", "two")


def test_an_answer_of_somebody_else_is_no_answer_of_ours(away):
    first = away.says("one")
    away.clock.advance(SECOND)
    away.kit.cast.ada.says(away.kit.cast.group, "yes", reply_to=first)
    assert away.back() == [("ops", "one"), ("ops", "yes")]


@pytest.mark.parametrize(("older", "read"), [(timedelta(0), ["one"]), (timedelta(seconds=1), [])])
def test_what_is_too_old_to_be_matched_is_not_read(away, older, read):
    away.says("one")
    away.clock.advance(away.kit.ctx.limits.turn_max_age - timedelta(milliseconds=1) + older)
    assert [text for _, text in away.back()] == read


def test_a_channel_that_the_bot_may_not_read_is_left_alone(away):
    away.says("one")
    away.says("two", "threads")
    away.kit.cast.group.permit(away.kit.cast.bot, read_message_history=False)
    away.kit.cast.threads.permit(away.kit.cast.bot, view_channel=False)
    assert away.back() == []


def test_a_channel_that_fails_does_not_keep_the_others_from_being_read(away, caplog):
    away.says("one")
    newest = away.says("two", "threads")
    away.kit.world.faults.fail("GET", f"/channels/{newest.channel.id}/messages", 403, 50_001)
    assert away.back() == [("ops", "one")]
    assert "discord.missed: forbidden" in caplog.text


# bounds


@pytest.mark.parametrize("count", [MESSAGES, MESSAGES + 1])
def test_of_a_channel_so_many_messages_are_read_the_newest(away, count):
    for number in range(count):
        away.kit.cast.bob.says(away.kit.cast.group, f"m{number}")
    found = [text for _, text in away.back()]
    assert len(found) == MESSAGES
    assert (found[0], found[-1]) == (f"m{count - MESSAGES}", f"m{count - 1}")


@pytest.mark.parametrize("over", [0, 1])
def test_so_many_channels_are_read_those_with_the_newest_messages(away, monkeypatch, caplog, over):
    assert CHANNELS > 3
    monkeypatch.setattr(module, "CHANNELS", 3)
    guild = away.kit.cast.guild
    for number in range(3 + over):
        away.says(f"m{number}", guild.text(f"c{number}"))
    assert [name for name, _ in away.back()] == [f"c{number}" for number in reversed(range(over, 3 + over))]
    assert ("1 channels were left out" in caplog.text) is bool(over)


# how far it has come


def test_how_far_it_has_come_is_kept_and_never_goes_back(away):
    missed = away.made()
    newest = away.noted + 10
    for number in (newest, newest - 5):
        missed.saw(number)
        away.kit.run(missed.note())
        assert away.noted == newest
    again = away.made()
    again.saw(newest - 1)
    away.kit.run(again.note())
    assert away.noted == newest


def test_nothing_is_written_where_nothing_new_came(away):
    missed, writes = away.made(), []

    async def hot(work):
        writes.append(work)
        return work()

    missed._hot = hot
    missed.saw(away.noted + 1)
    for _ in range(3):
        away.kit.run(missed.note())
    assert len(writes) == 1


def test_a_message_that_is_received_is_seen_and_noted(kit):
    kit.says("bob", "hello")
    kit.run(kit.adapter.missed.note())
    assert ReadWatermark(kit.ctx)("discord", kit.adapter.account) == max(kit.world.backend.messages[kit.cast.group.id])


def test_what_comes_after_a_new_session_began_does_not_hide_what_was_missed_before_it(away):
    missed = away.made()
    missed.saw(away.says("heard before the break").id)
    away.says("missed")
    missed.connected()
    missed.saw(away.says("heard after it").id)
    away.kit.run(missed.note())
    found = [text for _, text in away.back(missed)]
    assert found[0] == "missed"
    assert "heard before the break" not in found


def test_a_process_that_heard_nothing_yet_begins_where_the_last_one_ended(away):
    away.says("missed")
    missed = away.made()
    missed.connected()
    assert away.back(missed) == [("ops", "missed")]


def test_what_is_read_twice_fires_once(kit, clock):
    kit.rule()
    kit.says("bob", "good morning")
    kit.run(kit.adapter.missed.note())
    clock.advance(SECOND)
    kit.hears("the launch checklist")
    for _ in range(2):
        kit.client.parse("GUILD_CREATE", kit._guild())
        kit.run(kit.adapter.missed.catch_up())
    assert len(PendingReminders(kit.ctx)(kit.places["group"])) == 1


def _as_message(kit, said):
    """A message of the fake as the library has it."""

    async def fetched():
        channel = kit.client.get_channel(said.channel.id)
        assert isinstance(channel, discord.TextChannel)
        return await channel.fetch_message(said.id)

    return kit.run(asyncio.wait_for(fetched(), 5))
