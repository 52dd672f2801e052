"""`/intent` as slash commands."""

import discord
from discord import app_commands

from adapters.discord import composing
from adapters.discord.acknowledging import Asker, Interaction, carry_out, show_form
from adapters.discord.composing import Chosen
from adapters.discord.forms import WORDS_CHARS, RuleForm
from adapters.discord.groups import CommandGroup, PageNumber, mention, readable, shown, verb
from core.limits import LIMITS

Words = app_commands.Range[str, 1, WORDS_CHARS]
Text = app_commands.Range[str, 1, LIMITS.description_chars]
Times = app_commands.Range[int, 1, LIMITS.max_fires]


class IntentGroup(CommandGroup):
    """`/intent`, for owners."""

    kind = "i"

    def __init__(self, asker: Asker) -> None:
        super().__init__(asker, "intent", owners=True)

    @verb("intent.add")
    async def add(
        self,
        interaction: Interaction,
        words: Words | None = None,
        text: Text | None = None,
        who: str | None = None,
        only_from: discord.User | None = None,
        bot: str | None = None,
        cooldown: str | None = None,
        max_: Times | None = None,
        expires: str | None = None,
        scope: str | None = None,
        per: str | None = None,
        except_: str | None = None,
        deliver: str | None = None,
        priority: str | None = None,
        exact: bool | None = None,
        edits: bool | None = None,
    ) -> None:
        chosen: Chosen = {
            "who": who,
            "only_from": mention(only_from) or None,
            "bot": bot,
            "cooldown": cooldown,
            "max": max_,
            "expires": expires,
            "scope": scope,
            "per": per,
            "except": except_,
            "deliver": deliver,
            "priority": priority,
            "exact": exact,
            "edits": edits,
        }
        if words and text:
            await carry_out(interaction, lambda: self._added(interaction, words, text, chosen), "/intent add")
        else:
            await show_form(interaction, RuleForm(words or "", text or "", chosen, self._added), "/intent add")

    async def _added(self, interaction: Interaction, words: str, text: str, chosen: Chosen) -> None:
        words, text = await readable(interaction, words), await shown(interaction, text)
        said = composing.rule_spelt("add", words, text, chosen)
        await self.asker.do(interaction, composing.add(words, text, chosen), said)

    @verb("intent.edit")
    async def edit(
        self,
        interaction: Interaction,
        handle: str,
        words: Words | None = None,
        text: Text | None = None,
        who: str | None = None,
        cooldown: str | None = None,
        max_: Times | None = None,
        expires: str | None = None,
        per: str | None = None,
        except_: str | None = None,
        deliver: str | None = None,
        priority: str | None = None,
        exact: bool | None = None,
        edits: bool | None = None,
    ) -> None:
        chosen: Chosen = {
            "who": who,
            "cooldown": cooldown,
            "max": max_,
            "expires": expires,
            "per": per,
            "except": except_,
            "deliver": deliver,
            "priority": priority,
            "exact": exact,
            "edits": edits,
        }

        async def given(interaction: Interaction, words: str, text: str, chosen: Chosen) -> None:
            words, text = await readable(interaction, words), await shown(interaction, text)
            said = composing.rule_spelt("edit", words, text, chosen, handle)
            await self.asker.do(interaction, composing.edit(handle, words, text, chosen), said)

        if words or text or any(value is not None for value in chosen.values()):
            await carry_out(interaction, lambda: given(interaction, words or "", text or "", chosen), "/intent edit")
        else:
            await show_form(interaction, RuleForm("", "", chosen, given, changes=True), "/intent edit")

    @verb("intent.list")
    async def list(
        self,
        interaction: Interaction,
        filter_: str | None = None,
        status: str | None = None,
        all_: bool = False,
        page: PageNumber = 1,
    ) -> None:
        wanted = composing.listing(filter_ or "", status or "", all_, page)
        await self.wanted(interaction, wanted, composing.spelt("list", filter_ or ""))

    @verb("intent.show")
    async def show(self, interaction: Interaction, handle: str) -> None:
        await self._one(interaction, "show", handle)

    @verb("intent.pause")
    async def pause(self, interaction: Interaction, handle: str) -> None:
        await self._one(interaction, "pause", handle)

    @verb("intent.resume")
    async def resume(self, interaction: Interaction, handle: str) -> None:
        await self._one(interaction, "resume", handle)

    @verb("intent.keep")
    async def keep(self, interaction: Interaction, handle: str) -> None:
        await self._one(interaction, "keep", handle)

    @verb("intent.confirm")
    async def confirm(self, interaction: Interaction, handle: str) -> None:
        await self._one(interaction, "confirm", handle)

    @verb("intent.test")
    async def test(self, interaction: Interaction, handle: str) -> None:
        await self._one(interaction, "test", handle)

    async def _one(self, interaction: Interaction, verb: str, handle: str) -> None:
        await self.wanted(interaction, composing.one(verb, handle), composing.spelt(verb, handle))

    @verb("intent.cancel")
    async def cancel(
        self, interaction: Interaction, handle: str | None = None, person: discord.User | None = None
    ) -> None:
        wanted = composing.cancel(handle or "", mention(person))
        await self.wanted(interaction, wanted, composing.spelt("cancel", handle or mention(person)))

    @verb("intent.why")
    async def why(self, interaction: Interaction, handle: str | None = None, message: str | None = None) -> None:
        wanted = composing.why(handle or "", message or "")
        await self.wanted(interaction, wanted, composing.spelt("why", handle or "", message or ""))

    @verb("intent.preview")
    async def preview(
        self,
        interaction: Interaction,
        handle: str | None = None,
        words: Words | None = None,
        text: Text | None = None,
        who: str | None = None,
        only_from: discord.User | None = None,
        bot: str | None = None,
        scope: str | None = None,
        cooldown: str | None = None,
        max_: Times | None = None,
        except_: str | None = None,
        exact: bool | None = None,
    ) -> None:
        chosen: Chosen = {
            "who": who,
            "only_from": mention(only_from) or None,
            "bot": bot,
            "scope": scope,
            "cooldown": cooldown,
            "max": max_,
            "except": except_,
            "exact": exact,
        }

        async def tried() -> None:
            entries = await readable(interaction, words or "")
            wanted = composing.preview(handle or "", entries, text or "", chosen)
            said = composing.rule_spelt("preview", entries, text or "", chosen, handle or "")
            await self.asker.do(interaction, wanted, said)

        await carry_out(interaction, tried, "/intent preview")

    @verb("intent.history")
    async def history(self, interaction: Interaction, handle: str, page: PageNumber = 1) -> None:
        await self.wanted(interaction, composing.history(handle, page), composing.spelt("history", handle))

    @verb("intent.mute")
    async def mute(
        self, interaction: Interaction, handle: str | None = None, place: str | None = None, for_: str | None = None
    ) -> None:
        wanted = composing.mute(handle or "", place or "", for_ or "", off=False)
        await self.wanted(interaction, wanted, composing.spelt("mute", handle or place or "", for_ or ""))

    @verb("intent.unmute")
    async def unmute(self, interaction: Interaction, handle: str | None = None, place: str | None = None) -> None:
        wanted = composing.mute(handle or "", place or "", "", off=True)
        await self.wanted(interaction, wanted, composing.spelt("unmute", handle or place or ""))
