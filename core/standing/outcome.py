"""What a turn gives back: reminders to post, the block for the assistant, and what was left aside."""

from dataclasses import dataclass
from datetime import datetime

from core.standing.gates import Reason
from core.turn import Principal


@dataclass(frozen=True, slots=True)
class Reminder:
    """One fire, ready to be rendered. `quiet_until` None when this was the last of the budget.

    `late_since` is set when it comes from the outbox after a crash: then it says when it was triggered.
    """

    fire_id: str
    outbox_id: str
    handle: str
    description: str
    created_at: datetime
    creator: Principal
    creator_name: str
    sender: Principal
    sender_name: str
    entry: str
    terms: tuple[str, ...]
    number: int
    max_fires: int
    fired_at: datetime
    quiet_until: datetime | None
    conversation: int
    reply_to: str
    link: str = ""
    late_since: datetime | None = None

    @property
    def last(self) -> bool:
        """Was this the last fire of the budget?"""
        return self.number >= self.max_fires


@dataclass(frozen=True, slots=True)
class Outcome:
    """`ignored` says why the turn as a whole fired nothing (None when it was examined).

    `cut` counts triggered candidates beyond the bound, `probe_cut` that the row bound ended the look-up,
    `truncated` that only the first part of the text was looked at.
    """

    fires: tuple[Reminder, ...] = ()
    block: str = ""
    ignored: Reason | None = None
    candidates: int = 0
    cut: int = 0
    probe_cut: bool = False
    truncated: bool = False
