"""What a pressed button does. The right to it is checked now, not when it was shown."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

import discord

from adapters.base.asking import Asked
from adapters.base.buttons import Action, Press
from adapters.base.collected import CollectedDesk
from adapters.base.contract import Button, SendFailed
from adapters.base.fired import PUTS_OFF, FiredActs, OnlyOnce, done_with, place_of, press_of, spans
from adapters.base.goal_buttons import ASKED, SHOWN
from adapters.base.goals import Goals
from adapters.base.listing import CLOCK, GOALS, RULES, Wanted, read_page
from adapters.base.questions import ASK, OpenQuestion
from adapters.base.rules import Rules
from adapters.base.timed import Reminders
from adapters.discord import composing
from adapters.discord.acknowledging import ALREADY_ACKNOWLEDGED, UNKNOWN_INTERACTION, Interaction, fail
from adapters.discord.composing import bare, history, one, why
from adapters.discord.goal_presses import GoalPresses
from adapters.discord.markup import CONTENT_CHARS, parts_of
from adapters.discord.menus import (
    DO,
    GOAL,
    INSTEAD,
    NOTHING,
    REMINDER,
    RULE,
    Below,
    Buttons,
    below_list,
    below_reminder,
    below_rule,
    verb_of,
)
from adapters.discord.phrasing import refusal_lines
from adapters.discord.talk import Talk
from adapters.discord.views import buttons_of, chosen_in, data_of, is_form
from adapters.discord.voice import question_buttons, rows_of
from core.catalogue import say
from core.errors import RemembrancerError, StorageError
from core.goals.typed import GoalListing
from core.services.read_intents import ShowIntent
from core.services.timed import ShowTimed
from core.standing.intent import StandingIntent
from core.timed.commands import TimedListing
from core.timed.reminder import TimedReminder
from core.wording.lines import Line, Mood, Segment, line
from core.wording.readback import Choice, Question

log = logging.getLogger(__name__)

TOLD = "told:"
FORM_SECONDS = 1.0
"""So long whoever opened a form has to take it."""
CHANGES = frozenset({"pause", "resume", "done", "cancel"})


class Pressed:
    """Buttons of questions, lists and reminders. Discord is answered first; then it is done."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._act = FiredActs(talk.changed)
        self._put_off = OnlyOnce()
        goals = GoalPresses(talk)
        self._kinds: dict[str, Callable[[Interaction, str], Awaitable[None]]] = {
            ASK: self._question,
            RULES: self._page,
            CLOCK: self._page,
            RULE: self._rule,
            REMINDER: self._reminder,
            DO: self._verb,
            GOALS: self._page,
            GOAL: goals.chosen,
            INSTEAD: goals.instead,
            SHOWN: goals.press,
            ASKED: goals.press,
        }

    async def press(self, interaction: Interaction) -> None:
        """Do what a button of ours says; everything else is left alone. Raises nothing."""
        if is_form(interaction):
            await self._form(interaction)
            return
        data = data_of(interaction)
        if data is None:
            return
        try:
            await interaction.response.defer()
        except discord.InteractionResponded:
            return
        except discord.HTTPException as error:
            if error.code not in {UNKNOWN_INTERACTION, ALREADY_ACKNOWLEDGED}:
                log.warning("discord.press: %s", error)
            return
        except Exception:
            log.exception("discord.press")
            return
        await self._guarded(interaction, data)

    async def _form(self, interaction: Interaction) -> None:
        """A form is taken by the process that opened it; where that is no more, its person is told."""
        await asyncio.sleep(FORM_SECONDS)
        if not interaction.response.is_done():
            await fail(interaction, RemembrancerError(say("discord.form.over"), say("discord.form.over.hint")), "form")

    async def _guarded(self, interaction: Interaction, data: str) -> None:
        try:
            try:
                await self._do(interaction, data)
            except RemembrancerError as error:
                await self._talk.voice.tell(interaction, refusal_lines(error))
            except SendFailed:
                raise
            except Exception as error:  # an adapter's loop goes on (house rule 8)
                log.exception("discord.defect")
                defect = line("discord.defect", Mood.BAD, kind=type(error).__name__)
                await self._talk.voice.tell(interaction, [defect])
        except SendFailed as failed:
            log.warning("discord.unsaid: %s", failed.why)

    async def _do(self, interaction: Interaction, data: str) -> None:
        press = press_of(data)
        if press is not None:
            await self._fired(interaction, press)
            return
        act = self._kinds.get(data.partition(":")[0])
        if act is None:
            await self._talk.voice.tell(interaction, [line("discord.old_button", Mood.WARNING)])
        else:
            await act(interaction, data)

    # under a reminder

    async def _fired(self, interaction: Interaction, press: Press) -> None:
        about = await self._talk.hot(lambda: place_of(self._talk.ctx, press))
        talk = self._talk
        desk = await (talk.desk(interaction) if about is None else talk.desk_elsewhere(interaction, about))
        voice = self._talk.voice
        if press.action in PUTS_OFF and not press.detail:
            await self._talk.work(desk, lambda: self._act.require_own(press, desk))
            await voice.unbutton(interaction, _with_spans(interaction, press))
            return
        message = interaction.message.id if interaction.message is not None else 0
        if press.detail and not self._put_off.first(message):
            await voice.tell(interaction, [line("discord.old_button", Mood.WARNING)])
            return
        try:
            told = await self._talk.work(desk, lambda: self._act(press, desk))
        except RemembrancerError:
            self._put_off.again(message)
            raise
        if press.action is Action.WHY:
            await voice.tell(interaction, desk.take())
            return
        if done_with(press, told):
            await voice.unbutton(interaction, ((Button(told, TOLD, done=True),),))
        else:
            await voice.tell(interaction, [Line((Segment(told, people=True),), Mood.GOOD)])

    # pages

    async def _page(self, interaction: Interaction, data: str) -> None:
        kind, number, letters, text = [*data.split(":", 3), "", "", ""][:4]
        wanted, message = read_page(kind, number, letters, text), interaction.message
        if wanted is None or message is None or not (message.flags.ephemeral or message.guild is None):
            await self._talk.voice.tell(interaction, [line("discord.old_button", Mood.WARNING)])
            return
        desk = await self._talk.desk(interaction)
        below = await self._talk.work(desk, lambda: _listed(desk, wanted))
        await self._talk.voice.show(interaction, desk.take(), below)

    # what was chosen from a list

    async def _rule(self, interaction: Interaction, _data: str) -> None:
        """Everything about a rule, and what can be done with it."""
        desk, handle = await self._talk.desk(interaction), chosen_in(interaction)
        row = await self._talk.work(desk, lambda: _shown(desk, handle))
        await self._talk.voice.tell(interaction, desk.take(), Below(below_rule(row)))

    async def _reminder(self, interaction: Interaction, _data: str) -> None:
        desk, handle = await self._talk.desk(interaction), chosen_in(interaction)
        row = await self._talk.work(desk, lambda: _shown_reminder(desk, handle))
        await self._talk.voice.tell(interaction, desk.take(), Below(below_reminder(row)))

    async def _verb(self, interaction: Interaction, data: str) -> None:
        """Carry out a verb for a handle, as if it had been typed."""
        found = verb_of(data)
        if found is None:
            await self._talk.voice.tell(interaction, [line("discord.old_button", Mood.WARNING)])
            return
        verb, handle = found
        desk = await self._talk.desk(interaction)
        rule = not handle.startswith("r-")

        def act() -> Asked | None:
            if rule:
                return Rules(desk).do(wanted_of(verb, handle), f"/intent {verb} {handle}")
            return Reminders(desk, self._talk.changed).command(f"{verb} {handle}")

        own = verb == "cancel" and await self._talk.work(desk, lambda: _is_own(desk, handle, rule))
        asked = _sure(desk, handle, act) if own else await self._talk.work(desk, act)
        await self._talk.voice.answer(interaction, desk, asked)
        if asked is None and verb in CHANGES:
            await self._again(interaction, desk, handle, rule)

    async def _again(self, interaction: Interaction, desk: CollectedDesk, handle: str, rule: bool) -> None:
        """Show what stands above the buttons as it is now."""
        if rule:
            row = await self._talk.work(desk, lambda: _shown(desk, handle))
            await self._talk.voice.show(interaction, desk.take(), Below(below_rule(row)))
        else:
            timed = await self._talk.work(desk, lambda: _shown_reminder(desk, handle))
            await self._talk.voice.show(interaction, desk.take(), Below(below_reminder(timed)))

    # questions

    async def _question(self, interaction: Interaction, data: str) -> None:
        voice = self._talk.voice
        found = voice.questions.of_data(data)
        if found is None:
            await voice.unbutton(interaction)
            await voice.tell(interaction, [line("discord.over", Mood.WARNING)])
            return
        question, number = found
        if question.user_id != interaction.user.id:
            await voice.tell(interaction, [line("discord.not_yours", Mood.WARNING, name=question.desk.who.name)])
            return
        if voice.questions.close(question):
            await self._answer(interaction, question, question.asked.question.choices[number])

    async def _answer(self, interaction: Interaction, question: OpenQuestion, choice: Choice) -> None:
        """Do what was chosen; the question then shows the choice and what came of it, or the next question."""
        desk, voice = question.desk, self._talk.voice
        head = [*question.asked.question.lines, line("discord.chosen", Mood.FAINT, choice=choice.label)]
        try:
            desk.who = (await self._talk.desk_elsewhere(interaction, desk.where)).who
            following = await self._talk.work(desk, lambda: question.asked.answer(choice))
        except StorageError:
            desk.take()
            voice.questions.reopen(question)
            raise
        except RemembrancerError as error:
            desk.take()
            await self._show(interaction, head, refusal_lines(error))
            return
        if following is None:
            await self._show(interaction, head, desk.take())
            return
        asked = voice.questions.open(following, desk, question.user_id)
        await voice.show(interaction, desk.take(), Below(question_buttons(asked)))

    async def _show(self, interaction: Interaction, head: list[Line], result: list[Line]) -> None:
        """Below what was asked, or apart where both do not fit into one message."""
        if len(parts_of([*head, *result], CONTENT_CHARS)) == 1:
            await self._talk.voice.show(interaction, [*head, *result])
            return
        await self._talk.voice.unbutton(interaction)
        await self._talk.voice.tell(interaction, result)


def _with_spans(interaction: Interaction, press: Press) -> Buttons:
    """The buttons that are there, and below them how long to put it off; pressed once more, that is taken away."""
    before = buttons_of(interaction.message)
    kept = [one for one in before if (found := press_of(one.data)) is None or not found.detail]
    more = spans(press) if len(kept) == len(before) else []
    return (*rows_of(kept), *rows_of(more))


def _listed(desk: CollectedDesk, wanted: Wanted) -> Below:
    """Show a page; answers what stands below it."""
    if isinstance(wanted, TimedListing):
        reminders = Reminders(desk)
        reminders.show_list(wanted)
        return NOTHING if reminders.listed is None else below_list(*reminders.listed)
    if isinstance(wanted, GoalListing):
        goals = Goals(desk)
        goals.show_list(wanted)
        return NOTHING if goals.listed is None else below_list(*goals.listed)
    rules = Rules(desk)
    rules.show_list(wanted)
    return NOTHING if rules.listed is None else below_list(*rules.listed)


def _shown(desk: CollectedDesk, handle: str) -> StandingIntent:
    """Show a rule; answers it. Raises NotFound."""
    Rules(desk).do(one("show", handle), f"/intent show {handle}")
    return ShowIntent(desk.ctx)(handle, desk.actor(), desk.where).intent


def _shown_reminder(desk: CollectedDesk, handle: str) -> TimedReminder:
    """Show a reminder by the clock; answers it. Raises NotFound."""
    Reminders(desk).command(f"show {bare(handle)}")
    return ShowTimed(desk.ctx)(bare(handle), desk.actor(), desk.where)


def _is_own(desk: CollectedDesk, handle: str, rule: bool) -> bool:
    """Would it be ended without a question? Raises NotFound."""
    who, where = desk.actor(), desk.where
    if rule:
        return ShowIntent(desk.ctx)(handle, who, where).intent.creator == who.principal
    row = ShowTimed(desk.ctx)(handle, who, where)
    return who.principal in {row.creator, row.target}


def _sure(desk: CollectedDesk, handle: str, act: Callable[[], Asked | None]) -> Asked:
    """A button is pressed by mistake more easily than a command is typed."""
    question = Question((line("discord.cancel.ask", Mood.HEAD, handle=handle),), (Choice.CANCEL, Choice.NO))
    desk.ask(question)

    def answer(choice: Choice) -> Asked | None:
        if choice is Choice.CANCEL:
            return act()
        desk.private(line("rule.not_cancelled", Mood.FAINT))
        return None

    return Asked(question, answer)


def wanted_of(verb: str, handle: str) -> composing.Wanted:
    """What a verb asks for that stands on a button."""
    match verb:
        case "why":
            return why(handle, "")
        case "history":
            return history(handle, 1)
    return one(verb, handle)
