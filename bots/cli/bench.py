"""`remembrancer bench`: measurements on a private database that is dropped afterwards."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bots.cli.output import AlwaysJsonFlag, counted, print_json, print_note
from core.catalogue import say
from core.limits import LIMITS

if TYPE_CHECKING:
    from storage.unit_of_work import SqlStore

app = typer.Typer(help="Measure the matcher on a private database, dropped afterwards.")

Database = Annotated[
    str | None,
    typer.Option("--db", help="Where to make the private database; PostgreSQL: an empty database suffices."),
]
Intents = Annotated[int, typer.Option(min=1, max=1_000_000, help="How many rules.")]
Seed = Annotated[int, typer.Option(help="The same seed makes the same workload.")]
ReadFile = typer.Option(exists=True, dir_okay=False, readable=True, help="JSON lines, gzip accepted.")
ExpectFile = typer.Option(
    exists=True, dir_okay=False, readable=True, help="What should fire, one line a turn; compared with what does."
)


@app.command()
def turns(
    intents: Intents = 1_000,
    turns: Annotated[int, typer.Option(min=1, max=1_000_000, help="How many messages.")] = 2_000,
    seed: Seed = 1,
    hit_rate: Annotated[float, typer.Option(min=0, max=1, help="Share of messages that fire.")] = 0.02,
    spaces: Annotated[
        int | None, typer.Option(min=4, max=10_000, help="In how many spaces (default: two for each 1,000 rules).")
    ] = None,
    db: Database = None,
    as_json: AlwaysJsonFlag = False,
) -> None:
    """Replay a seeded workload of our own and print figures.

    They are JSON, in microseconds, with and without --json.
    """
    del as_json
    from bots.bench.run import own

    print_json(own(intents, turns, seed, hit_rate, db, spaces))


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


@app.command()
def fires(
    intents: Intents = 10_000,
    turns: Annotated[int, typer.Option(min=1, max=1_000_000, help="How many messages of each kind.")] = 200,
    seed: Seed = 1,
    db: Database = None,
    as_json: AlwaysJsonFlag = False,
) -> None:
    """Measure messages that fire one, two and three rules.

    Beside them stands the least transaction.

    The figures are JSON, in microseconds, with and without --json.
    """
    del as_json
    from bots.bench.measure import fires as measured

    with _filled(db, intents, seed) as (store, _):
        print_json({"intents": intents, **measured(store, turns, seed)})


@app.command()
def create(
    intents: Intents = 1_000,
    count: Annotated[int, typer.Option(min=1, max=100_000, help="How many rules are created.")] = 500,
    seed: Seed = 1,
    db: Database = None,
    as_json: AlwaysJsonFlag = False,
) -> None:
    """Measure creating a rule beside inserting its bare row.

    The figures are JSON, in microseconds, with and without --json.
    """
    del as_json
    from bots.bench.measure import create as measured

    with _filled(db, intents, seed) as (store, _):
        print_json({"intents": intents, **measured(store, count, seed)})


@app.command("long-message")
def long_message(
    intents: Intents = 1_000,
    messages: Annotated[int, typer.Option(min=1, max=100_000, help="How many messages of each kind.")] = 50,
    characters: Annotated[int, typer.Option(min=1, max=LIMITS.turn_chars, help="How long.")] = LIMITS.turn_chars,
    seed: Seed = 1,
    db: Database = None,
    as_json: AlwaysJsonFlag = False,
) -> None:
    """Measure messages as long as is looked at.

    Their analysis, and the whole turn.

    The figures are JSON, in milliseconds, with and without --json.
    """
    del as_json
    from bots.bench.measure import long_message as measured

    with _filled(db, intents, seed) as (store, _):
        print_json({"intents": intents, **measured(store, messages, seed, characters)})


@app.command()
def tick(
    intents: Intents = 1_000,
    ticks: Annotated[int, typer.Option(min=1, max=100_000, help="How many heartbeats with nothing due.")] = 200,
    due: Annotated[int, typer.Option(min=0, max=1_000_000, help="So many rules expire, and cool, at once.")] = 0,
    seed: Seed = 1,
    db: Database = None,
    as_json: AlwaysJsonFlag = False,
) -> None:
    """Measure heartbeats with nothing due and with much due.

    Much is due with --due; others read and write meanwhile.

    The figures are JSON, in milliseconds, with and without --json.
    """
    del as_json
    from bots.bench import heartbeats

    with _filled(db, intents, seed) as (store, _):
        told = {"intents": intents, "seed": seed, "idle": heartbeats.idle(store, ticks)}
    for kind in heartbeats.MADE_DUE if due else ():
        with _filled(db, intents, seed) as (store, url):
            told[kind] = heartbeats.due(store, url, kind, min(due, intents), intents, seed)
    print_json(told)


@app.command()
def cycles(
    nodes: Annotated[int, typer.Option(min=2, max=LIMITS.open_goals_per_space, help="How many goals.")] = 1_000,
    edges: Annotated[int, typer.Option(min=1, max=20_000, help="How many edges, in layers.")] = 5_000,
    circles: Annotated[int, typer.Option(min=0, max=10_000, help="How many edges would close a circle.")] = 100,
    seed: Seed = 1,
    db: Database = None,
    as_json: AlwaysJsonFlag = False,
) -> None:
    """Measure edges in a large graph of goals.

    Some of them would close a circle, and exactly those must be refused: the exit code is 1 if not. networkx checks
    the order of the rest.

    The figures are JSON, in microseconds, with and without --json.
    """
    del as_json
    from bots.bench.cycles import cycles as measured
    from bots.bench.private import private_store

    with private_store(db) as store:
        told = measured(store, nodes, edges, circles, seed)
    print_json(told)
    if told["refused"] != circles or told["refused_wrongly"] or told["differing"] or told["disordered"]:
        raise typer.Exit(1)


@app.command("log")
def walk_log(
    operations: Annotated[int, typer.Option(min=1, max=1_000_000, help="How long the log becomes, at least.")] = 10_000,
    seed: Seed = 1,
    db: Database = None,
    as_json: AlwaysJsonFlag = False,
) -> None:
    """Measure `audit verify` and `audit replay`.

    The log is a history of rules and reminders that the program itself writes first. Beside them stands reading the
    same rows without doing anything with them.

    The figures are JSON, in seconds, with and without --json; the exit code is 1 if the replay differs.
    """
    del as_json
    from bots.bench.log import measure
    from bots.bench.private import private_store

    with private_store(db) as store:
        found = measure(store, operations, seed)
    print_json(found)
    if found["differing"]:
        raise typer.Exit(1)


@app.command()
def bundle(
    intents: Annotated[
        int, typer.Option(min=1, max=LIMITS.open_goals_per_space - 100, help="How many open intents of goal memory.")
    ] = 1_000,
    turns: Annotated[int, typer.Option(min=1, max=1_000_000, help="How many bundles.")] = 1_000,
    seed: Seed = 1,
    db: Database = None,
    as_json: AlwaysJsonFlag = False,
) -> None:
    """Measure the bundles of a namespace full of goals.

    The figures are JSON, in microseconds, with and without --json; "after_a_change" are the first ones after one.
    """
    del as_json
    from bots.bench.bundle import bundles as measured

    with _filled(db, 1_000, seed) as (store, _):
        print_json(measured(store, intents, turns, seed))


@contextmanager
def _filled(db: str | None, intents: int, seed: int) -> "Iterator[tuple[SqlStore, str | None]]":
    """A private database with so many rules of the workload of our own."""
    from bots.bench.private import private_database
    from bots.bench.run import load

    with private_database(db) as (store, url):
        load(store, intents, seed)
        yield store, url
