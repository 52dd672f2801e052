"""How an answer reaches whoever asked: to them alone where Discord can, or as a reply to what they said."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

import discord

from adapters.base.asking import Asked
from adapters.base.collected import CollectedDesk
from adapters.base.contract import Button, Post, SendFailed
from adapters.base.questions import OpenQuestion, Questions
from adapters.discord.acknowledging import Interaction
from adapters.discord.embeds import answers_of, edit_of
from adapters.discord.markup import parts_of
from adapters.discord.menus import NOTHING, Below, Buttons
from adapters.discord.phrasing import refusal_lines
from adapters.discord.places import where_of
from adapters.discord.sending import Sender, patiently
from adapters.discord.views import COLUMNS, view_of
from core.errors import RemembrancerError
from core.turn import Visibility, Where
from core.wording.lines import Line, Mood, line

log = logging.getLogger(__name__)

QUIET = discord.AllowedMentions.none()


class Voice:
    """Says things as one bot."""

    def __init__(self, sender: Sender, questions: Questions) -> None:
        self.sender = sender
        self.questions = questions

    # to whoever gave a command or pressed a button, alone

    async def answer(
        self, interaction: Interaction, desk: CollectedDesk, asked: Asked | None, below: Below = NOTHING
    ) -> None:
        """Say what was collected, a question with its buttons. Raises SendFailed."""
        found = desk.take()
        if asked is None:
            await self.tell(interaction, found, below)
            return
        question = self.questions.open(asked, desk, interaction.user.id)
        await self.tell(interaction, found, Below(question_buttons(question)))

    async def tell(self, interaction: Interaction, found: Sequence[Line], below: Below = NOTHING) -> None:
        """Follow up, for that person alone. Raises SendFailed."""
        answers = answers_of(found)
        for number, answer in enumerate(answers):
            if number == len(answers) - 1 and below != NOTHING:
                answer["view"] = view_of(below.buttons, below.menu)
            await patiently(partial(interaction.followup.send, ephemeral=True, allowed_mentions=QUIET, **answer))

    async def show(self, interaction: Interaction, found: Sequence[Line], below: Below = NOTHING) -> None:
        """Put other words and buttons in the message whose button was pressed: deferred already. Raises SendFailed."""
        message, shown = interaction.message, edit_of(found)
        if message is None or not message.flags.ephemeral:
            shown = {"content": parts_of(found)[0]}
        view = view_of(below.buttons, below.menu)
        await patiently(partial(interaction.edit_original_response, view=view, allowed_mentions=QUIET, **shown))

    async def unbutton(self, interaction: Interaction, buttons: Buttons = ()) -> None:
        """Leave the words as they are and put other buttons under them, or none. Raises SendFailed."""
        await patiently(lambda: interaction.edit_original_response(view=view_of(buttons)))

    # where somebody said something

    async def reply(self, message: discord.Message, where: Where, *found: Line, buttons: Buttons = ()) -> str:
        """Reply to a message, where it was said; the id of the last message. Raises SendFailed."""
        reply = "" if where.visibility is Visibility.DIRECT else str(message.id)
        post = Post(where, tuple(found), buttons, reply, nonce=f"re{message.id}")
        sent = await patiently(lambda: self.sender.send(post))
        return sent.message_ids[-1]

    async def reply_asked(self, message: discord.Message, desk: CollectedDesk, asked: Asked | None) -> None:
        """Say what was collected at a message: a question with its buttons. Raises SendFailed."""
        found = desk.take()
        if asked is None:
            if found:
                await self.reply(message, desk.where, *found)
            return
        question = self.questions.open(asked, desk, message.author.id)
        await self.reply(message, desk.where, *found, buttons=question_buttons(question))

    async def guarded(self, message: discord.Message, account: str, act: Callable[[], Awaitable[None]]) -> None:
        """Do it; a refusal is said, a defect is logged and said, and what cannot be said is logged."""
        where = where_of(message.channel, account)
        try:
            try:
                await act()
            except RemembrancerError as error:
                if where is not None:
                    await self.reply(message, where, *refusal_lines(error))
            except SendFailed:
                raise
            except Exception as error:  # an adapter's loop goes on (house rule 8)
                log.exception("discord.defect")
                if where is not None:
                    defect = line("discord.defect", Mood.BAD, kind=type(error).__name__)
                    await self.reply(message, where, defect)
        except SendFailed as failed:
            log.warning("discord.unsaid: %s", failed.why)


def question_buttons(question: OpenQuestion) -> Buttons:
    """One button for each choice."""
    return rows_of(question.buttons())


def rows_of(buttons: Sequence[Button]) -> Buttons:
    """As many beside each other as Discord has room for."""
    return tuple(tuple(buttons[start : start + COLUMNS]) for start in range(0, len(buttons), COLUMNS))
