"""The channels of a stream in a Discord of one's own, and how long its messages took."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.load import kills
from benchmarks.load import measure as load
from benchmarks.load.counts import Left
from benchmarks.load.play import Played, milliseconds
from benchmarks.load.stage import Key, Send, Stage
from benchmarks.load.stream import PEOPLE, Said
from core.turn import Visibility, Where
from tests.fakes.child import Child
from tests.fakes.discord.bots import Running, running
from tests.fakes.discord.calls import Call
from tests.fakes.discord.messages import Message
from tests.fakes.discord.people import Person
from tests.fakes.discord.places import Channel
from tests.fakes.discord.world import World

CHANNELS_A_SERVER = 2
HANDED_WITHIN = 60.0
NOTHING = "0"
"""What no rule listens for."""
LIBRARY_BEGINS = 3.0
"""Seconds until the library has its servers: it waits for two whether more of them come."""


class DiscordStage(Stage):
    """Text channels, two in a server, whose members are in no other server; all of them may make rules."""

    defects = ("Traceback", "discord.message.defect", "discord.turn.lost")
    floor = "benchmarks.discord_load.floor"
    compared = ("sent", "handed_to_sent_ms")
    longest_run = 4.0  # it reads in the channels what it missed, first

    def __init__(self, world: World, groups: int) -> None:
        self.world = world
        self.members: Sequence[Sequence[Person]] = [
            [world.person(f"Member_{group}_{number}") for number in range(PEOPLE)] for group in range(groups)
        ]
        self.channels: list[Channel] = []
        for first in range(0, groups, CHANNELS_A_SERVER):
            here = [person for some in self.members[first : first + CHANNELS_A_SERVER] for person in some]
            guild = world.guild(f"Server {first}", owner=here[0])
            manager = guild.role("manager", manage_guild=True)
            for person in here[1:]:
                guild.add(person, manager)
            self.channels += [guild.text(f"channel-{first + n}") for n in range(len(here) // PEOPLE)]
        self.places = [self._where(channel) for channel in self.channels]
        self.people = [[str(person.id) for person in some] for some in self.members]
        self._keys: dict[int, Key] = {}
        self._firing: list[Key] = []
        self._monotonic = time.time() - time.monotonic()

    def _where(self, channel: Channel) -> Where:
        assert channel.guild is not None
        here = str(channel.id)
        return Where("discord", str(self.world.bot.id), str(channel.guild.id), here, here, Visibility.PUBLIC)

    # ---- what happens

    def say(self, one: Said) -> Key:
        """Say a message now."""
        message = self.members[one.group][one.person].says(self.channels[one.group], one.text)
        key = self._keys[message.id] = key_of(message)
        if one.rule:
            self._firing.append(key)
        return key

    def settled(self) -> None:
        """Wait until everything that the session was told of has left."""
        self.world.until(lambda: not self.unheard(), HANDED_WITHIN, "that every message is handed out")

    def raise_complaints(self) -> None:
        """AssertionError for what was not understood."""
        self.world.raise_complaints()

    def running(self, folder: Path, start: bool = True, **settings: str) -> AbstractContextManager[Running]:
        """The bot in a process of its own."""
        return running(self.world, folder, start, **settings)

    def reaches(self) -> tuple[str, ...]:
        """The token, and where its Discord is."""
        return self.world.token, self.world.api_url, self.world.gateway_url

    def listening(self) -> None:
        """Wait until the library has a session and its servers."""
        self.world.connects(30)
        time.sleep(LIBRARY_BEGINS)

    def limits(self) -> None:
        """Nothing: the stream asks for less than five messages in five seconds in a channel, and 50 a second in all."""

    def before_kills(self, process: Child) -> None:
        """Hear one message and end: a bot that never noted how far it came does not look for what it missed."""
        process.start()
        self.members[0][0].says(self.channels[0], NOTHING)
        self.settled()
        time.sleep(1)
        assert process.stop() == 0

    # ---- what came of it

    def handed(self) -> Mapping[Key, float]:
        """When the gateway sent each message."""
        left = self.world.gateway.handed
        return {key: left[number] for number, key in self._keys.items() if number in left}

    def unheard(self) -> int:
        """Messages of people that the session there is was told of, and that have not left."""
        told = {int(payload["id"]) for payload in self.world.gateway.told("MESSAGE_CREATE")}
        return len((told & self._keys.keys()) - self.world.gateway.handed.keys())

    def requests(self) -> int:
        """How many requests came."""
        return len(self.world.calls)

    def took_one(self, since: int) -> bool:
        """Whether a message was posted since then."""
        return any(_posts(call) for call in self.world.calls[since:])

    def sends(self) -> list[Send]:
        """The requests to post in a channel that were carried out, those too whose nonce was known."""
        here = {place.conversation for place in self.places}
        with self.world.lock:
            found = [self._send(call) for call in self.world.calls if _posts(call)]
        return [send for send in found if send.to[0] in here]

    def _send(self, call: Call) -> Send:
        reference = call.body.get("message_reference") or {}
        return Send((call.path.split("/")[2], str(reference.get("message_id", ""))), call.at + self._monotonic)

    def posted(self) -> Iterator[tuple[Key, str]]:
        """Every message of the bot."""
        for channel in self.channels:
            for message in self.world.bot_messages(channel):
                to = message.reply_to
                yield (str(channel.id), "" if to is None else str(to.id)), message.words

    def times(self, played: Played, left: Left) -> dict[str, Any]:
        """Milliseconds from the gateway's sending a message to the fire's being reserved, and the whole way."""
        handed = self.handed()
        reserved = [at - handed[key] for key, some in left.fires.items() if key in handed for _, at, _ in some]
        return {
            "handed_to_reserved_ms": milliseconds(reserved),
            "said_to_sent_ms": milliseconds(self.answered_after(played.times())),
        }

    def carried(self, played: Played) -> dict[str, Any]:
        """How long what is answered took, and how long the loopback itself, the driver, and who was how busy."""
        handed, said = self.handed(), played.times()
        return {
            "handed_to_sent_ms": milliseconds(self.answered_after(handed)),
            "said_to_handed_ms": milliseconds(handed[key] - said[key] for key in played.keys),
            "driver_late_ms": played.late(),
            "cpu_percent": played.cpu,
        }

    def also(self) -> dict[str, int]:
        """Messages that fire and never came by the gateway, so that the bot had to read them in their channels.

        Then requests that repeated a message whose nonce Discord still knew: nobody sees them.
        """
        handed = self.handed()
        return {
            "fires_of_messages_read_later": sum(key not in handed for key in self._firing),
            "kept_from_doubling_by_the_nonce": len(self.sends()) - sum(1 for _ in self.posted()),
        }


def key_of(message: Message) -> Key:
    """The channel and the id of a message."""
    return str(message.channel.id), str(message.id)


def _posts(call: Call) -> bool:
    """Is it a message in a channel that was taken?"""
    return (
        call.effect and call.method == "POST" and call.path.startswith("/channels/") and call.path.endswith("/messages")
    )


@contextmanager
def staged(groups: int) -> Iterator[DiscordStage]:
    """So many channels with people of their own."""
    with World() as world:
        yield DiscordStage(world, groups)


measure = partial(load.measure, staged)
kill_often = partial(kills.kill_often, staged)
