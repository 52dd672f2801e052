"""What happens to a chat: the bot comes and goes, people leave, owners change, the chat gets another id."""

import logging

from telegram import ChatMember, ChatMemberRestricted, ChatMemberUpdated, Message, Update, User

from adapters.base.contract import Post, SendFailed
from adapters.base.runner import Runner
from adapters.telegram.places import chat_id, principal, where_of_chat
from adapters.telegram.rights import Rights
from adapters.telegram.seen import Seen
from adapters.telegram.sending import Sender, patiently
from core.services.context import Context
from core.services.end_membership import EndMembership
from core.services.end_space import EndSpace, ReturnSpace
from core.services.end_timed import EndTimed
from core.services.move_place import MovePlace
from core.turn import SYSTEM, Principal, Visibility, Where
from core.wording.lines import Line, Mood, line, lines

log = logging.getLogger(__name__)
_GONE = frozenset({ChatMember.LEFT, ChatMember.BANNED})
_OWNERS = frozenset({ChatMember.OWNER, ChatMember.ADMINISTRATOR})


class Members:
    """Carries out changes of membership before they are acknowledged. All of it may come twice."""

    def __init__(self, ctx: Context, hot: Runner, sender: Sender, rights: Rights, seen: Seen, me: User) -> None:
        self._ctx = ctx
        self._hot = hot
        self._sender = sender
        self._rights = rights
        self._seen = seen
        self._me = me

    async def changed(self, update: Update) -> bool:
        """Carry out what an update says of a chat or its members; False for an update that says nothing of them."""
        if update.my_chat_member is not None:
            await self._bot_changed(update.my_chat_member)
            return True
        if update.chat_member is not None:
            await self._member_changed(update.chat_member)
            return True
        return update.message is not None and await self._service(update.message)

    async def _service(self, message: Message) -> bool:
        """A service message that says something of the chat or its members."""
        if message.migrate_to_chat_id is not None:
            await self.move(message.chat_id, message.migrate_to_chat_id)
            return True
        if message.migrate_from_chat_id is not None:
            await self.move(message.migrate_from_chat_id, message.chat_id)
            return True
        left = message.left_chat_member
        if left is not None and not left.is_bot:
            await self._left(where_of_chat(message.chat, self._rights.account), left, gone=True)
            return True
        return False

    async def move(self, old: int, new: int) -> None:
        """The chat has another id from now on."""
        account = self._rights.account
        moved = await self._hot(lambda: MovePlace(self._ctx)("telegram", account, str(old), str(new)))
        if moved:
            log.info("telegram.moved: %s is %s now", old, new)

    async def _bot_changed(self, change: ChatMemberUpdated) -> None:
        where = where_of_chat(change.chat, self._rights.account)
        old, new = change.old_chat_member.status, change.new_chat_member.status
        self._rights.forget(where)
        if where.visibility is Visibility.DIRECT:
            return  # somebody blocked the bot, or opened their chat again: sending tells
        if new in _GONE:
            await self._hot(lambda: EndSpace(self._ctx)(where, SYSTEM))
            return
        self._note_silence(where, change.new_chat_member)
        if old in _GONE:
            waiting = await self._hot(lambda: ReturnSpace(self._ctx)(where))
            await self._hello(where, new in _OWNERS, waiting)

    def _note_silence(self, where: Where, now: ChatMember) -> None:
        """Where the bot may not write nothing is matched: it could not be delivered."""
        silent = isinstance(now, ChatMemberRestricted) and not now.can_send_messages
        (self._seen.silence if silent else self._seen.may_write)(chat_id(where))

    async def _hello(self, where: Where, administrator: bool, waiting: int) -> None:
        """The first words in a chat: what to say, and why nothing may be heard."""
        found: list[Line] = [*lines("telegram.hello")]
        if not administrator and not self._me.can_read_all_group_messages:
            found.append(line("telegram.hello.private", Mood.WARNING, bot=self._me.username or ""))
        if waiting:
            found.append(line("telegram.hello.back", count=waiting))
        try:
            await patiently(lambda: self._sender.send(Post(where, tuple(found))))
        except SendFailed as failed:
            log.warning("telegram.hello: %s", failed.why)

    async def _member_changed(self, change: ChatMemberUpdated) -> None:
        where, user = where_of_chat(change.chat, self._rights.account), change.new_chat_member.user
        self._rights.forget(where)
        old, new = change.old_chat_member.status, change.new_chat_member.status
        if not user.is_bot and (new in _GONE or (old in _OWNERS and new not in _OWNERS)):
            await self._left(where, user, gone=new in _GONE)

    async def _left(self, where: Where, user: User, gone: bool) -> None:
        """Somebody is no owner any more: their rules here are paused, and the owners told.

        Who is `gone` altogether is not reminded here by the clock any more, either.
        """
        who = principal(user, self._rights.account)
        owners = await self._owners(where)
        await self._hot(lambda: EndMembership(self._ctx)(who, where, owners, SYSTEM))
        if gone:
            await self._hot(lambda: EndTimed(self._ctx)(who, where, SYSTEM))

    async def _owners(self, where: Where) -> tuple[Principal, ...]:
        try:
            return await self._rights.owners(where)
        except Exception:  # noqa: BLE001  # nobody can be told, but the rules are paused all the same
            log.warning("telegram.owners: not told")
            return ()
