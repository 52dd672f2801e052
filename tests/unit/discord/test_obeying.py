"""A sentence is acted on once, in whichever process, and its person is told where that cannot be recorded."""

import pytest

from core.errors import StorageError
from core.services.acted import ActOnce
from core.services.timed import ListTimed
from tests.builders import a_member
from tests.unit.discord.acting import Acting, at_once

TIMED = "remind me in 2 hours to water the cactus"


@pytest.fixture
def bob(kit):
    return Bob(kit)


class Bob:
    """Asks for a reminder by the clock."""

    def __init__(self, kit):
        self.kit = kit

    def reminders(self):
        who, where = a_member(self.kit.people["bob"]), self.kit.places["group"]
        return len(ListTimed(self.kit.ctx)(who, where).rows)

    def again(self):
        """Discord hands out the newest message of all once more."""
        event, args = next(one for one in reversed(self.kit.client.noted) if one[0] == "message")
        self.kit.run(getattr(self.kit.cog, f"on_{event}")(*args))


def test_a_sentence_that_comes_again_is_not_acted_on_again(kit, bob):
    kit.says("bob", TIMED)
    bob.again()
    assert (bob.reminders(), len(kit.sent())) == (1, 1)


def test_a_sentence_that_another_process_acted_on_is_left_to_it(kit, bob):
    kit.says("bob", TIMED)
    args = next(args for event, args in reversed(kit.client.noted) if event == "message")
    Acting(kit).restart()
    kit.run(kit.cog.on_message(*args))
    assert (bob.reminders(), len(kit.sent())) == (1, 1)


def test_the_same_words_said_again_are_another_sentence(kit, bob):
    for _ in range(2):
        kit.says("bob", TIMED)
    assert bob.reminders() == 2


def test_whoever_asks_is_told_where_it_cannot_be_recorded_and_nothing_is_done(kit, bob):
    receiver = kit.adapter.receiver

    async def full(work):
        raise StorageError("The disk is full.", "Make room.")

    receiver._hot = full
    kit.says("bob", TIMED)
    receiver._hot = at_once
    assert [("The disk is full." in one.text, one.reply_to != "") for one in kit.sent()] == [(True, True)]
    assert bob.reminders() == 0


def test_greetings_and_ordinary_talk_are_not_recorded(kit):
    for words in ("hello", f"<@{kit.cast.bot.id}>"):
        kit.says("bob", words)
    with kit.ctx.store.read() as tx:
        assert tx.records.fact(f"discord.{kit.adapter.account}.acted_ids") is None
    kit.says("bob", TIMED)
    with kit.ctx.store.read() as tx:
        known = tx.records.fact(f"discord.{kit.adapter.account}.acted_ids")
    assert not ActOnce(kit.ctx)("discord", kit.adapter.account, known)
