"""`remembrancer intents history`: every fire of one intent, with the place where it happened."""

from typing import Annotated, Any
from zoneinfo import ZoneInfo

import typer

from bots.cli.output import JsonFlag, print_json, print_lines
from bots.cli.session import database_of, opened
from core.services.history import PlaceNames, ReadHistory
from core.standing.intent import Fire
from core.turn import ADMIN
from core.wording.preview import fire_place, history_lines
from core.wording.shown import Clockface

PAGE_ROWS = 50


def history(
    ctx: typer.Context,
    handle: Annotated[str, typer.Argument(help="As shown in chat, for example i-7k2m.")],
    page: Annotated[int, typer.Option(min=1, help="Which page, from 1.")] = 1,
    size: Annotated[int, typer.Option(min=1, max=1_000, help="Rows a page.")] = PAGE_ROWS,
    as_json: JsonFlag = False,
) -> None:
    """Show every fire of one intent, newest first.

    The history is kept whatever became of the intent.
    """
    with opened(ctx, as_json) as app:
        found = ReadHistory(app.context)(handle, ADMIN, None, page, size)
        face = Clockface(app.context.clock.now(), ZoneInfo(app.settings.zone))
        database = database_of(app.settings)
    if not as_json:
        print_lines(history_lines(found, face))
        return
    head = {"database": database, "handle": found.intent.handle, "status": found.intent.status}
    pages = {"total": found.total, "page": found.number, "pages": found.pages}
    print_json(head | pages | {"fires": [_as_data(fire, place) for fire, place in found.fires]})


def _as_data(fire: Fire, place: PlaceNames) -> dict[str, Any]:
    sender = fire.sender
    return {
        "id": fire.id,
        "number": fire.number,
        "at": fire.fired_at,
        "place": {"space": place.space, "channel": place.channel, "thread": place.thread, "shown": fire_place(place)},
        "link": fire.link,
        "message_id": fire.message_id,
        "sender": f"{sender.provider}:{sender.account}:{sender.user_id}",
        "sender_name": fire.sender_name,
        "entry": fire.entry,
        "terms": fire.terms,
        "state": fire.state,
        "settled_at": fire.settled_at,
    }
