"""Sending through python-telegram-bot, and what its errors mean: later, never, or in another form."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import TypeVar
from warnings import catch_warnings

from telegram import (
    Bot,
    ForceReply,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    LinkPreviewOptions,
    Message,
    ReactionTypeEmoji,
    ReplyParameters,
)
from telegram.constants import ChatAction
from telegram.error import BadRequest, ChatMigrated, Forbidden, InvalidToken, NetworkError, RetryAfter, TelegramError

from adapters.base.contract import Button, NeverSent, Post, RetryLater, SendFailed, Sent
from adapters.telegram.places import chat_id, thread_id
from adapters.telegram.text import Part, parts_of
from core.turn import Principal, Where

PATIENCE = timedelta(seconds=60)
"""How long an answer to somebody who waits is held back for the platform; the outbox waits for longer."""
TRIES = 3
NO_PREVIEW = LinkPreviewOptions(is_disabled=True)
_FOR_GOOD = {
    "chat not found": "gone",
    "message thread not found": "gone",
    "topic_deleted": "gone",
    "topic_closed": "closed",
    "user not found": "gone",
    "peer_id_invalid": "gone",
    "not enough rights": "forbidden",
    "chat_write_forbidden": "forbidden",
    "have no rights": "forbidden",
    "need administrator rights": "forbidden",
    "chat_restricted": "forbidden",
    "message to edit not found": "gone",
    "message can't be edited": "gone",
}
_ENTITIES = ("entities", "entity", "user_invalid", "mention")
T = TypeVar("T")
Moved = Callable[[int, int], Awaitable[None]]
"""What is done when a chat has another id from now on: old and new."""


class Sender:
    """Sends posts with one bot. `moved` is awaited before anything is sent to a chat's new id."""

    def __init__(self, bot: Bot, moved: Moved) -> None:
        self._bot = bot
        self._moved = moved

    async def send(self, post: Post, *, placeholder: str | None = None) -> Sent:
        """Send a post. Raises RetryLater or NeverSent; a chat that moved is followed at once.

        With a `placeholder` the person is asked to answer by a reply.
        """
        try:
            return await self._send(post, _chat(post.to), placeholder)
        except ChatMigrated as moved:
            await self._moved(_chat(post.to), moved.new_chat_id)
            return await self._send(post, moved.new_chat_id, placeholder)

    async def _send(self, post: Post, chat: int, placeholder: str | None) -> Sent:
        parts = parts_of(post.lines)
        sent = []
        for number, part in enumerate(parts):
            last = number == len(parts) - 1
            message = await self._send_part(post, chat, part, number == 0, last, placeholder)
            sent.append(str(message.message_id))
        return Sent(tuple(sent))

    async def _send_part(
        self, post: Post, chat: int, part: Part, first: bool, last: bool, placeholder: str | None
    ) -> Message:
        reply = None
        if post.reply_to and first:
            reply = ReplyParameters(int(post.reply_to), allow_sending_without_reply=True)
        markup: InlineKeyboardMarkup | ForceReply | None = keyboard(post.buttons) if last else None
        if last and placeholder is not None:
            markup = ForceReply(selective=True, input_field_placeholder=placeholder[:64] or None)

        async def attempt(plain: bool) -> Message:
            return await self._bot.send_message(
                chat,
                part.text,
                parse_mode=None,  # whatever the bot's defaults are
                entities=None if plain else part.entities,
                reply_parameters=reply,
                reply_markup=markup,
                message_thread_id=thread_id(post.to) if isinstance(post.to, Where) else None,
                link_preview_options=NO_PREVIEW,
            )

        return await _formatted(attempt)

    async def edit(self, where: Where, message_id: str, post: Post) -> None:
        """Put other words and buttons in a message of ours; what would not fit into one message is left out."""
        part = parts_of(post.lines)[0]

        async def attempt(plain: bool) -> object:
            return await self._bot.edit_message_text(
                part.text,
                chat_id=chat_id(where),
                message_id=int(message_id),
                parse_mode=None,
                entities=None if plain else part.entities,
                reply_markup=keyboard(post.buttons),
                link_preview_options=NO_PREVIEW,
            )

        await _there(lambda: _formatted(attempt))

    async def reaches(self, who: Principal) -> bool:
        """Can a person be written to, as far as Telegram tells? Shows them at most that the bot is typing."""
        try:
            await _told(lambda: self._bot.send_chat_action(int(who.user_id), ChatAction.TYPING))
        except NeverSent:
            return False
        except SendFailed:
            return True  # not known: sending tells
        return True

    async def unbutton(self, where: Where, message_id: str, buttons: Sequence[Sequence[Button]] = ()) -> None:
        """Leave the words of a message of ours as they are and put other buttons under it, or none."""

        async def attempt() -> object:
            return await self._bot.edit_message_reply_markup(
                chat_id=chat_id(where), message_id=int(message_id), reply_markup=keyboard(buttons)
            )

        await _there(lambda: _told(attempt))

    async def react(self, where: Where, message_id: str, emoji: str) -> None:
        """Put a reaction under a message."""

        async def attempt() -> object:
            return await self._bot.set_message_reaction(chat_id(where), int(message_id), [ReactionTypeEmoji(emoji)])

        await _there(lambda: _told(attempt))


async def patiently(act: Callable[[], Awaitable[T]], patience: timedelta = PATIENCE) -> T:
    """Try again as long as the platform asks for a wait that somebody who waits for an answer can bear."""
    for attempt in range(1, TRIES + 1):
        try:
            return await act()
        except RetryLater as later:
            wait = later.wait if later.wait is not None else timedelta(seconds=attempt)
            if attempt == TRIES or wait > patience:
                raise
            await asyncio.sleep(wait.total_seconds())
    raise AssertionError("the last attempt returned or raised")


async def _there(act: Callable[[], Awaitable[T]]) -> T:
    """What is done to a message: those of a chat that has another id by now are out of reach."""
    try:
        return await act()
    except ChatMigrated as moved:
        raise NeverSent("gone") from moved


async def _formatted(attempt: Callable[[bool], Awaitable[T]]) -> T:
    """As formatted text, or plain where Telegram refuses the formatting."""
    try:
        return await _told(lambda: attempt(False))
    except NeverSent as refused:
        if refused.why != "entities":
            raise
        return await _told(lambda: attempt(True))


async def _told(act: Callable[[], Awaitable[T]]) -> T:
    """Telegram's errors in the words of the contract; ChatMigrated passes."""
    try:
        return await act()
    except ChatMigrated:
        raise
    except TelegramError as error:
        raise failure_of(error) from error


def failure_of(error: TelegramError) -> SendFailed:
    """What an error of the library means for a message that was to be sent."""
    if isinstance(error, RetryAfter):
        with catch_warnings(action="ignore"):  # outside our own process the library warns of seconds as a number
            wait = error.retry_after
        return RetryLater("limited", wait if isinstance(wait, timedelta) else timedelta(seconds=wait))
    if isinstance(error, Forbidden):
        said = error.message.lower()
        return NeverSent("blocked" if "blocked" in said or "initiate" in said or "deactivated" in said else "kicked")
    if isinstance(error, BadRequest):
        return _refused(error.message.lower())
    if isinstance(error, InvalidToken):
        return RetryLater("token")  # it is the bot that is wrong, not the message
    return RetryLater("network" if isinstance(error, NetworkError) else "server")


def _refused(said: str) -> SendFailed:
    if "not modified" in said:
        return NeverSent("unchanged")
    for words, why in _FOR_GOOD.items():
        if words in said:
            return NeverSent(why)
    return NeverSent("entities" if any(word in said for word in _ENTITIES) else "refused")


def _chat(to: Where | Principal) -> int:
    return chat_id(to) if isinstance(to, Where) else int(to.user_id)


def keyboard(buttons: Sequence[Sequence[Button]]) -> InlineKeyboardMarkup | None:
    """Rows of buttons; None for none."""
    if not buttons:
        return None
    return InlineKeyboardMarkup([[_button(button) for button in row] for row in buttons])


def _button(button: Button) -> InlineKeyboardButton:
    if button.url:
        return InlineKeyboardButton(button.label, url=button.url)
    return InlineKeyboardButton(button.label, callback_data=button.data)
