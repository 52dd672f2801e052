"""What is logged, how, and what never is."""

import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from config import logs


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _restored(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(logs, "_hidden", set())
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def lines(form: str = "json", level: str = "info") -> io.StringIO:
    stream = io.StringIO()
    logs.configure(level, form, stream)
    return stream


def test_an_event_is_one_line_of_json_with_its_facts() -> None:
    stream = lines()
    logs.get("there").info("turn.received", ms=3)
    event = json.loads(stream.getvalue())
    assert (event["event"], event["ms"], event["level"], event["logger"]) == (
        "turn.received",
        3,
        "info",
        "there",
    )
    assert event["timestamp"].endswith("Z")


def test_the_standard_librarys_logging_takes_the_same_way() -> None:
    stream = lines()
    logging.getLogger("library").warning("it %s", "happened", extra={"text": "private words"})
    assert json.loads(stream.getvalue())["event"] == "it happened"
    assert "private words" not in stream.getvalue()


@pytest.mark.parametrize("form", ["json", "console"])
def test_words_of_people_are_never_logged(form: str) -> None:
    stream = lines(form)
    logs.get("x").info("intent.created", **dict.fromkeys(logs.WORDS, "private words"))
    assert "private words" not in stream.getvalue()
    assert "(not logged)" in stream.getvalue()


@pytest.mark.parametrize("form", ["json", "console"])
def test_a_traceback_is_logged_without_the_values_of_variables(form: str) -> None:
    stream = lines(form)
    spoken = "private words"
    try:
        _fail(len(spoken))
    except ZeroDivisionError:
        logs.get("x").exception("tick.failed")
    assert "ZeroDivisionError" in stream.getvalue()
    assert "_fail" in stream.getvalue()
    assert "private words" not in stream.getvalue().replace('spoken = "private words"', "")


def _fail(number: int) -> float:
    return number / 0


def test_a_level_below_the_wanted_one_is_silent() -> None:
    stream = lines(level="warning")
    logs.get("x").info("quiet")
    assert stream.getvalue() == ""


def test_configuring_twice_logs_once() -> None:
    first, second = lines(), lines()
    logs.get("x").info("once")
    assert first.getvalue() == ""
    assert len(second.getvalue().splitlines()) == 1


def test_colour_is_for_terminals_that_want_it() -> None:
    assert logs.wants_colour(Terminal(), {})
    assert not logs.wants_colour(Terminal(), {"NO_COLOR": "1"})
    assert not logs.wants_colour(Terminal(), {"TERM": "dumb"})
    assert not logs.wants_colour(io.StringIO(), {})
    stream = lines("console")
    logs.get("x").info("plain")
    assert "\x1b" not in stream.getvalue()


TOKEN = "123456789:AAH-abcdefghijklmnopqrstuvwxyz_0123"


@pytest.mark.parametrize("form", ["json", "console"])
def test_a_line_that_holds_a_token_is_logged_without_it(form: str) -> None:
    stream = lines(form)
    logs.get("x").warning("call.failed", url=f"https://api.telegram.org/bot{TOKEN}/getMe")
    logging.getLogger("x").warning("POST %s", f"https://api.telegram.org/bot{TOKEN}/getMe")
    assert stream.getvalue().count("123456789:********/getMe") == 2
    assert TOKEN not in stream.getvalue()


@pytest.mark.parametrize("form", ["json", "console"])
def test_a_line_that_holds_a_token_of_discord_is_logged_without_it_and_what_only_resembles_one_stays(form: str) -> None:
    stream = lines(form)
    begin = "MTIzNDU2Nzg5MDEyMzQ1Njc4OQ"
    logs.get("x").warning("call.failed", header=f"Bot {begin}.{'x' * 6}.{'y' * 27}", host="a.gateway.example.org")
    assert f"Bot {begin}.********" in stream.getvalue()
    assert "y" * 9 not in stream.getvalue()
    assert "a.gateway.example.org" in stream.getvalue()


@pytest.mark.parametrize("form", ["json", "console"])
def test_a_traceback_that_holds_a_token_is_logged_without_it(form: str) -> None:
    stream = lines(form)
    try:
        raise ValueError(f"The token `{TOKEN}` was rejected")
    except ValueError:
        logs.get("x").exception("start.failed")
    assert "was rejected" in stream.getvalue()
    assert TOKEN not in stream.getvalue()


@pytest.mark.parametrize("form", ["json", "console"])
def test_a_hidden_secret_of_any_form_is_masked(form: str) -> None:
    stream = lines(form)
    logs.hide("7:sesame", "", "sesame-open")
    logs.get("x").warning("it.said", what="7:sesame and sesame-open", more=["7:sesame"])
    assert "sesame" not in stream.getvalue()
    assert logs.scrubbed("no secret at 10:30, 123456:short") == "no secret at 10:30, 123456:short"


@pytest.mark.parametrize("level", ["debug", "info"])
@pytest.mark.parametrize(
    "name",
    [
        "httpx",
        "httpcore.http11",
        "telegram.Bot",
        "telegram.ext.Updater",
        "tornado.access",
        "discord.http",
        "aiohttp.access",
    ],
)
def test_libraries_of_platforms_tell_neither_addresses_nor_messages_at_any_level(level: str, name: str) -> None:
    stream = lines(level=level)
    logger = logging.getLogger(name)
    logger.debug("Calling Bot API endpoint `%s` with parameters `%s`", "sendMessage", {"text": "private words"})
    logger.info("HTTP Request: POST %s", "private words")
    assert stream.getvalue() == ""
    logger.error('Can not load invalid JSON data: "%s"', "private words")
    assert json.loads(stream.getvalue())["event"] in {
        'Can not load invalid JSON data: "%s"',
        'Can not load invalid JSON data: "…"',
    }
    assert "private words" not in stream.getvalue()
