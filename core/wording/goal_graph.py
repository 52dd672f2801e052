"""What waits for what, as a tree for the terminal. Pure.

An intent that nothing waits for stands at the left, below it what it waits for. One that several wait for is drawn
once, and referred to after.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from core.goals.objects import IntentObject
from core.limits import Limits
from core.services.read_goals import Graph
from core.wording.goals import goal_text, what_words
from core.wording.lines import Line, Mood, line
from core.wording.words import capital

_FORK, _LAST, _DOWN, _OPEN = "├─ ", "└─ ", "│  ", "   "


def below(graph: Graph) -> dict[str, list[IntentObject]]:
    """By the id of each intent that waits, what it waits for; urgent ones first."""
    nodes = {row.id: row for row in graph.nodes}
    found: dict[str, list[IntentObject]] = {}
    for edge in graph.edges:
        found.setdefault(edge.dependent, []).append(nodes[edge.prerequisite])
    return {key: sorted(rows, key=urgency) for key, rows in found.items()}


def urgency(row: IntentObject) -> tuple[int, bool, float, int]:
    """Urgent ones first, then what is due first, then the oldest."""
    due = row.target_completion
    return (-row.priority, due is None, 0.0 if due is None else due.timestamp(), row.key)


def graph_lines(graph: Graph, limits: Limits) -> list[Line]:
    """The tree, at most `graph_lines` of it, words cut at `graph_chars`; what stands alone comes last."""
    if not graph.nodes:
        return [line("goal.graph.empty", Mood.FAINT)]
    children = below(graph)
    waited = {edge.prerequisite for edge in graph.edges}
    roots = [row for row in sorted(graph.nodes, key=urgency) if row.id not in waited]
    trees = [row for row in roots if row.id in children]
    alone = [row for row in roots if row.id not in children]
    tree = _Tree(children, limits.graph_chars)
    lines = [line("goal.graph.head", Mood.FAINT)] if trees else []
    drawn = [one for row in trees for one in tree.draw(row, "", "")]
    if alone and trees:
        drawn.append(line("goal.graph.alone", Mood.FAINT))
    drawn += [one for row in alone for one in tree.draw(row, "", "")]
    kept, cut = drawn[: limits.graph_lines], len(drawn) - limits.graph_lines
    lines += kept
    return [*lines, line("goal.graph.cut", Mood.FAINT, count=cut)] if cut > 0 else lines


@dataclass(slots=True)
class _Tree:
    children: Mapping[str, list[IntentObject]]
    chars: int
    seen: set[str] = field(default_factory=set)

    def draw(self, row: IntentObject, head: str, rest: str) -> Iterator[Line]:
        """A node and all below it; `head` stands before its line, `rest` before those below."""
        if row.id in self.seen:
            yield line("goal.graph.again", Mood.FAINT, lines=head, handle=row.handle)
            return
        self.seen.add(row.id)
        text = goal_text(row) if len(row.value) <= self.chars else f"{capital(row.value)[: self.chars - 1]}…"
        yield line("goal.graph.row", lines=head, handle=row.handle, text=text, what=what_words(row))
        children = self.children.get(row.id, [])
        for number, child in enumerate(children, 1):
            last = number == len(children)
            yield from self.draw(child, rest + (_LAST if last else _FORK), rest + (_OPEN if last else _DOWN))
