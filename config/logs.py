"""Logging: structlog over the standard library, to stderr, as console lines or JSON.

No words of a message are ever logged: values under the names that carry text are dropped, a traceback is written
without the values of variables, and libraries of chat platforms log what they say without what they say it about. No
secret is: what was hidden, and whatever looks like a bot token, is masked in every line.
"""

import logging
import os
import re
import sys
from collections.abc import Mapping, MutableMapping
from typing import Any, TextIO

import structlog
from structlog.processors import ExceptionRenderer
from structlog.tracebacks import ExceptionDictTransformer

# Names under which the program carries what people wrote.
WORDS = frozenset({"text", "content", "message_text", "description", "entry", "entries", "body", "block", "excerpt"})
NOISY = ("apscheduler", "alembic", "sqlalchemy")
# Their URLs hold the token, their debug lines whole messages: never below WARNING, and never with their values.
PLATFORMS = ("telegram", "httpx", "httpcore", "hpack", "tornado", "aiolimiter", "discord", "aiohttp")
MASK = "********"
TOKEN = re.compile(r"(?<![0-9])([0-9]{6,20}):[A-Za-z0-9_-]{30,}")
DISCORD_TOKEN = re.compile(r"(?<![A-Za-z0-9_-])([A-Za-z0-9_-]{18,32})\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27,}")
_hidden: set[str] = set()


def hide(*secrets: str) -> None:
    """Mask these secrets in all that is logged from now on; "" is none."""
    _hidden.update(filter(None, secrets))


def scrubbed(text: str) -> str:
    """The text with every hidden secret, and whatever looks like a bot token, masked."""
    for secret in sorted(_hidden, key=len, reverse=True):
        text = text.replace(secret, MASK)
    return DISCORD_TOKEN.sub(rf"\1.{MASK}", TOKEN.sub(rf"\1:{MASK}", text))


class _Scrubbing(structlog.stdlib.ProcessorFormatter):
    """Masks secrets in the finished line, tracebacks included."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        return scrubbed(super().format(record))


FIELDS = re.compile(r"%(?:\([^)]*\))?[-+ #0]*(?:\d+|\*)?(?:\.\d+)?[hlL]?[diouxXeEfFgGcrsa]")
"""Where a value would stand in a line of the standard library."""


def _without_values(record: logging.LogRecord) -> bool:
    """Keep of a platform library's line what stands in its source: its values are words of people and addresses."""
    vars(record).pop("message", None)  # another handler's finished line
    if record.name.partition(".")[0] in PLATFORMS:
        record.args = ()
        if record.name.startswith("discord."):
            record.msg = FIELDS.sub("…", str(record.msg))
    return True


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
    handler.addFilter(_without_values)
    handler.setFormatter(
        _Scrubbing(
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
    for name in PLATFORMS:
        logging.getLogger(name).setLevel(logging.WARNING)
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


def join() -> None:
    """Log through the standard library as another program has set it up; where it has set structlog up, by that.

    Its handlers and levels stay as they are. Events become `name fact='value'`.
    """
    if structlog.is_configured():
        return
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, drop_words, _as_record],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )


def _as_record(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> Mapping[str, Any]:
    """What the standard library's logger is called with."""
    how = {key: event.pop(key) for key in ("exc_info", "stack_info") if key in event}
    name, facts = event.pop("event"), "".join(f" {key}={value!r}" for key, value in event.items())
    return {"msg": scrubbed(f"{name}{facts}"), **how}


def get(name: str) -> structlog.stdlib.BoundLogger:
    """A logger: `log.info("turn.received", turn=..., ms=...)`; events are names, facts are keywords."""
    logger: structlog.stdlib.BoundLogger = structlog.stdlib.get_logger(name)
    return logger
