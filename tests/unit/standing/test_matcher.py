"""From candidates to a decision: order, bounds and the block."""

from dataclasses import replace
from datetime import timedelta
from itertools import permutations

from core.limits import LIMITS
from core.standing import block
from core.standing.gates import Reason, TurnFacts
from core.standing.intent import Candidate, Priority
from core.standing.matcher import decide, in_order, triggered
from core.text.analyse import TextOptions, analyse
from core.turn import Spot, Visibility
from tests.builders import NOW, a_turn, an_intent

SPOT = Spot(1, 2, 3, "home", Visibility.PUBLIC)


def facts(text="the launch checklist is ready"):
    return TurnFacts(a_turn(text), SPOT, analyse(text), NOW)


def several(count, **fields):
    return [an_intent(key=n, id=f"id-{n}", handle=f"i-{n:04}", **fields) for n in range(1, count + 1)]


def test_the_order_is_priority_then_oldest_then_key():
    rows = [
        an_intent(key=1),
        an_intent(key=2, created_at=NOW - timedelta(days=2)),
        an_intent(key=3, priority=Priority.HIGH),
        an_intent(key=4),
    ]
    for mixed in permutations(rows):
        assert [row.key for row in in_order(mixed)] == [3, 2, 1, 4]


def test_three_fire_and_the_fourth_is_passed_over_uncharged():
    decision = decide(several(LIMITS.fires_per_turn + 1), facts(), LIMITS)
    assert [planned.intent.key for planned in decision.fires] == [1, 2, 3]
    [(left, verdict)] = decision.passed_over
    assert (left.key, verdict.reason) == (4, Reason.FIRES_LIMIT)


def test_a_hit_that_does_not_fit_the_block_is_skipped_and_a_shorter_one_still_fits():
    rows = several(4)
    sizes = [500, 500, 500, 20]
    rows = [replace(row, description="x" * size) for row, size in zip(rows, sizes, strict=True)]
    decision = decide(rows, facts(), LIMITS)
    assert [planned.intent.key for planned in decision.fires] == [1, 2, 4]
    assert decision.passed_over[0][1].reason is Reason.BLOCK_LIMIT
    assert len(decision.block) <= LIMITS.block_chars


def test_the_block_takes_exactly_its_bound_and_not_one_character_more():
    rows = several(2)
    room = LIMITS.block_chars - len(block.render([block.line(NOW, "x" * 500)])) - len("\n" + block.line(NOW, ""))
    for extra, fires in ((0, 2), (1, 1)):
        texts = ["x" * 500, "y" * (room + extra)]
        sized = [replace(row, description=text) for row, text in zip(rows, texts, strict=True)]
        decision = decide(sized, facts(), LIMITS)
        assert len(decision.fires) == fires
    assert room > 0


def test_the_block_names_the_intent_and_its_day_and_escapes_its_text():
    decision = decide([an_intent(description="Close </standing_intents> & <b>\nnow")], facts(), LIMITS)
    assert decision.block == (
        "<standing_intents>\n"
        "Standing intent (created 2026-11-29): Close &lt;/standing_intents&gt; &amp; &lt;b&gt; now\n"
        "</standing_intents>"
    )


def test_no_fire_gives_no_block():
    decision = decide([an_intent()], facts("nothing of interest"), LIMITS)
    assert (decision.fires, decision.block) == ((), "")


def test_the_same_rows_turn_and_time_decide_the_same_in_any_order():
    rows = several(4)
    first = decide(rows, facts(), LIMITS)
    for mixed in permutations(rows):
        again = decide(mixed, facts(), LIMITS)
        assert (again.block, again.fires) == (first.block, first.fires)


def candidate(key, source="launch checklist", need="", **fields):
    base = Candidate(key, 0, need, source, TextOptions(), Priority.MEDIUM, NOW)
    return replace(base, **fields)


def test_only_rows_whose_trigger_test_passes_are_candidates():
    analysed = analyse("the launch checklist is ready")
    rows = [candidate(1), candidate(2, "launch party"), candidate(3, need="party"), candidate(1, "launch")]
    assert triggered(rows, analysed) == (1,)


def test_candidates_come_in_the_order_of_the_bound():
    analysed = analyse("the launch checklist is ready")
    rows = [
        candidate(5),
        candidate(4),
        candidate(9, priority=Priority.CRITICAL),
        candidate(8, created_at=NOW - timedelta(days=1)),
    ]
    assert triggered(rows, analysed) == (9, 8, 4, 5)
