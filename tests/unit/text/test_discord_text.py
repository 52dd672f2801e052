"""Discord Markdown becomes the text that people see, with zones for what is no plain text."""

import pytest

from adapters.discord.text import to_entry_text, to_marked_text, to_shown_text
from core.text.analyse import analyse
from core.text.zones import ZoneKind

ID = "123456789012345678"


def shown(content: str, mentions: dict[str, str] | None = None) -> str:
    """The plain text, with what is left out taken away."""
    marked = to_marked_text(content, mentions)
    text = marked.text
    for zone in reversed(marked.zones):
        if zone.kind in (ZoneKind.CODE, ZoneKind.QUOTE):
            text = text[: zone.start] + "\N{WHITE SQUARE}" + text[zone.end :]
    return text


@pytest.mark.parametrize(
    ("content", "plain"),
    [
        ("plain words", "plain words"),
        ("_r_**oll**back", "rollback"),
        ("ro~~llba~~ck", "rollback"),
        ("||sh||ip", "ship"),
        ("**a** *b* __c__ _d_ ~~e~~ ||f||", "a b c d e f"),
        ("***a*** ___b___", "a b"),
        ("***a** b*", "a b"),
        ("***a* b**", "a b"),
        ("**a *b* c**", "a b c"),
        ("**a _b ~~c~~_ d**", "a b c d"),
        ("*a **b** c*", "a b c"),
        ("__*a*__", "a"),
        ("**bold\nover lines**", "bold\nover lines"),
        ("_回_滚", "回滚"),
        ("回_滚_", "回滚"),
    ],
)
def test_paired_marks_are_removed(content: str, plain: str) -> None:
    assert shown(content) == plain


@pytest.mark.parametrize(
    "content",
    [
        "snake_case_name",
        "release_v2_ now",
        "2 * 3 * 4",
        "**bold",
        "bold**",
        "a ~~b",
        "||half",
        "a | b",
        "a ~ b",
        "*a",
        "****",
        "_ _",
        "c__",
        "[text](no address)",
        "[text] (https://example.test)",
        "[](https://example.test)",
        "<@>",
        "<:x>",
        "a < b > c",
        "12:30:45",
        "at 10:30:",
        "`",
        "```",
        "``` open",
        "`a``",
        "¯\\",
    ],
)
def test_what_is_no_valid_markdown_stays_as_typed(content: str) -> None:
    assert shown(content) == content


@pytest.mark.parametrize(
    ("content", "plain"),
    [
        (r"\*a\*", "*a*"),
        (r"\_a_", "_a_"),
        (r"\`a`", "`a`"),
        (r"\||a||", "||a||"),
        (r"\\*a*", r"\a"),
        (r"\> a", "> a"),
        (r"\# a", "# a"),
        (r"\:fire:", ":fire:"),
        (r"C:\dir", r"C:\dir"),
        ("a\\", "a\\"),
    ],
)
def test_an_escaped_mark_is_the_sign_itself(content: str, plain: str) -> None:
    assert shown(content) == plain


@pytest.mark.parametrize(
    ("content", "plain"),
    [
        ("a `b` c", "a \N{WHITE SQUARE} c"),
        ("a ``b ` c`` d", "a \N{WHITE SQUARE} d"),
        ("`a` `b`", "\N{WHITE SQUARE} \N{WHITE SQUARE}"),
        ("```py\nx = 1\n```", "\N{WHITE SQUARE}"),
        ("a ```b``` c", "a \N{WHITE SQUARE} c"),
        ("```\n> a\n```\nb", "\N{WHITE SQUARE}\nb"),
        ("`*a* **b` c*", "\N{WHITE SQUARE} c*"),
        ("**`a`**", "\N{WHITE SQUARE}"),
        (r"`a\` b", "\N{WHITE SQUARE} b"),
        ("```a ` b``` c", "\N{WHITE SQUARE} c"),
        ("> a\nb", "\N{WHITE SQUARE}\nb"),
        ("> a\n> b\nc", "\N{WHITE SQUARE}\n\N{WHITE SQUARE}\nc"),
        (">>> a\nb\nc", "\N{WHITE SQUARE}"),
        ("a\n>>> b\nc", "a\n\N{WHITE SQUARE}"),
        (">a", ">a"),
        ("a > b", "a > b"),
        ("> a `b\nc` d", "\N{WHITE SQUARE}\nc` d"),
    ],
)
def test_code_and_quotes_are_under_a_zone(content: str, plain: str) -> None:
    assert shown(content) == plain


@pytest.mark.parametrize(
    ("content", "plain"),
    [
        ("# Launch", "Launch"),
        ("### Launch", "Launch"),
        ("#launch", "#launch"),
        ("#### Launch", "#### Launch"),
        ("-# small", "small"),
        ("- a\n* b\n  - c", "a\nb\nc"),
        ("* *a*", "a"),
        ("1. a", "1. a"),
        ("-a", "-a"),
        ("a\n# b", "a\nb"),
        ("a # b", "a # b"),
    ],
)
def test_marks_at_the_start_of_a_line_are_removed(content: str, plain: str) -> None:
    assert shown(content) == plain


def test_a_masked_link_shows_its_text_and_its_host_counts() -> None:
    marked = to_marked_text("see [the **release**](https://docs.example.test/guide) candidate")
    assert marked.text == "see the release candidate"
    turn = analyse(marked.text, marked.zones)
    assert {"example.test", "docs", "release"} <= turn.keys
    assert "guide" not in turn.keys


@pytest.mark.parametrize(
    "content",
    [
        "[a](<https://x.test/b>)",
        '[a](https://x.test/b "title")',
        "[a](https://x.test/b_(c))",
        "**[a](https://x.test)**",
    ],
)
def test_all_ways_to_write_a_masked_link_are_read(content: str) -> None:
    assert shown(content) == "a"


def test_signs_in_an_address_are_no_marks() -> None:
    assert shown("https://x.test/_a_/*b*/~~c~~ d_e_f") == "https://x.test/_a_/*b*/~~c~~ d_e_f"
    assert shown("**https://x.test/a** b") == "https://x.test/a b"
    assert shown("||https://x.test/a||b") == "https://x.test/ab"
    assert shown("_https://x.test/a_b_") == "https://x.test/a_b"


@pytest.mark.parametrize("after", ["**https://x.test/a**b", "<https://x.test/a>b", "||https://x.test/a||b"])
def test_what_ends_an_address_ends_its_path(after: str) -> None:
    marked = to_marked_text(after)
    assert {"x.test", "b"} <= analyse(marked.text, marked.zones).words


@pytest.mark.parametrize("mention", [f"<@{ID}>", f"<@!{ID}>", f"<@&{ID}>"])
def test_a_mention_is_an_at_sign_and_the_name_shown(mention: str) -> None:
    marked = to_marked_text(f"hi {mention}!", {ID: "Dana Smith"})
    assert marked.text == "hi @Dana Smith!"
    assert [(zone.kind, zone.value) for zone in marked.zones] == [(ZoneKind.MENTION, "Dana Smith")]
    assert {"dana", "smith"} <= analyse(marked.text, marked.zones).words


def test_a_mention_glued_to_a_word_is_a_word_of_its_own() -> None:
    marked = to_marked_text(f"hi<@{ID}>there", {ID: "Dana"})
    assert analyse(marked.text, marked.zones).words == {"hi", "dana", "there"}


def test_a_mention_that_cannot_be_resolved_is_no_text() -> None:
    assert to_marked_text(f"hi <@{ID}>there").text.split() == ["hi", "there"]


def test_channels_times_and_commands_are_read() -> None:
    assert shown(f"in <#{ID}>", {ID: "ops"}) == "in #ops"
    assert shown("at <t:1700000000:R> sharp").split() == ["at", "sharp"]
    assert shown(f"use </intent add:{ID}> now") == "use /intent add now"
    assert shown("<id:customize>").strip() == ""


@pytest.mark.parametrize(
    ("content", "value"),
    [
        (f"<:Ana_party:{ID}>", ":Ana_party:"),
        (f"<a:wave:{ID}>", ":wave:"),
        (":fire:", ":fire:"),
        (":+1:", ":+1:"),
    ],
)
def test_custom_emoji_and_short_names_are_items(content: str, value: str) -> None:
    marked = to_marked_text(f"hello {content}")
    (zone,) = marked.zones
    assert (zone.kind, zone.value) == (ZoneKind.EMOJI, value)
    assert marked.text[zone.start : zone.end] == value
    turn = analyse(marked.text, marked.zones)
    assert value.casefold() in turn.words
    assert turn.words == {"hello", value.casefold()}


@pytest.mark.parametrize("content", ["a:fire:", ":fire:b", "10:30:15", ":30:", ":__:", "std::vec::x", ": fire:"])
def test_a_short_name_glued_to_a_word_or_of_digits_is_none(content: str) -> None:
    assert to_marked_text(content).zones == ()


def test_short_names_may_stand_next_to_each_other() -> None:
    assert [zone.value for zone in to_marked_text(":a::b: **:c:**").zones] == [":a:", ":b:", ":c:"]


def test_zones_are_sorted_disjoint_and_inside_the_text() -> None:
    content = f"**a** `b` <@{ID}> :c: [d](https://x.test) ```e``` ~~f\n> g\n>>> h"
    marked = to_marked_text(content, {ID: "Dana"})
    reached = 0
    for zone in marked.zones:
        assert reached <= zone.start <= zone.end <= len(marked.text)
        reached = zone.end
    assert len(marked.zones) == 7


def test_a_text_for_people_keeps_everything_but_its_ids() -> None:
    typed = f'**ask** <@{ID}>, <@!{ID}> or <@&7> in <#{ID}> "now" <a:wave:12> <@1> <t:12:F>'
    names = {ID: "Dana Smith", "7": "ops"}
    assert (
        to_shown_text(typed, names)
        == '**ask** @Dana Smith, @Dana Smith or @ops in #Dana Smith "now" :wave: <@1> <t:12:F>'
    )


def test_a_trigger_typed_with_ids_becomes_readable() -> None:
    typed = f"<:Ana:{ID}> <a:wave:{ID}> <@{ID}> <#1> **x** `y`"
    assert to_entry_text(typed, {ID: "Dana"}) == ":Ana: :wave: @Dana <#1> **x** `y`"


@pytest.mark.parametrize(
    ("typed", "readable"),
    [
        (f"hi <@{ID}>", 'hi "@Dana Smith"'),
        (f"x -<@{ID}>", 'x -"@Dana Smith"'),
        (f"x<@{ID}>", 'x "@Dana Smith"'),
        (f'"hi <@{ID}>"', '"hi \u300e@Dana Smith\u300f"'),
        (f"«hi <@{ID}>»", "«hi \u300e@Dana Smith\u300f»"),
    ],
)
def test_a_name_of_several_words_stays_one_term(typed: str, readable: str) -> None:
    assert to_entry_text(typed, {ID: 'Dana "Smith"'}) == readable
