"""What waits for what, as a tree."""

from dataclasses import replace

import pytest

from core.limits import LIMITS
from core.standing.intent import Priority
from core.wording.goal_graph import graph_lines
from tests.builders_goal_rows import a_graph, a_row, on


def drawn(graph, limits=LIMITS):
    return [line.text for line in graph_lines(graph, limits)]


def test_nothing_is_drawn_of_nothing():
    assert drawn(a_graph()) == ["Nothing is open here, so there is nothing to draw."]


def test_what_one_waits_for_stands_below_it_urgent_ones_first():
    rows = [
        a_row("g-top", "ship", key=1),
        a_row("g-low", "later", priority=Priority.LOW, key=2),
        a_row("g-old", "rent", key=3),
        a_row("g-due", "buy", due=on(4), key=4),
        a_row("g-high", "sign", priority=Priority.HIGH, key=5),
    ]
    edges = tuple(("g-top", row.handle) for row in rows[1:])
    assert drawn(a_graph(*rows, edges=edges)) == [
        "What each one waits for stands below it:",
        "g-top Ship. (goal)",
        "├─ g-high Sign. (goal, high)",
        "├─ g-due Buy. (goal)",
        "├─ g-old Rent. (goal)",
        "└─ g-low Later. (goal, low)",
    ]


def test_one_that_several_wait_for_is_drawn_once_and_referred_to_after():
    rows = [
        a_row(name, name.removeprefix("g-"), key=number) for number, name in enumerate(["g-a", "g-b", "g-c", "g-d"])
    ]
    edges = (("g-a", "g-b"), ("g-a", "g-c"), ("g-b", "g-d"), ("g-c", "g-d"))
    assert drawn(a_graph(*rows, edges=edges))[1:] == [
        "g-a A. (goal)",
        "├─ g-b B. (goal)",
        "│  └─ g-d D. (goal)",
        "└─ g-c C. (goal)",
        "   └─ g-d (see above)",
    ]


def test_what_stands_alone_comes_last():
    rows = [a_row("g-a", "a"), a_row("g-b", "b"), a_row("g-c", "c", priority=Priority.CRITICAL)]
    assert drawn(a_graph(*rows, edges=(("g-a", "g-b"),)))[-2:] == [
        "Nothing waits for these, and they wait for nothing:",
        "g-c C. (goal, critical)",
    ]


@pytest.mark.parametrize(("count", "cut"), [(3, False), (4, True)])
def test_so_many_lines_are_drawn_and_not_one_more(count, cut):
    limits = replace(LIMITS, graph_lines=3)
    lines = drawn(a_graph(*(a_row(f"g-{number}", "x", key=number) for number in range(count))), limits)
    assert len([text for text in lines if "X." in text]) == 3
    assert any("1 more are left out" in text for text in lines) is cut


def test_words_are_cut_at_the_bound_and_not_before():
    limits = replace(LIMITS, graph_chars=8)
    assert drawn(a_graph(a_row(value="ship one")), limits) == ["g-7k2m Ship one. (goal)"]
    assert drawn(a_graph(a_row(value="ship ones")), limits) == ["g-7k2m Ship on… (goal)"]
