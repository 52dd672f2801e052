"""`docs/rfc-0013-conformance.md` is whole and true: every row and decision, and the tests that there are."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROW = re.compile(r"^\| ([RD])(\d+) \| (.+?) \| (.+) \|$", re.MULTILINE)
NAMED = re.compile(r"`([\w/]+\.py)`: ((?:`\w+`(?:, )?)+)")
OPEN = {"R30", "R32", "D17"}
HALF_OPEN = {"R4", "R5", "R8", "R28"}


def table():
    """{row: what stands under "where"}."""
    text = (ROOT / "docs" / "rfc-0013-conformance.md").read_text(encoding="utf-8")
    found = ROW.findall(text)
    assert len(found) == len({kind + number for kind, number, _, _ in found})
    return {kind + number: where for kind, number, _, where in found}


def named(where):
    """Pairs of file and test."""
    return {(file, name) for file, names in NAMED.findall(where) for name in re.findall(r"`(\w+)`", names)}


def written():
    """{row: the tests that bear its number}."""
    found = {}
    for path in (ROOT / "tests" / "conformance").glob("test_rfc0013*.py"):
        for name in re.findall(r"^def (test_[rd]\d\d_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE):
            row = name[5].upper() + str(int(name[6:8]))
            found.setdefault(row, set()).add((f"conformance/{path.name}", name))
    return found


def test_every_row_and_every_decision_stands_in_the_table_once():
    assert set(table()) == {f"R{n}" for n in range(1, 34)} | {f"D{n}" for n in range(1, 21)}


def test_every_row_has_the_tests_that_bear_its_number_and_no_others():
    tests = written()
    for row, where in table().items():
        of_ours = {one for one in named(where) if one[0].startswith("conformance/")}
        assert of_ours == tests.get(row, set()), row


def test_only_what_needs_extraction_or_a_comparison_is_open():
    for row, where in table().items():
        assert ("**open**" in where) == (row in OPEN | HALF_OPEN), row
        assert bool(named(where)) == (row not in OPEN), row


def test_every_test_that_is_named_exists():
    for where in table().values():
        for file, name in named(where):
            source = (ROOT / "tests" / file).read_text(encoding="utf-8")
            assert f"def {name}(" in source, (file, name)
