"""A timed reminder that is to be told now, ready to be rendered."""

from dataclasses import dataclass
from datetime import datetime

from core.timed.reminder import TimedReminder
from core.turn import Principal, Where


@dataclass(frozen=True, slots=True)
class DueReminder:
    """One message of the outbox. `where` is the place to post it in; with a `recipient` it is a direct message.

    `due_at` is the occurrence, `late` tells that it comes later than that, `missed` how many other occurrences it
    stands for, `last` that a recurring one has no more to come. `reply_to` is the message that asked for it, or "".
    """

    item_id: str
    reminder: TimedReminder
    where: Where
    recipient: Principal | None
    due_at: datetime
    late: bool
    missed: int = 0
    number: int = 1
    last: bool = False
    reply_to: str = ""
