"""The command line. `main` is the console script `remembrancer`."""

import os
import signal
from collections.abc import Sequence
from contextlib import suppress
from types import FrameType

EXIT_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code. Ctrl-C while the program still loads ends it without a word."""
    before = signal.getsignal(signal.SIGINT)
    heard = before is signal.default_int_handler
    with suppress(ValueError):  # not the main thread: signals go elsewhere
        if heard:
            signal.signal(signal.SIGINT, _leave)
    from bots.cli.app import main as run

    with suppress(ValueError):
        if heard:
            signal.signal(signal.SIGINT, before)
    return run(arguments)


def _leave(_number: int, _frame: FrameType | None) -> None:
    os._exit(EXIT_INTERRUPTED)  # an exception would end in a traceback of whatever module is being loaded
