"""A Telegram of one's own: people, bots, chats, and a Bot API on 127.0.0.1 that real client libraries talk to.

    with World() as world:
        ada, bob = world.person("Ada"), world.person("Bob")
        bot = world.bot("remembrancer_bot", privacy=False)
        ops = world.supergroup("Ops", creator=ada, members=[bob, bot])
        ...  # start the bot with bot.token, world.base_url and world.base_file_url
        bob.says(ops, "the launch checklist")
        world.until(lambda: world.said(ops, "rollback owner"))

Everything may be called from ordinary synchronous tests: the service runs on a thread of its own.
What the emulation does not know, and every request that the documentation does not allow, is kept in `complaints`;
`until` and the end of the `with` raise them.

Known differences: numbers of messages in private chats and basic groups are one sequence for all accounts (Telegram
counts them an account); webhooks may be http; a text is measured in UTF-16 units, the strictest reading of "4096
characters"; Markdown, files, inline mode and media sent by bots are not understood and fail the test.
"""

import itertools
import threading
import time
import traceback
from collections.abc import Callable, Iterable
from datetime import datetime
from types import TracebackType
from typing import Any, Self, TypeVar

from tests.fakes.telegram import access, changes
from tests.fakes.telegram.calls import Call
from tests.fakes.telegram.chats import Chat, Message, Topic
from tests.fakes.telegram.faults import Faults, Flood
from tests.fakes.telegram.members import Membership
from tests.fakes.telegram.people import Person, written
from tests.fakes.telegram.posting import Draft, post
from tests.fakes.telegram.queries import Queries
from tests.fakes.telegram.robots import Bot
from tests.fakes.telegram.service import Service

T = TypeVar("T")
Place = Chat | Topic


class World:
    """People, bots and chats, and the service that shows them; see the module for an example."""

    def __init__(self, *, judge: bool = True, retry_seconds: float = 0.05, webhook_seconds: float = 5.0) -> None:
        """`judge=False` leaves out the validation of every update and result, for load tests."""
        self.lock = threading.Condition(threading.RLock())
        self.judge = judge
        self.retry_seconds = retry_seconds
        self.webhook_seconds = webhook_seconds
        self.people: dict[int, Person] = {}
        self.bots: dict[int, Bot] = {}
        self.chats: dict[int, Chat] = {}
        self.calls: list[Call] = []
        self.polls: list[Call] = []
        self.early: list[Call] = []
        self.complaints: list[str] = []
        self.faults = Faults()
        self.flood = Flood()
        self.queries = Queries(self)
        self.dark = False
        self.service = Service(self)
        self._people = itertools.count(5_400_000_001)
        self._bots = itertools.count(7_100_000_001)
        self._groups = itertools.count(4_000_000_001)
        self._supergroups = itertools.count(1_002_200_000_001)
        self._private_messages = itertools.count(11)
        self._messages: dict[int, itertools.count[int]] = {}
        self.files = itertools.count(1)

    # ---- running

    def start(self) -> Self:
        """Listen on a free port of 127.0.0.1."""
        self.service.start()
        return self

    def stop(self) -> None:
        """Stop listening; waiting getUpdates are answered, webhooks end."""
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
    def url(self) -> str:
        """http://127.0.0.1:port"""
        return self.service.url

    @property
    def base_url(self) -> str:
        """For `ApplicationBuilder.base_url`."""
        return f"{self.url}/bot"

    @property
    def base_file_url(self) -> str:
        """For `ApplicationBuilder.base_file_url`."""
        return f"{self.url}/file/bot"

    @property
    def stopping(self) -> bool:
        """Whether the service is about to end."""
        return self.service.stopping

    # ---- who and where

    def person(self, name: str, username: str | None = None, *, language: str = "en") -> Person:
        """A new person; the user name is the name in small letters unless given ("" for none)."""
        with self.lock:
            made = Person(self, next(self._people), name, name.lower() if username is None else username, language)
            self.people[made.id] = made
            return made

    user = person

    def bot(
        self,
        username: str = "remembrancer_bot",
        name: str = "Remembrancer",
        *,
        token: str | None = None,
        privacy: bool = True,
        started_by: Iterable[Person] = (),
    ) -> Bot:
        """A new bot. Privacy mode is on, as with BotFather, and counts for chats it is added to from now on."""
        with self.lock:
            number = next(self._bots) if token is None else int(token.partition(":")[0])
            made = Bot(self, number, name, username, token or f"{number}:AAH-loopback-token-of-{username}", privacy)
            self.bots[made.id] = made
            for person in started_by:
                person.started.add(made.id)
            return made

    def group(
        self, title: str, *, creator: Person, members: Iterable[Any] = (), told: bool = False, id: int | None = None
    ) -> Chat:
        """A basic group. Nobody is told of its members, bots too, unless `told`: then its bots see it being made."""
        made = self._chat("group", title, creator, () if told else members, id or -next(self._groups))
        if told:
            with self.lock:
                changes.found(made, list(members), by=creator)
        return made

    def supergroup(
        self,
        title: str,
        *,
        creator: Person,
        members: Iterable[Any] = (),
        forum: bool = False,
        username: str | None = None,
        id: int | None = None,
    ) -> Chat:
        """A supergroup, with topics when `forum`; public when it has a user name."""
        return self._chat("supergroup", title, creator, members, id or -next(self._supergroups), username, forum)

    def forum(self, title: str, *, creator: Person, members: Iterable[Any] = ()) -> Chat:
        """A supergroup with topics."""
        return self.supergroup(title, creator=creator, members=members, forum=True)

    def channel(
        self,
        title: str,
        *,
        creator: Person,
        members: Iterable[Any] = (),
        discussion: Chat | None = None,
        username: str | None = None,
        signatures: bool = False,
    ) -> Chat:
        """A channel; bots among its members are administrators. `discussion` is the supergroup linked to it."""
        made = self._chat("channel", title, creator, members, -next(self._supergroups), username)
        made.signatures = signatures
        for bot in made.bots():
            changes.set_member(made, bot, "administrator")
        if discussion is not None:
            made.linked, discussion.linked = discussion, made
        return made

    def _chat(
        self,
        kind: str,
        title: str,
        creator: Person,
        members: Iterable[Any],
        id: int,
        username: str | None = None,
        forum: bool = False,
    ) -> Chat:
        with self.lock:
            made = Chat(self, id, kind, title, username=username, forum=forum)
            made.members[creator.id] = Membership(creator, "creator")
            for one in members:
                changes.set_member(made, one, "member")
            self.chats[made.id] = made
            return made

    # ---- changes

    def sets(self, chat: Chat, who: Any, status: str, *, anonymous: bool = False, **rights: bool) -> Membership:
        """Change a standing and tell nobody: creator, administrator, member, restricted, left or kicked."""
        with self.lock:
            return changes.set_member(chat, who, status, rights=rights, anonymous=anonymous)

    def moves(self, chat: Chat, who: Any, status: str, *, by: Any, **more: Any) -> None:
        """Change a standing with every update and service message that goes with it."""
        with self.lock:
            changes.move(chat, who, status, by=by, **more)

    def tells_of_member(self, chat: Chat, bot: Bot, *, by: Person, old: str, new: str) -> None:
        """A change of the bot's standing in a private chat."""
        with self.lock:
            changes.private_member(chat, bot, by=by, old=old, new=new)

    def opens_topic(self, chat: Chat, name: str, *, by: Any, told: bool = True) -> Topic:
        """A new topic of a forum."""
        with self.lock:
            return changes.open_topic(chat, name, by=by, told=told)

    def closes_topic(self, topic: Topic, *, by: Any = None) -> Message:
        """Close a topic."""
        with self.lock:
            return changes.close_topic(topic, by=by or topic.chat.creator)

    def pin(self, message: Message, *, by: Any) -> Message:
        """Pin a message."""
        with self.lock:
            return changes.pin(message, by=by)

    def upgrade(
        self, group: Chat, *, by: Person | None = None, told: bool = True, member_updates: bool = False
    ) -> Chat:
        """Make a group a supergroup, which is returned; see `changes.upgrade`."""
        with self.lock:
            assert group.kind == "group", f"{group} is no basic group"
            new = Chat(self, -next(self._supergroups), "supergroup", group.title)
            self.chats[new.id] = new
            by = by or group.creator
            return changes.upgrade(group, new, by=by, told=told, member_updates=member_updates)

    def posts_of_bot(self, bot: Bot, chat: Chat, text: str, **more: Any) -> Message:
        """A message of a bot that nobody sent over HTTP."""
        sender = {"sender_chat": chat.brief()} if chat.kind == "channel" else {"from": bot.brief()}
        return post(self, chat, Draft(sender, written(text), bot=bot, **more))

    # ---- looking

    def where(self, place: Place | Person) -> Chat:
        """The chat of a topic, of a person with the only bot, or itself."""
        if isinstance(place, Person):
            assert len(self.bots) == 1, "several bots: name the chat with bot.private(person)"
            return next(iter(self.bots.values())).private(place)
        return place.chat if isinstance(place, Topic) else place

    def bot_messages(self, place: Place | Person, *, bot: Bot | None = None) -> list[Message]:
        """What bots (or one of them) wrote in a chat, topic or private chat and did not delete, oldest first."""
        with self.lock:
            return [
                message
                for message in self.where(place).history
                if message.bot is not None
                and (bot is None or message.bot is bot)
                and (not isinstance(place, Topic) or message.topic is place)
            ]

    def bot_texts(self, place: Place | Person, *, bot: Bot | None = None) -> list[str]:
        """The texts of those."""
        return [message.text for message in self.bot_messages(place, bot=bot)]

    def said(self, place: Place | Person, part: str = "", *, after: Message | None = None) -> Message | None:
        """The last message of a bot that holds `part`, in any case of letters; None where there is none."""
        for message in reversed(self.bot_messages(place)):
            if part.lower() in message.text.lower() and (after is None or message.id > after.id):
                return message
        return None

    def answer(
        self, place: Place | Person, part: str = "", *, after: Message | None = None, timeout: float = 5.0
    ) -> Message:
        """Wait for a bot's message that holds `part`; AssertionError with what was said where none comes."""
        found = self.until(lambda: self.said(place, part, after=after), timeout, f"a bot says {part!r} in {place}")
        assert found is not None
        return found

    def sends(self, chat: Chat | None = None) -> list[Call]:
        """The sendMessage calls that took effect, with their arrival times."""
        with self.lock:
            return [
                call
                for call in self.calls
                if call.method == "sendMessage" and call.effect and (chat is None or call.chat_id == chat.id)
            ]

    # ---- waiting

    def until(self, condition: Callable[[], T], timeout: float = 5.0, what: str = "the condition") -> T:
        """Wait until a condition is true and give its value; AssertionError after `timeout` seconds."""
        end = time.monotonic() + timeout
        while True:
            self.raise_complaints()
            began = time.monotonic()
            if value := condition():
                return value
            now = time.monotonic()
            if now >= end:
                raise AssertionError(f"{what} did not come within {timeout:g} s; {self._lately()}")
            time.sleep(min(0.05, 3 * (now - began)))  # a slow look at much must not take the time of what it waits for
            with self.lock:
                self.lock.wait(min(end - now, 0.02))

    def stays(self, condition: Callable[[], object], seconds: float = 0.3, what: str = "the condition") -> None:
        """Watch that a condition holds all the time; AssertionError as soon as it does not."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.raise_complaints()
            assert condition(), f"{what} did not hold; {self._lately()}"
            with self.lock:
                self.lock.wait(0.02)

    def settled(self, *bots: Bot, timeout: float = 5.0) -> None:
        """Wait until every update was acknowledged."""
        watched = bots or tuple(self.bots.values())
        self.until(lambda: all(not bot.queue for bot in watched), timeout, "the acknowledgement of every update")

    def _lately(self) -> str:
        with self.lock:
            calls = [f"{call.method} {call.params} -> {call.status} {call.error or ''}" for call in self.calls[-8:]]
            waiting = {bot.username: bot.pending for bot in self.bots.values()}
        return f"updates not acknowledged: {waiting}; last calls:\n" + "\n".join(calls)

    # ---- for the service

    def next_message_id(self, chat: Chat) -> int:
        """The number of the next message of a chat."""
        if chat.kind in ("private", "group"):
            return next(self._private_messages)
        return next(self._messages.setdefault(chat.id, itertools.count(2)))

    def readable(self, bot: Bot, chat_id: Any) -> Chat:
        """See `access.readable`."""
        return access.readable(self, bot, chat_id)

    def changed(self) -> None:
        """Wake those who wait."""
        with self.lock:
            self.lock.notify_all()

    def wakes(self, bot: Bot) -> None:
        """Wake the poller or the webhook of a bot."""
        self.service.soon(bot.wake.set)

    def posts_updates(self, bot: Bot) -> None:
        """Start posting to the webhook just set."""
        self.service.posts_updates(bot)

    def judged_update(self, body: str) -> None:
        """Judge an update, as JSON."""
        if self.judge:
            from tests.fakes.telegram.judge import judge_update

            judge_update(body)

    def complain(self, what: str) -> None:
        """Note what must not happen, so that the test fails."""
        place = "".join(traceback.format_stack(limit=4)[:-1])
        self.complaints.append(f"{what}\n{place}")
        self.changed()

    def raise_complaints(self) -> None:
        """AssertionError with everything noted."""
        assert not self.complaints, "\n".join(self.complaints)

    # ---- failing as a whole

    def goes_dark(self) -> None:
        """Break every connection from now on, those that wait too."""
        self.dark = True
        for bot in self.bots.values():
            self.wakes(bot)

    def comes_back(self) -> None:
        """Answer again."""
        self.dark = False

    def knocks(self, bot: Bot, text: str, *, secret: str | None) -> int:
        """Post a forged message to the bot's webhook, as a stranger would; the HTTP status."""
        return self.service.knocks(bot, text, secret)

    def backlog(self, person: Person, place: Place, texts: Iterable[str], date: datetime) -> list[Message]:
        """Messages of an earlier time, as a bot finds them that was off."""
        return [person.says(place, text, date=date) for text in texts]
