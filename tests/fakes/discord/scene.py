"""One server of a bot that runs, and what tests of conversations ask of both.

here = Scene(world, process)
here.make("launch checklist")
here.once(here.bob.says(here.ops, "the launch checklist"))
"""

from typing import Any

from tests.fakes.discord.bots import Running
from tests.fakes.discord.messages import Message
from tests.fakes.discord.people import Person, Where
from tests.fakes.discord.places import Channel
from tests.fakes.discord.talking import OFTEN, TEXT, WORDS, make, replies, reply_to
from tests.fakes.discord.world import World


class Scene:
    """A new server: Ada owns it, Bob is a member, #ops is a channel of it."""

    def __init__(self, world: World, process: Running, name: str = "Ops") -> None:
        self.world, self.process = world, process
        self.ada, self.bob = world.person("Ada"), world.person("Bob")
        self.guild = world.guild(name, owner=self.ada, members=[self.bob], bot=False)
        self.ops = self.guild.text("ops")
        self.guild.add_bot()
        world.answer(self.ops, "Hello")

    def make(self, words: str = WORDS, text: str = TEXT, place: Channel | None = None, **options: Any) -> str:
        """A rule of Ada's for anyone, never quiet; its handle."""
        return make(self.ada, place or self.ops, words, text, **OFTEN | options)

    def saved(self, question: Message, by: Person | None = None) -> None:
        """Say yes to a question."""
        (by or self.ada).clicks(question, "Yes, save it").acknowledges()
        self.world.until(lambda: "Saved as" in question.words, what=f"{question} is saved")

    def lists(self, who: Person, place: Where) -> str:
        """What somebody is shown as the list of rules."""
        return who.slash(place, "intent list").says("rule").words

    def settled(self, place: Channel | None = None) -> None:
        """Everything that was said so far is received, and what it set off is posted."""
        self.ada.slash(place or self.ops, "remembrancer privacy").says()
        self.world.until(self.process.owes_nothing, what="everything is posted")

    def once(self, said: Message, part: str = TEXT) -> Message:
        """The one reminder that a message sets off."""
        reminder = reply_to(self.world, said, part)
        self.settled()
        assert replies(self.world, said) == [reminder]
        return reminder

    def quiet(self, *said: Message) -> None:
        """None of these messages sets anything off."""
        self.settled()
        for one in said:
            assert replies(self.world, one) == [], one
