"""A long history of everything that people do, made by the use cases themselves, from a seed."""

import random
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta

from adapters.dates.recurrence import DateutilRecurrences
from bots.bench.goal_acts import GoalActs
from bots.bench.replay import ReplayClock, moment
from bots.bench.workload import START_MS
from bots.bootstrap import zone_of
from bots.runtime import SystemIds
from core.errors import RemembrancerError
from core.limits import LIMITS
from core.ports import Store
from core.services.acknowledge import Acknowledge
from core.services.change_intent import CancelIntent, EditIntent, PauseIntent, ResumeIntent
from core.services.context import Context
from core.services.create_intent import CreateIntent
from core.services.deliver import ConfirmDelivery
from core.services.keep import KeepIntent
from core.services.mute import MuteIntent
from core.services.receive_turn import ReceiveTurn
from core.services.remind import Remind, SnoozeFire, SnoozeTimed
from core.services.tick import Tick
from core.services.timed import AcknowledgeTimed, CancelTimed
from core.services.timed_delivery import PendingTimed, TimedDelivery
from core.standing.intent import Change, Draft
from core.text.zones import MarkedText
from core.timed.reminder import RemindDraft
from core.timed.when import Resolution, When
from core.turn import Actor, ActorType, Principal, Turn, Where

SPACES, ROOMS, PEOPLE = 20, 10, 50
RULES_TO = 150
"""So many rules a space are made before old ones are cancelled for new ones."""
TOLD_EVERY = 10_000
REPEATS = ("", "", "", "", "", "", "FREQ=DAILY", "FREQ=WEEKLY")


@dataclass(slots=True)
class Place:
    """One space: the words that its live rules wait for, by handle, their fires, its reminders and open goals."""

    where: Where
    rules: dict[str, tuple[str, Where]] = field(default_factory=dict)
    fires: list[str] = field(default_factory=list)
    timed: dict[str, Actor] = field(default_factory=dict)
    goals: list[str] = field(default_factory=list)


class History:
    """Does what people do in `SPACES` spaces, over and over; `done` counts what was done."""

    def __init__(self, store: Store, seed: int) -> None:
        self._rng = random.Random(seed)  # noqa: S311  # a workload, not a secret
        self._clock = ReplayClock(moment(START_MS))
        limits = replace(LIMITS, reminders_per_person=10_000)
        dates = DateutilRecurrences()
        self.context = Context(store, self._clock, SystemIds(), limits, zone_of=zone_of, recurrences=dates)
        self.done: Counter[str] = Counter()
        self._numbers = iter(range(10**9))
        self._places = [Place(Where("console", "local", f"s{n}", "r0", "r0")) for n in range(SPACES)]
        self._goals = GoalActs(self.context, self._rng, self._numbers)
        self._acts: dict[Callable[[Place], None], int] = {
            self._say: 40,
            self._create: 8,
            self._remind: 8,
            self._acknowledge: 6,
            self._edit: 5,
            self._pause: 3,
            self._keep_or_mute: 2,
            self._snooze: 3,
            self._deal_with_timed: 5,
            self._add_goal: 8,
            self._change_goal: 6,
            self._depend: 4,
            self._close_goal: 2,
        }

    def run(self, operations: int, tell: Callable[[str], None]) -> None:
        """Go on until the log has at least so many operations."""
        acts, weights = list(self._acts), list(self._acts.values())
        steps, logged, told = 0, 0, 0
        while logged < operations:
            for act in self._rng.choices(acts, weights, k=200):
                self._clock.at += timedelta(seconds=self._rng.randint(1, 240))
                with suppress(RemembrancerError):  # what is refused is no operation
                    act(self._rng.choice(self._places))
                    self.done[act.__name__.strip("_")] += 1
            self._time_passes()
            steps, logged = steps + 200, self._logged()
            if logged // TOLD_EVERY > told:
                told = logged // TOLD_EVERY
                tell(f"{logged} of {operations} operations")

    def _logged(self) -> int:
        with self.context.store.read() as tx:
            return sum(tx.operations.head(name)[0] for name in tx.operations.namespaces())

    def _time_passes(self) -> None:
        """A heartbeat, and what came due is posted."""
        Tick(self.context)()
        confirm = TimedDelivery(self.context)
        for due in PendingTimed(self.context).to_places("console", lambda _where: True):
            if self._rng.random() < 0.05:
                confirm.failed(due.item_id, "gone")
            else:
                confirm.delivered(due.item_id)

    def _person(self) -> Actor:
        name = f"u{self._rng.randrange(PEOPLE)}"
        return Actor(ActorType.HUMAN_USER, name, name, Principal("console", "local", name), is_owner=True)

    def _room(self, place: Place) -> Where:
        room = f"r{self._rng.randrange(ROOMS)}"
        return replace(place.where, channel=room, conversation=room)

    def _create(self, place: Place) -> None:
        where = self._room(place)
        if len(place.rules) >= RULES_TO:
            handle = self._rng.choice(list(place.rules))
            CancelIntent(self.context)(handle, self._person(), where)
            del place.rules[handle]
        word = f"launch{next(self._numbers)} checklist"
        budget, quiet = self._rng.randint(1, 40), timedelta(minutes=self._rng.choice((0, 5, 600)))
        draft = Draft(
            f"{word}\nrollback{next(self._numbers)}",
            "Confirm the rollback owner.",
            anyone=True,
            max_fires=budget,
            cooldown=quiet,
            expires_in=timedelta(days=self._rng.randint(5, 90)),
        )
        made = CreateIntent(self.context)(draft, self._person(), where, f"m{next(self._numbers)}", word)
        place.rules[made.handle] = (word, where)

    def _say(self, place: Place) -> None:
        word, where = self._rng.choice(list(place.rules.values()) or [("nothing", place.where)])
        person, now = self._person(), self._clock.at
        turn = Turn(where, f"m{next(self._numbers)}", MarkedText(f"the {word}, again"), now, now, person.principal)
        confirm = ConfirmDelivery(self.context)
        for reminder in ReceiveTurn(self.context)(turn).fires:
            if self._rng.random() < 0.05:
                confirm.failed(reminder.fire_id, "gone")
            else:
                confirm.delivered(reminder.fire_id)
                place.fires = [*place.fires[-20:], reminder.fire_id]

    def _rule(self, place: Place) -> tuple[str, Where]:
        handle = self._rng.choice(list(place.rules) or ["i-0000"])
        return handle, place.rules[handle][1] if place.rules else place.where

    def _acknowledge(self, place: Place) -> None:
        Acknowledge(self.context)(self._rng.choice(place.fires or [""]), self._person(), place.where)

    def _edit(self, place: Place) -> None:
        handle, where = self._rule(place)
        if self._rng.random() < 0.5:
            change = Change(description=f"Confirm owner {next(self._numbers)}.")
        else:
            change = Change(max_fires=self._rng.randint(41, 60), cooldown=timedelta(minutes=self._rng.randint(0, 300)))
        EditIntent(self.context)(handle, change, self._person(), where)

    def _pause(self, place: Place) -> None:
        handle, where = self._rule(place)
        person = self._person()
        PauseIntent(self.context)(handle, person, where)
        ResumeIntent(self.context)(handle, person, where)

    def _keep_or_mute(self, place: Place) -> None:
        handle, where = self._rule(place)
        if self._rng.random() < 0.5:
            KeepIntent(self.context)(handle, self._person(), where)
        else:
            MuteIntent(self.context)(handle, self._person(), where)

    def _remind(self, place: Place) -> None:
        person, where = self._person(), self._room(place)
        local = (self._clock.at + timedelta(minutes=self._rng.randint(5, 5_000))).replace(tzinfo=None)
        when = When(local, "UTC", Resolution.MINUTE, self._rng.choice(REPEATS))
        made = Remind(self.context)(RemindDraft(when, "Check the logs."), person, where, f"m{next(self._numbers)}")
        place.timed[made.handle] = person

    def _snooze(self, place: Place) -> None:
        span = timedelta(minutes=self._rng.randint(5, 600))
        if self._rng.random() < 0.5:
            handle, person = self._reminder(place)
            made = SnoozeTimed(self.context)(handle, span, person, place.where)
        else:
            fire = self._rng.choice(place.fires or [""])
            with self.context.store.read() as tx:
                found = tx.fires.get(fire)
                rule = None if found is None else tx.intents.by_id(found.intent_id)
            person = self._person() if rule is None else replace(self._person(), principal=rule.creator)
            made = SnoozeFire(self.context)(fire, span, person)
        place.timed[made.handle] = person

    def _reminder(self, place: Place) -> tuple[str, Actor]:
        return self._rng.choice(list(place.timed.items()) or [("r-0000", self._person())])

    def _deal_with_timed(self, place: Place) -> None:
        handle, person = self._reminder(place)
        if self._rng.random() < 0.5:
            AcknowledgeTimed(self.context)(handle, person, place.where)
        else:
            CancelTimed(self.context)(handle, person, place.where)
            del place.timed[handle]

    def _add_goal(self, place: Place) -> None:
        self._goals.add(place.goals, self._person(), place.where, self._clock.at)

    def _change_goal(self, place: Place) -> None:
        self._goals.change(place.goals, self._person(), place.where, self._clock.at)

    def _depend(self, place: Place) -> None:
        self._goals.depend(place.goals, self._person(), place.where, self._clock.at)

    def _close_goal(self, place: Place) -> None:
        self._goals.close(place.goals, self._person(), place.where)
