"""Telegram's text: entities in UTF-16 units, both ways."""

import re

from hypothesis import given
from hypothesis import strategies as st
from telegram import MessageEntity, User

from adapters.telegram.text import ENTITIES, TEXT_UNITS, Offsets, marked, parts_of, units
from core.text.analyse import analyse
from core.text.zones import Zone, ZoneKind
from core.turn import Principal
from core.wording.lines import Line, Mood, Named, Segment, line

ADA = Principal("telegram", "99", "42")
TEXTS = st.text(alphabet=st.sampled_from("ab 🚀\n@𝔘é"), max_size=60)


def plain(text):
    return Line((Segment(text, people=True),))


def spoken(part, entity):
    """The stretch of a text that an entity covers, as Telegram counts."""
    raw = part.text.encode("utf-16-le")
    return raw[2 * entity.offset : 2 * (entity.offset + entity.length)].decode("utf-16-le")


@given(TEXTS)
def test_every_place_in_a_text_is_found_by_its_utf16_units(text):
    offsets = Offsets(text)
    for index in range(len(text) + 1):
        assert offsets.index(units(text[:index])) == index
    assert offsets.index(10_000) == len(text)


@given(st.lists(TEXTS, max_size=5))
def test_what_is_sent_in_one_message_is_the_lines_as_they_are(texts):
    [part] = parts_of([plain(text) for text in texts])
    assert part.text.replace("\u2060", "") == "\n".join(texts)


def test_a_text_of_as_many_units_as_fit_is_one_message_and_one_more_is_two():
    assert len(parts_of([plain("x" * TEXT_UNITS)])) == 1
    assert [units(part.text) for part in parts_of([plain("x" * (TEXT_UNITS + 1))])] == [TEXT_UNITS, 1]
    assert len(parts_of([plain("🚀" * (TEXT_UNITS // 2))])) == 1
    assert [len(part.text) for part in parts_of([plain("🚀" * (TEXT_UNITS // 2 + 1))])] == [TEXT_UNITS // 2, 1]


def test_t201_an_over_long_text_is_split_and_nothing_is_lost():
    words = " ".join(f"word{number}" for number in range(700))
    parts = parts_of([plain(words), plain("a" * 5_000)])
    assert all(0 < units(part.text) <= TEXT_UNITS for part in parts)
    assert "".join(part.text for part in parts).replace("\n", "") == (words + "a" * 5_000)
    assert all(not part.text.endswith("wor") for part in parts)


def test_lines_stay_whole_where_a_message_ends():
    parts = parts_of([plain(f"{number:04} " + "x" * 95) for number in range(60)])
    assert [part.text[:4] for part in parts] == ["0000", "0040"]
    assert all(not part.text.startswith("\n") for part in parts)


def test_formatting_is_cut_where_a_message_is():
    parts = parts_of([Line((Segment("x" * 5_000, strong=True),))])
    assert [(entity.type, entity.offset, entity.length) for part in parts for entity in part.entities] == [
        (MessageEntity.BOLD, 0, TEXT_UNITS),
        (MessageEntity.BOLD, 0, 5_000 - TEXT_UNITS),
    ]


def test_as_many_entities_as_telegram_takes_are_sent_and_the_words_of_one_more_are_plain():
    for asked in (ENTITIES, ENTITIES + 1):
        [part] = parts_of([Line(tuple(Segment("x ", strong=number % 2 == 0) for number in range(2 * asked)))])
        assert (len(part.entities), part.text.count("x")) == (ENTITIES, 2 * asked)


def test_t193_a_name_with_brackets_is_mentioned_as_it_is():
    [part] = parts_of([line("reminder.head", creator=Named("🚀 Kim [away] *", ADA), text="x", sender="b", entry="e")])
    [mention] = [entity for entity in part.entities if entity.type == MessageEntity.TEXT_MENTION]
    assert spoken(part, mention) == "@🚀 Kim [away] *"
    assert mention.user == User(42, "", False)


def test_t191_signs_of_any_markup_are_sent_as_typed():
    [part] = parts_of([plain("(a => b) <b>x</b> *y* _z_ `code` [l](http://e.x) \\")])
    assert part.text == "(a => b) <b>x</b> *y* _z_ `code` [l](http://e.x) \\"
    assert part.entities == ()


def test_t149_a_name_that_is_no_mention_does_not_ping():
    [part] = parts_of([line("reminder.head", creator="ada", text="ship it", sender="bob", entry="launch")])
    assert "@bob" not in part.text
    assert "@\u2060bob" in part.text


@given(st.lists(st.sampled_from(["@", "bob", " ", "\n", "(", "🚀", "é", "@bob", "@everyone", "a.b"]), max_size=12))
def test_t149_whatever_people_write_telegram_finds_no_mention_in_it(pieces):
    [part] = parts_of([line("reminder.head", creator="ada", text="".join(pieces), sender="@bob", entry="@here")])
    assert re.findall(r"(?<!\w)@[A-Za-z0-9_]", part.text) == []


def test_an_address_for_mail_is_left_as_it_is():
    [part] = parts_of([plain("write to ada@example.com")])
    assert part.text == "write to ada@example.com"


def test_a_heading_is_bold_as_a_whole_and_characters_that_steer_the_screen_are_taken_out():
    [part] = parts_of([Line((Segment("a\x00\u202eb"), Segment("c", strong=True)), Mood.HEAD)])
    assert part.text == "a\ufffd\ufffdbc"
    assert [(entity.type, entity.offset, entity.length) for entity in part.entities] == [(MessageEntity.BOLD, 0, 5)]


def test_code_quotes_mentions_and_links_are_zones():
    text = "🚀 run() @ada Kim site old"
    entities = [
        MessageEntity(MessageEntity.CODE, 3, 5),
        MessageEntity(MessageEntity.MENTION, 9, 4),
        MessageEntity(MessageEntity.TEXT_MENTION, 14, 3, user=User(7, "Kim", False)),
        MessageEntity(MessageEntity.TEXT_LINK, 18, 4, url="https://example.com/x"),
        MessageEntity(MessageEntity.BLOCKQUOTE, 23, 3),
        MessageEntity(MessageEntity.BOLD, 0, 26),
    ]
    assert marked(text, entities).zones == (
        Zone(2, 7, ZoneKind.CODE),
        Zone(8, 12, ZoneKind.MENTION, "ada"),
        Zone(13, 16, ZoneKind.MENTION, "Kim"),
        Zone(21, 21, ZoneKind.LINK, "https://example.com/x"),
        Zone(22, 25, ZoneKind.QUOTE),
    )


@given(st.text(max_size=40), st.lists(st.tuples(st.integers(0, 90), st.integers(0, 90)), max_size=6))
def test_entities_that_no_text_has_are_no_error(text, places):
    kinds = [MessageEntity.CODE, MessageEntity.MENTION, MessageEntity.BLOCKQUOTE]
    entities = [MessageEntity(kinds[at % 3], at, length) for at, length in places]
    analyse(marked(text, entities).text, marked(text, entities).zones, "en")


def test_what_somebody_said_is_set_in_italics():
    [part] = parts_of([line("reminder.head", creator="ada", text="x", sender="bob", entry="launch *now*")])
    [quoted] = [entity for entity in part.entities if entity.type == MessageEntity.ITALIC]
    assert spoken(part, quoted) == "launch *now*"
    assert part.text.endswith("said launch *now*)")
