"""What is typed behind `/aspire`, and the days it names."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from core.aspirations.commands import Add, Done, Listing, Review, parse_aspire_command
from core.aspirations.dates import check_day, default_review, morning, read_review
from core.aspirations.keys import key_of, place_of
from core.aspirations.text import check_text
from core.errors import InvalidInput, LimitExceeded
from core.limits import LIMITS
from tests.builders import NOW

BERLIN = ZoneInfo("Europe/Berlin")
DAY = date(2026, 12, 31)


def parsed(text):
    return parse_aspire_command(text, NOW, UTC)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("add Improve the checklist (review 2026-12-31)", Add("Improve the checklist", DAY)),
        ("add Improve (the checklist) (Review: 90d)", Add("Improve (the checklist)", date(2027, 2, 28))),
        ("ADD Improve (the checklist)", Add("Improve (the checklist)", None)),
        ("add Review the reviewers (reviewed twice)", Add("Review the reviewers (reviewed twice)", None)),
        ("", Listing()),
        ("list", Listing()),
        ("list --all --page 3", Listing(True, 3)),
        ("list --page 0", Listing()),
        ("review a-7k2m 2026-12-31", Review("a-7k2m", DAY)),
        ("review a-7k2m (review 2026-12-31)", Review("a-7k2m", DAY)),
        ("review 7k2m 2 weeks", Review("7k2m", date(2026, 12, 14))),
        ("done a-7k2m", Done("a-7k2m")),
    ],
)
def test_a_command_says_what_is_wanted(text, wanted):
    assert parsed(text) == wanted


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("add", "Say what you want to come to. For example: /aspire add"),
        ("add (review 2026-12-31)", "Say what you want to come to."),
        ("add Foo (review soon)", "“soon” is no day"),
        ("add Foo (review 2026-02-30)", "2026-02-30"),
        ("review a-7k2m", "Say which aspiration, and on which day"),
        ("review", "Say which aspiration, and on which day"),
        ("review a-7k2m someday", "“someday” is no day"),
        ("done", "by its short name"),
        ("list --page two", "That is no list"),
        ("list checklist", "That is no list"),
        ("reviews x", "There is no /aspire reviews. Did you mean review?"),
        ("zzz", "There is no /aspire zzz."),
    ],
)
def test_what_cannot_be_read_is_refused_with_an_example(text, said):
    with pytest.raises(InvalidInput) as refused:
        parsed(text)
    assert said in str(refused.value)


@pytest.mark.parametrize("text", ["done 2", "review 2 2026-12-31", "done 2 3"])
def test_t045_a_place_in_a_list_names_nothing(text):
    with pytest.raises(InvalidInput, match="short name"):
        parsed(text)


def test_another_reader_of_days_can_be_put_in():
    assert parse_aspire_command("add Foo (review whenever)", NOW, UTC, lambda *_: DAY) == Add("Foo", DAY)


@pytest.mark.parametrize("more", [0, 1])
def test_a_command_is_bounded(more):
    text = "add " + "x" * (LIMITS.command_chars - 4 + more)
    if more:
        with pytest.raises(LimitExceeded):
            parsed(text)
    else:
        parsed(text)


@pytest.mark.parametrize(
    ("today", "day"),
    [
        ("2026-11-30", "2026-12-31"),
        ("2026-12-01", "2026-12-31"),
        ("2026-12-02", "2027-03-31"),
        ("2027-01-01", "2027-03-31"),
        ("2027-06-30", "2027-09-30"),
        ("2027-08-31", "2027-09-30"),
    ],
)
def test_the_default_is_the_end_of_a_quarter_thirty_days_ahead_at_least(today, day):
    assert default_review(date.fromisoformat(today)) == date.fromisoformat(day)


def test_a_length_of_time_ends_on_a_day_of_the_zone():
    late = datetime(2026, 11, 30, 23, 30, tzinfo=UTC)
    assert (read_review("24h", late, UTC), read_review("24h", late, BERLIN)) == (date(2026, 12, 1), date(2026, 12, 2))


def test_the_morning_is_at_nine_on_the_wall_on_both_sides_of_a_clock_change():
    assert morning(date(2026, 10, 24), BERLIN) == datetime(2026, 10, 24, 7, tzinfo=UTC)
    assert morning(date(2026, 10, 25), BERLIN) == datetime(2026, 10, 25, 8, tzinfo=UTC)


@pytest.mark.parametrize("day", [date.min, date.max])
def test_no_day_of_the_calendar_is_too_far_for_a_morning(day):
    assert morning(day, BERLIN).tzinfo is UTC


def test_a_day_is_to_come_and_not_too_far():
    today = NOW.date()
    far = today + LIMITS.aspiration_ahead
    assert check_day(far, NOW, UTC, LIMITS) == far
    assert check_day(today, morning(today, UTC) - timedelta(seconds=1), UTC, LIMITS) == today
    for day, now in [(far + timedelta(days=1), NOW), (today, morning(today, UTC))]:
        with pytest.raises(InvalidInput):
            check_day(day, now, UTC, LIMITS)


def test_a_text_is_bounded_and_has_words():
    most = LIMITS.aspiration_chars
    assert check_text("x" * most, LIMITS) == "x" * most
    with pytest.raises(LimitExceeded, match="501 characters"):
        check_text("x" * (most + 1), LIMITS)
    for text in ["", " \n", "\u200b", "a\0b", "a\ud800"]:
        with pytest.raises(InvalidInput):
            check_text(text, LIMITS)


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Launch Team", "launch-team"),
        ("../../etc/passwd", "etc-passwd"),
        ("CON", "con"),
        ("Émile's space", "emile-s-space"),
        ("東京", "space"),
        ("a\\b:c*d?e\0", "a-b-c-d-e"),
        ("x" * 40, "x" * 40),
        ("x" * 41, "x" * 40),
        ("x" * 500, "x" * 40),
    ],
)
def test_a_file_name_is_safe_everywhere(name, slug):
    key = key_of(12, "home", name)
    assert key.file_name == f"{slug}-{key.code}.md" and place_of(key.code) == 12


def test_a_file_is_of_one_namespace_whatever_it_is_called():
    assert key_of(1, "home", "Home").code == key_of(1, "home", "Renamed").code
    assert key_of(1, "home", "Home").code != key_of(1, "another", "Home").code
