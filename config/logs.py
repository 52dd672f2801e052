"""Logging: structlog over the standard library, to stderr, as console lines or JSON.

No words of a message are ever logged: values under the names that carry text are dropped, and a traceback is
written without the values of variables.
"""

import logging
import os
import sys
from collections.abc import Mapping, MutableMapping
from typing import Any, TextIO

import structlog
from structlog.processors import ExceptionRenderer
from structlog.tracebacks import ExceptionDictTransformer

# Names under which the program carries what people wrote.
WORDS = frozenset({"text", "content", "message_text", "description", "entry", "entries", "body", "block", "excerpt"})
NOISY = ("apscheduler", "alembic", "sqlalchemy")


def drop_words(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Replace every value that may hold a person's words."""
    for key in WORDS & event.keys():
        event[key] = "(not logged)"
    return event


def wants_colour(stream: TextIO, env: Mapping[str, str] = os.environ) -> bool:
    """Colour only for a terminal, and never with NO_COLOR or TERM=dumb."""
    return stream.isatty() and not env.get("NO_COLOR") and env.get("TERM") != "dumb"


def configure(level: str = "info", form: str = "console", stream: TextIO | None = None) -> None:
    """Send all logging of the process to `stream` (stderr), in one form. May be called again."""
    stream = sys.stderr if stream is None else stream
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        drop_words,
    ]
    closing: list[structlog.typing.Processor] = (
        [ExceptionRenderer(ExceptionDictTransformer(show_locals=False)), structlog.processors.JSONRenderer()]
        if form == "json"
        else [
            structlog.dev.ConsoleRenderer(
                colors=wants_colour(stream), exception_formatter=structlog.dev.plain_traceback
            )
        ]
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *closing],
        )
    )
    root = logging.getLogger()
    for old in root.handlers[:]:
        if isinstance(old.formatter, structlog.stdlib.ProcessorFormatter):
            root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(level.upper())
    for name in NOISY:
        logging.getLogger(name).setLevel(logging.DEBUG if level == "debug" else logging.WARNING)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )


def get(name: str) -> structlog.stdlib.BoundLogger:
    """A logger: `log.info("turn.received", turn=..., ms=...)`; events are names, facts are keywords."""
    logger: structlog.stdlib.BoundLogger = structlog.stdlib.get_logger(name)
    return logger
