"""Buttons under a reminder and under a question about a rule: [Done] [Later] [Mute here] [Why?] [Renew] [Keep].

What they are about travels in them, so that they work after a restart; who may, is asked when they are pressed.
"""

import logging
from collections import OrderedDict
from collections.abc import Callable
from datetime import timedelta

from telegram import CallbackQuery

from adapters.base.buttons import Action, Press, decode, encode
from adapters.base.contract import Button, NeverSent, Post, SendFailed
from adapters.telegram.desk import TelegramDesk
from adapters.telegram.places import principal, where_of
from adapters.telegram.sending import patiently
from adapters.telegram.talk import Talk
from adapters.telegram.voice import Buttons, Said
from core.catalogue import say
from core.errors import NotFound
from core.services.acknowledge import Acknowledge
from core.services.keep import KeepIntent
from core.services.mute import MuteIntent
from core.services.read_fire import ReadFire, SeenFire
from core.services.remind import SnoozeFire, SnoozeTimed
from core.services.renew_intent import RenewIntent
from core.services.timed import AcknowledgeTimed
from core.standing.durations import show_moment
from core.timed.reminder import TimedReminder
from core.turn import Where
from core.wording.lines import Line
from core.wording.shown import Clockface, fire_lines

log = logging.getLogger(__name__)

PUT_OFF = {"1h": timedelta(hours=1), "3h": timedelta(hours=3), "1d": timedelta(days=1), "7d": timedelta(days=7)}
"""How long a reminder can be put off, by what its button carries."""
PUT_OFFS = 1_000
_PUTS_OFF = frozenset({Action.LATER, Action.TIMED_LATER})


class Fired:
    """Answers a press: what is told to whoever pressed, in a box that only they see; "" for nothing."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._put_off: OrderedDict[tuple[int, int], bool] = OrderedDict()
        self._acts: dict[Action, Callable[[Press, TelegramDesk], str]] = {
            Action.DONE: self._done,
            Action.LATER: self._later,
            Action.MUTE: self._mute,
            Action.WHY: self._why,
            Action.RENEW: self._renew,
            Action.KEEP: self._keep,
            Action.TIMED_DONE: self._timed_done,
            Action.TIMED_LATER: self._timed_later,
        }

    @staticmethod
    def reads(data: str) -> bool:
        """Is it the data of one of these buttons?"""
        return decode(data) is not None

    async def press(self, query: CallbackQuery, said: Said) -> str:
        """Do what a button asks for. Raises what the services raise."""
        press = decode(query.data or "")
        if press is None or press.detail not in {"", *PUT_OFF}:
            return say("telegram.old_button")
        desk = await self._desk(said, press)
        if press.action in _PUTS_OFF and not press.detail:
            await self._talk.work(desk, lambda: self._require_own(press, desk))
            await self._show(said, _spans(press))
            return ""
        if press.detail and not self._first(said):
            return say("telegram.old_button")
        told = await self._talk.work(desk, lambda: self._acts[press.action](press, desk))
        if press.action not in {Action.MUTE, Action.WHY} and told != say("fired.done.before"):
            await self._show(said, ((Button(told, "told:"),),))
        if press.action is Action.WHY:
            return await self._tell(said, desk.take())
        return told

    def _first(self, said: Said) -> bool:
        """Is it the first time that this reminder is put off? A second tap comes before its buttons are gone."""
        key = said.chat, said.message.message_id
        if key in self._put_off:
            return False
        self._put_off[key] = True
        while len(self._put_off) > PUT_OFFS:
            self._put_off.popitem(last=False)
        return True

    async def _desk(self, said: Said, press: Press) -> TelegramDesk:
        """At the place that it is about, which for a direct message is another than where it was pressed."""
        here = where_of(said.message, self._talk.rights.account)
        about = await self._talk.hot(lambda: self._place(press))
        return await self._talk.desk(said, about or here)

    def _place(self, press: Press) -> Where | None:
        return ReadFire(self._talk.ctx).place(press.id)

    def _done(self, press: Press, desk: TelegramDesk) -> str:
        done = Acknowledge(desk.ctx)(press.id, desk.actor(), desk.where)
        return say("fired.done" if done.first else "fired.done.before", name=desk.who.name)

    def _require_own(self, press: Press, desk: TelegramDesk) -> None:
        """A reminder is put off by whom it is for alone. Raises NotFound."""
        mine = ReadFire(desk.ctx).is_own(press.id, desk.actor())
        if not mine:
            raise NotFound(say("fire.unknown"), say("fire.unknown.hint"))

    def _later(self, press: Press, desk: TelegramDesk) -> str:
        return self._again(SnoozeFire(desk.ctx)(press.id, PUT_OFF[press.detail], desk.actor()), desk)

    def _timed_done(self, press: Press, desk: TelegramDesk) -> str:
        handle = ReadFire(desk.ctx).timed_handle(press.id)
        AcknowledgeTimed(desk.ctx)(handle, desk.actor(), desk.where)
        return say("fired.done", name=desk.who.name)

    def _timed_later(self, press: Press, desk: TelegramDesk) -> str:
        handle = ReadFire(desk.ctx).timed_handle(press.id)
        return self._again(SnoozeTimed(desk.ctx)(handle, PUT_OFF[press.detail], desk.actor(), desk.where), desk)

    def _again(self, row: TimedReminder, desk: TelegramDesk) -> str:
        self._talk.changed()
        assert row.due_at is not None, "it is to come"  # noqa: S101
        return say("fired.later", time=show_moment(row.due_at, desk.zone))

    def _mute(self, press: Press, desk: TelegramDesk) -> str:
        seen = self._seen(press, desk)
        row = MuteIntent(desk.ctx)(seen.intent.handle, desk.actor(), seen.where, off=False)
        return say("fired.muted", handle=row.handle)

    def _why(self, press: Press, desk: TelegramDesk) -> str:
        seen = self._seen(press, desk)
        desk.private(*fire_lines(seen.fire, seen.intent, Clockface(desk.now(), desk.zone)))
        return ""

    def _renew(self, press: Press, desk: TelegramDesk) -> str:
        seen = self._seen(press, desk)
        row = RenewIntent(desk.ctx)(seen.intent.handle, desk.actor(), seen.where)
        return say("fired.renewed", handle=row.handle)

    def _keep(self, press: Press, desk: TelegramDesk) -> str:
        handle = ReadFire(desk.ctx).handle(press.id, desk.actor(), desk.where)
        row = KeepIntent(desk.ctx)(handle, desk.actor(), desk.where)
        return say("fired.kept", handle=row.handle, ends=show_moment(row.expires_at, desk.zone))

    def _seen(self, press: Press, desk: TelegramDesk) -> SeenFire:
        return ReadFire(desk.ctx)(press.id, desk.actor(), desk.where)

    async def _show(self, said: Said, buttons: Buttons) -> None:
        """What was done is done, whether or not it can be shown."""
        where = where_of(said.message, self._talk.rights.account)
        try:
            await self._talk.voice.sender.unbutton(where, str(said.message.message_id), buttons)
        except SendFailed as failed:
            log.info("telegram.buttons: %s", failed.why)

    async def _tell(self, said: Said, found: list[Line]) -> str:
        """Why it fired, privately; in the box where the person has no private chat with the bot."""
        who = principal(said.user, self._talk.rights.account)
        try:
            await patiently(lambda: self._talk.voice.sender.send(Post(who, tuple(found))))
        except NeverSent:
            return "\n".join(one.text for one in found)
        return say("telegram.privately")


def _spans(press: Press) -> Buttons:
    """How long to put it off."""
    made = [Button(say(f"fired.later.{span}"), encode(Press(press.action, press.id, span))) for span in PUT_OFF]
    return (tuple(made[:2]), tuple(made[2:]))
