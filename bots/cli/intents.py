"""`remembrancer intents`: list, show, cancel and explain. There is no way to create or change one here."""

from typing import TYPE_CHECKING, Annotated, Any
from zoneinfo import ZoneInfo

import typer

from bots.cli.explained import explanation_data, turn_of
from bots.cli.output import JsonFlag, print_json, print_line, print_lines, print_table
from bots.cli.session import opened
from core.catalogue import say
from core.services.change_intent import CancelIntent
from core.services.explain_turn import ExplainTurn
from core.services.read_intents import IntentView, ListIntents, ShowIntent
from core.standing.intent import Fire, StandingIntent, Status
from core.turn import ADMIN, Principal
from core.wording.shown import Clockface, explanation_lines, status_words, view_lines

if TYPE_CHECKING:
    from bots.bootstrap import App

PAGE_ROWS = 50

app = typer.Typer(help="Inspect and cancel standing intents. They are created in chat.")

Handle = Annotated[str, typer.Argument(help="As shown in chat, for example i-7k2m.")]


@app.command("list")
def list_intents(
    ctx: typer.Context,
    status: Annotated[list[Status] | None, typer.Option(help="Only these (repeatable).")] = None,
    text: Annotated[str, typer.Option(help="Only those whose reminder holds this.")] = "",
    page: Annotated[int, typer.Option(min=1)] = 1,
    size: Annotated[int, typer.Option(min=1, max=1_000, help="Rows a page.")] = PAGE_ROWS,
    as_json: JsonFlag = False,
) -> None:
    """List the intents of every space, newest first."""
    with opened(ctx) as opened_app:
        found = ListIntents(opened_app.context)(ADMIN, None, page, tuple(status or ()), text, size)
    if as_json:
        rows = [_as_data(row) for row in found.rows]
        print_json({"total": found.total, "page": found.number, "pages": found.pages, "intents": rows})
        return
    if not found.rows:
        print_line(say("intents.none"))
        return
    print_table(say("intents.columns").split(", "), map(_row, found.rows))
    print_line(say("intents.total", total=found.total, page=found.number, pages=found.pages))


@app.command()
def show(ctx: typer.Context, handle: Handle, as_json: JsonFlag = False) -> None:
    """Show one intent with its newest fires."""
    with opened(ctx) as opened_app:
        view = ShowIntent(opened_app.context)(handle, ADMIN, None)
        face = _face(opened_app)
    if as_json:
        print_json(_view_data(view))
        return
    print_lines(view_lines(view, face))


@app.command()
def cancel(ctx: typer.Context, handle: Handle, as_json: JsonFlag = False) -> None:
    """Cancel one intent, for good."""
    with opened(ctx) as opened_app:
        row = CancelIntent(opened_app.context)(handle, ADMIN, None)
    if as_json:
        print_json(_as_data(row))
    else:
        print_line(say("intents.cancelled", handle=row.handle, status=status_words(row), text=row.description))


@app.command()
def explain(
    ctx: typer.Context,
    text: Annotated[str, typer.Option(help="The message to explain.")],
    handle: Annotated[str | None, typer.Argument(help="One intent; without it all that are live, 50 at most.")] = None,
    sender: Annotated[
        str, typer.Option("--as", help="Who says it: provider:account:user_id. Default: whom the intent listens to.")
    ] = "",
    place: Annotated[
        str,
        typer.Option("--in", help="Where: provider:account:space/channel or …/thread. Default: where it was made."),
    ] = "",
    message_id: Annotated[str, typer.Option(help="The message's id, where it was sent already.")] = "",
    as_json: JsonFlag = False,
) -> None:
    """Tell whether a message, said now, would fire intents, rule by rule."""
    with opened(ctx) as opened_app:
        turn = turn_of(opened_app, text, handle, sender, place, message_id)
        face = _face(opened_app)
        told = ExplainTurn(opened_app.context)(turn, ADMIN, turn.where, handle)
    if as_json:
        print_json(explanation_data(told))
    else:
        print_lines(explanation_lines(told, face))


def _face(opened_app: "App") -> Clockface:
    return Clockface(opened_app.context.clock.now(), ZoneInfo(opened_app.settings.zone))


def _person(principal: Principal) -> str:
    return f"{principal.provider}:{principal.account}:{principal.user_id}"


def _row(row: StandingIntent) -> tuple[object, ...]:
    fires = f"{row.fire_count}/{row.max_fires}"
    return (
        row.handle,
        status_words(row),
        fires,
        row.expires_at,
        row.creator_name,
        "; ".join(row.entries),
        row.description,
    )


def _as_data(row: StandingIntent) -> dict[str, Any]:
    return {
        "handle": row.handle,
        "id": row.id,
        "status": row.status,
        "description": row.description,
        "entries": row.entries,
        "scope": row.channel_scope,
        "creator": _person(row.creator),
        "watches": None if row.watches is None else _person(row.watches),
        "priority": row.priority.name.lower(),
        "created_at": row.created_at,
        "expires_at": row.expires_at,
        "fires": row.fire_count,
        "max_fires": row.max_fires,
        "cooldown_seconds": int(row.cooldown.total_seconds()),
        "last_fired_at": row.last_fired_at,
        "word_forms": row.options.word_forms,
        "on_edits": row.on_edits,
    }


def _view_data(view: IntentView) -> dict[str, Any]:
    place = {"space": view.space_name, "channel": view.channel_name, "conversation": view.conversation_name}
    return _as_data(view.intent) | {"made_in": place, "history": [_fire_data(fire) for fire in view.fires]}


def _fire_data(fire: Fire) -> dict[str, Any]:
    return {
        "id": fire.id,
        "number": fire.number,
        "at": fire.fired_at,
        "state": fire.state,
        "entry": fire.entry,
        "message_id": fire.message_id,
        "link": fire.link,
        "sender": _person(fire.sender),
    }
