"""`/time`: the clock of the terminal, which can be put ahead."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Protocol

from adapters.console.talk import Desk
from core.catalogue import say
from core.errors import InvalidInput
from core.limits import LIMITS
from core.services.tick import Tick
from core.standing.durations import Moment, parse_duration, show_duration, show_moment
from core.wording.lines import Line, Mood, line


class MovableClock(Protocol):
    """The injected clock."""

    @property
    def offset(self) -> timedelta: ...

    def now(self) -> datetime: ...

    def shift(self, by: timedelta) -> datetime: ...


class Hours:
    """The time of this chat. `changed` is called when it was moved."""

    def __init__(self, desk: Desk, clock: MovableClock, changed: Callable[[], object]) -> None:
        self._desk = desk
        self._clock = clock
        self._changed = changed

    @property
    def ahead(self) -> timedelta:
        """How far the clock is ahead of real time."""
        return self._clock.offset

    def restore(self) -> list[Line]:
        """Put the clock as far ahead as it was left; what is to be said of it."""
        ahead = self._desk.world.workspace.ahead
        self._clock.shift(ahead - self._clock.offset)
        return [line("console.open.clock", Mood.WARNING, offset=show_duration(ahead))] if ahead else []

    def command(self, rest: str) -> None:
        """`/time`, `/time +25h`, `/time reset`. Raises InvalidInput."""
        desk = self._desk
        if not rest:
            desk.private(self._told())
        elif rest.casefold() == "reset":
            self._move(-self._clock.offset)
            desk.private(line("console.time.reset", time=self._full()))
        else:
            self._move(_lead(rest))
            desk.private(line("console.time.moved", time=self._full()))

    def _told(self) -> Line:
        if not self.ahead:
            return line("console.time", time=self._full())
        return line("console.time.ahead", time=self._full(), offset=show_duration(self.ahead))

    def _move(self, by: timedelta) -> None:
        if by > LIMITS.console_ahead - self._clock.offset:
            raise InvalidInput(say("console.time.far"), say("console.time.far.hint"))
        self._clock.shift(by)
        self._desk.world.keep_clock(self._clock.offset)
        Tick(self._desk.ctx)()
        self._changed()

    def _full(self) -> Moment:
        return show_moment(self._desk.now(), self._desk.zone)


def _lead(text: str) -> timedelta:
    if text[:1] in {"-", "−", "–"}:
        raise InvalidInput(say("console.time.back"), say("console.time.back.hint"))
    if not text.startswith("+"):
        raise InvalidInput(say("console.time.usage", text=text[:40]), say("console.time.usage.hint"))
    return parse_duration(text[1:])
