"""`remembrancer intents`: list, show, cancel and explain; there is no way to create or change one here.

`bots.cli.portable` adds export and import, which arms nothing either.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any
from zoneinfo import ZoneInfo

import typer

from bots.cli.cancelling import cancel_all_of
from bots.cli.explained import explanation_data, read_question, turn_of
from bots.cli.output import JsonFlag, WrongUsage, print_json, print_line, print_lines, print_note, print_table
from bots.cli.portable import export_intents, import_intents
from bots.cli.session import NoDatabase, database_of, opened
from core.catalogue import say
from core.services.change_intent import CancelIntent
from core.services.explain_turn import ExplainTurn
from core.services.read_intents import IntentView, ListIntents, NamedPlace, Page, ShowIntent, named_places
from core.standing.intent import Fire, StandingIntent, Status
from core.stored import Place
from core.turn import ADMIN, Principal, Visibility
from core.wording.shown import Clockface, explanation_lines, status_words, view_lines

if TYPE_CHECKING:
    from bots.bootstrap import App

PAGE_ROWS = 50

app = typer.Typer(help="Inspect and cancel standing intents. They are created in chat.")
app.command("export")(export_intents)
app.command("import")(import_intents)

Handle = Annotated[str, typer.Argument(help="As shown in chat, for example i-7k2m.")]


@app.command("list")
def list_intents(
    ctx: typer.Context,
    status: Annotated[list[Status] | None, typer.Option(help="Only these (repeatable).")] = None,
    text: Annotated[str, typer.Option(help="Only those whose reminder holds this.")] = "",
    page: Annotated[int, typer.Option(min=1, help="Which page, from 1.")] = 1,
    size: Annotated[int, typer.Option(min=1, max=1_000, help="Rows a page.")] = PAGE_ROWS,
    as_json: JsonFlag = False,
) -> None:
    """List the intents of every space, newest first."""
    statuses = tuple(status or ())
    try:
        with opened(ctx, as_json) as opened_app:
            found = ListIntents(opened_app.context)(ADMIN, None, page, statuses, text, size)
            hidden = ListIntents(opened_app.context)(ADMIN, None).total - found.total if statuses or text else 0
            places, named = _places(opened_app, found.rows), _named(opened_app, found.rows)
            database = database_of(opened_app.settings)
    except NoDatabase as none:
        print_note(str(none))
        found, hidden, places, named = Page((), 0, 1, size), 0, {}, {}
        database = str(none.details["database"])
    if page > found.pages:
        print_note(say("intents.no_page", page=page, pages=found.pages))
    if as_json:
        rows = [_as_data(row, named) | _made_in(row, places) for row in found.rows]
        head = {"database": database, "total": found.total, "hidden": hidden}
        print_json(head | {"page": found.number, "pages": found.pages, "intents": rows})
        return
    if not found.rows:
        print_line(_none(hidden, bool(statuses), bool(text)))
        return
    print_table(say("intents.columns").split(", "), [_row(row, places) for row in found.rows])
    key = "intents.total.hidden" if hidden else "intents.total"
    print_line(say(key, total=found.total, all=found.total + hidden, page=found.number, pages=found.pages))


def _none(hidden: int, by_status: bool, by_text: bool) -> str:
    if not hidden:
        return say("intents.none")
    kind = "filters" if by_status and by_text else "status" if by_status else "text"
    return say(f"intents.none.{kind}", all=hidden)


def _places(opened_app: "App", rows: Iterable[StandingIntent]) -> dict[int, Place]:
    """The spaces and channels of a list."""
    with opened_app.store.read() as tx:
        return {key: tx.places.get(key) for key in {key for row in rows for key in (row.space, row.channel)}}


def _named(opened_app: "App", rows: Iterable[StandingIntent]) -> dict[int, NamedPlace]:
    """The places in which rules stay quiet or are delivered."""
    with opened_app.store.read() as tx:
        return named_places(tx, rows)


def _label(place: NamedPlace) -> str:
    """`#ops`, `#ops/rollout`."""
    channel = say("place.channel", name=place.channel)
    return f"{channel}/{place.thread}" if place.thread else channel


def _name(place: Place) -> str:
    return place.name or place.external_id


def _channel(row: StandingIntent, places: Mapping[int, Place]) -> str:
    place = places[row.channel]
    if place.visibility is Visibility.DIRECT:
        return say("intents.direct")
    return say("place.channel", name=_name(place))


def _made_in(row: StandingIntent, places: Mapping[int, Place]) -> dict[str, Any]:
    return {"made_in": {"space": _name(places[row.space]), "channel": _name(places[row.channel])}}


@app.command()
def show(ctx: typer.Context, handle: Handle, as_json: JsonFlag = False) -> None:
    """Show one intent with its newest fires."""
    with opened(ctx, as_json) as opened_app:
        view = ShowIntent(opened_app.context)(handle, ADMIN, None)
        face = _face(opened_app)
        database = database_of(opened_app.settings)
    if as_json:
        print_json({"database": database, **_view_data(view)})
        return
    print_lines(view_lines(view, face))


@app.command()
def cancel(
    ctx: typer.Context,
    handle: Annotated[str | None, typer.Argument(help="As shown in chat, for example i-7k2m.")] = None,
    creator: Annotated[
        str | None, typer.Option(help="All live ones of this person instead: provider:account:user_id.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before all of a person are cancelled.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Cancel one intent, or all live ones of one person, for good."""
    if (handle is None) == (creator is None):
        raise WrongUsage(say("intents.cancel.which"), say("intents.cancel.which.hint"))
    if creator is not None:
        cancel_all_of(ctx, creator, yes, as_json)
        return
    assert handle is not None, "one of them is there"  # noqa: S101
    with opened(ctx, as_json) as opened_app:
        row = CancelIntent(opened_app.context)(handle, ADMIN, None)
        named = _named(opened_app, [row])
        database = database_of(opened_app.settings)
    if as_json:
        print_json({"database": database, **_as_data(row, named)})
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
    """Tell whether a message said now would fire intents, and why."""
    asked = read_question(text, handle, sender, place, message_id)
    with opened(ctx, as_json) as opened_app:
        turn = turn_of(opened_app, asked)
        face = _face(opened_app)
        told = ExplainTurn(opened_app.context)(turn, ADMIN, turn.where, handle)
        database = database_of(opened_app.settings)
    if as_json:
        print_json(explanation_data(told, database))
    else:
        print_lines(explanation_lines(told, face))


def _face(opened_app: "App") -> Clockface:
    return Clockface(opened_app.context.clock.now(), ZoneInfo(opened_app.settings.zone))


def _person(principal: Principal) -> str:
    return f"{principal.provider}:{principal.account}:{principal.user_id}"


def _row(row: StandingIntent, places: Mapping[int, Place]) -> tuple[object, ...]:
    fires = f"{row.fire_count}/{row.max_fires}"
    return (
        row.handle,
        status_words(row),
        _channel(row, places),
        fires,
        row.expires_at,
        row.creator_name,
        "; ".join(row.entries),
        row.description,
    )


def _as_data(row: StandingIntent, named: Mapping[int, NamedPlace]) -> dict[str, Any]:
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
        "cooldown_per": row.cooldown_per,
        "except_in": [_label(named[key]) for key in row.except_in],
        "deliver": row.deliver,
        "deliver_to": _label(named[row.deliver_to]) if row.deliver_to else None,
        "unconfirmed": row.unconfirmed,
        "expiry_asked_at": row.expiry_asked_at,
    }


def _view_data(view: IntentView) -> dict[str, Any]:
    place = {"space": view.space_name, "channel": view.channel_name, "conversation": view.conversation_name}
    return _as_data(view.intent, view.places) | {"made_in": place, "history": [_fire_data(fire) for fire in view.fires]}


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
