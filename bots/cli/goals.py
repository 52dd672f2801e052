"""`remembrancer goals`: list, show, cancel and draw goal memory; nothing is made or changed otherwise here."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar
from zoneinfo import ZoneInfo

import typer

from bots.aside import written
from bots.cli.goal_svg import graph_svg
from bots.cli.output import JsonFlag, WrongUsage, print_json, print_line, print_lines, print_note, print_table
from bots.cli.session import NoDatabase, database_of, opened
from core.catalogue import say
from core.errors import InvalidInput
from core.goals.objects import ONE, IntentObject
from core.goals.said import state_of, type_of
from core.services.goal_moves import CancelGoal
from core.services.read_goals import GoalPage, GoalView, Graph, GraphGoals, ListGoals, ShowGoal, Wanted
from core.stored import Place
from core.turn import ADMIN, Principal, Visibility
from core.wording.goal_graph import graph_lines
from core.wording.goals import goal_text, goal_view_lines, kind_words, priority_words, state_words
from core.wording.shown import Clockface
from core.wording.words import listed

if TYPE_CHECKING:
    from bots.bootstrap import App

PAGE_ROWS = 50
OWNER_ONLY = 0o600
T = TypeVar("T")

app = typer.Typer(help="Inspect and cancel goals and risks. They are made in chat.")

Handle = Annotated[str, typer.Argument(help="As shown in chat, for example g-7k2m.")]


@app.command("list")
def list_goals(
    ctx: typer.Context,
    kind: Annotated[list[str] | None, typer.Option("--type", help="Only these, as in chat (repeatable).")] = None,
    state: Annotated[list[str] | None, typer.Option(help="Only these, as in chat (repeatable).")] = None,
    everything: Annotated[bool, typer.Option("--all", help="What is over, too.")] = False,
    review: Annotated[bool, typer.Option("--review", help="Proposals that wait for a yes instead.")] = False,
    text: Annotated[str, typer.Option(help="Only those whose words hold this.")] = "",
    page: Annotated[int, typer.Option(min=1, help="Which page, from 1.")] = 1,
    size: Annotated[int, typer.Option(min=1, max=1_000, help="Rows a page.")] = PAGE_ROWS,
    as_json: JsonFlag = False,
) -> None:
    """List what every space has open, urgent ones first."""
    wanted = Wanted(_read(kind, type_of), _read(state, state_of), everything, review, text)
    try:
        with opened(ctx, as_json) as opened_app:
            found = ListGoals(opened_app.context)(ADMIN, None, wanted, page, size)
            places = _places(opened_app, found.rows)
            database = database_of(opened_app.settings)
    except NoDatabase as none:
        print_note(str(none))
        found, places, database = None, {}, str(none.details["database"])
    if found is not None and page > found.pages:
        print_note(say("intents.no_page", page=page, pages=found.pages))
    if as_json:
        print_json({"database": database, **_page_data(found, places)})
    elif found is None or not found.rows:
        print_line(say("goals.none"))
    else:
        print_table(say("goals.columns").split(", "), [_cells(row, found, places) for row in found.rows])
        print_line(say("intents.total", total=found.total, page=found.number, pages=found.pages))


def _read(words: Iterable[str] | None, read: Callable[[str], T]) -> tuple[T, ...]:
    """What the words of an option stand for. Raises WrongUsage."""
    try:
        return tuple(dict.fromkeys(map(read, words or ())))
    except InvalidInput as error:
        raise WrongUsage(error.sentence, error.hint) from None


@app.command()
def show(ctx: typer.Context, handle: Handle, as_json: JsonFlag = False) -> None:
    """Show one with everything around it."""
    with opened(ctx, as_json) as opened_app:
        view = ShowGoal(opened_app.context)(handle, ADMIN, None)
        places, face = _places(opened_app, [view.intent]), _face(opened_app)
        database = database_of(opened_app.settings)
    if as_json:
        print_json({"database": database, **_view_data(view, places)})
    else:
        print_lines(goal_view_lines(view, face))


@app.command()
def cancel(ctx: typer.Context, handle: Handle, as_json: JsonFlag = False) -> None:
    """Cancel one for good; the owners of what waits for it are asked."""
    with opened(ctx, as_json) as opened_app:
        done = CancelGoal(opened_app.context)(handle, ADMIN, None)
        places = _places(opened_app, [done.intent])
        database = database_of(opened_app.settings)
    row, waiting = done.intent, [one.handle for one in done.dependents]
    if as_json:
        print_json({"database": database, **_as_data(row, places), "asked": waiting})
        return
    print_line(say("intents.cancelled", handle=row.handle, status=state_words(row), text=goal_text(row)))
    if waiting:
        print_line(say("goal.cancelled.asked", names=listed(waiting)))


@app.command()
def graph(
    ctx: typer.Context,
    handle: Annotated[str, typer.Argument(help="Only what is connected to this one.")] = "",
    svg: Annotated[Path | None, typer.Option(help="Write a picture to this file, for your eyes only.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Draw what waits for what: a tree, or a picture."""
    if svg is not None and svg.exists():
        raise InvalidInput(say("exported.exists", path=svg), say("goals.svg.exists.hint"))
    with opened(ctx, as_json) as opened_app:
        found = GraphGoals(opened_app.context)(ADMIN, None, handle)
        places, limits = _places(opened_app, found.nodes), opened_app.context.limits
        database = database_of(opened_app.settings)
    if svg is not None:
        picture = graph_svg(found, limits)
        with written(svg, "goals.unwritable", OWNER_ONLY) as file:
            file.write(picture.text)
        if picture.left_out:
            print_note(say("goals.svg.cut", count=picture.left_out))
    if as_json:
        more = {} if svg is None else {"written": str(svg.resolve())}
        print_json({"database": database, **more, **_graph_data(found, places)})
    elif svg is None:
        print_lines(graph_lines(found, limits))
    else:
        print_line(say("goals.svg.written", path=svg, count=len(found.nodes) - picture.left_out))


def _face(opened_app: "App") -> Clockface:
    return Clockface(opened_app.context.clock.now(), ZoneInfo(opened_app.settings.zone))


def _places(opened_app: "App", rows: Iterable[IntentObject]) -> dict[int, Place]:
    """The spaces and channels in which they were made."""
    with opened_app.store.read() as tx:
        return {key: tx.places.get(key) for key in {key for row in rows for key in (row.space, row.channel)}}


def _name(place: Place) -> str:
    return place.name or place.external_id


def _cells(row: IntentObject, page: GoalPage, places: Mapping[int, Place]) -> tuple[object, ...]:
    channel = places[row.channel]
    direct = channel.visibility is Visibility.DIRECT
    return (
        row.handle,
        kind_words(row),
        state_words(row),
        priority_words(row.priority),
        say("intents.direct") if direct else say("place.channel", name=_name(channel)),
        row.target_completion,
        row.owner.name,
        listed(page.waits.get(row.id, ())),
        row.value,
    )


def _page_data(page: GoalPage | None, places: Mapping[int, Place]) -> dict[str, Any]:
    if page is None:
        return {"total": 0, "page": 1, "pages": 1, "goals": []}
    rows = [
        _as_data(row, places) | {"salience": page.salience[row.id] / ONE, "waits_for": page.waits.get(row.id, ())}
        for row in page.rows
    ]
    return {"total": page.total, "page": page.number, "pages": page.pages, "goals": rows}


def _view_data(view: GoalView, places: Mapping[int, Place]) -> dict[str, Any]:
    return _as_data(view.intent, places) | {
        "salience": view.salience / ONE,
        "depends_on": [one.handle for one in view.depends_on],
        "blocks": [one.handle for one in view.blocks],
        "questions": [one.handle for one in view.questions],
        "rules": [one.handle for one in view.rules],
        "superseded_by": None if view.successor is None else view.successor.handle,
        "summary": None if view.summary is None else view.summary.text,
    }


def _graph_data(found: Graph, places: Mapping[int, Place]) -> dict[str, Any]:
    handles = {row.id: row.handle for row in found.nodes}
    edges = [{"dependent": handles[one.dependent], "prerequisite": handles[one.prerequisite]} for one in found.edges]
    return {"nodes": [_as_data(row, places) for row in found.nodes], "edges": edges}


def _as_data(row: IntentObject, places: Mapping[int, Place]) -> dict[str, Any]:
    """Every field that people know; the salience is that of the last touch."""
    return {
        "handle": row.handle,
        "id": row.id,
        "type": row.intent_type,
        "state": row.intent_state,
        "lifecycle": row.lifecycle_state,
        "priority": row.priority.name,
        "value": row.value,
        "epistemic_type": row.epistemic_type,
        "source_type": row.source_type,
        "confidence": row.confidence / ONE,
        "salience": row.salience / ONE,
        "pinned": row.pinned,
        "owner": _person(row.owner.who),
        "creator": _person(row.creator.who),
        "stakeholders": [_person(one.who) for one in row.stakeholders],
        "due_at": row.target_completion,
        "criteria": row.criteria.split("\n") if row.criteria else [],
        "note": row.note,
        "structured": row.structured,
        "evidence": row.evidence_ids,
        "created_at": row.created_at,
        "last_modified_at": row.last_modified_at,
        "made_in": {"space": _name(places[row.space]), "channel": _name(places[row.channel])},
        "version": row.version,
    }


def _person(principal: Principal) -> str:
    return f"{principal.provider}:{principal.account}:{principal.user_id}"
