"""`remembrancer bundle`: what an assistant would be handed with a message now. Reads only."""

from dataclasses import dataclass
from typing import Annotated, Any

import typer

from bots.cli.explained import as_utf8, read_place, read_principal
from bots.cli.output import JsonFlag, WrongUsage, print_json, print_line, print_note, print_table
from bots.cli.session import database_of, opened
from core.catalogue import say
from core.context.bundle import Item, Metadata, Mode, check_budget
from core.context.deck import Left
from core.errors import InvalidInput
from core.goals.objects import IntentState, IntentType
from core.limits import LIMITS
from core.services.build_bundle import Asked, BuildBundle, Bundle, BundleQuery
from core.services.context import Context
from core.text.zones import MarkedText
from core.turn import Turn


@dataclass(frozen=True, slots=True)
class _Given:
    """What was typed."""

    text: str
    sender: str
    place: str
    budget: int
    mode: Mode
    low: bool
    listed: bool
    asked: Asked


def bundle(
    ctx: typer.Context,
    place: Annotated[str, typer.Option("--in", help="Where: provider:account:space/channel or …/thread.")],
    text: Annotated[str, typer.Option(help="The message.")] = "",
    sender: Annotated[str, typer.Option("--as", help="Who says it: provider:account:user_id.")] = "",
    budget: Annotated[int, typer.Option(help="Most tokens of the block of goals.")] = LIMITS.bundle_tokens,
    mode: Annotated[Mode, typer.Option(help="default: what stands out; explicit: what is asked for.")] = Mode.DEFAULT,
    low: Annotated[bool, typer.Option("--low", help="Those of low priority, too.")] = False,
    ids: Annotated[list[str] | None, typer.Option("--id", help="Explicit: these (repeatable).")] = None,
    types: Annotated[
        list[IntentType] | None, typer.Option("--type", case_sensitive=False, help="Explicit: these types.")
    ] = None,
    owner: Annotated[str, typer.Option(help="Explicit: those of provider:account:user_id.")] = "",
    states: Annotated[
        list[IntentState] | None, typer.Option("--state", case_sensitive=False, help="Explicit: in these states.")
    ] = None,
    words: Annotated[str, typer.Option("--search", help="Explicit: those that hold this.")] = "",
    listed: Annotated[bool, typer.Option("--all", help="Name what is left out, and why.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Show the context that an assistant gets with a message now.

    The blocks go to stdout, what is to be known of them to stderr. Nothing fires, and nothing is recorded.
    """
    filters = {"--id": ids, "--type": types, "--owner": owner, "--state": states, "--search": words}
    _check(mode, filters, {"--text": text, "--in": place, "--as": sender})
    _check_budget(budget)
    who = read_principal(owner) if owner else None
    asked = Asked(tuple(ids or ()), tuple(types or ()), tuple(states or ()), who, words)
    given = _Given(text, sender, place, budget, mode, low, listed, asked)
    with opened(ctx, as_json) as app:
        built = BuildBundle(app.context)(_query(app.context, given))
        database = database_of(app.settings)
    if as_json:
        print_json({"database": database, **_data(built)})
    else:
        _print(built, listed)


def _check(mode: Mode, filters: dict[str, Any], texts: dict[str, str]) -> None:
    """Raises WrongUsage for what cannot be read, and for filters without their mode."""
    for option, value in {**filters, **texts}.items():
        parts = [value] if isinstance(value, str) else value or []
        if any("\0" in part or not as_utf8(part) for part in parts):
            raise WrongUsage(say("explain.characters", option=option), say("storage.text.hint"))
    used = [option for option, value in filters.items() if value]
    if used and mode is not Mode.EXPLICIT:
        raise WrongUsage(say("bundle.asked", options=", ".join(used)), say("bundle.asked.hint"))


def _check_budget(budget: int) -> None:
    check_budget(budget, LIMITS)
    if budget < LIMITS.bundle_least:
        raise InvalidInput(say("bundle.least", budget=budget), say("bundle.least.hint", limit=LIMITS.bundle_least))


def _query(ctx: Context, given: _Given) -> BundleQuery:
    where, text, now = read_place(given.place), MarkedText(given.text), ctx.clock.now()
    turn = None
    if given.sender:
        turn = Turn(where, f"bundle-{ctx.ids.uuid()}", text, now, now, read_principal(given.sender))
    return BundleQuery(
        where,
        text,
        turn=turn,
        mode=given.mode,
        budget=given.budget,
        low=given.low,
        asked=given.asked,
        listed=given.listed,
    )


def _print(built: Bundle, listed: bool) -> None:
    told = built.metadata
    for block in filter(None, (built.standing, built.block, built.recalled)):
        print_line(block)
    if not built.text:
        print_note(say("bundle.empty"))
    print_note(say("bundle.cost", tokens=told.tokens, budget=told.budget, items=len(built.items)))
    if told.recalled_tokens:
        print_note(say("bundle.cost.recalled", tokens=told.recalled_tokens))
    if told.overflow is not None:
        print_note(say("bundle.overflow", count=told.overflow.count))
    if told.left:
        print_note(say("bundle.left", reasons=_reasons(told)))
    if listed and told.left_out:
        columns = say("bundle.left.columns").split(", ")
        print_table(columns, [(handle, _reason(why)) for handle, why in told.left_out])


def _reasons(told: Metadata) -> str:
    return ", ".join(say("bundle.left.one", count=count, reason=_reason(why)) for why, count in told.left.items())


def _reason(why: Left) -> str:
    return say(f"bundle.left.{why.value}")


def _data(built: Bundle) -> dict[str, Any]:
    told = built.metadata
    overflow = None
    if told.overflow is not None:
        overflow = {"count": told.overflow.count, "handles": list(told.overflow.handles)}
    return {
        "block": built.block,
        "standing": built.standing,
        "recalled": built.recalled,
        "mode": told.mode,
        "budget": told.budget,
        "tokens": told.tokens,
        "recalled_tokens": told.recalled_tokens,
        "overflow": overflow,
        "items": [_item(item) for item in built.items],
        "left": {str(why): count for why, count in told.left.items()},
        "left_out": [{"handle": handle, "reason": why} for handle, why in told.left_out],
    }


def _item(item: Item) -> dict[str, Any]:
    row = item.intent
    return {
        "handle": row.handle,
        "id": row.id,
        "type": row.intent_type,
        "state": row.intent_state,
        "priority": row.priority.name,
        "form": item.form,
        "met": item.met,
        "confirmed": not row.is_proposal,
    }
