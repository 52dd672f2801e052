"""A command line in a place of its own: directory, home, environment, log handlers."""

import json
import logging
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import structlog

from bots.bootstrap import App, open_app
from bots.cli import main
from config import logs
from config.loading import load
from core.services.create_intent import CreateIntent
from core.standing.intent import StandingIntent
from tests.builders import HOME, a_draft, an_owner


@dataclass
class Answer:
    """What one command answered."""

    code: int
    out: str
    err: str
    json: Any = field(default=None)


@dataclass
class Terminal:
    """Runs commands in a directory of their own."""

    folder: Path
    capsys: pytest.CaptureFixture[str]

    def __call__(self, *arguments: str) -> Answer:
        self.capsys.readouterr()
        code = main(list(arguments))
        out, err = self.capsys.readouterr()
        assert "Traceback" not in out + err
        document = json.loads(out) if "--json" in arguments and "try" not in arguments else None
        return Answer(code, out, err, document)

    def opened(self) -> App:
        return open_app(load().settings)

    def create(self, **fields: Any) -> StandingIntent:
        """Create an intent as an owner does in chat, with a clock of now."""
        app = self.opened()
        try:
            return CreateIntent(app.context)(a_draft(**fields), an_owner(), HOME, "message-0")
        finally:
            app.close()

    @property
    def database(self) -> Path:
        return self.folder / "data" / "remembrancer.db"


@pytest.fixture
def terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Terminal]:
    for name in list(os.environ):
        if name.startswith(("REMEMBRANCER_", "XDG_", "DATABASE_URL", "TELEGRAM_TOKEN", "DISCORD_TOKEN")):
            monkeypatch.delenv(name)
    monkeypatch.setattr(logs, "_hidden", set())
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("REMEMBRANCER_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.chdir(tmp_path)
    root = logging.getLogger()
    handlers = root.handlers[:]
    levels = {one: one.level for one in (root, *map(logging.getLogger, list(root.manager.loggerDict)))}
    yield Terminal(tmp_path, capsys)
    root.handlers[:] = handlers
    for one in (root, *map(logging.getLogger, list(root.manager.loggerDict))):
        one.setLevel(levels.get(one, logging.NOTSET))
    structlog.reset_defaults()


@pytest.fixture
def stocked(terminal: Terminal) -> Callable[..., StandingIntent]:
    """Creates intents in the terminal's database."""
    return terminal.create
