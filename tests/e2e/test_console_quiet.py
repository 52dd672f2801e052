"""Muting in the terminal: places and single rules."""

import pytest

from tests.e2e.conftest import PASTE

SAY = "the launch checklist"


def handle(chat):
    return chat.rules()[0].handle


def test_a_muted_channel_is_quiet_until_the_mute_ends(ruled):
    shown = ruled("/intent mute --for 2h")
    assert "All rules are quiet in #general until Mon 30 Nov 2026 12:00 UTC. End it: /intent unmute\n" in shown
    assert "Reminder for" not in ruled(SAY)
    assert "Reminder for" in ruled("/time +2h", SAY)


def test_why_says_that_here_is_muted_and_nothing_was_charged(ruled):
    ruled("/intent mute --space", SAY)
    assert "✗ all rules are muted for this space until somebody ends it" in ruled("/intent why")
    assert ruled.rules()[0].fire_count == 0
    assert "Rules are heard again in this whole space." in ruled("/intent unmute --space")
    assert "1 of 3" in ruled(SAY)


def test_list_and_status_line_say_that_here_is_muted(ruled):
    assert "muted" not in ruled("/intent list") + ruled.app.status()
    ruled("/intent mute --for 30min")
    assert ruled.app.status().endswith(" · 1 rule here · muted")
    assert "All rules are muted here (this channel) until Mon 10:30." in ruled("/intent list")
    ruled("/in ops")
    assert "muted" not in ruled("/intent list") + ruled.app.status()
    ruled("/in general", "/time +1h")
    assert "muted" not in ruled.app.status()


def test_a_thread_can_be_muted_alone_and_only_from_inside(ruled):
    assert "This is no thread." in ruled("/intent mute --thread")
    assert "quiet in the thread rollout in #general" in ruled("/thread rollout", "/intent mute --thread")
    assert "Reminder for" not in ruled(SAY)
    assert "Only" not in ruled("/in general") and "Reminder for" in ruled(SAY)


def test_what_is_not_muted_cannot_be_unmuted_and_a_wider_mute_is_named(ruled):
    assert "No mute of this channel is in force.\n│   Mute it: /intent mute\n" in ruled("/intent unmute")
    ruled("/intent mute --space")
    assert "The whole space is muted: /intent unmute --space" in ruled("/intent unmute")
    ruled("/intent mute")
    assert "But this space is still muted: /intent unmute --space" in ruled("/intent unmute")


@pytest.mark.parametrize("place", ["/in vault --private", "/dm"])
def test_a_private_place_mutes_itself_alone(ruled, place):
    ruled(place)
    assert "only that place itself can be muted" in ruled("/intent mute --space")
    ruled("/intent mute")
    assert "Reminder for" in ruled("/in general", SAY)


def test_a_member_mutes_nothing(ruled):
    shown = ruled("/as bob", "/intent mute", "/intent unmute", "/intent mute --space")
    assert shown.count("Only owners of this space can mute a place.") == 3
    assert "There is no rule" in ruled(f"/intent mute {handle(ruled)}")
    assert "Reminder for" in ruled(SAY)


@pytest.mark.parametrize("span", ["0s", "366d"])
def test_a_span_out_of_bounds_is_refused(ruled, span):
    before = ruled.state()
    assert "That is no length of time for a mute." in ruled(f"/intent mute --for {span}")
    assert ruled.state() == before


def test_one_rule_is_quiet_here_and_others_are_not(ruled):
    ruled("/intent add checklist => Count them --anyone", "yes")
    launch, place = ruled.rules()[1], "stays quiet in #general. Wake it there: /intent unmute"
    assert place in ruled(f"/intent mute {launch.handle}")
    shown = ruled(SAY)
    assert "Count them." in shown and "Confirm the rollback owner" not in shown
    assert "✗ said in a place where the rule stays quiet" in ruled(f"/intent why {launch.handle}")
    assert "is muted here already" in ruled(f"/intent mute {launch.handle}")
    assert "is heard in #general again." in ruled(f"/intent unmute {launch.handle}")
    assert "is not muted here" in ruled(f"/intent unmute {launch.handle}")
    assert "Confirm the rollback owner" in ruled(SAY)


def test_one_rule_is_quiet_in_a_thread_alone(ruled):
    ruled("/thread rollout", f"/intent mute {handle(ruled)}")
    assert "Reminder for" not in ruled(SAY)
    assert "Reminder for" in ruled("/in general", SAY)


def test_a_preview_counts_in_that_here_is_muted(chat):
    chat(SAY, "/intent mute")
    assert "it would not have fired; 1 matched, but rules are muted here." in chat(PASTE)


def test_settings_show_no_mutes(ruled):
    before = ruled("/settings")
    assert ruled("/intent mute", "/settings").endswith(before)
