"""A group on Telegram: the real library over real sockets, the bot in a process of its own."""

from tests.fakes.bots import HANDLE, make, reply_to


def test_a_rule_made_by_command_fires_at_the_words_of_another_member(world, ada, bob, ops):
    handle = make(world, ada, ops)
    said = bob.says(ops, "is the launch checklist ready?")
    reminder = reply_to(world, said)
    assert reminder.text.startswith("Reminder for @ada: Confirm the rollback owner. (@\u2060bob said launch checklist)")
    assert handle in reminder.text
    [mention] = [one for one in reminder.payload["entities"] if one["type"] == "text_mention"]
    assert mention["user"]["id"] == ada.id
    assert reminder.labels == ["Done", "Later", "Mute here", "Why?"]
    again = bob.says(ops, "launch checklist again")
    world.stays(lambda: all(one.reply_to is not again for one in world.bot_messages(ops)), what="quiet")


def test_a_sentence_of_an_owner_makes_a_rule_and_that_of_a_member_does_not(world, ada, bob, ops):
    sentence = "when someone mentions the budget, remind me to ask for the sheet"
    bob.says(ops, sentence)
    asked = ada.says(ops, sentence)
    question = reply_to(world, asked)
    assert "anyone" in question.text
    ada.presses(question, "Yes, save it")
    world.until(lambda: "Saved as" in question.text)
    assert question.labels == []
    assert len(world.bot_messages(ops)) == 1
    assert "Ask for the sheet" in reply_to(world, bob.says(ops, "what about the budget?")).text


def test_a_question_is_answered_by_whoever_was_asked_alone_and_once(world, ada, bob, ops, process):
    question = reply_to(world, ada.says(ops, "/intent add zebra => Feed it"))
    press = bob.presses(question, "Yes, save it")
    world.until(lambda: press.answer is not None)
    assert press.answer["show_alert"]
    assert "Only @ada" in press.answer["text"]
    ada.presses(question, "Anyone here")
    world.until(lambda: "anyone" in question.text)
    first, second = ada.presses(question, "Yes, save it"), ada.presses(question, "Yes, save it", stale=True)
    world.until(lambda: first.answer is not None and second.answer is not None)
    assert question.text.count("Saved as") == 1
    assert sum(row.description == "Feed it" for row in process.rules().values()) == 1


def test_done_under_a_reminder_is_acknowledged_by_its_owner(world, ada, bob, ops):
    make(world, ada, ops)
    reminder = reply_to(world, bob.says(ops, "launch checklist?"))
    refused = bob.presses(reminder, "Done")
    world.until(lambda: refused.answer is not None)
    assert refused.answer["show_alert"]
    assert "Done" in reminder.labels
    ada.presses(reminder, "Done")
    world.until(lambda: reminder.labels == ["✓ Done – ada"])


def test_a_reminder_is_put_off_and_comes_again(world, ada, bob, ops):
    make(world, ada, ops)
    reminder = reply_to(world, bob.says(ops, "launch checklist?"))
    ada.presses(reminder, "Later")
    world.until(lambda: reminder.labels == ["In 1 hour", "In 3 hours", "In a day", "In a week"])
    ada.presses(reminder, "In 3 hours")
    world.until(lambda: len(reminder.labels) == 1)
    assert reminder.labels[0].startswith("Again ")
    listed = ada.says(ops, "/remind list")
    reply_to(world, listed, "privately")
    assert "Confirm the rollback owner" in world.bot_messages(ada)[-1].text


def test_why_is_told_privately_and_mute_here_keeps_it_quiet(world, ada, bob, ops):
    handle = make(world, ada, ops, "launch => Confirm --anyone --cooldown 0s")
    reminder = reply_to(world, bob.says(ops, "launch?"))
    why = ada.presses(reminder, "Why?")
    world.until(lambda: why.answer is not None)
    told = world.bot_messages(ada)[-1].text
    assert f"{handle} fired" in told
    assert "@\u2060bob said launch" in told
    mute = ada.presses(reminder, "Mute here")
    world.until(lambda: mute.answer is not None)
    quiet = bob.says(ops, "launch again")
    world.stays(lambda: all(one.reply_to is not quiet for one in world.bot_messages(ops)), what="muted")


def test_a_list_is_told_privately_and_its_pages_are_turned_by_buttons(world, ada, ops):
    for number in range(11):
        make(world, ada, ops, f"word{number} => Text {number}")
    reply_to(world, ada.says(ops, "/intent list"), "privately")
    page = world.bot_messages(ada)[-1]
    assert "Text 10" in page.text
    assert "Text 0." not in page.text
    assert page.labels == ["Older ›"]
    ada.presses(page, "Older ›")
    world.until(lambda: "Text 0." in page.text)
    assert page.labels == ["‹ Newer"]


def test_an_answer_waits_for_somebody_who_never_pressed_start(world, bot, bob):
    group = world.supergroup("Quiet", creator=bob, members=[bot])
    note = reply_to(world, bob.says(group, "/intent list"))
    assert "private chat" in note.text
    assert note.buttons[0]["url"] == f"https://t.me/{bot.username}?start=answer"
    bob.starts(bot, "answer")
    world.until(lambda: "No rules" in "".join(world.bot_texts(bob)), what="the answer")


def test_another_member_cannot_cancel_and_reads_the_same_as_for_what_is_not_there(world, ada, bob, ops, process):
    handle = make(world, ada, ops)
    refused = reply_to(world, bob.says(ops, f"/intent cancel {handle}"))
    unknown = reply_to(world, bob.says(ops, "/intent cancel i-zzzz"))
    assert refused.text.replace(handle, "i-zzzz") == unknown.text
    assert process.rules()[handle].status == "armed"
    done = reply_to(world, ada.says(ops, f"/intent cancel {handle}"))
    assert "cancelled" in done.text.lower()


def test_an_owner_is_asked_before_cancelling_what_another_made(world, bot, ada, bob, ops, process):
    world.sets(ops, bob, "administrator")
    handle = make(world, bob, ops)
    question = reply_to(world, ada.says(ops, f"/intent cancel {handle}"))
    assert "@\u2060bob" in question.text
    assert "Confirm the rollback owner" in question.text
    ada.presses(question, question.labels[0])
    world.until(lambda: process.rules()[handle].status == "cancelled", what="cancelled")


def test_rights_are_asked_when_the_button_is_pressed(world, ada, bob, ops, process):
    world.sets(ops, bob, "administrator")
    question = reply_to(world, bob.says(ops, "/intent add gnu => Graze"))
    world.sets(ops, bob, "member")
    bob.presses(question, "Yes, save it")
    world.until(lambda: "Only owners" in question.text, what="the refusal")
    assert not any(row.description == "Graze" for row in process.rules().values())


def test_t217_a_reminder_stays_in_the_topic_and_topics_inherit_the_chat(world, bot, ada, bob):
    forum = world.forum("Forum", creator=ada, members=[bob, bot])
    intro, other = forum.topic("Introductions"), forum.topic("Other")
    make(world, ada, forum)
    said = bob.says(intro, "launch checklist")
    reminder = reply_to(world, said)
    assert reminder.topic is intro
    make(world, ada, forum, "rollout => Only here --anyone --scope thread", topic=other)
    bob.says(intro, "the rollout")
    heard = reply_to(world, bob.says(other, "the rollout"))
    assert heard.topic is other
    assert [one for one in world.bot_messages(intro) if "Only here" in one.text] == []


def test_an_edit_fires_only_where_the_rule_asks_for_it(world, ada, bob, ops):
    make(world, ada, ops, "launch => Deaf to edits --anyone")
    make(world, ada, ops, "rollback => Hears edits --anyone --edits")
    said = bob.says(ops, "nothing yet")
    bob.edits(said, "launch and rollback")
    assert "Hears edits" in reply_to(world, said).text
    assert [one.text for one in world.bot_messages(ops) if "Deaf" in one.text and one.reply_to is said] == []
    bob.edits(said, "launch and rollback now")
    world.stays(lambda: sum(one.reply_to is said for one in world.bot_messages(ops)) == 1, what="once")


def test_a_caption_counts_and_an_attachment_alone_does_not(world, ada, bob, ops):
    make(world, ada, ops)
    bob.sends(ops, "photo")
    assert "Confirm" in reply_to(world, bob.sends(ops, "photo", "the launch checklist")).text


def test_t185_an_anonymous_administrator_is_told_how_and_makes_nothing(world, ada, ops, process):
    before = len(process.rules())
    told = reply_to(world, ada.says(ops, "/intent add x => y", anonymous=True))
    assert "Remain anonymous" in told.text
    make(world, ada, ops)
    said = ada.says(ops, "launch checklist", anonymous=True)
    world.stays(lambda: all(one.reply_to is not said for one in world.bot_messages(ops)), what="no answer")
    assert len(process.rules()) == before + 1


def test_t207_t199_posts_without_a_person_are_no_error(world, bot, ada, bob):
    group = world.supergroup("Talk", creator=ada, members=[bob, bot])
    channel = world.channel("News", creator=ada, members=[bot], discussion=group)
    make(world, ada, group)
    ada.says(channel, "launch checklist")
    assert "Confirm" in reply_to(world, bob.says(group, "launch checklist")).text
    assert world.bot_messages(channel) == []


def test_a_bare_command_opens_a_menu_and_a_rule_can_be_made_from_it(world, ada, bob, ops):
    menu = reply_to(world, ada.says(ops, "/intent"))
    assert menu.labels == ["New rule", "List rules", "Settings", "Help"]
    ada.presses(menu, "New rule")
    words = world.until(lambda: world.said(ops, "listen for"))
    assert words.markup["force_reply"]
    ada.says(ops, "launch checklist", reply_to=words)
    text = world.until(lambda: world.said(ops, "remind you of"))
    question = reply_to(world, ada.says(ops, "confirm the owner", reply_to=text))
    ada.presses(question, "Anyone here")
    world.until(lambda: "anyone" in question.text)
    ada.presses(question, "Yes, save it")
    world.until(lambda: "Saved as" in question.text)
    assert "Confirm the owner" in reply_to(world, bob.says(ops, "launch checklist")).text


def test_cancel_leaves_a_dialog(world, ada, ops):
    question = reply_to(world, ada.says(ops, "/intent add x => y"))
    reply_to(world, ada.says(ops, "/cancel"), "off")
    world.until(lambda: question.labels == [])
    menu = reply_to(world, ada.says(ops, "/intent"))
    ada.presses(menu, "New rule")
    world.until(lambda: world.said(ops, "listen for"))
    reply_to(world, ada.says(ops, "/cancel"), "off")
    count = len(world.bot_messages(ops))
    ada.says(ops, "just talk")
    world.stays(lambda: len(world.bot_messages(ops)) == count, what="no answer")


def test_everybody_may_ask_what_is_kept(world, ada, bob, ops):
    make(world, ada, ops)
    told = reply_to(world, bob.says(ops, "/privacy")).text
    assert told.startswith("1 rule listens here; to anyone: 1; to you by name: 0.")
    assert "never the message itself" in told


def test_settings_are_read_privately_and_changed_by_owners_alone(world, ada, bob, ops):
    refused = reply_to(world, bob.says(ops, "/settings zone Europe/Berlin"))
    assert "Only owners" in refused.text
    assert "Europe/Berlin" in reply_to(world, ada.says(ops, "/settings zone Europe/Berlin")).text


def test_a_member_makes_a_reminder_by_the_clock_in_words(world, bob, ops):
    made = reply_to(world, bob.says(ops, "remind me in 2 hours to water the plants"))
    assert "Water the plants" in made.text or "water the plants" in made.text
    assert HANDLE.search(made.text)[0].startswith("r-")


def test_t143_a_time_that_is_none_is_refused_and_the_next_one_works(world, bob, ops):
    refused = reply_to(world, bob.says(ops, "/remind in purple"))
    assert "No time" in refused.text
    assert "r-" not in refused.text
    assert "r-" in reply_to(world, bob.says(ops, "/remind in 2h check the logs")).text


def test_commands_are_shown_by_scope_and_told_to_telegram_once(world):
    scopes = {
        call.params["scope"]["type"]: call.params["commands"] for call in world.calls if call.method == "setMyCommands"
    }
    assert set(scopes) == {"all_group_chats", "all_chat_administrators", "all_private_chats"}
    names = {scope: [one["command"] for one in commands] for scope, commands in scopes.items()}
    assert "intent" in names["all_chat_administrators"]
    assert "intent" not in names["all_group_chats"]
    assert "remind" in names["all_group_chats"]


def test_what_nobody_knows_is_left_alone_and_a_command_of_another_bot_too(world, ada, bob, ops):
    count = len(world.bot_messages(ops))
    bob.says(ops, "/weather")
    bob.says(ops, "/intent@other_bot list")
    world.stays(lambda: len(world.bot_messages(ops)) == count, what="no answer")


def test_a_rule_in_a_private_chat_is_refused_with_where_to_make_it(world, bot, ada):
    ada.says(bot, "when someone mentions the launch, remind me to look")
    told = world.until(lambda: world.said(ada, "in a channel or a group"), what="the refusal")
    assert "/remind" in told.text
    ada.says(bot, "remind me in 2 hours to look")
    made = world.until(lambda: world.said(ada, "I will remind you by the clock"))
    assert HANDLE.search(made.text)[0].startswith("r-")
