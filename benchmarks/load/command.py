"""The command line of a measurement."""

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.load.measure import GROUPS

MUST = ("lost", "doubled", "wrong")


def run(prog: str, measure: Callable[..., dict[str, Any]], arguments: Sequence[str]) -> int:
    """Measure once and print what came of it; 1 where something was lost, doubled or wrong."""
    parser = argparse.ArgumentParser(prog=prog)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rate", type=float, default=50, help="messages a second")
    parser.add_argument("--intents", type=int, default=10_000)
    parser.add_argument("--groups", type=int, default=GROUPS, help="groups, or channels, in which people talk")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--floor-seconds", type=float, default=20)
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    given = vars(parser.parse_args(arguments))
    as_json = given.pop("json")
    with TemporaryDirectory() as folder:
        told = measure(Path(folder), **given)
    print(json.dumps(told, indent=None if as_json else 2))
    return 1 if any(told[key] for key in MUST) else 0
