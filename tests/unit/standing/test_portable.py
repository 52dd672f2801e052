"""The document of exported intents: what is written is read again, and what is spoilt is told by row and field."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InvalidInput, LimitExceeded
from core.limits import LIMITS
from core.standing.intent import ChannelScope, CooldownPer, Deliver, Priority, Status
from core.standing.portable import Person, PortableIntent, SenderScope, render
from core.standing.portable_reading import parse
from core.text.analyse import TextOptions
from core.turn import Principal, Visibility, Where
from tests.builders import NOW
from tests.fakes.documents import a_document, a_row

TURNS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
plain = st.characters(exclude_characters=TURNS, exclude_categories=["Cs", "Cc", "Zl", "Zp"])
ids = st.text(plain, min_size=1, max_size=LIMITS.import_id_chars)
names = st.just("") | ids
words = st.none() | st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1)
moments = st.datetimes(timezones=st.just(UTC))
people = st.builds(Person, st.builds(Principal, ids, ids, ids), names)
rooms = st.builds(
    Where, ids, ids, ids, ids, ids, st.sampled_from([Visibility.PUBLIC, Visibility.PRIVATE]), names, names, names
)
chats = st.builds(
    lambda chat, name: Where("telegram", "bot", chat, chat, chat, Visibility.DIRECT, name, name, name), ids, names
)
places = rooms | chats
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@st.composite
def intents(draw: st.DrawFn) -> PortableIntent:
    sender, deliver = draw(st.sampled_from(SenderScope)), draw(st.sampled_from(Deliver))
    return PortableIntent(
        place=draw(places),
        creator=draw(people),
        description=draw(words),
        entries=tuple(draw(st.lists(words, min_size=1, max_size=LIMITS.entries))),
        scope=draw(st.sampled_from(ChannelScope)),
        sender=sender,
        watches=draw(people) if sender is SenderScope.NAMED else None,
        max_fires=draw(st.integers(1, LIMITS.max_fires)),
        cooldown=timedelta(seconds=draw(st.integers(0, int(LIMITS.cooldown.total_seconds())))),
        cooldown_per=draw(st.sampled_from(CooldownPer)),
        expires_at=draw(moments),
        priority=draw(st.sampled_from(Priority)),
        options=TextOptions(draw(st.sampled_from(["en", "de", "en-GB"])), draw(st.booleans()), draw(st.booleans())),
        on_edits=draw(st.booleans()),
        except_in=tuple(draw(st.lists(places, max_size=LIMITS.except_places))),
        deliver=deliver,
        deliver_to=draw(places) if deliver is Deliver.PLACE else None,
        status=draw(st.sampled_from(Status)),
        fires=draw(st.integers(0, LIMITS.max_fires)),
        created_at=draw(moments),
        handle=draw(st.from_regex(r"i-[0-9a-z]{4,6}", fullmatch=True)),
    )


@settings(deadline=None, max_examples=40)
@given(st.lists(intents(), max_size=3), moments)
def test_what_is_written_is_read_again(rows: list[PortableIntent], now: datetime) -> None:
    found = parse(render(rows, now).encode(), LIMITS)
    assert [row.intent for row in found] == rows
    assert [row.number for row in found] == list(range(1, len(rows) + 1))


@settings(deadline=None, max_examples=100)
@given(st.binary(max_size=200) | values.map(lambda value: a_document(value)))
def test_nothing_that_can_be_in_a_file_ends_in_another_error(data: bytes) -> None:
    try:
        found = parse(data, LIMITS)
    except InvalidInput:
        return
    assert all(row.intent is None and row.problems for row in found)


def test_the_text_is_ascii_and_the_same_each_time() -> None:
    [row] = parse(a_document(a_row(description="Über 🚀")), LIMITS)
    assert row.intent is not None
    text = render([row.intent], NOW)
    assert text == render([row.intent], NOW) and text.isascii() and text.endswith("}\n")
    assert json.loads(text)["intents"] == [a_row(description="Über 🚀")]


# -- what is no document ------------------------------------------------------------------------------------

GOOD = a_document(a_row())
DEEP = b"[" * 200_000
BROKEN = [
    (b"", "it is empty"),
    (b" \n\t", "it is empty"),
    (b"\xef\xbb\xbf" + GOOD, "byte order mark"),
    (GOOD.decode().encode("utf-16"), "not UTF-8"),
    (GOOD.decode().encode("utf-16-le"), "not JSON"),
    (b"\xff\xfe", "not UTF-8"),
    (GOOD[:-1], "not JSON"),
    (GOOD + b"x", "not JSON"),
    (b"hello", "not JSON"),
    (b"\x00" + GOOD, "not JSON"),
    (DEEP, "too deeply"),
    (b'{"a":' * 100_000, "too deeply"),
    (b"[]", "not a JSON object"),
    (b"null", "not a JSON object"),
    (b"{}", "format is not"),
    (a_document(format="something"), "format is not"),
    (a_document(version="1"), "its version"),
    (a_document(version=True), "its version"),
    (a_document(version=0), "its version"),
    (a_document(version=2), "has version 2"),
    (a_document(exported_at="yesterday"), "exported_at: is not a time"),
    (a_document(surprise=1), "surprise: is not known"),
    (a_document(intents={}), "not a list"),
    (a_document(intents=None), "not a list"),
    (b'{"format": "remembrancer-intents", "version": 1, "exported_at": "2026-11-30T10:00:00Z"}', "intents: is missing"),
    (GOOD.replace(b'"fires": 1', b'"fires": NaN'), "NaN is no JSON"),
    (GOOD.replace(b'"fires": 1', b'"fires": -Infinity'), "-Infinity is no JSON"),
    (GOOD.replace(b'"fires": 1', b'"fires": ' + b"9" * 5_000), "too long a number"),
    (GOOD.replace(b'"fires": 1', b'"fires": 1, "fires": 2'), "'fires' stands twice"),
    (GOOD.replace(b'"fires": 1', b'"\\ud800": 1, "\\ud800": 2'), "'?' stands twice"),
]


@pytest.mark.parametrize(("data", "why"), BROKEN)
def test_a_broken_document_is_refused_with_what_is_wrong(data: bytes, why: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse(data, LIMITS)
    assert why in refused.value.sentence
    assert refused.value.hint and refused.value.sentence.encode()


BAD = [
    ({"surprise": 1}, "surprise", "is not known"),
    ({"handle": 7}, "handle", "is no handle"),
    ({"handle": ""}, "handle", "is no handle"),
    ({"handle": "i-7k2m\nrow 2"}, "handle", "is no handle"),
    ({"handle": "i-" + "7" * 11}, "handle", "is no handle"),
    ({"place.space_name": "x" * 501}, "place.space_name", "is longer than 500"),
    ({"creator.name": "x" * 501}, "creator.name", "is longer than 500"),
    ({"status": "asleep"}, "status", "is none of pending, armed"),
    ({"status": None}, "status", "is none of"),
    ({"created_at": 1796032800}, "created_at", "is not a time"),
    ({"created_at": "2026-11-29T10:00:00"}, "created_at", "is not a time"),
    ({"created_at": "0001-01-01T00:00:00+14:00"}, "created_at", "is not a time"),
    ({"expires_at": "2026-13-29T10:00:00Z"}, "expires_at", "is not a time"),
    ({"expires_at": "2026-11-30T10:00:00\ud800Z"}, "expires_at", "is not a time"),
    ({"fires": -1}, "fires", "from 0 to 1000"),
    ({"fires": True}, "fires", "from 0 to 1000"),
    ({"max_fires": 0}, "max_fires", "from 1 to 1000"),
    ({"max_fires": 1001}, "max_fires", "from 1 to 1000"),
    ({"max_fires": 1.0}, "max_fires", "from 1 to 1000"),
    ({"max_fires": 9_999_999_999_999_999}, "max_fires", "from 1 to 1000"),
    ({"cooldown_seconds": 31_536_001}, "cooldown_seconds", "from 0 to 31536000"),
    ({"cooldown_seconds": "24h"}, "cooldown_seconds", "from 0 to 31536000"),
    ({"cooldown_per": "space"}, "cooldown_per", "is none of intent, conversation, sender"),
    ({"priority": "MEDIUM"}, "priority", "is none of low, medium"),
    ({"priority": 1}, "priority", "is none of low, medium"),
    ({"word_forms": 1}, "word_forms", "is neither true nor false"),
    ({"fold_accents": "no"}, "fold_accents", "is neither true nor false"),
    ({"language": "e+~"}, "language", "is no language"),
    ({"language": None}, "language", "is no language"),
    ({"description": 5}, "description", "is not a text"),
    ({"description": "a\0b"}, "description", "holds a NUL"),
    ({"description": "a\ud800b"}, "description", "holds a NUL or half"),
    ({"entries": "launch"}, "entries", "is not a list of 1 to 24"),
    ({"entries": []}, "entries", "is not a list of 1 to 24"),
    ({"entries": ["launch"] * 25}, "entries", "is not a list of 1 to 24"),
    ({"entries": ["launch", 2]}, "entries.2", "is not a text"),
    ({"scope": "everywhere"}, "scope", "is none of conversation"),
    ({"scope": ["channel"]}, "scope", "is none of conversation"),
    ({"sender": "bob"}, "sender", "is none of me, named, anyone"),
    ({"sender": "named"}, "watches", "only when, the sender is named"),
    (
        {"watches": {"provider": "a", "account": "b", "user": "c", "name": ""}},
        "watches",
        "only when, the sender is named",
    ),
    ({"deliver": "place"}, "deliver_to", "only when, deliver is place"),
    ({"except": None}, "except", "is not a list of 0 to 10"),
    ({"except": ["#general"]}, "except.1", "is not an object"),
    ({"place": None}, "place", "is not an object"),
    ({"place": "general"}, "place", "is not an object"),
    ({"place.channel": ""}, "place.channel", "holds nothing"),
    ({"place.channel": 42}, "place.channel", "is not a text"),
    ({"place.channel": "x" * 201}, "place.channel", "is longer than 200"),
    ({"place.topic": "x"}, "place.topic", "is not known"),
    ({"place.visibility": "hidden"}, "place.visibility", "is none of public"),
    ({"place.visibility": "direct"}, "place", "of a direct message are the same"),
    ({"creator": {}}, "creator.provider", "is missing"),
    ({"creator.user": "a\0"}, "creator.user", "holds a NUL"),
]


@pytest.mark.parametrize(("changes", "field", "why"), BAD)
def test_a_bad_field_is_told_with_its_row(changes: dict[str, object], field: str, why: str) -> None:
    first, second = parse(a_document(a_row(), a_row(changes)), LIMITS)
    assert first.intent is not None and second.intent is None and second.number == 2
    assert any(one.field == field and why in one.why for one in second.problems), second.problems


NAMES = (
    *(f"place.{name}" for name in ("space", "channel", "space_name", "channel_name", "conversation_name")),
    *("creator.user", "creator.name", "watches.name", "deliver_to.channel_name", "except.1.channel_name"),
)


@pytest.mark.parametrize("char", ["\x07", "\x1b", "\n", "\r", "\t", "\x85", "\u2028", "\u2029", *TURNS])
def test_a_name_that_cannot_be_shown_as_it_is_is_refused_by_row_and_field(char: str) -> None:
    for field in NAMES:
        named = {"sender": "named", "watches": a_row()["creator"], "deliver": "place", "deliver_to": a_row()["place"]}
        row = a_row(named | {"except": {"1": a_row()["place"]}, field: f"O{char}ps"})
        row["except"] = list(row["except"].values())
        _, found = parse(a_document(a_row(), row), LIMITS)
        assert found.number == 2 and found.intent is None
        assert [(one.field, "a control character" in one.why) for one in found.problems] == [(field, True)]


@pytest.mark.parametrize("name", ["Zoë 🚀", "שלום\u200f!", "می\u200cخواهم", "👩\u200d🚀"])
def test_a_name_of_any_script_is_read(name: str) -> None:
    [found] = parse(a_document(a_row({"creator.name": name, "place.channel_name": name})), LIMITS)
    assert found.intent is not None and found.intent.creator.name == found.intent.place.channel_name == name


@pytest.mark.parametrize("char", ["\x07", "\n", "\u2028", *TURNS])
def test_a_name_is_written_without_what_cannot_be_read_again(char: str) -> None:
    [row] = parse(a_document(a_row({"creator.name": "Ada", "place.channel_name": "Ops"})), LIMITS)
    assert row.intent is not None
    spoilt = replace(
        row.intent,
        creator=replace(row.intent.creator, name=f"A{char}da"),
        place=replace(row.intent.place, channel_name=f"{char}Ops"),
    )
    [found] = parse(render([spoilt], NOW).encode(), LIMITS)
    assert found.intent == row.intent


@pytest.mark.parametrize("name", sorted(a_row()))
def test_every_field_must_be_there(name: str) -> None:
    row = a_row()
    del row[name]
    [found] = parse(a_document(row), LIMITS)
    assert [(one.field, one.why) for one in found.problems] == [(name, "is missing")]


@pytest.mark.parametrize("row", [None, 1, "x", [], [[]]])
def test_a_row_that_is_no_object_is_told(row: object) -> None:
    [found] = parse(a_document(row), LIMITS)  # type: ignore[arg-type]  # that is the point
    assert found.problems[0].why == "is not an object"


def test_every_bad_field_of_a_row_is_told_at_once() -> None:
    [found] = parse(a_document(a_row({"fires": -1, "scope": "x", "place.space": 5})), LIMITS)
    assert {one.field for one in found.problems} == {"fires", "scope", "place.space"}


def test_erased_words_are_read_as_such() -> None:
    [row] = parse(a_document(a_row(description=None, entries=["launch", None])), LIMITS)
    assert row.intent is not None
    assert (row.intent.description, row.intent.entries) == (None, ("launch", None))


def test_as_many_rows_as_fit_are_read_and_one_more_is_refused() -> None:
    limits = replace(LIMITS, import_rows=2)
    assert len(parse(a_document(a_row(), a_row()), limits)) == 2
    with pytest.raises(LimitExceeded) as refused:
        parse(a_document(a_row(), a_row(), a_row()), limits)
    assert refused.value.details["name"] == "import_rows"
    assert "one space at a time: intents export --space" in str(refused.value.hint)


def test_as_many_bytes_as_fit_are_read_and_one_more_is_refused() -> None:
    data = a_document(a_row())
    assert parse(data, replace(LIMITS, import_bytes=len(data)))
    with pytest.raises(LimitExceeded) as refused:
        parse(data, replace(LIMITS, import_bytes=len(data) - 1))
    assert refused.value.details["name"] == "import_bytes"


def test_an_id_as_long_as_fits_is_read() -> None:
    [row] = parse(a_document(a_row({"place.space": "x" * LIMITS.import_id_chars})), LIMITS)
    assert row.intent is not None and not row.problems
