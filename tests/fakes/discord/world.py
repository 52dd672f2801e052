"""A Discord of one's own: people, guilds, channels, and the API and gateway on 127.0.0.1 that discord.py talks to.

    with World() as world:
        ada, bob = world.person("Ada"), world.person("Bob")
        guild = world.guild("Ops", owner=ada, members=[bob])
        ops = guild.text("ops")
        ...  # start the bot with world.token, world.api_url and world.gateway_url
        bob.says(ops, "the launch checklist")
        world.answer(ops, "rollback owner")
        ada.slash(ops, "intent list").says("i-")

Everything may be called from ordinary synchronous tests: the service runs on a thread of its own.
Every route, field or opcode that is not understood is kept in `complaints` (and answered by 501); `until` and the end
of the `with` raise them.

Known differences: one application, one shard; direct messages of that application only; permissions of commands that
an administrator sets in the client are not made here; voice, stickers and polls fail the test or do nothing.
"""

import contextlib
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from types import TracebackType
from typing import Any, Self, TypeVar

from tests.fakes.discord.answers import Answer
from tests.fakes.discord.application import Application
from tests.fakes.discord.calls import Call
from tests.fakes.discord.engine import (
    ChannelState,
    Clock,
    MessageState,
    Payload,
    channel_accessible,
    discord,
    new_backend,
    serializers,
)
from tests.fakes.discord.faults import Faults
from tests.fakes.discord.gateway import ABORT, Gateway
from tests.fakes.discord.messages import LOADING, Message, Pings
from tests.fakes.discord.people import Person
from tests.fakes.discord.places import Channel, Guild
from tests.fakes.discord.service import Service

T = TypeVar("T")
INVITED = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    read_message_history=True,
    embed_links=True,
    add_reactions=True,
)
"""What the bot is invited with, unless a test says otherwise."""


class World:
    """People, guilds and one application, and the service that shows them; see the module for an example."""

    def __init__(
        self,
        name: str = "Remembrancer",
        *,
        heartbeat_ms: int = 41_250,
        answer_seconds: float = 3.0,
        token_seconds: float = 900.0,
        nonce_seconds: float = 300.0,
        clock: Clock | None = None,
    ) -> None:
        self.lock = threading.Condition(threading.RLock())
        self.backend = new_backend(name, clock)
        self.application = Application(self.backend.application_id, self.backend.bot_user.id)
        self.answer_seconds, self.token_seconds, self.nonce_seconds = answer_seconds, token_seconds, nonce_seconds
        self.people: dict[int, Person] = {}
        self.guilds: dict[int, Guild] = {}
        self.answers: dict[str, Answer] = {}
        self.calls: list[Call] = []
        self.early: list[Call] = []
        self.complaints: list[str] = []
        self.expected: list[tuple[str, str]] = []
        self.away: set[int] = set()
        self.down: set[int] = set()
        self.closed: set[int] = set()
        self.dark = False
        self.faults = Faults()
        self.service = Service(self)
        self.gateway = Gateway(self, heartbeat_ms)
        self._channels: dict[int, Channel] = {}
        self._messages: dict[tuple[int, int], Message] = {}
        self.bot = self._known(Person(self, self.backend.bot_user.id, bot=True))
        self.pinged: dict[int, Pings] = {}
        self.backend.subscribers += [self._notified, self.gateway.emit]

    # ---- running

    def start(self) -> Self:
        """Listen on a free port of 127.0.0.1."""
        self.service.start()
        return self

    def stop(self) -> None:
        """Close every websocket and stop listening."""
        self.service.stop()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        if error is None:
            self.raise_complaints()

    @property
    def token(self) -> str:
        """The token of the bot now."""
        return self.application.token

    @property
    def api_url(self) -> str:
        """For the setting `discord_api_url` and `discord.http.Route.BASE`."""
        return f"http://127.0.0.1:{self.service.port}/api/v10"

    @property
    def gateway_url(self) -> str:
        """For the setting `discord_gateway_url` and `DiscordWebSocket.DEFAULT_GATEWAY`."""
        return f"ws://127.0.0.1:{self.service.port}/gateway"

    # ---- who and where

    def _known(self, person: Person) -> Person:
        self.people[person.id] = person
        return person

    def person(self, name: str, *, shown: str | None = None) -> Person:
        """A new person; `shown` is the display name."""
        with self.lock:
            return self._known(Person(self, self.backend.make_user(name.lower(), global_name=shown or name).id))

    def other_bot(self, name: str) -> Person:
        """A bot of somebody else."""
        with self.lock:
            return self._known(Person(self, self.backend.make_user(name, bot=True).id, bot=True))

    def guild(
        self,
        name: str,
        *,
        owner: Person,
        members: Iterable[Person] = (),
        bot: bool = True,
        permissions: discord.Permissions = INVITED,
    ) -> Guild:
        """A guild, with the bot in it unless told otherwise; `permissions` is what the bot's own role gives it."""
        with self.lock:
            with self._unheard():
                state = self.backend.create_guild(name, owner_id=owner.id)
            made = self.guilds[state.id] = Guild(self, state)
            state.roles[made.bot_role.id].permissions = permissions.value
            if bot:
                self.gateway.emit("GUILD_CREATE", self.guild_payload(made.id, joined=True))
            else:
                self.away.add(made.id)
                del state.members[self.bot.id]
            for person in members:
                made.add(person)
            return made

    @contextlib.contextmanager
    def _unheard(self) -> Iterator[None]:
        self.backend.subscribers.remove(self.gateway.emit)
        try:
            yield
        finally:
            self.backend.subscribers.append(self.gateway.emit)

    def channel(self, id: int) -> Channel:
        """The channel, thread or direct messages with that id."""
        with self.lock:
            state = self.backend.get_channel(id)
            if id not in self._channels:
                self._channels[id] = Channel(self, state)
            return self._channels[id]

    def message(self, state: MessageState) -> Message:
        """The view of a message."""
        with self.lock:
            key = (state.channel_id, state.id)
            if key not in self._messages:
                self._messages[key] = Message(self, self.channel(state.channel_id), state)
            return self._messages[key]

    def find_message(self, channel_id: int, message_id: int) -> Message | None:
        """A message that there is."""
        with self.lock:
            state = self.backend.messages.get(channel_id, {}).get(message_id)
            return None if state is None else self.message(state)

    def _notified(self, event: str, payload: Mapping[str, Any]) -> None:
        """Keep who a new message notified: an edit notifies nobody, and what was put off is told when it is there."""
        if event == "MESSAGE_CREATE":
            state = self.backend.get_message(int(payload["channel_id"]), int(payload["id"]))
            if not state.flags & LOADING:
                self.pinged[state.id] = Pings.of(state)

    def reachable(self, guild_id: int) -> bool:
        """Whether the bot is in a guild that there is and that has no outage."""
        return guild_id in self.backend.guilds and guild_id not in self.away | self.down

    def guild_payload(self, guild_id: int, *, joined: bool = False) -> Payload:
        """A guild as GUILD_CREATE describes it; `unavailable` stands in it unless the bot has just joined."""
        made = dict(serializers.guild_create_payload(self.backend, self.backend.get_guild(guild_id)))
        if joined:
            del made["unavailable"]
        return made

    @staticmethod
    def permission(name: str) -> int:
        """The bit of a permission."""
        return int(getattr(discord.Permissions, name).flag)

    @contextlib.contextmanager
    def watching_threads(self) -> Iterator[None]:
        """Tell the bot of the threads in channels that a change lets it view: THREAD_LIST_SYNC."""
        before = self._viewed()
        yield
        for channel_id in self._viewed() - before:
            state = self.backend.get_channel(channel_id)
            if state.guild_id is None or state.is_thread:
                continue
            listed = [one for one in self.backend.active_threads(state.guild_id) if self._in(one, channel_id)]
            if listed:
                payload = serializers.thread_list_payload(self.backend, listed)
                payload |= {"guild_id": str(state.guild_id), "channel_ids": [str(channel_id)]}
                self.backend.emit("THREAD_LIST_SYNC", payload)

    def _in(self, thread: ChannelState, channel_id: int) -> bool:
        return thread.parent_id == channel_id and channel_accessible(self.backend, thread.id, self.bot.id)

    def _viewed(self) -> set[int]:
        return {one for one in self.backend.channels if channel_accessible(self.backend, one, self.bot.id)}

    # ---- looking

    def messages(self, channel: Channel) -> list[Message]:
        """What everybody in a channel sees, oldest first: no ephemeral answers."""
        with self.lock:
            states = list(self.backend.messages.get(channel.id, {}).values())
            return [one for one in map(self.message, states) if not (one.ephemeral or one.loading)]

    def visible(self, channel: Channel, person: Person) -> list[Message]:
        """What one person sees there: also the ephemeral answers to that person, and nothing where it may not look."""
        with self.lock:
            if channel.deleted or not channel.open_to(person):
                return []
            states = list(self.backend.messages[channel.id].values())
            return [self.message(one) for one in states if one.visible_to(person.id) and not one.flags & LOADING]

    def bot_messages(self, channel: Channel, *, answers: bool = False) -> list[Message]:
        """What the bot posted in a channel; with `answers` also its public answers to interactions."""
        return [one for one in self.messages(channel) if one.by_bot and (answers or not one.answers_interaction)]

    def bot_texts(self, channel: Channel) -> list[str]:
        """The texts of what it posted."""
        return [one.text for one in self.bot_messages(channel)]

    def said(self, channel: Channel, part: str = "", *, after: Message | None = None) -> Message | None:
        """The bot's last post that holds `part`, in any case of letters."""
        for message in reversed(self.bot_messages(channel)):
            if part.lower() in message.words.lower() and (after is None or message.id > after.id):
                return message
        return None

    def answer(
        self, channel: Channel, part: str = "", *, after: Message | None = None, timeout: float = 5.0
    ) -> Message:
        """Wait for a post of the bot that holds `part`."""
        found = self.until(
            lambda: self.said(channel, part, after=after), timeout, f"the bot says {part!r} in {channel}"
        )
        assert found is not None
        return found

    def requests(self, method: str, path: str) -> list[Call]:
        """The requests of a method whose path fits a pattern with `*`."""
        with self.lock:
            return [one for one in self.calls if one.method == method and fnmatchcase(one.path, path)]

    def sends(self, channel: Channel) -> list[Call]:
        """The requests to post in a channel that were carried out."""
        return [one for one in self.requests("POST", f"/channels/{channel.id}/messages") if one.effect]

    @property
    def syncs(self) -> list[Call]:
        """The command syncs that were carried out."""
        with self.lock:
            fits = [one for one in self.calls if one.method == "PUT" and one.path.startswith("/applications/")]
            return [one for one in fits if one.path.endswith("/commands") and one.effect]

    def commands(self, guild: Guild | None = None) -> list[str]:
        """The names of the commands synced, everywhere or for one guild."""
        with self.lock:
            return [name for name, _ in self.backend.commands.get(guild.id if guild else None, {})]

    def advance(self, seconds: float) -> None:
        """Let Discord's time pass: tokens and nonces age."""
        with self.lock:
            self.backend.advance_clock(seconds)

    # ---- waiting

    def until(self, condition: Callable[[], T], timeout: float = 5.0, what: str = "the condition") -> T:
        """Wait until a condition is true and give its value; AssertionError after `timeout` seconds."""
        end = time.monotonic() + timeout
        while True:
            self.raise_complaints()
            if value := condition():
                return value
            left = end - time.monotonic()
            if left <= 0:
                raise AssertionError(f"{what} did not come within {timeout:g} s; {self._lately()}")
            with self.lock:
                self.lock.wait(min(left, 0.02))

    def stays(self, condition: Callable[[], object], seconds: float = 0.3, what: str = "the condition") -> None:
        """Watch that a condition holds all the time; AssertionError as soon as it does not."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.raise_complaints()
            assert condition(), f"{what} did not hold; {self._lately()}"
            with self.lock:
                self.lock.wait(0.02)

    def connects(self, timeout: float = 10.0) -> None:
        """Wait until a session listens."""
        self.until(lambda: self.gateway.connected, timeout, "a session of the gateway")

    def _lately(self) -> str:
        with self.lock:
            return "last requests:\n" + "\n".join(str(one) for one in self.calls[-8:])

    def changed(self) -> None:
        """Wake those who wait."""
        with self.lock:
            self.lock.notify_all()

    # ---- what is not understood

    def expects_unknown(self, method: str, path: str) -> None:
        """Let a route that is not understood (`*` allowed) give 501 without failing the test."""
        self.expected.append((method, path))

    def complain(self, what: str) -> None:
        """Note what must not happen, so that the test fails."""
        place = "".join(traceback.format_stack(limit=4)[:-1])
        self.complaints.append(f"{what}\n{place}")
        self.changed()

    def unknown(self, call: Call, why: Any) -> None:
        """Note a route that is not understood, unless the test expects it."""
        if not any(method == call.method and fnmatchcase(call.path, path) for method, path in self.expected):
            self.complain(f"not understood here: {call}: {why}")

    def raise_complaints(self) -> None:
        """AssertionError with everything noted."""
        assert not self.complaints, "\n".join(self.complaints)

    # ---- failing as a whole

    def goes_dark(self) -> None:
        """Break every connection from now on, those that are open too."""
        self.dark = True
        self.gateway.drop(ABORT)

    def comes_back(self) -> None:
        """Answer again."""
        self.dark = False
