"""Running something on another thread."""

import threading
from collections.abc import Callable
from typing import Any


def elsewhere(work: Callable[[], Any]) -> Any:
    """Run on another thread; its result, or its error raised here."""
    result: list[tuple[Any, Exception | None]] = []

    def run() -> None:
        try:
            result.append((work(), None))
        except Exception as error:
            result.append((None, error))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    value, error = result[0]
    if error is not None:
        raise error
    return value
