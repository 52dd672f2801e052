"""What goes wrong on the way: faults that a test asks for, by method and path."""

import time
from dataclasses import dataclass
from fnmatch import fnmatchcase

from tests.fakes.discord.calls import Call

PAGE = "<html><body>A proxy says no</body></html>"


@dataclass(slots=True)
class Fault:
    """One kind of fault for the next `times` requests that fit. `method` may be `*`; `path` may hold `*`."""

    method: str
    path: str
    times: int = 1
    status: int | None = None
    code: int = 0
    message: str = ""
    page: bool = False
    retry_after: float | None = None
    everywhere: bool = False
    banned: bool = False
    drop: str = ""
    before: float = 0.0
    after: float = 0.0
    happened: int = 0

    def fits(self, call: Call) -> bool:
        """Whether this request is struck."""
        if self.happened >= self.times or self.method not in ("*", call.method):
            return False
        return fnmatchcase(call.path, self.path)


class Faults:
    """Faults in the order they were asked for; each request meets every delay and one of the others at most."""

    def __init__(self) -> None:
        self.all: list[Fault] = []
        self._waits: list[tuple[str, str, float]] = []

    def _add(self, fault: Fault) -> Fault:
        self.all.append(fault)
        return fault

    def fail(self, method: str, path: str, status: int, code: int = 0, *, message: str = "", times: int = 1) -> Fault:
        """Answer with an error and do nothing."""
        return self._add(Fault(method, path, times, status, code, message or f"{status}: asked for by the test"))

    def page(self, method: str, path: str, status: int = 502, *, times: int = 1) -> Fault:
        """Answer with the HTML page of a proxy and do nothing."""
        return self._add(Fault(method, path, times, status, page=True))

    def rate_limit(
        self, method: str, path: str, retry_after: float, *, times: int = 1, everywhere: bool = False, via: bool = True
    ) -> Fault:
        """Answer 429; requests that fit before the wait has passed get 429 too and are kept in `world.early`.

        `everywhere` makes it the limit of the whole bot. Without `via` it is the ban of the proxy in front.
        """
        return self._add(
            Fault(method, path, times, 429, retry_after=retry_after, everywhere=everywhere, banned=not via)
        )

    def drop_before(self, method: str, path: str, *, times: int = 1) -> Fault:
        """Break the connection before anything happens."""
        return self._add(Fault(method, path, times, drop="before"))

    def drop_after(self, method: str, path: str, *, times: int = 1) -> Fault:
        """Break the connection after the request was carried out: the answer is lost."""
        return self._add(Fault(method, path, times, drop="after"))

    def delay(self, method: str, path: str, seconds: float, *, times: int = 1) -> Fault:
        """Take the request up only after some seconds."""
        return self._add(Fault(method, path, times, before=seconds))

    def slow(self, method: str, path: str, seconds: float, *, times: int = 1) -> Fault:
        """Carry the request out at once and answer after some seconds."""
        return self._add(Fault(method, path, times, after=seconds))

    def clear(self) -> None:
        """Ask for no more faults and forget the waits."""
        self.all.clear()
        self._waits.clear()

    def take(self, call: Call) -> tuple[float, float, Fault | None]:
        """How long to wait before and after the request, and the fault that it meets."""
        before, after, struck = 0.0, 0.0, None
        for fault in self.all:
            if not fault.fits(call):
                continue
            if fault.before or fault.after:
                before, after = before + fault.before, after + fault.after
            elif struck is None:
                struck = fault
            else:
                continue
            fault.happened += 1
        return before, after, struck

    def told(self, fault: Fault) -> None:
        """Remember the wait of a 429."""
        assert fault.retry_after is not None
        path = "*" if fault.everywhere else fault.path
        method = "*" if fault.everywhere else fault.method
        self._waits.append((method, path, time.monotonic() + fault.retry_after))

    def remaining(self, call: Call) -> float:
        """How much is left of the waits that this request had to keep. A hundredth is not counted."""
        now = time.monotonic()
        self._waits = [wait for wait in self._waits if wait[2] - now > 0.01]
        fitting = [
            until - now
            for method, path, until in self._waits
            if method in ("*", call.method) and fnmatchcase(call.path, path)
        ]
        return max(fitting, default=0.0)
