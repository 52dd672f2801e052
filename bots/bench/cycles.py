"""What `remembrancer bench cycles` measures: a large graph of goals, and edges that would close a circle in it.

The graph lies in layers inside the limits (RFC-0013, section 12): every edge leads from a layer to a deeper one, so
that no path has more than `goal_depth` intents, and none has more than `goal_dependents` dependents. Every edge goes
through the service with its check, its operation and its commit. networkx judges what came of it.
"""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from random import Random
from typing import Any

from bots.bench.figures import Sample, pair, timed
from bots.bench.replay import ReplayClock, moment
from bots.bench.workload import START_MS
from bots.runtime import SystemIds
from core.catalogue import say
from core.errors import InvalidInput, RemembrancerError
from core.goals.dependencies import DependencyCycle
from core.goals.objects import GoalDraft, IntentObject, IntentType
from core.limits import LIMITS
from core.services.add_goal import AddGoal
from core.services.context import Context
from core.services.goal_edges import DependGoal
from core.turn import Actor, ActorType, Principal, Where
from storage.unit_of_work import SqlStore

FLOOR_SAMPLES = 1_000
WHERE = Where("bench", "bench", "goals", "goals", "goals")
WHO = Principal("bench", "bench", "ada")
ACTOR = Actor(ActorType.HUMAN_USER, "ada", "ada", WHO, is_owner=True)
Pair = tuple[int, int]
"""A dependent and its prerequisite, by number."""


def cycles(store: SqlStore, nodes: int, edges: int, circles: int, seed: int) -> dict[str, Any]:
    """Add the nodes, the edges and, among them, edges that would close a circle; `refused` is how many were.

    `refused_wrongly` are edges that close no circle, `let_in` circles that were not refused, `differing` stored edges
    that should not be there or are missing, `disordered` those that lead backwards in the order that networkx finds.
    Raises InvalidInput where so many edges do not fit, or networkx is not there.
    """
    judge = _Judge()
    rng = Random(seed)  # noqa: S311  # a workload, no secret
    ctx = Context(store, ReplayClock(moment(START_MS)), SystemIds())
    wanted = _layered(rng, nodes, edges)
    rows = [
        AddGoal(ctx)(GoalDraft(IntentType.GOAL, f"Goal number {n} of the graph."), ACTOR, WHERE) for n in range(nodes)
    ]
    depend = DependGoal(ctx)
    counts: Counter[str] = Counter()
    added: list[Sample] = []
    refused: list[Sample] = []
    for number, (edge, circle) in enumerate(zip(wanted, _spread(edges, circles), strict=True)):
        sample, why = timed(partial(_try, depend, rows, edge, number % 2 == 1))
        added.append(sample)
        counts["refused_wrongly"] += why is not None
        if why is None:
            judge.add(edge)
        if not circle:
            continue
        back = judge.circle(rng, edge)
        sample, why = timed(partial(_try, depend, rows, back, number % 4 == 1))
        refused.append(sample)
        counts["refused"] += isinstance(why, DependencyCycle)
        counts["let_in"] += not isinstance(why, DependencyCycle)
    with store.read() as tx:
        stored = {(edge.dependent, edge.prerequisite) for edge in tx.goals.edges((rows[0].namespace_id,))}
    should = {(rows[a].id, rows[b].id) for a, b in wanted}
    return {
        "seed": seed,
        "nodes": nodes,
        "edges": edges,
        "circles": circles,
        "refused": counts["refused"],
        "refused_wrongly": counts["refused_wrongly"],
        "let_in": counts["let_in"],
        "differing": len(stored ^ should),
        "disordered": judge.disordered({row.id for row in rows}, stored),
        "deepest": judge.deepest(),
        "edge": pair(added),
        "refusal": pair(refused),
        **_checks(store, rows, rng.choices(wanted, k=FLOOR_SAMPLES)),
    }


def _checks(store: SqlStore, rows: list[IntentObject], edges: list[Pair]) -> dict[str, Any]:
    """The look for a circle and for the depth alone, in the finished graph, beside reading one intent by its handle."""
    checks: list[Sample] = []
    reads: list[Sample] = []
    with store.read() as tx:
        keys = [row.key for row in tx.goals.by_ids([row.id for row in rows])]

        def look(dependent: int, prerequisite: int) -> None:
            tx.goals.path(prerequisite, dependent)
            tx.goals.levels(dependent, below=False, limit=LIMITS.goal_depth)
            tx.goals.levels(prerequisite, below=True, limit=LIMITS.goal_depth)

        for a, b in edges:
            checks.append(timed(partial(look, keys[a], keys[b]))[0])
            reads.append(timed(partial(tx.goals.by_handle, rows[a].handle))[0])
    return {"check": pair(checks), "floors": {"read_by_handle": pair(reads)}}


def _try(depend: DependGoal, rows: list[IntentObject], edge: Pair, backwards: bool) -> RemembrancerError | None:
    """Add an edge, said from its one side or the other; what it was refused with."""
    dependent, prerequisite = (rows[number].handle for number in edge)
    try:
        if backwards:
            depend(prerequisite, (dependent,), ACTOR, WHERE, blocks=True)
        else:
            depend(dependent, (prerequisite,), ACTOR, WHERE)
    except RemembrancerError as error:
        return error
    return None


def _layered(rng: Random, nodes: int, edges: int) -> list[Pair]:
    """Different edges from a layer to a deeper one, within the limits of dependents and prerequisites."""
    depth = min(LIMITS.goal_depth, nodes)
    layer = [number * depth // nodes for number in range(nodes)]
    above: Counter[int] = Counter()
    below: Counter[int] = Counter()
    found: dict[Pair, None] = {}
    tries = 0
    while len(found) < edges:
        tries += 1
        if tries > edges * 200:
            raise InvalidInput(say("bench.cycles.full", edges=edges, nodes=nodes), say("bench.cycles.full.hint"))
        a, b = sorted(rng.sample(range(nodes), 2))
        free = above[b] < LIMITS.goal_dependents and below[a] < LIMITS.goal_prerequisites
        if layer[a] < layer[b] and (a, b) not in found and free:
            found[(a, b)] = None
            above[b] += 1
            below[a] += 1
    return list(found)


def _spread(edges: int, circles: int) -> Iterator[bool]:
    """After which edges a circle is tried: evenly, the last one after the last edge."""
    for number in range(edges):
        yield (number + 1) * circles // edges > number * circles // edges


class _Judge:
    """The same graph in networkx, which none of our code knows."""

    def __init__(self) -> None:
        try:
            self._nx: Any = import_module("networkx")
        except ImportError:
            raise InvalidInput(say("bench.networkx"), say("bench.networkx.hint")) from None
        self._graph: Any = self._nx.DiGraph()

    def add(self, edge: Pair) -> None:
        """An edge that was let in."""
        self._graph.add_edge(*edge)

    def circle(self, rng: Random, edge: Pair) -> Pair:
        """An edge that would close a circle now: from the end of some way through `edge` back to its beginning."""
        starts = sorted(self._nx.ancestors(self._graph, edge[0]) | {edge[0]})
        ends = sorted(self._nx.descendants(self._graph, edge[1]) | {edge[1]})
        return rng.choice(ends), rng.choice(starts)

    def disordered(self, nodes: set[str], edges: set[tuple[str, str]]) -> int:
        """How many edges lead backwards in an order in which nothing comes after what it waits for; all in a circle."""
        graph = self._nx.DiGraph()
        graph.add_nodes_from(sorted(nodes))
        graph.add_edges_from(sorted(edges))
        try:
            place = {node: number for number, node in enumerate(self._nx.topological_sort(graph))}
        except self._nx.NetworkXUnfeasible:
            return len(edges)
        return sum(place[a] >= place[b] for a, b in edges)

    def deepest(self) -> int:
        """How many intents the longest path has."""
        return int(self._nx.dag_longest_path_length(self._graph)) + 1
