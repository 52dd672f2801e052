"""What was seen in chats since this process began: names of people, newest messages. In memory only, bounded."""

from collections import OrderedDict
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TypeVar

from telegram import Message, User

from adapters.telegram.places import author, principal, shown_name
from core.turn import Principal, Turn, TurnKind

CHATS = 1_000
PEOPLE = 500
CONVERSATIONS = 2_000
HUSHED = timedelta(minutes=10)
"""How long a refusal to send counts: nobody tells a bot that the permissions of a whole chat have changed."""
K = TypeVar("K")
V = TypeVar("V")


class Seen:
    """Names by chat, the newest message of a person by conversation, and chats in which the bot may not write."""

    def __init__(self, account: str) -> None:
        self._account = account
        self._people: OrderedDict[int, OrderedDict[Principal, User]] = OrderedDict()
        self._newest: OrderedDict[tuple[str, str], Turn] = OrderedDict()
        self._silenced: OrderedDict[int, datetime | None] = OrderedDict()

    def remember(self, message: Message, turn: Turn) -> None:
        """Keep who wrote it and, of a person's message, the turn."""
        user = author(message)
        if user is None or user.is_bot:
            return
        people = _put(self._people, message.chat_id, self._people.get(message.chat_id, OrderedDict()), CHATS)
        _put(people, principal(user, self._account), user, PEOPLE)
        if turn.kind is TurnKind.USER:
            _put(self._newest, (turn.where.channel, turn.where.conversation), turn, CONVERSATIONS)

    def people(self, chat: int) -> dict[str, tuple[Principal, str]]:
        """Everybody seen in a chat, by lower-case name. A user name goes before any other name that people give
        themselves; one that several bear is nobody's.
        """
        users: Mapping[Principal, User] = self._people.get(chat, {})
        named: dict[str, tuple[Principal, str]] = {}
        several: set[str] = set()
        for who, user in users.items():
            for name in {user.full_name, user.first_name}:
                key = name.lstrip("@").casefold()
                several |= {key} if key in named and named[key][0] != who else set()
                named[key] = who, shown_name(user)
        found = {key: value for key, value in named.items() if key not in several}
        own = {user.username.casefold(): (who, shown_name(user)) for who, user in users.items() if user.username}
        return found | own

    def shown(self, message: Message, who: Principal) -> str:
        """The name by which a message mentions somebody."""
        for entity in (*message.entities, *message.caption_entities):
            if entity.user is not None and str(entity.user.id) == who.user_id:
                return shown_name(entity.user)
        return who.user_id

    def silence(self, chat: int, until: datetime | None = None) -> None:
        """The bot may not write in a chat: until it is told otherwise, or until then."""
        _put(self._silenced, chat, until, CHATS)

    def may_write(self, chat: int) -> None:
        """The bot may write in a chat."""
        self._silenced.pop(chat, None)

    def is_silenced(self, chat: int, now: datetime) -> bool:
        """May the bot not write in a chat, as far as is known?"""
        if chat not in self._silenced:
            return False
        until = self._silenced[chat]
        return until is None or now < until

    def newest(self, channel: str, conversation: str) -> Turn | None:
        """The newest message of a person there."""
        return self._newest.get((channel, conversation))


def _put(kept: OrderedDict[K, V], key: K, value: V, most: int) -> V:
    """Keep a value as the newest; the oldest goes when there are too many."""
    kept[key] = value
    kept.move_to_end(key)
    while len(kept) > most:
        kept.popitem(last=False)
    return value
