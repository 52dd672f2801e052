"""Previews, histories and mutes in words: what the terminal alone does not show."""

from dataclasses import replace
from datetime import UTC, timedelta

import pytest

from core.limits import LIMITS
from core.services.history import FireHistory, PlaceNames
from core.services.preview_intent import Previewed
from core.standing.mutes import Mute
from core.standing.outcome import Reminder
from core.standing.preview import Hit, Miss, NearMiss, Preview
from core.turn import PlaceKind, Visibility
from core.wording.preview import (
    fire_place,
    history_lines,
    muted_here_line,
    preview_lines,
    preview_short,
    trial_lines,
)
from core.wording.shown import Clockface
from tests.builders import ADA, NOW, a_fire, a_turn, an_intent

FACE = Clockface(NOW, UTC)
ROW = an_intent(handle="i-7k2m")
SAMPLE = Reminder(
    fire_id="",
    outbox_id="",
    handle="i-7k2m",
    description="Confirm.",
    created_at=NOW,
    creator=ADA,
    creator_name="Ada",
    sender=ADA,
    sender_name="Ada",
    entry="launch",
    terms=(),
    number=1,
    max_fires=1,
    fired_at=NOW,
    quiet_until=None,
    conversation=3,
    reply_to="",
)


def previewed(older=0, **fields):
    preview = Preview(looked_at=200, since=NOW, **fields)
    return Previewed(ROW, preview, SAMPLE, (), (), older)


def texts(lines):
    return [line.text for line in lines]


@pytest.mark.parametrize(
    "older, said",
    [
        (0, None),
        (1, "1 older message here was not looked at: 200 or 100000 characters are the most."),
        (2, "2 older messages here were not looked at: 200 or 100000 characters are the most."),
    ],
)
def test_what_is_beyond_the_bound_of_messages_is_said(older, said):
    shown = texts(preview_lines(previewed(older), FACE, LIMITS))
    assert [text for text in shown if "older" in text] == ([said] if said else [])
    assert "In the last 200 messages here (since Mon 10:00) it would not have fired." in shown


def test_hits_and_near_misses_carry_the_link_to_their_message():
    link = "https://example.test/1/2/3"
    turn, plain = a_turn("the launch", link=link), a_turn("the launch")
    near = NearMiss(turn, Miss.TERM, "plan")
    shown = texts(_lines(hits=(Hit(turn, "launch", ("launch",), True), Hit(plain, "launch", ("launch",), False))))
    assert f"  Mon 10:00, @Bob: the launch (by another form of the words) {link}" in shown
    assert "  Mon 10:00, @Bob: the launch" in shown
    assert f"  Mon 10:00, @Bob: the launch (“plan” is not in it) {link}" in texts(_lines(near=(near,)))
    [short] = texts(preview_short(previewed(hits=(Hit(turn, "launch", (), False),)), FACE, LIMITS))
    assert short.endswith(f"The newest: “the launch” by @Bob, Mon 10:00. {link}")
    assert texts(preview_short(previewed(near=(near,)), FACE, LIMITS))[1].endswith(f"(“plan” is not in it) {link}")


@pytest.mark.parametrize(
    "kind, said",
    [
        (Miss.LEFT_OUT, "launch stands only in code, a quote or the path of an address there"),
        (Miss.MACHINE, "a bot or a webhook wrote it; only a rule that names it, --from, listens to it"),
    ],
)
def test_a_near_miss_says_what_kept_it_from_firing(kind, said):
    assert any(f"({said})" in text for text in texts(_lines(near=(NearMiss(a_turn("launch"), kind, "launch"),))))


@pytest.mark.parametrize(
    "unread, said", [(1, "1 message here could not be read."), (2, "2 messages here could not be read.")]
)
def test_how_many_messages_could_not_be_read_is_said_at_any_length(unread, said):
    shown = replace(previewed(), unread=unread)
    assert said in texts(preview_lines(shown, FACE, LIMITS))
    assert texts(preview_short(shown, FACE, LIMITS))[-1] == said
    nothing = replace(shown, preview=Preview())
    assert texts(preview_short(nothing, FACE, LIMITS))[-1] == said
    assert not any("could not" in text for text in texts(_lines()))


def test_that_there_are_older_messages_is_said_where_nobody_knows_how_many():
    said = "What was said before that was not looked at: 200 messages are what I asked for."
    shown = texts(preview_lines(replace(previewed(older=3), more=True), FACE, LIMITS))
    assert said in shown
    assert not any("older" in text for text in shown)


def test_a_trial_is_one_reminder_marked_as_a_test():
    assert texts(trial_lines(previewed(), FACE)) == [
        "This is a test: only you see it, and nothing is counted.",
        "Reminder for @Ada: Confirm. (@Ada said *launch*) · 1 of 1 · i-7k2m · This was the last one.",
    ]


def test_what_was_left_out_is_counted():
    assert any("2 messages hold code, quotes or paths" in text for text in texts(_lines(left_out=2)))
    assert any("1 message holds code, quotes or the path" in text for text in texts(_lines(left_out=1)))


def _lines(**fields):
    return preview_lines(previewed(**fields), FACE, LIMITS)


def test_the_last_line_is_the_reminder_as_it_would_be_posted():
    assert texts(_lines())[-1] == (
        "Reminder for @Ada: Confirm. (@Ada said *launch*) · 1 of 1 · i-7k2m · This was the last one."
    )


def test_the_short_preview_has_two_lines_at_most():
    assert texts(preview_short(previewed(), FACE, LIMITS)) == ["In the last 200 messages here it would not have fired."]


@pytest.mark.parametrize(
    "place, words",
    [
        (PlaceNames("Home", "ops", "", Visibility.PUBLIC), "#ops"),
        (PlaceNames("Home", "ops", "rollout", Visibility.PUBLIC), "the thread rollout in #ops"),
        (PlaceNames("Home", "vault", "", Visibility.PRIVATE), "the private channel #vault"),
        (PlaceNames("dm", "dm", "", Visibility.DIRECT), "a direct message"),
    ],
)
def test_a_place_of_the_history_is_named(place, words):
    assert fire_place(place) == words


def test_a_fire_whose_words_were_erased_says_so_and_keeps_its_link():
    fire = a_fire(entry="", terms=(), link="https://example.test/1")
    place = PlaceNames("Home", "ops", "", Visibility.PUBLIC)
    shown = texts(history_lines(FireHistory(ROW, ((fire, place),), 1, 1, 10), FACE))
    assert "@Bob said (erased)" in shown[1]
    assert shown[2:] == ["     https://example.test/1", "1 reminder."]


def test_a_mute_here_names_its_kind_and_its_end():
    mute = Mute(PlaceKind.CONVERSATION, NOW + timedelta(hours=1))
    assert muted_here_line(mute, FACE).text == "All rules are muted here (this thread) until Mon 11:00."
    open_end = muted_here_line(replace(mute, until=None), FACE).text
    assert open_end == "All rules are muted here (this thread) until somebody ends it: /intent unmute --thread"
