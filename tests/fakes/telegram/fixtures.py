"""The fixture `telegram_world`. A conftest offers it with one line:

    from tests.fakes.telegram.fixtures import telegram_world  # noqa: F401

A test that takes it gets a running `World` without people, bots or chats; it stops by itself and fails the test
where the bot called something that is not documented or not understood.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.fakes.telegram.world import World


@pytest.fixture
def telegram_world() -> "Iterator[World]":
    """A Telegram on a free port of 127.0.0.1; the libraries it needs are imported at its first use only."""
    from tests.fakes.telegram.world import World

    with World() as world:
        yield world
