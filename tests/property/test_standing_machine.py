"""Lifecycle and matcher on a real SQLite file against a brute-force oracle, explain checked on every turn."""

import shutil
import tempfile
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    invariant,
    multiple,
    precondition,
    rule,
    run_state_machine_as_test,
)

from core.errors import InvalidInput, InvalidTransition
from core.services.audit import VerifyAudit
from core.services.change_intent import CancelIntent, PauseIntent, ResumeIntent
from core.services.context import Context
from core.services.create_intent import CreateIntent
from core.services.deliver import ConfirmDelivery
from core.services.explain_turn import ExplainTurn
from core.services.read_intents import ShowIntent
from core.services.receive_turn import ReceiveTurn
from core.services.tick import Tick
from core.standing.intent import ChannelScope, CooldownPer, Draft, Priority
from core.text.zones import MarkedText
from core.turn import ADMIN, Actor, ActorType, Principal, Turn, TurnKind, Visibility, Where
from storage.unit_of_work import open_store
from tests.builders import NOW
from tests.fakes.clock import FakeClock
from tests.fakes.ids import SeededIds
from tests.fakes.replayed import differing
from tests.property.oracle import Oracle, Rule, Said

PHASES = (Phase.explicit, Phase.reuse, Phase.generate)  # shrinking 50 steps on a file takes minutes
WORDS = ["kiwi", "plum", "fig", "pear"]
PEOPLE = ["ada", "bob", "cyd"]
ROBOTS = ["bot:ci", "webhook:ci", "webhook:bob"]
PLACES = [
    ("home", "ops", "ops", False),
    ("home", "ops", "thread", False),
    ("home", "dev", "dev", False),
    ("home", "vault", "vault", True),
    ("home", "lab", "lab", False),
    ("away", "ops", "ops", False),
]
SPANS = [timedelta(0), timedelta(minutes=4), timedelta(hours=1), timedelta(hours=30), timedelta(days=4)]

QUIET = [("ops", "ops"), ("ops", "thread"), ("dev", "dev")]

AGES = st.sampled_from([timedelta(0), timedelta(0), timedelta(minutes=4), timedelta(minutes=10), timedelta(hours=1)])
words = st.sets(st.sampled_from(WORDS), min_size=1, max_size=2)
people = st.sampled_from(PEOPLE)
speakers = st.sampled_from([*PEOPLE, *PEOPLE, *ROBOTS])
tricks = st.sampled_from(["", "", "", "copy", "answer"])
places = st.sampled_from(PLACES)


def where_of(place: tuple[str, str, str, bool]) -> Where:
    space, channel, conversation, private = place
    visibility = Visibility.PRIVATE if private else Visibility.PUBLIC
    return Where("console", "local", space, channel, conversation, visibility)


def actor(name: str) -> Actor:
    who = Principal("console", "local", name)
    return Actor(ActorType.HUMAN_USER, name, name, who, is_owner=True, is_operator=True)


class Machine(RuleBasedStateMachine):
    """Every step is done to the program and to the oracle; what they say must agree."""

    template: Path

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="machine"))
        shutil.copy(self.template, self.folder / "store.db")
        self.clock = FakeClock(NOW)
        self.store = open_store(f"sqlite:///{self.folder / 'store.db'}")
        self.ctx = Context(self.store, self.clock, SeededIds(1))
        self.oracle = Oracle()
        self.sent: list[tuple[Said, Turn]] = []
        self.open_fires: list[tuple[str, Rule, dict]] = []
        self.lab_shut = False
        self.numbers = iter(range(1, 10**6))

    rules_made = Bundle("rules_made")

    def now_at(self, space, channel, conversation, private):
        """A place as it is now: one public channel may have become private."""
        return (space, channel, conversation, private or (channel == "lab" and self.lab_shut))

    @rule()
    def shut(self):
        self.lab_shut = True

    @rule(
        target=rules_made,
        entries=st.lists(words, min_size=1, max_size=3, unique_by=frozenset),
        who=people,
        place=places,
        scope=st.sampled_from(list(ChannelScope)),
        watches=st.sampled_from([None, "me", "bob", *ROBOTS[:2]]),
        cooldown=st.sampled_from(SPANS),
        life=st.sampled_from(SPANS[2:]),
        max_fires=st.integers(1, 3),
        priority=st.sampled_from(list(Priority)),
        on_edits=st.booleans(),
        per=st.sampled_from(list(CooldownPer)),
        quiet=st.sets(st.sampled_from(QUIET), max_size=2),
    )
    def create(self, entries, who, place, scope, watches, cooldown, life, max_fires, priority, on_edits, per, quiet):
        place = self.now_at(*place)
        if place[3] and scope is ChannelScope.ANYWHERE:
            scope = ChannelScope.SPACE
        now = self.clock.now()
        made = Rule(
            handle="",
            entries=[set(entry) for entry in entries],
            space=place[0],
            channel=place[1],
            conversation=place[2],
            private=place[3],
            scope=str(scope),
            watches=who if watches == "me" else watches,
            creator=who,
            born=now,
            armed_at=now,
            expires_at=now + life,
            cooldown=max(cooldown, timedelta(minutes=1)) if watches in ROBOTS else cooldown,
            max_fires=max_fires,
            priority=int(priority),
            on_edits=on_edits,
            made_by="",
            per=str(per),
            quiet_in=frozenset(quiet),
        )
        return self._make(made)

    @rule(target=rules_made, made=rules_made)
    def create_again(self, made):
        """The same words, shouted and in another order: refused while the first is awake."""
        private = self.now_at(made.space, made.channel, made.conversation, made.private)[3]
        if private and made.scope == ChannelScope.ANYWHERE:
            return multiple()
        copy = replace(made, handle="", entries=made.entries[::-1], state="armed", fires=[], private=private)
        return self._make(copy, loud=True)

    def _make(self, made, loud=False):
        life = made.expires_at - made.born
        self.clock.advance(timedelta(microseconds=1))
        now = self.clock.now()
        made.born, made.armed_at, made.expires_at = now, now, now + life
        made.made_by = f"made-{next(self.numbers)}"
        place = (made.space, made.channel, made.conversation, made.private)
        triggers = "\n".join(" ".join(sorted(entry, reverse=loud)) for entry in made.entries)
        draft = Draft(
            triggers.upper() if loud else triggers,
            "Something to do.",
            channel_scope=ChannelScope(made.scope),
            anyone=made.watches is None,
            sender=None if made.watches in (None, made.creator) else Principal("console", "local", made.watches),
            cooldown=made.cooldown,
            expires_in=life,
            max_fires=made.max_fires,
            priority=Priority(made.priority),
            word_forms=False,
            on_edits=made.on_edits,
            cooldown_per=CooldownPer(made.per),
            except_in=tuple(where_of((made.space, *named, False)) for named in sorted(made.quiet_in)),
        )
        make = CreateIntent(self.ctx)
        if twin := next((one for one in self.oracle.rules if one.twin_of(made, now)), None):
            with pytest.raises(InvalidInput) as refusal:
                make(draft, actor(made.creator), where_of(place), made.made_by)
            assert refusal.value.details == {"handle": twin.handle}
            return multiple()
        made.handle = make(draft, actor(made.creator), where_of(place), made.made_by).handle
        self.oracle.rules.append(made)
        if made.private:
            self.oracle.close(made.space, made.channel)
        return made

    def _hear(self, said: Said, turn: Turn) -> None:
        told = ExplainTurn(self.ctx)(turn, ADMIN, None)
        outcome = ReceiveTurn(self.ctx)(turn)
        fired = [reminder.handle for reminder in outcome.fires]
        assert fired == self.oracle.hear(said, self.clock.now())
        if outcome.ignored is None:
            explained = {row.intent.handle for row in told.intents if row.fires}
            assert explained == set(fired)
            for row in told.intents:
                assert row.fires or any(not verdict.passed for verdict in row.rules), row
                assert row.fires or row.reason in {v.reason for v in row.rules if not v.passed}, row
        else:
            assert not any(row.fires for row in told.intents)
        for reminder in outcome.fires:
            found = next(r for r in self.oracle.rules if r.handle == reminder.handle)
            self.open_fires.append((reminder.fire_id, found, found.fires[-1]))
            assert reminder.number == found.count()

    @rule(made=rules_made, near=st.booleans(), heard=st.booleans(), who=speakers, place=places, age=AGES, trick=tricks)
    def say_trigger(self, made, near, heard, who, place, age, trick):
        """Words that one rule waits for, mostly where and by whom it expects them."""
        here = (made.space, made.channel, made.conversation, made.private) if near else place
        self.say(set().union(*made.entries[:1]), made.watches or who if heard else who, here, age, trick)

    @rule(said=st.sets(st.sampled_from(WORDS), max_size=4), who=speakers, place=places, age=AGES, trick=tricks)
    def say_anything(self, said, who, place, age, trick):
        self.say(said, who, place, age, trick)

    def say(self, said, who, place, age, trick):
        place = self.now_at(*place)
        now = self.clock.now()
        number = f"said-{next(self.numbers)}"
        robot = who.partition(":")[0] if ":" in who else ""
        spoken = Said(number, said, who, *place, now - age, robot=robot, copied=bool(trick))
        turn = Turn(
            where_of(place),
            number,
            MarkedText(" ".join(sorted(said)) + (" · i-7k2m" if trick == "copy" else "")),
            now - age,
            now,
            Principal("console", "local", who),
            who,
            TurnKind(robot or "user"),
            answers_us=trick == "answer",
        )
        self.sent.append((spoken, turn))
        self._hear(spoken, turn)

    @precondition(lambda self: self.sent)
    @rule(data=st.data(), edited=st.booleans(), said=st.sets(st.sampled_from(WORDS), max_size=4))
    def redeliver(self, data, edited, said):
        spoken, turn = data.draw(st.sampled_from(self.sent))
        place = self.now_at(*spoken.place(), spoken.private)
        spoken, turn = replace(spoken, private=place[3]), replace(turn, where=where_of(place))
        if edited:
            spoken = replace(spoken, words=said, edited=True, copied=turn.answers_us)
            turn = replace(turn, text=MarkedText(" ".join(sorted(said))), edited=True)
        self._hear(spoken, replace(turn, received_at=self.clock.now()))

    @rule(span=st.sampled_from([timedelta(seconds=1), *SPANS[1:]]))
    def wait(self, span):
        self.clock.advance(span)

    def _move(self, service, made, allowed, step):
        view = made.view(self.clock.now())
        if view not in allowed:
            with pytest.raises(InvalidTransition):
                service(self.ctx)(made.handle, actor(made.creator), None)
            return
        service(self.ctx)(made.handle, actor(made.creator), None)
        made.freeze(self.clock.now())
        step()

    @rule(made=rules_made)
    def pause(self, made):
        self._move(PauseIntent, made, {"armed", "fired"}, lambda: setattr(made, "state", "pending"))

    @rule(made=rules_made)
    def cancel(self, made):
        def step():
            """What is still owed is dropped with it."""
            made.state = "cancelled"
            for fire_id, _, fire in [one for one in self.open_fires if one[1] is made]:
                fire["refunded"] = True
                assert not ConfirmDelivery(self.ctx).delivered(fire_id)
            self.open_fires = [one for one in self.open_fires if one[1] is not made]

        self._move(CancelIntent, made, {"pending", "armed", "fired"}, step)

    @rule(made=rules_made)
    def resume(self, made):
        def step():
            now = self.clock.now()
            made.state, made.armed_at = ("armed" if made.ready(now) else "fired"), now

        now = self.clock.now()
        others = [one for one in self.oracle.rules if one is not made and one.twin_of(made, now)]
        if made.view(now) == "pending" and others:
            with pytest.raises(InvalidInput):
                ResumeIntent(self.ctx)(made.handle, actor(made.creator), None)
            return
        self._move(ResumeIntent, made, {"pending"}, step)

    @precondition(lambda self: self.open_fires)
    @rule(data=st.data(), works=st.booleans())
    def settle(self, data, works):
        entry = data.draw(st.sampled_from(self.open_fires))
        self.open_fires.remove(entry)
        fire_id, made, fire = entry
        confirm = ConfirmDelivery(self.ctx)
        assert confirm.delivered(fire_id) if works else confirm.failed(fire_id, "gone")
        assert not confirm.failed(fire_id, "gone")
        if works:
            return
        if made.state in {"armed", "fired", "done", "pending"}:
            fire["refunded"] = True
        if made.state in {"armed", "fired", "done"}:
            made.state = "armed" if made.ready(self.clock.now()) else "fired"

    @rule()
    def tick(self):
        Tick(self.ctx)()
        for made in self.oracle.rules:
            made.freeze(self.clock.now())

    @invariant()
    def rows_agree(self):
        now = self.clock.now()
        for made in self.oracle.rules:
            row = ShowIntent(self.ctx)(made.handle, ADMIN, None).intent
            assert (str(row.status), row.fire_count, row.last_fired_at) == (
                made.view(now),
                made.count(),
                made.last(),
            )

    def teardown(self):
        assert all(report.bad is None and not report.why for report in VerifyAudit(self.ctx)())
        assert differing(self.store) == []
        self.store.close()
        shutil.rmtree(self.folder)


def run_machine(template: Path, examples: int) -> None:
    Machine.template = template
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=50,
            deadline=None,
            phases=PHASES,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_the_program_agrees_with_a_brute_force_oracle(sqlite_template):
    run_machine(sqlite_template, 20)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_program_agrees_with_a_brute_force_oracle_at_length(sqlite_template):
    run_machine(sqlite_template, 1_500)
