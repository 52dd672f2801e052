"""Presses of inline buttons: callback queries and their answers."""

import itertools
from typing import TYPE_CHECKING

from tests.fakes.telegram import errors
from tests.fakes.telegram.chats import Message, Payload

if TYPE_CHECKING:
    from tests.fakes.telegram.people import Person
    from tests.fakes.telegram.robots import Bot
    from tests.fakes.telegram.world import World


class Press:
    """One press of a button; `answer` holds the parameters of answerCallbackQuery once they came."""

    def __init__(self, id: str, person: "Person", message: Message, data: str) -> None:
        self.id = id
        self.person = person
        self.message = message
        self.data = data
        self.answer: Payload | None = None
        self.expired = False

    @property
    def answered(self) -> bool:
        """Whether the button stopped spinning."""
        return self.answer is not None

    @property
    def shown(self) -> str | None:
        """What the person was shown as a toast or alert."""
        return (self.answer or {}).get("text")

    @property
    def alert(self) -> bool:
        """Whether it was shown as an alert."""
        return bool((self.answer or {}).get("show_alert"))


class Queries:
    """Every press there was."""

    def __init__(self, world: "World") -> None:
        self.world = world
        self.presses: dict[str, Press] = {}
        self._numbers = itertools.count(7_000_000_000_001)

    def press(self, person: "Person", message: Message, which: str, *, stale: bool, inaccessible: bool) -> Press:
        """Queue a callback query for the bot whose button it is."""
        with self.world.lock:
            bot = message.bot
            assert bot is not None, f"{message} is not by a bot"
            button = {"text": which, "callback_data": which} if stale else message.button(which)
            assert "callback_data" in button, f"the button {which!r} opens {button}: no bot hears of it"
            made = Press(str(next(self._numbers)), person, message, button["callback_data"])
            self.presses[made.id] = made
            shown = message.payload
            if inaccessible:
                shown = {"chat": message.chat.brief(), "message_id": message.id, "date": 0}
            bot.push(
                "callback_query",
                {
                    "id": made.id,
                    "from": person.brief(),
                    "message": shown,
                    "chat_instance": str(message.chat.id),
                    "data": made.data,
                },
            )
            self.world.changed()
            return made

    def answered(self, bot: "Bot", params: Payload) -> bool:
        """Take an answer; 400 for a query that is unknown, expired, answered before or another bot's."""
        press = self.presses.get(params["callback_query_id"])
        if press is None or press.expired or press.answered or press.message.bot is not bot:
            raise errors.query_too_old()
        if len(params.get("text") or "") > 200:
            raise errors.bad_request("MESSAGE_TOO_LONG")
        press.answer = params
        return True
