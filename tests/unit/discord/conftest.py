"""The Discord of the contract's cast, for what is not of the contract."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from core.services.context import Context
from storage.unit_of_work import SqlStore
from tests.fakes.clock import FakeClock
from tests.fakes.ids import SeededIds

if TYPE_CHECKING:
    from tests.contract.adapters.discord_kit import DiscordKit
    from tests.unit.discord.acting import Acting


@pytest.fixture
def kit(sqlite_store: SqlStore, clock: FakeClock, ids: SeededIds) -> "Iterator[DiscordKit]":
    """The real adapter against a loopback Discord; nothing is connected to its gateway."""
    from tests.contract.adapters.discord_kit import DiscordKit

    made = DiscordKit(Context(sqlite_store, clock, ids))
    yield made
    made.close()


@pytest.fixture
def here(kit: "DiscordKit") -> "Acting":
    """The same with commands, and people who use them."""
    return kit.acting
