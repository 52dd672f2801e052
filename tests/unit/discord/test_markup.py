"""Lines as Discord's Markdown, judged by how Discord's Markdown is read."""

import re
from datetime import UTC, datetime

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from adapters.discord.markup import CONTENT_CHARS, EMBED_CHARS, FAINT, escaped, parts_of, size
from adapters.discord.text import to_marked_text
from core.standing.durations import Moment
from core.turn import Principal
from core.wording.lines import Line, Mood, Named, Segment, line

ADA = Principal("discord", "99", "42")
MENTION = re.compile(r"(?<!\\)<(?:@[!&]?|#)\d+>")
UNSENDABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]")
SIGNS = [
    "*",
    "**",
    "_",
    "__",
    "~~",
    "|",
    "||",
    "`",
    "```",
    "\\",
    "<",
    ">",
    "> ",
    ">>> ",
    "# ",
    "-# ",
    "- ",
    "1. ",
    "+ ",
]
PIECES = [*SIGNS, "[", "](", ")", ":", ":tada:", "<@42>", "<#5>", "<:x:12>", "<t:1>", "@everyone", "a", "é", "🚀", " "]
PIECES += ["\n", "\t", "https://e.x/a_b*c", "HTTP://e.x", "www.e.x", "2) ", "-", "#"]
MARKDOWN = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)
TEXTS = st.text(max_size=60) | MARKDOWN
WORDS = st.text(alphabet="ab *_`~|\\<>[]#-\n🚀é", min_size=1, max_size=80)


AGAINST_AN_ADDRESS = re.compile("https?://<|https?://[^\\s<]+<(?=[@#:/]|a:|t:|id:|https?:)", re.IGNORECASE)
"""What would be a mention must be escaped there, and the backslash is read as the end of the address."""


def plain(text, **fields):
    return Line((Segment(text, people=True, **fields),))


def squeezed(text):
    return "".join(text.split())


def shown(part):
    return to_marked_text(part, {"42": "Ada"}).text


@given(TEXTS)
def test_whatever_people_write_shows_as_it_is(text):
    assume(not UNSENDABLE.search(text) and not AGAINST_AN_ADDRESS.search(text))
    found = to_marked_text(escaped(text))
    assert found.text == text
    assert all(zone.start == zone.end for zone in found.zones), "nothing in it is a mention, an emoji, code or a quote"


@given(TEXTS)
def test_an_escaped_sign_is_one_backslash_more_and_nothing_else(text):
    assume(not UNSENDABLE.search(text) and "://" not in text)
    assert re.sub(r"\\([^0-9A-Za-z\s])", r"\1", escaped(text)) == text


@given(st.text(st.characters(codec=None), max_size=20))
def test_what_cannot_be_sent_is_replaced_and_never_raises(text):
    found = escaped(text)
    assert not UNSENDABLE.search(found)
    found.encode()


@given(st.lists(MARKDOWN, max_size=4))
def test_only_who_is_named_is_mentioned_whatever_people_write(texts):
    named = Segment("Ada", who=ADA)
    segments = (*(Segment(text, people=True) for text in texts), Segment(" @"), named)
    [part] = parts_of([Line(segments)])
    assert MENTION.findall(part.replace("\\\\", "")) == ["<@42>"]
    assert "@<@" not in part


def test_a_name_alone_mentions_nobody():
    [part] = parts_of([line("reminder.head", creator="ada", text="<@42> @everyone", sender="<@7>", entry="<@&8>")])
    assert MENTION.findall(part) == []
    [part] = parts_of([line("reminder.head", creator=Named("ada", ADA), text="x", sender="bob", entry="y")])
    assert part.startswith("Reminder for <@42>: **x** (@bob said *y*)")


@pytest.mark.parametrize("most", [CONTENT_CHARS, EMBED_CHARS])
@pytest.mark.parametrize("letter", ["x", "🚀"])
def test_a_text_of_as_many_units_as_fit_is_one_message_and_one_more_is_two(most, letter):
    fits = most // size(letter)
    assert [size(part) for part in parts_of([plain(letter * fits)], most)] == [most]
    assert [size(part) for part in parts_of([plain(letter * (fits + 1))], most)] == [most, size(letter)]


def test_what_is_escaped_counts_too():
    assert len(parts_of([plain("*" * (CONTENT_CHARS // 2))])) == 1
    parts = parts_of([plain("*" * (CONTENT_CHARS // 2 + 1))])
    assert [len(part) for part in parts] == [CONTENT_CHARS, 2]


@given(
    st.lists(st.lists(st.tuples(WORDS, st.sampled_from(["", "strong", "quoted"])), max_size=4), max_size=4), st.data()
)
def test_no_part_is_longer_than_it_may_be_nothing_is_lost_and_marks_stay_paired(rows, data):
    most = data.draw(st.integers(20, 60))
    made = []
    for row in rows:
        segments = [Segment(text, people=True, **({how: True} if how else {})) for text, how in row]
        between = [one for segment in segments for one in (segment, Segment(" , "))]
        made.append(Line(tuple(between)))
    parts = parts_of(made, most)
    assert all(0 < size(part) <= most for part in parts)
    expected = "".join(segment.text for one in made for segment in one.segments)
    if expected.strip():
        assert squeezed("".join(map(shown, parts))) == squeezed(expected)


@pytest.mark.parametrize("fields", [{"strong": True}, {"quoted": True}, {"strong": True, "quoted": True}])
@pytest.mark.parametrize("people", [True, False])
def test_marks_are_closed_where_a_message_ends_and_opened_where_the_next_begins(fields, people):
    parts = parts_of([Line((Segment("word " * 1_000, people=people, **fields),))])
    mark = "*" * (2 * fields.get("strong", False) + fields.get("quoted", False))
    assert len(parts) == 3
    assert all(part.strip().startswith(mark) and part.strip().endswith(mark) for part in parts)
    assert all(set(shown(part).split()) == {"word"} for part in parts)


def test_an_over_long_text_is_cut_between_words():
    words = " ".join(f"word{number}" for number in range(700))
    parts = parts_of([plain(words), plain("a" * 5_000)])
    assert all(0 < size(part) <= CONTENT_CHARS for part in parts)
    assert "".join(parts).replace("\n", "") == words + "a" * 5_000
    assert all(not re.search(r"wor?d?$", part) for part in parts)


def test_lines_stay_whole_where_a_message_ends():
    parts = parts_of([plain(f"{number:04} " + "x" * 95) for number in range(40)])
    assert [part[:4] for part in parts] == ["0000", "0019", "0038"]
    assert all(not part.startswith("\n") and not part.endswith("\n") for part in parts)


def test_a_message_is_never_empty():
    assert all(part.strip() for part in parts_of([]) + parts_of([plain("")]) + parts_of([plain(" \n ")]))


def test_a_faint_line_is_small_print_and_a_heading_bold():
    [part] = parts_of([Line((Segment("why"),), Mood.FAINT), Line((Segment("because"),), Mood.HEAD)])
    assert part == f"{FAINT}why\n**because**"
    parts = parts_of([Line((Segment("x " * 1_500, people=True),), Mood.FAINT)])
    assert all(part.startswith(FAINT) and size(part) <= CONTENT_CHARS for part in parts)


def test_a_time_is_shown_in_the_zone_of_whoever_reads_it():
    at = datetime(2026, 11, 30, 10, tzinfo=UTC)
    segments = (
        Segment("10:00", moment=Moment("10:00", at, True)),
        Segment(" "),
        Segment("10:00", moment=Moment("10:00", at, False)),
    )
    [part] = parts_of([Line(segments)])
    assert part == f"<t:{int(at.timestamp())}:F> <t:{int(at.timestamp())}:f>"


def test_neighbours_in_the_same_marks_stand_in_one_pair():
    [part] = parts_of([Line((Segment("the "), Segment("*", people=True), Segment(" end")), Mood.HEAD)])
    assert part == "**the \\* end**"
    assert shown(part) == "the * end"


@pytest.mark.parametrize("most", range(20, 30))
def test_a_message_never_ends_between_a_sign_and_what_escapes_it(most):
    for signs in ("*" * 100, "\\" * 100, "\\*_" * 40):
        parts = parts_of([Line((Segment("a"), Segment(signs, people=True)), Mood.HEAD)], most)
        assert all(size(part) <= most for part in parts)
        assert "".join(map(shown, parts)) == "a" + signs


def test_a_sign_behind_an_address_is_escaped_only_where_it_would_be_read():
    assert escaped("https://e.x<br>") == "https://e.x<br>"
    assert escaped("https://e.x<@42>") == "https://e.x\\<@42>"


def test_an_address_keeps_working_and_is_not_marked():
    [part] = parts_of([plain("see https://example.com/a_b_c*d", strong=True)])
    assert part == "see https://example.com/a_b_c*d"
