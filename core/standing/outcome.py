"""What a turn gives back: reminders to post, the block for the assistant, and what was left aside."""

from dataclasses import dataclass
from datetime import datetime

from core.standing.gates import Reason
from core.standing.intent import CooldownPer
from core.turn import Principal, Where


@dataclass(frozen=True, slots=True)
class Reminder:
    """One fire, ready to be rendered. `quiet_until` None when this was the last of the budget.

    `recipient` is who gets it as a direct message, and nobody else may see it; `post_in` is the place to post it;
    with neither it is a reply to `reply_to`, where it was said. One that goes elsewhere says where it was triggered
    (`said_in`), and waits in the outbox until `held_until`. `late_since` is set when it comes from the outbox: then
    it says when it was triggered. `goal` is the handle of the goal that its rule is linked to, `goal_text` what that
    is about.
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
    cooldown_per: CooldownPer = CooldownPer.INTENT
    link: str = ""
    late_since: datetime | None = None
    recipient: Principal | None = None
    post_in: Where | None = None
    said_in: Where | None = None
    held_until: datetime | None = None
    goal: str = ""
    goal_text: str = ""

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
