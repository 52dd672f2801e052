"""Telegram's limits for messages: about 30 a second in all, 20 a minute in a group. Other calls are not held back."""

import logging
from collections.abc import Callable, Coroutine
from typing import Any

from telegram.ext import AIORateLimiter

# It would log every wait that Telegram asks for as an error, with a traceback; who sends waits and counts it.
logging.getLogger("telegram.ext.AIORateLimiter").setLevel(logging.CRITICAL)


class Pacing(AIORateLimiter):
    """The library's limiter, for what sends messages alone: asking who somebody is must not wait for the group.

    It does not try again by itself: what Telegram asks to wait for is waited for by the outbox, or by whoever answers.
    """

    def __init__(self) -> None:
        super().__init__(max_retries=0)

    async def process_request(
        self,
        callback: Callable[..., Coroutine[Any, Any, Any]],
        args: Any,
        kwargs: dict[str, Any],
        endpoint: str,
        data: dict[str, Any],
        rate_limit_args: int | None,
    ) -> Any:
        """Hold a message back for as long as its chat and the bot as a whole need."""
        paced = data if endpoint.startswith("send") else {}
        return await super().process_request(callback, args, kwargs, endpoint, paced, rate_limit_args)
