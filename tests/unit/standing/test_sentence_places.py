"""What a sentence says beside who, what and when: where to stay quiet, where to deliver, how often."""

from datetime import timedelta

import pytest

from core.standing.intent import ChannelScope, CooldownPer, Deliver
from core.standing.saidlimits import Unread
from core.standing.sentences import Kind, parse_sentence

DAY, HOUR = timedelta(days=1), timedelta(hours=1)


def rule(text):
    found = parse_sentence(text)
    assert found is not None and found.kind is Kind.RULE
    return found


@pytest.mark.parametrize(
    "said, names",
    [
        ("the bug, but not in #random", ("random",)),
        ("the bug but not in #random", ("random",)),
        ("the bug, except in #random and #offtopic", ("random", "offtopic")),
        ("the bug, except in #random, #b and #c", ("random", "b", "c")),
        ("the bug outside of #x", ("x",)),
        ("the bug outside #x", ("x",)),
        ("the bug, but not in #random or in #Offtopic", ("random", "Offtopic")),
        ("the bug, but not in #random or #random", ("random",)),
    ],
)
def test_channels_in_which_it_stays_quiet_leave_the_words(said, names):
    for text in (
        f"when someone mentions {said}, remind me to file it",
        f"remind me to file it when someone mentions {said}",
        f"remind me when someone mentions {said} to file it",
    ):
        found = rule(text)
        assert (found.triggers, found.description, found.except_in) == (("bug",), "File it", names)


def test_the_place_where_it_listens_is_said_beside_it():
    found = rule("when someone mentions the bug in this server but not in #random, remind me to file it")
    assert (found.triggers, found.scope, found.except_in) == (("bug",), ChannelScope.SPACE, ("random",))
    found = rule("when someone mentions the bug in #ops, remind me to file it")
    assert (found.place, found.except_in, found.delivery) == ("ops", (), None)


@pytest.mark.parametrize(
    "said, triggers",
    [
        ("the bug but not in random", ("bug -in -random",)),
        ("the bug but not #random", ("bug -#random",)),
        ("the bug but not wontfix", ("bug -wontfix",)),
        ('the bug but not in "#random"', ('bug -in -"#random"',)),
        ("the bug except #random", ("bug except #random",)),
    ],
)
def test_what_is_no_certain_exception_is_read_as_words(said, triggers):
    found = rule(f"when someone mentions {said}, remind me to file it")
    assert (found.triggers, found.except_in) == (triggers, ())


def test_an_exception_in_the_reminder_stays_in_it():
    found = rule("when someone mentions the bug, remind me to post it everywhere, except in #random")
    assert (found.description, found.except_in) == ("Post it everywhere, except in #random", ())


@pytest.mark.parametrize(
    "how",
    [
        "tell me privately",
        "remind me privately",
        "remind me in private",
        "tell me by DM",
        "ping me via dm",
        "remind me in a DM",
        "remind me in a direct message",
        "remind me by direct message",
        "remind me in a private message",
    ],
)
def test_privately_means_by_direct_message(how):
    found = rule(f"when someone mentions the bug, {how} to file it")
    assert (found.description, found.delivery.deliver, found.delivery.place) == ("File it", Deliver.DIRECT, "")


@pytest.mark.parametrize(
    "text",
    [
        "when someone mentions the bug, remind me in #ops to file it",
        "remind me in #ops to file it when someone mentions the bug",
        "remind me in #ops when someone mentions the bug to file it",
        "when someone mentions the bug, ping us in #ops to file it",
        "when someone mentions the bug, remind me at most twice in #ops to file it",
        "when someone mentions the bug, remind me in #ops at most twice to file it",
    ],
)
def test_a_channel_behind_remind_me_is_where_the_reminder_goes(text):
    found = rule(text)
    assert (found.description, found.place, found.triggers) == ("File it", "", ("bug",))
    assert (found.delivery.deliver, found.delivery.place) == (Deliver.PLACE, "ops")
    assert found.limits.times == (2 if "twice" in text else 0)


def test_here_is_where_it_is_said():
    assert rule("remind me here to file it when someone mentions the bug").delivery.deliver is Deliver.HERE


@pytest.mark.parametrize(
    "text, description",
    [
        ("when someone mentions the bug, remind me to answer by DM", "Answer by DM"),
        ("when someone mentions the bug, remind me to post it in #ops", "Post it in #ops"),
        ("when someone mentions the bug, remind me privately", "Privately"),
    ],
)
def test_a_way_of_delivery_in_the_reminder_stays_in_it(text, description):
    found = rule(text)
    assert (found.description, found.delivery) == (description, None)


@pytest.mark.parametrize(
    "said, cooldown, per",
    [
        ("at most once a day", DAY, None),
        ("only once an hour", HOUR, None),
        ("no more than once per week", timedelta(weeks=1), None),
        ("at most once every 2 hours", 2 * HOUR, None),
        ("once an hour per person", HOUR, CooldownPer.SENDER),
        ("once an hour for each person", HOUR, CooldownPer.SENDER),
        ("at most one time a day for every member", DAY, CooldownPer.SENDER),
        ("at most once a day per channel", DAY, CooldownPer.CONVERSATION),
        ("at most once a day in each thread", DAY, CooldownPer.CONVERSATION),
    ],
)
def test_how_often_is_a_quiet_time(said, cooldown, per):
    for text in (
        f"when someone mentions the bug, remind me to file it {said}",
        f"when someone mentions the bug, remind me to file it, {said}",
        f"when someone mentions the bug, remind me {said} to file it",
        f"remind me to file it when someone mentions the bug, {said}",
    ):
        found = rule(text)
        assert (found.description.rstrip(","), found.triggers) == ("File it", ("bug",))
        assert (found.limits.cooldown, found.limits.per) == (cooldown, per)
        assert (found.limits.times, found.limits.unread) == (0, ())


def test_a_number_and_how_often_go_together():
    limits = rule("when someone mentions the bug, remind me to file it, at most 3 times and at most once a day").limits
    assert (limits.times, limits.cooldown) == (3, DAY)


def test_exceptions_and_how_often_stand_in_either_order():
    for tail in ("but not in #random, at most once a day", "at most once a day, but not in #random"):
        found = rule(f"when someone mentions the bug, {tail}, remind me to file it")
        assert (found.triggers, found.except_in, found.limits.cooldown) == (("bug",), ("random",), DAY)


@pytest.mark.parametrize(
    "said", ["once a day", "at most twice a day", "at most 3 times per person", "twice per person"]
)
def test_how_often_that_is_not_certain_or_not_possible_stays_in_the_reminder_and_is_said(said):
    found = rule(f"when someone mentions the bug, remind me to stretch {said}")
    assert found.description == f"Stretch {said}"
    assert (found.limits.cooldown, found.limits.per) == (None, None)
    assert found.limits.unread == ((Unread.RATE_IN_REMINDER, said),)
