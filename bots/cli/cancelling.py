"""`remembrancer intents cancel --creator`: all live intents of one person, after a yes."""

import sys

import typer

from bots.cli.explained import read_principal
from bots.cli.output import WrongUsage, print_json, print_line
from bots.cli.session import database_of, opened
from core.catalogue import say
from core.services.cancel_all import CancelAll
from core.turn import ADMIN


def cancel_all_of(ctx: typer.Context, creator: str, yes: bool, as_json: bool) -> None:
    """Cancel them, for good. Away from a terminal `yes` must have been given: raises WrongUsage."""
    who = read_principal(creator)
    with opened(ctx, as_json) as app:
        cancel = CancelAll(app.context)
        count = cancel.count(who, ADMIN, None)
        agreed = yes or not count or _asked(creator, count, as_json)
        done = cancel(who, ADMIN, None) if agreed else 0
        database = database_of(app.settings)
    if as_json:
        print_json({"database": database, "creator": creator, "cancelled": done})
    else:
        print_line(say("intents.cancelled.all", creator=creator, count=done))


def _asked(creator: str, count: int, as_json: bool) -> bool:
    if as_json or not sys.stdin.isatty():
        raise WrongUsage(
            say("intents.cancel.unasked", creator=creator, count=count), say("intents.cancel.unasked.hint")
        )
    return typer.confirm(say("intents.cancel.ask", creator=creator, count=count))
