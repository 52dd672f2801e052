"""Only `bots/runtime.py` reads the clock, makes ids or draws random numbers."""

import ast
import re
from collections.abc import Iterator

import pytest

from tests.architecture.sources import ROOT, modules, tracked

pytestmark = pytest.mark.thorough

RUNTIME = "bots/runtime.py"
CLOCKS = {"datetime.now", "datetime.utcnow", "datetime.today", "date.today"}
CLOCKS |= {f"time.{name}" for name in ("time", "time_ns", "localtime", "gmtime", "ctime", "strftime")}
CHANCE = {"os.urandom", "random.SystemRandom", "os.getrandom"}
SOURCES = {"secrets", "uuid", "uuid_utils"}
# Measuring how long something took is no reading of the clock; core does not even do that.
STOPWATCHES = {f"time.{name}" for name in ("monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns")}
SQL_CLOCKS = re.compile(
    r"\bCURRENT_(?:TIMESTAMP|TIME|DATE)\b|\bnow\(\)|datetime\('now|strftime\([^)]*'now|\brandom\(\)|func\.now",
    re.I,
)


def dotted(node: ast.AST) -> str:
    """`a.b.c` of an attribute chain, `` for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        head = dotted(node.value)
        return f"{head}.{node.attr}" if head else ""
    return ""


def readings(tree: ast.Module, more: frozenset[str] = frozenset()) -> Iterator[str]:
    """Every place of a module that reads the clock or chance."""
    wrong = CLOCKS | CHANCE | more
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (f"{node.lineno}: import {n.name}" for n in node.names if n.name.split(".")[0] in SOURCES)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            if node.module.split(".")[0] in SOURCES or names & wrong:
                yield f"{node.lineno}: from {node.module}"
            yield from (f"{node.lineno}: {n}" for n in names if n.startswith("random.") and n != "random.Random")
        elif isinstance(node, ast.Call):
            name = dotted(node.func)
            if any(name == bad or name.endswith(f".{bad}") for bad in wrong):
                yield f"{node.lineno}: {name}()"
            elif name.startswith("random.") and not (name == "random.Random" and node.args):
                yield f"{node.lineno}: {name}() without a seed"
        elif isinstance(node, ast.Attribute) and dotted(node) in wrong:
            yield f"{node.lineno}: {dotted(node)}"


def test_only_the_runtime_reads_clock_and_chance() -> None:
    found = {
        str(name): list(readings(tree))
        for name, tree in modules()
        if name.as_posix() != RUNTIME and list(readings(tree))
    }
    assert found == {}


def test_core_does_not_even_hold_a_stopwatch() -> None:
    found = {str(name): list(readings(tree, frozenset(STOPWATCHES))) for name, tree in modules("core")}
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_no_statement_asks_the_database_for_the_time() -> None:
    for name in tracked():
        if name.parts[0] == "storage" and name.suffix == ".py":
            text = (ROOT / name).read_text(encoding="utf-8")
            assert not SQL_CLOCKS.search(text), f"{name}: {SQL_CLOCKS.search(text)}"


@pytest.mark.parametrize(
    "source",
    [
        "import datetime\ndatetime.datetime.now()",
        "from datetime import datetime\ndatetime.now(UTC)",
        "from time import time",
        "import time\nclock = time.time",
        "import uuid",
        "from secrets import token_hex",
        "import random\nrandom.random()",
        "import random\nrandom.Random()",
        "from random import choice",
        "import os\nos.urandom(3)",
    ],
)
def test_a_reading_is_found(source: str) -> None:
    assert list(readings(ast.parse(source)))


@pytest.mark.parametrize(
    "source",
    ["import random\nrandom.Random(7)", "clock.now()", "self.ctx.clock.now()", "import time\ntime.sleep(1)"],
)
def test_what_reads_nothing_is_left_alone(source: str) -> None:
    assert not list(readings(ast.parse(source)))
