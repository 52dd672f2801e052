"""The steps of goal memory: the graph, the bundle, the log and its replay, conformance and random histories."""

from benchmarks.long import figures
from benchmarks.long.step import Aim, Step
from benchmarks.long.tested import slow, tested

SEED = {"seed": 1}

GOALS = (
    Step(
        "goal-cycles",
        "5,000 edges between 1,000 goals in layers, and 100 that would close a circle, checked by networkx",
        figures.cycles,
        {"nodes": 1_000, "edges": 5_000, "circles": 100, **SEED},
        {},
        {"nodes": 40, "edges": 60, "circles": 10},
        (
            Aim("circles that were let in", "let_in", 0, must=True),
            Aim("edges that were refused wrongly", "refused_wrongly", 0, must=True),
            Aim("stored edges that differ", "differing", 0, must=True),
            Aim("edges out of topological order", "disordered", 0, must=True),
            Aim("intents on the longest path", "deepest", 10),
        ),
    ),
    Step(
        "bundle-1000",
        "bundles of a namespace with 1,000 open goals, for messages of forty words, beside indexed point reads",
        figures.bundle,
        {"rules": 1_000, "intents": 1_000, "bundles": 10_000, **SEED},
        {"bundles": 2_000},
        {"rules": 200, "intents": 60, "bundles": 40},
        (Aim("wall p50 over that of a point read", "ratios/bundle_wall", 100, "x"),),
    ),
    Step(
        "log-100000",
        "verifying and replaying a log of 100,000 operations that the program wrote, beside reading the same rows",
        figures.log,
        {"operations": 100_000, **SEED},
        {"operations": 10_000},
        {"operations": 400},
        (
            Aim("seconds of `audit verify`", "verify/seconds", 15, " s"),
            Aim("seconds of `audit replay`", "replay/seconds", 90, " s"),
            Aim("rows, fields and operations that differ", "differing", 0, must=True),
        ),
    ),
    tested(
        "goal-conformance",
        "conformance with RFC-0013 on both databases, races and kills of goals",
        "tests/conformance|-k|rfc0013|-m|slow or not slow",
        "tests/fault|-k|goal|-m|slow or not slow",
    ),
    tested("goal-histories", "10,000 random histories of goals", slow("tests/property/test_goal_machine.py")),
)
