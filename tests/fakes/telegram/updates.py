"""How updates reach a bot: long polling and webhooks."""

import asyncio
import re
import time
from http import HTTPStatus
from typing import TYPE_CHECKING

from aiohttp import ClientError, ClientSession, ClientTimeout

from tests.fakes.telegram import errors
from tests.fakes.telegram.calls import Request, answers
from tests.fakes.telegram.chats import Payload
from tests.fakes.telegram.posting import timestamp
from tests.fakes.telegram.robots import Bot, Update, Webhook

if TYPE_CHECKING:
    from tests.fakes.telegram.world import World

SECRET = re.compile(r"[A-Za-z0-9_-]{1,256}")
HEADER = "X-Telegram-Bot-Api-Secret-Token"
LONGEST = 50


async def poll(world: "World", bot: Bot, params: Payload) -> list[Update]:
    """getUpdates: confirm what lies below the offset, then wait for more; a second poller ends the first with 409."""
    with world.lock:
        if bot.webhook is not None:
            raise errors.webhook_active()
        bot.asks_for(params.get("allowed_updates"))
        bot.acknowledges(params.get("offset") or 0)
        bot.poller += 1
        mine = bot.poller
        bot.polling += 1
    bot.wake.set()
    limit = max(1, min(100, params.get("limit") or 100))
    end = time.monotonic() + min(LONGEST, params.get("timeout") or 0)
    try:
        while True:
            _still_mine(world, bot, mine)
            with world.lock:
                found = bot.hands_out(limit)
            left = end - time.monotonic()
            if found or left <= 0 or world.stopping:
                return found
            bot.wake.clear()
            await _woken(bot.wake, left)
    finally:
        bot.polling -= 1
        world.changed()


def _still_mine(world: "World", bot: Bot, mine: int) -> None:
    if world.dark:
        raise errors.Drop
    if bot.poll_ended_by_webhook >= mine:
        raise errors.ended_by_webhook()
    if bot.poller != mine:
        raise errors.other_poller()


async def _woken(event: asyncio.Event, seconds: float) -> None:
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except TimeoutError:
        return


@answers(
    "setWebhook", "url", "secret_token", "max_connections", "allowed_updates", "drop_pending_updates", "ip_address"
)
def set_webhook(request: Request) -> bool:
    """Post updates to a URL from now on; http is taken too, since all is on one machine."""
    params, bot = request.params, request.bot
    if not params["url"]:
        return bool(delete_webhook(request))
    if not params["url"].startswith(("http://127.0.0.1:", "https://127.0.0.1:")):
        raise errors.bad_request("bad webhook: only addresses of this machine are reached from here")
    secret = params.get("secret_token")
    if secret is not None and not SECRET.fullmatch(secret):
        raise errors.bad_request("secret token contains unallowed characters")
    bot.asks_for(params.get("allowed_updates"))
    if params.get("drop_pending_updates"):
        bot.queue.clear()
    bot.webhook = Webhook(params["url"], secret, params.get("max_connections") or 40)
    bot.poll_ended_by_webhook = bot.poller
    request.world.posts_updates(bot)
    request.world.wakes(bot)
    return True


@answers("deleteWebhook", "drop_pending_updates")
def delete_webhook(request: Request) -> bool:
    """Go back to getUpdates."""
    request.bot.webhook = None
    if request.params.get("drop_pending_updates"):
        request.bot.queue.clear()
    request.world.wakes(request.bot)
    return True


@answers("getWebhookInfo")
def get_webhook_info(request: Request) -> Payload:
    """The webhook and its last error."""
    hook = request.bot.webhook
    info: Payload = {"url": hook.url if hook else "", "has_custom_certificate": False}
    info["pending_update_count"] = request.bot.pending
    if hook is not None:
        info |= {"max_connections": hook.max_connections, "ip_address": "127.0.0.1"}
        if hook.error is not None:
            info |= {"last_error_message": hook.error, "last_error_date": hook.error_date}
    if request.bot.allowed is not None:
        info["allowed_updates"] = sorted(request.bot.allowed)
    return info


async def knock(session: ClientSession, url: str, body: str, secret: str | None) -> int:
    """Post one update; the HTTP status."""
    headers = {"Content-Type": "application/json"} | ({HEADER: secret} if secret is not None else {})
    async with session.post(url, data=body.encode(), headers=headers) as response:
        await response.read()
        return response.status


async def post_updates(world: "World", bot: Bot, hook: Webhook) -> None:
    """Post a bot's updates one after the other, each again until it is taken with 2xx, while this webhook is set."""
    pause = world.retry_seconds
    async with ClientSession(timeout=ClientTimeout(total=world.webhook_seconds)) as session:
        while bot.webhook is hook and not world.stopping:
            if not bot.queue or world.dark:
                bot.wake.clear()
                await _woken(bot.wake, 0.2)
                continue
            update = bot.queue[0]
            try:
                status = await knock(session, hook.url, update.body, hook.secret)
                hook.statuses.append(status)
                words = f"Wrong response from the webhook: {status} {HTTPStatus(status).phrase}"
                problem = None if status in range(200, 300) else words
            except (ClientError, TimeoutError, OSError) as error:
                hook.statuses.append(type(error).__name__)
                problem = "Read timeout expired" if isinstance(error, TimeoutError) else "Connection refused"
            if problem is None:
                pause = world.retry_seconds
                with world.lock:
                    if bot.queue and bot.queue[0] is update:
                        bot.take()
            else:
                hook.error, hook.error_date = problem, timestamp(None)
                await asyncio.sleep(pause)
                pause = min(pause * 2, 1.0)
            world.changed()
