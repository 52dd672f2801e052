"""What the architecture tests look at."""

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("bots", "core", "adapters", "storage", "config")
SKIPPED = {"__pycache__", ".venv", ".git", "node_modules", "site", "dist"}


@cache
def tracked() -> tuple[Path, ...]:
    """Files that are or would be under version control, relative to the root."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode == 0 and listed.stdout:
        names = {Path(name) for name in listed.stdout.split("\0") if name}
    else:  # an unpacked archive
        names = {path.relative_to(ROOT) for path in ROOT.rglob("*") if not SKIPPED & set(path.parts)}
    return tuple(sorted(name for name in names if (ROOT / name).is_file()))


def modules(*packages: str) -> Iterator[tuple[Path, ast.Module]]:
    """Every module of these packages (of all five when none is named), parsed."""
    for name in tracked():
        if name.suffix == ".py" and name.parts[0] in (packages or PACKAGES):
            yield name, ast.parse((ROOT / name).read_text(encoding="utf-8"))
