"""`/goal` as slash commands."""

import discord
from discord import app_commands

from adapters.discord import goal_parts as parts
from adapters.discord.acknowledging import Asker, Interaction, carry_out, show_form
from adapters.discord.composing import Chosen
from adapters.discord.forms import WORDS_CHARS, GoalForm
from adapters.discord.groups import CommandGroup, PageNumber, mention, shown, verb
from core.goals.typed import GoalCommand
from core.limits import LIMITS

Text = app_commands.Range[str, 1, LIMITS.goal_chars]
Criteria = app_commands.Range[str, 1, WORDS_CHARS]
Note = app_commands.Range[str, 1, LIMITS.goal_note_chars]


class GoalGroup(CommandGroup):
    """`/goal`, for owners."""

    kind = "g"

    def __init__(self, asker: Asker) -> None:
        super().__init__(asker, "goal", owners=True)

    async def _wanted(self, interaction: Interaction, wanted: GoalCommand, said: str) -> None:
        await carry_out(interaction, lambda: self.asker.goal(interaction, wanted, said), f"/{self.name}")

    # making and changing

    @verb("goal.add")
    async def add(
        self,
        interaction: Interaction,
        text: Text | None = None,
        type_: str | None = None,
        due: str | None = None,
        priority: str | None = None,
        owner: discord.User | None = None,
        with_: str | None = None,
        criteria: Criteria | None = None,
        note: Note | None = None,
        depends: str | None = None,
        blocks: str | None = None,
    ) -> None:
        chosen = _chosen(type_, due, priority, owner, with_, criteria, note) | {"depends": depends, "blocks": blocks}

        async def given(submitted: Interaction, text: str, chosen: Chosen) -> None:
            text, chosen = await _readable(submitted, text, chosen)
            await self.asker.goal(submitted, parts.add(text, chosen), parts.spelt("add", text, chosen=chosen))

        if text:
            await carry_out(interaction, lambda: given(interaction, text, chosen), "/goal add")
        else:
            await show_form(interaction, GoalForm("", chosen, given), "/goal add")

    @verb("goal.edit")
    async def edit(
        self,
        interaction: Interaction,
        handle: str,
        text: Text | None = None,
        type_: str | None = None,
        due: str | None = None,
        priority: str | None = None,
        owner: discord.User | None = None,
        with_: str | None = None,
        criteria: Criteria | None = None,
        note: Note | None = None,
    ) -> None:
        chosen = _chosen(type_, due, priority, owner, with_, criteria, note)

        async def given(submitted: Interaction, text: str, chosen: Chosen) -> None:
            text, chosen = await _readable(submitted, text, chosen)
            said = parts.spelt("edit", handle, text, chosen=chosen)
            await self.asker.goal(submitted, parts.edit(handle, text, chosen), said)

        if text or any(chosen.values()):
            await carry_out(interaction, lambda: given(interaction, text or "", chosen), "/goal edit")
        else:
            await show_form(interaction, GoalForm("", chosen, given, changes=True), "/goal edit")

    @verb("goal.supersede")
    async def supersede(
        self,
        interaction: Interaction,
        handle: str,
        text: Text,
        type_: str | None = None,
        due: str | None = None,
        priority: str | None = None,
        owner: discord.User | None = None,
        with_: str | None = None,
        criteria: Criteria | None = None,
        note: Note | None = None,
        depends: str | None = None,
        blocks: str | None = None,
    ) -> None:
        chosen = _chosen(type_, due, priority, owner, with_, criteria, note) | {"depends": depends, "blocks": blocks}

        async def act() -> None:
            words, given = await _readable(interaction, text, chosen)
            said = parts.spelt("supersede", handle, words, chosen=given)
            await self.asker.goal(interaction, parts.supersede(handle, words, given), said)

        await carry_out(interaction, act, "/goal supersede")

    # looking

    @verb("goal.list")
    async def list(
        self,
        interaction: Interaction,
        filter_: str | None = None,
        type_: str | None = None,
        state: str | None = None,
        all_: bool = False,
        page: PageNumber = 1,
    ) -> None:
        wanted = parts.listing(filter_ or "", type_ or "", state or "", all_, page)
        await self._wanted(interaction, wanted, parts.spelt("list"))

    @verb("goal.review")
    async def review(self, interaction: Interaction, page: PageNumber = 1) -> None:
        await self._wanted(interaction, parts.review(page), parts.spelt("review"))

    @verb("goal.search")
    async def search(self, interaction: Interaction, text: str, page: PageNumber = 1) -> None:
        await self._wanted(interaction, parts.search(text, page), parts.spelt("search"))

    # one of them

    async def _one(self, interaction: Interaction, verb: str, handle: str) -> None:
        await self._wanted(interaction, parts.one(verb, handle), parts.spelt(verb, handle))

    @verb("goal.show")
    async def show(self, interaction: Interaction, handle: str) -> None:
        await self._one(interaction, "show", handle)

    @verb("goal.done")
    async def done(self, interaction: Interaction, handle: str) -> None:
        await self._one(interaction, "done", handle)

    @verb("goal.hold")
    async def hold(self, interaction: Interaction, handle: str) -> None:
        await self._one(interaction, "hold", handle)

    @verb("goal.resume")
    async def resume(self, interaction: Interaction, handle: str) -> None:
        await self._one(interaction, "resume", handle)

    @verb("goal.cancel")
    async def cancel(self, interaction: Interaction, handle: str) -> None:
        await self._one(interaction, "cancel", handle)

    @verb("goal.pin")
    async def pin(self, interaction: Interaction, handle: str) -> None:
        await self._one(interaction, "pin", handle)

    @verb("goal.unpin")
    async def unpin(self, interaction: Interaction, handle: str) -> None:
        await self._one(interaction, "unpin", handle)

    @verb("goal.confirm")
    async def confirm(self, interaction: Interaction, handle: str) -> None:
        await self._one(interaction, "confirm", handle)

    @verb("goal.dismiss")
    async def dismiss(self, interaction: Interaction, handle: str) -> None:
        await self._one(interaction, "dismiss", handle)

    # what waits for what

    @verb("goal.depends")
    async def depends(self, interaction: Interaction, handle: str, on: str, off: bool = False) -> None:
        await self._depend(interaction, handle, on, blocks=False, off=off)

    @verb("goal.blocks")
    async def blocks(self, interaction: Interaction, handle: str, others: str, off: bool = False) -> None:
        await self._depend(interaction, handle, others, blocks=True, off=off)

    async def _depend(self, interaction: Interaction, handle: str, others: str, *, blocks: bool, off: bool) -> None:
        said = parts.spelt("blocks" if blocks else "depends", handle, "--off" if off else "", others)

        async def act() -> None:
            await self.asker.goal(interaction, parts.depend(handle, others, blocks=blocks, off=off), said)

        await carry_out(interaction, act, "/goal depends")

    @verb("goal.answer")
    async def answer(
        self, interaction: Interaction, handle: str, answer: str, by: str | None = None, of: str | None = None
    ) -> None:
        wanted = parts.answer(handle, answer, of or "", by or "")
        await self._wanted(interaction, wanted, parts.spelt("answer", handle, answer, by or ""))

    @verb("goal.link")
    async def link(self, interaction: Interaction, rule: str, handle: str | None = None, off: bool = False) -> None:
        async def act() -> None:
            said = parts.spelt("link", handle or "--off", rule)
            await self.asker.goal(interaction, parts.link(rule, handle or "", off), said)

        await carry_out(interaction, act, "/goal link")


def _chosen(
    type_: str | None,
    due: str | None,
    priority: str | None,
    owner: discord.User | None,
    with_: str | None,
    criteria: str | None,
    note: str | None,
) -> dict[str, str | int | bool | None]:
    return {
        "type": type_,
        "due": due,
        "priority": priority,
        "owner": mention(owner) or None,
        "with": with_,
        "criteria": criteria,
        "note": note,
    }


async def _readable(interaction: Interaction, text: str, chosen: Chosen) -> tuple[str, Chosen]:
    """Words for people, with the names of those whom Discord put there as ids."""
    words = {name: await shown(interaction, str(chosen[name])) for name in ("criteria", "note") if chosen.get(name)}
    return await shown(interaction, text), {**chosen, **words}
