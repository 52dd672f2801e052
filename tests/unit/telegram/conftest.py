"""The Telegram of the contract's cast, for what is not of the contract."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from core.services.context import Context
from storage.unit_of_work import SqlStore
from tests.fakes.clock import FakeClock
from tests.fakes.ids import SeededIds

if TYPE_CHECKING:
    from tests.contract.adapters.telegram_kit import TelegramKit


@pytest.fixture
def kit(sqlite_store: SqlStore, clock: FakeClock, ids: SeededIds) -> "Iterator[TelegramKit]":
    """The real adapter against a loopback Telegram; nothing polls."""
    from tests.contract.adapters.telegram_kit import TelegramKit

    made = TelegramKit(Context(sqlite_store, clock, ids))
    yield made
    made.close()
