"""A question that waits for an answer."""

from collections.abc import Callable
from dataclasses import dataclass

from core.wording.readback import Choice, Question


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked, and what an answer does: it may ask on."""

    question: Question
    answer: Callable[[Choice], "Asked | None"]
