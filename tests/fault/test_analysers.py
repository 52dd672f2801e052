"""Two processes that analyse text in different ways: the second waits; then it files all anew and misses nothing."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bots.bootstrap import App, beat_of
from bots.runtime import SystemClock, SystemIds
from config.settings import Settings
from core.errors import StorageError
from core.limits import LIMITS
from core.services.context import Context
from core.services.receive_turn import ReceiveTurn
from core.services.reindex import Reindex
from core.text.analyse import FINGERPRINT
from storage.repositories.processes import LIFETIME
from storage.types import micros
from tests.builders import a_turn
from tests.fault.story import wrong_in

pytestmark = pytest.mark.thorough

RULES = 7


@pytest.fixture
def app(store):
    limits = replace(LIMITS, chunk=2, turn_deadline=timedelta(minutes=5))
    ids = SystemIds()
    return App(Settings(), store, Context(store, SystemClock(), ids, limits), ids.uuid())


@pytest.fixture
def other(held, database):
    return held("live", url=database.url, schema=database.schema, fingerprint="another analyser")


def test_the_second_is_refused_while_the_first_lives_and_starts_when_it_has_ended(app, other, database):
    for _ in range(2):
        with pytest.raises(StorageError, match="analyses text in another way") as caught:
            beat_of(app)
        assert "180 seconds" in caught.value.hint
        assert caught.value.details["retry"] is False
    other.told()
    beat_of(app)()
    assert database.execute("SELECT fingerprint FROM processes") == [(FINGERPRINT,)]


def test_one_that_was_killed_is_in_the_way_until_it_was_silent_for_three_minutes(app, other, database, zygote):
    assert zygote.kill(other.pid) == -9
    with pytest.raises(StorageError, match="analyses text in another way"):
        beat_of(app)
    silent = micros(SystemClock().now() - LIFETIME - timedelta(seconds=1))
    database.execute("UPDATE processes SET seen_at = ?", silent)
    beat_of(app)()


def test_no_turn_misses_a_hit_while_all_is_filed_anew(app, other, database):
    other.told()
    reindex, left = Reindex(app.context), RULES
    while True:
        for number in range(RULES):
            turn = a_turn(f"the golf{number} is here", at=app.context.clock.now())
            assert len(ReceiveTurn(app.context)(turn).fires) == 1, f"rule {number}, {left} left to file"
        done = reindex()
        left -= done
        if not done:
            break
    assert left == 0
    versions = database.execute(
        "SELECT DISTINCT v.fingerprint FROM trig AS t JOIN analysis_versions AS v ON v.id = t.analysis"
    )
    assert versions == [(FINGERPRINT,)]
    assert wrong_in(database, app.store) == []
