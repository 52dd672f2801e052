"""The table of report ids is whole and true: `docs/reports.md` against the reports and the tests that there are."""

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
REPORTS = ROOT / "tests" / "data" / "cases" / "reports.jsonl"
KINDS = "match cooldown expiry explain preview scope loop permission sqlite reminder time scheduler safety stats io ux"
COVERED = frozenset(KINDS.split(" ")) | {
    "telegram",
    "discord",
    "delivery",
    "goal/commitment",
    "goal/escalation",
    "goal/ids",
    "goal/ack",
    "goal/target",
    "goal/quiet-hours",
}
REFUSED = {"T005", "T043", "T079", "T099", "T115"}
ROW = re.compile(r"^\| (T\d{3}) \| (\S+) \| (.+) \|$", re.MULTILINE)


def table():
    return {found[1]: (found[2], found[3]) for found in ROW.finditer((ROOT / "docs" / "reports.md").read_text())}


def reports():
    return {row["id"]: row["kind"] for row in map(json.loads, REPORTS.read_text(encoding="utf-8").splitlines())}


def test_every_report_stands_in_the_table_once_with_its_kind():
    assert {report: kind for report, (kind, _) in table().items()} == reports()
    text = (ROOT / "docs" / "reports.md").read_text()
    assert len(ROW.findall(text)) == len(reports()) == 124


def test_every_test_in_the_table_exists_and_bears_the_id():
    for report, (_, where) in table().items():
        for file, names in re.findall(r"`([\w/]+\.py)`: ((?:`\w+`(?:, )?)+)", where):
            source = (ROOT / "tests" / file).read_text(encoding="utf-8")
            for name in re.findall(r"`(\w+)`", names):
                assert f"def {name}(" in source, (report, file, name)
                assert report.lower() in name


def test_every_report_of_a_kind_that_is_built_has_a_test_or_is_refused():
    decision = (ROOT / "docs" / "decisions" / "0032-reports-that-are-refused.md").read_text()
    for report, (kind, where) in table().items():
        if not {kind, kind.partition("/")[0]} & COVERED:
            continue
        if report in REFUSED:
            assert where.startswith("refused") and f"**{report}," in decision
        else:
            assert "`test_" in where and "comes with" not in where, report
