"""`remembrancer audit verify`."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import typer

from bots.cli.output import JsonFlag, counted, print_json, print_line, print_note, print_table
from bots.cli.session import database_of, opened
from core.catalogue import say
from core.operations.log import ChainReport
from core.services.audit import VerifyAudit

if TYPE_CHECKING:
    from storage.chains import Chain

app = typer.Typer(help="The append-only operation log.")


@app.callback()
def audit() -> None:
    """The append-only operation log."""


@app.command()
def verify(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """Walk every hash chain and name the first broken row of each.

    The exit code is 1 when a chain is broken. The walk itself is put on record, as one more row.
    """
    from storage.chains import chains_in

    with opened(ctx, as_json) as opened_app:
        reports = VerifyAudit(opened_app.context)()
        chains = chains_in(opened_app.store)  # after: nothing that was verified can be missing in it
        database = database_of(opened_app.settings)
        if opened_app.store.read_only and not as_json:
            print_note(say("storage.unrecorded"))
    broken = [report for report in reports if not holds(report)]
    if as_json:
        told = [_as_data(report, chains[report.namespace_id]) for report in reports]
        print_json({"database": database, "holds": not broken, "chains": told})
    else:
        _print(reports, broken, chains)
    if broken:
        raise typer.Exit(1)


def holds(report: ChainReport) -> bool:
    """Whether a chain is whole."""
    return report.bad is None and not report.why


def _print(reports: tuple[ChainReport, ...], broken: list[ChainReport], chains: "Mapping[str, Chain]") -> None:
    print_table(
        say("audit.columns").split(", "),
        [
            (
                chains[report.namespace_id].place,
                say(f"audit.kind.{chains[report.namespace_id].kind}"),
                report.rows,
                say("audit.holds" if holds(report) else "audit.broken"),
            )
            for report in reports
        ],
    )
    for report in broken:
        print_line(_told(report, chains[report.namespace_id]))
    rows = sum(report.rows for report in reports)
    counts = counted("chain", len(reports)), counted("row", rows)
    print_line(say("audit.total", chains=counts[0], rows=counts[1], broken=len(broken)))


def _told(report: ChainReport, chain: "Chain") -> str:
    kind = say(f"audit.kind.{chain.kind}")
    where = say("audit.where", kind=kind, place=chain.place) if chain.place else kind
    row = report.bad
    if row is None or row.sequence_num == report.rows:  # every row holds, and the end is another
        return say("audit.end", where=where, why=report.why)
    number, rows = row.sequence_num, max(chain.rows, row.sequence_num)
    return say("audit.row", where=where, number=number, rows=rows, type=row.op_type, id=row.id, why=report.why)


def _as_data(report: ChainReport, chain: "Chain") -> dict[str, object]:
    bad = report.bad
    return {
        "namespace": report.namespace_id,
        "kind": chain.kind,
        "place": chain.place,
        "length": chain.rows,
        "rows": report.rows,
        "head": report.head,
        "holds": holds(report),
        "bad": None if bad is None else {"sequence_num": bad.sequence_num, "id": bad.id, "op_type": bad.op_type},
        "why": report.why,
    }
