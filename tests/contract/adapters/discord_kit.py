"""The real `DiscordAdapter` with the real client library, against the loopback Discord."""

import re
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from datetime import timedelta
from typing import Any, ClassVar

from adapters.discord.cog import RememberCog
from adapters.discord.places import PROVIDER
from adapters.discord.service import Host, listening
from adapters.discord.views import PREFIX
from core.services.context import Context
from core.turn import Principal, TurnKind, Visibility, Where, machine
from core.wording.readback import Choice
from tests.contract.adapters.discord_cast import Cast, a_cast
from tests.contract.adapters.kit import Kit, Shown
from tests.fakes.discord.delivery import told
from tests.fakes.discord.messages import Message
from tests.fakes.discord.places import Channel
from tests.fakes.discord.probe import pointed_at
from tests.unit.discord.acting import Acting, words

WAIT = 47
"""Seconds that Discord asks to wait where a test wants it: the library waits for shorter ones by itself."""
SENDS = "POST", "/channels/*/messages"
INTENTS = listening(members=True)
PLACES = {
    "group": Visibility.PUBLIC,
    "private": Visibility.PRIVATE,
    "threads": Visibility.PUBLIC,
    "thread": Visibility.PUBLIC,
    "post": Visibility.PUBLIC,
    "direct": Visibility.DIRECT,
}
COMES_IN = frozenset({"message", "raw_message_edit", "interaction"})
_ESCAPED = re.compile(r"\\([^0-9A-Za-z\s])")


class Noting(Host):
    """The client as it is run, but that it only notes what it is told: a test hands that on."""

    def __init__(self) -> None:
        self.noted: list[tuple[str, tuple[Any, ...]]] = []
        super().__init__(INTENTS)

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Note."""
        self.noted.append((event, args))

    def parse(self, event: str, payload: Mapping[str, Any]) -> object:
        """Read an event of the gateway; what the library makes of it, None for nothing."""
        before = len(self.noted)
        parser: Callable[[Any], None] | None = self._connection.parsers.get(event)
        if parser is not None:
            parser(payload)
        found = self.noted[before:]
        return found[-1][1][-1] if found else None


class DiscordKit(Kit):
    """One bot that is logged in and not connected: a test hands it what the gateway would tell."""

    name = "discord"
    WAITS: ClassVar[Mapping[str, timedelta]] = {"limited": timedelta(seconds=WAIT)}
    LACKS: ClassVar[Mapping[str, str]] = {"moves": "places keep their ids"}
    UNSAID: ClassVar[Mapping[str, str]] = {
        "mention_by_entity": "a mention is written with an @",
        **dict.fromkeys(("joined", "left"), "whoever comes tells of it as `came`, and who leaves of nothing"),
        **dict.fromkeys(
            ("anonymous", "channel_post", "edited_channel_post", "forwarded_post"),
            "people post as themselves, everything else by a webhook",
        ),
        **dict.fromkeys(("command", "command_by_name"), "commands are interactions and no messages"),
        **dict.fromkeys(("moved_away", "moved_here"), "places keep their ids"),
    }
    FAILURES = frozenset({"lost", "limited", "server", "broken_answer"})

    def __init__(self, ctx: Context) -> None:
        super().__init__()
        self.ctx = ctx
        self.cast: Cast = a_cast()
        self.world = self.cast.world
        self.cast.clock.source = ctx.clock.now
        self._stack = ExitStack()
        self._acting: Acting | None = None
        self._told: list[tuple[str, Mapping[str, Any]]] = []
        self.world.backend.subscribers.append(self._tell)
        try:
            self._stack.callback(self.world.stop)
            self.world.start()
            self._stack.enter_context(pointed_at(self.world))
            self.client = self.run(self._logged_in())
        except BaseException:
            self._stack.close()
            super().close()
            raise
        self.client.parse("GUILD_CREATE", self._guild())
        self.cog = RememberCog(self.client, ctx, _at_once)
        self.adapter = self.cog.adapter
        self.people = {who: self._principal(getattr(self.cast, who).id) for who in ("ada", "bob", "bot")}
        for kind, who in {TurnKind.BOT: "robot", TurnKind.WEBHOOK: "hook"}.items():
            self.people[who] = machine(kind, PROVIDER, str(self.cast.bot.id), str(getattr(self.cast, who).id))
        self.unreachable = self._principal(self.cast.eve.id)
        self.places = {place: self._where(place) for place in PLACES}

    async def _logged_in(self) -> Noting:
        client = Noting()
        await client.login(self.world.token)
        return client

    def _tell(self, event: str, payload: Mapping[str, Any]) -> None:
        made = told(self.world, INTENTS, event, payload)
        if made is not None:
            self._told.append((event, made))

    def _guild(self) -> Mapping[str, Any]:
        made = told(self.world, INTENTS, "GUILD_CREATE", self.world.guild_payload(self.cast.guild.id))
        assert made is not None, "the bot is in it"
        return made

    def _principal(self, id_: int) -> Principal:
        return Principal(PROVIDER, str(self.cast.bot.id), str(id_))

    def _where(self, place: str) -> Where:
        channel: Channel = getattr(self.cast, place)
        own, account = str(channel.id), str(self.cast.bot.id)
        if channel.guild is None:
            return Where(PROVIDER, account, own, own, own, PLACES[place])
        above = own if channel.parent is None else str(channel.parent.id)
        return Where(PROVIDER, account, str(channel.guild.id), above, own, PLACES[place])

    def close(self) -> None:
        """Close the client, then the service; what the emulation did not understand fails the test."""
        self.run(self.client.close())
        super().close()
        self._stack.close()
        self.world.raise_complaints()

    def event(self, payload: str) -> object:
        """What the library makes of the event."""
        frame = self.recorded()[payload]
        return self.run(self._parsed(frame["t"], frame["d"]))

    async def _parsed(self, event: str, payload: Mapping[str, Any]) -> object:
        return self.client.parse(event, payload)

    def sent(self) -> list[Shown]:
        """What the bot under test wrote."""
        found = [(place, one) for place in PLACES for one in self.world.bot_messages(getattr(self.cast, place))]
        return [self._shown(place, one) for place, one in found]

    def _shown(self, place: str, message: Message) -> Shown:
        assert not (message.pings.everyone or message.pings.roles), f"{message} rings too many"
        return Shown(
            id=str(message.id),
            place=place,
            text=_ESCAPED.sub(r"\1", message.text),
            buttons=tuple(message.labels),
            data=tuple(str(button["custom_id"]).removeprefix(PREFIX) for button in message.buttons),
            pings=frozenset(self.world.people[one].name for one in message.pings.users),
            reply_to=str(message.reply_to.id) if message.reply_to else "",
        )

    def reactions(self, message_id: str) -> list[str]:
        """The bot's reactions under a message of the group."""
        found = self._message(message_id).reactions
        return [emoji for emoji, who in found.items() if self.cast.bot.id in who]

    def _message(self, message_id: str) -> Message:
        found = self.world.find_message(self.cast.group.id, int(message_id))
        assert found is not None, f"there is no message {message_id}"
        return found

    def fails(self, how: str) -> None:
        """Ask the service for a fault; the library keeps 500, 502 and 504 to itself for half a minute."""
        faults = self.world.faults
        match how:
            case "lost":
                faults.drop_before(*SENDS)
            case "limited":
                faults.rate_limit(*SENDS, WAIT)
            case "server":
                faults.fail(*SENDS, 503)
            case "broken_answer":
                faults.page(*SENDS, 200)
            case _:
                raise ValueError(how)

    def hears(self, text: str = "launch checklist") -> str:
        """A message that the bot is not given."""
        return str(self.cast.bob.says(self.cast.group, text).id)

    def deletes(self, message_id: str) -> None:
        """Deleted by ada, who may."""
        self.cast.ada.deletes(self._message(message_id))

    def owner_no_more(self) -> None:
        """Bob is given the server."""
        self.cast.guild.set_owner(self.cast.bob)

    def another_owner(self) -> None:
        """By a role."""
        self.cast.guild.give(self.cast.bob, self.cast.guild.role("managers", manage_guild=True))

    def says(self, who: str, text: str) -> None:
        """Said now, as the clock of the test has it."""
        getattr(self.cast, who).says(self.cast.group, text)
        self.takes()

    def answers(self, who: str, choice: Choice) -> None:
        """Press the button of the last question."""
        question = next(one for one in reversed(self.world.bot_messages(self.cast.group)) if one.buttons)
        getattr(self.cast, who).clicks(question, choice.label)
        self.takes()

    @property
    def acting(self) -> Acting:
        """Commands, of which Discord is told at the first use."""
        if self._acting is None:
            self._acting = Acting(self)
        return self._acting

    def goal(self, who: str, verb: str, **options: str) -> str:
        """By a command, where somebody is offered it."""
        acting, person = self.acting, getattr(self.cast, who)
        if f"goal {verb}" not in person.offered(self.cast.group):
            return ""
        return words(acting.slash(person, f"goal {verb}", **options))

    def presses(self, who: str, shown: Shown, label: str) -> None:
        """Under a message in the direct messages."""
        person = getattr(self.cast, who)
        found = next(one for one in self.world.bot_messages(person.dm) if str(one.id) == shown.id)
        self.acting.click(person, found, label)

    def receives(self, payload: str) -> None:
        """What a recorded event sets off."""
        frame = self.recorded()[payload]
        self._told.append((frame["t"], frame["d"]))
        self.takes()

    def takes(self) -> None:
        """Read everything that the gateway had to tell; the newest thing that somebody did is acted on."""
        self.run(self._take())

    async def _take(self) -> None:
        waiting, self._told = self._told, []
        for event, payload in waiting:
            self.client.parse(event, payload)
        event, args = next(one for one in reversed(self.client.noted) if one[0] in COMES_IN)
        await getattr(self.cog, f"on_{event}")(*args)


async def _at_once(work: Any, /) -> Any:
    return work()
