"""Forms that Discord opens: for a new rule, for a change of one, and for a rule made from a message."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable

import discord
from discord import ui

from adapters.discord.acknowledging import Interaction, carry_out, fail
from adapters.discord.composing import Chosen
from core.catalogue import say
from core.goals.said import TYPES
from core.limits import LIMITS

WORDS_CHARS = 4_000
"""What a field of a form holds at most."""
SHORT_CHARS = 40
FORM = "rm:form:"
"""What the id of a form of ours begins with."""
OPEN_SECONDS = 3_600
"""How long a form is waited for."""
WHO = ("me", "anyone")


class Form(ui.Modal, ABC):
    """A form whose first answer comes before anything is done with it. `name` is for the log."""

    def __init__(self, title: str, name: str) -> None:
        super().__init__(title=title, timeout=OPEN_SECONDS)
        self.custom_id = f"{FORM}{self.custom_id}"
        self._name = name

    def field(self, key: str, value: str, most: int, *, required: bool, long: bool = False) -> ui.TextInput[ui.Modal]:
        """Add a field for text; `key` is its name, and that of its label in the catalogue."""
        style = discord.TextStyle.paragraph if long else discord.TextStyle.short
        default = value[:most] or None
        made = ui.TextInput[ui.Modal](custom_id=key, style=style, default=default, max_length=most, required=required)
        more = say("discord.field.words.hint") if key == "words" else None
        self.add_item(ui.Label(text=say(f"discord.field.{key}"), description=more, component=made))
        return made

    @abstractmethod
    async def act(self, interaction: Interaction) -> None:
        """Do what the form is for; the interaction is deferred."""

    async def on_submit(self, interaction: Interaction, /) -> None:
        await carry_out(interaction, lambda: self.act(interaction), self._name)

    async def on_error(self, interaction: Interaction, error: Exception, /) -> None:  # type: ignore[override] # as in Modal
        await fail(interaction, error, self._name)


RuleGiven = Callable[[Interaction, str, str, Chosen], Awaitable[None]]
"""Takes words, text and all options, those of the command and those of the form."""


class RuleForm(Form):
    """A rule in five fields. What the command had already is filled in; what has no field here goes on as it was.

    With `changes` every field may stay empty, which leaves it as it is.
    """

    def __init__(self, words: str, text: str, chosen: Chosen, given: RuleGiven, *, changes: bool = False) -> None:
        super().__init__(say("discord.edit.title" if changes else "discord.new.title"), "the form of a rule")
        self._chosen, self._given = chosen, given
        needed = not changes
        self._words = self.field("words", words, WORDS_CHARS, required=needed, long=True)
        self._text = self.field("text", text, LIMITS.description_chars, required=needed, long=True)
        self._who: ui.Select[ui.Modal] | None = None
        if not chosen.get("only_from"):
            self._who = _who(str(chosen.get("who") or ("" if changes else WHO[0])))
            self.add_item(ui.Label(text=say("discord.field.who"), component=self._who))
        self._values = {
            name: self.field(name, str(chosen.get(name) or ""), SHORT_CHARS, required=False)
            for name in ("cooldown", "expires")
        }

    async def act(self, interaction: Interaction) -> None:
        more: dict[str, str | None] = {name: field.value.strip() or None for name, field in self._values.items()}
        if self._who is not None:
            more["who"] = next(iter(self._who.values), None)
        await self._given(interaction, self._words.value, self._text.value, {**self._chosen, **more})


def _who(chosen: str) -> ui.Select[ui.Modal]:
    options = [discord.SelectOption(label=say(f"discord.who.{who}"), value=who, default=who == chosen) for who in WHO]
    return ui.Select(custom_id="who", options=options, required=False, min_values=0)


GoalGiven = Callable[[Interaction, str, Chosen], Awaitable[None]]
"""Takes text and all options, those of the command and those of the form."""


class GoalForm(Form):
    """Something to remember, in five fields. What has no field here goes on as the command had it.

    With `changes` every field may stay empty, which leaves it as it is.
    """

    def __init__(self, text: str, chosen: Chosen, given: GoalGiven, *, changes: bool = False) -> None:
        super().__init__(say("discord.goal.edit.title" if changes else "discord.goal.title"), "the form of a goal")
        self._chosen, self._given = chosen, given
        self._text = self.field("goal", text, LIMITS.goal_chars, required=not changes)
        self._type = _types(str(chosen.get("type") or ("" if changes else next(iter(TYPES)))))
        self.add_item(ui.Label(text=say("discord.field.type"), component=self._type))
        lengths = {"due": LIMITS.when_chars, "criteria": WORDS_CHARS, "note": LIMITS.goal_note_chars}
        self._values = {
            name: self.field(name, str(chosen.get(name) or ""), most, required=False, long=name != "due")
            for name, most in lengths.items()
        }

    async def act(self, interaction: Interaction) -> None:
        more: dict[str, str | None] = {name: field.value.strip() or None for name, field in self._values.items()}
        more["type"] = next(iter(self._type.values), None)
        await self._given(interaction, self._text.value, {**self._chosen, **more})


def _types(chosen: str) -> ui.Select[ui.Modal]:
    options = [discord.SelectOption(label=word, value=word, default=word == chosen) for word in TYPES]
    return ui.Select(custom_id="type", options=options, required=False, min_values=0)


Remembered = Callable[[Interaction, str, str], Awaitable[None]]
"""Takes words and text."""


class RememberForm(Form):
    """A rule made from a message; `words` is a first idea of what to listen for."""

    def __init__(self, words: str, given: Remembered) -> None:
        super().__init__(say("discord.menu.remember"), "the form of a message")
        self._given = given
        self._words = self.field("words", words, WORDS_CHARS, required=True, long=True)
        self._text = self.field("text", "", LIMITS.description_chars, required=True, long=True)

    async def act(self, interaction: Interaction) -> None:
        await self._given(interaction, self._words.value, self._text.value)
