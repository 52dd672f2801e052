"""SIGKILL from outside at random instants, commits among them: what is left is whole, and nothing told is lost."""

from dataclasses import replace

import pytest

from tests.fakes.databases import postgres_binaries, postgres_schema
from tests.fault.kills import Figures, Killer, server

pytestmark = [pytest.mark.timeout(600), pytest.mark.thorough]
TURNS, SOME_TURNS, FEW_TURNS = 2_000, 1_000, 250


@pytest.fixture
def kill(zygote, empty_database, tmp_path, capsys):
    """Runs the killer on a new database and says in one line what it came to."""

    def run(kills, seed, turns=TURNS, **options):
        kind = "sqlite" if empty_database.sqlite else "postgres"
        figures = Killer(zygote, empty_database, tmp_path, Figures(kind, seed, turns), **options)(kills)
        with capsys.disabled():
            print(f"\nkills: {replace(figures, wrong=figures.wrong[:3]).line()}")
        return figures

    return run


def test_a_killed_process_leaves_one_story_and_loses_nothing_that_was_told(kill, empty_database):
    kills, turns = (3, SOME_TURNS) if empty_database.sqlite else (3, FEW_TURNS)
    figures = kill(kills, seed=1, turns=turns)
    assert figures.wrong == []
    assert figures.kills == kills
    assert figures.fires >= figures.acknowledged > 0


def test_without_transactions_the_same_kills_leave_half_a_fire(kill):
    """Shows that the test above can fail: every statement of the child is on its own."""
    assert kill(6, seed=2, turns=60, torn=True).wrong != []


@pytest.mark.slow
def test_fifty_kills_on_sqlite_and_twenty_on_postgres_leave_one_story(kill, empty_database):
    kills = 50 if empty_database.sqlite else 20
    figures = kill(kills, seed=3)
    assert figures.wrong == []
    assert figures.kills == kills


@pytest.mark.slow
@pytest.mark.postgres
def test_a_server_that_crashes_twice_among_the_kills_loses_nothing_that_was_told(zygote, tmp_path, capsys):
    assert postgres_binaries()
    with server() as (url, crash), postgres_schema(url, "crashes") as database:
        figures = Killer(zygote, database, tmp_path, Figures("postgres", 4, TURNS), crash=crash)(6, crashes=2)
    with capsys.disabled():
        print(f"\nkills: {figures.line()}")
    assert figures.wrong == []
    assert figures.crashes == 2
