"""Telegram's limits for messages: about 30 a second in all, 20 a minute in a group. Other calls are not held back."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from datetime import timedelta
from typing import Any

from telegram.error import RetryAfter
from telegram.ext import AIORateLimiter

CHATS = 10_000


class _Limited(Exception):
    """What Telegram asked to wait for."""

    def __init__(self, wait: timedelta) -> None:
        super().__init__(wait)
        self.wait = wait


class Pacing(AIORateLimiter):
    """The library's limiter, for what sends messages alone: asking who somebody is must not wait for the group.

    It does not try again by itself: what Telegram asks to wait for is waited for by the outbox, or by whoever answers.
    Until then nothing more is sent to that chat, whoever wants it: each such message is told the wait that is left.
    """

    def __init__(self) -> None:
        super().__init__(max_retries=0)
        self._until: OrderedDict[object, float] = OrderedDict()

    async def process_request(
        self,
        callback: Callable[..., Coroutine[Any, Any, Any]],
        args: Any,
        kwargs: dict[str, Any],
        endpoint: str,
        data: dict[str, Any],
        rate_limit_args: int | None,
    ) -> Any:
        """Hold a message back for as long as its chat and the bot as a whole need. Raises RetryAfter."""
        if not endpoint.startswith(("send", "edit")):
            return await super().process_request(callback, args, kwargs, endpoint, {}, rate_limit_args)
        chat = data.get("chat_id")
        paced = data if endpoint.startswith("send") else {}

        async def limited(*args: Any, **kwargs: Any) -> Any:
            self._check(chat)
            try:
                return await callback(*args, **kwargs)
            except RetryAfter as error:  # the library would log its traceback
                wait = error.retry_after
                raise _Limited(wait if isinstance(wait, timedelta) else timedelta(seconds=wait)) from None

        try:
            return await super().process_request(limited, args, kwargs, endpoint, paced, rate_limit_args)
        except _Limited as limit:
            self._remember(chat, limit.wait)
            raise RetryAfter(limit.wait) from None

    def _check(self, chat: object) -> None:
        left = self._until.get(chat, 0.0) - _now()
        if left > 0:
            raise _Limited(timedelta(seconds=left))

    def _remember(self, chat: object, wait: timedelta) -> None:
        self._until[chat] = max(self._until.get(chat, 0.0), _now() + wait / timedelta(seconds=1))
        self._until.move_to_end(chat)
        while len(self._until) > CHATS:
            self._until.popitem(last=False)


def _now() -> float:
    return asyncio.get_running_loop().time()
