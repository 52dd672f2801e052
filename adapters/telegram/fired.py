"""Buttons under a reminder and under a question about a rule, pressed in Telegram."""

import logging

from telegram import CallbackQuery

from adapters.base.buttons import Action, Press
from adapters.base.collected import CollectedDesk
from adapters.base.contract import Button, NeverSent, Post, SendFailed
from adapters.base.fired import PUTS_OFF, FiredActs, OnlyOnce, done_with, place_of, press_of, spans
from adapters.telegram.places import principal, where_of
from adapters.telegram.sending import patiently
from adapters.telegram.talk import Talk
from adapters.telegram.voice import Buttons, Said, rows_of
from core.catalogue import say
from core.errors import RemembrancerError
from core.wording.lines import Line

log = logging.getLogger(__name__)
TOLD = "told"
"""What the data of a button begins with that says what was done."""


class Fired:
    """Answers a press: what is told to whoever pressed, in a box that only they see; "" for nothing."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._act = FiredActs(talk.changed)
        self._put_off = OnlyOnce()

    @staticmethod
    def reads(data: str) -> bool:
        """Is it the data of one of these buttons?"""
        return press_of(data) is not None

    async def press(self, query: CallbackQuery, said: Said) -> str:
        """Do what a button asks for. Raises what the services raise."""
        press = press_of(query.data or "")
        if press is None:
            return say("telegram.old_button")
        desk = await self._desk(said, press)
        if press.action in PUTS_OFF and not press.detail:
            await self._talk.work(desk, lambda: self._act.require_own(press, desk))
            await self._show(said, rows_of(spans(press)))
            return ""
        if press.detail and not self._put_off.first((said.chat, said.message.message_id)):
            return say("telegram.old_button")
        try:
            told = await self._talk.work(desk, lambda: self._act(press, desk))
        except RemembrancerError:
            self._put_off.again((said.chat, said.message.message_id))
            raise
        if done_with(press, told):
            await self._show(said, ((Button(told, f"{TOLD}:"),),))
        if press.action is Action.WHY:
            return await self._tell(said, desk.take())
        return told

    async def _desk(self, said: Said, press: Press) -> CollectedDesk:
        about = await self._talk.hot(lambda: place_of(self._talk.ctx, press))
        return await self._talk.desk(said, about or where_of(said.message, self._talk.rights.account))

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
