"""The alarm, with the real scheduler and short waits."""

import asyncio
import threading
from datetime import timedelta

import pytest
from apscheduler.jobstores.memory import MemoryJobStore

from bots import alarm as module
from bots.alarm import Alarm
from bots.runtime import ShiftedClock, SystemClock
from tests.unit.bots.test_heartbeat import run, until


class Rows:
    """A list of due instants in place of a store."""

    def __init__(self, clock, *seconds):
        self.clock = clock
        self.due = sorted(clock.now() + timedelta(seconds=one) for one in seconds)
        self.fired, self.looks, self.failing = [], 0, 0
        self.threads = set()

    def fire(self):
        self.threads.add(threading.current_thread().name)
        if self.failing:
            self.failing -= 1
            raise LookupError("the disk is away")
        now = self.clock.now()
        ready = [one for one in self.due if one <= now]
        self.due = [one for one in self.due if one > now]
        self.fired += [(one, now) for one in ready]
        return len(ready)

    def next_due(self):
        self.looks += 1
        return min(self.due, default=None)


def made(rows, **fields):
    return Alarm(rows.fire, rows.next_due, rows.clock, SystemClock(), **fields)


def test_it_rings_at_each_due_instant_never_early_and_keeps_nothing_but_one_job_in_memory():
    async def story():
        rows, told = Rows(SystemClock(), 0.1, 0.2, 3600), []

        async def rung(fired):
            told.append(fired)

        alarm = made(rows, rung=rung)
        alarm.start()
        alarm.start()
        await until(lambda: alarm.planned is not None)
        assert isinstance(alarm._keeper.scheduler._lookup_jobstore("default"), MemoryJobStore)
        await until(lambda: len(rows.fired) == 2)
        await until(lambda: alarm.planned == rows.due[0])
        assert len(alarm._keeper.scheduler.get_jobs()) == 1
        await alarm.stop()
        assert all(timedelta(0) <= at - due < timedelta(seconds=2) for due, at in rows.fired)
        assert sum(told) == 2
        assert all(name.startswith("alarm") for name in rows.threads)

    run(story)


def test_what_is_overdue_at_the_start_rings_at_once():
    async def story():
        rows = Rows(SystemClock(), -3600)
        alarm = made(rows)
        alarm.start()
        await until(lambda: rows.fired)
        await alarm.stop()
        assert not rows.due

    run(story)


def test_waking_it_from_another_thread_plans_anew():
    async def story():
        rows = Rows(SystemClock(), 3600)
        alarm = made(rows)
        alarm.wake()  # before the start: nothing
        alarm.start()
        await until(lambda: alarm.planned is not None)
        rows.due.append(SystemClock().now() + timedelta(seconds=0.1))
        await asyncio.to_thread(alarm.wake)
        await until(lambda: rows.fired)
        await alarm.stop()
        alarm.wake()
        assert len(rows.due) == 1

    run(story)


def test_t153_after_an_error_it_tries_again_and_later_reminders_come(monkeypatch):
    monkeypatch.setattr(module, "AGAIN", timedelta(seconds=0.05))

    async def story():
        rows = Rows(SystemClock(), 0.05, 0.5)
        rows.failing = 2
        alarm = made(rows)
        alarm.start()
        await until(lambda: len(rows.fired) == 2)
        await alarm.stop()
        assert alarm.failures == 2

    run(story)


def test_an_error_while_planning_is_no_end(monkeypatch):
    monkeypatch.setattr(module, "AGAIN", timedelta(seconds=0.05))

    async def story():
        rows, broken = Rows(SystemClock(), 0.05), [True, True]

        def next_due():
            if broken:
                broken.pop()
                raise LookupError("the disk is away")
            return rows.next_due()

        def fire():
            return 0 if broken else rows.fire()  # however slow the machine is, both errors come first

        alarm = Alarm(fire, next_due, rows.clock, SystemClock())
        alarm.start()
        await until(lambda: rows.fired)
        await alarm.stop()
        assert alarm.failures == 2

    run(story)


def test_an_error_of_who_is_told_is_no_end():
    async def story():
        rows = Rows(SystemClock(), 0.05, 0.3)

        async def rung(_fired):
            raise LookupError("the terminal is away")

        alarm = made(rows, rung=rung)
        alarm.start()
        await until(lambda: len(rows.fired) == 2)
        await alarm.stop()

    run(story)


def test_what_stays_due_although_it_was_fired_is_not_tried_in_a_tight_loop():
    async def story():
        rows = Rows(SystemClock())
        now = SystemClock().now()
        rounds = []
        alarm = Alarm(lambda: rounds.append(1) or 0, lambda: now, rows.clock, SystemClock())
        alarm.start()
        await asyncio.sleep(0.5)
        await alarm.stop()
        assert len(rounds) == 1

    run(story)


def test_t163_a_loop_that_was_busy_over_the_due_time_rings_late_and_not_never():
    import time

    async def story():
        rows = Rows(SystemClock(), 0.2)
        alarm = made(rows)
        alarm.start()
        await until(lambda: alarm.planned is not None)
        time.sleep(2.0)  # the loop is busy: nothing can run
        await until(lambda: rows.fired)
        await alarm.stop()
        [(due, at)] = rows.fired
        assert timedelta(seconds=1.5) < at - due < timedelta(seconds=10)

    run(story)


class Sleeper:
    """A clock of the system that can jump, as after a sleep: timers of the loop stood still."""

    def __init__(self):
        self.clock = ShiftedClock(SystemClock())

    def now(self):
        return self.clock.now()


@pytest.mark.parametrize("jump", [timedelta(hours=3), timedelta(hours=-3)])
def test_a_machine_that_slept_over_the_due_time_or_a_clock_that_was_set_rings_when_the_time_is_there(monkeypatch, jump):
    monkeypatch.setattr(module, "WATCH_SECONDS", 0.05)

    async def story():
        system = Sleeper()
        rows = Rows(system, 3600 if jump > timedelta(0) else 0.2)
        alarm = Alarm(rows.fire, rows.next_due, system, system)
        alarm.start()
        await until(lambda: alarm.planned is not None)
        system.clock.shift(jump)
        await asyncio.sleep(0.5)
        if jump < timedelta(0):
            assert not rows.fired, "it is not time yet by the clock that was set back"
            system.clock.shift(-jump)
        await until(lambda: rows.fired)
        await alarm.stop()
        assert all(at >= due for due, at in rows.fired)

    run(story)
