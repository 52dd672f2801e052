"""Nobody else's distribution may ship one of our top-level names."""

import importlib.util
import sys
from collections.abc import Iterable
from importlib.metadata import Distribution, distributions
from pathlib import Path

import pytest

from tests.architecture.sources import PACKAGES, ROOT

NAMES = (*PACKAGES, "tests")


def shippers(installed: Iterable[Distribution]) -> dict[str, set[str]]:
    """Which distributions other than ours put a file or folder with one of our names at the top."""
    found: dict[str, set[str]] = {}
    for distribution in installed:
        name = distribution.metadata["Name"]
        for file in distribution.files or ():
            top = file.parts[0].removesuffix(".py")
            if top in NAMES and name.lower() != "remembrancer":
                found.setdefault(top, set()).add(name)
    return found


def test_no_other_distribution_ships_one_of_our_names() -> None:
    assert shippers(distributions()) == {}


@pytest.mark.parametrize("name", PACKAGES)
def test_a_name_of_ours_is_imported_from_here(name: str) -> None:
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    assert Path(spec.origin).resolve().parent == ROOT / name


@pytest.mark.parametrize("file", ["core/__init__.py", "config.py", "tests/helper.py"])
def test_a_distribution_that_ships_one_is_found(file: str, tmp_path: Path) -> None:
    info = tmp_path / "other-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1.0\n")
    (info / "RECORD").write_text(f"{file},,\nother-1.0.dist-info/METADATA,,\n")
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).touch()
    found = shippers(distributions(path=[str(tmp_path)]))
    assert list(found.values()) == [{"other"}]


def test_this_is_a_supported_python() -> None:
    assert (3, 11) <= sys.version_info[:2] < (3, 14)
