"""`remembrancer try`: trigger entries against messages, one JSON line a case."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import typer

from bots.cli.output import JsonFlag, print_error
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
    as_json: JsonFlag = False,
) -> None:
    """Match each case's entry against its text and print {"id", "match", "entry", "reason"} a line.

    The output is JSON with and without --json. Lines that cannot be read are named on stderr; the others are
    still tried, and the exit code is 1.
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
                print_error(f"{cases}, line {number}: {_why(error)}")
                if bad == MAX_BAD_LINES:
                    raise InvalidInput(f"{bad} bad lines; the rest was not read.", "Is it the right file?") from None
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
    return f"'{error.key}' {error.why}" if error.key else error.why


@contextmanager
def _lines(name: str) -> Iterator[Iterator[bytes]]:
    if name == "-":
        yield _read(sys.stdin.buffer)
        return
    try:
        file = Path(name).open("rb")  # noqa: SIM115 - closed below, apart from the errors of opening
    except OSError as error:
        raise InvalidInput(f"{name} cannot be read: {error.strerror}.", "Name a file of JSON lines, or -.") from error
    with file:
        yield _read(file)


def _read(file: BinaryIO) -> Iterator[bytes]:
    first = True
    while True:
        try:
            raw = file.readline(MAX_LINE_BYTES + 1)
        except OSError as error:
            raise InvalidInput(f"The cases cannot be read: {error.strerror}.") from error
        if not raw:
            return
        yield raw.removeprefix(b"\xef\xbb\xbf") if first else raw
        first = False
        while len(raw) > MAX_LINE_BYTES and not raw.endswith(b"\n"):
            raw = file.readline(MAX_LINE_BYTES + 1)


def _case(raw: bytes) -> dict[str, Any]:
    if len(raw) > MAX_LINE_BYTES:
        raise BadLine(f"it is longer than {MAX_LINE_BYTES} bytes")
    try:
        case = json.loads(raw.decode())
    except UnicodeDecodeError:
        raise BadLine("it is not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise BadLine(f"it is not JSON: {error.msg} at character {error.pos + 1}") from None
    except (RecursionError, ValueError):
        raise BadLine("it is nested too deeply, or holds too long a number") from None
    if not isinstance(case, dict):
        raise BadLine("it is not a JSON object")
    for key in ("id", "entry", "text"):
        if key not in case:
            raise BadLine("is missing", key)
        if not isinstance(case[key], str):
            raise BadLine("is not a text", key)
    if case.setdefault("format", FORMATS[0]) not in FORMATS:
        raise BadLine(f"is none of {', '.join(FORMATS)}", "format")
    if not isinstance(case.setdefault("settings", {}), dict):
        raise BadLine("is not an object", "settings")
    return case
