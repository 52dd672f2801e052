"""A platform that takes what is sent, or fails as it is told."""

import asyncio

from adapters.base.contract import Post, Sent
from tests.fakes.platform import LOGIN


class FakeSender:
    """Keeps what was sent, with the time; `answers` are raised one after the other, None stands for success."""

    provider, account = LOGIN

    def __init__(self, *answers: Exception | None, takes: float = 0.0) -> None:
        self.answers = list(answers)
        self.takes = takes
        self.sent: list[tuple[float, Post]] = []
        self.tried: list[float] = []
        self.at_once = self.most_at_once = 0
        self.down_until = -1.0
        self.down: Exception | None = None

    async def send(self, post: Post) -> Sent:
        """Send, taking its time."""
        time = asyncio.get_running_loop().time
        self.tried.append(time())
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            if self.takes:
                await asyncio.sleep(self.takes)
        finally:
            self.at_once -= 1
        if self.down is not None and time() < self.down_until:
            raise self.down
        answer = self.answers.pop(0) if self.answers else None
        if answer is not None:
            raise answer
        self.sent.append((time(), post))
        return Sent((f"m{len(self.sent)}",))

    def texts(self) -> list[str]:
        """The first lines of what was sent, in order."""
        return [post.lines[0].text for _, post in self.sent]
