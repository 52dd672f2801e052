"""`remembrancer doctor`."""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

from bots.cli.output import JsonFlag, counted, print_json, print_line, print_table
from bots.cli.session import database_of, session_of
from bots.runtime import SystemClock, pin_zone_data
from core.catalogue import say
from core.errors import ConfigError

if TYPE_CHECKING:
    from bots.doctor import Check, State
    from config.loading import Loaded


def doctor(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """Look at everything that could be wrong and say what to do.

    Exit code 1 if something fails, 2 if the configuration cannot be used. Nothing is made or changed.
    """
    from bots.doctor import State

    pin_zone_data()
    problem, loaded = None, None
    try:
        loaded = session_of(ctx).load_database(as_json)
    except ConfigError as error:
        problem = error
    found = list(_checks(loaded, problem))
    failed = any(check.state is State.FAIL for check in found)
    if as_json:
        lines = [
            {"check": check.name, "state": check.state, "found": check.found, "advice": check.advice} for check in found
        ]
        database = database_of(loaded.settings) if loaded else None
        print_json({"database": database, "ok": not failed, "checks": lines})
    else:
        print_table(say("doctor.columns").split(", "), [(check.state, check.name, _told(check)) for check in found])
        print_line(_verdict([check.state for check in found]))
    if failed:
        raise typer.Exit(1 if problem is None else 2)


def _verdict(states: "list[State]") -> str:
    """`All is well.`, or how many warnings and failures there are."""
    counts = Counter(map(str, states))
    told = [counted(kind, counts[state]) for state, kind in (("fail", "failure"), ("warn", "warning")) if counts[state]]
    return say("doctor.ill", counts=", ".join(told)) if told else say("doctor.well")


def _told(check: "Check") -> str:
    return f"{check.found}\n  -> {check.advice}" if check.advice else check.found


def _bots(loaded: "Loaded", clock: SystemClock) -> "Iterator[Check]":
    """The bots whose token is set; the library of one is loaded only then."""
    from bots import doctor as checks

    settings = loaded.settings
    on_telegram, on_discord = settings.telegram_token.get_secret_value(), settings.discord_token.get_secret_value()
    if not on_telegram and not on_discord:
        yield checks.Check("bots", checks.State.OK, say("doctor.bots.none"), say("run.no_tokens.hint"))
    if on_telegram:
        from bots.doctor_telegram import telegram

        yield from telegram(settings, checks.living(loaded, clock), clock.now())
    if on_discord:
        from bots.doctor_discord import discord

        yield from discord(settings)


def _checks(loaded: "Loaded | None", problem: ConfigError | None) -> "Iterator[Check]":
    from bots import doctor as checks

    clock = SystemClock()
    if loaded is not None:
        yield from checks.machine(loaded, clock)
        yield from checks.database(loaded, clock)
        yield from _bots(loaded, clock)
        return
    assert problem is not None  # noqa: S101  # one of the two is there
    yield checks.python()
    yield checks.Check("config", checks.State.FAIL, problem.sentence, problem.hint)
    yield checks.clock_sane(clock.now())
    yield checks.zones()
