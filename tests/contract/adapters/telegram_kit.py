"""The real `TelegramAdapter` with the real client library, against the loopback Telegram."""

import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, ClassVar

from telegram import Bot, Update
from telegram.ext import Application, ApplicationBuilder
from telegram.request import HTTPXRequest

from adapters.telegram.adapter import Options, TelegramAdapter
from adapters.telegram.places import where_of_chat
from core.services.context import Context
from core.turn import Principal, Where
from core.wording.readback import Choice
from tests.builders import NOW
from tests.contract.adapters.cast import Cast, a_cast
from tests.contract.adapters.kit import Kit, Shown, typed
from tests.fakes.telegram import errors
from tests.fakes.telegram.chats import Chat, Message
from tests.fakes.telegram.text import cut
from tests.fakes.telegram.world import World

WAIT = 7
"""Seconds that Telegram asks to wait where a test wants it."""


class TelegramKit(Kit):
    """One bot that is not polling: a test hands it what it is to receive."""

    name = "telegram"
    LACKS: ClassVar[Mapping[str, str]] = {"history": "bots get none"}
    UNSAID: ClassVar[Mapping[str, str]] = {
        "mention": "a mention by user name has no id",
        "forum_post": "a topic begins with no message",
        "private": "a group has no places that not all of it can read",
        "embed": "bots say everything in the text",
        "webhook": "nobody posts but people and bots",
        "came": "whoever comes is told of as `joined`",
        "thread_told": "a topic is told of inside it",
        "preview_added": "a preview changes no message",
    }
    WAITS: ClassVar[Mapping[str, timedelta]] = {"limited": timedelta(seconds=WAIT)}
    FAILURES = frozenset({"lost", "limited", "server", "broken_answer"})
    adapter: TelegramAdapter
    application: Application[Any, Any, Any, Any, Any, Any] | None = None

    def __init__(self, ctx: Context) -> None:
        super().__init__()
        self.ctx = ctx
        self.world = World().start()
        self.cast: Cast = a_cast(self.world)
        self.woken = 0
        self.restarts()
        self.people = {who: self._principal(getattr(self.cast, who).id) for who in ("ada", "bob", "bot", "robot")}
        self.unreachable = self._principal(self.cast.eve.id)
        chats = {who: getattr(self.cast, who) for who in ("group", "threads", "news", "discussion", "old", "new")}
        chats["direct"] = self.cast.bot.private(self.cast.ada)
        self.places = {place: self._where(chat) for place, chat in chats.items()}
        self.places["thread"] = self._where(self.cast.threads, self.cast.thread.id)

    def restarts(self) -> None:
        """Another process of the same bot: what was kept in memory is gone."""
        builder = ApplicationBuilder().token(self.cast.bot.token)
        builder = builder.base_url(self.world.base_url).base_file_url(self.world.base_file_url)
        builder = builder.request(a_client()).get_updates_request(a_client())
        if self.application is not None:
            self.run(self.application.shutdown())
        self.application = application = builder.build()
        self.run(application.initialize())
        self.bot: Bot = application.bot
        self.adapter = TelegramAdapter(self.ctx, _at_once, self.bot, self._wake, Options())
        self.adapter.attach(application)

    def _wake(self) -> None:
        self.woken += 1

    def _principal(self, id_: int) -> Principal:
        return Principal("telegram", str(self.cast.bot.id), str(id_))

    def _where(self, chat: Chat, thread: int | None = None) -> Where:
        shown = Update.de_json({"update_id": 1, "message": _in(chat)}, None)
        assert shown.message is not None
        return where_of_chat(shown.message.chat, str(self.cast.bot.id), thread, "Rollback" if thread else "")

    def close(self) -> None:
        """Close the client, then the service; what the emulation did not understand fails the test."""
        if self.application is not None:
            self.run(self.application.shutdown())
        super().close()
        self.world.stop()
        self.world.raise_complaints()

    def event(self, payload: str) -> Update:
        """The update, as the library reads it."""
        return Update.de_json(self.recorded()[payload], self.bot)

    def sent(self) -> list[Shown]:
        """What the bot under test wrote."""
        found = [(chat, one) for chat in self._chats() for one in self.world.bot_messages(chat, bot=self.cast.bot)]
        return [self._shown(chat, one) for chat, one in found]

    def _chats(self) -> list[Chat]:
        return [*self.world.chats.values(), self.cast.bot.private(self.cast.ada)]

    def _shown(self, chat: Chat, message: Message) -> Shown:
        thread = str(message.topic.id if message.topic else chat.id)
        place = next(
            name for name, where in self.places.items() if (where.channel, where.conversation) == (str(chat.id), thread)
        )
        return Shown(
            id=str(message.id),
            place=place,
            text=message.text,
            buttons=tuple(message.labels),
            data=tuple(button.get("callback_data", "") for button in message.buttons),
            pings=frozenset(self._pings(message)),
            reply_to=str(message.reply_to.id) if message.reply_to else "",
            reactions=(),
        )

    def _pings(self, message: Message) -> set[str]:
        """Who is rung: whoever an entity mentions, which Telegram also finds by itself behind an @."""
        rung = set()
        for entity in message.payload.get("entities", ()):
            if entity["type"] == "text_mention":
                rung.add(next(who for who, one in self.people.items() if one.user_id == str(entity["user"]["id"])))
            elif entity["type"] == "mention":
                rung.add(cut(message.text, entity["offset"], entity["length"]).removeprefix("@"))
        return rung

    def reactions(self, message_id: str) -> list[str]:
        """The bot's reactions under a message of the group."""
        found = self.cast.group.messages[int(message_id)].reactions.get(self.cast.bot.id, [])
        return [one["emoji"] for one in found]

    def fails(self, how: str) -> None:
        """Ask the service for a fault."""
        faults = self.world.faults
        match how:
            case "lost":
                faults.drop_before("sendMessage")
            case "limited":
                faults.retry_after("sendMessage", WAIT)
            case "server":
                faults.fail("sendMessage", errors.internal())
            case "broken_answer":
                faults.fail("sendMessage", errors.bad_gateway(page=True))
            case _:
                raise ValueError(how)

    def hears(self, text: str = "launch checklist") -> str:
        """A message that the bot is not given."""
        return str(self.cast.bob.says(self.cast.group, text, date=NOW).id)

    def deletes(self, message_id: str) -> None:
        """Deleted by ada, who may."""
        self.cast.ada.deletes(self.cast.group.messages[int(message_id)])

    def owner_no_more(self) -> None:
        """Another one becomes the creator."""
        self.world.sets(self.cast.group, self.cast.ada, "member")
        self.world.sets(self.cast.group, self.cast.bob, "creator")

    def another_owner(self) -> None:
        """An administrator."""
        self.world.sets(self.cast.group, self.cast.bob, "administrator")

    def says(self, who: str, text: str) -> None:
        """Said now, as the clock of the test has it."""
        getattr(self.cast, who).says(self.cast.group, text, date=self.ctx.clock.now())
        self.takes(self.cast.bot.queue[-1].body)

    def answers(self, who: str, choice: Choice) -> None:
        """Press the button of the last question."""
        question = next(one for one in reversed(self.world.bot_messages(self.cast.group)) if one.buttons)
        getattr(self.cast, who).presses(question, choice.label)
        self.takes(self.cast.bot.queue[-1].body)

    def goal(self, who: str, verb: str, **options: str) -> str:
        """Written; an answer comes in the group, or privately."""
        before = {(one.place, one.id) for one in self.sent()}
        self.says(who, typed(verb, options))
        return "\n".join(one.text for one in self.sent() if (one.place, one.id) not in before)

    def presses(self, who: str, shown: Shown, label: str) -> None:
        """Under a message in the private chat."""
        person = getattr(self.cast, who)
        found = self.world.bot_messages(self.cast.bot.private(person), bot=self.cast.bot)
        person.presses(next(one for one in found if str(one.id) == shown.id), label)
        self.takes(self.cast.bot.queue[-1].body)

    def receives(self, payload: str) -> None:
        """What a recorded update sets off."""
        self.takes(json.dumps(self.recorded()[payload]))

    def takes(self, body: str) -> None:
        """Receive an update and act on it, as the application does."""
        update = Update.de_json(json.loads(body), self.bot)

        async def take() -> None:
            assert self.application is not None
            if await self.adapter.receiver.take(update):
                await self.application.process_update(update)

        self.run(take())


async def _at_once(work: Any, /) -> Any:
    return work()


def a_client() -> HTTPXRequest:
    """The library's own; the certificates of the machine, which take their time, are not read."""
    return HTTPXRequest(connection_pool_size=4, httpx_kwargs={"verify": False})


def _in(chat: Chat) -> dict[str, Any]:
    return {"message_id": 1, "date": 0, "chat": chat.brief()}
