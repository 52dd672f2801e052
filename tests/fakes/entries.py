"""Short ways to say what an entry matches."""

import pytest

from core.errors import InvalidTrigger, LimitExceeded
from core.standing.triggers import Entry, match_entry, parse_entries
from core.text.analyse import TextOptions, analyse

EN = TextOptions()
EXACT = TextOptions(word_forms=False)


def parse(source: str, *, anyone: bool = False, options: TextOptions = EN) -> tuple[Entry, ...]:
    return parse_entries(source, options, anyone=anyone)


def matches(entry: str, text: str, options: TextOptions = EN, turn_language: str | None = None) -> bool:
    turn = analyse(text, (), turn_language or options.language, options)
    return any(match_entry(found, turn).matched for found in parse(entry, options=options))


def reason(source: str, *, anyone: bool = False) -> str:
    with pytest.raises((InvalidTrigger, LimitExceeded)) as raised:
        parse(source, anyone=anyone)
    assert raised.value.sentence
    assert raised.value.hint
    return str(raised.value.details["reason"])


def check(table: str, options: TextOptions = EN) -> None:
    """Each line: entry => text (matches) or entry =/> text (does not)."""
    wrong = []
    for line in table.strip().splitlines():
        wanted = " => " in line
        entry, text = (part.strip() for part in line.split(" => " if wanted else " =/> "))
        if matches(entry, text.replace("\\n", "\n"), options) is not wanted:
            wrong.append(line.strip())
    assert not wrong
