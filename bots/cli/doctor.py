"""`remembrancer doctor`."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

from bots.cli.output import JsonFlag, print_json, print_line, print_table
from bots.cli.session import session_of
from bots.runtime import SystemClock, pin_zone_data
from core.catalogue import say
from core.errors import ConfigError

if TYPE_CHECKING:
    from bots.doctor import Check


def doctor(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """Look at everything that could be wrong and say what to do. Exit code 1 if something fails."""
    from bots.doctor import State

    found = list(_checks(ctx))
    failed = any(check.state is State.FAIL for check in found)
    if as_json:
        lines = [
            {"check": check.name, "state": check.state, "found": check.found, "advice": check.advice} for check in found
        ]
        print_json({"ok": not failed, "checks": lines})
    else:
        print_table(say("doctor.columns").split(", "), [(check.state, check.name, _told(check)) for check in found])
        print_line(say("doctor.ill" if failed else "doctor.well"))
    if failed:
        raise typer.Exit(1)


def _told(check: "Check") -> str:
    return f"{check.found}\n  -> {check.advice}" if check.advice else check.found


def _checks(ctx: typer.Context) -> "Iterator[Check]":
    from bots import doctor as checks

    pin_zone_data()
    clock = SystemClock()
    try:
        loaded = session_of(ctx).load_database()
    except ConfigError as error:
        yield checks.python()
        yield checks.Check("config", checks.State.FAIL, error.sentence, error.hint)
        yield checks.clock_sane(clock.now())
        yield checks.zones()
        return
    yield from checks.machine(loaded, clock)
    yield from checks.database(loaded, clock)
