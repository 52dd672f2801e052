"""The steps that run something of the project and count what came of it: replays, cases, kills, tests."""

import gzip
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.long.step import Desk, Skipped
from bots.bench import run
from tests.fakes.databases import MISSING, postgres_binaries, postgres_server

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "benchmarks" / "data"
CASES = ROOT / "tests" / "data" / "cases"
TOLD = "kills: "


def _postgres() -> bool:
    return bool(os.environ.get("REMEMBRANCER_TEST_PG")) or postgres_binaries()


@contextmanager
def _server(db: str) -> Iterator[str | None]:
    """The URL of a database server; None for SQLite."""
    if db == "sqlite":
        yield None
        return
    if not _postgres():
        raise Skipped(MISSING)
    with postgres_server() as url:
        yield url


def replay(desk: Desk, folder: str, label: str, db: str, turns: int | None = None) -> dict[str, Any]:
    """A workload of `benchmarks/data` against what should fire; `turns` None takes them all."""
    data = DATA / folder
    with TemporaryDirectory(dir=desk.work) as made, _server(db) as url:
        told, expected = (_some(data / f"{kind}-{label}.jsonl.gz", Path(made), turns) for kind in ("turns", "expected"))
        out = Path(made) / "out.jsonl"
        return run.replay(data / "intents.jsonl.gz", told, out, url, exact=True, expect=expected)


def _some(path: Path, folder: Path, lines: int | None) -> Path:
    if lines is None:
        return path
    with gzip.open(path, "rb") as source, gzip.open(folder / path.name, "wb") as target:
        target.writelines(islice(source, lines))
    return folder / path.name


def cases(desk: Desk, files: Sequence[str]) -> dict[str, Any]:
    """`remembrancer try` on every case of these files, compared with the answer that each tells."""
    wanted, differing, told = 0, [], 0
    for name in files:
        lines = (CASES / name).read_text(encoding="utf-8").splitlines()
        right = {case["id"]: case["match"] for case in map(json.loads, lines)}
        done = _run([sys.executable, "-m", "bots", "try", "--cases", str(CASES / name)], desk)
        answers = {line["id"]: line["match"] for line in map(json.loads, done.stdout.splitlines())}
        wanted, told = wanted + len(right), told + len(answers)
        differing += [key for key, match in right.items() if answers.get(key) is not match]
    return {"cases": wanted, "answered": told, "differing": len(differing), "which": differing[:20]}


def kills(desk: Desk, db: str, kills: int, seed: int) -> dict[str, Any]:
    """Kills of a working process; `wrong` counts what was not as it should be afterwards."""
    if db == "postgres" and not _postgres():
        raise Skipped(MISSING)
    done = _run(
        [sys.executable, "-m", "tests.fault.kills", "--kills", str(kills), "--seed", str(seed), "--db", db], desk
    )
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return {**told, "wrong": len(told["wrong"]), "which": told["wrong"][:20]}


def tests(desk: Desk, runs: Sequence[Sequence[str]]) -> dict[str, Any]:
    """Runs of pytest with these arguments each; how many tests passed, and what they printed of kills."""
    total = {"passed": 0, "failed": 0, "skipped": 0}
    seen: dict[str, Any] = {"runs": len(runs), "each": [], "which": [], "told": []}
    for number, arguments in enumerate(runs, 1):
        desk.tell(f"run {number} of {len(runs)}: pytest {' '.join(arguments)}")
        counts, failed, told = _pytest(arguments, desk)
        total = {key: value + counts[key] for key, value in total.items()}
        seen["each"].append(", ".join(f"{value} {key}" for key, value in counts.items()))
        seen["which"] += failed
        seen["told"] += told
    return {**total, **{key: value for key, value in seen.items() if value}}


FAILURE_LINES = 80
"""So many last lines of a run that failed are told: the figures keep the names of the tests alone."""


def _pytest(arguments: Sequence[str], desk: Desk) -> tuple[dict[str, int], list[str], list[str]]:
    with TemporaryDirectory(dir=desk.work) as made:
        report = Path(made) / "report.xml"
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "--durations=0",
            "--durations-min=60",
            "--junitxml",
            str(report),
        ]
        done = _run([*command, *arguments], desk, codes=(0, 1))
        for line in done.stdout.splitlines()[-FAILURE_LINES:] if done.returncode else ():
            desk.tell(line)
        cases = list(ElementTree.parse(report).getroot().iter("testcase"))
    failed = [case for case in cases if case.find("failure") is not None or case.find("error") is not None]
    skipped = sum(case.find("skipped") is not None for case in cases)
    counts = {"passed": len(cases) - len(failed) - skipped, "failed": len(failed), "skipped": skipped}
    names = [f"{case.get('classname')}::{case.get('name')}" for case in failed]
    return counts, names, [line for line in done.stdout.splitlines() if line.startswith(TOLD)]


def _run(command: Sequence[str], desk: Desk, codes: Sequence[int] = (0, 1)) -> subprocess.CompletedProcess[str]:
    """Run to the end; CalledProcessError, with the last lines told, for another exit code than these."""
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in codes:
        for line in done.stdout.splitlines()[-20:]:
            desk.tell(line)
        raise subprocess.CalledProcessError(done.returncode, list(command))
    return done
