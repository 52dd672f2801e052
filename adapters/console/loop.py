"""The loop of the terminal chat: a source of lines, the app, and what may go wrong between them."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from typing import TypeVar

from adapters.base.runner import Runner
from adapters.console.app import ConsoleApp
from core.catalogue import say
from core.errors import RemembrancerError

log = logging.getLogger(__name__)
T = TypeVar("T")


async def in_a_thread(work: Callable[[], T], /) -> T:
    """The plain runner."""
    return await asyncio.to_thread(work)


async def run_chat(app: ConsoleApp, lines: AsyncIterator[str], run: Runner = in_a_thread, log_file: str = "") -> None:
    """Handle lines until the source ends or somebody leaves. Nothing a person types ends it with an error."""
    await _guarded(app, run, app.open, log_file)
    async for text in lines:
        if not await _guarded(app, run, lambda text=text: app.handle(text), log_file):  # type: ignore[misc]
            break
    await _guarded(app, run, app.close, log_file)


async def _guarded(app: ConsoleApp, run: Runner, work: Callable[[], bool | None], log_file: str) -> bool:
    try:
        return await run(work) is not False
    except OSError as error:  # the terminal or the pipe is gone
        if isinstance(error, BrokenPipeError):
            raise
        _defect(app, error, log_file)
    except RemembrancerError as error:
        app.error(error)
    except Exception as error:  # noqa: BLE001  # an adapter's loop goes on (house rule 8)
        _defect(app, error, log_file)
    return True


def _defect(app: ConsoleApp, error: Exception, log_file: str) -> None:
    log.exception("console.defect")
    hint = say("console.defect.hint", log=log_file) if log_file else ""
    app.error(RemembrancerError(say("console.defect", kind=type(error).__name__), hint))
