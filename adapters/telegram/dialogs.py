"""What somebody was asked to choose or to type: open questions, and beside them prompts by chat and person."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from adapters.base.questions import KEPT_FOR, MOST, OpenQuestion, Questions
from core.ports import Clock, Ids


@dataclass(frozen=True, slots=True)
class Prompt:
    """Words that somebody was asked to type next; `take` makes the text of a command of them, or asks on."""

    chat: int
    user_id: int
    until: datetime
    take: Callable[[str], "str | tuple[str, Callable[[str], str]]"]


class Dialogs(Questions):
    """Open questions by their short id, and prompts by chat and person."""

    def __init__(self, clock: Clock, ids: Ids) -> None:
        super().__init__(clock, ids)
        self._prompts: OrderedDict[tuple[int, int], Prompt] = OrderedDict()

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
        return super().leave(chat, user_id)
