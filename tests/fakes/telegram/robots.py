"""Bots: their token, their queue of updates, their webhook and their menu."""

import asyncio
import json
import time
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.fakes.telegram.chats import Chat, Message, Payload, Topic

if TYPE_CHECKING:
    from tests.fakes.telegram.people import Person
    from tests.fakes.telegram.world import World

# Not sent unless a bot asks for them.
OPT_IN = frozenset({"chat_member", "message_reaction", "message_reaction_count"})


class Update(NamedTuple):
    """One update, ready to be sent."""

    id: int
    kind: str
    body: str


@dataclass
class Webhook:
    """Where updates are posted, and what came of it: `statuses` holds an HTTP status or the name of an error each."""

    url: str
    secret: str | None = None
    max_connections: int = 40
    statuses: list[int | str] = field(default_factory=list)
    error: str | None = None
    error_date: int | None = None


class Bot:
    """A bot's account: an own queue, offset, webhook and privacy mode for each.

    `handed` and `taken` tell when each update was first handed out by getUpdates, and when it was acknowledged (seconds
    since 1970).
    """

    def __init__(self, world: "World", id: int, name: str, username: str, token: str, privacy: bool) -> None:
        self.world = world
        self.id = id
        self.name = name
        self.username = username
        self.token = token
        self.privacy = privacy
        self.queue: deque[Update] = deque()
        self.next_update = 100_000_001
        self.acknowledged = 0
        self.done: deque[Update] = deque(maxlen=100)
        self.handed: dict[int, float] = {}
        self.taken: dict[int, float] = {}
        self.allowed: frozenset[str] | None = None
        self.webhook: Webhook | None = None
        self.poller = 0
        self.polling = 0
        self.poll_ended_by_webhook = 0
        self.wake = asyncio.Event()
        self.commands: dict[tuple[str, str], list[Payload]] = {}
        self.description: dict[str, str] = {}
        self.short_description: dict[str, str] = {}
        self.logged_out = False
        self.chats: dict[int, Chat] = {}

    def __repr__(self) -> str:
        return f"<Bot @{self.username}>"

    def brief(self) -> Payload:
        """The User payload."""
        return {"id": self.id, "is_bot": True, "first_name": self.name, "username": self.username}

    def me(self) -> Payload:
        """The result of getMe."""
        no = ("supports_inline_queries", "can_connect_to_business", "has_main_web_app")
        more = {"can_join_groups": True, "can_read_all_group_messages": not self.privacy}
        return {**self.brief(), **more, **dict.fromkeys(no, False)}

    def private(self, person: "Person") -> Chat:
        """The private chat with a person; it exists whether or not the person pressed Start."""
        if person.id not in self.chats:
            chat = Chat(self.world, person.id, "private", person.name)
            chat.person, chat.bot = person, self
            self.chats[person.id] = chat
        return self.chats[person.id]

    @property
    def pending(self) -> int:
        """How many updates this bot has not acknowledged."""
        return len(self.queue)

    def push(self, kind: str, payload: Payload) -> None:
        """Queue an update, unless the bot did not ask for its kind."""
        wanted = kind not in OPT_IN if self.allowed is None else kind in self.allowed
        if not wanted:
            return
        body = json.dumps({"update_id": self.next_update, kind: payload}, ensure_ascii=False)
        self.world.judged_update(body)
        self.queue.append(Update(self.next_update, kind, body))
        self.next_update += 1
        self.world.wakes(self)

    def redelivers(self, count: int = 1) -> list[Update]:
        """Queue the last updates that were acknowledged once more, under their old ids, as Telegram sometimes does."""
        with self.world.lock:
            again = list(self.done)[-count:]
            assert len(again) == count, f"only {len(again)} updates were acknowledged"
            self.queue.extendleft(reversed(again))
            self.world.wakes(self)
            return again

    def says(self, where: Any, text: str, **more: Any) -> Message:
        """Write as this bot without HTTP, for bots that no test runs; `topic`, `reply_to`, `date` as for people."""
        chat, topic = (where.chat, where) if isinstance(where, Topic) else (where, None)
        with self.world.lock:
            return self.world.posts_of_bot(self, chat, text, **{"topic": topic, **more})

    def asks_for(self, kinds: list[str] | None) -> None:
        """Remember which kinds of updates are wanted: None changes nothing, an empty list means the usual ones."""
        if kinds is not None:
            self.allowed = frozenset(kinds) or None

    def acknowledges(self, offset: int) -> None:
        """Forget what getUpdates confirms with this offset: all below it, or all but the last -offset."""
        if offset < 0:
            while len(self.queue) > -offset:
                self.take()
        while offset > 0 and self.queue and self.queue[0].id < offset:
            self.take()

    def hands_out(self, limit: int) -> list[Update]:
        """The oldest updates that are not acknowledged."""
        found = [self.queue[at] for at in range(min(limit, len(self.queue)))]
        now = time.time()
        for update in found:
            self.handed.setdefault(update.id, now)
        return found

    def take(self) -> None:
        """The oldest update was received for good."""
        update = self.queue.popleft()
        if update.id > self.acknowledged:
            self.acknowledged = update.id
            self.taken[update.id] = time.time()
            self.done.append(update)

    def calls(self, method: str | None = None) -> list[Any]:
        """The requests this bot made, getUpdates left out."""
        return [call for call in self.world.calls if call.bot is self and method in (None, call.method)]

    def menu(self, scope: Payload | None = None, language: str = "") -> list[str]:
        """The command names set for a scope (the default one without)."""
        key = (json.dumps(scope or {"type": "default"}, sort_keys=True), language)
        return [one["command"] for one in self.commands.get(key, [])]
