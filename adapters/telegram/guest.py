"""Remembrancer in a python-telegram-bot application that somebody else runs.

An update goes to the application's own handlers at once, and is received for good before the library acknowledges it.
Nothing that fails here reaches the application: no update is held back for long, no error is raised in its handlers.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from types import TracebackType
from typing import Any, Self

from telegram import Bot, Update
from telegram.ext import ApplicationHandlerStop, BaseHandler, CommandHandler, ConversationHandler, TypeHandler

from adapters.telegram.adapter import App
from adapters.telegram.attached import Attached
from adapters.telegram.mailbox import ANSWER
from adapters.telegram.normalise import command_of, message_of, turn_of
from core.errors import StorageError

log = logging.getLogger(__name__)

GROUP = -1_000
"""The group of our handler: before whatever the application has."""
PATIENCE, HURRY, PAUSE = 5.0, 0.5, 0.25
"""Seconds that an update may wait for a failing database: the first one, those after it, and between two attempts."""
REMEMBERED = 1_000
LAST_ACTS = 10.0
"""Seconds that acts under way are given at the end."""
NAMES = frozenset({"intent", "goal", "remind", "aspire", "settings", "help", "privacy", "cancel", "start"})
ALONE = frozenset({"intent", "goal", "remind", "aspire"})
"""Commands that the application's own handlers do not see. The others have names that it may handle in another way."""
Begin = Callable[[Bot, Callable[[str, str], bool]], Awaitable[Attached]]
Hook = Callable[[Any], Coroutine[Any, Any, None]]


class Guest:
    """Attached to an application from its start to its end; by hand with `async with`, where it is run by hand.

    `begin` makes the adapter, once the bot has logged in; `end` may be called more than once.
    """

    def __init__(self, application: App, begin: Begin, end: Callable[[], Awaitable[None]]) -> None:
        self.application = application
        self._begin = begin
        self._end = end
        self._put = application.update_queue.put
        self._attached: Attached | None = None
        self._known: OrderedDict[int, bool] = OrderedDict()
        self._acts: set[asyncio.Task[None]] = set()
        self._told: set[str] = set()
        self._well = True
        self._tried = False

    def attach(self) -> None:
        """Hear every update, and begin and end with the application; what it has for that is still called."""
        self.application.add_handler(TypeHandler(Update, self._handle, block=True), GROUP)
        try:
            self.application.update_queue.put = self._put_and_take  # type: ignore[method-assign]
        except AttributeError:  # then the handler takes them, after they were acknowledged
            log.warning("telegram.guest.queue: updates are received after they were acknowledged")
        self.application.post_init = _then(self.application.post_init, self._begin_safely)
        self.application.post_stop = _at_last(self.application.post_stop, self.end)
        self.application.post_shutdown = _at_last(self.application.post_shutdown, self.end)

    async def __aenter__(self) -> Self:
        await self.begin()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.end()

    async def begin(self) -> None:
        """Receive and deliver from now on. A second time it does nothing. Raises ConfigError and StorageError."""
        if self._attached is not None:
            return
        attached = await self._begin(self.application.bot, self.theirs)
        await attached.start()
        self._attached = attached
        if getattr(self.application.bot, "callback_data_cache", None) is not None:
            log.warning("telegram.guest.buttons: they work as long as this bot's arbitrary_callback_data keeps them")

    async def _begin_safely(self, _application: object = None) -> None:
        self._tried = True
        try:
            await self.begin()
        except Exception:  # the application goes on without us (house rule 8)
            log.exception("telegram.guest.begin")

    async def end(self, _application: object = None) -> None:
        """Let acts and sends under way end. A second time it does nothing."""
        attached, self._attached, self._tried = self._attached, None, False
        try:
            if attached is not None:
                await self._end_acts()
                await attached.stop()
            await self._end()
        except Exception:  # the application ends as it would have (house rule 8)
            log.exception("telegram.guest.end")

    async def _end_acts(self) -> None:
        if self._acts:
            _, late = await asyncio.wait(self._acts, timeout=LAST_ACTS)
            for task in late:
                task.cancel()

    # what comes in

    async def _put_and_take(self, item: object) -> None:
        """The queue's `put`: the library acknowledges an update when it returns."""
        if not isinstance(item, Update):
            await self._put(item)
            return
        if self._attached is None and self.application.running and not self._tried:  # run by hand, and nobody began
            await self._begin_safely()
        attached = self._attached
        if attached is not None:
            self._remember(item.update_id, self._is_ours(attached, item))
        await self._put(item)
        if attached is not None:
            await self._take(attached, item)

    async def _handle(self, update: Update, _context: object) -> None:
        """Before all other handlers: keep from them what is ours alone, take what came by another way."""
        ours = self._known.pop(update.update_id, None)
        attached = self._attached
        if ours is None and attached is not None:
            ours = self._is_ours(attached, update)
            await self._take(attached, update)
        if ours:
            raise ApplicationHandlerStop

    def _remember(self, update_id: int, ours: bool) -> None:
        self._known[update_id] = ours
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)

    async def _take(self, attached: Attached, update: Update) -> None:
        """Receive an update, within bounds; an act that it asks for is done beside everything else. Raises nothing."""
        try:
            query = update.callback_query
            if query is not None and not attached.adapter.pressed.knows(query.data):
                return
            async with asyncio.timeout(PATIENCE if self._well else HURRY):
                wanted = await _patiently(attached, update)
        except TimeoutError:
            self._well = False
            log.error("telegram.update.lost: the database did not take it in time")
            return
        except Exception:  # one update must not stop all that come after it (house rule 8)
            log.exception("telegram.update.defect")
            return
        self._well = True
        if wanted:
            task = asyncio.create_task(_act(attached, update), name="telegram act")
            self._acts.add(task)
            task.add_done_callback(self._acts.discard)

    # what is whose

    def _is_ours(self, attached: Attached, update: Update) -> bool:
        """Is it said to us alone: a button of ours, a command of ours, an answer that we asked for?"""
        adapter = attached.adapter
        try:
            if update.callback_query is not None:
                return adapter.pressed.knows(update.callback_query.data)
            message, edited = message_of(update) or (None, False)
            if message is None or edited:
                return False
            command = command_of(message)
            if command is not None and command[0] not in ALONE and not _is_our_link(command[0], command[2]):
                return False
            return adapter.receiver.is_addressed(message, turn_of(message, adapter.account, message.date))
        except Exception:  # then it is theirs (house rule 8)
            log.exception("telegram.update.defect")
            return False

    def theirs(self, name: str, rest: str) -> bool:
        """Is a command the application's own? What it handles itself stays with it."""
        if name not in NAMES:
            return True
        if _is_our_link(name, rest):
            return False
        groups = self.application.handlers.items()
        own = any(_takes(handlers, name) for group, handlers in groups if group != GROUP)
        if own and name not in self._told:
            self._told.add(name)
            log.warning("telegram.guest.taken: /%s belongs to this application, not to Remembrancer", name)
        return own


def _takes(handlers: Iterable[BaseHandler[Any, Any, Any]], name: str) -> bool:
    """Does one of the handlers take the command, in a conversation or anywhere?"""
    for handler in handlers:
        if isinstance(handler, CommandHandler) and name in handler.commands:
            return True
        if isinstance(handler, ConversationHandler):
            inner = [*handler.entry_points, *handler.fallbacks]
            for state in handler.states.values():
                inner.extend(state)
            if _takes(inner, name):
                return True
    return False


async def _patiently(attached: Attached, update: Update) -> bool:
    while True:
        try:
            return await attached.take(update)
        except StorageError as error:
            log.warning("telegram.update.again: %s", error.sentence)
            await asyncio.sleep(PAUSE)


async def _act(attached: Attached, update: Update) -> None:
    try:
        await attached.adapter.handle(update)
    except Exception:  # an adapter's loop goes on (house rule 8)
        log.exception("telegram.defect")


def _is_our_link(name: str, rest: str) -> bool:
    """Does somebody open their private chat by the link that we gave them?"""
    return name == "start" and rest == ANSWER


def _then(first: Hook | None, ours: Hook) -> Hook:
    """Theirs, then ours."""

    async def both(application: Any) -> None:
        if first is not None:
            await first(application)
        await ours(application)

    return both


def _at_last(first: Hook | None, ours: Hook) -> Hook:
    """Theirs, then ours, whatever theirs does."""

    async def both(application: Any) -> None:
        try:
            if first is not None:
                await first(application)
        finally:
            await ours(application)

    return both
