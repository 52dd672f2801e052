"""Who is typing and where: the console's people, channels, threads and direct messages."""

import unicodedata
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TypeVar

from adapters.console.display import BOT
from core.catalogue import say
from core.errors import InvalidInput, LimitExceeded, NotAllowed
from core.limits import LIMITS
from core.services.context import Context
from core.services.workspace import KeepWorkspace, Workspace
from core.turn import Actor, ActorType, Principal, TurnKind, Visibility, Where, machine

PROVIDER, ACCOUNT, SPACE = "console", "local", "workspace"
FIRST_PERSON, FIRST_CHANNEL = "ada", "general"
_SIGNS = frozenset("._-")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Said:
    """A message of this session, for `/edit` and `/intent why`. `kind` is BOT where a bot played by `/bot` wrote it."""

    message_id: str
    name: str
    text: str
    sent_at: datetime
    edited: bool = False
    kind: TurnKind = TurnKind.USER

    @property
    def sender(self) -> Principal:
        """Who wrote it."""
        if self.kind is TurnKind.USER:
            return principal(self.name)
        return machine(self.kind, PROVIDER, ACCOUNT, person_id(self.name))


class World:
    """The state of the conversation. People and places are stored when they first appear."""

    def __init__(self, ctx: Context, operators: Iterable[Principal] = ()) -> None:
        self._keep = KeepWorkspace(ctx)
        self._operators = frozenset(operators)
        self._said: dict[str, deque[Said]] = {}
        self._bots: dict[str, str] = {}
        self.workspace: Workspace = self._keep.load()
        people = {person_id(name): name for name in self.workspace.people}
        first = self.workspace.owners[0] if self.workspace.owners else person_id(FIRST_PERSON)
        self.name = people.get(first, first)
        self.where = channel_place(FIRST_CHANNEL)

    # people

    def people(self) -> dict[str, str]:
        """Everybody seen here, by id; the one typing among them."""
        return {person_id(name): name for name in (*self.workspace.people, self.name)}

    def become(self, name: str) -> None:
        """Type as somebody else from now on."""
        wanted = checked_name(name)
        if person_id(unicodedata.normalize("NFKC", wanted)) == BOT:
            raise InvalidInput(say("console.as.bot", name=wanted), say("console.as.usage.hint"))
        known = self.people().get(person_id(wanted))
        if known is None and len(self.workspace.people) >= LIMITS.console_people:
            raise _full("people", LIMITS.console_people)
        self.name = known or wanted
        self._introduce()
        if self.where.visibility is Visibility.DIRECT:
            self._go(channel_place(FIRST_CHANNEL))

    def find(self, name: str) -> tuple[Principal, str]:
        """The person of that name (with or without @). Raises InvalidInput."""
        wanted = name.strip().removeprefix("@")
        found = self.people().get(person_id(wanted))
        if found is None and (bot := self._bots.get(person_id(wanted))):
            return machine(TurnKind.BOT, PROVIDER, ACCOUNT, person_id(bot)), bot
        if found is None:
            names = ", ".join(self.people().values())
            shown = wanted[: LIMITS.name_chars]
            key = "person.unknown.introduce.hint" if is_name(wanted) else "person.unknown.hint"
            raise InvalidInput(say("person.unknown", name=shown), say(key, name=wanted, names=names))
        return principal(found), found

    def bot(self, name: str) -> str:
        """The name of another bot, which is known from now on for as long as this chat lasts. Raises InvalidInput."""
        wanted = checked_name(name)
        key = person_id(unicodedata.normalize("NFKC", wanted))
        if key == BOT or key in self.people():
            raise InvalidInput(say("console.bot.taken", name=wanted), say("console.bot.usage.hint"))
        if key not in self._bots and len(self._bots) >= LIMITS.console_people:
            raise _full("people", LIMITS.console_people)
        return self._bots.setdefault(key, wanted)

    def is_owner(self, name: str | None = None) -> bool:
        """Does that person, or the one typing, own the workspace?"""
        return person_id(name or self.name) in self.workspace.owners

    def owners(self) -> list[str]:
        """Names of the owners."""
        people = self.people()
        return [people.get(owner, owner) for owner in self.workspace.owners]

    def begin(self) -> None:
        """The person who opens a new file owns it: both are stored before anybody types."""
        self._introduce()
        if not self.workspace.owners:
            self._grant(self.name)
        self._go(self.where)

    def _introduce(self) -> None:
        if person_id(self.name) not in {person_id(name) for name in self.workspace.people}:
            self._store(lambda now: replace(now, people=tuple(dict.fromkeys((*now.people, self.name)))))

    def make_owner(self, name: str) -> str:
        """Make somebody an owner; only an owner can. Answers the name as shown."""
        if not self.is_owner():
            names = ", ".join(self.owners())
            raise NotAllowed(say("console.owner.refused"), say("console.owner.refused.hint", names=names))
        wanted = checked_name(name)
        shown = self.people().get(person_id(wanted))
        if shown is None:
            hint = say("console.owner.unknown.hint", name=wanted)
            raise InvalidInput(say("console.owner.unknown", name=wanted), hint)
        self._grant(shown)
        return shown

    def drop_owner(self, name: str) -> tuple[str, int]:
        """Take somebody's ownership away; only an owner can. Answers their name and how many rules were paused."""
        who, shown = self.find(name)
        self.workspace, paused = self._keep.revoke(who, self.actor(), channel_place(FIRST_CHANNEL))
        return shown, paused

    def leave(self) -> tuple[str, int]:
        """The person typing leaves the workspace; the first owner types from now on. Answers as `drop_owner`."""
        gone, actor = self.name, self.actor()
        self.workspace, paused = self._keep.leave(principal(gone), actor, channel_place(FIRST_CHANNEL))
        self.become(self.owners()[0])
        return gone, paused

    def shown_name(self, who: Principal) -> str:
        """The name that people know somebody by."""
        return self.people().get(who.user_id, who.user_id)

    def _grant(self, name: str) -> None:
        self.workspace = self._keep.grant(person_id(name), person_id(self.name), self.actor())

    def actor(self) -> Actor:
        """The person typing, with the rights of this moment."""
        who = principal(self.name)
        return Actor(
            ActorType.HUMAN_USER,
            who.user_id,
            self.name,
            who,
            is_owner=self.is_owner(),
            is_operator=who in self._operators,
        )

    # places

    def enter(self, name: str, private: bool) -> None:
        """Go to a channel; what a channel is stays as it was at its first use."""
        wanted = channel_place(checked_name(name.removeprefix("#")), private)
        known = next((place for place in self.workspace.places if place.channel == wanted.channel), None)
        if known is not None and private and known.visibility is not Visibility.PRIVATE:
            visibility = say(f"console.{known.visibility}")
            raise InvalidInput(
                say("console.in.fixed", name=wanted.channel_name, visibility=visibility),
                say("console.in.fixed.hint"),
            )
        self._go(replace(wanted, visibility=known.visibility) if known is not None else wanted)

    def enter_thread(self, name: str) -> None:
        """Go to a thread of this channel."""
        if self.where.visibility is Visibility.DIRECT:
            raise InvalidInput(say("console.thread.direct"), say("console.thread.direct.hint"))
        thread = checked_name(name)
        conversation = f"{self.where.channel}/{person_id(thread)}"
        self._go(replace(self.where, conversation=conversation, conversation_name=thread))

    def enter_direct(self) -> None:
        """Talk to Remembrancer alone."""
        self._go(self.direct())

    def direct(self) -> Where:
        """The direct message of the person typing."""
        key = f"dm:{person_id(self.name)}"
        shown = say("console.channels.dm", name=self.name)
        return Where(PROVIDER, ACCOUNT, key, key, key, Visibility.DIRECT, shown, shown, shown)

    def _go(self, where: Where) -> None:
        """Go there and store the place, so that what it is owed can be posted after a crash."""
        places, visits = self.workspace.places, self.workspace.visits
        known = {place.conversation for place in places}
        if where.conversation not in known and len(known) >= LIMITS.console_places:
            raise _full("in", LIMITS.console_places)
        self.where = where
        visit = (where.channel, person_id(self.name))
        new_place = where.conversation not in known
        new_visit = where.visibility is not Visibility.PUBLIC and visit not in visits
        if new_place or new_visit:
            self._store(
                lambda now: replace(
                    now,
                    places=_with(now.places, where) if new_place else now.places,
                    visits=_with(now.visits, visit) if new_visit else now.visits,
                )
            )

    def places(self) -> list[Where]:
        """Every place visited; private channels and direct messages only where the person typing was."""
        me = person_id(self.name)
        return [
            place
            for place in self.workspace.places
            if place.visibility is Visibility.PUBLIC or (place.channel, me) in self.workspace.visits
        ]

    def keep_clock(self, ahead: timedelta) -> None:
        """Store how far the clock is ahead."""
        self._store(lambda now: replace(now, ahead=ahead))

    def refresh(self) -> None:
        """Read what other terminals on the same file have changed: rights count as of the act."""
        self.workspace = self._keep.load()

    def _store(self, change: Callable[[Workspace], Workspace]) -> None:
        self.workspace = self._keep.update(change)

    # messages

    def remember(self, said: Said) -> None:
        """Keep a message of this session; an edited one takes the place of the old."""
        messages = self._said.setdefault(self.where.conversation, deque(maxlen=LIMITS.console_history))
        for old in [message for message in messages if message.message_id == said.message_id]:
            messages.remove(old)
        messages.append(said)

    def said_in(self, where: Where) -> tuple[Said, ...]:
        """The messages of this session in a conversation."""
        return tuple(self._said.get(where.conversation, ()))

    def newest(self, own: bool = False) -> Said | None:
        """The newest message here, or the newest of the person typing."""
        messages = self._said.get(self.where.conversation, ())
        return next((said for said in reversed(messages) if not own or said.sender == principal(self.name)), None)


def _with(known: tuple[T, ...], new: T) -> tuple[T, ...]:
    return known if new in known else (*known, new)


def person_id(name: str) -> str:
    """The stable id behind a name: upper and lower case are the same person."""
    return name.casefold()


def principal(name: str) -> Principal:
    """The principal behind a name."""
    return Principal(PROVIDER, ACCOUNT, person_id(name))


def checked_name(text: str) -> str:
    """A name of letters, digits, dots, underscores and hyphens. Raises InvalidInput."""
    name = unicodedata.normalize("NFC", text.strip().removeprefix("@")[: 4 * LIMITS.name_chars])
    if not name or len(name) > LIMITS.name_chars or not name[0].isalnum() or not all(map(_in_name, name)):
        shown = name[: LIMITS.name_chars]
        raise InvalidInput(say("console.name.bad", name=shown), say("console.name.bad.hint", limit=LIMITS.name_chars))
    return name


def is_name(text: str) -> bool:
    """Can it be a name here?"""
    try:
        return checked_name(text) == text
    except InvalidInput:
        return False


def _in_name(char: str) -> bool:
    return char.isalnum() or char in _SIGNS or unicodedata.category(char).startswith("M")


def channel_place(name: str, private: bool = False) -> Where:
    """The channel of that name."""
    key = person_id(name)
    visibility = Visibility.PRIVATE if private else Visibility.PUBLIC
    return Where(PROVIDER, ACCOUNT, SPACE, key, key, visibility, SPACE, key, key)


def label(where: Where) -> str:
    """As short as a prompt wants it: `#ops`, `#ops/rollout`, `dm`."""
    if where.visibility is Visibility.DIRECT:
        return "dm"
    thread = "" if where.conversation == where.channel else f"/{where.conversation_name}"
    return f"#{where.channel_name or where.channel}{thread}"


def _full(what: str, limit: int) -> LimitExceeded:
    return LimitExceeded(
        say(f"console.{what}.full", limit=limit), say(f"console.{what}.full.hint"), name=what, limit=limit
    )
