"""Builders of test data: say what matters, the rest has a default."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from core.standing.intent import ChannelScope, Draft, Fire, FireState, Priority, StandingIntent, Status
from core.text.analyse import TextOptions
from core.text.zones import MarkedText
from core.timed.reminder import TimedReminder
from core.timed.when import Resolution, When
from core.turn import Actor, ActorType, Principal, Turn, Where

NOW = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)
ADA = Principal("console", "local", "ada")
BOB = Principal("console", "local", "bob")
HOME = Where("console", "local", "home", "general", "general")


def a_place(channel: str = "general", thread: str = "", **fields: Any) -> Where:
    """A channel of the space `home`, or a thread of it."""
    return replace(HOME, channel=channel, conversation=thread or channel, **fields)


def an_owner(who: Principal = ADA, **fields: Any) -> Actor:
    """An owner of the space, in the words of the log."""
    base = Actor(ActorType.HUMAN_USER, who.user_id, who.user_id.title(), who, is_owner=True)
    return replace(base, **fields)


def a_member(who: Principal = BOB) -> Actor:
    """Somebody who is in the channel and owns nothing."""
    return Actor(ActorType.HUMAN_USER, who.user_id, who.user_id.title(), who)


def a_draft(
    triggers: str = "launch checklist", description: str = "Confirm the rollback owner.", **fields: Any
) -> Draft:
    """The launch checklist, watched for anyone."""
    return Draft(triggers, description, **({"anyone": True} | fields))


_counter = iter(range(1, 10**9))


def a_turn(text: str = "the launch checklist is ready", at: datetime = NOW, **fields: Any) -> Turn:
    """A new message of bob in #general, sent and received at `at`."""
    base = Turn(
        where=HOME,
        message_id=f"message-{next(_counter)}",
        text=MarkedText(text),
        sent_at=at,
        received_at=at,
        sender=BOB,
        sender_name="Bob",
    )
    return replace(base, **fields)


def an_intent(**fields: Any) -> StandingIntent:
    """An armed intent of ada in #general, as the store would give it back."""
    base = StandingIntent(
        id="00000000-0000-7000-8000-000000000001",
        handle="i-7k2m",
        namespace_id="home",
        space=1,
        channel=2,
        conversation=3,
        description="Confirm the rollback owner.",
        entries=("launch checklist",),
        creator=ADA,
        creator_name="Ada",
        channel_scope=ChannelScope.CHANNEL,
        watches=None,
        watches_name="",
        status=Status.ARMED,
        created_at=NOW - timedelta(days=1),
        armed_at=NOW - timedelta(days=1),
        expires_at=NOW + timedelta(days=89),
        max_fires=3,
        cooldown=timedelta(hours=24),
        priority=Priority.MEDIUM,
        options=TextOptions(),
        key=7,
    )
    return replace(base, **fields)


def a_timed(**fields: Any) -> TimedReminder:
    """A reminder of ada in #general for in two hours, as the store would give it back."""
    due_at = fields.get("due_at") or NOW + timedelta(hours=2)
    base = TimedReminder(
        id="00000000-0000-7000-8000-000000000002",
        handle="r-7k2m",
        namespace_id="home",
        space=1,
        channel=2,
        conversation=3,
        text="Check the logs.",
        creator=ADA,
        creator_name="Ada",
        target=ADA,
        target_name="Ada",
        when=When(due_at.replace(tzinfo=None), "UTC", Resolution.MINUTE),
        created_at=NOW,
        due_at=due_at,
        key=7,
    )
    return replace(base, **fields)


def a_fire(**fields: Any) -> Fire:
    """The first fire of `an_intent`, reserved."""
    base = Fire(
        id="fire-1",
        intent_id="00000000-0000-7000-8000-000000000001",
        intent_key=7,
        number=1,
        conversation=3,
        message_id="message-1",
        link="",
        sender=BOB,
        sender_name="Bob",
        entry="launch checklist",
        terms=("launch", "checklist"),
        fired_at=NOW,
        state=FireState.RESERVED,
        previous_status=Status.ARMED,
        previous_fired_at=None,
        previous_fire_id=None,
    )
    return replace(base, **fields)
