"""`remembrancer run` where it cannot run, and how failures are told."""

import json
import os
import sys
from contextlib import suppress

import pytest

from bots import bots
from bots.bots import Bot, webhook_of
from bots.cli.running import Teller
from bots.run import chosen_bots
from config import logs
from config.settings import Settings
from core.errors import ConfigError, RemembrancerError
from tests.fakes.services import Scripted, fails
from tests.unit.cli.conftest import Terminal

TOKEN = "123456789:AAH-abcdefghijklmnopqrstuvwxyz_0123"
WRONG = RemembrancerError("The token is wrong.", "Copy it again.", permanent=True)


@pytest.fixture
def token(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TELEGRAM_TOKEN", TOKEN)


def test_without_a_token_it_says_how_to_get_one_and_makes_no_database(terminal: Terminal) -> None:
    for arguments in (["run"], ["run", "--only", "telegram"]):
        answer = terminal(*arguments)
        assert answer.code == 2
        assert "no" in answer.err
        assert "TELEGRAM_TOKEN" in answer.err
        assert "@BotFather" in answer.err
    assert not terminal.database.exists()


def test_a_bot_that_there_is_not_is_refused_with_those_that_there_are(terminal: Terminal, token: None) -> None:
    answer = terminal("run", "--only", "irc")
    assert (answer.code, "no bot irc" in answer.err, "There are: telegram, discord." in answer.err) == (2, True, True)


def test_every_bot_that_there_is_says_how_to_get_its_token() -> None:
    for name in bots.BOTS:
        with pytest.raises(ConfigError) as caught:
            chosen_bots(Settings(), (name,))
        assert caught.value.hint


def test_when_no_bot_can_run_it_says_why_and_ends_with_1(
    terminal: Terminal, token: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = Scripted("telegram", fails(WRONG))
    monkeypatch.setitem(bots.BOTS, "telegram", Bot(bots.telegram_wanted, lambda app, run, *more: service))
    answer = terminal("run")
    assert answer.code == 1
    assert "remembrancer: telegram: The token is wrong.\n  Copy it again.\n  It stays off until" in answer.err
    assert "remembrancer: No bot is left that can run." in answer.err
    assert "heartbeat: every 60 s" in answer.out


def test_a_bot_that_cannot_even_be_made_takes_nobody_down(
    terminal: Terminal, token: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unmade(*given: object) -> Scripted:
        made.append(1)
        raise ConfigError("The webhook cannot be used.", "Leave it out.")

    made: list[int] = []
    monkeypatch.setitem(bots.BOTS, "telegram", Bot(bots.telegram_wanted, unmade))
    answer = terminal("run")
    assert (answer.code, made) == (1, [1])
    assert "telegram: The webhook cannot be used." in answer.err


def test_another_analyser_on_the_database_is_refused_before_any_bot_starts(
    terminal: Terminal, token: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = terminal.opened()
    app.store.register_process("another", "another analyser", app.context.clock.now())
    service = Scripted("telegram", fails(WRONG))
    monkeypatch.setitem(bots.BOTS, "telegram", Bot(bots.telegram_wanted, lambda app, run, *more: service))
    answer = terminal("run")
    app.close()
    assert (answer.code, service.started) == (1, 0)
    assert "another way" in answer.err


@pytest.mark.parametrize(("as_json", "logged"), [(False, False), (True, False), (False, True), (True, True)])
def test_a_failure_is_told_in_one_place_without_its_token(
    as_json: bool, logged: bool, terminal: Terminal, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.configure("warning", "json")
    error = RemembrancerError(f"The token `{TOKEN}` was rejected.", "Copy it again.")
    Teller(as_json, logged).failed(Scripted("telegram", fails(error)), error, 1.25)
    out, err = capsys.readouterr()
    assert TOKEN not in out + err
    if as_json:
        assert json.loads(out)["again_in_seconds"] == 1.2
    assert err.count("was rejected") == logged + (not as_json and not logged)
    if not as_json and not logged:
        assert err.endswith("was rejected.\n  Copy it again.\n  It is started again in 1.2 s.\n")


def test_a_stream_that_nobody_reads_stops_no_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    for as_json in (False, True):
        for stream in ("stdout", "stderr"):
            reader, writer = os.pipe()
            os.close(reader)
            monkeypatch.setattr(sys, stream, os.fdopen(writer, "w", buffering=1))
        teller = Teller(as_json)
        teller.ready(Scripted("telegram", fails(WRONG)))
        teller.failed(Scripted("telegram", fails(WRONG)), WRONG, None)
        teller.stopping()
        for stream in (sys.stdout, sys.stderr):
            with suppress(BrokenPipeError):
                stream.close()


def test_a_webhook_has_a_new_word_at_each_start_unless_one_is_set() -> None:
    def made(**fields: str) -> Settings:
        return Settings(telegram_webhook_url="https://bot.example.org/t", **fields)  # type: ignore[arg-type]

    assert webhook_of(Settings()) is None
    first, second = webhook_of(made()), webhook_of(made(telegram_webhook_listen="[::1]:99"))
    assert first is not None
    assert second is not None
    assert (first.url, first.host, first.port) == ("https://bot.example.org/t", "127.0.0.1", 8443)
    assert (second.host, second.port) == ("::1", 99)
    assert first.secret != second.secret
    assert len(first.secret) == 43
    assert first.secret not in repr(first)
    assert webhook_of(made(telegram_webhook_secret="sesame")).secret == "sesame"  # type: ignore[union-attr]
