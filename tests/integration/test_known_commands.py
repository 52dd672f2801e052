"""What a platform was told of our commands, on a real store."""

import pytest

from core.services.context import Context
from core.services.known_commands import KnownCommands, NoteCommands

FINGERPRINT = "a" * 64


@pytest.fixture
def ctx(store, clock, ids):
    return Context(store, clock, ids)


def test_a_platform_that_was_never_told_knows_nothing(ctx):
    assert KnownCommands(ctx)("discord", "99") == ""


def test_what_was_told_last_is_known_after_a_restart(database, ctx, clock, ids):
    for told in ("first", FINGERPRINT):
        NoteCommands(ctx)("discord", "99", told)
    assert KnownCommands(ctx)("discord", "99") == FINGERPRINT
    again = Context(database.open(migrate=False), clock, ids)
    assert KnownCommands(again)("discord", "99") == FINGERPRINT


@pytest.mark.parametrize("login", [("discord", "98"), ("telegram", "99")])
def test_each_login_is_told_by_itself(ctx, login):
    NoteCommands(ctx)("discord", "99", FINGERPRINT)
    assert KnownCommands(ctx)(*login) == ""
    NoteCommands(ctx)(*login, "other")
    assert KnownCommands(ctx)("discord", "99") == FINGERPRINT
