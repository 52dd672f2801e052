"""Looking at the Telegram bot: its token, what it may read, how messages reach it. Nothing is changed at the service.

No text of an error is shown but those that the service sends: the library puts the token into some of its own.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from telegram import Bot, User, WebhookInfo
from telegram.error import BadRequest, Conflict, InvalidToken, NetworkError, RetryAfter, TelegramError
from telegram.request import HTTPXRequest

from adapters.telegram.polling import HOST
from bots.doctor import Check, State
from config import logs
from config.settings import Settings
from core.catalogue import say

CONNECT_SECONDS, READ_SECONDS = 5, 5
POLL_SECONDS = 2
"""A poller that was interrupted comes back within a second, and interrupts ours."""
MANY_PENDING = 100
ERROR_AGE = timedelta(days=1)
# What the library raises when what answers is no Bot API: its objects cannot be made of that.
NO_BOT_API = (LookupError, TypeError, ValueError, AttributeError)


def telegram(settings: Settings, running: int, now: datetime) -> Iterator[Check]:
    """The checks of the bot whose token is set; `running` is how many processes run on the database."""
    library = logging.getLogger("telegram")
    before = library.level
    library.setLevel(logging.CRITICAL)  # what goes wrong is told below
    try:
        found = asyncio.run(_looked(settings, running, now))
    finally:
        library.setLevel(before)
    yield from found


async def _looked(settings: Settings, running: int, now: datetime) -> list[Check]:
    found: list[Check] = []
    try:
        async for check in _checks(settings, running, now):
            found.append(check)
    except (TelegramError, *NO_BOT_API) as error:
        found.append(refusal(error, settings.telegram_api_url or HOST))
    return found


async def _checks(settings: Settings, running: int, now: datetime) -> AsyncIterator[Check]:
    request = HTTPXRequest(connect_timeout=CONNECT_SECONDS, read_timeout=READ_SECONDS)
    polling = HTTPXRequest(connect_timeout=CONNECT_SECONDS, read_timeout=READ_SECONDS)
    base = f"{settings.telegram_api_url or HOST}/bot"
    async with Bot(
        settings.telegram_token.get_secret_value(), base, request=request, get_updates_request=polling
    ) as client:
        yield Check("telegram token", State.OK, say("doctor.telegram.token", name=client.username))
        yield privacy(client.bot)
        if not client.bot.can_join_groups:
            hint = say("doctor.telegram.groups.hint", name=client.username)
            yield Check("telegram groups", State.WARN, say("doctor.telegram.groups"), hint)
        hook = await client.get_webhook_info()
        yield reached(settings.telegram_webhook_url, hook.url, running)
        yield pending(hook.pending_update_count, running)
        if hook.url and hook.last_error_date is not None and now - hook.last_error_date < ERROR_AGE:
            yield _last_error(hook)
        if not settings.telegram_webhook_url and not hook.url:
            yield await _poller(client, running)


def privacy(me: User) -> Check:
    """Whether the bot reads what people write in groups."""
    if me.can_read_all_group_messages:
        return Check("telegram privacy", State.OK, say("doctor.telegram.reads"))
    hint = say("doctor.telegram.privacy.hint", name=me.username)
    return Check("telegram privacy", State.WARN, say("doctor.telegram.privacy"), hint)


def reached(wanted: str, there: str, running: int) -> Check:
    """How updates reach the bot: `wanted` is the webhook of the settings, `there` that of the service, "" is none."""
    name, host = "telegram updates", urlsplit(there).hostname or ""  # the rest of the address may be a secret
    if not wanted and not there:
        return Check(name, State.OK, say("doctor.telegram.polling"))
    if not wanted:
        found = say("doctor.telegram.hooked", host=host)
        return Check(name, State.WARN, found, say("doctor.telegram.hooked.hint"))
    if not there:
        state = State.WARN if running else State.OK
        return Check(name, state, say("doctor.telegram.unhooked"), say("doctor.telegram.unhooked.hint"))
    if wanted != there:
        found = say("doctor.telegram.elsewhere", host=host)
        return Check(name, State.WARN, found, say("doctor.telegram.elsewhere.hint"))
    return Check(name, State.OK, say("doctor.telegram.hook", host=host))


def pending(count: int, running: int) -> Check:
    """Updates that nobody has taken yet."""
    if count < MANY_PENDING or not running:
        return Check("telegram waiting", State.OK, say("doctor.telegram.pending", count=count))
    hint = say("doctor.telegram.pending.hint")
    return Check("telegram waiting", State.WARN, say("doctor.telegram.pending", count=count), hint)


def _last_error(hook: WebhookInfo) -> Check:
    when = f"{hook.last_error_date:%Y-%m-%d %H:%M}"
    found = say("doctor.telegram.error", time=when, why=logs.scrubbed(hook.last_error_message or "?"))
    return Check("telegram webhook", State.WARN, found, say("doctor.telegram.error.hint"))


async def _poller(client: Bot, running: int) -> Check:
    """Whether another process polls; asked only where none of ours runs, since asking interrupts who polls.

    Raises Conflict when one does.
    """
    if running:
        return Check("telegram poller", State.OK, say("doctor.telegram.poller.ours"))
    await client.get_updates(limit=1, timeout=POLL_SECONDS)  # without an offset nothing is taken
    return Check("telegram poller", State.OK, say("doctor.telegram.poller.none"))


def refusal(error: Exception, address: str) -> Check:
    """What an error of the library means for whoever runs the bot."""
    if isinstance(error, InvalidToken):
        found, hint = say("doctor.telegram.refused"), say("doctor.telegram.refused.hint")
        return Check("telegram token", State.FAIL, found, hint)
    if isinstance(error, Conflict):
        return Check("telegram poller", State.WARN, say("doctor.telegram.poller"), say("doctor.telegram.poller.hint"))
    if isinstance(error, RetryAfter):
        return Check("telegram service", State.WARN, say("doctor.telegram.wait"), say("doctor.telegram.wait.hint"))
    if isinstance(error, NetworkError) and not isinstance(error, BadRequest):
        kind = type(error.__cause__ or error).__name__
        found = say("doctor.telegram.away", address=address, kind=kind)
        return Check("telegram service", State.FAIL, found, say("doctor.telegram.away.hint"))
    found = say("doctor.telegram.other", address=address, kind=type(error).__name__)
    return Check("telegram service", State.FAIL, found, say("doctor.telegram.other.hint"))
