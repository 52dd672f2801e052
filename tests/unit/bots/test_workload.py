"""The workload of our own: seeded, within the bounds of the product, as large as is wished."""

import random
from collections import Counter

import pytest

from bots.bench.figures import Figures, Versus, percentiles
from bots.bench.growth import slope
from bots.bench.run import MADE, World, messages
from bots.bench.workload import make_group_turns, make_groups, make_intents, make_prose, make_turns, spaces_for
from core.limits import LIMITS


def test_the_same_seed_makes_the_same_workload_and_another_another() -> None:
    first, again, other = (list(make_intents(50, seed)) for seed in (1, 1, 2))
    assert first == again != other
    assert list(make_turns(20, first, 1, 0.5)) == list(make_turns(20, again, 1, 0.5))


@pytest.mark.parametrize("count", [1, 1_000, 20_000])
def test_no_space_has_more_rules_than_it_may(count: int) -> None:
    found = Counter((row["provider"], row["account_id"]) for row in make_intents(count, 1, spaces_for(count)))
    assert max(found.values()) <= LIMITS.live_intents_per_space
    assert len(found) <= spaces_for(count)


@pytest.mark.parametrize(("wished", "doublings"), [(1, 0), (MADE, 0), (MADE + 1, 1), (1_000_000, 4)])
def test_a_large_world_is_a_small_one_doubled(wished: int, doublings: int) -> None:
    world = World.of(wished)
    assert (world.doublings, wished <= world.intents < wished + 2**doublings) == (doublings, True)


def test_a_wish_for_spaces_is_kept() -> None:
    assert World.of(1_000_000, 4) == World(1_000_000, 4, 0)


def test_messages_come_from_every_copy_of_a_space_before_rules_expire() -> None:
    rows = list(messages(400, MADE * 2, 1, 0.1))
    assert {row["account_id"].partition("~")[2] for row in rows} == {"", "0"}
    first = next(make_intents(1, 1))
    assert all(first["created_at"] < row["now_ms"] < first["expires_at"] for row in rows)
    assert World(1, 4).moved(first, random.Random(1)) is first


@pytest.mark.parametrize("foreign", [False, True])
@pytest.mark.parametrize("characters", [1, 300, 20_000])
def test_prose_has_exactly_so_many_characters(characters: int, foreign: bool) -> None:
    text = make_prose(characters, 1, foreign)
    assert len(text) == characters
    other = sum(not char.isascii() for char in text)
    assert (other > characters / 10) is (foreign and characters > 1)


def test_the_rules_of_a_group_have_one_room_and_one_trigger() -> None:
    rows = list(make_groups(3, 2, 1))
    assert Counter(row["conversation_id"] for row in rows) == {f"room-2-{room}": 2 for room in range(3)}
    by_room = {row["conversation_id"]: row["trigger_keywords"][0] for row in rows}
    for turn in make_group_turns(10, rows, 1):
        assert by_room[turn["conversation_id"]] in turn["prompt"].lower()


def test_turns_are_recorded_by_what_they_found() -> None:
    figures, more = Figures(), Figures()
    for fires, candidates in ((2, 2), (0, 1), (0, 0)):
        more.add((10, 5), fires, candidates)
    figures.take(more)
    counts = (len(figures.hits), len(figures.held), len(figures.misses))
    assert (*counts, len(figures), figures.fires) == (1, 1, 1, 3, 2)


def test_a_ratio_is_the_median_over_the_batches() -> None:
    versus = Versus()
    for wall in (20, 30, 900):
        versus.add([(wall, 10)] * 3, [(10, 10)] * 5)
    versus.add([], [(10, 10)])
    assert versus.ratios() == {"wall": 3.0, "cpu": 1.0}
    assert (len(versus.measured), len(versus.floor), Versus().ratios()) == (9, 16, {})


def test_percentiles_are_of_the_nearest_rank() -> None:
    assert percentiles(range(1_000, 101_000, 1_000)) == {"p50": 51.0, "p95": 96.0, "p99": 100.0}
    assert percentiles([]) == {}


@pytest.mark.parametrize(("samples", "expected"), [([], 0), ([5], 0), ([1, 1, 1], 0), ([1, 3, 5, 7], 2)])
def test_a_slope_is_that_of_the_straight_line(samples: list[int], expected: float) -> None:
    assert slope(samples) == expected
