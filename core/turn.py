"""One normalised message, the places it stands in and the people in it."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from core.text.zones import MarkedText


class PlaceKind(StrEnum):
    """What a row of `places` stands for."""

    SPACE = "space"
    CHANNEL = "channel"
    CONVERSATION = "conversation"


class Visibility(StrEnum):
    """Who can read a channel. Private channels and direct messages are namespaces of their own."""

    PUBLIC = "public"
    PRIVATE = "private"
    DIRECT = "direct"


class TurnKind(StrEnum):
    """What kind of message a turn is. USER is eligible as it stands, BOT and WEBHOOK where an intent names that one."""

    USER = "user"
    COMMAND = "command"
    BOT = "bot"
    WEBHOOK = "webhook"
    SERVICE = "service"
    OWN = "own"


@dataclass(frozen=True, slots=True)
class Principal:
    """A person, by the platform's stable id. A display name is never an identity.

    A bot or a webhook is one too; what makes it one is in its id (`machine`), so that no rule takes it for a person.
    """

    provider: str
    account: str
    user_id: str

    @property
    def parts(self) -> list[str]:
        """As operations, and bodies of messages, keep them."""
        return [self.provider, self.account, self.user_id]


MACHINES = {TurnKind.BOT: "bot:", TurnKind.WEBHOOK: "webhook:"}
"""Kinds of messages that no person writes, and what the id of such a sender begins with. No person's id does."""


def machine(kind: TurnKind, provider: str, account: str, stable_id: str) -> Principal:
    """The principal of a bot or a webhook, by the platform's stable id of it. Raises KeyError for other kinds."""
    return Principal(provider, account, MACHINES[kind] + stable_id)


def machine_kind(who: Principal | None) -> TurnKind | None:
    """BOT or WEBHOOK; None for a person and for nobody."""
    if who is None:
        return None
    return next((kind for kind, start in MACHINES.items() if who.user_id.startswith(start)), None)


@dataclass(frozen=True, slots=True)
class Where:
    """The place of a turn in the platform's own ids, outermost first.

    In a plain channel `conversation` equals `channel`; in a direct message all three are the chat itself.
    """

    provider: str
    account: str
    space: str
    channel: str
    conversation: str
    visibility: Visibility = Visibility.PUBLIC
    space_name: str = ""
    channel_name: str = ""
    conversation_name: str = ""


@dataclass(frozen=True, slots=True)
class Spot:
    """A `Where` resolved to surrogate ids of `places`; 0 stands for "not in the store yet".

    `namespace_id` is "" when no row of the place exists yet: then only `anywhere` intents can apply. `moved_from` is
    the former id of a space that has another one by now, "" for a space that was found under its own.
    """

    space: int
    channel: int
    conversation: int
    namespace_id: str
    visibility: Visibility
    moved_from: str = ""

    def scope_keys(self) -> tuple[int, ...]:
        """The index scopes this spot can hit, 0 (anywhere) first.

        A private channel and a direct message do not see their space: nothing crosses a namespace.
        """
        inner = [self.channel, self.conversation]
        if self.visibility is Visibility.PUBLIC:
            inner.insert(0, self.space)
        return (0, *dict.fromkeys(key for key in inner if key))


@dataclass(frozen=True, slots=True)
class Turn:
    """One message as an adapter hands it over. Times are aware UTC.

    The sender of a BOT or WEBHOOK turn is made by `machine`. `answers_us`: it is a reply to a message of ours, as far
    as the platform tells.
    """

    where: Where
    message_id: str
    text: MarkedText
    sent_at: datetime
    received_at: datetime
    sender: Principal | None
    sender_name: str = ""
    kind: TurnKind = TurnKind.USER
    edited: bool = False
    link: str = ""
    can_deliver: bool = True
    mentions: tuple[Principal, ...] = field(default=())
    answers_us: bool = False


FORMER = "@"
"""Stands between the id of a message and that of the chat it was in. No platform whose chats move has it in an id."""


def former_message(message_id: str, space: str) -> str:
    """The id of a message of a space that has another id now: the new one counts its messages afresh."""
    return f"{message_id}{FORMER}{space}"


class ActorType(StrEnum):
    """Who acted, in the words of the operation log."""

    HUMAN_USER = "HUMAN_USER"
    SYSTEM_PROCESS = "SYSTEM_PROCESS"
    AI_AGENT = "AI_AGENT"
    EXTERNAL_CONNECTOR = "EXTERNAL_CONNECTOR"


@dataclass(frozen=True, slots=True)
class Actor:
    """Who performs a use case, with the rights the adapter found at the moment of the act.

    `principal` is None for an administrator on the command line and for the system itself: neither can create.
    """

    type: ActorType
    id: str
    name: str = ""
    principal: Principal | None = None
    is_owner: bool = False
    is_operator: bool = False
    is_admin: bool = False


SYSTEM = Actor(ActorType.SYSTEM_PROCESS, "system", "Remembrancer")
ADMIN = Actor(ActorType.SYSTEM_PROCESS, "admin", "administrator", is_admin=True)
