"""The document of exported intents: what stands in it, and how it is written. Pure.

Everything is in the platforms' own ids; nothing in it is a key of one database. `core.standing.portable_reading`
reads it.
"""

import json
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from core.standing.intent import ChannelScope, CooldownPer, Deliver, Priority, Status
from core.text.analyse import TextOptions
from core.turn import Principal, Where

FORMAT = "remembrancer-intents"
VERSION = 1
_UNPLAIN = frozenset({"Cc", "Cs", "Zl", "Zp"})
_TURNS = frozenset({"LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"})


class SenderScope(StrEnum):
    """Whose words count: the creator's, a named person's, anyone's."""

    ME = "me"
    NAMED = "named"
    ANYONE = "anyone"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody by the platform's id, with the name that was shown."""

    principal: Principal
    name: str = ""


@dataclass(frozen=True, slots=True)
class PortableIntent:
    """One standing intent in platform ids. Erased words are None. Times are aware UTC.

    `watches` is there for `SenderScope.NAMED` only, `deliver_to` for `Deliver.PLACE` only. A place of `except_in`
    whose conversation equals its channel stands for the whole channel. `handle`, `status`, `fires` and `created_at`
    tell people what it was where it was exported; an import does not take them over.
    """

    place: Where
    creator: Person
    description: str | None
    entries: tuple[str | None, ...]
    scope: ChannelScope
    sender: SenderScope
    watches: Person | None
    max_fires: int
    cooldown: timedelta
    cooldown_per: CooldownPer
    expires_at: datetime
    priority: Priority
    options: TextOptions
    on_edits: bool
    except_in: tuple[Where, ...]
    deliver: Deliver
    deliver_to: Where | None
    status: Status
    fires: int
    created_at: datetime
    handle: str

    def places(self) -> tuple[Where, ...]:
        """Every place that is named in it, its own first."""
        return (self.place, *self.except_in, *(() if self.deliver_to is None else (self.deliver_to,)))

    def people(self) -> tuple[Person, ...]:
        """Everybody who is named in it, the creator first."""
        return (self.creator,) if self.watches is None else (self.creator, self.watches)


def plain_name(name: str) -> str:
    """The name without control and broken characters, line breaks, and what turns the direction of writing."""
    return "".join(
        char
        for char in name
        if unicodedata.category(char) not in _UNPLAIN and unicodedata.bidirectional(char) not in _TURNS
    )


def render(intents: Iterable[PortableIntent], exported_at: datetime) -> str:
    """The document, one text for one content: pure ASCII, two spaces an indent, a line feed at the end."""
    document = {
        "format": FORMAT,
        "version": VERSION,
        "exported_at": _moment(exported_at),
        "intents": [_row(intent) for intent in intents],
    }
    return json.dumps(document, indent=2) + "\n"


def _row(intent: PortableIntent) -> dict[str, object]:
    return {
        "handle": intent.handle,
        "status": intent.status.value,
        "created_at": _moment(intent.created_at),
        "fires": intent.fires,
        "place": _place(intent.place),
        "creator": _person(intent.creator),
        "description": intent.description,
        "entries": list(intent.entries),
        "scope": intent.scope.value,
        "sender": intent.sender.value,
        "watches": None if intent.watches is None else _person(intent.watches),
        "max_fires": intent.max_fires,
        "cooldown_seconds": intent.cooldown // timedelta(seconds=1),
        "cooldown_per": intent.cooldown_per.value,
        "expires_at": _moment(intent.expires_at),
        "priority": intent.priority.name.lower(),
        "word_forms": intent.options.word_forms,
        "language": intent.options.language,
        "fold_accents": intent.options.fold_accents,
        "on_edits": intent.on_edits,
        "except": [_place(place) for place in intent.except_in],
        "deliver": intent.deliver.value,
        "deliver_to": None if intent.deliver_to is None else _place(intent.deliver_to),
    }


def _place(where: Where) -> dict[str, str]:
    return {
        "provider": where.provider,
        "account": where.account,
        "space": where.space,
        "channel": where.channel,
        "conversation": where.conversation,
        "visibility": where.visibility.value,
        "space_name": plain_name(where.space_name),
        "channel_name": plain_name(where.channel_name),
        "conversation_name": plain_name(where.conversation_name),
    }


def _person(person: Person) -> dict[str, str]:
    who = person.principal
    return {"provider": who.provider, "account": who.account, "user": who.user_id, "name": plain_name(person.name)}


def _moment(moment: datetime) -> str:
    """UTC to the microsecond, with a Z."""
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"
