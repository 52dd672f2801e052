"""Sending through discord.py, and what its errors mean: later or never."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from functools import partial
from typing import Any, TypeVar

import aiohttp
import discord

from adapters.base.contract import Button, NeverSent, Post, RetryLater, SendFailed, Sent
from adapters.discord.markup import parts_of
from adapters.discord.places import channel_id
from adapters.discord.views import view_of
from core.turn import Principal, Visibility, Where
from core.wording.lines import Line

NONCE_CHARS = 25
TRIES, PATIENCE = 3, 10.0
"""How often an answer is tried, and how many seconds it may be held back between."""
BLOCKED = frozenset({50_007, 50_278})
_GONE = frozenset({10_003, 10_004, 10_007, 10_008, 10_013})
_NO_REPLY = frozenset({160_002})
"""Without Read Message History the bot may write, but not reply."""
_CLOSED = frozenset({50_083, 160_005})
_BROKEN = (LookupError, TypeError, ValueError, AttributeError)
"""What the library raises when what answers is no Discord."""
T = TypeVar("T")
Target = discord.PartialMessageable | discord.DMChannel


class Sender:
    """Sends posts with one client. The library waits for rate limits by itself; what is repeated bears its nonce."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    async def send(self, post: Post) -> Sent:
        """Send a post. Raises RetryLater or NeverSent."""
        target = await told(lambda: self._target(post.to))
        parts = parts_of(post.lines)
        sent = []
        for number, part in enumerate(parts):
            last = number == len(parts) - 1
            message = await told(partial(self._send_part, target, post, part, number, last))
            sent.append(str(message.id))
        return Sent(tuple(sent))

    async def _target(self, to: Where | Principal) -> Target:
        if isinstance(to, Where):
            guild = None if to.visibility is Visibility.DIRECT else int(to.space)
            return self._client.get_partial_messageable(channel_id(to), guild_id=guild)
        return await self._client.create_dm(discord.Object(int(to.user_id)))

    async def _send_part(self, target: Target, post: Post, text: str, number: int, last: bool) -> discord.Message:
        more: dict[str, Any] = {}
        if post.reply_to and not number:
            more["reference"] = discord.MessageReference(
                message_id=int(post.reply_to), channel_id=target.id, fail_if_not_exists=False
            )
        if last and post.buttons:
            more["view"] = view_of(post.buttons)
        nonce = f"{post.nonce}{number:02}"
        if post.nonce and len(nonce) <= NONCE_CHARS:
            more["nonce"] = nonce
        more |= {"allowed_mentions": mentions_of(post.lines), "suppress_embeds": True}
        try:
            return await target.send(text, **more)
        except discord.HTTPException as error:
            if error.code not in _NO_REPLY or "reference" not in more:
                raise
            return await target.send(text, **{**more, "reference": None})

    async def edit(self, where: Where, message_id: str, post: Post) -> None:
        """Put other words and buttons in a message of ours; what would not fit into one message is left out."""
        text = parts_of(post.lines)[0]
        message = self._message(where, message_id)
        await told(
            lambda: message.edit(content=text, view=view_of(post.buttons), allowed_mentions=mentions_of(post.lines))
        )

    async def unbutton(self, where: Where, message_id: str, buttons: Sequence[Sequence[Button]] = ()) -> None:
        """Leave the words of a message of ours as they are and put other buttons under it, or none."""
        message = self._message(where, message_id)
        await told(lambda: message.edit(view=view_of(buttons)))

    async def react(self, where: Where, message_id: str, emoji: str) -> None:
        """Put a reaction under a message."""
        message = self._message(where, message_id)
        await told(lambda: message.add_reaction(emoji))

    async def reaches(self, who: Principal) -> bool:
        """Can a person be written to, as far as Discord tells? It tells only when something is sent: opens the chat."""
        try:
            await told(lambda: self._client.create_dm(discord.Object(int(who.user_id))))
        except NeverSent:
            return False
        except SendFailed:
            return True  # not known: sending tells
        return True

    def _message(self, where: Where, message_id: str) -> discord.PartialMessage:
        return self._client.get_partial_messageable(channel_id(where)).get_partial_message(int(message_id))


def mentions_of(lines: Sequence[Line]) -> discord.AllowedMentions:
    """Only who is named as a person may be pinged; never everybody, a role, or whoever is answered."""
    people = {segment.who.user_id for line in lines for segment in line.segments if segment.who is not None}
    users = [discord.Object(int(user_id)) for user_id in sorted(people)]
    return discord.AllowedMentions(everyone=False, roles=False, users=users, replied_user=False)


async def patiently(act: Callable[[], Awaitable[T]]) -> T:
    """Try again what somebody waits for: no answer looks as if nothing was done. Raises SendFailed."""
    for attempt in range(1, TRIES + 1):
        try:
            return await told(act)
        except RetryLater as later:
            wait = later.wait.total_seconds() if later.wait is not None else float(attempt)
            if attempt == TRIES or wait > PATIENCE:
                raise
            await asyncio.sleep(wait)
    raise AssertionError("the last attempt returned or raised")


async def told(act: Callable[[], Awaitable[T]]) -> T:
    """The library's errors in the words of the contract.

    What is broken off here goes on in the library: broken off while it waits for a limit of the whole bot, it would
    let no other request pass ever again.
    """
    request = asyncio.ensure_future(act())
    request.add_done_callback(_looked_at)
    try:
        return await asyncio.shield(request)
    except (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError, *_BROKEN) as error:
        raise failure_of(error) from error
    except RuntimeError as error:  # the library's session is closed: the bot is stopping
        raise RetryLater("network") from error


def _looked_at(request: "asyncio.Future[Any]") -> None:
    """Nobody may be left to look at its error."""
    if not request.cancelled():
        request.exception()


def failure_of(error: Exception) -> SendFailed:
    """What an error of the library means for a message that was to be sent."""
    if isinstance(error, discord.RateLimited):
        return RetryLater("limited", timedelta(seconds=error.retry_after))
    if isinstance(error, discord.HTTPException) and not error.code and error.status not in {400, 401, 429}:
        return RetryLater("server")  # a page of something in between: Discord's own errors have a code
    if isinstance(error, discord.Forbidden):
        return NeverSent("blocked" if error.code in BLOCKED else "closed" if error.code in _CLOSED else "forbidden")
    if isinstance(error, discord.NotFound):
        return NeverSent("gone") if error.code in _GONE else RetryLater("server")
    if isinstance(error, discord.HTTPException):
        return _refused(error)
    if isinstance(error, (aiohttp.ClientError, OSError, TimeoutError, asyncio.TimeoutError)):
        return RetryLater("network")
    return RetryLater("server")


def _refused(error: discord.HTTPException) -> SendFailed:
    if error.status == 429 or error.status >= 500:
        return RetryLater("limited" if error.status == 429 else "server")
    if error.status == 401:
        return RetryLater("token")  # it is the bot that is wrong, not the message
    return NeverSent("closed" if error.code in _CLOSED else "blocked" if error.code in BLOCKED else "refused")
