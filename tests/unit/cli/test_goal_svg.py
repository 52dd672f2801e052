"""The picture of what waits for what."""

import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.cli.goal_layout import layout
from bots.cli.goal_svg import HEIGHT, LINE_UNITS, LINES, WIDTH, graph_svg, words_in_box
from core.goals.objects import EpistemicType, IntentState, LifecycleState
from core.limits import LIMITS
from core.standing.intent import Priority
from tests.builders_goal_rows import a_graph, a_risk_row, a_row, on

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = [
    "</text><script>alert(1)</script>",
    "a & b < c > \"d\" 'e'",
    "\x00\x1b[31m\ud800\u202egnp\ufffe",
    "]]>",
    "&#0;",
]


def drawn(graph, limits=LIMITS):
    return ET.fromstring(graph_svg(graph, limits).text)


def boxes(root):
    return [box for box in root.iter(f"{SVG}rect") if box.get("rx")]


def texts(root):
    return ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]


def test_a_picture_of_nothing_is_a_picture():
    assert boxes(drawn(a_graph())) == []


def test_each_box_has_handle_type_state_and_words_and_each_edge_an_arrow():
    rows = [
        a_row("g-a", "Ship the API", priority=Priority.HIGH, due=on(4)),
        a_risk_row("g-b", "It rains", intent_state=IntentState.EXPIRED),
        a_row("g-c", "Sing", epistemic_type=EpistemicType.INFERRED),
        a_row("g-d", "Sleep", lifecycle_state=LifecycleState.ARCHIVED),
    ]
    root = drawn(a_graph(*rows, edges=(("g-a", "g-b"), ("g-a", "g-d"))))
    shown = texts(root)
    for expected in ("g-brisk", "g-agoal", "Ship the API", "high · active · due 2026-12-04", "expired"):
        assert expected in shown
    assert {"proposed, not confirmed", "archived by age"} <= set(shown)
    assert len(boxes(root)) == 4
    assert len([path for path in root.iter(f"{SVG}path") if path.get("class") == "edge"]) == 2


@pytest.mark.parametrize("words", HOSTILE)
def test_what_people_wrote_is_text_and_nothing_else(words):
    picture = graph_svg(a_graph(a_row(value=words)), LIMITS).text
    root = ET.fromstring(picture)
    assert not list(root.iter(f"{SVG}script"))
    assert "\u202e" not in picture and "\x1b" not in picture


def test_nothing_is_loaded_from_elsewhere():
    picture = graph_svg(a_graph(a_row(value="see https://example.org/x.png")), LIMITS).text
    assert "href" not in picture and "@import" not in picture and "url(http" not in picture


@pytest.mark.parametrize(("count", "left_out"), [(3, 0), (4, 1)])
def test_so_many_boxes_are_drawn_and_not_one_more(count, left_out):
    rows = [a_row(f"g-{number}", key=number) for number in range(count)]
    picture = graph_svg(a_graph(*rows, edges=(("g-0", "g-3"),) if count > 3 else ()), replace(LIMITS, graph_nodes=3))
    assert picture.left_out == left_out
    assert len(boxes(ET.fromstring(picture.text))) == 3


def test_words_are_cut_at_the_bound_and_not_before():
    whole = "abcde " * (LIMITS.graph_chars // 6)
    exact = whole.strip().ljust(LIMITS.graph_chars, "x")
    assert "…" not in "".join(words_in_box(exact, LIMITS.graph_chars))
    longer = words_in_box(f"{exact}x", LIMITS.graph_chars)
    assert longer[-1].endswith("…") and len("".join(longer)) <= LIMITS.graph_chars


@given(st.text(max_size=600))
def test_whatever_the_words_they_stay_in_their_box(words):
    lines = words_in_box(words, LIMITS.graph_chars)
    assert len(lines) <= LINES
    assert all(len(line) <= LINE_UNITS for line in lines)
    ET.fromstring(graph_svg(a_graph(a_row(value=words)), LIMITS).text)


def test_wide_characters_count_twice():
    assert len("".join(words_in_box("漢" * 100, 72))) < 40


ARROWS = st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)).filter(lambda pair: pair[0] < pair[1]), max_size=25)


@given(ARROWS.map(lambda pairs: [(str(start), str(end)) for start, end in dict.fromkeys(pairs)]))
def test_every_arrow_leads_to_the_right_through_a_lane_in_every_column_between(edges):
    ids = [str(number) for number in range(12)]
    found = layout(ids, edges)
    depth = {one: number for number, column in enumerate(found.columns) for one in column}
    assert sorted(depth, key=lambda one: (one not in ids, one))[:12] == sorted(ids)
    assert sum(map(len, found.columns)) == len(depth)
    for edge in edges:
        way = [edge[0], *found.lanes[edge], edge[1]]
        assert all(depth[after] == depth[before] + 1 for before, after in pairwise(way))


def test_no_two_boxes_lie_on_each_other():
    rows = [a_row(f"g-{number}", key=number) for number in range(8)]
    edges = (("g-0", "g-1"), ("g-1", "g-2"), ("g-0", "g-2"), ("g-0", "g-3"), ("g-4", "g-2"))
    places = [(int(box.get("x")), int(box.get("y"))) for box in boxes(drawn(a_graph(*rows, edges=edges)))]
    for number, (x, y) in enumerate(places):
        assert all(abs(x - left) >= WIDTH or abs(y - top) >= HEIGHT for left, top in places[:number])
