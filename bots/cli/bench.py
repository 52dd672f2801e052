"""`remembrancer bench turns|replay`: measurements on a private database that is dropped afterwards."""

from pathlib import Path
from typing import Annotated

import typer

from bots.cli.output import JsonFlag, print_json

app = typer.Typer(help="Measure the matcher on a private database, dropped afterwards.")

Database = Annotated[
    str | None,
    typer.Option("--db", help="Where to make the private database; PostgreSQL: an empty database suffices."),
]


@app.command()
def turns(
    intents: Annotated[int, typer.Option(min=1, max=1_000_000, help="How many rules.")] = 1_000,
    turns: Annotated[int, typer.Option(min=1, max=1_000_000, help="How many messages.")] = 2_000,
    seed: Annotated[int, typer.Option(help="The same seed makes the same workload.")] = 1,
    hit_rate: Annotated[float, typer.Option(min=0, max=1, help="Share of messages that fire.")] = 0.02,
    db: Database = None,
    as_json: JsonFlag = False,
) -> None:
    """Make a seeded workload, replay it, and print figures (always JSON, in microseconds)."""
    del as_json
    from bots.bench.run import own

    print_json(own(intents, turns, seed, hit_rate, db))


@app.command()
def replay(
    intents: Annotated[Path, typer.Option(help="JSON lines, gzip accepted.")],
    turns: Annotated[Path, typer.Option(help="JSON lines, gzip accepted.")],
    out: Annotated[Path, typer.Option(help="One line a turn is written here.")],
    db: Database = None,
    exact: Annotated[bool, typer.Option("--exact", help="Word forms off.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Replay a workload from files and print figures (always JSON, in microseconds)."""
    del as_json
    from bots.bench.run import replay as run

    print_json(run(intents, turns, out, db, exact))
