"""Discord's payloads: events of the gateway as the loopback Discord tells them, times and ids fixed."""

import copy
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from adapters.discord.service import listening
from tests.builders import NOW
from tests.contract.adapters.discord_cast import Cast, a_cast
from tests.contract.adapters.meanings import LONG, MEANINGS, said
from tests.fakes.discord.delivery import told
from tests.fakes.discord.engine import MessageType, serializers
from tests.fakes.discord.messages import Message
from tests.fakes.discord.places import Channel

Payload = dict[str, Any]
LATER = NOW + timedelta(milliseconds=250)
"""So that no message that a test makes has the id of a recorded one."""
FILE = [("plan.txt", b"one, two")]
ROW = {"type": 1, "components": [{"type": 2, "style": 1, "label": "Yes", "custom_id": "rm:ask:0:0"}]}


class Recorder:
    """Keeps what the gateway would tell a bot with the rights of ours."""

    def __init__(self, cast: Cast) -> None:
        self.cast = cast
        self.heard: list[tuple[str, Payload]] = []
        self.made: dict[str, tuple[str, Payload]] = {}
        cast.world.backend.subscribers.append(self._hear)

    def _hear(self, event: str, payload: Mapping[str, Any]) -> None:
        made = told(self.cast.world, listening(members=True), event, payload)
        if made is not None:
            self.heard.append((event, copy.deepcopy(made)))

    def keep(self, name: str, event: str = "MESSAGE_CREATE") -> None:
        """The newest such event under a name."""
        self.made[name] = next(one for one in reversed(self.heard) if one[0] == event)


def discord() -> dict[str, Payload]:
    """Frames of the gateway by name."""
    cast = a_cast()
    recorder = Recorder(cast)
    cast.clock.source = lambda: LATER
    _talk(cast, recorder)
    _by_machines(cast, recorder)
    _happens(cast, recorder)
    cast.world.raise_complaints()
    numbered = enumerate((name for name in MEANINGS if name in recorder.made), 2)
    return {name: _frame(number, *recorder.made[name]) for number, name in numbered}


def _frame(number: int, event: str, payload: Payload) -> Payload:
    return {"op": 0, "s": number, "t": event, "d": payload}


def _talk(cast: Cast, recorder: Recorder) -> None:
    ada, bob, group = cast.ada, cast.bob, cast.group
    first = bob.says(group, said("plain"))
    recorder.keep("plain")
    bob.edits(first, said("edited"))
    recorder.keep("edited", "MESSAGE_UPDATE")
    ada.says(cast.bot, said("direct"))
    recorder.keep("direct")
    bob.says(group, said("mention").replace("@ada", ada.mention))
    recorder.keep("mention")
    _at_length(cast, bob.says(group, LONG[:2_000]))
    recorder.keep("long")
    for name, channel in {"thread": cast.thread, "beside_threads": cast.threads, "private": cast.private}.items():
        bob.says(channel, said(name))
        recorder.keep(name)
    _again(cast, cast.post)
    recorder.keep("forum_post")
    bob.says(group, said("reply"), reply_to=ada.says(group, "a question"))
    recorder.keep("reply")
    captioned = bob.says(group, said("caption"), files=FILE)
    recorder.keep("caption")
    bob.edits(captioned, said("edited_caption"))
    recorder.keep("edited_caption", "MESSAGE_UPDATE")
    bob.says(group, files=FILE)
    recorder.keep("attachment")


def _at_length(cast: Cast, message: Message) -> None:
    """People who pay write up to 4 000 characters, which nobody of the loopback does."""
    message.state.content = LONG
    cast.world.backend.announce_message_create(message.state)


def _again(cast: Cast, thread: Channel) -> None:
    """Tell once more of the message with which a thread began."""
    backend = cast.world.backend
    backend.announce_message_create(min(backend.messages[thread.id].values(), key=lambda one: one.id))


def _by_machines(cast: Cast, recorder: Recorder) -> None:
    cast.bot.says(cast.group, said("own"))
    recorder.keep("own")
    cast.robot.says(cast.group, said("other_bot"))
    recorder.keep("other_bot")
    title, words = said("embed").split("\n")
    cast.robot.says(cast.group, embeds=[{"type": "rich", "title": title, "description": words}])
    recorder.keep("embed")
    cast.hook.says(said("webhook"), username="Deploys by hook")
    recorder.keep("webhook")
    _previewed(cast, cast.bob.says(cast.group, "the launch checklist: https://example.com/plan"))
    recorder.keep("preview_added", "MESSAGE_UPDATE")


def _previewed(cast: Cast, message: Message) -> None:
    """Discord looked at the address and adds what it found: an update that is no edit."""
    backend = cast.world.backend
    message.state.embeds = [{"type": "link", "url": "https://example.com/plan", "title": "The launch checklist"}]
    backend.emit("MESSAGE_UPDATE", dict(serializers.message_payload(backend, message.state)))


def _happens(cast: Cast, recorder: Recorder) -> None:
    ada, bob, group, backend = cast.ada, cast.bob, cast.group, cast.world.backend
    _again(cast, cast.thread)
    recorder.keep("thread_opened")
    ada.starts_thread(cast.threads, "Hiring")
    recorder.keep("thread_told")
    kept = bob.says(group, "to be kept")
    backend.set_pinned(group.id, kept.id, True, actor_id=ada.id)
    recorder.keep("pinned")
    backend.create_system_message(group.id, MessageType.NEW_MEMBER, bob.id)
    recorder.keep("came")
    asked = backend.create_message(group.id, cast.bot.id, "a question", components=[ROW])
    bob.clicks(cast.world.message(asked), "Yes")
    recorder.keep("pressed", "INTERACTION_CREATE")
    cast.guild.give(bob, cast.guild.role("managers", manage_guild=True))
    recorder.keep("membership", "GUILD_MEMBER_UPDATE")
