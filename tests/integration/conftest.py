"""After every test on a real store, whatever it did: the log alone tells what is stored."""

from collections.abc import Iterator

import pytest

from tests.fakes.replayed import differing


@pytest.fixture
def tampered() -> None:
    """For tests that change rows past the program: what is stored is then not what the log tells."""


@pytest.fixture(autouse=True)
def replayed(request: pytest.FixtureRequest) -> Iterator[None]:
    """Replay of the log gives the stored rows, every field of them."""
    store = request.getfixturevalue("store") if "store" in request.fixturenames else None
    yield
    if store is not None and "tampered" not in request.fixturenames:
        assert differing(store) == []
