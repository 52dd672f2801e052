"""`remembrancer db upgrade|reindex`."""

import typer

from bots.cli.output import JsonFlag, print_json, print_line
from bots.cli.session import database_of, opened, session_of
from core.catalogue import say
from core.services.reindex import Reindex

app = typer.Typer(help="The database's migrations and the trigger index.")


@app.callback()
def db() -> None:
    """The database's migrations and the trigger index."""


@app.command()
def upgrade(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """Bring the database to the schema of this program. A newer one is refused and not touched."""
    from bots.bootstrap import upgrade_database

    settings = session_of(ctx).load_database(as_json).settings
    upgraded = upgrade_database(settings)
    shown = database_of(settings)
    if as_json:
        print_json({"database": shown, "upgraded": upgraded})
    else:
        print_line(say("database.upgraded" if upgraded else "database.up_to_date", database=shown))


@app.command()
def reindex(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """File every trigger anew that an older analyser filed. Bots may run meanwhile."""
    done = 0
    with opened(ctx, as_json) as opened_app:
        step = Reindex(opened_app.context)
        while count := step():
            done += count
        database = database_of(opened_app.settings)
    if as_json:
        print_json({"database": database, "reindexed": done})
    else:
        print_line(say("database.reindexed", count=done) if done else say("database.indexed"))
