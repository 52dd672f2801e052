"""A terminal chat for the reports about what people see, and a context on both databases."""

import pytest

from core.services.audit import VerifyAudit
from tests.builders import NOW
from tests.fakes.console import Chat
from tests.fakes.reminding import a_context
from tests.fakes.replayed import differing


@pytest.fixture
def chat(sqlite_store, clock, ids) -> Chat:
    """A session in #general as ada, who owns the workspace."""
    return Chat(sqlite_store, clock, ids)


@pytest.fixture
def ctx(store, clock, ids):
    """A real store with the zones of a real process; in the end its chains verify, and they tell what is stored."""
    clock.set(NOW)
    made = a_context(store, clock, ids)
    yield made
    assert differing(store) == []
    assert all(report.bad is None and not report.why for report in VerifyAudit(made)())
