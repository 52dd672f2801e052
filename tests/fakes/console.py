"""The terminal chat in this process: fixed clock, seeded ids, its output as text."""

import io
from zoneinfo import ZoneInfo

from adapters.console.app import ConsoleApp
from adapters.console.display import RichScreen
from adapters.dates.fallback import DateparserReader
from adapters.dates.recurrence import DateutilRecurrences
from bots.runtime import ShiftedClock
from core.limits import LIMITS, Limits
from core.ports import AspirationFiles
from core.services.context import Context
from core.services.read_intents import ListIntents
from core.standing.intent import StandingIntent
from core.turn import ADMIN
from storage.unit_of_work import SqlStore
from tests.fakes.clock import FakeClock
from tests.fakes.ids import SeededIds


class Chat:
    """One session. `chat(*lines)` types them and answers what was shown for them."""

    def __init__(
        self,
        store: SqlStore,
        clock: FakeClock,
        ids: SeededIds,
        limits: Limits = LIMITS,
        aspirations: AspirationFiles | None = None,
    ) -> None:
        self.clock = clock
        self.shifted = ShiftedClock(clock)
        self.ctx = Context(
            store,
            self.shifted,
            ids,
            limits,
            zone_of=ZoneInfo,
            aspirations=aspirations,
            recurrences=DateutilRecurrences(),
            reader=DateparserReader(),
        )
        self.stream = io.StringIO()
        self.screen = RichScreen(self.stream, colour=False)
        self.cuts: list[int] = []
        self.app = ConsoleApp(self.ctx, self.shifted, self.screen, file="console.db")
        self.app.open()
        self.opening = self.stream.getvalue()

    def __call__(self, *lines: str) -> str:
        start = len(self.stream.getvalue())
        for text in lines:
            self.app.handle(text)
        return self.stream.getvalue()[start:]

    def rules(self) -> tuple[StandingIntent, ...]:
        """Everything stored, newest first."""
        return ListIntents(self.ctx)(ADMIN, None, size=1_000).rows

    def state(self) -> object:
        """What must not change when something is refused: rows and heads of every chain."""
        with self.ctx.store.read() as tx:
            heads = {name: tx.operations.head(name) for name in tx.operations.namespaces()}
        return self.rules(), heads
