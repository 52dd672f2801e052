"""Rules that listen to a bot or a webhook: how they are kept from going round in a circle. Pure; decision 0050."""

import re
from datetime import timedelta

from core.limits import Limits
from core.turn import MACHINES, Principal, Turn, machine_kind

OURS = re.compile(r"\u00b7[\s\W_]{0,8}[ir]-[0-9a-hjkmnp-tv-z]{4,6}(?![\w-])", re.IGNORECASE)
"""How every reminder of ours names its rule, whatever marks a bridge sets around it: `· i-7k2m`."""


def by_machine(turn: Turn) -> bool:
    """Did a bot or a webhook write it?"""
    return turn.kind in MACHINES


def is_named_one(turn: Turn) -> bool:
    """Is a sender known whom a rule can name as a bot or webhook of that kind?"""
    return machine_kind(turn.sender) is turn.kind


def answers_us(turn: Turn) -> bool:
    """Is it a reply to a message of ours, or a copy of a reminder?"""
    return turn.answers_us or OURS.search(turn.text.text) is not None


def least_cooldown(watches: Principal | None, limits: Limits) -> timedelta:
    """How long a rule is quiet after each reminder, however it is set."""
    return timedelta(0) if machine_kind(watches) is None else limits.machine_cooldown
