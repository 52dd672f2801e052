"""A terminal chat for the reports about what people see."""

import pytest

from tests.fakes.console import Chat


@pytest.fixture
def chat(sqlite_store, clock, ids) -> Chat:
    """A session in #general as ada, who owns the workspace."""
    return Chat(sqlite_store, clock, ids)
