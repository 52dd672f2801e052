"""Where the boxes of a graph stand: columns by depth, rows so that arrows stay short, and room for those that go far.

An arrow that crosses a column has a lane of its own there: it never runs behind a box. Pure.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

SWEEPS = 4
Edge = tuple[str, str]
"""From what comes first to what waits for it."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Columns from left to right, each from top to bottom. `lanes` has the places that an arrow passes, by edge.

    A place is the id of a box, or of a lane.
    """

    columns: list[list[str]]
    lanes: Mapping[Edge, Sequence[str]] = field(default_factory=dict)


def layout(ids: Sequence[str], edges: Sequence[Edge]) -> Layout:
    """Columns for these boxes; what has no arrow stands at the bottom of the first. There is no circle in them."""
    linked = {end for edge in edges for end in edge}
    depths = _late(_depths([one for one in ids if one in linked], edges), edges)
    columns: list[list[str]] = [[] for _ in range(max(depths.values(), default=0) + 1)]
    for one, depth in depths.items():
        columns[depth].append(one)
    lanes: dict[Edge, list[str]] = {}
    beside: dict[str, tuple[list[str], list[str]]] = {}
    for number, (start, end) in enumerate(edges):
        way = [f"{number}:{depth}" for depth in range(depths[start] + 1, depths[end])]
        for depth, lane in enumerate(way, depths[start] + 1):
            columns[depth].append(lane)
        lanes[start, end] = way
        for before, after in zip((start, *way), (*way, end), strict=True):
            beside.setdefault(before, ([], []))[1].append(after)
            beside.setdefault(after, ([], []))[0].append(before)
    _arrange(columns, beside)
    columns[0].extend(one for one in ids if one not in linked)
    return Layout(columns, lanes)


def _depths(ids: Iterable[str], edges: Sequence[Edge]) -> dict[str, int]:
    """The longest way down from each, without recursion."""
    before: dict[str, list[str]] = {one: [] for one in ids}
    for start, end in edges:
        before[end].append(start)
    depths: dict[str, int] = {}
    for first in before:
        stack = [first]
        while stack:
            one = stack[-1]
            left = [other for other in before[one] if other not in depths]
            if left and one not in depths:
                stack.extend(left)
                continue
            depths.setdefault(one, 1 + max((depths[other] for other in before[one]), default=-1))
            stack.pop()
    return {one: depths[one] for one in before}


def _late(depths: dict[str, int], edges: Sequence[Edge]) -> dict[str, int]:
    """Each one as far to the right as what waits for it lets it, so that arrows are short."""
    after: dict[str, list[str]] = {}
    for start, end in edges:
        after.setdefault(start, []).append(end)
    for one in sorted(depths, key=lambda one: -depths[one]):
        if one in after:
            depths[one] = min(depths[other] for other in after[one]) - 1
    return depths


def _arrange(columns: list[list[str]], beside: Mapping[str, tuple[Sequence[str], Sequence[str]]]) -> None:
    """Sort every column by the middle of what stands beside it, from the left and from the right in turn."""
    for sweep in range(SWEEPS):
        side = sweep % 2
        places: dict[str, int] = {}
        for column in columns if side == 0 else reversed(columns):
            here = {one: number for number, one in enumerate(column)}
            middles = {one: _middle(beside[one][side], places, here[one]) for one in column}
            column.sort(key=middles.__getitem__)
            places |= {one: number for number, one in enumerate(column)}


def _middle(others: Sequence[str], places: Mapping[str, int], here: int) -> float:
    return sum(places[one] for one in others) / len(others) if others else float(here)
