"""`remembrancer bench turns|replay`: measurements on a private database that is dropped afterwards."""

from pathlib import Path
from typing import Annotated

import typer

from bots.cli.output import AlwaysJsonFlag, counted, print_json, print_note
from core.catalogue import say

app = typer.Typer(help="Measure the matcher on a private database, dropped afterwards.")

Database = Annotated[
    str | None,
    typer.Option("--db", help="Where to make the private database; PostgreSQL: an empty database suffices."),
]


ReadFile = typer.Option(exists=True, dir_okay=False, readable=True, help="JSON lines, gzip accepted.")
ExpectFile = typer.Option(
    exists=True, dir_okay=False, readable=True, help="What should fire, one line a turn; compared with what does."
)


@app.command()
def turns(
    intents: Annotated[int, typer.Option(min=1, max=1_000_000, help="How many rules.")] = 1_000,
    turns: Annotated[int, typer.Option(min=1, max=1_000_000, help="How many messages.")] = 2_000,
    seed: Annotated[int, typer.Option(help="The same seed makes the same workload.")] = 1,
    hit_rate: Annotated[float, typer.Option(min=0, max=1, help="Share of messages that fire.")] = 0.02,
    db: Database = None,
    as_json: AlwaysJsonFlag = False,
) -> None:
    """Replay a seeded workload of our own and print figures.

    They are JSON, in microseconds, with and without --json.
    """
    del as_json
    from bots.bench.run import own

    print_json(own(intents, turns, seed, hit_rate, db))


@app.command()
def replay(
    intents: Annotated[Path, ReadFile],
    turns: Annotated[Path, ReadFile],
    out: Annotated[Path, typer.Option(help="One line a turn is written here.")],
    expect: Annotated[Path | None, ExpectFile] = None,
    db: Database = None,
    exact: Annotated[bool, typer.Option("--exact", help="Word forms off.")] = False,
    as_json: AlwaysJsonFlag = False,
) -> None:
    """Replay a workload from files and print figures.

    They are JSON, in microseconds, with and without --json. With --expect they say how many turns fired otherwise
    than the file tells ("differing"); a sentence on stderr says the same, and the exit code is 1 if any did.
    """
    del as_json
    from bots.bench.run import replay as run

    summary = run(intents, turns, out, db, exact, expect)
    print_json(summary)
    if expect is None:
        return
    differing, told = summary["differing"], counted("turn", summary["turns"])
    print_note(say("bench.differ", differing=differing, turns=told) if differing else say("bench.same", turns=told))
    if differing:
        raise typer.Exit(1)
