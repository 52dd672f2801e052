"""`remembrancer audit verify`."""

import typer

from bots.cli.output import JsonFlag, print_json, print_line, print_table
from bots.cli.session import opened
from core.operations.log import ChainReport
from core.services.audit import VerifyAudit

app = typer.Typer(help="The append-only operation log.")


@app.callback()
def audit() -> None:
    """The append-only operation log."""


@app.command()
def verify(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """Walk every hash chain and name the first row of each that does not fit (then the exit code is 1)."""
    with opened(ctx) as opened_app:
        reports = VerifyAudit(opened_app.context)()
    broken = [report for report in reports if not holds(report)]
    if as_json:
        print_json({"holds": not broken, "chains": [_as_data(report) for report in reports]})
    else:
        _print(reports, broken)
    if broken:
        raise typer.Exit(1)


def holds(report: ChainReport) -> bool:
    """Whether a chain is whole."""
    return report.bad is None and not report.why


def _print(reports: tuple[ChainReport, ...], broken: list[ChainReport]) -> None:
    print_table(
        ("namespace", "rows", "chain"),
        [(report.namespace_id, report.rows, "holds" if holds(report) else "BROKEN") for report in reports],
    )
    for report in broken:
        row = report.bad
        place = f"row {row.sequence_num} ({row.op_type}, id {row.id})" if row is not None else "its end"
        print_line(f"{report.namespace_id}: {place}: {report.why}.")
    rows = sum(report.rows for report in reports)
    print_line(f"{len(reports)} chains, {rows} rows verified, {len(broken)} broken.")


def _as_data(report: ChainReport) -> dict[str, object]:
    bad = report.bad
    return {
        "namespace": report.namespace_id,
        "rows": report.rows,
        "head": report.head,
        "holds": holds(report),
        "bad": None if bad is None else {"sequence_num": bad.sequence_num, "id": bad.id, "op_type": bad.op_type},
        "why": report.why,
    }
