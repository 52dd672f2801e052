"""Whatever the grammar of times reads, a sentence that asks for a reminder is told apart by."""

import pytest

from core.catalogue import say
from core.errors import InvalidInput
from core.standing.clocktimes import names_clock_time
from core.standing.phrases import words_of
from core.standing.sentences import CLOCK_TIME, Kind, parse_sentence
from core.timed.asked import parse_remind
from core.timed.grammar import read_whole
from core.timed.numbers import NUMBERS, PLURAL_WEEKDAYS, WEEKDAYS
from core.timed.recurring import _ALONE as REPEATS
from core.timed.spans import UNITS
from tests.fakes.zones import BERLIN, zone_of
from tests.unit.timed import test_grammar, test_said_as_meant

NOW = test_said_as_meant.NOW


def _texts(module):
    """The first column of each table of times."""
    for name in dir(module):
        for mark in getattr(getattr(module, name), "pytestmark", ()):
            first = mark.args[0] if isinstance(mark.args[0], str) else mark.args[0][0]
            if first == "text":
                yield from (case[0] if isinstance(case, tuple) else case for case in mark.args[1])


READ = sorted({text for module in (test_grammar, test_said_as_meant) for text in _texts(module) if read_whole(text)})
MORE = ["1h30m", "in 1.5 hours", "in 1,5 hours", "half past 8", "by end of year", "by end of day", "on 3/4",
        "yesterday", "every 15th", "every 31st", "in twenty-five minutes", "at 17h30", "at 17.30", "annually",
        "quarter to nine", "in a couple of hours", "on 30/11", "wendesday", "tommorow"]  # fmt: skip


def test_the_tables_of_the_grammar_are_seen():
    assert len(READ) > 150


def _is_read(text):
    """Does `/remind` find a time in it, be it one that it refuses?"""
    try:
        parse_remind(text, NOW, BERLIN, zone_of)
    except InvalidInput as refused:
        return refused.sentence != say("remind.no_time")
    return True


@pytest.mark.parametrize("text", [*READ, *MORE])
def test_t246_a_sentence_with_a_time_that_the_grammar_reads_is_one_by_the_clock(text):
    said = [f"remind me to call Dana {text}", f"remind me {text} to call Dana"]
    found = [one for one in said if _is_read(one)]
    assert found
    assert [parse_sentence(one) for one in found] == [CLOCK_TIME] * len(found)


@pytest.mark.parametrize("word", sorted({*WEEKDAYS, *PLURAL_WEEKDAYS, *REPEATS}))
def test_each_day_and_each_way_to_repeat_is_known(word):
    assert names_clock_time(words_of(f"on {word} at 9"))
    assert names_clock_time(words_of(f"on {word}"))


@pytest.mark.parametrize("unit", sorted(UNITS))
def test_each_unit_and_each_number_is_known(unit):
    assert names_clock_time(words_of(f"in 3 {unit}"))
    assert [number for number in NUMBERS if not names_clock_time(words_of(f"in {number} hours"))] == []


@pytest.mark.parametrize("text", ["the launch", "my march", "a second opinion is needed", "the 4 logs"])
def test_ordinary_words_are_none(text):
    assert parse_sentence(f"remind me to check {text}").kind is not Kind.RULE
