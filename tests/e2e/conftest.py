"""A conversation in this process."""

import pytest

from storage.unit_of_work import SqlStore
from tests.fakes.clock import FakeClock
from tests.fakes.console import Chat
from tests.fakes.ids import SeededIds
from tests.fakes.telegram.fixtures import telegram_world  # noqa: F401

PASTE = "when someone mentions the launch checklist, remind me to confirm the rollback owner"


@pytest.fixture
def chat(sqlite_store: SqlStore, clock: FakeClock, ids: SeededIds) -> Chat:
    """Ada in a new workspace."""
    return Chat(sqlite_store, clock, ids)


@pytest.fixture
def ruled(chat: Chat) -> Chat:
    """The same with the launch checklist saved."""
    chat(PASTE, "yes")
    assert len(chat.rules()) == 1
    return chat
