"""Who may decide here, asked from Telegram at the moment of the act."""

from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime, timedelta

from telegram import Bot, ChatMember, User
from telegram.error import BadRequest, ChatMigrated, Forbidden, TelegramError

from adapters.base.contract import NeverSent
from adapters.telegram.places import PROVIDER, chat_id, principal, shown_name
from adapters.telegram.sending import failure_of, patiently
from core.catalogue import say
from core.errors import StorageError
from core.ports import Clock
from core.turn import Actor, ActorType, Principal, Visibility, Where

REMEMBERED = timedelta(seconds=60)
"""How long an answer of Telegram is good enough for showing something; every act asks afresh."""
MOST_REMEMBERED = 10_000
_OWNERS = frozenset({ChatMember.OWNER, ChatMember.ADMINISTRATOR})
_MEMBERS = _OWNERS | {ChatMember.MEMBER, ChatMember.RESTRICTED}


class Rights:
    """The rights of people in chats. `own_direct`: in their direct message everybody decides for themselves.

    `moved` is awaited with the old and the new id of a chat that turns out to have another one.
    """

    def __init__(
        self,
        bot: Bot,
        account: str,
        clock: Clock,
        operators: Iterable[Principal],
        own_direct: bool,
        moved: Callable[[int, int], Awaitable[None]],
    ) -> None:
        self._bot = bot
        self.account = account
        self._clock = clock
        self._operators = frozenset(operators)
        self._own_direct = own_direct
        self._moved = moved
        self._known: dict[tuple[int, str], tuple[datetime, str]] = {}

    async def actor(self, user: User, where: Where) -> Actor:
        """A person with the rights of this moment. Raises StorageError where Telegram does not answer."""
        who = principal(user, self.account)
        owner = await self.is_owner(who, where)
        operator = who in self._operators
        return Actor(ActorType.HUMAN_USER, who.user_id, shown_name(user), who, is_owner=owner, is_operator=operator)

    async def is_owner(self, who: Principal, where: Where, fresh: bool = True) -> bool:
        """Is that person owner or administrator of the chat, now (or, unless `fresh`, a minute ago)?"""
        if where.visibility is Visibility.DIRECT:
            return self._own_direct and who.user_id == where.space
        return await self._status(who, where, fresh) in _OWNERS

    async def is_member(self, who: Principal, where: Where) -> bool:
        """Is that person in the chat, now?"""
        if where.visibility is Visibility.DIRECT:
            return who.user_id == where.space
        return await self._status(who, where, fresh=True) in _MEMBERS

    async def owners(self, where: Where) -> tuple[Principal, ...]:
        """Owner and administrators of a chat that are people; none where the bot may not ask."""
        try:
            found = await self._bot.get_chat_administrators(chat_id(where))
        except (BadRequest, Forbidden):
            return ()
        people = [member.user for member in found if not member.user.is_bot]
        return tuple(Principal(PROVIDER, self.account, str(user.id)) for user in people)

    def forget(self, where: Where) -> None:
        """Something changed there: ask anew."""
        self._known = {key: value for key, value in self._known.items() if key[0] != chat_id(where)}

    async def _status(self, who: Principal, where: Where, fresh: bool) -> str:
        key, now = (chat_id(where), who.user_id), self._clock.now()
        known = self._known.get(key)
        if not fresh and known is not None and timedelta(0) <= now - known[0] < REMEMBERED:
            return known[1]
        status = await patiently(lambda: self._ask(*key))
        if len(self._known) >= MOST_REMEMBERED:
            self._known.clear()
        self._known[key] = (now, status)
        return status

    async def _ask(self, chat: int, user_id: str) -> str:
        try:
            return str((await self._bot.get_chat_member(chat, int(user_id))).status)
        except ChatMigrated as moved:
            await self._moved(chat, moved.new_chat_id)
            return await self._ask(moved.new_chat_id, user_id)
        except TelegramError as error:
            failure = failure_of(error)
            if isinstance(failure, NeverSent):  # not a member, or no chat of ours
                return str(ChatMember.LEFT)
            raise failure from error


def unanswered() -> StorageError:
    """What is said where Telegram does not tell who may do what."""
    return StorageError(say("telegram.unanswered"), say("storage.again.hint"), retry=True)
