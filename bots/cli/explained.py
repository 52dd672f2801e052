"""What `remembrancer intents explain` asks and answers: a turn from its options, an explanation as data."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bots.cli.output import WrongUsage
from core.catalogue import say
from core.services.explain_turn import Explanation, TurnExplanation
from core.services.read_intents import ShowIntent
from core.standing.intent import StandingIntent
from core.text.zones import MarkedText
from core.turn import ADMIN, Principal, Turn, Where

if TYPE_CHECKING:
    from bots.bootstrap import App


@dataclass(frozen=True, slots=True)
class Asked:
    """What was typed: the message, whose it is and where; None stands for "as the intent has it"."""

    text: str
    handle: str | None
    sender: Principal | None
    place: Where | None
    message_id: str


def read_question(text: str, handle: str | None, sender: str, place: str, message_id: str) -> Asked:
    """Read the options. Raises WrongUsage for what cannot be read, and for a lack of person or place."""
    given = {"--as": sender, "--in": place, "--message-id": message_id}
    for option, value in given.items():
        if "\0" in value or not as_utf8(value):
            raise WrongUsage(say("explain.characters", option=option), say("storage.text.hint"))
    if handle is None and not (sender and place):
        raise WrongUsage(say("explain.who_where"), say("explain.who_where.hint"))
    who = read_principal(sender) if sender else None
    return Asked(text, handle, who, read_place(place) if place else None, message_id)


def turn_of(app: "App", asked: Asked) -> Turn:
    """The message as a turn: person and place as given, else those of the intent. Raises NotFound."""
    intent = ShowIntent(app.context)(asked.handle, ADMIN, None).intent if asked.handle is not None else None
    who = asked.sender or _listened_to(intent)
    where = asked.place or _made_in(app, intent)
    now = app.context.clock.now()
    message_id = asked.message_id or f"explain-{app.context.ids.uuid()}"
    return Turn(where, message_id, MarkedText(asked.text), now, now, who)


def _listened_to(intent: StandingIntent | None) -> Principal:
    assert intent is not None, "read_question checked it"  # noqa: S101
    return intent.watches or intent.creator


def _made_in(app: "App", intent: StandingIntent | None) -> Where:
    assert intent is not None, "read_question checked it"  # noqa: S101
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


def as_utf8(text: str) -> bool:
    """Whether what was typed is UTF-8; bytes that are not come in as halves of surrogate pairs."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def read_principal(text: str) -> Principal:
    """`provider:account:user_id`; raises WrongUsage."""
    parts = text.split(":", 2)
    if len(parts) != 3 or not all(parts):
        raise WrongUsage(say("explain.person", text=text), say("explain.person.hint"))
    return Principal(*parts)


def read_place(text: str) -> Where:
    """`provider:account:space/channel` or `…/channel/thread`; raises WrongUsage."""
    head, _, rest = text.partition("/")
    ids, inner = head.split(":", 2), rest.split("/", 1)
    if len(ids) != 3 or not all(ids) or not all(inner):
        raise WrongUsage(say("explain.place", text=text), say("explain.place.hint"))
    return Where(ids[0], ids[1], ids[2], inner[0], inner[-1])


def explanation_data(told: TurnExplanation, database: str) -> dict[str, Any]:
    """The explanation for programs."""
    return {
        "database": database,
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
