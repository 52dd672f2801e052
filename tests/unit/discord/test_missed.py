"""What was said while the bot was away: read once, from the channels, within bounds."""

import asyncio
from datetime import timedelta

import discord
import pytest

from adapters.discord import missed as module
from adapters.discord.missed import CHANNELS, MESSAGES, Missed
from core.errors import StorageError
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

    def __init__(self, kit, clock, first=False):
        self.kit, self.clock = kit, clock
        self.received, self.done = [], False
        if not first:
            self.note(kit.cast.bob.says(kit.cast.group, "before").id)
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
        missed = missed or self.made()
        kit.client.parse("GUILD_CREATE", kit._guild())
        missed.ready()
        return self.again(missed)

    def again(self, missed):
        """What is received when it looks once more."""
        self.received.clear()
        self.done = self.kit.run(missed.catch_up())
        return self.received

    def fails(self, said, status, code=0, times=1):
        """Discord does not give what was said there."""
        self.kit.world.faults.fail("GET", f"/channels/{said.channel.id}/messages", status, code, times=times)


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


def test_the_first_process_of_all_notes_where_it_begins_in_case_it_is_killed_soon(kit, clock):
    away = Away(kit, clock, first=True)
    away.says("before it was there")
    clock.advance(SECOND)
    assert away.back() == [] and away.done
    assert away.noted == discord.utils.time_snowflake(clock.now(), high=True)
    away.says("while it is killed")
    assert away.back() == [("ops", "while it is killed")]


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


# what Discord does not give


@pytest.mark.parametrize(("status", "code"), [(403, 50_001), (403, 50_013), (404, 10_003)])
def test_a_channel_that_will_never_be_given_is_given_up_and_the_others_are_read(away, caplog, status, code):
    missed = away.made()
    away.says("one")
    newest = away.says("two", "threads")
    away.fails(newest, status, code)
    assert away.back(missed) == [("ops", "one")]
    assert f"discord.missed: channel {newest.channel.id}: " in caplog.text
    assert away.done
    assert away.again(missed) == []


@pytest.mark.parametrize(("fault", "status"), [("fail", 503), ("page", 403), ("page", 404)])
def test_what_could_not_be_read_is_read_later_and_nothing_past_it_is_noted_until_then(away, fault, status):
    missed, before = away.made(), away.noted
    away.says("one")
    newest = away.says("two", "threads")
    getattr(away.kit.world.faults, fault)("GET", f"/channels/{newest.channel.id}/messages", status, times=2)
    heard = away.says("heard").id
    for found in (away.back(missed), away.again(missed)):
        assert "two" not in [text for _, text in found]
        assert not away.done
        missed.saw(heard)
        away.kit.run(missed.note())
        assert away.noted == before
    assert away.again(missed) == [("launches", "two")]
    assert away.done
    away.kit.run(missed.note())
    assert away.noted == heard
    assert away.again(missed) == []


def test_what_could_not_be_read_in_one_process_is_read_by_the_next(away):
    one = away.says("one")
    away.fails(one, 503)
    missed = away.made()
    assert away.back(missed) == []
    missed.saw(away.says("heard", "threads").id)
    away.kit.run(missed.note())
    assert ("ops", "one") in away.back()


def test_what_could_not_be_read_before_a_new_session_is_read_after_it(away):
    missed = away.made()
    away.fails(away.says("one"), 503)
    assert away.back(missed) == []
    missed.saw(away.says("heard").id)
    missed.connected()
    away.says("two", "threads")
    assert away.back(missed) == [("launches", "two"), ("ops", "one"), ("ops", "heard")]
    assert away.done


def test_a_session_that_ends_before_anything_was_read_hides_nothing(away):
    missed = away.made()
    away.back(missed)
    missed.connected()
    away.says("one")
    missed.saw(away.says("heard").id)
    missed.connected()
    assert away.back(missed)[0] == ("ops", "one")


def test_nothing_is_looked_for_while_the_servers_of_a_session_are_not_known(away):
    missed = away.made()
    missed.connected()
    away.says("one")
    assert away.again(missed) == [] and not away.done
    assert away.back(missed) == [("ops", "one")] and away.done


@pytest.mark.parametrize(("older", "left"), [(timedelta(0), True), (timedelta(seconds=1), False)])
def test_what_could_not_be_read_until_it_was_too_old_is_given_up(away, caplog, older, left):
    missed = away.made()
    one = away.says("one")
    away.fails(one, 503, times=2)
    away.back(missed)
    away.clock.advance(away.kit.ctx.limits.turn_max_age - timedelta(milliseconds=1) + older)
    assert away.again(missed) == []
    assert away.done is not left
    assert (f"channel {one.channel.id} could not be read in time" in caplog.text) is not left


def test_a_database_that_is_away_keeps_nothing_from_being_read_later(away):
    missed, hot = away.made(), at_once

    async def away_now(work):
        raise StorageError("away")

    away.says("one")
    missed._hot = away_now
    with pytest.raises(StorageError):
        away.back(missed)
    missed._hot = hot
    assert away.again(missed) == [("ops", "one")]


# bounds


@pytest.mark.parametrize("over", [0, 1])
def test_of_a_channel_so_many_messages_are_read_the_newest_and_the_log_tells_of_more(away, caplog, over):
    for number in range(MESSAGES + over):
        away.kit.cast.bob.says(away.kit.cast.group, f"m{number}")
    found = [text for _, text in away.back()]
    assert found == [f"m{number}" for number in range(over, MESSAGES + over)]
    told = f"channel {away.kit.cast.group.id}: only the newest {MESSAGES} messages were read"
    assert (told in caplog.text) is bool(over)


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
    away.back(missed)
    newest = away.noted + 10
    for number in (newest, newest - 5):
        missed.saw(number)
        away.kit.run(missed.note())
        assert away.noted == newest
    again = away.made()
    away.back(again)
    again.saw(newest - 1)
    away.kit.run(again.note())
    assert away.noted == newest


def test_nothing_is_written_where_nothing_new_came(away):
    missed, writes = away.made(), []
    away.back(missed)

    async def hot(work):
        writes.append(work)
        return work()

    missed._hot = hot
    missed.saw(away.noted + 1)
    for _ in range(3):
        away.kit.run(missed.note())
    assert len(writes) == 1


def test_a_message_that_is_received_is_seen_and_noted(kit, clock):
    kit.run(kit.adapter.missed.catch_up())
    clock.advance(SECOND)
    kit.says("bob", "hello")
    kit.run(kit.adapter.missed.note())
    assert ReadWatermark(kit.ctx)("discord", kit.adapter.account) == max(kit.world.backend.messages[kit.cast.group.id])


def test_what_comes_after_a_new_session_began_does_not_hide_what_was_missed_before_it(away):
    missed = away.made()
    away.back(missed)
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
    away = Away(kit, clock)
    kit.hears("the launch checklist")
    for _ in range(2):
        missed = Missed(kit.ctx, at_once, kit.client, kit.adapter.rights, kit.adapter.receiver.message)
        away.back(missed)
    assert len(PendingReminders(kit.ctx)(kit.places["group"])) == 1


def _as_message(kit, said):
    """A message of the fake as the library has it."""

    async def fetched():
        channel = kit.client.get_channel(said.channel.id)
        assert isinstance(channel, discord.TextChannel)
        return await channel.fetch_message(said.id)

    return kit.run(asyncio.wait_for(fetched(), 5))
