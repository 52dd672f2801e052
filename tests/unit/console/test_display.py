"""What reaches the terminal."""

import io
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.console.display import JsonScreen, RichScreen, harmless, name_style
from core.limits import LIMITS
from core.wording.lines import line


@given(st.text() | st.text(alphabet="\x00\x1b\x9b\u202e\u2066\ud800\u200b\ufeff\x7f\r\n"))
def test_nothing_that_steers_a_terminal_is_left(text):
    shown = harmless(text)
    steering = [char for char in shown if unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"}]
    assert set(steering) <= {"\u200c", "\u200d"}, ascii(shown)
    shown.encode("utf-8")


@pytest.mark.parametrize("text", ["naïve", "回滚负责人", "👩‍💻", "नमस्ते", "שלום", "🇩🇪 ☕️ 1️⃣", "e\u0301"])
def test_ordinary_text_of_any_script_is_left_alone(text):
    assert harmless(text) == text


def test_a_text_is_cut_behind_its_bound_and_says_how_long_it_was():
    assert harmless("x" * LIMITS.shown_chars) == "x" * LIMITS.shown_chars
    assert harmless("x" * (LIMITS.shown_chars + 1)) == "x" * LIMITS.shown_chars + "… (2,001 characters)"


def shown(show, **options):
    stream = io.StringIO()
    show(RichScreen(stream, **options))
    return stream.getvalue()


def test_markup_of_people_is_text():
    said = shown(lambda screen: screen.said("bob", "#ops", "[red]x[/red] :rocket: https://example.org"))
    assert said == "bob #ops> [red]x[/red] :rocket: https://example.org\n"


def test_a_pipe_gets_whole_lines():
    words = "word " * 100
    assert shown(lambda screen: screen.said("bob", "#ops", words)).count("\n") == 1
    assert shown(lambda screen: screen.private([line("show.text", text=words)])).count("\n") == 1


def test_typed_lines_of_the_demonstration_are_whole_in_a_pipe():
    assert shown(lambda screen: list(screen.typed("bob", "#ops", "hi"))) == "bob #ops> hi\n"


def test_a_name_has_one_colour():
    assert name_style("ada") == name_style("ada")
    assert name_style("\udcff")


def test_json_lines_are_ascii():
    stream = io.StringIO()
    screen = JsonScreen(stream)
    screen.said("bob", "#ops", "回\udcff\x1b")
    list(screen.typed("bob", "#ops", "x"))
    screen.note(line("reminder.last"))
    assert stream.getvalue().isascii()
    assert len(stream.getvalue().splitlines()) == 3


def test_a_reader_that_is_gone_ends_the_chat_and_not_the_process():
    class Gone(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        RichScreen(Gone()).said("bob", "#ops", "hi")


def test_wrapped_lines_keep_their_bar_and_indent():
    words = " ".join(["word"] * 30)
    rows = shown(
        lambda screen: screen.private([line("why.mark.ok", text=words)]), colour=False, width=40, terminal=True
    ).splitlines()
    assert len(rows) > 3 and all(len(plain(row)) <= 40 for row in rows)
    assert plain(rows[0]).startswith("│   ✓ word")
    assert all(plain(row).startswith("│     word") for row in rows[1:])


def test_wrapped_lines_of_the_bot_hang_under_their_text():
    words = " ".join(["word"] * 30)
    show = line("show.text", text=words)
    rows = shown(lambda screen: screen.posted("#ops", show), colour=False, width=60, terminal=True).splitlines()
    head = "remembrancer #ops> "
    assert plain(rows[0]).startswith(f"{head}Reminder: word")
    assert all(plain(row).startswith(" " * len(head) + "word") for row in rows[1:])


@pytest.mark.parametrize("width", [1, 2, 5, 12, 25])
def test_a_narrow_terminal_is_enough(width):
    words = " ".join(["word"] * 9)
    rows = shown(lambda screen: screen.posted("#ops", line("show.text", text=words)), width=width, terminal=True)
    assert "w" in plain(rows)


def plain(text):
    return re.sub(r"\x1b\[[0-9;]*m", "", text)
