"""What the measurement counts in a Discord of its own."""

import time

import pytest

from benchmarks.discord_load.stage import CHANNELS_A_SERVER, staged
from benchmarks.load.counts import Left, count
from benchmarks.load.play import Played, say
from benchmarks.load.stream import Said
from tests.fakes.discord.engine import discord
from tests.fakes.discord.probe import Probe

pytestmark = pytest.mark.thorough

FIRST, REMINDER = "i-00001", "Reminder (i-00001)"
NAMES = {FIRST: "rule", "i-00002": "other"}


@pytest.fixture
def stage():
    """Three channels in two servers."""
    with staged(CHANNELS_A_SERVER + 1) as made:
        yield made


@pytest.fixture
def probe(stage):
    """The library, which hears what is said from now on."""
    with Probe(stage.world) as running:
        yield running


@pytest.fixture
def played(stage, probe):
    """Two messages, of which the first fires a rule."""
    said = Played()
    for one in (Said(0, 1, "kiwi", "rule"), Said(2, 0, "plum")):
        say(stage, one, said)
    stage.settled()
    return said


def answers(probe, key, text, nonce=None):
    channel, message = map(int, key)
    return probe.send(
        channel, text, nonce=nonce, reference=discord.MessageReference(message_id=message, channel_id=channel)
    )


def counted(stage, played, *fires):
    stored = {}
    for to, rule in fires:
        stored.setdefault(played.keys[to], []).append((rule, 0.0, "delivered"))
    return count(stage, played, Left(stored), NAMES)


def told(stage, played, *fires):
    found = counted(stage, played, *fires)
    return found["lost"], found["doubled"], found["unexpected"]


def test_what_is_lost_doubled_or_not_expected_is_counted(stage, probe, played):
    assert told(stage, played) == (2, 0, 0)
    assert told(stage, played, (0, "rule")) == (1, 0, 0)
    answers(probe, played.keys[0], REMINDER)
    assert told(stage, played, (0, "rule")) == (0, 0, 0)
    answers(probe, played.keys[0], REMINDER)
    assert told(stage, played, (0, "rule"), (0, "rule")) == (0, 2, 0)
    answers(probe, played.keys[1], "Reminder (i-00002)")
    probe.send(int(played.keys[1][0]), "Hello")
    assert told(stage, played, (0, "rule"), (1, "other"))[2] == 2


def test_a_reminder_that_the_nonce_kept_from_doubling_is_counted_and_not_doubled(stage, probe, played):
    for _ in range(2):
        answers(probe, played.keys[0], REMINDER, nonce="fire-1")
    found = counted(stage, played, (0, "rule"))
    assert (found["lost"], found["doubled"], found["kept_from_doubling_by_the_nonce"]) == (0, 0, 1)
    assert [send.to for send in stage.sends()] == [played.keys[0]] * 2


def test_what_is_said_to_a_person_alone_is_no_send(stage, probe, played):
    before = stage.requests()
    probe.send(stage.members[0][0].dm.id, "psst")
    assert stage.sends() == []
    assert stage.took_one(before)


def test_a_message_counts_from_the_instant_at_which_the_gateway_sent_it(stage, played):
    handed, said = stage.handed(), played.times()
    for key in played.keys:
        assert said[key] <= handed[key] <= time.time()
    assert stage.unheard() == 0


def test_a_message_that_never_came_by_the_gateway_is_counted_as_read_later(stage):
    said = Played()
    say(stage, Said(0, 0, "kiwi", "rule"), said)
    with Probe(stage.world):
        say(stage, Said(1, 0, "plum", "other"), said)
        stage.settled()
    assert counted(stage, said)["fires_of_messages_read_later"] == 1


def test_a_send_is_timed_by_the_clock_of_the_messages(stage, probe, played):
    answers(probe, played.keys[0], REMINDER)
    (waited,) = stage.answered_after(played.times())
    assert 0 < waited < 30
