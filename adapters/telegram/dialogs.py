"""What somebody was asked and has not answered yet: kept in this process, bounded, and out of date after a while.

Nothing of it is stored: a draft that nobody said yes to leaves no trace, and after a restart its buttons say so.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from adapters.base.asking import Asked
from adapters.telegram.desk import TelegramDesk
from core.ports import Clock, Ids

KEPT_FOR = timedelta(minutes=15)
MOST = 1_000
ID_CHARS = 12


@dataclass(slots=True)
class OpenQuestion:
    """A question with its buttons: who may answer it, at which desk it was asked, and until when it counts."""

    id: str
    asked: Asked
    desk: TelegramDesk
    user_id: int
    until: datetime
    chat: int = 0
    message_id: int = 0


@dataclass(frozen=True, slots=True)
class Prompt:
    """Words that somebody was asked to type next; `take` makes the text of a command of them, or asks on."""

    chat: int
    user_id: int
    until: datetime
    take: Callable[[str], "str | tuple[str, Callable[[str], str]]"]


class Dialogs:
    """Open questions by their short id, and prompts by chat and person."""

    def __init__(self, clock: Clock, ids: Ids) -> None:
        self._clock = clock
        self._ids = ids
        self._questions: OrderedDict[str, OpenQuestion] = OrderedDict()
        self._prompts: OrderedDict[tuple[int, int], Prompt] = OrderedDict()

    def open(self, asked: Asked, desk: TelegramDesk, user_id: int) -> OpenQuestion:
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

    def close(self, question: OpenQuestion) -> bool:
        """Forget a question; False when somebody else was quicker."""
        return self._questions.pop(question.id, None) is not None

    def prompt(self, chat: int, user_id: int, take: Callable[[str], str | tuple[str, Callable[[str], str]]]) -> None:
        """From now on the next words of that person in that chat are an answer."""
        self._prompts[chat, user_id] = Prompt(chat, user_id, self._clock.now() + KEPT_FOR, take)
        self._prompts.move_to_end((chat, user_id))
        while len(self._prompts) > MOST:
            self._prompts.popitem(last=False)

    def prompted(self, chat: int, user_id: int) -> Prompt | None:
        """Take what that person was asked for there, if they were."""
        prompt = self._prompts.pop((chat, user_id), None)
        return prompt if prompt is not None and prompt.until >= self._clock.now() else None

    def waits(self, chat: int, user_id: int) -> bool:
        """Was that person asked for words there?"""
        prompt = self._prompts.get((chat, user_id))
        return prompt is not None and prompt.until >= self._clock.now()

    def leave(self, chat: int, user_id: int) -> list[OpenQuestion]:
        """Leave every dialog of a person in a chat; answers the questions that were open."""
        self._prompts.pop((chat, user_id), None)
        left = [one for one in self._questions.values() if one.chat == chat and one.user_id == user_id]
        for question in left:
            del self._questions[question.id]
        return left
