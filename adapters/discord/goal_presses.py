"""Buttons and menus about goals in Discord: below one that is shown, below a list, below what a notice asks."""

from adapters.base.collected import CollectedDesk
from adapters.base.contract import SendFailed
from adapters.base.goal_buttons import GoalPress, candidates, carry_out, goal_press_of, is_about
from adapters.base.goals import Goals
from adapters.discord.acknowledging import Interaction
from adapters.discord.composing import bare
from adapters.discord.embeds import answers_of
from adapters.discord.menus import Below, below_one, instead, instead_of
from adapters.discord.places import PROVIDER, principal_of
from adapters.discord.rights import unanswered
from adapters.discord.talk import Talk
from adapters.discord.views import OPTIONS, buttons_of, chosen_in
from adapters.discord.voice import rows_of
from core.goals.typed import OneGoal
from core.services.goal_place import GoalPlace
from core.services.read_goals import ShowGoal
from core.turn import Visibility, Where
from core.wording.lines import Mood, line


class GoalPresses:
    """Does what is pressed and chosen; the interaction is deferred. Raises what the services raise, and SendFailed."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk

    async def press(self, interaction: Interaction, data: str) -> None:
        """A button."""
        await self._act(interaction, goal_press_of(data))

    async def chosen(self, interaction: Interaction, _data: str) -> None:
        """One of a list: everything about it, and what can be done with it."""
        handle = bare(chosen_in(interaction))
        desk = await self._desk(interaction, handle)
        below = await self._talk.work(desk, lambda: _shown(desk, handle))
        await self._talk.voice.tell(interaction, desk.take(), below)

    async def instead(self, interaction: Interaction, data: str) -> None:
        """What is waited for in place of what is over."""
        await self._act(interaction, instead_of(data, chosen_in(interaction)))

    async def _act(self, interaction: Interaction, press: GoalPress | None) -> None:
        voice = self._talk.voice
        if press is None:
            await voice.tell(interaction, [line("discord.old_button", Mood.WARNING)])
            return
        desk = await self._desk(interaction, press.handle)
        if press.asks_on:
            await self._ask_on(interaction, desk, press)
            return
        asked = await self._talk.work(desk, lambda: carry_out(desk, press, self._talk.changed))
        await voice.answer(interaction, desk, asked)
        if asked is None:
            await self._again(interaction, desk, press)

    async def _again(self, interaction: Interaction, desk: CollectedDesk, press: GoalPress) -> None:
        """Show what stands above the buttons as it is now, or take away those that ask the same."""
        if press.shown:
            below = await self._talk.work(desk, lambda: _shown(desk, press.handle))
            found = desk.take()
            if len(answers_of(found)) == 1:
                await self._talk.voice.show(interaction, found, below)
            else:  # what is above it stands in several messages
                await self._talk.voice.unbutton(interaction, below.buttons)
            return
        left = [one for one in buttons_of(interaction.message) if not is_about(one.data, press)]
        await self._talk.voice.unbutton(interaction, rows_of(left))

    async def _ask_on(self, interaction: Interaction, desk: CollectedDesk, press: GoalPress) -> None:
        """What shall it wait for instead? What is open is offered, the rest is typed."""
        rows = await self._talk.work(desk, lambda: candidates(desk, press, OPTIONS))
        fields = {"handle": press.handle, "other": press.prerequisite}
        ask = [line("goal.instead", Mood.HEAD, **fields), line("goal.instead.typed", Mood.FAINT, **fields)]
        await self._talk.voice.tell(interaction, ask, instead(press, rows))

    async def _desk(self, interaction: Interaction, handle: str) -> CollectedDesk:
        """At the place of the goal, where it is pressed in a direct message: the rights are those of there.

        Whoever may not look into that place has those of the direct message alone.
        """
        talk = self._talk
        there: Where | None = None
        if talk.place(interaction).visibility is Visibility.DIRECT:
            there = await talk.hot(lambda: GoalPlace(talk.ctx)(handle))
        if there is None or not await self._looks_into(interaction, there):
            return await talk.desk(interaction)
        return await talk.desk_elsewhere(interaction, there)

    async def _looks_into(self, interaction: Interaction, there: Where) -> bool:
        login = PROVIDER, self._talk.rights.account
        if there.visibility is Visibility.DIRECT or (there.provider, there.account) != login:
            return False
        who = principal_of(interaction.user.id, self._talk.rights.account)
        try:
            return await self._talk.rights.may_view(who, there)
        except SendFailed as failed:
            raise unanswered() from failed


def _shown(desk: CollectedDesk, handle: str) -> Below:
    """Show a goal; answers what stands below it. Raises NotFound."""
    Goals(desk).do(OneGoal("show", handle), "")
    return below_one(ShowGoal(desk.ctx)(handle, desk.actor(), desk.where))
