"""Other bots in the terminal: `/bot`, a rule that names one, and the reminder that it sets off."""

import pytest

BUILD = "/bot CI build failed in stage 2"
NAMED = "when @CI mentions build failed, remind me to look at the log"


@pytest.fixture
def with_ci(chat):
    chat(BUILD)
    return chat


def handle(chat):
    return chat.rules()[0].handle


def test_t121_a_rule_that_names_a_bot_hears_it_and_says_so_before_it_is_saved(with_ci):
    shown = with_ci(NAMED)
    assert "│ Listens to the bot CI alone." in shown
    assert "│ On the one message here it would have fired once." in shown
    with_ci("yes", "/as bob")
    place = handle(with_ci)
    shown = with_ci(BUILD)
    assert "Reminder for @ada: Look at the log. (the bot CI posted *build failed*) · 1 of 3" in shown
    assert place in shown
    assert with_ci("build failed", "/bot Other build failed") == ""


def test_a_rule_for_anyone_does_not_hear_a_bot_and_the_preview_tells_how_to(with_ci):
    shown = with_ci("/intent add build failed => Look --anyone")
    assert "it would not have fired." in shown
    assert "(a bot or a webhook wrote it; only a rule that names it, --from, listens to it)" in shown
    with_ci("yes")
    assert with_ci(BUILD) == ""
    shown = with_ci(f"/intent why {handle(with_ci)}")
    assert "✓ an ordinary message, written by a bot or a webhook" in shown
    assert "✗ a bot or a webhook said it, which the rule does not name" in shown


def test_a_rule_for_a_bot_is_quiet_for_a_minute_whatever_is_asked_for(with_ci):
    shown = with_ci("/intent add build failed => Look --from @CI --cooldown 0s --max 9", "yes")
    assert "quiet for 1 min after each" in shown
    place = handle(with_ci)
    assert "Said by: the bot CI" in with_ci(f"/intent show {place}")
    assert "Reminder for" in with_ci(BUILD)
    assert with_ci("/time +59s", BUILD).count("Reminder for") == 0
    assert with_ci("/time +1s", BUILD).count("Reminder for") == 1


def test_a_bot_that_copies_the_reminder_sets_nothing_off(with_ci):
    with_ci("/intent add log => Look at the log --from @CI --cooldown 0s --max 9", "yes")
    copied = with_ci("/bot CI the log").splitlines()[-1].partition("> ")[2]
    assert copied.startswith("Reminder for")
    assert with_ci("/time +25h", f"/bot CI {copied}").count("Reminder for") == 0
    assert "✗ it answers or copies what Remembrancer posted" in with_ci(f"/intent why {handle(with_ci)}")


@pytest.mark.parametrize(
    "command, said",
    [
        ("/bot", "Say which bot speaks, and what it says."),
        ("/bot CI", "Say which bot speaks, and what it says."),
        ("/bot ada hello", "No other bot can be called ada here."),
        ("/bot Remembrancer hello", "No other bot can be called Remembrancer here."),
        ("/bot ! hello", "cannot be a name here"),
        ("/remind @CI in 2h to deploy", "CI is a bot and cannot be reminded."),
    ],
)
def test_what_no_bot_can_do_is_refused(with_ci, command, said):
    before = with_ci.state()
    assert said in with_ci(command)
    assert with_ci.state() == before


def test_a_persons_edit_is_of_their_own_message(with_ci):
    assert "nothing" in with_ci("/edit new words").casefold()
