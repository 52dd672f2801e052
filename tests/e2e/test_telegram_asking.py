"""Who asks the bot for something on Telegram, and who only seems to."""

import pytest

from core.timed.kept import TimedFilter
from tests.fakes.bots import HANDLE, make, replies, reply_to

pytestmark = pytest.mark.thorough


def silent(world, said):
    """Nobody replies."""
    world.settled()
    world.stays(lambda: replies(world, said) == [], what="silence")


def clocks(process):
    """The texts of all timed reminders."""
    with process.reading() as tx:
        return [row.text for row in tx.timed.list(TimedFilter(), 1_000, 0)]


def test_t199_what_is_forwarded_asks_for_nothing_and_counts_as_talk(world, bot, ada, bob, ops, process):
    wish = bob.says(world.supergroup("Else", creator=bob), "remind me in 2 hours to pay Bob")
    silent(world, ada.forwards(wish, ops))
    silent(world, ada.forwards(wish, ops, hidden=True))
    ada.forwards(wish, bot)
    world.settled()
    assert "pay Bob" not in "".join(clocks(process))
    make(world, ada, ops)
    said = bob.says(world.supergroup("Third", creator=bob), "the launch checklist")
    assert "Confirm" in reply_to(world, bob.forwards(said, ops)).text


def test_a_command_under_a_picture_is_a_command(world, ada, bob, ops):
    made = reply_to(world, bob.sends(ops, "photo", "/remind in 2h look at this"))
    assert HANDLE.search(made.text)[0].startswith("r-")


def test_t185_a_sentence_of_an_anonymous_administrator_is_answered_with_how_to_do_it(world, ada, ops, process):
    told = reply_to(world, ada.says(ops, "when someone mentions gnus, remind me to look", anonymous=True))
    assert "Remain anonymous" in told.text
    assert not any(row.description == "Look" for row in process.rules().values())


def test_t207_a_command_posted_in_a_channel_is_nobodys(world, bot, ada, bob):
    group = world.supergroup("Talk", creator=ada, members=[bob, bot])
    channel = world.channel("News", creator=ada, members=[bot], discussion=group)
    ada.says(channel, "/remind in 2h look")
    ada.says(channel, "remind me in 2 hours to look")
    world.settled()
    world.stays(lambda: world.bot_messages(channel) == world.bot_messages(group) == [], what="silence")


def test_a_reminder_is_put_off_by_whoever_it_is_for(world, ada, bob, ops):
    make(world, ada, ops)
    reminder = reply_to(world, bob.says(ops, "launch checklist"))
    refused = bob.presses(reminder, "Later")
    world.until(lambda: refused.answered)
    assert refused.alert
    assert "Later" in reminder.labels


def test_t133_whose_reminder_was_cancelled_is_told_by_whom(world, bot, ada, bob, ops):
    bob.starts(bot)
    handle = HANDLE.search(reply_to(world, bob.says(ops, "/remind in 2h check the logs")).text)[0]
    question = reply_to(world, ada.says(ops, f"/remind cancel {handle}"))
    ada.presses(question, question.labels[0])
    told = world.until(lambda: world.said(bob, handle), timeout=8)
    assert "ada cancelled" in told.text


def test_a_list_of_reminders_is_turned_by_buttons(world, ada, ops):
    for number in range(11):
        reply_to(world, ada.says(ops, f"/remind in {number + 2}h text{number}."))
    reply_to(world, ada.says(ops, "/remind list"), "privately")
    page = world.bot_messages(ada)[-1]
    assert page.labels == ["Older ›"]
    ada.presses(page, "Older ›")
    world.until(lambda: "text10" in page.text.lower())
    assert page.labels == ["‹ Newer"]


def test_a_second_tap_puts_a_reminder_off_once(world, ada, bob, ops, process):
    make(world, ada, ops, "gnu => Feed the gnu --anyone")
    reminder = reply_to(world, bob.says(ops, "a gnu"))
    ada.presses(reminder, "Later")
    world.until(lambda: "In 1 hour" in reminder.labels)
    data = reminder.button("In 1 hour")["callback_data"]
    taps = [ada.presses(reminder, data, stale=True) for _ in range(2)]
    world.until(lambda: all(tap.answered for tap in taps))
    assert sorted(tap.shown.split()[0] for tap in taps) == ["Again", "This"]
    assert clocks(process).count("Feed the gnu") == 1


def test_a_user_name_goes_before_the_names_that_others_give_themselves(world, ada, bob, ops):
    carol, other = world.person("Real", "carol"), world.person("Carol", "evey")
    for one in (carol, other):
        one.joins(ops)
        one.says(ops, "hello")
    assert "@\u2060carol" in reply_to(world, bob.says(ops, "/remind @carol in 2h the secret is 42")).text
    twins = [world.person("Dan", name) for name in ("dan_one", "dan_two")]
    for one in twins:
        one.joins(ops)
        one.says(ops, "hello")
    assert "r-" not in reply_to(world, bob.says(ops, "/remind @Dan in 2h which one")).text


def test_aspirations_are_listed_privately_however_it_is_spelt(world, ada, ops):
    reply_to(world, ada.says(ops, "/aspire add improve the checklist"))
    for spelt in ("/aspire List", "/aspire ls", "/aspire"):
        reply_to(world, ada.says(ops, spelt), "privately")


def test_one_chat_that_floods_the_bot_holds_up_no_other(world, bot, ada, bob, ops):
    other = world.supergroup("Other", creator=ada, members=[bot])
    world.flood.on()
    try:
        for _ in range(40):
            bob.says(ops, "/help")
        reply_to(world, ada.says(other, "/privacy"), "rule")
    finally:
        world.flood.off()


def test_only_an_owner_is_asked_for_a_rule_by_the_menu_and_only_a_reply_answers(world, ada, bob, ops):
    menu = reply_to(world, ada.says(ops, "/intent"))
    refused = bob.presses(menu, "New rule")
    world.until(lambda: refused.answered)
    assert "Only owners" in refused.shown
    ada.presses(menu, "New rule")
    world.until(lambda: world.said(ops, "listen for"))
    silent(world, ada.says(ops, "just talk"))
