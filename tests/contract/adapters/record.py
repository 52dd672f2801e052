"""Make the payloads that the shared tests of adapters are fed with:

    PYTHONPATH=. python tests/contract/adapters/record.py

Telegram's are updates of the loopback Telegram, which are judged by the documented Bot API; Discord's are events of
the loopback Discord. Times are fixed, so that the same files come out each time. Those of the terminal are typed lines.
"""

import json
from typing import Any

from tests.builders import NOW
from tests.contract.adapters.cast import a_cast
from tests.contract.adapters.kit import DATA
from tests.contract.adapters.meanings import LONG, MEANINGS, said
from tests.contract.adapters.record_discord import discord
from tests.fakes.telegram.chats import Message
from tests.fakes.telegram.text import span
from tests.fakes.telegram.world import World

Payload = dict[str, Any]
AT = int(NOW.timestamp())
TYPED = {"plain": "bob", "edited": "bob", "direct": "ada", "long": "bob", "mention": "bob", "thread": "bob"}
TYPED |= {"beside_threads": "bob"}


def telegram() -> dict[str, Payload]:
    """Updates by name."""
    cast = a_cast(World())
    ada, bob, group, threads, world = cast.ada, cast.bob, cast.group, cast.threads, cast.world
    made: dict[str, tuple[str, Payload]] = {}

    def keep(name: str, message: Message, kind: str = "message") -> Message:
        made[name] = kind, json.loads(json.dumps(message.payload))
        return message

    for name in ("plain", "caption"):
        first = bob.says(group, said(name)) if name == "plain" else bob.sends(group, "photo", said(name))
        keep(name, first)
        edited = "edited" if name == "plain" else "edited_caption"
        keep(edited, bob.edits(first, said(edited)), "edited_message")
    keep("direct", ada.says(cast.bot, said("direct")))
    keep("long", bob.says(group, LONG))
    named = said("mention_by_entity")
    keep("mention_by_entity", bob.says(group, named, entities=[span(named, "Ada", "text_mention", ada)]))
    keep("thread", bob.says(cast.thread, said("thread")))
    keep("beside_threads", bob.says(threads, said("beside_threads")))
    keep("thread_opened", cast.thread.created)
    keep("reply", bob.says(group, said("reply"), reply_to=ada.says(group, "a question")))
    keep("attachment", bob.sends(group, "sticker"))
    keep("own", cast.bot.says(group, said("own")))
    keep("other_bot", cast.robot.says(group, said("other_bot")))
    keep("pinned", ada.pins(bob.says(group, "to be kept")))
    keep("anonymous", ada.says(group, said("anonymous"), anonymous=True))
    post = keep("channel_post", ada.says(cast.news, said("channel_post")), "channel_post")
    keep("forwarded_post", cast.discussion.history[-1])
    keep("edited_channel_post", ada.edits(post, said("edited_channel_post")), "edited_channel_post")
    keep("command", bob.says(group, said("command")))
    keep("command_by_name", bob.says(group, said("command_by_name")))
    keep("moved_away", cast.old.history[-1])
    keep("moved_here", cast.new.history[0])
    bob.leaves(group)
    keep("left", group.history[-1])
    ada.adds(group, bob)
    keep("joined", group.history[-1])
    bot_said = cast.bot.says(group, "a question", extra={"reply_markup": BUTTONS})
    bob.presses(bot_said, "Yes")
    ada.promotes(group, cast.bot)
    for kind in ("callback_query", "my_chat_member"):
        body = next(json.loads(one.body) for one in reversed(cast.bot.queue) if one.kind == kind)
        made["pressed" if kind == "callback_query" else "membership"] = kind, body[kind]
    world.raise_complaints()
    return {name: _update(number, *made[name]) for number, name in enumerate(MEANINGS, 1) if name in made}


BUTTONS = {"inline_keyboard": [[{"text": "Yes", "callback_data": "ask:0:0"}]]}


def _update(number: int, kind: str, payload: Payload) -> Payload:
    return {"update_id": 100_000_000 + number, kind: _timed(payload)}


def _timed(value: Any) -> Any:
    """The same with fixed times."""
    if isinstance(value, list):
        return [_timed(one) for one in value]
    if not isinstance(value, dict):
        return value
    fixed = {"date": AT, "edit_date": AT + 60}
    return {key: fixed.get(key, _timed(one)) for key, one in value.items()}


def console() -> dict[str, Payload]:
    """Typed lines by name: who typed where, and the line as it is kept."""
    lines: dict[str, Payload] = {}
    for name, who in TYPED.items():
        meaning = MEANINGS[name]
        assert meaning is not None, f"{name} is no line"
        key = f"line-{list(TYPED).index(meaning.same_as or name) + 1}"
        line = {"message_id": key, "name": who, "text": meaning.text, "sent_at": AT, "edited": meaning.edited}
        lines[name] = {"place": meaning.place, "who": who, "said": line}
    return lines


def written() -> dict[str, str]:
    """Every file by its path below `tests/data`, with its text."""
    made = {"telegram": telegram(), "discord": discord(), "console": console()}
    return {
        f"{platform}/{name}.json": json.dumps(payload, ensure_ascii=False, indent=1) + "\n"
        for platform, payloads in made.items()
        for name, payload in payloads.items()
    }


if __name__ == "__main__":
    for name, text in written().items():
        (DATA / name).parent.mkdir(exist_ok=True)
        (DATA / name).write_text(text, encoding="utf-8")
