"""Messages as they come: matched, or carried out where an owner's sentence asks for something.

Discord sends a message once, and again after some reconnections. Receipts keep a message from firing twice; a sentence
is recorded before it is acted on. What the database cannot take now is tried again for a while.
"""

import asyncio
import logging
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

import discord

from adapters.base.contract import SendFailed
from adapters.base.runner import Runner
from adapters.discord.normalise import turn_of
from adapters.discord.places import PROVIDER
from adapters.discord.rights import Rights
from adapters.discord.seen import Seen
from adapters.discord.sending import told
from adapters.discord.talk import Talk
from core.errors import StorageError
from core.services.acted import ActOnce
from core.services.context import Context
from core.services.receive_turn import ReceiveTurn
from core.standing.clocktimes import names_clock_time
from core.standing.gates import Reason
from core.standing.phrases import words_of
from core.standing.sentences import Kind, Sentence, parse_sentence
from core.turn import Turn, TurnKind, Visibility

log = logging.getLogger(__name__)

CALL = "\0"
CALLED = re.compile(rf"\s*{CALL}\s*(?:help|hello|hi|hey)?[\s?!.]*", re.IGNORECASE)
"""The bot's name, and at most a greeting."""
PAUSES = (0.5, 2.0, 8.0, 30.0)
"""Seconds between two attempts to take a message that the database cannot take now."""


class Receiver:
    """Takes messages. `fired` is called when something is to be delivered."""

    def __init__(
        self,
        ctx: Context,
        hot: Runner,
        client: discord.Client,
        rights: Rights,
        seen: Seen,
        talk: Talk,
        fired: Callable[[], None],
    ) -> None:
        self._ctx = ctx
        self._hot = hot
        self._client = client
        self._rights = rights
        self._seen = seen
        self._talk = talk
        self._fired = fired

    async def message(self, message: discord.Message, edited: bool = False) -> None:
        """Receive a message. Raises nothing: it is logged, and the next one is received."""
        received_at = self._ctx.clock.now()
        try:
            if isinstance(message.channel, discord.PartialMessageable):
                await self._complete(message)
            turn = turn_of(message, self._rights.account, received_at, edited)
            if turn is not None:
                await self._take(message, turn)
        except SendFailed as failed:
            log.warning("discord.channel: %s", failed.why)
        except Exception:  # one message must not stop all that come after it (house rule 8)
            log.exception("discord.message.defect")

    async def _complete(self, message: discord.Message) -> None:
        """Put the channel in that the library does not know, such as a thread of before. Raises SendFailed."""
        known = message.channel.id
        channel = await told(lambda: self._client.fetch_channel(known))
        if isinstance(channel, discord.abc.Messageable):
            message.channel = channel

    async def _take(self, message: discord.Message, turn: Turn) -> None:
        if not turn.edited:
            self._seen.remember(turn)
            if self._is_nobody(message, turn):
                await self._talk.nobody(message, turn.where)
            found = await self._asked(message, turn)
            if found is not None:
                await self._obey(message, turn, found)
                return
            if turn.kind is TurnKind.USER and not self._is_late(turn.sent_at):
                await self._greet(message, turn)
        await self.turn(replace(turn, can_deliver=may_write(message.channel)))

    async def _obey(self, message: discord.Message, turn: Turn, found: Sentence) -> None:
        """Act on a sentence at most once, in whichever process; what cannot be recorded is refused."""
        if not self._seen.first(message.id):
            return

        async def act() -> None:
            new = await self._hot(lambda: ActOnce(self._ctx)(PROVIDER, self._rights.account, turn.message_id))
            if new:
                await self._talk.sentence(message, turn, found)

        await self._talk.voice.guarded(message, self._rights.account, act)

    async def _greet(self, message: discord.Message, turn: Turn) -> None:
        """The first words in a direct message, and an answer to whoever says the bot's name and nothing more."""
        if turn.where.visibility is Visibility.DIRECT:
            if self._seen.first(message.channel.id):
                await self._talk.greet(message, turn.where)
        elif CALLED.fullmatch(message.content.replace(f"<@{self._rights.account}>", CALL, 1)):
            await self._talk.named(message, turn.where)

    async def turn(self, turn: Turn) -> None:
        """Match an ordinary message, in the order in which they came while the database works."""
        for pause in (*PAUSES, None):
            try:
                outcome = await self._hot(lambda: ReceiveTurn(self._ctx)(turn))  # noqa: B023 - awaited here
            except StorageError as error:
                why: object = error
            else:
                if outcome.fires:
                    self._fired()
                if outcome.ignored is not Reason.DEADLINE:
                    return
                why = Reason.DEADLINE
            if pause is None:
                log.error("discord.turn.lost: %s", why)
                return
            log.warning("discord.turn.again: %s", why)
            await asyncio.sleep(pause)
            turn = replace(turn, received_at=self._ctx.clock.now())

    async def _asked(self, message: discord.Message, turn: Turn) -> Sentence | None:
        """The rule that a message asks for in words, where the person who wrote it may ask for one."""
        if turn.kind is not TurnKind.USER or self._is_late(turn.sent_at):
            return None
        found = parse_sentence(turn.text.text)
        if found is None:
            return None
        if turn.where.visibility is Visibility.DIRECT:
            return found  # nobody else is there: a refusal is better than silence
        if found.kind is Kind.CLOCK_TIME or (
            found.kind is Kind.FOR_OTHER and names_clock_time(words_of(turn.text.text))
        ):
            return found  # reminders by the clock are for members, too
        try:
            actor = await self._rights.saying(message.author, turn.where)
        except (SendFailed, StorageError):
            return None  # who said it is not told: it counts as talk
        return found if actor.is_owner or actor.is_operator else None

    def _is_nobody(self, message: discord.Message, turn: Turn) -> bool:
        """Does a webhook ask for a rule? It is told once that nobody in particular can be its owner."""
        if turn.kind is not TurnKind.WEBHOOK or message.webhook_id is None or self._is_late(turn.sent_at):
            return False
        found = parse_sentence(turn.text.text)
        return found is not None and found.kind is Kind.RULE and self._seen.first(message.webhook_id)

    def _is_late(self, sent_at: datetime) -> bool:
        return self._ctx.clock.now() - sent_at > self._ctx.limits.turn_max_age


def may_write(channel: object) -> bool:
    """May the bot write there? Where it may not nothing is matched: it could not be delivered."""
    if isinstance(channel, discord.Thread):
        may = channel.permissions_for(channel.guild.me)
        return may.view_channel and may.send_messages_in_threads and not (channel.locked and not may.manage_threads)
    if isinstance(channel, discord.abc.GuildChannel):
        may = channel.permissions_for(channel.guild.me)
        return may.view_channel and may.send_messages
    return True
