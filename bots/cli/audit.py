"""`remembrancer audit verify`."""

import typer

from bots.cli.output import JsonFlag, print_json, print_line, print_table
from bots.cli.session import opened
from core.catalogue import say
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
        say("audit.columns").split(", "),
        [
            (report.namespace_id, report.rows, say("audit.holds" if holds(report) else "audit.broken"))
            for report in reports
        ],
    )
    for report in broken:
        print_line(_told(report))
    rows = sum(report.rows for report in reports)
    print_line(say("audit.total", chains=len(reports), rows=rows, broken=len(broken)))


def _told(report: ChainReport) -> str:
    row = report.bad
    if row is None:
        return say("audit.end", namespace=report.namespace_id, why=report.why)
    return say(
        "audit.row",
        namespace=report.namespace_id,
        number=row.sequence_num,
        type=row.op_type,
        id=row.id,
        why=report.why,
    )


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
