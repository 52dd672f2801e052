"""Discord as a chat platform: `adapters.base.contract.Adapter` over a discord.py client that it does not own."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import discord

from adapters.base.contract import Capabilities, NeverSent, Post, Sent
from adapters.base.questions import Questions
from adapters.base.runner import Runner
from adapters.discord.history import said_in
from adapters.discord.markup import CONTENT_CHARS
from adapters.discord.members import Members
from adapters.discord.missed import Missed
from adapters.discord.normalise import turn_of
from adapters.discord.places import PROVIDER
from adapters.discord.pressed import Pressed
from adapters.discord.receiving import Receiver
from adapters.discord.rights import Rights
from adapters.discord.seen import Seen
from adapters.discord.sending import Sender
from adapters.discord.talk import Talk
from adapters.discord.views import DATA_CHARS
from adapters.discord.voice import Voice
from core.services.context import Context
from core.services.space_settings import ReadSettings
from core.settings import OFF, Setting
from core.turn import Principal, Turn, Where

log = logging.getLogger(__name__)

CAPABILITIES = Capabilities(reactions=True, history=True, text_chars=CONTENT_CHARS, button_bytes=DATA_CHARS)


@dataclass(frozen=True, slots=True)
class Options:
    """What an installation decides: operators by stable id, and whether people own their direct messages.

    `changed` is called whenever another due time of a timed reminder may count.
    """

    operators: tuple[Principal, ...] = ()
    own_direct: bool = False
    changed: Callable[[], object] = lambda: None


class DiscordAdapter:
    """One bot. `wake` is called when something is to be delivered; `hot` runs work on the database thread.

    It may be made before the client has logged in; `account` is known from then on.
    """

    provider = PROVIDER
    capabilities = CAPABILITIES

    def __init__(
        self, ctx: Context, hot: Runner, client: discord.Client, wake: Callable[[], None], options: Options
    ) -> None:
        self._ctx = ctx
        self._hot = hot
        self._client = client
        self.rights = Rights(client, options.operators, options.own_direct, self._owner_role)
        self.seen = Seen()
        self.sender = Sender(client)
        self.voice = Voice(self.sender, Questions(ctx.clock, ctx.ids))
        self.talk = Talk(ctx, hot, client, self.voice, self.rights, self.seen, options.changed)
        self.pressed = Pressed(self.talk)
        self.receiver = Receiver(ctx, hot, client, self.rights, self.seen, self.talk, wake)
        self.missed = Missed(ctx, hot, client, self.rights, self.receiver.message)
        self.members = Members(ctx, hot, client, self.sender, self.rights)
        self.talk.review = self.members.review

    @property
    def account(self) -> str:
        """The bot's own id."""
        return self.rights.account

    async def _owner_role(self, where: Where) -> str:
        """The role that a server lets decide beside who manages it."""
        found = await self._hot(lambda: ReadSettings(self._ctx)(where))
        role = str(found[Setting.OWNER_ROLE])
        return "" if role == OFF else role

    def normalise(self, event: object) -> Turn | None:
        """The turn of a message, or of an edit as the library hands it out; None for anything else."""
        edited = isinstance(event, discord.RawMessageUpdateEvent)
        message = event.message if isinstance(event, discord.RawMessageUpdateEvent) else event
        if not isinstance(message, discord.Message) or (edited and message.edited_at is None):
            return None
        return turn_of(message, self.account, self._ctx.clock.now(), edited)

    async def send(self, post: Post) -> Sent:
        """Send. Raises RetryLater or NeverSent.

        Words of a place go to a person only as long as they may look into it.
        """
        match post:
            case Post(to=Principal() as who, about=Where() as place) if not await self.rights.may_view(who, place):
                raise NeverSent("hidden")
        return await self.sender.send(post)

    async def edit(self, where: Where, message_id: str, post: Post) -> None:
        """Put other words and buttons in a message of ours."""
        await self.sender.edit(where, message_id, post)

    async def react(self, where: Where, message_id: str, emoji: str) -> None:
        """Put a reaction under a message."""
        await self.sender.react(where, message_id, emoji)

    async def history(self, where: Where, limit: int) -> Sequence[Turn]:
        """The last messages of a conversation, oldest first; empty where the bot may not read them."""
        if limit < 1:
            return ()
        return await said_in(self._client, where, limit, self.account, self._ctx.clock.now()) or ()

    async def is_owner(self, who: Principal, where: Where) -> bool:
        """Owns that person the server, or manages it? Asked now."""
        return await self.rights.is_owner(who, where)
