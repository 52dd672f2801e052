"""`remembrancer audit verify|replay|export`."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from bots.aside import written
from bots.cli.output import JsonFlag, counted, print_json, print_line, print_note, print_table
from bots.cli.replayed import as_data as replay_data
from bots.cli.replayed import print_replay
from bots.cli.session import database_of, opened
from core.audit.exported import Head, verify_lines
from core.catalogue import say
from core.errors import InvalidInput
from core.operations.log import ChainReport
from core.services.audit import VerifyAudit
from core.services.export_audit import ExportAudit
from core.services.replay import ReplayAudit

if TYPE_CHECKING:
    from core.ports import Tx
    from storage.chains import Chain

OWNER_ONLY = 0o600
KINDS = frozenset({"space", "private_channel", "direct", "system"})
app = typer.Typer(help="The append-only operation log.")


@app.callback()
def audit() -> None:
    """The append-only operation log."""


@app.command()
def verify(
    ctx: typer.Context,
    file: Annotated[
        Path | None, typer.Option(help="Verify a file that `audit export` wrote; no database is opened.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Walk every hash chain and name the first broken row of each.

    The exit code is 1 when a chain is broken. The walk itself is put on record, as one more row; that of a file is not.
    """
    if file is not None:
        with _read(file) as lines:
            found = verify_lines(lines)
        _tell(found.reports, found.heads, {"file": str(file.resolve()), "database": found.database}, as_json)
        return
    from storage.chains import chains_in

    with opened(ctx, as_json) as opened_app:
        reports = VerifyAudit(opened_app.context)()
        chains = chains_in(opened_app.store)  # after: nothing that was verified can be missing in it
        database = database_of(opened_app.settings)
        if opened_app.store.read_only and not as_json:
            print_note(say("storage.unrecorded"))
    _tell(reports, chains, {"database": database}, as_json)


@app.command()
def replay(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """Rebuild every row from the log alone, and compare.

    Names each row and field that differs, and each operation that does not follow from those before it; then the exit
    code is 1. Nothing is written.
    """
    with opened(ctx, as_json) as opened_app:
        report = ReplayAudit(opened_app.context)()
        database = database_of(opened_app.settings)
    if as_json:
        print_json({"database": database, **replay_data(report)})
    else:
        print_replay(report)
    if not report.equal:
        raise typer.Exit(1)


@app.command()
def export(
    ctx: typer.Context,
    out: Annotated[
        Path | None, typer.Option(help="Write to this new file, for your eyes only. Default: print.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="With --out: print JSON about what was written.")] = False,
) -> None:
    """Export the log and its evidence, one JSON object a line.

    Words are told by content id and salted hash. `audit verify --file` verifies the file where there is no database.
    """
    if out is not None and out.is_file():
        raise InvalidInput(say("exported.exists", path=out), say("exported.exists.hint"))
    with opened(ctx, as_json) as opened_app:
        database = database_of(opened_app.settings)
        lines = ExportAudit(opened_app.context)(installed_version("remembrancer"), database, _heads)
        if out is None:
            _write(sys.stdout, lines)
            return
        with written(out, "portable.unwritable", OWNER_ONLY) as file:
            operations, events = _write(file, lines)
    if as_json:
        told = {"database": database, "written": str(out.resolve()), "operations": operations, "events": events}
        print_json(told)
    else:
        counts = {"operations": counted("operation", operations), "events": counted("event", events)}
        print_line(say("exported.written", path=out, **counts))


def _write(file: TextIO, lines: Iterator[str]) -> tuple[int, int]:
    """Write the lines of an export; how many operations and events they tell."""
    operations = events = 0
    for line in lines:
        operations += line.startswith('{"kind":"operation"')
        events += line.startswith('{"kind":"event"')
        file.write(f"{line}\n")
    return operations, events


def _heads(tx: "Tx") -> Sequence[Head]:
    from storage.chains import chains_of

    chains = chains_of(tx)
    names = tx.operations.namespaces()
    return [Head(name, chains[name].kind, chains[name].place, *tx.operations.head(name)) for name in names]


@contextmanager
def _read(path: Path) -> Iterator[TextIO]:
    try:
        with path.open(encoding="utf-8") as lines:
            yield lines
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else error.reason
        raise InvalidInput(say("config.unreadable", path=path, why=why), say("exported.unreadable.hint")) from error


def holds(report: ChainReport) -> bool:
    """Whether a chain is whole."""
    return report.bad is None and not report.why


def _tell(
    reports: Sequence[ChainReport], chains: "Mapping[str, Chain | Head]", about: Mapping[str, object], as_json: bool
) -> None:
    broken = [report for report in reports if not holds(report)]
    if as_json:
        told = [_as_data(report, chains[report.namespace_id]) for report in reports]
        print_json({**about, "holds": not broken, "chains": told})
    else:
        _print(reports, broken, chains)
    if broken:
        raise typer.Exit(1)


def _print(reports: Sequence[ChainReport], broken: list[ChainReport], chains: "Mapping[str, Chain | Head]") -> None:
    print_table(
        say("audit.columns").split(", "),
        [
            (
                chains[report.namespace_id].place,
                _kind(chains[report.namespace_id]),
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


def _kind(chain: "Chain | Head") -> str:
    return say(f"audit.kind.{chain.kind}") if chain.kind in KINDS else chain.kind


def _told(report: ChainReport, chain: "Chain | Head") -> str:
    kind = _kind(chain)
    where = say("audit.where", kind=kind, place=chain.place) if chain.place else kind
    row = report.bad
    if row is None or row.sequence_num == report.rows:  # every row holds, and the end is another
        return say("audit.end", where=where, why=report.why)
    number, rows = row.sequence_num, max(chain.rows, row.sequence_num)
    return say("audit.row", where=where, number=number, rows=rows, type=row.op_type, id=row.id, why=report.why)


def _as_data(report: ChainReport, chain: "Chain | Head") -> dict[str, object]:
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
