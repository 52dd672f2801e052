"""Telegram as a chat platform: `adapters.base.contract.Adapter` over a python-telegram-bot application.

It attaches to an application that it does not own (`attach`); `adapters.telegram.service` makes one and runs it,
`adapters.telegram.guest` stands in one that somebody else runs.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from telegram import Bot, Update, User
from telegram.ext import Application, ContextTypes, TypeHandler

from adapters.base.contract import Capabilities, NeverSent, Post, Sent
from adapters.base.runner import Runner
from adapters.telegram.dialogs import Dialogs
from adapters.telegram.mailbox import Mailbox
from adapters.telegram.members import Members
from adapters.telegram.normalise import command_of, message_of, turn_of
from adapters.telegram.places import PROVIDER, author, chat_id
from adapters.telegram.pressed import Pressed
from adapters.telegram.receiving import Receiver, sentence_of
from adapters.telegram.rights import Rights
from adapters.telegram.seen import HUSHED, Seen
from adapters.telegram.sending import Sender
from adapters.telegram.talk import Talk
from adapters.telegram.text import TEXT_UNITS
from adapters.telegram.voice import Voice
from core.catalogue import say
from core.services.context import Context
from core.turn import Principal, Turn, Where
from core.wording.lines import Mood, line

log = logging.getLogger(__name__)

ACTS_OF_A_CHAT = 10
"""How many acts of people in one chat are under way at most; Telegram lets a bot answer 20 times a minute there."""
CAPABILITIES = Capabilities(reactions=True, history=False, text_chars=TEXT_UNITS, button_bytes=64)
UPDATES = (
    Update.MESSAGE,
    Update.EDITED_MESSAGE,
    Update.CHANNEL_POST,
    Update.EDITED_CHANNEL_POST,
    Update.CALLBACK_QUERY,
    Update.MY_CHAT_MEMBER,
    Update.CHAT_MEMBER,
)
"""What is asked of Telegram; the last one it gives to administrators only."""
App = Application[Any, Any, Any, Any, Any, Any]


@dataclass(frozen=True, slots=True)
class Options:
    """What an installation decides: operators by stable id, and whether people own their direct messages.

    `changed` is called whenever another due time of a timed reminder may count. In an application that is not ours
    `theirs` says which commands, by name and what stands behind it, are that one's own.
    """

    operators: tuple[Principal, ...] = ()
    own_direct: bool = False
    changed: Callable[[], object] = lambda: None
    theirs: Callable[[str, str], bool] = lambda _name, _rest: False


class TelegramAdapter:
    """One bot. `wake` is called when something is to be delivered; `hot` runs work on the database thread."""

    provider = PROVIDER
    capabilities = CAPABILITIES

    def __init__(self, ctx: Context, hot: Runner, bot: Bot, wake: Callable[[], None], options: Options) -> None:
        me: User = bot.bot
        self.account = str(me.id)
        self._ctx = ctx
        self.rights = Rights(bot, self.account, ctx.clock, options.operators, options.own_direct, self._moved)
        self.dialogs = Dialogs(ctx.clock, ctx.ids)
        self.seen = Seen(self.account)
        self.sender = Sender(bot, self._moved)
        self.voice = Voice(self.sender, self.dialogs, Mailbox(ctx.clock, me.username or ""), self.account)
        self.talk = Talk(ctx, hot, self.voice, self.rights, self.dialogs, self.seen, options.changed)
        self.members = Members(ctx, hot, self.sender, self.rights, self.seen, me)
        self.receiver = Receiver(
            ctx, hot, self.rights, self.dialogs, self.seen, self.members, me.username or "", wake, options.theirs
        )
        self.pressed = Pressed(self.talk)
        self._acts: Counter[int] = Counter()

    def attach(self, application: App, group: int = 0) -> None:
        """Handle what the receiver hands on."""
        application.add_handler(TypeHandler(Update, self._handle), group)

    async def _moved(self, old: int, new: int) -> None:
        await self.members.move(old, new)

    async def _handle(self, update: Update, _: ContextTypes.DEFAULT_TYPE) -> None:
        await self.handle(update)

    async def handle(self, update: Update) -> None:
        """Act, unless this chat keeps the bot busy already: what one chat asks for holds up no other."""
        if update.callback_query is not None:
            await self.pressed.press(update.callback_query)
            return
        chat = update.effective_chat.id if update.effective_chat is not None else 0
        if self._acts[chat] >= ACTS_OF_A_CHAT:
            log.warning("telegram.crowded: an act was left out")
            return
        self._acts[chat] += 1
        try:
            await self._act(update)
        finally:
            self._acts[chat] -= 1
            if not self._acts[chat]:
                del self._acts[chat]

    async def _act(self, update: Update) -> None:
        found = message_of(update)
        if found is None:
            return
        message, _edited = found
        command = command_of(message)
        if command is not None and not self.talk.knows(command[0]):
            return  # another bot may have it
        if self.receiver.is_late(message, self._ctx.clock.now()):
            await self.voice.guarded(message, lambda: self.voice.say(message, line("telegram.missed", Mood.WARNING)))
            return
        user = author(message)
        sentence = sentence_of(message)
        if command is not None:
            await self.talk.command(message, command[0], command[2])
        elif user is not None and self.dialogs.waits(message.chat_id, user.id):
            await self.talk.prompted(message)
        elif sentence is not None:
            await self.talk.sentence(message, sentence)

    # the contract

    def normalise(self, event: object) -> Turn | None:
        """The turn of a message or an update; None for what is no message."""
        found = message_of(event) if isinstance(event, Update) else None
        return None if found is None else turn_of(found[0], self.account, self._ctx.clock.now(), found[1])

    async def send(self, post: Post) -> Sent:
        """Send. Raises RetryLater or NeverSent; where the bot may not write, nothing is matched for a while."""
        try:
            return await self.sender.send(post)
        except NeverSent as refused:
            if refused.why == "forbidden" and isinstance(post.to, Where):
                self.seen.silence(chat_id(post.to), self._ctx.clock.now() + HUSHED)
            raise

    async def edit(self, where: Where, message_id: str, post: Post) -> None:
        """Put other words and buttons in a message of ours."""
        await self.sender.edit(where, message_id, post)

    async def react(self, where: Where, message_id: str, emoji: str) -> None:
        """Put a reaction under a message."""
        await self.sender.react(where, message_id, emoji)

    async def history(self, where: Where, limit: int) -> Sequence[Turn]:  # noqa: ARG002 - Telegram gives bots none
        """Empty: Telegram gives bots no history."""
        return ()

    async def is_owner(self, who: Principal, where: Where) -> bool:
        """Owner or administrator of the chat, asked now."""
        return await self.rights.is_owner(who, where)


def shown_commands(names: Iterable[str]) -> list[tuple[str, str]]:
    """Commands with what Telegram's menu says of each."""
    return [(name, say(f"telegram.command.{name}")) for name in names]
