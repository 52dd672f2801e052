"""The terminal as a platform: what is its own beside the contract that all adapters pass."""

import asyncio
import io
import json

import pytest

from adapters.base.contract import NeverSent, Post, RetryLater
from adapters.console.adapter import CAPABILITIES, ConsoleAdapter
from adapters.console.display import JsonScreen
from adapters.console.world import World, channel_place, principal
from core.services.context import Context
from core.turn import Principal
from core.wording.lines import Line, Mood, Segment


class Terminal:
    """Ada types; bob was here before."""

    def __init__(self, ctx):
        self.ctx = ctx
        self.stream = io.StringIO()
        self.world = World(ctx)
        self.world.begin()
        self.world.become("bob")
        self.world.become("ada")
        self.adapter = ConsoleAdapter(ctx, self.world, JsonScreen(self.stream))

    def shown(self):
        return [(row["where"], row["text"]) for row in map(json.loads, self.stream.getvalue().splitlines())]


@pytest.fixture
def terminal(sqlite_store, clock, ids):
    return Terminal(Context(sqlite_store, clock, ids))


def post(to, *texts):
    return Post(to, tuple(Line((Segment(text),)) for text in texts))


def test_a_direct_message_waits_until_its_person_types(terminal):
    with pytest.raises(RetryLater) as later:
        terminal.adapter.show(post(principal("bob"), "secret"))
    assert (later.value.why, later.value.wait) == ("away", None)
    assert terminal.shown() == []
    terminal.world.become("bob")
    terminal.adapter.show(post(principal("bob"), "secret"))
    assert terminal.shown() == [("dm", "secret")]


def test_the_direct_place_of_somebody_else_is_shown_to_nobody(terminal):
    place = terminal.world.direct()
    terminal.world.become("bob")
    with pytest.raises(RetryLater):
        terminal.adapter.show(post(place, "secret"))
    assert terminal.shown() == []


@pytest.mark.parametrize("who", [principal("zed"), Principal("telegram", "1", "ada"), Principal("console", "1", "ada")])
def test_nobody_of_this_workspace_is_never_reached(terminal, who):
    with pytest.raises(NeverSent):
        terminal.adapter.show(post(who, "secret"))


def test_a_line_of_as_many_characters_as_a_screen_shows_is_one_and_one_more_is_two(terminal):
    place, size = channel_place("ops"), CAPABILITIES.text_chars
    assert len(terminal.adapter.show(post(place, "x" * size)).message_ids) == 1
    assert len(terminal.adapter.show(post(place, "x" * (size + 1))).message_ids) == 2
    assert [len(text) for _, text in terminal.shown()] == [size, size, 1]


def test_a_line_that_is_cut_keeps_its_mood_and_what_is_strong(terminal):
    size = CAPABILITIES.text_chars
    line = Line((Segment("a" * (size - 1)), Segment("bb" + "c" * size, strong=True)), Mood.WARNING)
    shown = []

    class Kept(JsonScreen):
        def posted(self, place, line):
            shown.append(line)

    ConsoleAdapter(terminal.ctx, terminal.world, Kept(io.StringIO())).show(Post(channel_place("ops"), (line,)))
    assert "".join(piece.text for piece in shown) == line.text
    assert {piece.mood for piece in shown} == {Mood.WARNING}
    assert [[segment.strong for segment in piece.segments] for piece in shown] == [[False, True], [True], [True]]


def test_ids_of_what_was_shown_differ(terminal):
    sent = terminal.adapter.show(post(channel_place("ops"), "a", "b")).message_ids
    sent += terminal.adapter.show(post(channel_place("ops"), "a")).message_ids
    assert len(set(sent)) == 3


def test_nobody_owns_a_place_of_another_platform(terminal):
    place, other = channel_place("ops"), Principal("telegram", "1", "ada")
    assert asyncio.run(terminal.adapter.is_owner(principal("ada"), place))
    assert not asyncio.run(terminal.adapter.is_owner(other, place))


def test_in_the_chat_a_reader_that_went_away_is_an_error_and_in_the_loop_a_reason_to_wait(terminal):
    class Torn(io.StringIO):
        def write(self, text, /):
            raise BrokenPipeError

    adapter = ConsoleAdapter(terminal.ctx, terminal.world, JsonScreen(Torn()))
    with pytest.raises(BrokenPipeError):
        adapter.show(post(channel_place("ops"), "a"))
    with pytest.raises(RetryLater, match="network"):
        asyncio.run(adapter.send(post(channel_place("ops"), "a")))
