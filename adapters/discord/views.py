"""Buttons as Discord has them. What they carry begins with a mark of ours: other bots' code may share the client."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import discord

from adapters.base.buttons import Action, decode
from adapters.base.contract import Button
from adapters.base.goal_buttons import goal_press_of
from adapters.base.questions import ASK

PREFIX = "rm:"
DATA_CHARS = 100 - len(PREFIX)
LABEL_CHARS = 80
ROWS = COLUMNS = 5
OPTIONS, OPTION_CHARS, PLACEHOLDER_CHARS = 25, 100, 150
ENDS = "do:cancel:"
"""What the data of a button begins with that ends something for good."""
_DONE = frozenset({Action.DONE, Action.TIMED_DONE})


@dataclass(frozen=True, slots=True)
class Option:
    """What can be chosen: its words, what comes back, and what stands small below."""

    label: str
    value: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class Menu:
    """A menu from which one is chosen; of more than 25 options the first are shown."""

    data: str
    placeholder: str
    options: tuple[Option, ...]


def view_of(buttons: Sequence[Sequence[Button]], menu: Menu | None = None) -> discord.ui.View | None:
    """A menu, and rows of buttons, five rows of five in all; None for none. Needs a running loop.

    The view is over before it is sent: presses come as interactions, so that they work after a restart, and the
    library keeps nothing of it.
    """
    if not buttons and menu is None:
        return None
    view = discord.ui.View(timeout=None)
    if menu is not None:
        view.add_item(_select(menu))
    first = len(view.children)
    for number, row in enumerate(_rows(buttons)[: ROWS - first], first):
        for button in row:
            view.add_item(_item(button, number))
    view.stop()
    return view


def _rows(buttons: Sequence[Sequence[Button]]) -> list[Sequence[Button]]:
    """As many beside each other as there is room for: a telephone breaks the row where it must.

    Where lengths to put a reminder off stand among them, those begin a row.
    """
    flat = [button for row in buttons for button in row][: ROWS * COLUMNS]
    first = [one for one in flat if not _is_span(one)]
    return [
        part[at : at + COLUMNS]
        for part in (first, [one for one in flat if _is_span(one)])
        for at in range(0, len(part), COLUMNS)
    ]


def _is_span(button: Button) -> bool:
    press = decode(button.data)
    return press is not None and bool(press.detail)


def _select(menu: Menu) -> discord.ui.Select[discord.ui.View]:
    options = [
        discord.SelectOption(label=_cut(one.label), value=one.value, description=_cut(one.about) or None)
        for one in menu.options[:OPTIONS]
    ]
    return discord.ui.Select(
        custom_id=f"{PREFIX}{menu.data}", placeholder=menu.placeholder[:PLACEHOLDER_CHARS], options=options, row=0
    )


def _cut(label: str) -> str:
    one_line = " ".join(label.split())
    return one_line if len(one_line) <= OPTION_CHARS else one_line[: OPTION_CHARS - 1] + "…"


def _item(button: Button, row: int) -> discord.ui.Button[discord.ui.View]:
    label = button.label[:LABEL_CHARS]
    if button.url:
        return discord.ui.Button(label=label, url=button.url, row=row)
    custom_id = f"{PREFIX}{button.data}"
    return discord.ui.Button(label=label, custom_id=custom_id, style=_style(button.data), row=row, disabled=button.done)


def _style(data: str) -> discord.ButtonStyle:
    press = decode(data)
    if press is not None and press.action in _DONE:
        return discord.ButtonStyle.success
    goal = goal_press_of(data)
    if goal is not None and goal.verb in {"done", "confirm"}:
        return discord.ButtonStyle.success
    if data.startswith(ENDS) or (goal is not None and goal.verb == "cancel"):
        return discord.ButtonStyle.danger
    first = data.startswith(f"{ASK}:") and data.endswith(":0")
    return discord.ButtonStyle.primary if first else discord.ButtonStyle.secondary


def data_of(interaction: discord.Interaction) -> str | None:
    """What a pressed button or a menu of ours carries; None for everything else that people do."""
    if interaction.type is not discord.InteractionType.component or interaction.data is None:
        return None
    custom_id = str(interaction.data.get("custom_id", ""))
    return custom_id.removeprefix(PREFIX) if custom_id.startswith(PREFIX) else None


def is_form(interaction: discord.Interaction) -> bool:
    """Was a form of ours sent in?"""
    custom_id = str(cast("dict[str, object]", interaction.data or {}).get("custom_id", ""))
    return interaction.type is discord.InteractionType.modal_submit and custom_id.startswith(PREFIX)


def buttons_of(message: discord.Message | None) -> list[Button]:
    """The buttons of ours under a message."""
    rows = message.components if message is not None else ()
    found = [one for row in rows if isinstance(row, discord.ActionRow) for one in row.children]
    return [
        Button(one.label or "", one.custom_id.removeprefix(PREFIX))
        for one in found
        if isinstance(one, discord.Button) and one.custom_id is not None and one.custom_id.startswith(PREFIX)
    ]


def chosen_in(interaction: discord.Interaction) -> str:
    """What was chosen in a menu; "" for nothing."""
    values = cast("dict[str, object]", interaction.data or {}).get("values")
    return str(values[0]) if isinstance(values, list) and values else ""
