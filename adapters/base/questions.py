"""What somebody was asked and has not answered yet: kept in this process, bounded, and out of date after a while.

Nothing of it is stored: a draft that nobody said yes to leaves no trace, and after a restart its buttons say so.
"""

from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timedelta

from adapters.base.asking import Asked
from adapters.base.collected import CollectedDesk
from adapters.base.contract import Button
from core.ports import Clock, Ids

KEPT_FOR = timedelta(minutes=15)
MOST = 1_000
ID_CHARS = 12
ASK = "ask"
"""What the data of a question's buttons begins with."""


@dataclass(slots=True)
class OpenQuestion:
    """A question with its buttons: who may answer it, at which desk it was asked, and until when it counts."""

    id: str
    asked: Asked
    desk: CollectedDesk
    user_id: int
    until: datetime
    chat: int = 0
    message_id: int = 0

    def buttons(self) -> list[Button]:
        """One for each choice; what comes back names the question and the choice by number."""
        choices = self.asked.question.choices
        return [Button(choice.label, f"{ASK}:{self.id}:{number}") for number, choice in enumerate(choices)]


class Questions:
    """Open questions by their short id."""

    def __init__(self, clock: Clock, ids: Ids) -> None:
        self._clock = clock
        self._ids = ids
        self._questions: OrderedDict[str, OpenQuestion] = OrderedDict()

    def open(self, asked: Asked, desk: CollectedDesk, user_id: int) -> OpenQuestion:
        """Remember a question; the oldest goes when there are too many."""
        key = self._ids.uuid().replace("-", "")[-ID_CHARS:]
        question = OpenQuestion(key, asked, desk, user_id, self._clock.now() + KEPT_FOR)
        self._questions[key] = question
        while len(self._questions) > MOST:
            self._questions.popitem(last=False)
        return question

    def find(self, key: str) -> OpenQuestion | None:
        """The question of that id, unless it is out of date."""
        question = self._questions.get(key)
        if question is not None and question.until < self._clock.now():
            del self._questions[key]
            return None
        return question

    def of_data(self, data: str) -> tuple[OpenQuestion, int] | None:
        """The question that a button belongs to, and the number of the choice; None for one that is over."""
        _, key, number = [*data.split(":"), "", ""][:3]
        question = self.find(key)
        if question is None or not number.isdecimal() or int(number) >= len(question.asked.question.choices):
            return None
        return question, int(number)

    def close(self, question: OpenQuestion) -> bool:
        """Forget a question; False when somebody else was quicker."""
        return self._questions.pop(question.id, None) is not None

    def reopen(self, question: OpenQuestion) -> None:
        """Nothing came of the answer: it can be given again."""
        self._questions[question.id] = question

    def leave(self, chat: int, user_id: int) -> list[OpenQuestion]:
        """Forget every question to a person in a chat; answers those that were open."""
        left = [one for one in self._questions.values() if one.chat == chat and one.user_id == user_id]
        for question in left:
            del self._questions[question.id]
        return left
