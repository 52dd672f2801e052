"""Runs the long run:  python -m benchmarks.long [STEP ...] [--list] [--render] [--again] [--size full|medium|small]

`scripts/test --long` calls it with the commit and the date. Each step runs in a process of its own; its result is
kept at once, so that a run that was interrupted goes on with what is missing.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.long.keep import DONE, Kept, Record
from benchmarks.long.machine import machine
from benchmarks.long.render import met, render
from benchmarks.long.step import SIZES, Desk, Sheet, Skipped, Step
from benchmarks.long.steps import BY_NAME, SHEETS, STEPS

ROOT = Path(__file__).resolve().parents[2]
LAST_LINES = 5


def tell(text: str) -> None:
    """How far it is."""
    print(f"long: {text}", file=sys.stderr, flush=True)


@dataclass(frozen=True, slots=True)
class Run:
    """One long run: where results are kept and told, and of what."""

    kept: Kept
    out: Path
    size: str
    commit: str
    date: str
    steps: Mapping[str, Step]
    sheets: Sequence[Sheet] = SHEETS

    def __call__(self, names: Sequence[str]) -> bool:
        """Run the steps that have no result yet; answers whether all of them are as they must be."""
        well = True
        for name in names:
            step = self.steps[name]
            record = self.known(step)
            if record is not None and record["status"] == DONE:
                tell(f"{name}: done before")
            else:
                tell(f"{name}: {step.what}")
                record = self._take(step)
                self.kept.write(record)
                tell(f"{name}: {record['status']} in {record['seconds']} s")
            well = well and (record["status"] == "skipped" or met(step, record))
            self.render()
        return well

    def known(self, step: Step) -> Record | None:
        """What is kept of a step."""
        return self.kept.read(step.name, step.parameters(self.size))

    def _take(self, step: Step) -> Record:
        """Run one step in a process of its own."""
        answer = self.kept.folder / f"{step.name}.answer"
        answer.unlink(missing_ok=True)
        command = [sys.executable, "-m", "benchmarks.long", "--one", str(answer), "--size", self.size, step.name]
        start = time.perf_counter()
        with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as child:
            assert child.stderr is not None
            told: list[str] = []
            for line in child.stderr:
                sys.stderr.write(line)
                told = [*told[1 - LAST_LINES :], line.rstrip()]
        record: Record = {
            "step": step.name,
            "parameters": step.parameters(self.size),
            "commit": self.commit,
            "date": self.date,
            "seconds": round(time.perf_counter() - start, 1),
            "machine": machine(),
        }
        if child.returncode == 0 and answer.exists():
            record |= json.loads(answer.read_text(encoding="utf-8"))
        else:
            record |= {"status": "failed", "error": "\n".join([f"exit code {child.returncode}", *told])}
        answer.unlink(missing_ok=True)
        return record

    def render(self) -> None:
        """Write the sheets of which there is something to tell."""
        for sheet in self.sheets:
            told = [(self.steps[name], self.known(self.steps[name])) for name in sheet.steps if name in self.steps]
            records = [record for _, record in told if record is not None]
            if not records:
                continue
            measured = records[-1]["machine"]
            head = {"commit": self.commit, "date": records[-1]["date"], "size": self.size}
            head |= {key: str(value) for key, value in measured.items()}
            self.out.mkdir(parents=True, exist_ok=True)
            (self.out / f"{sheet.name}.txt").write_text(render(sheet, told, head), encoding="utf-8")


def one(step: Step, size: str, answer: Path) -> None:
    """Run one step here; what came of it goes to the file `answer`."""
    found: dict[str, Any]
    try:
        found = {"status": DONE, "result": step.run(Desk(answer.parent, tell), **step.parameters(size))}
    except Skipped as reason:
        found = {"status": "skipped", "reason": str(reason)}
    answer.write_text(json.dumps(found), encoding="utf-8")


def main(arguments: Sequence[str]) -> int:
    """0: all is as it must be; 1: a step failed, or found something wrong; 2: wrong usage."""
    parser = argparse.ArgumentParser(prog="scripts/test --long", description="Every figure at full size, resumable.")
    parser.add_argument("steps", nargs="*", metavar="STEP", help="only these (default: all)")
    parser.add_argument("--list", action="store_true", help="name the steps, and end")
    parser.add_argument("--render", action="store_true", help="tell what is known, and end")
    parser.add_argument("--again", action="store_true", help="run these steps anew, even if they are done")
    parser.add_argument("--size", choices=SIZES, default="full")
    parser.add_argument("--work", type=Path, default=ROOT / ".long", help="where results are kept")
    parser.add_argument("--out", type=Path, help="where the text goes (full size: docs/evidence; else: where kept)")
    parser.add_argument("--commit", default="unknown")
    parser.add_argument("--date", default="unknown")
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if unknown := [name for name in given.steps if name not in BY_NAME]:
        parser.error(f"no such step: {', '.join(unknown)} (see --list)")
    if given.one:
        one(BY_NAME[given.steps[0]], given.size, given.one.resolve())
        return 0
    if given.list:
        print("\n".join(f"{step.name:<24} {step.what}" for step in STEPS))
        return 0
    return _run(given)


def _run(given: argparse.Namespace) -> int:
    kept = Kept.of(given.work.resolve(), given.commit)
    out = given.out or (ROOT / "docs" / "evidence" if given.size == "full" else kept.folder)
    run = Run(kept, out, given.size, given.commit, given.date, BY_NAME)
    names = given.steps or list(BY_NAME)
    if given.again:
        for name in names:
            kept.forget(name, BY_NAME[name].parameters(given.size))
    well = True if given.render else run(names)
    run.render()
    return 0 if well else 1


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        tell("interrupted; the next run goes on with what is missing")
        sys.exit(130)
