"""Updates are acknowledged only after they were received for good: the library's queue runs the turn in its `put`.

python-telegram-bot moves its offset on (or answers the webhook) once `put` has returned. An update that cannot be
stored is not acknowledged and comes again; what asks for an act is recorded before it is done, so that it is done once.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Protocol

from telegram import Message, Update
from telegram.error import NetworkError

from adapters.base.contract import SendFailed
from adapters.base.runner import Runner
from adapters.telegram.dialogs import Dialogs
from adapters.telegram.members import Members
from adapters.telegram.normalise import asks, command_of, is_anonymous, message_of, turn_of
from adapters.telegram.places import author
from adapters.telegram.rights import Rights
from adapters.telegram.seen import Seen
from core.errors import StorageError
from core.services.acted import MarkActed
from core.services.context import Context
from core.services.receive_turn import ReceiveTurn
from core.standing.clocktimes import names_clock_time
from core.standing.gates import Reason
from core.standing.phrases import words_of
from core.standing.sentences import Kind, Sentence, parse_sentence
from core.turn import Turn, TurnKind, Visibility

log = logging.getLogger(__name__)
OWNERSHIP_SECONDS = 3.0
"""How long a sentence that asks for a rule may wait for Telegram's word on who said it; else it is taken as talk."""


class NotStored(NetworkError):
    """The database cannot take an update now: the library gets it again, as after a network error."""


class Taker(Protocol):
    """Takes an update before it is acknowledged; True hands it on to the handlers."""

    def __call__(self, update: Update, /) -> Awaitable[bool]: ...


class ReceivingQueue(asyncio.Queue[object]):
    """The application's queue. Whatever `take` keeps back is done with when `put` returns."""

    def __init__(self, take: Taker) -> None:
        super().__init__()
        self._take = take

    async def put(self, item: object) -> None:
        """Receive an update for good. Raises NotStored; an update that is a defect is logged and acknowledged."""
        try:
            wanted = not isinstance(item, Update) or await self._take(item)
        except StorageError as error:
            raise NotStored(error.sentence) from error
        except Exception:  # one update must not stop all that come after it (house rule 8)
            log.exception("telegram.update.defect")
            return
        if wanted:
            await super().put(item)


class Receiver:
    """Takes updates one after the other. `fired` is called when something is to be delivered.

    A command of which `theirs` says so, by its name and what stands behind it, is somebody else's.
    """

    def __init__(
        self,
        ctx: Context,
        hot: Runner,
        rights: Rights,
        dialogs: Dialogs,
        seen: Seen,
        members: Members,
        bot_name: str,
        fired: Callable[[], None],
        theirs: Callable[[str, str], bool] = lambda _name, _rest: False,
    ) -> None:
        self._ctx = ctx
        self._hot = hot
        self._rights = rights
        self._dialogs = dialogs
        self._seen = seen
        self._members = members
        self._bot_name = bot_name.lower()
        self._fired = fired
        self._theirs = theirs

    async def take(self, update: Update) -> bool:
        """Receive an update. Raises StorageError."""
        received_at = self._ctx.clock.now()
        if update.callback_query is not None:
            return await self._once(update)
        if await self._members.changed(update):
            return False
        found = message_of(update)
        if found is None:
            return False
        message, edited = found
        turn = turn_of(message, self._rights.account, received_at, edited)
        self._seen.remember(message, turn)
        if not edited and await self._is_act(message, turn):
            return await self._once(update)
        if self._seen.is_silenced(message.chat_id, received_at):
            turn = replace(turn, can_deliver=False)
        await self.turn(turn)
        return False

    async def turn(self, turn: Turn) -> None:
        """Match an ordinary message."""
        outcome = await self._hot(lambda: ReceiveTurn(self._ctx)(turn))
        if outcome.ignored is Reason.DEADLINE:
            log.warning("telegram.turn.late")
        if outcome.fires:
            self._fired()

    async def _once(self, update: Update) -> bool:
        """Record that this update is acted on; False for one that was before."""
        account, number = self._rights.account, update.update_id
        return await self._hot(lambda: MarkActed(self._ctx)("telegram", account, number))

    async def _is_act(self, message: Message, turn: Turn) -> bool:
        """Is it a command to this bot, an answer that was asked for, or an owner's sentence that makes a rule?"""
        if self.is_addressed(message, turn):
            return True
        if not asks(message) or turn.kind is TurnKind.COMMAND:
            return False
        user = author(message)
        if user is None and is_anonymous(message):
            return sentence_of(message) is not None  # to be told how to do it
        if turn.kind is not TurnKind.USER or user is None:
            return False
        found = sentence_of(message)
        if found is None:
            return False
        if turn.where.visibility is Visibility.DIRECT:
            return True  # nobody else is there: a refusal is better than silence
        if found.kind is Kind.CLOCK_TIME or (
            found.kind is Kind.FOR_OTHER and names_clock_time(words_of(turn.text.text))
        ):
            return True  # reminders by the clock are for members, too
        return await self._is_owner(message, turn)

    def is_addressed(self, message: Message, turn: Turn) -> bool:
        """Is it said to this bot and nobody else: a command of its own, or an answer that it asked for?"""
        if not asks(message):
            return False
        if turn.kind is TurnKind.COMMAND:
            return self.is_mine(message)
        user = author(message)
        if turn.kind is not TurnKind.USER or user is None:
            return False
        return self._dialogs.waits(message.chat_id, user.id) and self._answers(message, turn)

    def _answers(self, message: Message, turn: Turn) -> bool:
        """Is it said to the bot? In a group that is a reply to it."""
        quoted = message.reply_to_message
        to_bot = (
            quoted is not None and quoted.from_user is not None and str(quoted.from_user.id) == self._rights.account
        )
        return to_bot or turn.where.visibility is Visibility.DIRECT

    def is_mine(self, message: Message) -> bool:
        """Does a command name this bot, or none, and is it not somebody else's?"""
        command = command_of(message)
        if command is None or command[1] not in {"", self._bot_name}:
            return False
        return not self._theirs(command[0], command[2])

    async def _is_owner(self, message: Message, turn: Turn) -> bool:
        user = author(message)
        if user is None:
            return False
        try:
            async with asyncio.timeout(OWNERSHIP_SECONDS):
                actor = await self._rights.actor(user, turn.where)
        except (SendFailed, TimeoutError):
            return False
        return actor.is_owner or actor.is_operator

    def is_late(self, message: Message, now: datetime) -> bool:
        """Was it said so long ago that nobody expects it to be done now?"""
        age: timedelta = now - message.date
        return age > self._ctx.limits.turn_max_age


def sentence_of(message: Message) -> Sentence | None:
    """The rule that a message asks for in words, if it does."""
    return parse_sentence(message.text or message.caption or "")
