"""How far a login has received what a platform sends, on a real store."""

import pytest

from core.services.context import Context
from core.services.known_commands import NoteCommands
from core.services.watermark import NoteWatermark, ReadWatermark

NEWEST = 2**63 + 5
"""Discord's ids pass what some databases keep as a number one day."""


@pytest.fixture
def ctx(store, clock, ids):
    return Context(store, clock, ids)


def note(ctx, number, *login):
    NoteWatermark(ctx)(*(login or ("discord", "99")), number)


def read(ctx, *login):
    return ReadWatermark(ctx)(*(login or ("discord", "99")))


def test_before_the_first_message_it_is_zero(ctx):
    assert read(ctx) == 0


def test_it_goes_up_and_never_back(ctx):
    note(ctx, 7)
    for number in (6, 7, 0):
        note(ctx, number)
        assert read(ctx) == 7
    note(ctx, 8)
    assert read(ctx) == 8


def test_numbers_are_compared_as_numbers_however_long_they_are(ctx):
    note(ctx, 9)
    note(ctx, 10)
    assert read(ctx) == 10
    note(ctx, NEWEST)
    assert read(ctx) == NEWEST
    note(ctx, NEWEST - 1)
    assert read(ctx) == NEWEST


def test_a_restart_reads_it_again(database, ctx, clock, ids):
    note(ctx, 7)
    assert read(Context(database.open(migrate=False), clock, ids)) == 7


@pytest.mark.parametrize("login", [("discord", "98"), ("telegram", "99")])
def test_each_login_has_its_own(ctx, login):
    note(ctx, 7)
    assert read(ctx, *login) == 0
    note(ctx, 3, *login)
    assert (read(ctx), read(ctx, *login)) == (7, 3)


def test_it_is_no_other_fact_of_the_login(ctx):
    note(ctx, 7)
    NoteCommands(ctx)("discord", "99", "fingerprint")
    assert read(ctx) == 7
