"""Lines as segments: what fills a field keeps what it is."""

from datetime import UTC, datetime

import pytest

from core.standing.durations import Moment, show_moment
from core.turn import Principal
from core.wording.lines import Line, Mood, Named, Segment, apart, joined, line

ADA = Principal("discord", "99", "42")
AT = datetime(2027, 3, 1, 10, 0, tzinfo=UTC)


def said(text, mood=Mood.PLAIN):
    return Line((Segment(text),), mood)


def texts(found):
    return [one.text for one in found]


# what fills a field


def test_a_time_in_a_field_stays_a_time_and_reads_as_before():
    found = line("mute.done", place="here", time=show_moment(AT, UTC), option="")
    [moment] = [one.moment for one in found.segments if one.moment is not None]
    assert (moment.at, moment.full) == (AT, True)
    assert found.text == "All rules are quiet in here until Mon 1 Mar 2027 10:00 UTC. End it: /intent unmute"


def test_the_words_of_a_time_that_somebody_typed_are_no_time():
    found = line("mute.done", place="here", time=str(show_moment(AT, UTC)) + "", option="")
    assert not any(isinstance(one.moment, Moment) for one in found.segments)


def test_a_named_person_in_a_field_is_known_and_a_name_alone_is_not():
    named = line("reminder.head", creator=Named("ada", ADA), text="x", sender="bob", entry="y")
    assert [one.text for one in named.segments if one.who == ADA] == ["ada"]
    assert not any(one.who for one in line("reminder.head", creator="ada", text="x", sender="b", entry="y").segments)


# several lines


@pytest.mark.parametrize("parts", [["a"], ["a", "b"]])
def test_a_single_fact_stays_beside_what_is_said(parts):
    [only] = apart([said(part) for part in parts])
    assert only.text == " · ".join(parts)
    assert only.mood is Mood.PLAIN


def test_several_facts_stand_faint_below_what_is_said():
    first, facts = apart([said("a", Mood.WARNING), said("b", Mood.GOOD), said("c")])
    assert (first.text, first.mood) == ("a", Mood.WARNING)
    assert (facts.text, facts.mood) == ("b · c", Mood.FAINT)


def test_facts_are_kept_apart_as_asked_for_and_keep_their_segments():
    people = Line((Segment("c", people=True),))
    assert texts(apart((said("a"), said("b"), people), ", ")) == ["a", "b, c"]
    assert apart((said("a"), said("b"), people))[1].segments[-1].people
    assert texts(apart((said("a"), said("b")), ", ")) == ["a, b"]


def test_joined_lines_have_the_mood_of_the_first_and_none_are_none():
    assert joined([said("a", Mood.BAD), said("b")]) == Line((Segment("a"), Segment(" "), Segment("b")), Mood.BAD)
    assert joined([]) == Line(())
