"""What lies in the repository, and what never does."""

import os
import re
import tomllib

import pytest

from tests.architecture.sources import ROOT, tracked

TOP_LEVEL = {
    ".ci", ".gitignore", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "NOTICE", "README.md", "adapters",
    "benchmarks", "bots", "changes", "config", "core", "docs", "mkdocs.yml", "pyproject.toml",
    "requirements-dev.lock", "requirements.lock", "scripts", "storage", "tests",
}  # fmt: skip
SCRIPTS = (
    ".ci/run",
    "scripts/chat",
    "scripts/check",
    "scripts/lock",
    "scripts/pictures",
    "scripts/setup",
    "scripts/test",
)
BINARY = {".png", ".gz", ".ico", ".db", ".jpg", ".woff2"}
# Put together here, so that this file does not hold them.
MACHINE = re.compile("|".join((r"(?<![\w.])/wor" + r"k/", r"/roo" + r"t/", r"(?<![\w.])/op" + r"t/", r"\.pyen" + r"v")))
OUTSIDE = re.compile(r"\.\./shar" + r"ed|/shar" + r"ed/")
HOSTS = re.compile("|".join(("pypi" + r"\.org", "python" + "hosted", "npm" + r"js\.", "conda" + r"\.io")))
PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([^ ;\\]+)", re.M)


def texts() -> list[tuple[str, str]]:
    found = []
    for name in tracked():
        if name.suffix not in BINARY:
            found.append((name.as_posix(), (ROOT / name).read_text(encoding="utf-8", errors="surrogateescape")))
    return found


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(lock: str) -> dict[str, str]:
    return {normal(name): version for name, version in PINNED.findall((ROOT / lock).read_text(encoding="utf-8"))}


def entries(lock: str) -> list[str]:
    text = (ROOT / lock).read_text(encoding="utf-8").replace("\\\n", " ")
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]


def test_the_top_level_is_what_it_was() -> None:
    assert {name.parts[0] for name in tracked()} - TOP_LEVEL == set()


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_can_be_run_and_stops_at_the_first_error(script: str) -> None:
    assert os.access(ROOT / script, os.X_OK)
    assert "set -euo pipefail" in (ROOT / script).read_text(encoding="utf-8")


@pytest.mark.parametrize("pattern", [MACHINE, OUTSIDE, HOSTS], ids=["machine", "outside", "hosts"])
def test_no_file_names_a_place_of_one_machine_or_a_package_host(pattern: re.Pattern[str]) -> None:
    found = {name: match.group() for name, text in texts() if (match := pattern.search(text))}
    assert found == {}


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_a_lock_holds_versions_and_hashes_and_no_addresses(lock: str) -> None:
    assert len(entries(lock)) > 30
    for entry in entries(lock):
        assert PINNED.match(entry), entry[:80]
        assert "--hash=sha256:" in entry, entry[:80]
        assert "://" not in entry, entry[:80]


def test_the_locks_hold_every_dependency_and_agree() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    run, dev = pins("requirements.lock"), pins("requirements-dev.lock")
    for wanted, lock in ((project["dependencies"], run), (project["optional-dependencies"]["dev"], dev)):
        for requirement in wanted:
            assert normal(re.split(r"[\[<>=~! ]", requirement)[0]) in lock, requirement
    assert run.items() <= dev.items()


def test_the_build_backend_is_locked_so_that_installing_the_project_needs_no_network() -> None:
    assert "hatchling" in pins("requirements.lock")
    assert "--no-build-isolation" in (ROOT / "scripts" / "setup").read_text(encoding="utf-8")


def test_the_set_up_installs_wheels_only_and_checks_every_hash() -> None:
    setup = (ROOT / "scripts" / "setup").read_text(encoding="utf-8")
    assert "--require-hashes --only-binary=:all:" in setup


def test_the_licence_is_whole() -> None:
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "Apache License" in licence
    assert "END OF TERMS AND CONDITIONS" in licence
    assert "wordfreq" in (ROOT / "NOTICE").read_text(encoding="utf-8")


def test_every_decision_is_listed_and_half_a_page_long() -> None:
    folder = ROOT / "docs" / "decisions"
    index = (folder / "README.md").read_text(encoding="utf-8")
    for path in folder.glob("0*.md"):
        assert path.name in index
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 45
