"""What is owed to people on Telegram reaches them once: limits, broken lines, places and people that are gone."""

import pytest

from tests.fakes.bots import RULE, make, replies, reply_to
from tests.fakes.telegram import errors

pytestmark = pytest.mark.thorough

OFTEN = f"{RULE} --cooldown 0s --max 50"
TEXT = "Confirm the rollback owner"


@pytest.fixture(autouse=True)
def faultless(world):
    """No fault is left for the next test, and nothing was sent before a wait was over."""
    yield
    world.faults.clear()
    world.flood.off()
    sent = [call for call in world.early if call.method.startswith(("send", "edit"))]
    assert sent == [], sent


def notice(world, who, part, seconds=8.0):
    """What the bot tells a person in their private chat."""
    return world.until(lambda: world.said(who, part), seconds, f"{part!r} told to {who}")


def waits(world, chat, method="sendMessage", count=1):
    """Wait until a request of the bot for a chat has come in."""
    world.until(lambda: sum(call.method == method and call.chat_id == chat.id for call in world.calls) >= count)


def test_an_update_that_comes_again_fires_once_and_is_obeyed_once(world, bot, ada, bob, ops):
    make(world, ada, ops, OFTEN)
    said = bob.says(ops, "launch checklist")
    reply_to(world, said)
    command = ada.says(ops, "/intent add zebra => Feed it")
    reply_to(world, command)
    world.settled()
    bot.redelivers(2)
    world.settled()
    world.stays(lambda: len(replies(world, said)) == len(replies(world, command)) == 1, 0.5, "once each")


def test_t195_t197_a_wait_that_telegram_asks_for_is_waited_for_and_nothing_is_lost(world, bot, ada, bob, ops):
    make(world, ada, ops, OFTEN)
    other = world.supergroup("Other", creator=ada, members=[bob, bot])
    make(world, ada, other, OFTEN)
    reply_to(world, ada.says(ops, "/remind in 2 seconds stretch"), "Stretch")
    fault = world.faults.retry_after("sendMessage", 3, chat=ops)
    world.until(lambda: fault.happened, what="the timed reminder is refused for now")
    [limited] = [call for call in world.calls if call.chat_id == ops.id and call.status == 429]
    said = [bob.says(ops, f"launch checklist {number}") for number in range(3)]
    command = ada.says(ops, "/help")
    assert TEXT in reply_to(world, bob.says(other, "launch checklist"), seconds=2).text
    for one in (*said, command):
        reply_to(world, one)
    assert all(len(replies(world, one)) == 1 for one in said)
    assert len([one for one in world.bot_messages(ops) if one.text.startswith("Reminder for @ada: Stretch")]) == 1
    assert all(call.at >= limited.at + 3 for call in world.sends(ops) if call.at > limited.at)


def test_with_the_limits_of_telegram_everything_arrives_once_and_in_order(world, ada, bob, ops):
    make(world, ada, ops, OFTEN)
    world.flood.on()
    said = [bob.says(ops, f"launch checklist {number}") for number in range(4)]
    for one in said:
        reply_to(world, one, seconds=15)
    reminders = [one.reply_to for one in world.bot_messages(ops) if one.reply_to in said]
    assert reminders == said
    assert world.flood.refused


def test_t153_an_error_of_the_service_and_a_broken_line_delay_a_message_and_stop_nothing(world, bot, ada, bob):
    said = []
    for name, fault in (
        ("500", lambda chat: world.faults.fail("sendMessage", errors.internal(), chat=chat)),
        ("502", lambda chat: world.faults.fail("sendMessage", errors.bad_gateway(page=True), chat=chat)),
        ("dropped", lambda chat: world.faults.drop_before("sendMessage", chat=chat)),
    ):
        chat = world.supergroup(name, creator=ada, members=[bob, bot])
        make(world, ada, chat, OFTEN)
        fault(chat)
        said += [bob.says(chat, "launch checklist"), bob.says(chat, "launch checklist again")]
    for one in said:
        reply_to(world, one)
    world.stays(lambda: all(len(replies(world, one)) == 1 for one in said), what="once each")


def test_an_answer_of_telegram_that_is_lost_may_repeat_a_message_once(world, ada, bob, ops):
    make(world, ada, ops)
    world.faults.drop_after("sendMessage", chat=ops)
    said = bob.says(ops, "launch checklist")
    world.until(lambda: len(replies(world, said)) == 2, 8, "the repetition")
    world.stays(lambda: len(replies(world, said)) == 2, what="no third")
    assert len({one.text for one in replies(world, said)}) == 1


def test_t155_a_line_that_is_down_for_a_while_loses_nothing(world, ada, bob, ops):
    make(world, ada, ops)
    reply_to(world, ada.says(ops, "/remind in 1 second stretch"))
    world.settled()
    world.goes_dark()
    try:
        said = bob.says(ops, "launch checklist")
        world.stays(lambda: replies(world, said) == [], 1.5, "dark")
    finally:
        world.comes_back()
    assert TEXT in reply_to(world, said, seconds=15).text
    world.until(lambda: [one for one in world.bot_messages(ops) if one.labels == ["Done", "Later"]], 15, "the reminder")


def test_t213_t215_a_reminder_of_a_message_that_was_deleted_meanwhile_is_no_reply(world, ada, bob, ops):
    make(world, ada, ops)
    before = len(world.bot_messages(ops))
    world.faults.delay("sendMessage", 0.5, chat=ops)
    said = bob.says(ops, "launch checklist")
    waits(world, ops, count=before + 1)
    bob.deletes(said)
    world.until(lambda: len(world.bot_messages(ops)) == before + 1)
    reminder = world.bot_messages(ops)[-1]
    assert TEXT in reminder.text
    assert reminder.reply_to is None


def test_t011_where_a_topic_is_gone_the_owner_is_told_privately_and_the_fire_does_not_count(
    world, bot, ada, bob, process
):
    forum = world.forum("Forum", creator=ada, members=[bob, bot])
    topic = forum.topic("Launch")
    handle = make(world, ada, topic)
    sent = len(world.bot_messages(forum))
    world.faults.delay("sendMessage", 0.5, chat=forum)
    bob.says(topic, "launch checklist")
    waits(world, forum, count=sent + 1)
    topic.deleted = True
    told = notice(world, ada, "could not be delivered")
    assert handle in told.text
    assert TEXT in told.text
    assert len(world.bot_messages(forum)) == sent
    assert process.rules()[handle].fire_count == 0


def test_what_a_person_who_blocked_the_bot_was_to_read_is_not_read_by_others(world, bot, ada, bob, ops, process):
    handle = make(world, ada, ops, "budget => Ask for the secret sheet --anyone --deliver dm")
    ada.blocks(bot)
    before = len(world.bot_messages(ops))
    bob.says(ops, "the budget?")
    world.until(lambda: len(world.bot_messages(ops)) == before + 1)
    public = world.bot_messages(ops)[-1]
    assert public.text == "@ada: I have something to tell you and cannot write to you. Open a private chat with me."
    assert [one["user"]["id"] for one in public.payload["entities"]] == [ada.id]
    world.stays(lambda: len(world.bot_messages(ops)) == before + 1, what="one line")
    assert process.rules()[handle].fire_count == 0


def test_t009_whoever_cannot_be_written_to_is_warned_when_the_rule_is_made(world, ada, bob, ops):
    world.sets(ops, bob, "administrator")
    words = "cannot write to you"
    rule = "/intent add budget => Ask for the sheet --anyone --deliver dm"
    assert words in reply_to(world, bob.says(ops, rule)).text
    assert words in reply_to(world, bob.says(ops, "/remind --dm in 2h check the logs")).text
    assert words not in reply_to(world, bob.says(ops, "/remind in 2h check the logs")).text
    assert words not in reply_to(world, ada.says(ops, rule)).text
    assert words not in reply_to(world, ada.says(ops, "/remind --dm in 2h check the logs")).text


def test_reminders_of_one_chat_keep_their_order_when_one_is_slow(world, ada, bob, ops):
    make(world, ada, ops, OFTEN)
    world.faults.delay("sendMessage", 0.7, chat=ops)
    said = [bob.says(ops, f"launch checklist {number}") for number in range(5)]
    for one in said:
        reply_to(world, one)
    assert [one.reply_to for one in world.bot_messages(ops) if one.reply_to in said] == said


def test_t191_formatting_that_is_refused_is_sent_as_plain_text_and_signs_as_typed(world, ada, bob, ops):
    make(world, ada, ops, "paste => (a => b) [x] = <y> _z* --anyone")
    fault = world.faults.fail("sendMessage", errors.cant_parse_entities(), chat=ops)
    reminder = reply_to(world, bob.says(ops, "a paste"))
    assert fault.happened == 1
    assert "(a => b) [x] = <y> _z*" in reminder.text
    assert not [one for one in reminder.payload.get("entities", ()) if one["type"] in {"bold", "text_mention"}]


def test_t201_a_list_that_is_too_long_for_one_message_is_split_and_nothing_is_lost(world, ada, ops):
    texts = [f"Number {number} " + "word " * 95 + f"end{number}" for number in range(10)]
    for number, text in enumerate(texts):
        make(world, ada, ops, f"word{number} => {text}")
    before = len(world.bot_messages(ada))
    reply_to(world, ada.says(ops, "/intent list"), "privately")
    parts = world.bot_messages(ada)[before:]
    assert len(parts) > 1
    together = "\n".join(one.text for one in parts)
    assert all(f"end{number}" in together for number in range(10))
