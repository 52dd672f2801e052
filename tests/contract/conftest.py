"""The adapter of a platform, and the messages of that platform that it is fed with."""

from collections.abc import Iterator

import pytest

from core.services.context import Context
from storage.unit_of_work import SqlStore
from tests.contract.adapters.kit import Kit
from tests.contract.adapters.kits import KITS
from tests.fakes.clock import FakeClock
from tests.fakes.ids import SeededIds


@pytest.fixture
def kit(request: pytest.FixtureRequest, sqlite_store: SqlStore, clock: FakeClock, ids: SeededIds) -> Iterator[Kit]:
    """That of the platform which the test names."""
    made = KITS[request.param](Context(sqlite_store, clock, ids))
    yield made
    made.close()
