"""The Typer application: global options, the command groups, and how errors and exit codes look.

0: done. 1: something is wrong with the data, or it was refused. 2: wrong usage or configuration.
"""

import io
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Annotated, TextIO

import typer
from typer.exceptions import TyperException

from bots.cli import (
    EXIT_INTERRUPTED,
    audit,
    bench,
    bundle,
    chat,
    configs,
    database,
    doctor,
    goals,
    history,
    initial,
    intents,
    running,
    trials,
)
from bots.cli.output import WrongUsage, print_error, print_json
from bots.cli.session import Session
from config import logs
from core.catalogue import say
from core.errors import ConfigError, NotFound, RemembrancerError

EXIT_REFUSED = 1
EXIT_USAGE = 2

log = logs.get(__name__)

app = typer.Typer(
    name="remembrancer",
    help="Chat-bot middleware that remembers to act. Rules are created in chat; here they are inspected.",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("chat")(chat.chat)
app.command("run")(running.run)
app.command("init")(initial.init)
app.command("doctor")(doctor.doctor)
app.command("bundle")(bundle.bundle)
app.command("try")(trials.try_cases)
app.add_typer(configs.app, name="config")
app.add_typer(database.app, name="db")
app.add_typer(intents.app, name="intents")
intents.app.command("history")(history.history)
app.add_typer(goals.app, name="goals")
app.add_typer(audit.app, name="audit")
app.add_typer(bench.app, name="bench")


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"remembrancer {installed_version('remembrancer')}")
        raise typer.Exit


@app.callback()
def options(
    ctx: typer.Context,
    config: Annotated[Path | None, typer.Option(help="Configuration file (TOML).")] = None,
    data_dir: Annotated[Path | None, typer.Option(help="Directory of everything that is kept.")] = None,
    database_url: Annotated[str | None, typer.Option(help="Database, without a password.")] = None,
    console: Annotated[bool, typer.Option("--console", help="Look into the terminal chat's file.")] = False,
    log_level: Annotated[str | None, typer.Option(help="debug, info, warning or error.")] = None,
    log_format: Annotated[str | None, typer.Option(help="console or json.")] = None,
    _version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Global options; they stand before the command."""
    flags = {
        "data_dir": data_dir,
        "database_url": database_url,
        "log_level": log_level,
        "log_format": log_format,
    }
    ctx.obj = Session(flags, config, console)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code. Nothing a person can do ends in a traceback."""
    _open_closed_streams()
    given = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    _accept_any_text()
    logs.configure("warning")  # until the settings are read
    try:
        code = _run(given, "--json" in given)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except OSError as error:  # what was said could not be written
        _forget(sys.stdout)
        try:
            if not isinstance(error, BrokenPipeError):
                print_error(say("cli.output", why=error.strerror), say("cli.output.hint"))
            sys.stderr.flush()
        except OSError:
            _forget(sys.stderr)
        return EXIT_REFUSED
    return code


def _run(given: list[str], as_json: bool) -> int:
    try:
        code = app(args=given, prog_name="remembrancer", standalone_mode=False)
        sys.stdout.flush()
    except TyperException as error:
        sentence = error.format_message().replace("Value error, ", "")
        return _fail(error.exit_code, "usage", sentence, _usage_hint(error), as_json)
    except RemembrancerError as error:
        code = EXIT_USAGE if isinstance(error, ConfigError | WrongUsage) else EXIT_REFUSED
        return _fail(code, error.code, error.sentence, _hint(error), as_json)
    except (KeyboardInterrupt, typer.Abort):
        return EXIT_INTERRUPTED
    except OSError as error:
        if not _stdout_works():
            raise
        log.debug("command.failed", exc_info=True)
        sentence = say("cli.system", why=os.strerror(error.errno or 0))
        return _fail(EXIT_REFUSED, "system", sentence, say("cli.defect.hint"), as_json)
    except Exception as error:  # the last line of defence
        log.debug("command.failed", exc_info=True)
        sentence = say("cli.defect", kind=type(error).__name__)
        return _fail(EXIT_REFUSED, "defect", sentence, say("cli.defect.hint"), as_json)
    return code if isinstance(code, int) else 0


def _open_closed_streams() -> None:
    """A stream that the caller closed reads and writes nothing, instead of being somebody else's file."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123 - it stays open


def _stdout_works() -> bool:
    try:
        sys.stdout.flush()
    except OSError:
        return False
    return True


def _forget(stream: TextIO) -> None:
    """The reader went away, or the disk is full: the interpreter's last flush goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _accept_any_text() -> None:
    """What a terminal's encoding does not have is printed as an escape instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _usage_hint(error: TyperException) -> str:
    """The help of the innermost command that was found."""
    found = getattr(getattr(error, "ctx", None), "command_path", "remembrancer")
    return say("cli.usage.hint", command=f"{found} --help")


def _hint(error: RemembrancerError) -> str:
    """What to do next, here: the hint for an unknown handle names a command of the chat."""
    if isinstance(error, NotFound) and "handle" in error.details:
        goal = str(error.details["handle"]).startswith("g-")
        return say("goals.unknown.hint" if goal else "intents.unknown.hint")
    return error.hint


def _fail(code: int, name: str, sentence: str, hint: str, as_json: bool) -> int:
    if as_json:
        print_json({"error": {"code": name, "sentence": sentence, "hint": hint}})
    else:
        print_error(sentence, hint)
    return code
