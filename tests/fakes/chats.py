"""A Telegram group that becomes a supergroup, as services see it."""

from dataclasses import replace

from core.services.context import Context
from core.services.create_intent import CreateIntent
from core.services.move_place import MovePlace
from core.services.receive_turn import ReceiveTurn
from core.standing.intent import StandingIntent
from core.standing.outcome import Outcome
from core.turn import Actor, Principal, Where
from tests.builders import a_draft, a_turn, an_owner

OLD = Where("telegram", "bot", "-1", "-1", "-1")
NEW = replace(OLD, space="-100", channel="-100", conversation="-100")
TOPIC = replace(NEW, conversation="7", conversation_name="Rollback")
ELSEWHERE = replace(OLD, space="-2", channel="-2", conversation="-2")
ADA = Principal("telegram", "bot", "1")
BOB = Principal("telegram", "bot", "2")


def owner(who: Principal = ADA, **fields: object) -> Actor:
    return an_owner(who, **fields)


def create(ctx: Context, where: Where = OLD, who: Principal = ADA, **fields: object) -> StandingIntent:
    """A rule for anyone, made at a place."""
    message = str(fields.pop("message", "created"))
    operator = bool(fields.pop("operator", False))
    return CreateIntent(ctx)(a_draft(**fields), owner(who, is_operator=operator), where, message)


def hear(ctx: Context, where: Where, message: str, text: str = "the launch checklist", **fields: object) -> Outcome:
    """What a new message of bob brings back."""
    turn = a_turn(text, at=ctx.clock.now(), where=where, message_id=message, sender=BOB, sender_name="Bob")
    return ReceiveTurn(ctx)(replace(turn, **fields))


def fired(outcome: Outcome) -> list[str]:
    return [reminder.handle for reminder in outcome.fires]


def move(ctx: Context, old: Where = OLD, new: Where = NEW) -> bool:
    return MovePlace(ctx)(old.provider, old.account, old.space, new.space)
