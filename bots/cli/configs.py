"""`remembrancer config show`."""

import typer

from bots.cli.output import JsonFlag, print_json, print_line, print_table
from bots.cli.session import session_of
from core.catalogue import say

app = typer.Typer(help="What the settings are, and where each comes from.")


@app.callback()
def config() -> None:
    """What the settings are, and where each comes from."""


@app.command()
def show(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """Show every setting in force; secrets are masked."""
    loaded = session_of(ctx).load_database(as_json)
    values = loaded.settings.masked()
    if as_json:
        print_json(
            {
                "file": str(loaded.file) if loaded.file else None,
                "settings": {key: {"value": values[key], "from": loaded.origins[key]} for key in values},
            }
        )
        return
    print_line(say("config.file", path=loaded.file) if loaded.file else say("config.file.none"))
    rows = [(key, _shown(values[key]), loaded.origins[key]) for key in values]
    print_table(say("config.columns").split(", "), rows)


def _shown(value: object) -> object:
    return ", ".join(map(str, value)) if isinstance(value, list) else value
