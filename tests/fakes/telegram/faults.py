"""What goes wrong: faults that a test asks for, and Telegram's flood limits."""

import math
from collections import defaultdict, deque
from dataclasses import dataclass, field

from tests.fakes.telegram import errors
from tests.fakes.telegram.chats import Chat
from tests.fakes.telegram.errors import ApiError
from tests.fakes.telegram.robots import Bot

SENDING = "sendmessage"


@dataclass
class Fault:
    """One kind of fault for the next `times` requests of a method (`*`: any), of a chat and a bot where named."""

    method: str
    times: int
    chat: Chat | None = None
    bot: Bot | None = None
    error: ApiError | None = None
    drop: str = ""
    seconds: float = 0.0
    happened: int = 0

    def fits(self, bot: Bot, method: str, chat_id: object) -> bool:
        """Whether this request is struck."""
        if self.times <= self.happened or self.method not in ("*", method):
            return False
        return (self.bot is None or self.bot is bot) and (self.chat is None or self.chat.id == chat_id)


class Faults:
    """Faults in the order they were asked for; each request meets one of them at most, and every delay."""

    def __init__(self) -> None:
        self.all: list[Fault] = []

    def _add(self, fault: Fault) -> Fault:
        fault.method = fault.method.lower()
        self.all.append(fault)
        return fault

    def fail(
        self, method: str, error: ApiError, *, times: int = 1, chat: Chat | None = None, bot: Bot | None = None
    ) -> Fault:
        """Answer with an error (`errors.blocked()`, `errors.internal()`, ...) and do nothing."""
        return self._add(Fault(method, times, chat, bot, error=error))

    def retry_after(
        self, method: str, seconds: int, *, times: int = 1, chat: Chat | None = None, bot: Bot | None = None
    ) -> Fault:
        """Answer 429; requests of that chat before the wait has passed get 429 too and are listed in `world.early`."""
        return self._add(Fault(method, times, chat, bot, error=errors.too_many_requests(seconds)))

    def drop_before(self, method: str, *, times: int = 1, chat: Chat | None = None, bot: Bot | None = None) -> Fault:
        """Break the connection before anything happens."""
        return self._add(Fault(method, times, chat, bot, drop="before"))

    def drop_after(self, method: str, *, times: int = 1, chat: Chat | None = None, bot: Bot | None = None) -> Fault:
        """Break the connection after the request took effect: the answer is lost."""
        return self._add(Fault(method, times, chat, bot, drop="after"))

    def delay(
        self, method: str, seconds: float, *, times: int = 1, chat: Chat | None = None, bot: Bot | None = None
    ) -> Fault:
        """Take the request up only after some seconds."""
        return self._add(Fault(method, times, chat, bot, seconds=seconds))

    def clear(self) -> None:
        """Ask for no more faults."""
        self.all.clear()

    def take(self, bot: Bot, method: str, chat_id: object) -> tuple[float, Fault | None]:
        """The delay of a request and the fault it meets."""
        delay, struck = 0.0, None
        for fault in self.all:
            if fault.fits(bot, method, chat_id):
                if fault.seconds:
                    delay += fault.seconds
                elif struck is None:
                    struck = fault
                else:
                    continue
                fault.happened += 1
        return delay, struck


@dataclass
class Limit:
    """At most `count` messages in any `seconds`."""

    count: int
    seconds: float
    at: deque[float] = field(default_factory=deque)

    def wait(self, now: float) -> float:
        """How long until one more is allowed."""
        while self.at and now - self.at[0] >= self.seconds:
            self.at.popleft()
        return self.seconds - (now - self.at[0]) if len(self.at) >= self.count else 0.0


class Flood:
    """Telegram's limits of sending, off until `on()`; and the waits that 429 answers told."""

    def __init__(self) -> None:
        self.enabled = False
        self._chat = self._group = self._total = (0, 0.0)
        self._limits: dict[tuple[str, int, object], Limit] = {}
        self._until: dict[tuple[int, object], float] = defaultdict(float)
        self.refused = 0

    def on(
        self,
        *,
        chat: tuple[int, float] = (1, 1.0),
        group: tuple[int, float] = (20, 60.0),
        total: tuple[int, float] = (30, 1.0),
    ) -> None:
        """Limit messages a chat, a group and a bot: a count and the seconds it holds for."""
        self.enabled, self._chat, self._group, self._total = True, chat, group, total

    def off(self) -> None:
        """Limit nothing; waits told before still hold."""
        self.enabled = False

    def told(self, bot: Bot, chat_id: object, seconds: int, now: float) -> None:
        """Remember the wait of a 429."""
        self.refused += 1
        self._until[bot.id, chat_id] = now + seconds

    def remaining(self, bot: Bot, chat_id: object, now: float) -> float:
        """How much of a told wait is left."""
        return max(0.0, self._until[bot.id, chat_id] - now)

    def _of(self, bot: Bot, chat: object) -> list[Limit]:
        wanted = [("total", None, self._total), ("chat", chat, self._chat)]
        if isinstance(chat, int) and chat < 0:
            wanted.append(("group", chat, self._group))
        return [self._limits.setdefault((name, bot.id, key), Limit(*bounds)) for name, key, bounds in wanted]

    def check(self, bot: Bot, chat_id: object, now: float) -> None:
        """Count a message that is about to be sent; 429 with the true wait where a limit is reached."""
        if not self.enabled:
            return
        limits = self._of(bot, chat_id)
        if wait := max(limit.wait(now) for limit in limits):
            raise errors.too_many_requests(max(1, math.ceil(wait)))
        for limit in limits:
            limit.at.append(now)
