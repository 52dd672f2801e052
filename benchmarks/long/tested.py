"""Steps that run tests of the project."""

from benchmarks.long import commands
from benchmarks.long.step import Aim, Step

FAILED = Aim("failed tests", "failed", 0, must=True)


def tested(name: str, what: str, *runs: str, times: int = 1) -> Step:
    """Runs of pytest, each with arguments that a `|` parts, so many times."""
    every = [run.split("|") for run in runs] * times
    small = {"runs": [["tests/unit/bots/test_runtime.py"]]}
    return Step(name, what, commands.tests, {"runs": every}, {}, small, (FAILED,))


def seeded(count: int, path: str) -> tuple[str, ...]:
    """So many runs of the tests in a file, each with a seed of its own."""
    return tuple(f"--hypothesis-seed={seed}|{path}" for seed in range(1, count + 1))


def slow(path: str) -> str:
    """The slow tests of a file."""
    return f"--hypothesis-seed=1|-m|slow|{path}"
