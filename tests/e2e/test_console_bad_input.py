"""Whatever is typed: a clear refusal or a bounded, flagged cut; the store unchanged; never a traceback."""

import unicodedata
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.limits import LIMITS
from core.services.workspace import KeepWorkspace
from tests.builders import HOME
from tests.fakes.console import Chat

ADD = "/intent add"
ENTRIES = "; ".join(f"word{number}" for number in range(LIMITS.entries))
TERMS = " ".join(f"word{number}" for number in range(LIMITS.terms_per_entry))

REFUSED = {
    "an unknown handle": "/intent show i-0000",
    "an unknown handle to cancel": "/intent cancel i-0000",
    "an unknown handle to edit": "/intent edit i-0000 --max 5",
    "an expiry in the past": f"{ADD} x1 => y --expires 2020-01-01",
    "an expiry beyond five years": f"{ADD} x1 => y --expires 1826d",
    "no lifetime": f"{ADD} x1 => y --expires 0s",
    "a budget of 0": f"{ADD} x1 => y --max 0",
    "a budget of -1": f"{ADD} x1 => y --max -1",
    "a budget of 1001": f"{ADD} x1 => y --max 1001",
    "a cooldown of -1": f"{ADD} x1 => y --cooldown -1",
    "a cooldown of 366 days": f"{ADD} x1 => y --cooldown 366d",
    "25 entries": f"{ADD} {ENTRIES}; one more => y",
    "9 terms": f"{ADD} {TERMS} more => y",
    "a term of 65 letters": f"{ADD} {'x' * (LIMITS.term_chars + 1)} => y",
    "a reminder of 501 letters": f"{ADD} x1 => {'y' * (LIMITS.description_chars + 1)}",
    "a sentence with 501 letters": "when someone mentions launch, remind me to " + "y" * 501,
    "NUL in a trigger": f"{ADD} x\0y => y",
    "NUL in a reminder": f"{ADD} x1 => a\0b",
    "an escape sequence in a reminder": f"{ADD} x1 => \x1b[31mred",
    "a lone surrogate in a trigger": f"{ADD} x\udcffy => y",
    "a lone surrogate in a reminder": f"{ADD} x1 => a\udcffb",
    "a lone surrogate in a sentence": "when someone mentions launch, remind me to \udcff look",
    "zero-width characters only": f"{ADD} \u200b\u200d\ufeff => y",
    "a reminder of zero-width characters": f"{ADD} x1 => \u200b\u2060",
    "a lone exclusion": f"{ADD} -staging => y",
    "punctuation only": f"{ADD} ... => y",
    "one letter for anyone": f"{ADD} x => y --anyone",
    "the same entry twice": f"{ADD} launch; LAUNCH => y",
    "a quote left open": f'{ADD} "go live => y',
    "an unknown option": f"{ADD} x1 => y --colour red",
    "everywhere, without the right": f"{ADD} x1 => y --scope anywhere",
    "no reminder": f"{ADD} x1 =>",
    "a million letters as a reminder": f"{ADD} x1 => {'y' * 1_000_000}",
    "a million letters as a trigger": f"{ADD} {'y' * 1_000_000} => z",
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED.keys())
def test_it_is_refused_with_a_reason_and_the_store_is_as_it_was(ruled, text):
    before = ruled.state()
    shown = ruled(text)
    assert shown.startswith("│ ✗ ")
    assert len(shown.splitlines()) == 2, shown[:500]
    assert len(shown) < 2_000
    assert_harmless(shown)
    ruled("yes")
    assert ruled.state() == before


ACCEPTED = {
    "24 entries": f"{ADD} {ENTRIES} => y",
    "8 terms": f"{ADD} {TERMS} => y",
    "a term of 64 letters": f"{ADD} {'x' * LIMITS.term_chars} => y",
    "a reminder of 500 letters": f"{ADD} x1 => {'y' * LIMITS.description_chars}",
    "a budget of 1": f"{ADD} x1 => y --max 1",
    "a budget of 1000": f"{ADD} x1 => y --max 1000",
    "no cooldown": f"{ADD} x1 => y --cooldown 0s",
    "a cooldown of 365 days": f"{ADD} x1 => y --cooldown 365d",
    "an expiry in five years": f"{ADD} x1 => y --expires 1825d",
    "marks and colours as text": f"{ADD} x1 => [red]**y**[/red] {{z}}",
}


@pytest.mark.parametrize("text", ACCEPTED.values(), ids=ACCEPTED.keys())
def test_the_last_value_within_a_bound_is_accepted(ruled, text):
    shown = ruled(text, "yes")
    assert "✗" not in shown
    assert len(ruled.rules()) == 2


TALK = {
    "NUL": "a\0b launch checklist",
    "control characters": "\x1b]0;title\x07\x1b[2J launch checklist \r\x08",
    "lone surrogates": "launch \udcff checklist \ud800",
    "10 000 combining marks": "a" + "\u0301" * 10_000 + " launch checklist",
    "right to left override": "\u202elaunch checklist\u202c",
}


@pytest.mark.parametrize("text", TALK.values(), ids=TALK.keys())
def test_strange_talk_is_talk(ruled, text):
    shown = ruled(text)
    assert "Reminder for @ada" in shown
    assert_harmless(shown)
    assert "fired on it" in ruled("/intent why")


@pytest.mark.parametrize("text", ["\u200b", "\u200d\ufeff", "...", "\0", "\udcff", "  "])
def test_a_message_without_words_changes_nothing(ruled, text):
    before = ruled.state()
    assert ruled(text) == ""
    assert ruled.state() == before


def test_a_message_of_a_megabyte_is_looked_at_in_part_and_says_so(ruled):
    assert "only the first 20 000 characters" in ruled("word " * 200_000 + "launch checklist")
    shown = ruled("launch checklist " + "word " * 200_000)
    assert "Reminder for @ada" in shown and "only the first 20 000 characters" in shown


def test_somebody_elses_handle_looks_like_an_unknown_one(ruled):
    name = ruled.rules()[0].handle
    ruled("/as bob", "hello")
    before = ruled.state()
    for verb in ("show", "pause", "resume", "cancel", "why"):
        assert ruled(f"/intent {verb} {name}").replace(name, "i-0000") == ruled(f"/intent {verb} i-0000")
    assert ruled(f"/intent edit {name} --max 9").replace(name, "i-0000") == ruled("/intent edit i-0000 --max 9")
    assert ruled.state() == before


def test_the_201st_rule_of_a_creator_is_refused(sqlite_store, clock, ids):
    chat = Chat(sqlite_store, clock, ids, replace(LIMITS, live_intents_per_creator=3))
    for number in range(3):
        chat(f"{ADD} word{number} => look", "yes")
    before = chat.state()
    assert "3 live rules" in chat(f"{ADD} word3 => look", "yes")
    assert chat.state() == before
    chat(f"/intent cancel {chat.rules()[0].handle}")
    assert "✗" not in chat(f"{ADD} word3 => look", "yes")


def test_more_people_and_places_than_are_kept_are_refused(chat):
    chat("hello")
    people = tuple(f"p{number}" for number in range(LIMITS.console_people))
    KeepWorkspace(chat.ctx).update(lambda now: replace(now, people=("ada", *people[1:])))
    assert "the most this terminal keeps" in chat("/as zoe")
    assert "You are now p7" in chat("/as p7")


def test_the_last_place_that_is_kept_can_be_entered_and_one_more_is_refused(chat):
    chat("hello")
    rest = tuple(
        replace(HOME, channel=f"c{number}", conversation=f"c{number}") for number in range(LIMITS.console_places)
    )
    KeepWorkspace(chat.ctx).update(lambda now: replace(now, places=(*now.places, *rest)[: LIMITS.console_places - 1]))
    assert "You are in #last" in chat("/in last")
    assert "the most this terminal keeps" in chat("/in over")
    assert "You are in #last" in chat("/in last")


def test_the_last_person_that_is_kept_can_come_and_one_more_is_refused(chat):
    people = tuple(f"p{number}" for number in range(LIMITS.console_people))
    KeepWorkspace(chat.ctx).update(lambda now: replace(now, people=("ada", *people)[: LIMITS.console_people - 1]))
    assert "You are now last" in chat("/as last")
    assert "the most this terminal keeps" in chat("/as over")


def test_a_name_may_have_its_bound_in_letters_and_no_more(chat):
    assert "You are now" in chat("/as " + "x" * LIMITS.name_chars)
    assert "✗" in chat("/as " + "x" * (LIMITS.name_chars + 1))


def test_the_messages_of_a_place_are_kept_up_to_the_bound(chat):
    chat(*(f"word{number}" for number in range(LIMITS.console_history + 1)))
    assert len(chat.app.world._said["general"]) == LIMITS.console_history


def test_a_message_with_an_escape_never_reaches_the_terminal_raw(ruled):
    ruled("/intent add x1 => look --anyone", "yes")
    assert_harmless(ruled("/intent why i-zzzz \x1b[2J", "/intent list \x1b[2J", "/as \x1b[2J", "/foo\x1b[2J"))


def assert_harmless(shown):
    """Nothing that steers a terminal; the joiners that scripts and emoji need may pass."""
    steering = {char for char in shown if unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"}}
    assert steering <= {"\n", "\u200c", "\u200d"}, ascii(shown)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(max_size=60) | st.sampled_from(["/intent ", "/time +1h", "yes", "1", "/as bob"]), max_size=6))
def test_any_lines_can_be_typed(chat, lines):
    assert_harmless(chat(*(text for text in lines if not text.startswith("/quit"))))
