"""What a pressed button does. The right to it is checked now, not when it was shown."""

import logging
import re
from collections.abc import Awaitable, Callable

from telegram import CallbackQuery, Message
from telegram.constants import ChatType
from telegram.error import TelegramError

from adapters.base.collected import CollectedDesk
from adapters.base.contract import Post, SendFailed
from adapters.base.desk import error_lines
from adapters.base.goals import Goals
from adapters.base.listing import Wanted
from adapters.base.questions import ASK, ID_CHARS, OpenQuestion
from adapters.base.rules import Rules
from adapters.base.timed import Reminders
from adapters.telegram.fired import TOLD, Fired
from adapters.telegram.goal_presses import GoalPresses
from adapters.telegram.goals import below_list
from adapters.telegram.listing import page_buttons, read_data
from adapters.telegram.places import where_of
from adapters.telegram.sending import patiently
from adapters.telegram.talk import CHOICES, MENU, Talk
from adapters.telegram.text import parts_of
from adapters.telegram.voice import Buttons, Said, question_buttons
from core.catalogue import say
from core.errors import RemembrancerError
from core.goals.typed import GoalListing
from core.timed.commands import TimedListing
from core.wording.lines import Line, Mood, line
from core.wording.readback import Choice

log = logging.getLogger(__name__)
_QUESTION = re.compile(rf"{ASK}:[0-9a-f]{{{ID_CHARS}}}:[0-9]+")


class Pressed:
    """Buttons of questions, lists, menus and reminders. Every press is answered, so that no button stays waiting."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._fired = Fired(talk)
        self._goals = GoalPresses(talk)
        self._kinds: dict[str, Callable[[CallbackQuery, Said], Awaitable[str]]] = {
            ASK: self._question,
            "page": self._page,
            "clock": self._page,
            "goals": self._page,
            MENU: self._menu,
            TOLD: _told,
        }

    def knows(self, data: object) -> bool:
        """Is it what a button of ours carries? Nobody else's looks like it."""
        if not isinstance(data, str):
            return False
        ours = self._fired.reads(data) or self._goals.reads(data)
        if ours or data == f"{TOLD}:" or _QUESTION.fullmatch(data):
            return True
        kind, _, choice = data.partition(":")
        return (kind == MENU and choice in CHOICES) or read_data(data, "", 0) is not None

    async def press(self, query: CallbackQuery) -> None:
        """Do what a button says; what is wrong is said to whoever pressed it, in a box that only they see."""
        data, message = query.data or "", query.message
        act = self._act(data)
        told = say("telegram.old_button")
        if act is not None and isinstance(message, Message) and _is_there(message, data):
            try:
                told = await act(query, Said(message, query.from_user))
            except RemembrancerError as error:
                told = f"{error.sentence} {error.hint}".strip()
            except SendFailed as failed:
                log.warning("telegram.unsaid: %s", failed.why)
            except Exception as error:
                log.exception("telegram.defect")
                told = say("telegram.defect", kind=type(error).__name__)
        await _answered(query, told)

    def _act(self, data: str) -> Callable[[CallbackQuery, Said], Awaitable[str]] | None:
        """What a button asks for; None for one that nobody made."""
        for buttons in (self._fired, self._goals):
            if buttons.reads(data):
                return buttons.press
        return self._kinds.get(data.partition(":")[0])

    async def _menu(self, query: CallbackQuery, said: Said) -> str:
        await self._talk.chosen(said, (query.data or "").partition(":")[2])
        return ""

    async def _page(self, query: CallbackQuery, said: Said) -> str:
        found = read_data(query.data or "", self._talk.rights.account, query.from_user.id)
        if found is None or said.message.chat.type != ChatType.PRIVATE:
            return say("telegram.old_button")
        where, wanted = found
        desk = await self._talk.desk(said, where)
        buttons = await self._talk.work(desk, lambda: _listed(desk, wanted))
        await self._edit(said.message, desk.take(), buttons)
        return ""

    async def _question(self, query: CallbackQuery, said: Said) -> str:
        found = self._talk.dialogs.of_data(query.data or "")
        if found is None:
            await self._talk.voice.sender.unbutton(where_of(said.message, self._talk.rights.account), _id(said.message))
            return say("telegram.over")
        question, number = found
        if question.user_id != query.from_user.id:
            return say("telegram.not_yours", name=f"@{question.desk.who.name}")
        if self._talk.dialogs.close(question):
            await self._answer(said, question, question.asked.question.choices[number])
        return ""

    async def _answer(self, said: Said, question: OpenQuestion, choice: Choice) -> None:
        """Do what was chosen; the question then shows the choice and what came of it, or the next question."""
        desk = question.desk
        head = [*question.asked.question.lines, line("telegram.chosen", Mood.FAINT, choice=choice.label)]
        try:
            desk.who = (await self._talk.desk(said, desk.where)).who
            following = await self._talk.work(desk, lambda: question.asked.answer(choice))
        except RemembrancerError as error:
            desk.take()
            await self._show(said, head, error_lines(error))
            return
        if following is None:
            await self._show(said, head, desk.take())
            return
        asked = self._talk.dialogs.open(following, desk, question.user_id)
        asked.chat, asked.message_id = question.chat, question.message_id
        await self._edit(said.message, desk.take(), question_buttons(asked))

    async def _show(self, said: Said, head: list[Line], result: list[Line]) -> None:
        """Below what was asked, or as a message of its own where both do not fit into one."""
        if len(parts_of([*head, *result])) == 1:
            await self._edit(said.message, [*head, *result])
            return
        await self._talk.voice.sender.unbutton(where_of(said.message, self._talk.rights.account), _id(said.message))
        await self._talk.voice.say(said.message, *result)

    async def _edit(self, message: Message, shown: list[Line], buttons: Buttons = ()) -> None:
        where = where_of(message, self._talk.rights.account)
        post = Post(where, tuple(shown), buttons)
        try:
            await patiently(lambda: self._talk.voice.sender.edit(where, _id(message), post))
        except SendFailed as failed:
            if failed.why != "unchanged":
                raise


def _is_there(message: Message, data: str) -> bool:
    """Does the message have that button now? Whatever else a client sends is nobody's."""
    rows = message.reply_markup.inline_keyboard if message.reply_markup is not None else ()
    return any(button.callback_data == data for row in rows for button in row)


def _listed(desk: CollectedDesk, wanted: Wanted) -> Buttons:
    """Show a page; answers the buttons to those beside it."""
    if isinstance(wanted, TimedListing):
        reminders = Reminders(desk)
        reminders.show_list(wanted)
        return () if reminders.listed is None else page_buttons(desk.where, *reminders.listed)
    if isinstance(wanted, GoalListing):
        goals = Goals(desk)
        goals.show_list(wanted)
        return below_list(desk, goals)
    rules = Rules(desk)
    rules.show_list(wanted)
    return () if rules.listed is None else page_buttons(desk.where, *rules.listed)


async def _told(query: CallbackQuery, said: Said) -> str:
    """What a button says that stands for what was done."""
    rows = said.message.reply_markup.inline_keyboard if said.message.reply_markup is not None else ()
    return next((button.text for row in rows for button in row if button.callback_data == query.data), "")


def _id(message: Message) -> str:
    return str(message.message_id)


async def _answered(query: CallbackQuery, told: str) -> None:
    """Take the clock off the button; what is told is shown in a box. Too late is no matter."""
    try:
        await query.answer(told[:200] or None, show_alert=bool(told))
    except TelegramError as error:
        log.info("telegram.answer: %s", error)
