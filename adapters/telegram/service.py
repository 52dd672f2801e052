"""The smallest host of the Telegram adapter: one application of its own, by long polling or webhook."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence

from telegram import (
    BotCommand,
    BotCommandScope,
    BotCommandScopeAllChatAdministrators,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
)
from telegram.error import Conflict, InvalidToken, TelegramError
from telegram.ext import ApplicationBuilder

from adapters.base.runner import Runner
from adapters.telegram.adapter import UPDATES, App, Options, shown_commands
from adapters.telegram.attached import Attached
from adapters.telegram.options import WebhookOptions
from adapters.telegram.polling import PollingBot
from adapters.telegram.receiving import ReceivingQueue
from core.catalogue import say
from core.errors import ConfigError, RemembrancerError
from core.services.context import Context
from core.turn import Principal

log = logging.getLogger(__name__)

AT_ONCE = 256
"""Acts of people that are carried out side by side; turns are received one after the other."""
POLL_SECONDS = 10
MEMBER_COMMANDS = frozenset({"remind", "settings", "help", "privacy", "cancel"})


class TelegramService:
    """Runs one bot until it is told to stop. Raises ConfigError (with `permanent`) for a token that is not valid."""

    name = "telegram"

    def __init__(
        self,
        *,
        ctx: Context,
        run_in_hot_thread: Runner,
        token: str,
        api_url: str = "",
        webhook: WebhookOptions | None = None,
        operators: Iterable[Principal] = (),
        dm_owners: bool = False,
        poll: float = 5.0,
        changed: Callable[[], object] = lambda: None,
    ) -> None:
        self._ctx = ctx
        self._hot = run_in_hot_thread
        self._token = token
        self._api_url = api_url
        self._webhook = webhook
        self._options = Options(tuple(operators), dm_owners, changed)
        self._poll = poll
        self._name = ""
        self._attached: Attached | None = None
        self._broken = asyncio.Event()
        self._problem: Exception | None = None

    def wake(self) -> None:
        """Something is to be delivered."""
        if self._attached is not None:
            self._attached.wake()

    async def run(self, ready: Callable[[], None], stop: asyncio.Event) -> None:
        """Receive and deliver until `stop` is set; `ready` is called once it works."""
        self._broken.clear()
        queue = ReceivingQueue(self._take)
        application = self._application(queue)
        try:
            await self._log_in(application)
            attached = self._attached = Attached(self._ctx, self._hot, application.bot, self._options, self._poll)
            self._name = application.bot.username
            attached.adapter.attach(application)
            await sync_commands(application, attached.adapter.talk.commands)
            await application.start()
            await self._receive(application)
            await attached.start()
            ready()
            await _first(stop, self._broken)
        finally:
            await self._end(application)
        if self._problem is not None:
            raise self._problem

    def described(self) -> str:
        """Its name and how it receives."""
        return say(f"telegram.ready.{'webhook' if self._webhook else 'polling'}", name=self._name)

    def _application(self, queue: ReceivingQueue) -> App:
        bot = PollingBot(self._token, self._api_url, self._refused)
        return ApplicationBuilder().bot(bot).update_queue(queue).concurrent_updates(AT_ONCE).build()

    async def _take(self, update: object) -> bool:
        assert self._attached is not None, "updates come once it is there"  # noqa: S101
        return await self._attached.take(update)  # type: ignore[arg-type]  # the queue looked

    async def _log_in(self, application: App) -> None:
        try:
            await application.initialize()
        except InvalidToken as error:
            raise _bad_token() from error
        except TelegramError as error:
            raise RemembrancerError(say("telegram.unreachable"), say("telegram.unreachable.hint")) from error

    async def _receive(self, application: App) -> None:
        updater = application.updater
        assert updater is not None, "built with one"  # noqa: S101
        if self._webhook is None:
            await updater.start_polling(
                timeout=POLL_SECONDS, allowed_updates=list(UPDATES), error_callback=self._polling_failed
            )
            return
        hook = self._webhook
        await updater.start_webhook(
            listen=hook.host,
            port=hook.port,
            url_path=hook.url.rpartition("/")[2],
            webhook_url=hook.url,
            secret_token=hook.secret,
            allowed_updates=list(UPDATES),
        )

    def _refused(self) -> None:
        """The token is not valid any more, or Telegram erred: a new start, which logs in first, tells which."""
        self._problem = RemembrancerError(say("telegram.refused"), say("telegram.token.hint"))
        self._broken.set()

    def _polling_failed(self, error: TelegramError) -> None:
        """The library tries again by itself."""
        if isinstance(error, Conflict):
            log.warning("telegram.two_pollers: %s", say("telegram.two_pollers"))
        else:
            log.warning("telegram.polling: %s", error)

    async def _end(self, application: App) -> None:
        """Stop receiving, let what is under way end, close. What was received for good is stored already."""
        updater = application.updater
        if updater is not None and updater.running:
            await updater.stop()
        if self._attached is not None:
            await self._attached.stop()
        if application.running:
            await application.stop()
        await application.shutdown()
        self._attached = None


async def sync_commands(application: App, names: Sequence[str]) -> None:
    """Tell Telegram which commands people are shown: administrators all, others the short list. Only what changed."""
    members = [name for name in names if name in MEMBER_COMMANDS]
    wanted: list[tuple[BotCommandScope, Sequence[str]]] = [
        (BotCommandScopeAllGroupChats(), members),
        (BotCommandScopeAllChatAdministrators(), [name for name in names if name != "start"]),
        (BotCommandScopeAllPrivateChats(), names),
    ]
    for scope, shown in wanted:
        commands = [BotCommand(name, text) for name, text in shown_commands(shown)]
        if list(await application.bot.get_my_commands(scope)) != commands:
            await application.bot.set_my_commands(commands, scope)


async def _first(*events: asyncio.Event) -> None:
    """Wait until one of them is set."""
    waiting = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for one in waiting:
            one.cancel()


def _bad_token() -> ConfigError:
    return ConfigError(say("telegram.token"), say("telegram.token.hint"), permanent=True)
