"""The graph of goals as a picture: one SVG document, written here, without anything that it would have to load.

Columns are depths: at the left what waits for nothing, at the right what waits longest. An arrow leads from what comes
first to what waits for it. All words are escaped and cut; nothing in them is read as markup.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from bots.cli.goal_layout import Layout, layout
from core.catalogue import say
from core.goals.objects import IntentObject, IntentState
from core.limits import Limits
from core.services.read_goals import Graph
from core.standing.intent import Priority
from core.wording.goal_graph import urgency
from core.wording.goals import kind_words, priority_words, state_words

WIDTH, HEIGHT, LANE, GAP, ACROSS = 232, 102, 10, 20, 84
MARGIN, TOP = 24, 56
LINE, LINE_UNITS, LINES = 16, 30, 3
_FILLS = {
    IntentState.ACTIVE: ("#ffffff", "#334155"),
    IntentState.ON_HOLD: ("#f1f5f9", "#94a3b8"),
    IntentState.COMPLETED: ("#ecfdf5", "#059669"),
    IntentState.CANCELLED: ("#f1f5f9", "#94a3b8"),
    IntentState.EXPIRED: ("#fef2f2", "#dc2626"),
    IntentState.SUPERSEDED: ("#f1f5f9", "#94a3b8"),
}
_STYLE = (
    "text{font-family:system-ui,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;font-size:12px;fill:#0f172a}"
    ".handle{font-weight:700}.faint{fill:#475569;font-size:11px}.edge{fill:none;stroke:#64748b;stroke-width:1.5}"
)
_ILLEGAL = frozenset({"Cc", "Cs", "Cf", "Co", "Cn"})


@dataclass(frozen=True, slots=True)
class Picture:
    """The document, and how many intents were left out of it."""

    text: str
    left_out: int = 0


def graph_svg(graph: Graph, limits: Limits) -> Picture:
    """The picture of at most `graph_nodes` intents, the most urgent ones."""
    kept = sorted(graph.nodes, key=urgency)[: limits.graph_nodes]
    ids = {row.id for row in kept}
    edges = [(one.prerequisite, one.dependent) for one in graph.edges if {one.prerequisite, one.dependent} <= ids]
    drawn = layout([row.id for row in kept], edges)
    places = _places(drawn)
    wide = 2 * MARGIN + len(drawn.columns) * (WIDTH + ACROSS) - ACROSS
    high = max((y + tall for _, y, tall in places.values()), default=TOP) + MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}">',
        f"<title>{escape(say('goals.svg.title'))}</title>",
        f"<style>{_STYLE}</style>",
        '<defs><marker id="end" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
        '<path d="M0 0L8 4L0 8z" fill="#64748b"/></marker></defs>',
        f'<rect width="{wide}" height="{high}" fill="#ffffff"/>',
        _text(MARGIN, MARGIN + 8, say("goals.svg.arrow"), "faint"),
        *(_arrow([places[one] for one in (start, *drawn.lanes[start, end], end)]) for start, end in edges),
        *(part for row in kept for part in _box(row, places[row.id], limits)),
        "</svg>\n",
    ]
    return Picture("\n".join(parts), len(graph.nodes) - len(kept))


def _places(drawn: Layout) -> dict[str, tuple[int, int, int]]:
    """Left, top and height of every box and lane."""
    lanes = {lane for way in drawn.lanes.values() for lane in way}
    found: dict[str, tuple[int, int, int]] = {}
    for depth, column in enumerate(drawn.columns):
        y = TOP
        for one in column:
            tall = LANE if one in lanes else HEIGHT
            found[one] = MARGIN + depth * (WIDTH + ACROSS), y, tall
            y += tall + GAP
    return found


def _arrow(way: Sequence[tuple[int, int, int]]) -> str:
    """From the right side of the first to the left side of the last, straight through the lanes between."""
    middles = [(x, y + tall // 2) for x, y, tall in way]
    x, y = middles[0][0] + WIDTH, middles[0][1]
    path, bend = [f"M{x} {y}"], ACROSS // 2
    for number, (left, middle) in enumerate(middles[1:], 1):
        last = number == len(middles) - 1
        end = left - 2 if last else left
        path.append(f"C{x + bend} {y} {end - bend} {middle} {end} {middle}")
        x, y = (end, middle) if last else (left + WIDTH, middle)
        if not last:
            path.append(f"H{x}")
    return f'<path class="edge" marker-end="url(#end)" d="{"".join(path)}"/>'


def _box(row: IntentObject, place: tuple[int, int, int], limits: Limits) -> Iterator[str]:
    x, y, _ = place
    fill, stroke = _FILLS[row.intent_state]
    wide = 3 if row.priority >= Priority.HIGH else 1.5
    dashes = ' stroke-dasharray="5 4"' if row.is_proposal or row.intent_state is IntentState.ON_HOLD else ""
    yield "<g>"
    yield f"<title>{escape(_clean(row.value))}</title>"
    yield (
        f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="6" fill="{fill}" stroke="{stroke}"'
        f' stroke-width="{wide}"{dashes}/>'
    )
    yield (
        f'<text x="{x + 10}" y="{y + 20}"><tspan class="handle">{escape(row.handle)}</tspan>'
        f'<tspan class="faint" dx="8">{escape(kind_words(row))}</tspan></text>'
    )
    for number, part in enumerate(words_in_box(row.value, limits.graph_chars), 1):
        yield _text(x + 10, y + 20 + number * LINE, part)
    yield _text(x + 10, y + HEIGHT - 9, _facts(row), "faint")
    yield "</g>"


def _facts(row: IntentObject) -> str:
    facts = [state_words(row)]
    if row.priority is not Priority.MEDIUM:
        facts.insert(0, priority_words(row.priority))
    if row.target_completion is not None:
        facts.append(say("goals.svg.due", day=row.target_completion.date().isoformat()))
    return " · ".join(facts)


def _text(x: int, y: int, words: str, kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{x}" y="{y}"{named}>{escape(words)}</text>'


def words_in_box(words: str, most: int) -> list[str]:
    """The words on up to three lines, cut where they have more than `most` units; a wide character has two."""
    clean = _clean(words)
    shown = _cut(clean, most)
    if shown != clean:
        shown = f"{shown[: len(_cut(shown, most - 1))].rstrip()}…"
    lines: list[str] = []
    for word in shown.split(" "):
        if lines and _units(lines[-1]) + 1 + _units(word) <= LINE_UNITS:
            lines[-1] += f" {word}"
            continue
        while _units(word) > LINE_UNITS:
            head = _cut(word, LINE_UNITS)
            lines.append(head)
            word = word[len(head) :]
        lines.append(word)
    if len(lines) > LINES:
        lines[LINES - 1 :] = [f"{_cut(lines[LINES - 1], LINE_UNITS - 1).removesuffix('…')}…"]
    return lines


def _clean(words: str) -> str:
    """What XML can hold, on one line, and nothing that turns the direction of the rest."""
    return " ".join("".join(char for char in words if unicodedata.category(char) not in _ILLEGAL).split())


def _cut(words: str, most: int) -> str:
    units = 0
    for at, char in enumerate(words):
        units += _units(char)
        if units > most:
            return words[:at]
    return words


def _units(words: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in words)
