"""What a pressed button does. The right to it is checked now, not when it was shown."""

import logging
from collections.abc import Awaitable, Callable

import discord

from adapters.base.buttons import Action, Press
from adapters.base.collected import CollectedDesk
from adapters.base.contract import Button, SendFailed
from adapters.base.fired import PUTS_OFF, FiredActs, OnlyOnce, done_with, place_of, press_of, spans
from adapters.base.listing import CLOCK, RULES, read_page
from adapters.base.questions import ASK, OpenQuestion
from adapters.base.rules import Rules
from adapters.base.timed import Reminders
from adapters.discord.acknowledging import ALREADY_ACKNOWLEDGED, UNKNOWN_INTERACTION, Interaction
from adapters.discord.composing import Wanted, bare, history, one, why
from adapters.discord.markup import CONTENT_CHARS, parts_of
from adapters.discord.menus import (
    DO,
    NOTHING,
    REMINDER,
    RULE,
    Below,
    below_list,
    below_reminder,
    below_rule,
    verb_of,
)
from adapters.discord.phrasing import refusal_lines
from adapters.discord.talk import Talk
from adapters.discord.views import chosen_in, data_of
from adapters.discord.voice import question_buttons, rows_of
from core.errors import RemembrancerError
from core.services.read_intents import ShowIntent
from core.standing.intent import StandingIntent
from core.standing.typed import Listing
from core.timed.commands import TimedListing
from core.wording.lines import Line, Mood, Segment, line
from core.wording.readback import Choice

log = logging.getLogger(__name__)

TOLD = "told"
"""What the data of a button begins with that says what was done."""


class Pressed:
    """Buttons of questions, lists and reminders. Discord is answered first; then it is done."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._act = FiredActs(talk.changed)
        self._put_off = OnlyOnce()
        self._kinds: dict[str, Callable[[Interaction, str], Awaitable[None]]] = {
            ASK: self._question,
            RULES: self._page,
            CLOCK: self._page,
            TOLD: self._told,
            RULE: self._rule,
            REMINDER: self._reminder,
            DO: self._verb,
        }

    async def press(self, interaction: Interaction) -> None:
        """Do what a button of ours says; everything else is left alone. Raises nothing."""
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
            await voice.unbutton(interaction, rows_of(spans(press)))
            return
        message = interaction.message.id if interaction.message is not None else 0
        if press.detail and not self._put_off.first(message):
            await voice.tell(interaction, [line("discord.old_button", Mood.WARNING)])
            return
        told = await self._talk.work(desk, lambda: self._act(press, desk))
        if press.action is Action.WHY:
            await voice.tell(interaction, desk.take())
            return
        if done_with(press, told):
            await voice.unbutton(interaction, ((Button(told, f"{TOLD}:"),),))
        else:
            await voice.tell(interaction, [Line((Segment(told, people=True),), Mood.GOOD)])

    async def _told(self, interaction: Interaction, _data: str) -> None:
        """It only says what was done."""

    # pages

    async def _page(self, interaction: Interaction, data: str) -> None:
        kind, number, letters, text = [*data.split(":", 3), "", "", ""][:4]
        wanted = read_page(kind, number, letters, text)
        if wanted is None:
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
        await self._talk.work(desk, lambda: Reminders(desk).command(f"show {bare(handle)}"))
        await self._talk.voice.tell(interaction, desk.take(), Below(below_reminder(bare(handle))))

    async def _verb(self, interaction: Interaction, data: str) -> None:
        """Carry out a verb for a handle, as if it had been typed."""
        found = verb_of(data)
        if found is None:
            await self._talk.voice.tell(interaction, [line("discord.old_button", Mood.WARNING)])
            return
        verb, handle = found
        if handle.startswith("r-"):
            await self._talk.command(interaction, "remind", f"{verb} {handle}")
        else:
            await self._talk.do(interaction, wanted_of(verb, handle), f"/intent {verb} {handle}")

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
        desk.who = await self._talk.rights.asking(interaction, desk.where)
        try:
            following = await self._talk.work(desk, lambda: question.asked.answer(choice))
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


def _listed(desk: CollectedDesk, wanted: Listing | TimedListing) -> Below:
    """Show a page; answers what stands below it."""
    if isinstance(wanted, TimedListing):
        reminders = Reminders(desk)
        reminders.show_list(wanted)
        return NOTHING if reminders.listed is None else below_list(*reminders.listed)
    rules = Rules(desk)
    rules.show_list(wanted)
    return NOTHING if rules.listed is None else below_list(*rules.listed)


def _shown(desk: CollectedDesk, handle: str) -> StandingIntent:
    """Show a rule; answers it. Raises NotFound."""
    Rules(desk).do(one("show", handle), f"/intent show {handle}")
    return ShowIntent(desk.ctx)(handle, desk.actor(), desk.where).intent


def wanted_of(verb: str, handle: str) -> Wanted:
    """What a verb asks for that stands on a button."""
    match verb:
        case "why":
            return why(handle, "")
        case "history":
            return history(handle, 1)
    return one(verb, handle)
