"""The Markdown file: what is an aspiration, and that nothing else in it ever changes."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.aspirations.document import Problem, Trouble, added, done, named, parse, reviewed
from core.aspirations.item import NAME_CHARS, Item, read_entry, shown_name
from core.aspirations.text import check_text
from core.errors import InvalidInput
from core.limits import LIMITS
from core.turn import Principal
from tests.builders import ADA

DAY = date(2026, 12, 31)
LATER = date(2027, 3, 31)
ITEM = Item(0, "Improve the checklist", False, DAY, "a-7k2m", ADA, "Ada")
LINE = "- [ ] Improve the checklist — @Ada (review 2026-12-31) <!-- a-7k2m console:local:ada -->\n"
REVIEW = "(review 2026-12-31)"

PIECES = (
    "- |* |1. |[ ] |[x] |(review 2026-12-31)|(review soon)|(review |)|<!-- | -->|```|~~~|# |  | — @|> |---|é|`|a"
    "|<!-- a-7k2m console:local:ada -->|<!-- a-9x3n -->|\\|\n|\r\n|\r|\n\n|\t|\ufeff|\u2028"
)
pieces = st.sampled_from(PIECES.split("|"))
documents = st.lists(pieces, max_size=40).map("".join) | st.text(max_size=200)
typed = st.lists(pieces | st.text(max_size=5), min_size=1, max_size=20).map("".join)


def wordings(text):
    return [(item.text, item.review, item.done) for item in parse(text).items]


@pytest.mark.parametrize(
    ("line", "text", "is_done"),
    [
        (f"- Foo {REVIEW}", "Foo", False),
        (f"* Foo {REVIEW}", "Foo", False),
        (f"+ [ ] Foo {REVIEW}  ", "Foo", False),
        (f"12) [X] Foo {REVIEW}", "Foo", True),
        (f"   -\tFoo{REVIEW}", "Foo", False),
        ("- Foo ( Review:  2026-12-31 )", "Foo", False),
        (f"- Foo (twice) {REVIEW}", "Foo (twice)", False),
        (f"- Foo — @bob {REVIEW}", "Foo — @bob", False),
        (f"- Foo — @bob {REVIEW} <!-- a-7k2m console:local:ada -->", "Foo", False),
        (f"- C:\\temp \\# \\<b> {REVIEW}", "C:\\temp # <b>", False),
        (f"\ufeff- Foo {REVIEW}", "Foo", False),
    ],
)
def test_a_list_entry_that_ends_in_a_day_is_an_aspiration(line, text, is_done):
    assert wordings(line) == [(text, DAY, is_done)]


@pytest.mark.parametrize(
    "text",
    [
        f"Foo {REVIEW}",
        f"# Foo {REVIEW}",
        f"    - Foo {REVIEW}",
        f"-Foo {REVIEW}",
        f"```\n- Foo {REVIEW}\n```\n",
        f"~~~~ md\n- Foo {REVIEW}\n~~~\n- Foo {REVIEW}\n~~~~\n",
        f"<!-- old:\n- Foo {REVIEW}\n-->\n",
        "- - -\n***\n",
        "- \n- [ ]\n",
        "- [x] Reached long ago\n",
    ],
)
def test_what_is_no_aspiration_is_left_alone_and_nothing_is_said_of_it(text):
    assert (parse(text).items, parse(text).problems) == ((), ())


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ("- Foo\n", Trouble.NO_DATE),
        ("- Foo (review soon)\n", Trouble.BAD_DATE),
        ("- Foo (review 2026-02-30)\n", Trouble.BAD_DATE),
        ("- Foo (review 20261231)\n", Trouble.BAD_DATE),
        ("- Foo (review)\n", Trouble.BAD_DATE),
        (f"- {REVIEW}\n", Trouble.EMPTY),
        (f"- {'x' * (LIMITS.aspiration_chars + 1)} {REVIEW}\n", Trouble.LONG),
        ("```\n", Trouble.OPEN),
        ("<!-- never closed\n", Trouble.OPEN),
    ],
)
def test_what_is_nearly_one_is_told_with_its_line(text, trouble):
    found = parse(f"# Head\n\n{text}")
    assert (found.items, found.problems) == ((), (Problem(3, trouble),))


def test_a_text_of_just_the_bound_is_one():
    assert len(parse(f"- {'x' * LIMITS.aspiration_chars} {REVIEW}").items) == 1


def test_one_whose_day_cannot_be_read_any_more_can_still_be_found_by_its_name():
    text = "- Foo — @Ada (review soon) <!-- a-7k2m console:local:ada -->\n"
    found = parse(text)
    [item] = found.items
    assert (item.handle, item.review, found.problems) == ("a-7k2m", None, (Problem(1, Trouble.BAD_DATE),))
    assert reviewed(found, item, DAY) == text.replace("soon", "2026-12-31")


def test_a_name_that_stands_there_twice_is_that_of_the_first():
    assert [item.handle for item in parse(LINE + LINE).items] == ["a-7k2m", ""]


@pytest.mark.parametrize(("count", "items", "problems"), [(3, 3, ()), (4, 3, (4,)), (6, 3, (4,))])
def test_of_too_many_open_ones_the_first_count_and_it_is_said(count, items, problems):
    limits = replace(LIMITS, aspirations_per_space=3)
    found = parse(f"- [x] Old {REVIEW}\n" + f"- Foo {REVIEW}\n" * count, limits)
    assert len(found.open_items) == items
    assert [problem.line for problem in found.problems] == [number + 1 for number in problems]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", LINE),
        ("# Head", f"# Head\n\n{LINE}"),
        ("# Head\r\n", "# Head\r\n\r\n" + LINE.replace("\n", "\r\n")),
        ("\ufeff# Head\n\n", f"\ufeff# Head\n\n{LINE}"),
        (f"- Foo {REVIEW}", f"- Foo {REVIEW}\n{LINE}"),
        (f"- Foo {REVIEW}\n  note\n\n  more\n\nText\n", f"- Foo {REVIEW}\n  note\n\n  more\n{LINE}\nText\n"),
        (f"- Foo {REVIEW}\nand so on\n# Next\n", f"- Foo {REVIEW}\nand so on\n{LINE}# Next\n"),
        ("Text\n```\ncode\n", f"Text\n\n{LINE}\n```\ncode\n"),
        ("<!-- hidden", f"{LINE}\n<!-- hidden"),
        (f"- Foo {REVIEW}\n  ```\n  code\n", f"- Foo {REVIEW}\n{LINE}  ```\n  code\n"),
        (f"# Head\n- Foo {REVIEW}\r\n", f"# Head\n- Foo {REVIEW}\r\n{LINE[:-1]}\r\n"),
        (f"- Foo {REVIEW}\n```\ncode\n", f"- Foo {REVIEW}\n{LINE}```\ncode\n"),
    ],
)
def test_a_new_one_goes_behind_the_last_one_and_what_belongs_to_it(before, after):
    assert added(parse(before), ITEM) == after


@pytest.mark.parametrize(
    ("line", "ticked"),
    [
        (f"- Foo {REVIEW}\r\n", f"- [x] Foo {REVIEW}\r\n"),
        (f"* [ ]  Foo   {REVIEW}  ", f"* [x]  Foo   {REVIEW}  "),
        (LINE, LINE.replace("[ ]", "[x]")),
    ],
)
def test_ticking_changes_the_box_alone(line, ticked):
    found = parse(line)
    assert done(found, found.items[0]) == ticked


@pytest.mark.parametrize("line", [f"* Foo   {REVIEW}  \r\n", LINE, LINE.replace(" (review 2026-12-31)", "")])
def test_another_day_changes_the_day_alone(line):
    found = parse(line)
    wanted = line if "review" not in line else line.replace("2026-12-31", "2027-03-31")
    text = reviewed(found, found.items[0], LATER)
    assert text.replace(" (review 2027-03-31)", "") == wanted.replace(" (review 2027-03-31)", "")
    assert parse(text).items[0].review == LATER


def test_what_was_typed_by_hand_gets_a_name_and_an_owner_and_keeps_its_words():
    found = parse(f"# Head\n* Foo — @bob  {REVIEW}\nText\n")
    text = named(found, [replace(found.items[0], handle="a-7k2m", owner=ADA, owner_name="Ada")])
    assert text == f"# Head\n* Foo — @bob — @Ada {REVIEW} <!-- a-7k2m console:local:ada -->\nText\n"
    assert parse(text).items == (Item(2, "Foo — @bob", False, DAY, "a-7k2m", ADA, "Ada"),)


@pytest.mark.parametrize(
    "text", ["# Head", "- x", "[x] done", "a <!-- b --> c", "<!-- a-9999 console:local:eve -->", "\\", "a\\<b", "``` x"]
)
def test_what_was_typed_cannot_break_the_list(text):
    [item] = parse(added(parse(""), replace(ITEM, text=text))).items
    assert replace(item, line=0) == replace(ITEM, text=text)


@pytest.mark.parametrize(
    ("typed_text", "stands"),
    [
        ("# Head", "\\# Head"),
        ("a <!-- b --> </c>", "a \\<!-- b --> \\</c>"),
        ("1 < 2", "1 < 2"),
        ("C:\\temp", "C:\\temp"),
        ("a \\# b\\", "a \\\\# b\\\\"),
    ],
)
def test_what_would_mean_something_in_markdown_is_escaped_and_read_back(typed_text, stands):
    text = added(parse(""), replace(ITEM, text=typed_text))
    assert text == LINE.replace("Improve the checklist", stands)
    assert parse(text).items[0].text == typed_text


def test_a_name_that_looks_like_our_marks_is_a_name_all_the_same():
    text = added(parse(""), replace(ITEM, owner_name="Ada — @bob (review 2020-01-01)\n<!--"))
    [item] = parse(text).items
    assert (item.text, item.review, item.owner) == (ITEM.text, DAY, ADA)
    assert item.owner_name == "Ada - @bob (review 2020-01-01)<!--"


def test_an_escaped_comment_is_none():
    found = parse(f"- Foo {REVIEW} \\<!-- a-7k2m console:local:eve -->\n")
    assert (found.items, found.problems) == ((), (Problem(1, Trouble.NO_DATE),))


def test_line_breaks_become_spaces_before_anything_is_kept():
    assert check_text(" a\r\n- b\u2028c\x85d\t e ", LIMITS) == "a - b c d e"


# on any text


@given(documents)
def test_any_text_is_read_and_its_lines_make_it_up_again(text):
    found = parse(text)
    assert found.bom + "".join(found.lines) == text
    assert all(1 <= item.line <= len(found.lines) for item in found.items)


@given(documents)
def test_every_entry_is_put_together_again_as_it_was(text):
    for line in parse(text).lines:
        entry = read_entry(line)
        assert entry is None or entry.line() == line


@given(documents, typed, st.text(max_size=80))
def test_whatever_was_typed_is_found_again_and_everything_else_is_as_it_was(text, words, name):
    try:
        words = check_text(words, LIMITS)
    except InvalidInput:
        return
    before = parse(text)
    if before.find(ITEM.handle) or "a-7k2m" in text:
        return
    after = parse(added(before, replace(ITEM, text=words, owner_name=name)))
    new = after.find(ITEM.handle)
    assert (new.text, new.review, new.done, new.owner) == (words, DAY, False, ADA)
    rest = [replace(item, line=0) for item in after.items if item != new]
    assert rest == [replace(item, line=0) for item in before.items]
    kept = [line for number, line in enumerate(after.lines, 1) if number != new.line and line.strip()]
    assert [line.rstrip("\r\n") for line in kept] == [line.rstrip("\r\n") for line in before.lines if line.strip()]


@given(documents)
def test_a_change_of_one_item_changes_its_line_alone(text):
    before = parse(text)
    for item in before.items:
        for changed in (done(before, item), reviewed(before, item, LATER)):
            after = parse(changed)
            assert after.bom == before.bom and len(after.lines) == len(before.lines)
            different = [
                number
                for number, pair in enumerate(zip(before.lines, after.lines, strict=True), 1)
                if pair[0] != pair[1]
            ]
            assert different in ([], [item.line])
        assert parse(done(before, item)).items[before.items.index(item)].done
        assert parse(reviewed(before, item, LATER)).items[before.items.index(item)].review == LATER


@given(documents)
def test_naming_every_item_keeps_words_and_days(text):
    before = parse(text)
    given_names = [
        replace(item, handle=f"a-{number:04}", owner=ADA, owner_name="Ada") for number, item in enumerate(before.items)
    ]
    after = parse(named(before, given_names))
    assert after.items == tuple(given_names)


@given(st.text(min_size=1, max_size=30), st.text(max_size=10), st.text(min_size=1, max_size=30))
def test_an_owner_is_found_again_by_id_whatever_the_id_is(provider, account, user):
    who = Principal(*(part.encode("utf-8", "replace").decode() for part in (provider, account, user)))
    [item] = parse(added(parse(""), replace(ITEM, owner=who))).items
    assert item.owner == who


def test_a_name_is_shown_up_to_its_bound():
    assert shown_name("x" * NAME_CHARS) == shown_name("x" * (NAME_CHARS + 1)) == "x" * NAME_CHARS
