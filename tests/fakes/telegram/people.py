"""What people do."""

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from tests.fakes.telegram.chats import ANONYMOUS, CHANNEL_BOT, Chat, Message, Payload, Topic, origin
from tests.fakes.telegram.media import media
from tests.fakes.telegram.posting import Draft, copied, distribute, post, timestamp
from tests.fakes.telegram.robots import Bot
from tests.fakes.telegram.text import Entity, Span, entities

if TYPE_CHECKING:
    from tests.fakes.telegram.queries import Press
    from tests.fakes.telegram.world import World

Where = Chat | Topic | Bot


def written(text: str, given: Iterable[Span | Entity] = (), *, caption: bool = False) -> Payload:
    """The fields of a text or caption with its entities."""
    if not text:
        return {}
    found = entities(text, given)
    name = "caption" if caption else "text"
    listed = {"caption_entities" if caption else "entities": found} if found else {}
    return {name: text, **listed}


class Person:
    """A person with an account; every method is something a person does in a Telegram app."""

    def __init__(self, world: "World", id: int, name: str, username: str | None, language: str) -> None:
        self.world = world
        self.id = id
        self.name = name
        self.username = username
        self.language = language
        self.started: set[int] = set()
        self.blocked: set[int] = set()
        self.deleted = False

    def __repr__(self) -> str:
        return f"<Person {self.name} {self.id}>"

    def names(self) -> Payload:
        """First name and user name."""
        return {"first_name": self.name, **({"username": self.username} if self.username else {})}

    def brief(self) -> Payload:
        """The User payload."""
        return {"id": self.id, "is_bot": False, **self.names(), "language_code": self.language}

    def says(
        self,
        where: Where,
        text: str,
        *,
        topic: Topic | None = None,
        reply_to: Message | None = None,
        quote: str | None = None,
        entities: Iterable[Span | Entity] = (),
        via: Bot | None = None,
        date: datetime | None = None,
        anonymous: bool = False,
        as_channel: Chat | None = None,
    ) -> Message:
        """Write in a chat, a topic or (a Bot) its private chat. `date` makes it an old message."""
        draft = Draft({}, written(text, entities), topic=topic, reply_to=reply_to, quote=quote, via=via, date=date)
        return self._posts(where, draft, anonymous=anonymous, as_channel=as_channel)

    def sends(
        self,
        where: Where,
        kind: str,
        caption: str = "",
        *,
        caption_entities: Iterable[Span | Entity] = (),
        file_name: str | None = None,
        topic: Topic | None = None,
        reply_to: Message | None = None,
        date: datetime | None = None,
    ) -> Message:
        """Send a `photo`, `document`, `voice`, `video`, `sticker`, `audio`, `location` or `dice`."""
        content = media(kind, next(self.world.files), file_name) | written(caption, caption_entities, caption=True)
        return self._posts(where, Draft({}, content, topic=topic, reply_to=reply_to, date=date))

    def forwards(self, message: Message, where: Where, *, topic: Topic | None = None, hidden: bool = False) -> Message:
        """Forward a message; `hidden` when its author hides the account in forwards."""
        content = {**copied(message), "forward_origin": origin(message, hidden=hidden)}
        return self._posts(where, Draft({}, content, topic=topic))

    def _posts(self, where: Where, draft: Draft, *, anonymous: bool = False, as_channel: Chat | None = None) -> Message:
        with self.world.lock:
            chat, topic = self._chat(where)
            draft.topic = draft.topic or topic
            draft.sender = self._sender(chat, anonymous, as_channel)
            if draft.topic is not None:
                assert draft.topic.chat is chat, f"the topic {draft.topic.name} is not in {chat}"
            return post(self.world, chat, draft)

    def _chat(self, where: Where) -> tuple[Chat, Topic | None]:
        if isinstance(where, Topic):
            return where.chat, where
        if isinstance(where, Bot):
            assert where.id in self.started, f"{self.name} never pressed Start with @{where.username}"
            return where.private(self), None
        return where, None

    def _sender(self, chat: Chat, anonymous: bool, as_channel: Chat | None) -> Payload:
        if chat.kind == "private":
            assert chat.bot is not None and chat.bot.id not in self.blocked, f"{self.name} blocked {chat.bot}"
            return {"from": self.brief()}
        assert chat.migrated_to is None, f"{chat} became {chat.migrated_to}"
        if as_channel is not None:
            return {"from": CHANNEL_BOT, "sender_chat": as_channel.brief()}
        membership = chat.membership(self)
        if chat.kind == "channel":
            assert membership.administers, f"{self.name} may not post in {chat}"
            signed = {"author_signature": self.name} if chat.signatures else {}
            return {"sender_chat": chat.brief(), **signed}
        assert membership.may("can_send_messages"), f"{self.name} may not write in {chat}: {membership.status}"
        if anonymous or membership.is_anonymous:
            assert membership.administers, f"{self.name} is no administrator of {chat} and cannot be anonymous"
            signed = {"author_signature": membership.custom_title} if membership.custom_title else {}
            return {"from": ANONYMOUS, "sender_chat": chat.brief(), **signed}
        return {"from": self.brief()}

    def edits(self, message: Message, text: str, *, entities: Iterable[Span | Entity] = ()) -> Message:
        """Change the text or caption of a message."""
        with self.world.lock:
            assert not message.deleted, f"{message} was deleted"
            caption = "text" not in message.payload
            message.versions.append(message.text)
            for key in ("text", "entities", "caption", "caption_entities"):
                message.payload.pop(key, None)
            message.payload |= {**written(text, entities, caption=caption), "edit_date": timestamp(None)}
            kind = "edited_channel_post" if message.chat.kind == "channel" else "edited_message"
            distribute(self.world, message, kind)
            self.world.changed()
            return message

    def deletes(self, message: Message) -> None:
        """Delete a message; Telegram tells no bot of it."""
        with self.world.lock:
            message.deleted = True
            self.world.changed()

    def presses(self, message: Message, which: str, *, stale: bool = False, inaccessible: bool = False) -> "Press":
        """Press the inline button with this text or data; AssertionError where there is none.

        `stale` presses data that an app still showed although the keyboard is gone; `inaccessible` shows the bot the
        message as one that is too old to be accessible.
        """
        return self.world.queries.press(self, message, which, stale=stale, inaccessible=inaccessible)

    def reacts(self, message: Message, *emoji: str) -> None:
        """Set one's reactions; only bots that are administrators and asked for message_reaction hear of it."""
        with self.world.lock:
            old = message.reactions.get(self.id, [])
            new = [{"type": "emoji", "emoji": one} for one in emoji]
            message.reactions[self.id] = new
            what: Payload = {"message_id": message.id, "user": self.brief(), "date": timestamp(None)}
            what |= {"chat": message.chat.brief(), "old_reaction": old, "new_reaction": new}
            for bot in message.chat.bots():
                if message.chat.kind == "private" or message.chat.membership(bot).administers:
                    bot.push("message_reaction", what)
            self.world.changed()

    def starts(self, bot: Bot, payload: str = "") -> Message:
        """Press Start, with the payload of a deep link or without: the bot may write from now on."""
        with self.world.lock:
            if bot.id in self.blocked:
                self.unblocks(bot)
            self.started.add(bot.id)
            return self.says(bot, f"/start {payload}".rstrip())

    def blocks(self, bot: Bot) -> None:
        """Stop and block a bot."""
        with self.world.lock:
            self.blocked.add(bot.id)
            self._tells(bot, "member", "kicked")

    def unblocks(self, bot: Bot) -> None:
        """Unblock a bot."""
        with self.world.lock:
            self.blocked.discard(bot.id)
            self._tells(bot, "kicked", "member")

    def _tells(self, bot: Bot, old: str, new: str) -> None:
        self.world.tells_of_member(bot.private(self), bot, by=self, old=old, new=new)

    def deletes_account(self) -> None:
        """Delete the account."""
        with self.world.lock:
            self.deleted = True

    def joins(self, chat: Chat) -> None:
        """Enter a chat."""
        self.world.moves(chat, self, "member", by=self)

    def leaves(self, chat: Chat) -> None:
        """Leave a chat."""
        self.world.moves(chat, self, "left", by=self)

    def adds(self, chat: Chat, who: Any, **rights: bool) -> None:
        """Add a person or bot; with rights, or to a channel, a bot becomes administrator at once."""
        status = "administrator" if rights or (chat.kind == "channel" and isinstance(who, Bot)) else "member"
        self.world.moves(chat, who, status, by=self, rights=rights)

    def removes(self, chat: Chat, who: Any) -> None:
        """Remove (ban) a person or bot."""
        self.world.moves(chat, who, "kicked", by=self)

    def promotes(
        self, chat: Chat, who: Any, *, anonymous: bool = False, title: str | None = None, **rights: bool
    ) -> None:
        """Make a member administrator."""
        self.world.moves(chat, who, "administrator", by=self, rights=rights, anonymous=anonymous, title=title)

    def demotes(self, chat: Chat, who: Any) -> None:
        """Make an administrator a member."""
        self.world.moves(chat, who, "member", by=self)

    def restricts(self, chat: Chat, who: Any, **permissions: bool) -> None:
        """Take all permissions from a member but those given."""
        self.world.moves(chat, who, "restricted", by=self, rights=permissions)

    def pins(self, message: Message) -> Message:
        """Pin a message; the service message."""
        return self.world.pin(message, by=self)
