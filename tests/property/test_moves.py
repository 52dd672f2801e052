"""A chat that moves, is left and comes back, in any order and over restarts, against a model of what fires."""

import shutil
import tempfile
from contextlib import closing
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
    run_state_machine_as_test,
)

from core.errors import InvalidInput, InvalidTransition
from core.services.audit import VerifyAudit
from core.services.change_intent import CancelIntent, ResumeIntent
from core.services.context import Context
from core.services.deliver import ConfirmDelivery, PendingReminders
from core.services.end_space import EndSpace, ReturnSpace
from core.services.read_intents import ShowIntent
from core.services.tick import Tick
from core.standing.intent import ChannelScope
from core.turn import ADMIN, SYSTEM, Where
from storage.unit_of_work import open_store
from tests.builders import NOW
from tests.fakes.chats import create, fired, hear, move, owner
from tests.fakes.clock import FakeClock
from tests.fakes.databases import Database
from tests.fakes.ids import SeededIds
from tests.fakes.replayed import differing

pytestmark = pytest.mark.thorough

PHASES = (Phase.explicit, Phase.reuse, Phase.generate)
CHATS = ("-1", "-100", "-200")
"""The ids of one chat one after the other."""
OTHER = "-5"
WORDS = ("kiwi", "plum", "fig")
TWICE = "SELECT intent_key FROM trig GROUP BY intent_key HAVING count(DISTINCT scope_key) > 1"
STRAY = """SELECT t.intent_key FROM trig AS t JOIN places AS p ON p.id = t.scope_key WHERE p.alias_of IS NOT NULL
UNION SELECT i.key FROM standing_intents AS i JOIN places AS p ON p.id IN (i.space, i.channel, i.conversation)
WHERE p.alias_of IS NOT NULL UNION SELECT i.key FROM standing_intents AS i WHERE i.status IN ('armed', 'fired')
AND NOT EXISTS (SELECT 1 FROM trig AS t WHERE t.intent_key = i.key)"""
chats = st.sampled_from((*CHATS, OTHER))
topics = st.sampled_from(("", "", "7"))


def place(chat: str, topic: str = "") -> Where:
    return Where("telegram", "bot", chat, chat, topic or chat)


@dataclass(eq=False)
class Made:
    handle: str
    word: str
    chat: str
    topic: str
    scope: str
    state: str = "armed"
    fires: int = 0


@dataclass
class Model:
    """Which ids are one chat by now (`current` is what an id stands for), and what is known of each chat."""

    current: dict[str, str] = field(default_factory=lambda: {chat: chat for chat in (*CHATS, OTHER)})
    seen: set[str] = field(default_factory=set)
    left: set[str] = field(default_factory=set)
    rules: list[Made] = field(default_factory=list)
    said: set[tuple[str, str, str]] = field(default_factory=set)

    def of(self, chat: str) -> list[Made]:
        return [made for made in self.rules if self.current[made.chat] == self.current[chat]]

    def movable(self) -> list[str]:
        return [chat for chat in CHATS[:-1] if self.current[chat] == chat and chat in self.seen]

    def hears(self, made: Made, chat: str, topic: str) -> bool:
        if made.scope == "conversation" and (made.topic or "") != topic:
            return False
        return made.state == "armed" and self.current[made.chat] == self.current[chat]

    def end(self, chat: str) -> int:
        awake = [made for made in self.of(chat) if made.state == "armed"]
        for made in awake:
            made.state = "pending"
        self.left.add(chat)
        return len(awake)


class Machine(RuleBasedStateMachine):
    """Every step is done to the program and to the model."""

    template: Path

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="moves"))
        shutil.copy(self.template, self.folder / "store.db")
        self.database = Database(f"sqlite:///{self.folder / 'store.db'}")
        self.model, self.clock, self.ids = Model(), FakeClock(NOW), SeededIds(1)
        self.numbers = iter(range(1, 10**6))
        self.ctx = self.opened()

    def opened(self) -> Context:
        return Context(open_store(self.database.url), self.clock, self.ids)

    rules_made = Bundle("rules_made")

    @initialize(target=rules_made, where=st.sampled_from([("-1", "-100"), ("-1", "-1"), ("-100", "-200")]))
    def begin(self, where):
        return multiple(
            *[self.make(chat, "", word, ChannelScope.SPACE) for chat, word in zip(where, WORDS, strict=False)]
        )

    @rule(target=rules_made, chat=chats, topic=topics, word=st.sampled_from(WORDS), scope=st.sampled_from(ChannelScope))
    def make(self, chat, topic, word, scope):
        model = self.model
        scope = ChannelScope.SPACE if scope is ChannelScope.ANYWHERE else scope
        self.clock.advance(seconds=1)
        fields = {
            "cooldown": timedelta(0),
            "max_fires": 1000,
            "word_forms": False,
            "message": f"made-{next(self.numbers)}",
        }
        try:
            row = create(self.ctx, place(chat, topic), triggers=word, channel_scope=scope, **fields)
        except InvalidInput:  # a twin of it is awake
            assert any(made.word == word and made.state == "armed" for made in model.of(chat))
            return multiple()
        model.seen.add(model.current[chat])
        made = Made(row.handle, word, chat, topic, str(scope))
        model.rules.append(made)
        return made

    @rule(chat=chats, topic=topics, words=st.sets(st.sampled_from(WORDS), min_size=1), number=st.integers(1, 6))
    def say(self, chat, topic, words, number):
        """Chats count their messages apart: the same number in the former and in the new one is another message."""
        self.clock.advance(seconds=1)
        model, message = self.model, (chat, topic, f"{topic}{number}")
        told = hear(self.ctx, place(chat, topic), message[-1], " ".join(sorted(words)))
        wanted = [made for made in model.rules if made.word in words and model.hears(made, chat, topic)]
        fresh = [made for made in wanted if (*message, made.handle) not in model.said]
        assert set(fired(told)) == {made.handle for made in fresh[: self.ctx.limits.fires_per_turn]}
        for made in fresh[: self.ctx.limits.fires_per_turn]:
            model.said.add((*message, made.handle))
            made.fires += 1
            for reminder in told.fires:
                assert reminder.post_in is None or reminder.post_in.space == model.current[chat]
        if told.fires:
            model.seen.add(model.current[chat])

    @precondition(lambda self: any(made.state == "armed" for made in self.model.rules))
    @rule(data=st.data(), number=st.integers(1, 2))
    def say_trigger(self, data, number):
        """What some rule waits for, where it hears it, under any id of its chat."""
        made = data.draw(st.sampled_from([made for made in self.model.rules if made.state == "armed"]))
        ids = [chat for chat, now in self.model.current.items() if now == self.model.current[made.chat]]
        self.say(data.draw(st.sampled_from(ids)), made.topic, {made.word}, number)

    @precondition(lambda self: self.model.said)
    @rule(data=st.data(), newest=st.booleans())
    def say_again(self, data, newest):
        """A message that fired comes again, or another one with its number is said under the id of now."""
        chat, topic, number, handle = data.draw(st.sampled_from(sorted(self.model.said)))
        [word] = [made.word for made in self.model.rules if made.handle == handle]
        there = self.model.current[chat] if newest else chat
        self.say(there, topic, {word}, int(number.removeprefix(topic)))

    @precondition(lambda self: self.model.movable())
    @rule(data=st.data())
    def upgrade(self, data):
        """The chat gets its next id; rules and fires under that one may be known already."""
        first = data.draw(st.sampled_from(self.model.movable()))
        self.move(first, CHATS[CHATS.index(first) + 1])

    @rule(old=st.integers(0, 1), ahead=st.integers(0, 2), back=st.booleans())
    def tell_of_any_move(self, old, ahead, back):
        """One that its platform could tell of, also twice, late and the wrong way round."""
        model, first, second = self.model, CHATS[old], CHATS[min(old + ahead, 2)]
        back = back and model.current[first] == model.current[second]
        self.move(*((second, first) if back else (first, second)))

    def move(self, first, second):
        model = self.model
        known = model.current[first] == first and first in model.seen
        real = known and model.current[second] == second != first
        assert move(self.ctx, place(first), place(second)) == real
        if not real:
            return
        left = second in model.left
        merged = second in model.seen
        model.current = {chat: second if now == first else now for chat, now in model.current.items()}
        was_left = first in model.left
        model.left -= {first, second}
        model.seen = model.seen - {first} | {second}
        if left:
            model.end(second)
            self.nothing_is_owed(second)
        elif was_left and not merged:
            model.left.add(second)

    @rule(chat=chats)
    def leave(self, chat):
        model = self.model
        known = model.current[chat] == chat and chat in model.seen
        wanted = model.end(chat) if known else 0
        assert EndSpace(self.ctx)(place(chat), SYSTEM) == wanted
        if known:
            self.nothing_is_owed(chat)

    def nothing_is_owed(self, chat):
        """What was owed to a chat that the bot is not in was taken back, and its fires with it."""
        for made in self.model.of(chat):
            made.fires = ShowIntent(self.ctx)(made.handle, ADMIN, None).intent.fire_count
        owned = {made.handle for made in self.model.of(chat)}
        assert not {owed.handle for owed in PendingReminders(self.ctx)(place(chat))} & owned

    @rule(chat=chats)
    def come_back(self, chat):
        model = self.model
        known = model.current[chat] == chat and chat in model.seen
        waiting = [made for made in model.of(chat) if made.state == "pending"] if known else []
        assert ReturnSpace(self.ctx)(place(chat)) == len(waiting)
        model.left -= {chat}

    @rule(made=rules_made)
    def resume(self, made):
        self.clock.advance(seconds=1)
        try:
            ResumeIntent(self.ctx)(made.handle, owner(), place(made.chat))
        except (InvalidTransition, InvalidInput):
            twins = [one for one in self.model.of(made.chat) if one.word == made.word and one.state == "armed"]
            assert made.state != "pending" or twins
        else:
            assert made.state == "pending"
            made.state = "armed"

    @rule(made=rules_made)
    def cancel(self, made):
        if made.state in {"armed", "pending"}:
            CancelIntent(self.ctx)(made.handle, owner(), place(made.chat))
            made.state = "cancelled"
            made.fires = ShowIntent(self.ctx)(made.handle, ADMIN, None).intent.fire_count

    @precondition(lambda self: any(made.fires for made in self.model.rules))
    @rule(chat=chats)
    def deliver(self, chat):
        for owed in PendingReminders(self.ctx)(place(chat)):
            assert owed.post_in.space == self.model.current[chat]
            assert ConfirmDelivery(self.ctx).delivered(owed.fire_id)

    @rule()
    def restart(self):
        self.ctx.store.close()
        self.ctx = self.opened()

    @rule()
    def tick(self):
        """A moment before the texts of what was left first may go: none does."""
        assert Tick(self.ctx)().erased == 0

    @rule(chat=chats)
    def look_from_another_process(self, chat):
        """A second store on the file, which remembers nothing, finds what the first one finds."""
        with closing(open_store(self.database.url)) as other:
            spots = []
            for store in (self.ctx.store, other):
                with store.read() as tx:
                    spots.append(tx.places.look(place(chat)).spot)
        assert spots[0] == spots[1]

    @invariant()
    def rows_agree(self):
        for made in self.model.rules:
            row = ShowIntent(self.ctx)(made.handle, ADMIN, None).intent
            state = "armed" if str(row.status) == "fired" else str(row.status)
            assert (state, row.fire_count) == (made.state, made.fires)
        assert self.database.execute(TWICE) == []
        assert self.database.execute(STRAY) == []

    def teardown(self):
        assert all(report.bad is None and not report.why for report in VerifyAudit(self.ctx)())
        assert differing(self.ctx.store) == []
        self.ctx.store.close()
        shutil.rmtree(self.folder)


def run_machine(template: Path, examples: int) -> None:
    Machine.template = template
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=40,
            deadline=None,
            phases=PHASES,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_moves_leaves_and_returns_agree_with_a_model(sqlite_template):
    run_machine(sqlite_template, 12)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_moves_leaves_and_returns_agree_with_a_model_at_length(sqlite_template):
    run_machine(sqlite_template, 500)
