"""`remembrancer run`."""

import json
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bots.cli.output import JsonLinesFlag, print_error, print_line
from bots.cli.session import session_of
from config import logs
from core.catalogue import say
from core.errors import RemembrancerError

if TYPE_CHECKING:
    from bots.supervisor import Service

# Rich answers a broken pipe with the end of the program.
NOBODY_READS = (OSError, SystemExit)

log = logs.get(__name__)


def run(
    ctx: typer.Context,
    only: Annotated[list[str] | None, typer.Option("--only", help="Run only this bot, as in: telegram.")] = None,
    as_json: JsonLinesFlag = False,
) -> None:
    """Run the bots and the heartbeat until a signal.

    A bot runs when its token is set. SIGTERM and SIGINT let everything under way finish (exit code 0); a second one
    ends at once (130)."""
    from bots.run import run as run_bots  # SQLAlchemy and a chat library: not for --help

    settings = session_of(ctx).load().settings
    run_bots(settings, Teller(as_json, logged=settings.log_format == "json"), only or ())


@dataclass(frozen=True, slots=True)
class Teller:
    """Tells how the services fare: lines on stdout, failures on stderr (or in the log, where that is read by machines).

    A stream that nobody reads any more stops no bot.
    """

    as_json: bool = False
    logged: bool = False

    def ready(self, service: "Service") -> None:
        """One line: the service works."""
        from bots.run import Described

        found = service.described() if isinstance(service, Described) else say("run.ready")
        text = logs.scrubbed(say("run.service", name=service.name, text=found))
        with suppress(*NOBODY_READS):
            if self.as_json:
                _print_line(service=service.name, state="ready", told=text)
            else:
                print_line(text)

    def failed(self, service: "Service", error: RemembrancerError, again: float | None) -> None:
        """One block: which service, why, what to do, and when it is started again."""
        sentence, hint = logs.scrubbed(error.sentence), logs.scrubbed(error.hint)
        seconds = None if again is None else round(again, 1)
        then = say("run.never") if seconds is None else say("run.again", seconds=seconds)
        facts: dict[str, Any] = {"code": error.code, "sentence": sentence, "hint": hint, "again_in_seconds": seconds}
        if self.logged:
            log.error("service.failed", service=service.name, **facts)
        with suppress(*NOBODY_READS):
            if self.as_json:
                _print_line(service=service.name, state="failed", **facts)
            elif not self.logged:
                text = say("run.service", name=service.name, text=sentence)
                print_error(text, say("run.what_next", hint=hint, then=then) if hint else then)

    def stopping(self) -> None:
        """One line: a signal came."""
        with suppress(*NOBODY_READS):
            if self.as_json:
                _print_line(state="stopping")
            else:
                print_line(say("run.stopping"))


def _print_line(**facts: object) -> None:
    print(json.dumps(facts), flush=True)
