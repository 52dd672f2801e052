"""The long run: each step gives its figures, what is done is not done again, what fails is told."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from benchmarks.long import __main__ as long
from benchmarks.long.keep import Kept
from benchmarks.long.machine import machine
from benchmarks.long.render import met, render
from benchmarks.long.step import Aim, Desk, Sheet, Skipped, Step
from benchmarks.long.steps import BY_NAME, SHEETS, STEPS

pytestmark = pytest.mark.thorough

PERCENTILES = {"p50", "p95", "p99"}
KEYS: dict[str, tuple[str, ...]] = {
    "goal-cycles": ("edge/wall_us", "refusal/wall_us", "check/cpu_us", "floors/read_by_handle/wall_us"),
    "turns-10000": ("without_hits/wall_us", "without_hits/cpu_us", "floors/point_read/wall_us", "thread_hop/wall_us"),
    "turns-crowded-10000": ("without_hits/wall_us", "floors/point_read/cpu_us"),
    "turns-growth": ("few/wall_us", "many/wall_us"),
    "fires-100000": ("fires_1/wall_us", "fires_2/wall_us", "fires_3/cpu_us", "floors/read_update_insert/wall_us"),
    "long-message": ("prose/analysis_ms", "prose/turn_ms", "many_scripts/turn_ms"),
    "bundle-1000": ("bundle/wall_us", "bundle/cpu_us", "after_a_change/wall_us", "floors/point_read/wall_us"),
    "create": ("create/wall_us", "floors/insert_row/wall_us"),
    "tick-idle": ("tick_ms",),
    "tick-expired": ("held_ms", "waited/asking_ms", "waited/patient_ms", "readers_turns_meanwhile/wall_us"),
    "tick-cooled": ("held_ms", "readers_turns_alone/wall_us"),
}
COUNTS: dict[str, dict[str, int]] = {
    "goal-cycles": {"refused": 10, "edges": 60},
    "fires-100000": {"fires_1/fires": 20, "fires_2/fires": 40, "fires_3/fires": 60},
    "create": {"created": 40},
    "tick-idle": {"rows_moved": 0},
    "tick-expired": {"report/expired": 50, "due": 50},
    "tick-cooled": {"report/expired": 0, "due": 50},
}
DONE = {"status": "done", "parameters": {"seed": 1}, "seconds": 1.5, "date": "then", "machine": {"cores": "2"}}
HEAD = {"commit": "abc", "date": "then"}


def at(result: dict[str, Any], path: str) -> Any:
    found: Any = result
    for key in path.split("/"):
        found = found[key]
    return found


def taken(step: Step, folder: Path) -> dict[str, Any]:
    return step.run(Desk(folder, lambda _text: None), **step.parameters("small"))


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the steps of this module keep the databases that they copy."""
    return tmp_path_factory.mktemp("work")


@pytest.mark.thorough
@pytest.mark.parametrize("name", sorted(KEYS))
def test_a_step_gives_percentiles_of_figure_and_floor(name: str, work: Path) -> None:
    result = taken(BY_NAME[name], work)
    for path in KEYS[name]:
        assert set(at(result, path)) >= PERCENTILES, path
    assert all(aim.value(result) is not None for aim in BY_NAME[name].aims)
    assert all(at(result, path) == value for path, value in COUNTS.get(name, {}).items())
    assert not list(work.glob("world-copy-*"))


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["replay-h02-sqlite", "cases", "load-1000000", "log-100000", "goal-cycles", "tests"])
def test_a_step_that_counts_finds_nothing_wrong(name: str, work: Path) -> None:
    step, result = BY_NAME[name], taken(BY_NAME[name], work)
    assert met(step, {"status": "done", "result": result})
    assert all(aim.value(result) is not None for aim in step.aims)


def test_memory_is_sampled_and_its_slope_told(work: Path) -> None:
    result = taken(BY_NAME["growth"], work)
    assert (result["turns"], len(result["samples_kib"])) == (300, 6)
    assert set(result["rss_kib"]) == {"first", "last", "max", "slope"}


def test_every_step_is_told_in_a_sheet_and_has_a_name_of_its_own() -> None:
    assert len(BY_NAME) == len(STEPS)
    assert {name for sheet in SHEETS for name in sheet.steps} == set(BY_NAME)


def plain(name: str, run: Any, **more: Any) -> Step:
    return Step(name, f"the step {name}", run, {"seed": 1}, **more)


def a_run(folder: Path, steps: dict[str, Step], commit: str = "abc") -> long.Run:
    sheet = Sheet("09-sheet", "A sheet", tuple(steps))
    return long.Run(Kept.of(folder / "work", commit), folder / "out", "full", commit, "today", steps, [sheet])


class Took(long.Run):
    """A run that notes which steps it takes, and takes them in this process."""

    def _take(self, step: Step) -> dict[str, Any]:
        TAKEN.append(step.name)
        record = {"step": step.name, "parameters": step.parameters(self.size), "commit": self.commit}
        record |= {"date": self.date, "seconds": 0.1, "machine": {"cores": "2"}}
        answer = self.kept.folder / "answer"
        try:
            long.one(step, self.size, answer)
        except ZeroDivisionError as error:
            return {**record, "status": "failed", "error": str(error)}
        return record | json.loads(answer.read_text())


TAKEN: list[str] = []


def took(folder: Path, steps: dict[str, Step], *names: str, commit: str = "abc") -> tuple[bool, list[str], str]:
    TAKEN.clear()
    base = a_run(folder, steps, commit)
    run = Took(base.kept, base.out, base.size, base.commit, base.date, base.steps, base.sheets)
    well = run(names or tuple(steps))
    return well, list(TAKEN), (folder / "out" / "09-sheet.txt").read_text()


def test_a_step_that_is_done_is_not_run_again_and_another_commit_starts_anew(tmp_path: Path) -> None:
    steps = {name: plain(name, lambda _desk, seed: {"value": seed}) for name in ("one", "two")}
    assert took(tmp_path, steps, "one")[1] == ["one"]
    well, ran, told = took(tmp_path, steps)
    assert (well, ran) == (True, ["two"])
    assert "not run" not in told
    assert took(tmp_path, steps, commit="def")[1] == ["one", "two"]


def test_a_step_that_fails_is_told_and_tried_again_and_the_rest_goes_on(tmp_path: Path) -> None:
    steps = {"bad": plain("bad", lambda _desk, seed: seed / 0), "good": plain("good", lambda _desk, seed: {"v": 1})}
    well, ran, told = took(tmp_path, steps)
    assert (well, ran) == (False, ["bad", "good"])
    assert "outcome    failed" in told
    assert "error      division by zero" in told
    assert took(tmp_path, steps)[1] == ["bad"]


def test_a_step_that_cannot_run_here_is_skipped_with_its_reason(tmp_path: Path) -> None:
    def missing(_desk: Desk, seed: int) -> dict[str, Any]:
        raise Skipped(f"no server {seed}")

    well, _, told = took(tmp_path, {"one": plain("one", missing)})
    assert well
    assert "reason     no server 1" in told


def test_a_sheet_tells_figures_ratios_and_whether_the_aims_are_met() -> None:
    aims = (Aim("ratio", "ratios/wall", 6, "x"), Aim("time", "ms/p99", 5, " ms"), Aim("lost", "none", 0))
    step = plain("one", None, aims=aims)
    result = {"ms": {"p50": 1.0, "p95": 2.5, "p99": 7.0}, "ratios": {"wall": 5.5}, "kib": list(range(100))}
    told = render(Sheet("09", "A sheet", ()), [(step, {**DONE, "result": result}), (plain("two", None), None)], HEAD)
    assert "ratio: 5.5x, at most 6x: met" in told
    assert "time: 7 ms, at most 5 ms: MISSED" in told
    assert "lost: not measured, at most 0: MISSED" in told
    assert "p50 1  p95 2.5  p99 7" in told
    assert "scripts/test --long one" in told
    assert "with       seed 1" in told
    assert told.count("not run") == 1


def test_what_must_be_right_makes_the_run_fail_and_what_is_slow_does_not(tmp_path: Path) -> None:
    for must, right in ((True, False), (False, True)):
        steps = {"one": plain("one", lambda _desk, seed: {"value": 2}, aims=(Aim("it", "value", 1, must=must),))}
        assert took(tmp_path / str(must), steps)[0] is right


def test_large_databases_of_other_commits_are_thrown_away_and_results_are_not(tmp_path: Path) -> None:
    old = Kept.of(tmp_path, "old").folder
    for name in ("world-10-1-own.db", "world-10-1-own.db.json", "turns-0.json"):
        (old / name).touch()
    Kept.of(tmp_path, "new")
    assert [path.name for path in old.iterdir()] == ["turns-0.json"]


def test_a_record_that_is_broken_is_no_record(tmp_path: Path) -> None:
    kept = Kept.of(tmp_path, "abc")
    kept.path("one", {}).write_text("{")
    assert kept.read("one", {}) is None


def test_the_machine_is_told_without_its_name() -> None:
    told = machine()
    assert {"cores", "python", "sqlite", "postgresql"} <= set(told)
    assert os.uname().nodename not in told.values()


def test_the_command_runs_a_step_in_a_process_of_its_own(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    where = ["--work", str(tmp_path / "work"), "--size", "small", "--commit", "abc", "--date", "today"]
    assert long.main([*where, "load-1000000"]) == 0
    told = (tmp_path / "work" / "abc" / "02-hardening.txt").read_text()
    assert "load-1000000" in told
    assert "seconds: " in told
    assert long.main([*where, "load-1000000"]) == 0
    assert "load-1000000: done before" in capfd.readouterr().err
    kept, step = Kept.of(tmp_path / "work", "abc"), BY_NAME["load-1000000"]
    assert long.main([*where, "--again", "--render", "load-1000000"]) == 0
    assert kept.read(step.name, step.parameters("small")) is None


def test_the_command_lists_its_steps_and_refuses_others(capsys: pytest.CaptureFixture[str]) -> None:
    assert long.main(["--list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(BY_NAME)
    with pytest.raises(SystemExit) as ended:
        long.main(["nothing"])
    assert ended.value.code == 2
