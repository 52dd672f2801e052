"""The Typer application: global options, the command groups, and how errors and exit codes look.

0: done. 1: something is wrong with the data, or it was refused. 2: wrong usage or configuration.
"""

import io
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Annotated

import typer
from typer.exceptions import TyperException

from bots.cli import audit, bench, chat, configs, database, doctor, initial, intents, trials
from bots.cli.output import print_error, print_json
from bots.cli.session import Session
from config import logs
from core.catalogue import say
from core.errors import ConfigError, RemembrancerError

EXIT_REFUSED = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130

log = logs.get(__name__)

app = typer.Typer(
    name="remembrancer",
    help="Chat-bot middleware that remembers to act. Rules are created in chat; here they are inspected.",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("chat")(chat.chat)
app.command("init")(initial.init)
app.command("doctor")(doctor.doctor)
app.command("try")(trials.try_cases)
app.add_typer(configs.app, name="config")
app.add_typer(database.app, name="db")
app.add_typer(intents.app, name="intents")
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
    given = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    _accept_any_text()
    as_json = "--json" in given
    logs.configure("warning")  # until the settings are read
    try:
        code = app(args=given, prog_name="remembrancer", standalone_mode=False)
        sys.stdout.flush()
    except TyperException as error:
        return _fail(error.exit_code, "usage", error.format_message(), _usage_hint(given), as_json)
    except RemembrancerError as error:
        code = EXIT_USAGE if isinstance(error, ConfigError) else EXIT_REFUSED
        return _fail(code, error.code, error.sentence, error.hint, as_json)
    except (KeyboardInterrupt, typer.Abort):
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader went away; nothing more can be said, at the end of the process neither.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_REFUSED
    except Exception as error:  # the last line of defence
        log.debug("command.failed", exc_info=True)
        sentence = say("cli.defect", kind=type(error).__name__)
        return _fail(EXIT_REFUSED, "defect", sentence, say("cli.defect.hint"), as_json)
    return code if isinstance(code, int) else 0


def _accept_any_text() -> None:
    """What a terminal's encoding does not have is printed as an escape instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _usage_hint(given: Sequence[str]) -> str:
    words = []
    for word in given:
        if word.startswith("-"):
            break
        words.append(word)
    return say("cli.usage.hint", command=" ".join(["remembrancer", *words[:1], "--help"]))


def _fail(code: int, name: str, sentence: str, hint: str, as_json: bool) -> int:
    if as_json:
        print_json({"error": {"code": name, "sentence": sentence, "hint": hint}})
    else:
        print_error(sentence, hint)
    return code
