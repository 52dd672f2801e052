"""`remembrancer try`: trigger entries against messages, one JSON line a case."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import typer

from bots.cli.output import AlwaysJsonFlag, WrongUsage, print_error
from core.catalogue import say
from core.errors import InvalidInput, RemembrancerError

MAX_LINE_BYTES = 16_000_000
MAX_BAD_LINES = 20
FORMATS = ("plain", "discord")


@dataclass(frozen=True, slots=True)
class BadLine(Exception):
    """A line that is no case: `key` is the part that is wrong ("" for the line as a whole)."""

    why: str
    key: str = ""


def try_cases(
    cases: Annotated[str, typer.Option("--cases", help="JSON lines; `-` reads standard input.")],
    as_json: AlwaysJsonFlag = False,
) -> None:
    """Try trigger entries against messages, one case a line.

    A line of the answer is {"id", "match", "entry", "reason"}, with and without --json. Lines that cannot be read
    are named on stderr; the others are still tried, and the exit code is 1.
    """
    del as_json
    from bots.trycases import run_case

    bad = 0
    with _lines(cases) as lines:
        for number, raw in enumerate(lines, start=1):
            if not raw.strip():
                continue
            try:
                result = run_case(_case(raw))
            except (BadLine, RemembrancerError) as error:
                bad += 1
                print_error(say("try.line", name=cases, number=number, why=_why(error)))
                if bad == MAX_BAD_LINES:
                    raise InvalidInput(say("try.bad_lines", count=bad), say("try.bad_lines.hint")) from None
                continue
            line = {
                "id": result.id,
                "match": result.match,
                "entry": result.entry,
                "reason": str(result.reason),
            }
            print(json.dumps(line))
    if bad:
        raise typer.Exit(1)


def _why(error: BadLine | RemembrancerError) -> str:
    if isinstance(error, RemembrancerError):
        return str(error)
    return say("try.key", key=error.key, why=error.why) if error.key else error.why


@contextmanager
def _lines(name: str) -> Iterator[Iterator[bytes]]:
    if name == "-":
        yield _read(sys.stdin.buffer, name)
        return
    try:
        file = Path(name).open("rb")  # noqa: SIM115 - closed below, apart from the errors of opening
    except OSError as error:
        raise _unreadable(name, error) from error
    with file:
        yield _read(file, name)


def _unreadable(name: str, error: OSError) -> WrongUsage:
    return WrongUsage(say("try.unreadable", name=name, why=error.strerror), say("try.unreadable.hint"))


def _read(file: BinaryIO, name: str) -> Iterator[bytes]:
    first = True
    while True:
        try:
            raw = file.readline(MAX_LINE_BYTES + 1)
        except OSError as error:
            raise _unreadable(name, error) from error
        if not raw:
            return
        yield raw.removeprefix(b"\xef\xbb\xbf") if first else raw
        first = False
        while len(raw) > MAX_LINE_BYTES and not raw.endswith(b"\n"):
            raw = file.readline(MAX_LINE_BYTES + 1)


def _case(raw: bytes) -> dict[str, Any]:
    if len(raw) > MAX_LINE_BYTES:
        raise BadLine(say("try.long", limit=MAX_LINE_BYTES))
    try:
        case = json.loads(raw.decode())
    except UnicodeDecodeError:
        raise BadLine(say("try.not_text")) from None
    except json.JSONDecodeError as error:
        raise BadLine(say("try.not_json", why=error.msg, position=error.pos + 1)) from None
    except (RecursionError, ValueError):
        raise BadLine(say("try.deep")) from None
    if not isinstance(case, dict):
        raise BadLine(say("try.no_object"))
    for key in ("id", "entry", "text"):
        if key not in case:
            raise BadLine(say("try.key.missing"), key)
        if not isinstance(case[key], str):
            raise BadLine(say("try.key.no_text"), key)
    if case.setdefault("format", FORMATS[0]) not in FORMATS:
        raise BadLine(say("try.key.format", names=", ".join(FORMATS)), "format")
    if not isinstance(case.setdefault("settings", {}), dict):
        raise BadLine(say("try.key.no_object"), "settings")
    return case
