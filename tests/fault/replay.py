"""A seeded run of turns and changes on one store, made to be killed anywhere and started again.

What the store says decides where it goes on: the last turns are delivered once more with the same message ids.
Every acknowledged outcome is written to a side file after the call returned. Bytes on a pipe mark the instants at
which a killer may aim: `w` before each write transaction, `t` after each turn.
"""

import json
import os
import random
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from bots.runtime import SystemIds
from core.errors import InvalidInput, InvalidTransition
from core.limits import LIMITS
from core.ports import Store, Tx
from core.services.change_intent import CancelIntent, EditIntent, PauseIntent, ResumeIntent
from core.services.context import Context
from core.services.create_intent import CreateIntent
from core.services.deliver import ConfirmDelivery, PendingReminders
from core.services.receive_turn import ReceiveTurn
from core.services.tick import Tick
from core.standing.intent import Change, CooldownPer, Draft, Priority
from core.text.zones import MarkedText
from core.turn import Actor, ActorType, Principal, Turn
from storage.link import sql
from storage.unit_of_work import SqlStore, open_store
from tests.builders import HOME, a_place
from tests.fakes.clock import FakeClock
from tests.fault import sabotage

BASE = datetime(2026, 11, 30, 10, tzinfo=UTC)
STEP = timedelta(seconds=20)
RULES, STEADY = 240, 3
AGAIN = 20
PLACES = (HOME, a_place(thread="topic"), a_place(thread="other"))
PEOPLE = tuple(Principal("console", "local", name) for name in ("bob", "cyd", "dan", "eve"))
OWNERS = ("ada", "ann")
FAIR = (InvalidInput, InvalidTransition)
NEWEST = sql("SELECT max(message_id) FROM fires")
CHATTER = ("lunch is late", "who has the key", "see the notes", "ok")


def owner_of(rule: int) -> Actor:
    """Two people made the rules: one may have 200."""
    who = Principal("console", "local", OWNERS[rule % 2])
    return Actor(ActorType.HUMAN_USER, who.user_id, who.user_id.title(), who, is_owner=True)


def draft_of(rule: int) -> Draft:
    """Budgets of 1 to 3, no cooldown, long ones, those counted by sender or conversation; three that never tire."""
    if rule < STEADY:
        fields = {"max_fires": 1_000, "cooldown": timedelta(0), "priority": Priority.CRITICAL}
        return Draft(f"steady{rule}", f"Steady {rule}.", anyone=True, **fields)
    kinds = (
        {"max_fires": 1, "cooldown": timedelta(0)},
        {"max_fires": 2, "cooldown": timedelta(0)},
        {"max_fires": 3, "cooldown": timedelta(0)},
        {"max_fires": 3, "cooldown": timedelta(minutes=5)},
        {"max_fires": 1_000, "cooldown": timedelta(0)},
        {"max_fires": 1_000, "cooldown": timedelta(hours=1), "cooldown_per": CooldownPer.SENDER},
        {"max_fires": 1_000, "cooldown": timedelta(hours=1), "cooldown_per": CooldownPer.CONVERSATION},
        {"max_fires": 3, "cooldown": timedelta(0), "expires_in": timedelta(hours=6)},
    )
    return Draft(f"word{rule}", f"Look at {rule}.", anyone=True, **kinds[rule % len(kinds)])


def text_of(seed: int, number: int) -> str:
    """What is said in a turn: at most one word of a steady rule, so that no bound ever keeps it back."""
    rng = random.Random(f"text {seed} {number}")
    words = [rng.choice(CHATTER)]
    if rng.random() < 0.3:
        words.append(f"steady{rng.randrange(STEADY)}")
    if rng.random() < 0.6:
        words += [f"word{rng.randrange(STEADY, RULES)}" for _ in range(rng.randint(1, 3))]
    return " ".join(words)


@dataclass(frozen=True)
class Marking:
    """Passes everything on to `store`; marks each beginning of a write."""

    store: SqlStore
    mark: Callable[[bytes], object]

    def read(self) -> AbstractContextManager[Tx]:
        return self.store.read()

    def write(self, patience: timedelta | None = None) -> AbstractContextManager[Tx]:
        self.mark(b"w")
        return self.store.write(patience)


@dataclass(frozen=True)
class Run:
    """One life of the process that replays."""

    ctx: Context
    clock: FakeClock
    seed: int
    handles: list[str]
    said: Callable[[dict], None]

    def settle_owed(self) -> None:
        """What a bot does first: what was reserved and not sent is sent late."""
        for where in PLACES:
            for reminder in PendingReminders(self.ctx)(where):
                self._settle(reminder.fire_id, "delivered")

    def turn(self, number: int) -> None:
        """One message, and what it leads to."""
        rng = random.Random(f"act {self.seed} {number}")
        sent = BASE + STEP * number
        self.clock.set(max(sent, self.clock.now()))
        who, where = rng.choice(PEOPLE), rng.choice(PLACES)
        text = MarkedText(text_of(self.seed, number))
        turn = Turn(where, f"m{number:06}", text, sent, self.clock.now(), who, who.user_id.title())
        for reminder in ReceiveTurn(self.ctx)(turn).fires:
            self.said({"fire": reminder.fire_id, "message": turn.message_id, "handle": reminder.handle})
            self._settle(reminder.fire_id, rng.choices(["delivered", "failed", ""], [7, 1, 2])[0])
        if rng.random() < 0.3:
            with suppress(*FAIR):
                self._act(rng, number)

    def _settle(self, fire_id: str, how: str) -> None:
        done = False
        if how == "delivered":
            done = ConfirmDelivery(self.ctx).delivered(fire_id)
        elif how == "failed":
            done = ConfirmDelivery(self.ctx).failed(fire_id, "gone")
        if done:
            self.said({how: fire_id})

    def _act(self, rng: random.Random, number: int) -> None:
        ctx, rule = self.ctx, rng.randrange(STEADY, RULES)
        handle, owner = self.handles[rule], owner_of(rule)
        match rng.choices(["pause", "resume", "cancel", "edit", "create", "tick"], [4, 6, 1, 4, 2, 3])[0]:
            case "pause":
                PauseIntent(ctx)(handle, owner, HOME)
            case "resume":
                ResumeIntent(ctx)(handle, owner, HOME)
            case "cancel":
                CancelIntent(ctx)(handle, owner, HOME)
                self.said({"cancelled": handle})
            case "edit":
                change = Change(description=f"Changed in {number}.", triggers=f"word{rule}; changed{rule}")
                EditIntent(ctx)(handle, change, owner, HOME)
            case "create":
                row = CreateIntent(ctx)(Draft(f"more{number}", f"More {number}."), owner, HOME, f"c{number}")
                self.said({"created": row.handle})
            case _:
                Tick(ctx)()


def replay(
    url: str, schema: str, seed: int, turns: int, handles: list[str], pipe: str, log: str, torn: bool = False
) -> None:
    """One life: from where the store stands to the end, unless somebody kills it."""
    marks = os.open(pipe, os.O_WRONLY)
    if torn:
        sabotage.tear(lambda mark: os.write(marks, mark))
    side = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    store = open_store(url, schema=schema, migrate=False)
    with store.read() as tx:
        newest = tx.link.row(NEWEST)[0]  # type: ignore[attr-defined]
    first = 0 if newest is None else max(0, int(newest[1:]) - AGAIN)
    clock = FakeClock(BASE + STEP * (first + AGAIN if newest else 0))
    ctx = context(Marking(store, lambda mark: os.write(marks, mark)), clock)
    run = Run(ctx, clock, seed, handles, lambda line: os.write(side, json.dumps(line).encode() + b"\n"))
    run.settle_owed()
    for number in range(first, turns):
        run.turn(number)
        os.write(marks, b"t")
    store.close()


def context(store: Store, clock: FakeClock) -> Context:
    """The real use cases on a clock that goes with the turns."""
    return Context(store, clock, SystemIds(), replace(LIMITS, turn_deadline=timedelta(minutes=5)))


def plant(store: SqlStore) -> list[str]:
    """Make the rules that a run begins with; their handles."""
    ctx = context(store, FakeClock(BASE - STEP))
    return [CreateIntent(ctx)(draft_of(rule), owner_of(rule), HOME, f"made{rule}").handle for rule in range(RULES)]
