"""What stands behind `/remind`, seen on a Monday at 11:00 in Berlin."""

from datetime import UTC, datetime

import pytest

from core.errors import InvalidInput
from core.limits import LIMITS
from core.timed.asked import parse_remind
from core.timed.when import Note
from tests.fakes.zones import BERLIN, wall_time, zone_of

NOW = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)


class Readings:
    """A date reader that knows what it is told, and remembers what it was asked."""

    def __init__(self, **known: datetime) -> None:
        self.known = known
        self.asked: list[tuple[str, str]] = []

    def read(self, text: str, now: datetime, language: str) -> datetime | None:
        assert now == wall_time(2026, 11, 30, 11, 0)
        self.asked.append((text, language))
        return self.known.get(text.replace(" ", "_"))


def ask(text: str, reader=None, language: str = "en"):
    return parse_remind(text, NOW, BERLIN, zone_of, reader, language)


@pytest.mark.parametrize(
    ("text", "what", "local"),
    [
        ("me on Friday at 9 to call Dana", "call Dana", "2026-12-04 09:00"),
        ("remind me on Friday at 9 to call Dana", "call Dana", "2026-12-04 09:00"),
        ("Hey, can you please remind me on Friday at 9 to call Dana?", "call Dana?", "2026-12-04 09:00"),
        ("tomorrow at 9 remind me to call Dana", "call Dana", "2026-12-01 09:00"),
        ("tomorrow at 9, please remind me that the build is due", "the build is due", "2026-12-01 09:00"),
        ("call Dana tomorrow at 9", "call Dana", "2026-12-01 09:00"),
        ("to call Dana tomorrow at 9.", "call Dana", "2026-12-01 09:00"),
        ("me to call Dana at noon, please", "call Dana", "2026-11-30 12:00"),
        ("me about the dentist next monday at 8", "the dentist", "2026-12-07 08:00"),
        ("10m tea", "tea", "2026-11-30 11:10"),
        ("in 10 minutes: tea", "tea", "2026-11-30 11:10"),
        ("tomorrow at 9 - call  Dana", "call Dana", "2026-12-01 09:00"),
        ("2026-12-04T09:00+01:00 release", "release", "2026-12-04 09:00"),
        ("Fri 4 Dec 2026 09:00 CET party", "party", "2026-12-04 09:00"),
        ("sun cream tomorrow", "sun cream", "2026-12-01 09:00"),
        ("in one hour look at the 4 logs", "look at the 4 logs", "2026-11-30 12:00"),
        ("on friday to prepare for Monday", "prepare for Monday", "2026-12-04 09:00"),
        ("tomorrow at 9 to plan the meeting on Friday", "plan the meeting on Friday", "2026-12-01 09:00"),
        ("tomorrow at 9 submit the report by friday", "submit the report by friday", "2026-12-01 09:00"),
        ("submit the report by the end of June", "submit the report", "2027-06-30 23:59"),
        ('"call at 9 on friday" tomorrow at 10', "call at 9 on friday", "2026-12-01 10:00"),
        ("tomorrow at 10 “call at 9 on friday”", "call at 9 on friday", "2026-12-01 10:00"),
        ('tomorrow at 10 say "at 9 on friday"', 'say "at 9 on friday"', "2026-12-01 10:00"),
        ("every weekday at 9:30 stand-up", "stand-up", "2026-12-01 09:30"),
        ("pay rent every month on the 31st", "pay rent", "2026-12-31 09:00"),
    ],
)
def test_the_time_is_found_at_either_end(text, what, local):
    asked = ask(text)
    assert (asked.text, asked.when.local, asked.person, asked.for_all) == (
        what,
        datetime.fromisoformat(local),
        "",
        False,
    )


@pytest.mark.parametrize(
    ("text", "person", "for_all"),
    [
        ("@bob tomorrow to send it", "bob", False),
        ("remind @Bob tomorrow to send it", "Bob", False),
        ("tomorrow remind @bob to send it", "bob", False),
        ("us tomorrow to send it", "", True),
        ("everyone to send it tomorrow", "", True),
        ("tomorrow remind us to send it", "", True),
        ("remind me tomorrow to send it", "", False),
    ],
)
def test_who_is_to_be_reminded_is_read(text, person, for_all):
    asked = ask(text)
    assert (asked.text, asked.person, asked.for_all) == ("send it", person, for_all)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "No time"),
        ("remind me", "No time"),
        ("buy milk", "No time"),
        ("walk 5m", "No time"),
        ("buy sun", "No time"),
        ("prepare for friday", "No time"),
        ('"tomorrow at 9"', "No time"),
        ("tomorrow at 9", "nothing to be reminded of"),
        ("me tomorrow", "nothing to be reminded of"),
        ("tomorrow to", "nothing to be reminded of"),
        ("on 31 april to file taxes", "April has no day 31"),
        ("file taxes at 9 on 31 april", "April has no day 31"),
        ("yesterday to call", "Sun 29 Nov 2026 09:00 CET is past"),
        ("tomorrow remind me to call Dana at 5", "“tomorrow” and “at 5” are both times"),
        ("on friday to call Dana at 5", "“on friday” and “at 5” are both times"),
        ("at 5pm call Dana at 6pm", "“at 5pm” and “at 6pm” are both times"),
        ("tomorrow at 5pm and friday at 6pm call", "both times"),
        ("call at 9 tomorrow friday", "more than one time"),
        ("call on 4/12", "can be 4 December or 12 April"),
        ("call at 9 IST", "more than one time zone"),
    ],
)
def test_what_is_missing_or_doubtful_is_asked_about(text, words):
    with pytest.raises(InvalidInput) as refused:
        ask(text, Readings())
    assert words in refused.value.sentence
    assert refused.value.hint


def test_a_refusal_for_want_of_a_time_gives_three_examples_that_are_read():
    with pytest.raises(InvalidInput) as refused:
        ask("buy milk")
    examples = refused.value.hint.removeprefix("For example: ").rstrip(".").split(" · ")
    assert len(examples) == 3
    assert [ask(example).text for example in examples] == ["check the oven", "call Dana", "pills"]


def test_the_library_is_asked_only_where_our_grammar_finds_nothing():
    reader = Readings()
    ask("tomorrow at 9 call Dana", reader)
    assert reader.asked == []
    reader = Readings(Xmas_eve=wall_time(2026, 12, 24, 9))
    asked = ask("me Xmas eve to wrap presents", reader)
    assert (asked.text, asked.when.local, asked.when.notes) == (
        "wrap presents",
        wall_time(2026, 12, 24, 9),
        (Note.GUESSED,),
    )
    assert reader.asked == [("Xmas eve", "en")]


def test_the_library_is_shown_short_stretches_never_the_whole_text():
    reader = Readings()
    with pytest.raises(InvalidInput):
        ask("me to " + "water the plants on the balcony " * 20 + 'on "friday" or in autumn', reader)
    assert reader.asked == [("in autumn", "en")]
    with pytest.raises(InvalidInput):
        ask("x" * LIMITS.reader_chars + " to go", reader)
    assert reader.asked[-1][0] == "x" * LIMITS.reader_chars
    count = len(reader.asked)
    with pytest.raises(InvalidInput):
        ask("x" * (LIMITS.reader_chars + 1) + " to go", reader)
    assert len(reader.asked) == count


def test_another_language_is_tried_at_both_ends_a_few_times():
    reader = Readings(morgen_abend=wall_time(2026, 12, 1, 19))
    asked = ask("morgen abend Dana anrufen", reader, "de")
    assert (asked.text, asked.when.local) == ("Dana anrufen", wall_time(2026, 12, 1, 19))
    reader = Readings()
    with pytest.raises(InvalidInput, match="No time"):
        ask("on at in by next this a b c d e f", reader, "de")
    assert len(reader.asked) == LIMITS.reader_tries


def test_a_past_time_that_the_library_reads_is_refused_as_it_was_understood():
    with pytest.raises(InvalidInput, match="Wed 25 Nov 2026 09:00 CET is past"):
        ask("me Thanksgiving to call", Readings(Thanksgiving=wall_time(2026, 11, 25, 9)))
