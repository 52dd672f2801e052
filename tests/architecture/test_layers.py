"""Imports run one way: bots -> adapters, storage, config -> core; core is pure."""

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.sources import PACKAGES, ROOT, modules

pytestmark = pytest.mark.thorough

RUN = "from importlinter.cli import lint_imports_command as run; run()"


def lint_imports(root: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-c", RUN, "--no-cache", "--config", str(root / "pyproject.toml")],
        cwd=root,
        env={"PYTHONPATH": str(root), "PATH": "/usr/bin:/bin", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_contracts_hold() -> None:
    result = lint_imports(ROOT)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("core/wrong.py", "import sqlalchemy", "core is pure BROKEN"),
        ("core/wrong.py", "import asyncio", "core is pure BROKEN"),
        ("core/wrong.py", "import config.paths", "imports run one way BROKEN"),
        ("adapters/console/wrong.py", "import storage.types", "imports run one way BROKEN"),
        ("adapters/console/wrong.py", "import adapters.discord", "adapters do not know each other BROKEN"),
        ("core/services/wrong.py", "import core.wording.words", "rooms of core BROKEN"),
        ("core/standing/wrong.py", "import core.services.tick", "rooms of core BROKEN"),
        ("core/operations/wrong.py", "import core.standing.intent", "rooms of core BROKEN"),
    ],
)
def test_a_wrong_import_breaks_its_contract(module: str, line: str, contract: str, tmp_path: Path) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / module).write_text(f"{line}\n")
    result = lint_imports(tmp_path)
    assert result.returncode == 1, result.stdout + result.stderr
    assert contract in result.stdout


def test_core_uses_three_pure_libraries_and_the_standard_library_only() -> None:
    allowed = set(sys.stdlib_module_names) | {"core", "regex", "Stemmer", "rfc8785"}
    for name, tree in modules("core"):
        for node in ast.walk(tree):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{name}: relative import"
                names = [node.module or ""]
            for imported in names:
                assert imported.split(".")[0] in allowed, f"{name} imports {imported}"


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_says_that_it_is_typed(package: str) -> None:
    assert (ROOT / package / "py.typed").is_file()
