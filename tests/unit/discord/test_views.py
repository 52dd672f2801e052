"""Buttons as Discord takes them."""

import asyncio
from types import SimpleNamespace

import discord
import pytest

from adapters.base.buttons import Action, Press, encode
from adapters.base.contract import Button
from adapters.discord.views import COLUMNS, DATA_CHARS, LABEL_CHARS, PREFIX, ROWS, data_of, view_of

ID = "5f0c1c1e-6f0f-4a8e-9d52-0a4f6f0b7c11"
MOST = 25
CUSTOM_ID_CHARS = 100


def rows_of(*widths):
    """Rows of numbered buttons."""
    numbers = iter(range(sum(widths)))
    named = [[next(numbers) for _ in range(width)] for width in widths]
    return tuple(tuple(Button(f"b{one}", f"told:{one}") for one in row) for row in named)


def shown(buttons):
    """The components as they are sent."""

    async def made():
        view = view_of(buttons)
        return None if view is None else (view.is_finished(), view.to_components())

    return asyncio.run(made())


def widths(buttons):
    return [len(row["components"]) for row in shown(buttons)[1]]


def labels(buttons):
    return [one["label"] for row in shown(buttons)[1] for one in row["components"]]


def test_no_buttons_are_no_view():
    assert shown(()) is None


def test_rows_become_as_long_as_there_is_room():
    assert widths(rows_of(2, 2)) == [4]
    assert widths(rows_of(1, 3, COLUMNS)) == [COLUMNS, 4]


def test_a_row_of_one_too_many_goes_on_in_the_next():
    assert widths(rows_of(COLUMNS + 1)) == [COLUMNS, 1]


def test_of_one_row_too_many_all_are_filled_up():
    assert widths(rows_of(*[1] * (ROWS + 1))) == [COLUMNS, 1]


def test_as_many_buttons_as_discord_takes_are_shown_and_of_one_more_the_last_is_not():
    every = [f"b{number}" for number in range(MOST)]
    for asked in (MOST, MOST + 1):
        assert labels(rows_of(asked)) == labels(rows_of(*[1] * asked)) == every


@pytest.mark.parametrize("length", [LABEL_CHARS - 1, LABEL_CHARS, LABEL_CHARS + 1])
def test_a_label_is_cut_where_discord_takes_no_more(length):
    assert labels([[Button("x" * length, "told:")]]) == ["x" * min(length, LABEL_CHARS)]


def test_the_longest_data_fits_with_the_mark_and_every_press_is_shorter():
    [row] = shown([[Button("x", "d" * DATA_CHARS)]])[1]
    assert len(row["components"][0]["custom_id"]) == CUSTOM_ID_CHARS
    assert all(len(encode(Press(action, ID))) <= DATA_CHARS for action in Action)


def test_the_library_keeps_nothing_of_a_view():
    assert shown(rows_of(1))[0] is True


def test_a_link_has_its_address_and_carries_nothing():
    [row] = shown([[Button("Look", url="https://example.com")]])[1]
    [button] = row["components"]
    assert (button["url"], button["style"]) == ("https://example.com", discord.ButtonStyle.link.value)
    assert "custom_id" not in button


@pytest.mark.parametrize(
    ("data", "style"),
    [
        (encode(Press(Action.DONE, ID)), discord.ButtonStyle.success),
        (encode(Press(Action.TIMED_DONE, ID)), discord.ButtonStyle.success),
        (encode(Press(Action.LATER, ID)), discord.ButtonStyle.secondary),
        ("ask:4:0", discord.ButtonStyle.primary),
        ("ask:4:1", discord.ButtonStyle.secondary),
        ("told:", discord.ButtonStyle.secondary),
    ],
)
def test_what_is_expected_stands_out(data, style):
    [row] = shown([[Button("x", data)]])[1]
    assert row["components"][0]["style"] == style.value


@pytest.mark.parametrize(
    ("kind", "data", "found"),
    [
        (discord.InteractionType.component, {"custom_id": f"{PREFIX}told:1"}, "told:1"),
        (discord.InteractionType.component, {"custom_id": PREFIX}, ""),
        (discord.InteractionType.component, {"custom_id": "told:1"}, None),
        (discord.InteractionType.component, {"custom_id": f"x{PREFIX}told:1"}, None),
        (discord.InteractionType.component, {}, None),
        (discord.InteractionType.component, None, None),
        (discord.InteractionType.modal_submit, {"custom_id": f"{PREFIX}told:1"}, None),
        (discord.InteractionType.application_command, {"name": "intent"}, None),
    ],
)
def test_only_what_a_button_of_ours_carries_is_taken(kind, data, found):
    assert data_of(SimpleNamespace(type=kind, data=data)) == found
