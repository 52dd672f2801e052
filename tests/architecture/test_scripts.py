"""The scripts that set up and start: what they refuse, and what they pass on."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT

TOOLS = ("bash", "dirname", "cat", "cksum", "mktemp", "rm", "grep", "tail", "ls", "env")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """What the scripts need of a clone, in a path with a space."""
    root = tmp_path / "a clone"
    shutil.copytree(ROOT / "scripts", root / "scripts")
    for name in ("pyproject.toml", "requirements.lock", "requirements-dev.lock"):
        shutil.copy(ROOT / name, root)
    return root


def run(script: Path, *arguments: str, path: str = os.environ["PATH"], **environment: str) -> tuple[int, str]:
    done = subprocess.run(
        ["bash", str(script), *arguments],
        cwd="/",
        env={"PATH": path, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return done.returncode, done.stdout + done.stderr


def with_tools_only(folder: Path) -> str:
    folder.mkdir()
    for tool in TOOLS:
        found = shutil.which(tool)
        assert found is not None
        (folder / tool).symlink_to(found)
    return str(folder)


def stub(root: Path, name: str, text: str) -> None:
    file = root / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/usr/bin/env bash\n{text}\n")
    file.chmod(0o755)


def test_without_a_python_the_set_up_says_which_it_needs(clone: Path, tmp_path: Path) -> None:
    code, told = run(clone / "scripts" / "setup", path=with_tools_only(tmp_path / "bin"))
    assert code == 1
    assert "needs Python 3.11, 3.12 or 3.13" in told
    assert not (clone / ".venv").exists()


def test_a_python_that_is_too_old_or_too_new_is_passed_over(clone: Path, tmp_path: Path) -> None:
    path = with_tools_only(tmp_path / "bin")
    for name in ("python3", "python"):
        stub(tmp_path / "bin", name, "exit 1")
    assert "needs Python 3.11" in run(clone / "scripts" / "setup", path=path)[1]


def test_a_folder_that_is_no_environment_is_never_cleared(clone: Path, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "letter").write_text("dear Ada")
    code, told = run(clone / "scripts" / "setup", REMEMBRANCER_VENV=str(precious))
    assert code == 1
    assert "not a virtual environment" in told
    assert (precious / "letter").read_text() == "dear Ada"


def test_a_set_up_of_an_unknown_kind_is_refused(clone: Path) -> None:
    assert run(clone / "scripts" / "setup", "everything") == (1, "usage: scripts/setup run|dev\n")


def test_the_test_script_passes_its_arguments_on(clone: Path) -> None:
    stub(clone, "scripts/setup", '[ "$1" = dev ]')
    stub(clone, ".venv/bin/python", 'printf "<%s>" "$PWD" "$@"')
    code, told = run(clone / "scripts" / "test", "tests/a b", "--slow", "-k", "x and y")
    assert code == 0
    expected = ["-m", "pytest", "-n", "3", "tests/a b", "-m", "slow or not slow", "-k", "x and y"]
    assert told == f"<{clone}>" + "".join(f"<{word}>" for word in expected)
    assert "<-n><2>" in run(clone / "scripts" / "test", "--thorough")[1]
    assert "<--cov-fail-under=95>" in run(clone / "scripts" / "test", "--coverage")[1]
    assert run(clone / "scripts" / "test", "--coverage", "--long")[1].endswith("<-m><slow or not slow>")


def test_the_long_run_is_told_of_which_commit_it_is_and_when(clone: Path) -> None:
    stub(clone, "scripts/setup", '[ "$1" = dev ]')
    stub(clone, ".venv/bin/python", 'printf "<%s>" "$PWD" "$@"')
    code, told = run(clone / "scripts" / "test", "--long", "--size", "small", "a step")
    assert code == 0
    assert re.fullmatch(
        rf"<{re.escape(str(clone))}><-m><benchmarks\.long><--commit><unknown>"
        r"<--date><\d{4}-\d\d-\d\d \d\d:\d\d UTC><--size><small><a step>",
        told,
    )


def test_a_tree_that_is_not_its_commit_has_results_of_its_own(clone: Path) -> None:
    stub(clone, "scripts/setup", "exit 0")
    stub(clone, ".venv/bin/python", 'printf "%s" "$4"')
    who = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b"}
    who |= {"GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b", "PATH": os.environ["PATH"]}
    for command in ("init -q", "add pyproject.toml", "commit -qm one"):
        subprocess.run(["git", *command.split()], cwd=clone, env=who, check=True, capture_output=True)
    clean = run(clone / "scripts" / "test", "--long")[1]
    assert re.fullmatch(r"[0-9a-f]{12}", clean)
    (clone / "pyproject.toml").write_text("other")
    assert re.fullmatch(rf"{clean}\+\d+", run(clone / "scripts" / "test", "--long")[1])


def test_the_set_up_names_the_command_that_was_typed(clone: Path, tmp_path: Path) -> None:
    path = with_tools_only(tmp_path / "bin")
    for name in ("chat", "test", "check"):
        assert run(clone / "scripts" / name, path=path)[1].rstrip().endswith(f"scripts/{name}")


def test_the_test_tools_are_added_to_an_environment_that_runs_the_program(clone: Path, tmp_path: Path) -> None:
    venv = tmp_path / "venv"
    stub(venv, "bin/python", "exit 0")
    assert "Setting up Remembrancer in" in run(clone / "scripts" / "setup", "run", REMEMBRANCER_VENV=str(venv))[1]
    assert run(clone / "scripts" / "setup", "run", REMEMBRANCER_VENV=str(venv)) == (0, "")
    assert "Adding the test tools to" in run(clone / "scripts" / "setup", "dev", REMEMBRANCER_VENV=str(venv))[1]
    assert run(clone / "scripts" / "setup", "dev", REMEMBRANCER_VENV=str(venv)) == (0, "")


def test_everything_runs_in_order_and_the_tests_have_the_last_word(clone: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / ".ci", clone / ".ci")
    bin_folder = tmp_path / "bin"
    for name in ("apt-get", "tmux", "id"):
        stub(bin_folder, name, "echo 0")
    for name in ("setup", "check", "test"):
        stub(clone, f"scripts/{name}", f'echo "{name}:$*:$REMEMBRANCER_REQUIRE_SERVICES"')
    stub(clone, ".venv/bin/python", "exit 0")
    stub(clone, "scripts/test", 'echo "test:$*:$REMEMBRANCER_REQUIRE_SERVICES"; exit 3')
    path = f"{bin_folder}:{os.environ['PATH']}"
    code, told = run(clone / ".ci" / "run", "-k", "x", path=path, DEBIAN_FRONTEND="noninteractive")
    assert code == 3
    assert told.splitlines()[-3:] == ["setup:dev:1", "check::1", "test:--thorough --coverage -k x:1"]
    stub(clone, "scripts/check", "exit 1")
    assert run(clone / ".ci" / "run", path=path)[0] == 1


def test_the_chat_script_passes_its_arguments_on_and_needs_no_tools_of_developers(clone: Path) -> None:
    stub(clone, "scripts/setup", '[ "$1" = run ]')
    stub(clone, ".venv/bin/remembrancer", 'printf "<%s>" "$@"')
    assert run(clone / "scripts" / "chat", "--demo", "--file", "a b") == (0, "<chat><--demo><--file><a b>")
