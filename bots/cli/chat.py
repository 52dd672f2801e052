"""`remembrancer chat`: the terminal as a channel."""

from pathlib import Path
from typing import Annotated

import typer

from bots.cli.output import JsonLinesFlag
from bots.cli.session import session_of


def chat(
    ctx: typer.Context,
    demo: Annotated[bool, typer.Option("--demo", help="Play the launch checklist.")] = False,
    database: Annotated[Path | None, typer.Option("--file", help="Its own SQLite file.")] = None,
    as_json: JsonLinesFlag = False,
) -> None:
    """Chat in the terminal, with a database file of its own.

    Several people and channels; piped input too."""
    from bots.chat import run  # prompt_toolkit only where it is needed

    raise typer.Exit(run(session_of(ctx).load().settings, demo=demo, file=database, as_json=as_json))
