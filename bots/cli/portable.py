"""`remembrancer intents export|import`: rules as one document, from one database to another."""

import shlex
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from bots.aside import written
from bots.cli.explained import as_utf8, read_principal
from bots.cli.output import JsonFlag, WrongUsage, print_json, print_line, print_note, print_table
from bots.cli.session import database_of, opened
from core.catalogue import say
from core.errors import InvalidInput
from core.services.import_plan import Fate, Planned, Unmapped, problem_words
from core.services.portable import ExportIntents, FindUnmapped, ImportIntents, PlanImport
from core.standing.portable import render
from core.standing.portable_reading import Row, parse
from core.standing.remap import SPACE, Path, Remap, paths_of
from core.turn import Principal, Where

if TYPE_CHECKING:
    from bots.bootstrap import App

STDIN = "-"
OWNER_ONLY = 0o600
T = TypeVar("T")


def export_intents(
    ctx: typer.Context,
    everything: Annotated[bool, typer.Option("--all", help="Those that are over, too; no import takes them.")] = False,
    creator: Annotated[str, typer.Option(help="Only those of provider:account:user.")] = "",
    space: Annotated[str, typer.Option(help="Only those of provider:account:space.")] = "",
    out: Annotated[
        FilePath | None, typer.Option(help="Write to this file, for your eyes only. Default: print.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="With --out: print JSON about what was written.")] = False,
) -> None:
    """Export intents as one JSON document, in the platforms' ids."""
    person = _read_person(creator) if creator else None
    path = _read_space(space) if space else None
    with opened(ctx, as_json) as app:
        found = ExportIntents(app.context)(everything, person, path)
        text = render(found, app.context.clock.now())
        database, limit = database_of(app.settings), app.context.limits.import_rows
    if len(found) > limit:
        print_note(say("portable.many", limit=limit))
    if out is None:
        sys.stdout.write(text)
        return
    with written(out, "portable.unwritable", OWNER_ONLY) as file:
        file.write(text)
    if as_json:
        print_json({"database": database, "written": str(out.resolve()), "intents": len(found)})
    else:
        print_line(say("portable.exported", count=len(found), path=out))


def import_intents(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(help="What `intents export` wrote; - for standard input.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only tell what would be stored and what not.")] = False,
    places: Annotated[
        list[str] | None,
        typer.Option("--map", metavar="OLD=NEW", help="provider:account:space[/channel[/thread]] (repeatable)."),
    ] = None,
    people: Annotated[
        list[str] | None,
        typer.Option("--person", metavar="OLD=NEW", help="provider:account:user (repeatable)."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Import intents; each waits for its creator's yes in chat."""
    remap = read_remap(places or (), people or ())
    with opened(ctx, as_json) as app:
        rows = parse(_read(file, app.context.limits.import_bytes), app.context.limits)
        _refuse_unused(rows, remap)
        remap = _complete(app, rows, remap, ask=file != STDIN and not as_json and sys.stdin.isatty())
        planned = (PlanImport if dry_run else ImportIntents)(app.context)(rows, remap)
        database = database_of(app.settings)
    if as_json:
        print_json({"database": database, "dry_run": dry_run, **_data(planned)})
    elif dry_run:
        _print_plan(planned)
    else:
        _print_done(planned)
    if any(row.fate is Fate.REFUSED for row in planned):
        raise typer.Exit(1)


def _read(file: str, limit: int) -> bytes:
    """The bytes of a file, at most one more than can be imported."""
    try:
        if file == STDIN:
            return sys.stdin.buffer.read(limit + 1)
        with FilePath(file).open("rb") as stream:
            return stream.read(limit + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        why = getattr(error, "strerror", None) or error
        raise InvalidInput(say("portable.unreadable", path=file, why=why), say("portable.unreadable.hint")) from None


# -- what stands for what -----------------------------------------------------------------------------------


def read_remap(places: Iterable[str], people: Iterable[str]) -> Remap:
    """The options --map and --person. Raises WrongUsage."""
    return Remap(_pairs(places, _read_path), _pairs(people, _read_person))


def _pairs(texts: Iterable[str], read: Callable[[str], T]) -> dict[T, T]:
    found: dict[T, T] = {}
    for text in texts:
        old, new = _pair(text, read)
        if old in found:
            raise WrongUsage(say("portable.map.twice", text=text), say("portable.map.hint"))
        found[old] = new
    return found


def _pair(text: str, read: Callable[[str], T]) -> tuple[T, T]:
    """Both sides of `OLD=NEW`; ids may hold a `=`, so the first that leaves two readable sides counts."""
    parts = text.split("=")
    for at in range(1, len(parts)):
        try:
            old, new = read("=".join(parts[:at])), read("=".join(parts[at:]))
        except WrongUsage:
            continue
        _check_depth(text, old, new)
        return old, new
    raise WrongUsage(say("portable.map", text=text), say("portable.map.hint"))


def _check_depth(text: str, *sides: object) -> None:
    if len({len(side) == SPACE for side in sides if isinstance(side, tuple)}) > 1:
        raise WrongUsage(say("portable.map.depth", text=text), say("portable.map.hint"))


def _read_path(text: str) -> Path:
    head, slash, rest = text.partition("/")
    ids = (*head.split(":", 2), *(rest.split("/", 1) if slash else ()))
    if len(head.split(":", 2)) != SPACE or not all(ids) or not _clean(text):
        raise WrongUsage(say("explain.place", text=text), say("portable.map.hint"))
    return ids[:-1] if len(ids) > SPACE + 1 and ids[-1] == ids[-2] else ids


def _read_space(text: str) -> Path:
    path = _read_path(text)
    if len(path) != SPACE:
        raise WrongUsage(say("portable.space", text=text), say("portable.space.hint"))
    return path


def _read_person(text: str) -> Principal:
    if not _clean(text):
        raise WrongUsage(say("explain.person", text=text), say("explain.person.hint"))
    return read_principal(text)


def _clean(text: str) -> bool:
    return "\0" not in text and as_utf8(text)


def _path_text(path: Path) -> str:
    return "/".join((":".join(path[:SPACE]), *path[SPACE:]))


def _place_text(where: Where) -> str:
    return _path_text(paths_of(where)[0])


def _person_text(who: Principal) -> str:
    return f"{who.provider}:{who.account}:{who.user_id}"


def _refuse_unused(rows: Sequence[Row], remap: Remap) -> None:
    for unused in remap.unused(row.intent for row in rows if row.intent is not None):
        text = _person_text(unused) if isinstance(unused, Principal) else _path_text(unused)
        raise WrongUsage(say("portable.map.unused", text=text), say("portable.map.unused.hint"))


def _complete(app: "App", rows: Sequence[Row], remap: Remap, ask: bool) -> Remap:
    """With something for every place and person that is not here. Asks on a terminal; else raises InvalidInput."""
    left = FindUnmapped(app.context)(rows, remap)
    if not (left.places or left.people):
        return remap
    if not ask:
        options = "\n".join(_options(left))
        sentence = say("portable.unmapped", places=len(left.places), people=len(left.people))
        raise InvalidInput(sentence, "\n".join((say("portable.unmapped.options"), options)))
    for where in left.places:
        old = paths_of(where)[0]
        if remap.place(where) is None:
            new = _asked(say("portable.ask.place", old=_place_text(where)), _place_text(where), _read_path, old)
            remap = replace(remap, places={**remap.places, old: new})
    for person in left.people:
        old_person = person.principal
        text = say("portable.ask.person", old=_person_text(old_person))
        who = _asked(text, _person_text(old_person), _read_person, old_person)
        remap = replace(remap, people={**remap.people, old_person: who})
    return remap


def _options(left: Unmapped) -> Iterable[str]:
    for where in left.places:
        yield f"  --map {shlex.quote(f'{_place_text(where)}={_place_text(where)}')}"
    for person in left.people:
        text = _person_text(person.principal)
        yield f"  --person {shlex.quote(f'{text}={text}')}"


def _asked(question: str, old: str, read: Callable[[str], T], same: T) -> T:
    """Ask until the answer can be read; Enter keeps it as it is."""
    while True:
        typed = typer.prompt(question, default="", show_default=False, err=True).strip()
        if not typed:
            return same
        try:
            new = read(typed)
            _check_depth(f"{old}={typed}", same, new)
            return new
        except WrongUsage as error:
            print_note(str(error))


# -- what is told -------------------------------------------------------------------------------------------


def _count(planned: Sequence[Planned]) -> dict[str, int]:
    return {fate.value: sum(row.fate is fate for row in planned) for fate in Fate}


def _data(planned: Sequence[Planned]) -> dict[str, Any]:
    rows = [
        {
            "row": row.number,
            "was": row.was,
            "fate": row.fate,
            "handle": row.handle,
            "problems": [{"field": problem.field, "why": problem.why} for problem in row.problems],
        }
        for row in planned
    ]
    return {**_count(planned), "intents": rows}


def _print_plan(planned: Sequence[Planned]) -> None:
    print_table(say("portable.columns").split(", "), [_cells(row) for row in planned])
    print_line(say("portable.planned", **_count(planned)))


def _cells(row: Planned) -> tuple[object, ...]:
    intent = row.intent
    why = "; ".join(map(problem_words, row.problems))
    fate = say("try.refused", why=why) if why else say(f"portable.fate.{row.fate}")
    if intent is None:
        return row.number, row.was, fate, "", "", ""
    creator = _person_text(intent.creator.principal)
    return row.number, row.was, fate, _place_text(intent.place), creator, intent.description


def _print_done(planned: Sequence[Planned]) -> None:
    count = _count(planned)
    print_line(say("portable.imported", new=count["new"], here=count["here"], over=count["over"]))
    waiting: dict[Principal, list[str]] = {}
    for row in planned:
        if row.fate is Fate.NEW and row.intent is not None:
            waiting.setdefault(row.intent.creator.principal, []).append(row.handle)
    if waiting:
        print_line(say("portable.waiting"))
    for who, handles in waiting.items():
        print_line(say("portable.wait", name=_person_text(who), handles=", ".join(handles)))
