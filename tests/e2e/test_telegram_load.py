"""What the measurement counts in a Telegram of its own."""

import pytest

from benchmarks.load.counts import Left, count
from benchmarks.load.play import Played, say
from benchmarks.load.stream import make_rules, make_stream
from benchmarks.telegram_load.stage import staged

pytestmark = pytest.mark.thorough

NOW_MS = 1_900_000_000_000


@pytest.fixture
def played():
    """Two messages in two groups, of which the first fires `i-00001`, all of it acknowledged."""
    with staged(2) as stage:
        rules = make_rules(4, 2, 1, NOW_MS)
        stream = sorted(make_stream(rules, 2, 0.5, 1), key=lambda one: not one.rule)
        said = Played()
        for one in stream:
            say(stage, one, said)
        stage.bot.queue.clear()
        yield stage, said, {"i-00001": stream[0].rule, "i-00002": "other"}


def counted(played, fires, *reminders):
    stage, said, names = played
    for to, text in reminders:
        chat = stage.chats[said.said[to].group]
        stage.world.posts_of_bot(stage.bot, chat, text, reply_to=chat.messages[int(said.keys[to][1])])
    stored = {}
    for to, rule in fires:
        stored.setdefault(said.keys[to], []).append((rule, 0.0, "delivered"))
    told = count(stage, said, Left(stored), names)
    return told["lost"], told["doubled"], told["unexpected"]


def test_what_is_lost_doubled_or_not_expected_is_counted(played):
    rule = played[2]["i-00001"]
    assert counted(played, []) == (2, 0, 0)
    assert counted(played, [(0, rule)]) == (1, 0, 0)
    assert counted(played, [(0, rule)], (0, "Reminder (i-00001)")) == (0, 0, 0)
    assert counted(played, [(0, rule), (0, rule)], (0, "Reminder (i-00001)")) == (0, 2, 0)
    assert counted(played, [(0, rule), (1, "other")], (1, "Reminder (i-00002)"), (1, "Hello"))[2] == 2


def test_an_update_that_is_not_acknowledged_is_lost(played):
    stage, said, _ = played
    stage.members[0][0].says(stage.chats[0], "never heard")
    assert counted(played, [(0, said.said[0].rule)], (0, "Reminder (i-00001)")) == (1, 0, 0)
