"""Buttons about goals in Telegram: below one that is shown, below proposals, below a question that a notice asks."""

import logging
from collections.abc import Awaitable, Callable

from telegram import CallbackQuery, InlineKeyboardMarkup

from adapters.base.collected import CollectedDesk
from adapters.base.contract import Button, Post, SendFailed
from adapters.base.goal_buttons import GoalPress, candidates, carry_out, goal_press_of, is_about
from adapters.base.goals import Goals
from adapters.telegram.goals import below_one
from adapters.telegram.places import where_of
from adapters.telegram.sending import patiently
from adapters.telegram.talk import Talk
from adapters.telegram.text import parts_of
from adapters.telegram.voice import Buttons, Said
from core.catalogue import say
from core.goals.typed import OneGoal
from core.services.goal_place import GoalPlace
from core.turn import Visibility, Where
from core.wording.lines import Line, Mood, line

log = logging.getLogger(__name__)
OFFERED = 8
"""So many intents are offered as buttons where one is to take the place of another."""
LABEL = 60


class GoalPresses:
    """Answers a press: what is told to whoever pressed, in a box that only they see; "" for nothing."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk

    @staticmethod
    def reads(data: str) -> bool:
        """Is it the data of one of these buttons?"""
        return goal_press_of(data) is not None

    async def press(self, query: CallbackQuery, said: Said) -> str:
        """Do what a button asks for. Raises what the services raise."""
        press = goal_press_of(query.data or "")
        if press is None:
            return say("telegram.old_button")
        desk = await self._desk(said, press)
        if press.asks_on:
            await self._ask_on(said, desk, press)
            return ""
        asked = await self._talk.work(desk, lambda: carry_out(desk, press, self._talk.changed))
        if asked is not None:
            await self._talk.voice.answer(said, desk, asked)
            return ""
        found = desk.take()
        if press.shown:
            await self._again(said, desk, press)
            return found[0].text if found else ""
        await self._answered(said, press, found)
        return ""

    async def _desk(self, said: Said, press: GoalPress) -> CollectedDesk:
        """At the place of the intent, where it is pressed in private: the rights are those that somebody has there."""
        here = where_of(said.message, self._talk.rights.account)
        there: Where | None = None
        if here.visibility is Visibility.DIRECT:
            there = await self._talk.hot(lambda: GoalPlace(self._talk.ctx)(press.handle))
        if (
            there is None
            or there.visibility is Visibility.DIRECT
            or (there.provider, there.account) != (here.provider, here.account)
        ):
            return await self._talk.desk(said, here)
        return await self._talk.desk(said, there)

    async def _ask_on(self, said: Said, desk: CollectedDesk, press: GoalPress) -> None:
        """What shall it wait for instead? What is open is offered, the rest is typed."""

        def offered() -> list[Button]:
            found = candidates(desk, press, OFFERED)
            presses = (GoalPress(press.verb, press.handle, press.prerequisite, row.handle) for row in found)
            labels = (say("goal.instead.one", handle=row.handle, text=row.value)[:LABEL] for row in found)
            return [Button(label, one.data) for label, one in zip(labels, presses, strict=True)]

        buttons = await self._talk.work(desk, offered)
        fields = {"handle": press.handle, "other": press.prerequisite}
        ask = (line("goal.instead", Mood.HEAD, **fields), line("goal.instead.typed", Mood.FAINT, **fields))
        await self._talk.voice.say(said.message, *ask, buttons=tuple((button,) for button in buttons))

    async def _again(self, said: Said, desk: CollectedDesk, press: GoalPress) -> None:
        """Show what stands above the buttons as it is now."""

        def shown() -> Buttons:
            Goals(desk).do(OneGoal("show", press.handle), "")
            return below_one(desk, press.handle)

        buttons = await self._talk.work(desk, shown)
        where, message_id = where_of(said.message, self._talk.rights.account), str(said.message.message_id)
        post, sender = Post(where, tuple(desk.take()), buttons), self._talk.voice.sender

        async def show() -> None:
            if len(parts_of(post.lines)) == 1:
                await sender.edit(where, message_id, post)
            else:  # what is above it stands in several messages
                await sender.unbutton(where, message_id, buttons)

        await _if_it_can(show)

    async def _answered(self, said: Said, press: GoalPress, found: list[Line]) -> None:
        """Say what came of it; the buttons of the same question go."""
        where, message_id = where_of(said.message, self._talk.rights.account), str(said.message.message_id)
        left = _without(said.message.reply_markup, press)
        await _if_it_can(lambda: self._talk.voice.sender.unbutton(where, message_id, left))
        await self._talk.voice.say(said.message, *found)


async def _if_it_can(show: Callable[[], Awaitable[None]]) -> None:
    """What is done is done, whether or not it can be shown."""
    try:
        await patiently(show)
    except SendFailed as failed:
        log.info("telegram.buttons: %s", failed.why)


def _without(markup: InlineKeyboardMarkup | None, press: GoalPress) -> Buttons:
    """The buttons under a message but for those that ask the same."""
    rows = markup.inline_keyboard if markup is not None else ()
    kept = (
        tuple(
            Button(one.text, str(one.callback_data or ""), one.url or "")
            for one in row
            if not is_about(str(one.callback_data or ""), press)
        )
        for row in rows
    )
    return tuple(row for row in kept if row)
