"""What each recorded payload means, whatever the platform: the same table for every adapter."""

from dataclasses import dataclass

from core.turn import TurnKind

LONG = ("The launch checklist is ready and this line is long. " * 80)[:4_000].strip()
MENTION = "please ask @ada about it"


@dataclass(frozen=True)
class Meaning:
    """`place` and `sender` are names of the cast; `same_as` names the payload that has the same message id."""

    text: str
    sender: str | None = "bob"
    place: str = "group"
    kind: TurnKind = TurnKind.USER
    edited: bool = False
    linked: bool = True
    mentions: tuple[str, ...] = ()
    same_as: str = ""


MEANINGS: dict[str, Meaning | None] = {
    "plain": Meaning("is the launch checklist ready?"),
    "edited": Meaning("is the launch checklist done?", edited=True, same_as="plain"),
    "direct": Meaning("hello", "ada", "direct", linked=False),
    "long": Meaning(LONG),
    "mention": Meaning(MENTION, mentions=("ada",)),
    "mention_by_entity": Meaning("please ask Ada about it", mentions=("ada",)),
    "thread": Meaning("the launch checklist, in a thread", place="thread"),
    "beside_threads": Meaning("the launch checklist, in no thread", place="threads"),
    "reply": Meaning("an answer"),
    "caption": Meaning("launch checklist"),
    "edited_caption": Meaning("launch checklist, new", edited=True, same_as="caption"),
    "attachment": Meaning(""),
    "own": Meaning("Reminder: launch checklist", "bot", kind=TurnKind.OWN),
    "other_bot": Meaning("launch checklist, says a bot", "robot", kind=TurnKind.BOT),
    "joined": Meaning("", "ada", kind=TurnKind.SERVICE),
    "left": Meaning("", kind=TurnKind.SERVICE),
    "pinned": Meaning("", "ada", kind=TurnKind.SERVICE),
    "thread_opened": Meaning("", "ada", "thread", kind=TurnKind.SERVICE),
    "anonymous": Meaning("launch checklist, says nobody", None),
    "channel_post": Meaning("launch checklist, says a channel", None, "news"),
    "edited_channel_post": Meaning(
        "launch checklist, says it again", None, "news", edited=True, same_as="channel_post"
    ),
    "forwarded_post": Meaning("launch checklist, says a channel", None, "discussion"),
    "command": Meaning("/intent list", kind=TurnKind.COMMAND),
    "command_by_name": Meaning("/intent@remembrancer_bot list", kind=TurnKind.COMMAND),
    "moved_away": Meaning("", "ada", "old", TurnKind.SERVICE, linked=False),
    "moved_here": Meaning("", "ada", "new", TurnKind.SERVICE),
    "membership": None,
    "pressed": None,
    "forum_post": Meaning("the launch checklist, in a post", place="post"),
    "private": Meaning("the launch checklist, in private", place="private"),
    "embed": Meaning("Nightly\nlaunch checklist, says an embed", "robot", kind=TurnKind.BOT),
    "webhook": Meaning("launch checklist, says a webhook", "hook", kind=TurnKind.WEBHOOK),
    "came": Meaning("", kind=TurnKind.SERVICE),
    "thread_told": Meaning("", "ada", "threads", TurnKind.SERVICE),
    "preview_added": None,
}
"""None: it is no message."""


def said(payload: str) -> str:
    """The words that a payload is to have."""
    meaning = MEANINGS[payload]
    assert meaning is not None, f"{payload} has no words"
    return meaning.text
