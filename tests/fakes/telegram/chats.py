"""Chats, topics and messages, and how each is shown to bots."""

from typing import TYPE_CHECKING, Any, Optional

from tests.fakes.telegram.members import Account, Membership

if TYPE_CHECKING:
    from tests.fakes.telegram.people import Person
    from tests.fakes.telegram.robots import Bot
    from tests.fakes.telegram.world import World

Payload = dict[str, Any]

ANONYMOUS: Payload = {"id": 1087968824, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}
CHANNEL_BOT: Payload = {"id": 136817688, "is_bot": True, "first_name": "Channel", "username": "Channel_Bot"}
FORWARDER: Payload = {"id": 777000, "is_bot": False, "first_name": "Telegram"}


class Topic:
    """A topic of a forum; `id` is its message_thread_id, `created` the service message that opened it."""

    def __init__(self, chat: "Chat", name: str, created: "Message") -> None:
        self.chat = chat
        self.name = name
        self.created = created
        self.id = created.id
        self.closed = False
        self.deleted = False


class Message:
    """A message as it stands now; `payload` is what the Bot API shows of it, without updates of the past."""

    def __init__(self, chat: "Chat", payload: Payload) -> None:
        self.chat = chat
        self.payload = payload
        self.id: int = payload["message_id"]
        self.topic: Topic | None = None
        self.bot: Bot | None = None
        self.via: Bot | None = None
        self.deleted = False
        self.silent = False
        self.markup: Payload | None = None
        self.reactions: dict[int, list[Payload]] = {}
        self.versions: list[str] = []

    def __repr__(self) -> str:
        return f"<Message {self.id} in {self.chat.title}: {self.text!r}>"

    @property
    def text(self) -> str:
        """Its text or caption; empty where it has neither."""
        return str(self.payload.get("text") or self.payload.get("caption") or "")

    @property
    def sender_id(self) -> int | None:
        """The id of `from`; None for channel posts."""
        return self.payload.get("from", {}).get("id")

    @property
    def thread_id(self) -> int | None:
        """Its message_thread_id."""
        return self.payload.get("message_thread_id")

    @property
    def reply_to(self) -> Optional["Message"]:
        """The message it replies to, in the same chat."""
        shown = self.payload.get("reply_to_message")
        return self.chat.messages.get(shown["message_id"]) if shown else None

    @property
    def buttons(self) -> list[Payload]:
        """The inline buttons, row after row."""
        keyboard = self.payload.get("reply_markup", {}).get("inline_keyboard", [])
        return [button for row in keyboard for button in row]

    @property
    def labels(self) -> list[str]:
        """What the inline buttons say."""
        return [button["text"] for button in self.buttons]

    def button(self, which: str) -> Payload:
        """The button with this text or callback data; AssertionError where there is none or it was deleted."""
        assert not self.deleted, f"{self} was deleted"
        for button in self.buttons:
            if which in (button["text"], button.get("callback_data")):
                return button
        raise AssertionError(f"no button {which!r} on {self}; there are {self.labels}")

    def shown(self) -> Payload:
        """The payload inside another one, without its own reply."""
        return {key: value for key, value in self.payload.items() if key not in ("reply_to_message", "external_reply")}


class Chat:
    """A private chat, group, supergroup (a forum or not) or channel with all that was written in it."""

    def __init__(
        self, world: "World", id: int, kind: str, title: str, *, username: str | None = None, forum: bool = False
    ) -> None:
        self.world = world
        self.id = id
        self.kind = kind
        self.title = title
        self.username = username
        self.forum = forum
        self.members: dict[int, Membership] = {}
        self.messages: dict[int, Message] = {}
        self.topics: dict[int, Topic] = {}
        self.linked: Chat | None = None
        self.migrated_to: Chat | None = None
        self.migrated_from: Chat | None = None
        self.signatures = False
        self.can_send = True
        self.last_bot: int | None = None
        self.description: str | None = None
        self.pinned: Message | None = None
        self.person: Person | None = None
        self.bot: Bot | None = None

    def __repr__(self) -> str:
        return f"<{self.kind} {self.title} {self.id}>"

    def brief(self) -> Payload:
        """The Chat payload."""
        if self.person is not None:
            return {"id": self.id, "type": "private", **self.person.names()}
        made: Payload = {"id": self.id, "type": self.kind, "title": self.title}
        if self.username:
            made["username"] = self.username
        if self.forum:
            made["is_forum"] = True
        return made

    def membership(self, account: Account) -> Membership:
        """The standing of an account, `left` where it never was inside."""
        return self.members.get(account.id) or Membership(account, "left")

    def status(self, account: Account) -> str:
        """creator, administrator, member, restricted, left or kicked."""
        return self.membership(account).status

    def has(self, account: Account) -> bool:
        """Whether an account is inside."""
        return self.membership(account).present

    @property
    def creator(self) -> Any:
        """The person who owns it."""
        return next(one.account for one in self.members.values() if one.status == "creator")

    def topic(self, name: str, *, by: Any = None, told: bool = True) -> Topic:
        """Open a topic, by its creator unless said otherwise; `told` False keeps the service message from the bots."""
        return self.world.opens_topic(self, name, by=by or self.creator, told=told)

    def bots(self) -> "list[Bot]":
        """The bots inside."""
        if self.bot is not None:
            return [self.bot]
        return [one.account for one in self.members.values() if one.present and is_bot(one.account)]  # type: ignore[misc]

    @property
    def history(self) -> list[Message]:
        """Every message that was not deleted, oldest first."""
        return [message for message in self.messages.values() if not message.deleted]

    @property
    def texts(self) -> list[str]:
        """The texts and captions, oldest first."""
        return [message.text for message in self.history if message.text]


def is_bot(account: Account) -> bool:
    """Whether an account is a bot of this service."""
    return hasattr(account, "token")


def origin(message: Message, *, hidden: bool = False) -> Payload:
    """The MessageOrigin payload of a forward."""
    payload = message.payload
    made: Payload = {"date": payload["date"]}
    signed = {"author_signature": payload["author_signature"]} if "author_signature" in payload else {}
    if message.chat.kind == "channel":
        return {**made, "type": "channel", "chat": message.chat.brief(), "message_id": message.id, **signed}
    if "sender_chat" in payload:
        return {**made, "type": "chat", "sender_chat": payload["sender_chat"], **signed}
    sender = payload["from"]
    if hidden:
        return {**made, "type": "hidden_user", "sender_user_name": sender["first_name"]}
    return {**made, "type": "user", "sender_user": sender}
