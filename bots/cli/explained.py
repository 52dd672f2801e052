"""What `remembrancer intents explain` asks and answers: a turn from its options, an explanation as data."""

from typing import TYPE_CHECKING, Any

from core.catalogue import say
from core.errors import InvalidInput
from core.services.explain_turn import Explanation, TurnExplanation
from core.services.read_intents import ShowIntent
from core.standing.intent import StandingIntent
from core.text.zones import MarkedText
from core.turn import ADMIN, Principal, Turn, Where

if TYPE_CHECKING:
    from bots.bootstrap import App


def turn_of(app: "App", text: str, handle: str | None, sender: str, place: str, message_id: str) -> Turn:
    """The message as a turn: person and place as given, else those of the intent. Raises InvalidInput, NotFound."""
    intent = ShowIntent(app.context)(handle, ADMIN, None).intent if handle is not None else None
    if intent is None and not (sender and place):
        raise InvalidInput(say("explain.who_where"), say("explain.who_where.hint"))
    who = read_principal(sender) if sender else _listened_to(intent)
    where = read_place(place) if place else _made_in(app, intent)
    now = app.context.clock.now()
    return Turn(where, message_id or f"explain-{app.context.ids.uuid()}", MarkedText(text), now, now, who)


def _listened_to(intent: StandingIntent | None) -> Principal:
    assert intent is not None, "turn_of checked it"  # noqa: S101
    return intent.watches or intent.creator


def _made_in(app: "App", intent: StandingIntent | None) -> Where:
    assert intent is not None, "turn_of checked it"  # noqa: S101
    with app.store.read() as tx:
        keys = (intent.space, intent.channel, intent.conversation)
        space, channel, conversation = (tx.places.get(key) for key in keys)
    return Where(
        channel.provider,
        channel.account,
        space.external_id,
        channel.external_id,
        conversation.external_id,
        channel.visibility,
    )


def read_principal(text: str) -> Principal:
    """`provider:account:user_id`; raises InvalidInput."""
    parts = text.split(":", 2)
    if len(parts) != 3 or not all(parts):
        raise InvalidInput(say("explain.person", text=text), say("explain.person.hint"))
    return Principal(*parts)


def read_place(text: str) -> Where:
    """`provider:account:space/channel` or `…/channel/thread`; raises InvalidInput."""
    head, _, rest = text.partition("/")
    ids, inner = head.split(":", 2), rest.split("/", 1)
    if len(ids) != 3 or not all(ids) or not all(inner):
        raise InvalidInput(say("explain.place", text=text), say("explain.place.hint"))
    return Where(ids[0], ids[1], ids[2], inner[0], inner[-1])


def explanation_data(told: TurnExplanation) -> dict[str, Any]:
    """The explanation for programs."""
    return {
        "intents": [_one(answer) for answer in told.intents],
        "candidates": told.candidates,
        "cut": told.cut,
        "probe_cut": told.probe_cut,
        "left_out": len(told.left_out),
        "truncated": told.truncated,
    }


def _one(answer: Explanation) -> dict[str, Any]:
    rules = [
        {"rule": rule.rule, "passed": rule.passed, "reason": rule.reason, "figures": dict(rule.figures)}
        for rule in answer.rules
    ]
    return {"handle": answer.intent.handle, "fires": answer.fires, "reason": answer.reason, "rules": rules}
