"""`remembrancer db upgrade|reindex`."""

import typer

from bots.cli.output import JsonFlag, print_json, print_line
from bots.cli.session import opened, session_of
from core.catalogue import say
from core.services.reindex import Reindex

app = typer.Typer(help="The database's migrations and the trigger index.")


@app.callback()
def db() -> None:
    """The database's migrations and the trigger index."""


@app.command()
def upgrade(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """Bring the database to the schema of this program. A newer one is refused and not touched."""
    from bots.bootstrap import open_app

    settings = session_of(ctx).load_database().settings
    open_app(settings, migrate=True).close()
    shown = settings.masked()["database_url"]
    if as_json:
        print_json({"database": shown, "upgraded": True})
    else:
        print_line(say("database.upgraded", database=shown))


@app.command()
def reindex(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """File every trigger anew that an older analyser filed. Bots may run meanwhile."""
    done = 0
    with opened(ctx) as opened_app:
        step = Reindex(opened_app.context)
        while count := step():
            done += count
    if as_json:
        print_json({"reindexed": done})
    else:
        print_line(say("database.reindexed", count=done) if done else say("database.indexed"))
