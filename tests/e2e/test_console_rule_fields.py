"""Exceptions, delivery and quiet times, typed in the terminal."""

from datetime import timedelta

import pytest

from core.standing.intent import ChannelScope, CooldownPer, Deliver
from tests.e2e.conftest import PASTE

ADD = "/intent add bug => File it --anyone"


@pytest.fixture
def places(chat):
    """Ada has been in #ops, its thread rollout, #random and #secret; she is in #general."""
    chat("/in ops", "/thread rollout", "/in random", "/in secret --private", "/in general")
    return chat


def saved(chat, *lines):
    assert "Saved as" in chat(*lines, "yes")
    return chat.rules()[0]


def test_a_rule_is_made_with_exceptions_and_stays_quiet_there(places):
    row = saved(places, f"{ADD} --scope space --cooldown 0s --except #random, ops/rollout")
    assert len(row.except_in) == 2
    assert "Reminder for" not in places("/in random", "a bug", "/in ops", "/thread rollout", "a bug")
    assert "Reminder for" in places("/in ops", "a bug")
    listed = places("/intent list --all", f"/intent show {row.handle}")
    assert listed.count("quiet in #random, the thread rollout in #ops") == 2


def test_exceptions_are_changed_and_taken_away(places):
    row = saved(places, f"{ADD} --scope space --except random")
    shown = places(f"/intent edit {row.handle} --except Ops --per sender --deliver dm")
    assert "quiet in #ops; told by direct message only" in shown
    assert "The quiet time is counted for each person apart." in shown
    assert "quiet in" not in places(f"/intent edit {row.handle} --except none")
    assert places.rules()[0].except_in == ()
    assert "posted in #random" in places(f"/intent edit {row.handle} --deliver #random")


@pytest.mark.parametrize("name", ["#nowhere", "nowhere", "#secret", "dm:ada", "general/nothing"])
@pytest.mark.parametrize("option", ["--except {}", "--deliver #{}"])
def test_a_place_that_may_not_be_named_reads_the_same_as_none(places, name, option):
    if "deliver" in option:
        name = name.removeprefix("#")
    row = saved(places, ADD.replace("bug", "budget"))
    for command in (f"{ADD} {option.format(name)}", f"/intent edit {row.handle} {option.format(name)}"):
        shown = places(command)
        assert f"You know no public channel called “{name.removeprefix('#')}” here." in shown
        assert "Name one of: #general, #ops, #random." in shown
    assert places.rules() == (row,)


def test_the_private_channel_where_it_is_made_can_be_named(places):
    assert "in the private channel #secret; nothing of it leaves" in places("/in secret", f"{ADD} --deliver #secret")
    assert saved(places, f"{ADD} --deliver #secret").deliver is Deliver.PLACE
    refused = places("/intent add budget => Look --anyone --deliver #ops")
    assert "What is made in a private channel is posted there, or told to you by direct message." in refused


def test_what_is_made_in_a_direct_message_is_delivered_there(places):
    assert "delivered there, nowhere else" in places("/dm", f"{ADD} --deliver #ops")
    assert saved(places, f"{ADD} --deliver dm").deliver is Deliver.HERE


def test_a_sentence_names_places_and_how_often(places):
    shown = places(
        "when someone mentions the bug in this server but not in #random, remind me in #ops to file it, "
        "once an hour per person"
    )
    assert "Quiet in #random" in shown
    assert "The reminder will be posted publicly in #ops, wherever it is said." in shown
    assert "The quiet time is counted for each person apart." in shown
    row = saved(places)
    assert (row.channel_scope, row.cooldown_per, row.cooldown) == (
        ChannelScope.SPACE,
        CooldownPer.SENDER,
        timedelta(hours=1),
    )
    assert (len(row.except_in), row.deliver) == (1, Deliver.PLACE)


def test_a_sentence_that_names_an_unknown_channel_is_refused(places):
    shown = places("when someone mentions the bug, but not in #nowhere, remind me to file it")
    assert "You know no public channel called “nowhere” here." in shown
    assert places.rules() == ()


def test_a_private_word_is_kept(places):
    shown = places("when someone mentions the bug, tell me privately to file it")
    assert "Told to you by direct message only" in shown
    assert saved(places).deliver is Deliver.DIRECT


def test_the_same_rule_twice_is_refused_with_the_name_of_the_first(ruled):
    handle = ruled.rules()[0].handle
    shown = ruled(PASTE)
    assert f"Your rule {handle} waits for the same words here already." in shown
    assert f"/intent edit {handle}" in shown
    assert ruled.rules()[0].handle == handle and len(ruled.rules()) == 1


def test_a_rule_that_was_made_while_the_question_stood_is_found_at_the_yes(chat):
    chat(PASTE)
    asked = chat.app._asked
    chat("/help", "yes")
    chat.app._asked = asked
    assert "waits for the same words here already" in chat("yes")
    assert len(chat.rules()) == 1


def test_another_owner_may_make_the_same_rule(ruled):
    assert "Saved as" in ruled("/as bob", "/as ada", "/owner bob", "/as bob", PASTE, "yes")


def test_look_alike_letters_are_said_in_list_and_show(chat):
    row = saved(chat, "/intent add l\u0430unch => Look --anyone")
    assert "Look closely: l\u0430unch mixes letters of" in chat("/intent list")
    assert "Look closely: l\u0430unch mixes letters of" in chat(f"/intent show {row.handle}")
