"""Private answers to people who never opened a private chat: kept in memory until they press Start, or a while."""

from collections import OrderedDict
from datetime import datetime, timedelta

from adapters.base.contract import Post
from core.ports import Clock

KEPT_FOR = timedelta(minutes=15)
MOST = 200
ANSWER = "answer"
"""What the link that opens a private chat says."""


class Mailbox:
    """The newest unsent answer of each person; `link` opens the private chat."""

    def __init__(self, clock: Clock, bot_name: str) -> None:
        self._clock = clock
        self._kept: OrderedDict[int, tuple[datetime, Post]] = OrderedDict()
        self.link = f"https://t.me/{bot_name}?start={ANSWER}"

    def keep(self, user_id: int, post: Post) -> None:
        """Keep an answer in place of an older one."""
        self._kept[user_id] = self._clock.now() + KEPT_FOR, post
        self._kept.move_to_end(user_id)
        while len(self._kept) > MOST:
            self._kept.popitem(last=False)

    def collect(self, user_id: int) -> Post | None:
        """Take the answer that waits for a person, unless it is out of date."""
        until, post = self._kept.pop(user_id, (None, None))
        return post if until is not None and until >= self._clock.now() else None
