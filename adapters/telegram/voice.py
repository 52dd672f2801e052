"""How an answer reaches whoever asked: where they asked, or privately; a question with its buttons."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from telegram import Message, User

from adapters.base.asking import Asked
from adapters.base.collected import CollectedDesk
from adapters.base.contract import Button, NeverSent, Post, SendFailed
from adapters.base.desk import error_lines
from adapters.base.questions import OpenQuestion
from adapters.telegram.dialogs import Dialogs
from adapters.telegram.mailbox import Mailbox
from adapters.telegram.places import principal, where_of
from adapters.telegram.sending import Sender, patiently
from core.catalogue import say
from core.errors import RemembrancerError
from core.turn import Visibility
from core.wording.lines import Line, Mood, line

log = logging.getLogger(__name__)

BUTTONS_A_ROW = 2
Buttons = tuple[tuple[Button, ...], ...]


@dataclass(frozen=True, slots=True)
class Said:
    """What a person asks for: the message, who wrote it (or pressed under it), and what stands behind the command."""

    message: Message
    user: User
    rest: str = ""

    @property
    def chat(self) -> int:
        """The chat that it was said in."""
        return int(self.message.chat_id)


class Voice:
    """Says things as the bot `account`."""

    def __init__(self, sender: Sender, dialogs: Dialogs, mailbox: Mailbox, account: str) -> None:
        self.sender = sender
        self.dialogs = dialogs
        self.mailbox = mailbox
        self.account = account

    async def answer(
        self, said: Said, desk: CollectedDesk, asked: Asked | None, private: bool = False, buttons: Buttons = ()
    ) -> None:
        """Say what was collected: a question where it was asked, with its buttons; else there or privately."""
        found = desk.take()
        if asked is not None:
            await self._ask(said, desk, asked, found)
        elif private and desk.where.visibility is not Visibility.DIRECT:
            await self._privately(said, found, buttons)
        elif found:
            await self.say(said.message, *found, buttons=buttons)

    async def _ask(self, said: Said, desk: CollectedDesk, asked: Asked, found: Sequence[Line]) -> None:
        question = self.dialogs.open(asked, desk, said.user.id)
        post = self.reply(said.message, found, question_buttons(question))
        sent = await patiently(lambda: self.sender.send(post))
        question.chat, question.message_id = said.chat, int(sent.message_ids[-1])

    async def _privately(self, said: Said, found: Sequence[Line], buttons: Buttons) -> None:
        """Answer in the private chat; where the person never opened one, keep the answer until they do."""
        post = Post(principal(said.user, self.account), tuple(found), buttons)
        try:
            await patiently(lambda: self.sender.send(post))
        except NeverSent:
            self.mailbox.keep(said.user.id, post)
            open_it = Button(say("telegram.open"), url=self.mailbox.link)
            await self.say(said.message, line("telegram.no_chat", Mood.WARNING), buttons=((open_it,),))
            return
        await self.say(said.message, line("telegram.privately", Mood.FAINT))

    async def say(self, message: Message, *found: Line, buttons: Buttons = ()) -> None:
        """Reply to a message, where it was said."""
        post = self.reply(message, found, buttons)
        await patiently(lambda: self.sender.send(post))

    async def prompt(self, said: Said, what: str) -> None:
        """Ask for `words` or `text` of a new rule, as a message that is answered by a reply."""
        post = self.reply(said.message, (line(f"telegram.new.{what}"),))
        await patiently(lambda: self.sender.send(post, placeholder=say(f"telegram.field.{what}")))

    def reply(self, message: Message, found: Sequence[Line], buttons: Buttons = ()) -> Post:
        """A post in the place of a message, as a reply to it unless nobody else is there."""
        where = where_of(message, self.account)
        reply = "" if where.visibility is Visibility.DIRECT else str(message.message_id)
        return Post(where, tuple(found), buttons, reply)

    async def guarded(self, message: Message, act: Callable[[], Awaitable[None]]) -> None:
        """Do it; a refusal is said, a defect is logged and said, and what cannot be said is logged."""
        try:
            try:
                await act()
            except RemembrancerError as error:
                await self.say(message, *error_lines(error))
            except SendFailed:
                raise
            except Exception as error:  # an adapter's loop goes on (house rule 8)
                log.exception("telegram.defect")
                await self.say(message, line("telegram.defect", Mood.BAD, kind=type(error).__name__))
        except SendFailed as failed:
            log.warning("telegram.unsaid: %s", failed.why)


def question_buttons(question: OpenQuestion) -> Buttons:
    """One button for each choice."""
    return rows_of(question.buttons())


def rows_of(buttons: Sequence[Button]) -> Buttons:
    """As many beside each other as can be read on a telephone."""
    starts = range(0, len(buttons), BUTTONS_A_ROW)
    return tuple(tuple(buttons[start : start + BUTTONS_A_ROW]) for start in starts)
