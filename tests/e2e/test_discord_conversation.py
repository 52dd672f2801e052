"""A server on Discord: the real library over real sockets, the bot in a process of its own."""

import re

from tests.fakes.bots import HANDLE
from tests.fakes.discord.talking import OFTEN, TEXT, WORDS, asked, clock, make, quiet, refused, replies, reply_to, told

PLATFORM = "discord"
SENTENCE = "when someone mentions the budget, remind me to ask for the sheet"


def test_a_sentence_is_read_back_saved_and_brought_back_at_the_words_of_another_member(world, ada, bob, ops):
    said = ada.says(ops, "when someone mentions the launch checklist, remind me to confirm the rollback owner")
    question = reply_to(world, said)
    assert "When anyone says it, you included." in question.text
    assert question.labels == ["Yes, save it", "Only me", "Exact words only", "No"]
    assert not question.pings
    ada.clicks(question, "Yes, save it")
    world.until(lambda: "Saved as" in question.text, what="saved")
    assert question.labels == []
    handle = HANDLE.findall(question.text)[-1]
    talk = bob.says(ops, "is the launch checklist ready?")
    reminder = reply_to(world, talk)
    assert reminder.text.startswith(f"Reminder for {ada.mention}: **{TEXT}.** (@Bob said *{WORDS}*)")
    assert handle in reminder.text
    assert reminder.pings.users == (ada.id,)
    assert not (reminder.pings.roles or reminder.pings.everyone)
    assert reminder.labels == ["Done", "Later", "Mute here", "Why?"]
    quiet(world, bob.says(ops, "launch checklist again"))


def test_a_sentence_of_a_member_is_ordinary_talk(world, ada, bob, ops, process):
    quiet(world, bob.says(ops, SENTENCE))
    make(ada, ops, "budget", "Ask for the sheet")
    assert "Ask for the sheet" in reply_to(world, bob.says(ops, SENTENCE)).text
    assert sum(row.description == "Ask for the sheet" for row in process.rules().values()) == 1


def test_members_are_offered_what_is_open_to_all_and_owners_everything(ada, bob, ops):
    everybody, owners = set(bob.offered(ops)), set(ada.offered(ops))
    assert {name.partition(" ")[0] for name in everybody} == {"remind", "remembrancer"}
    assert {name.partition(" ")[0] for name in owners} == {"intent", "goal", "remind", "aspire", "remembrancer"}


def test_a_question_is_answered_by_whoever_was_asked_alone_and_once(world, ada, bob, ops, process):
    question = reply_to(world, ada.says(ops, "when someone mentions a zebra, remind me to feed it"))
    assert refused(bob.clicks(question, "Yes, save it"), "only they") == "I asked Ada, so only they can answer."
    assert "Yes, save it" in question.labels
    ada.clicks(question, "Only me")
    world.until(lambda: "Only when you say it" in question.text)
    data = question.button("Yes, save it")["custom_id"]
    first, second = ada.clicks(question, data), ada.clicks(question, data)
    first.acknowledges(), second.acknowledges()
    world.until(lambda: "Saved as" in question.text)
    assert question.text.count("Saved as") == 1
    assert sum(row.description == "Feed it" for row in process.rules().values()) == 1


def test_the_answer_no_makes_no_rule(world, ada, bob, ops):
    question = reply_to(world, ada.says(ops, SENTENCE))
    ada.clicks(question, "No")
    world.until(lambda: question.labels == [])
    assert "Saved" not in question.text
    quiet(world, bob.says(ops, "the budget"))


def test_a_rule_is_made_by_command_and_nobody_else_sees_that(world, ada, bob, ops):
    question = asked(ada, ops)
    assert question.ephemeral
    ada.clicks(question, "Yes, save it").says("Saved as")
    assert len(world.bot_messages(ops, answers=True)) == 1, "the hello"
    assert TEXT in reply_to(world, bob.says(ops, "launch checklist")).text


def test_a_bare_command_opens_a_form(world, ada, bob, ops):
    shown = ada.slash(ops, "intent add")
    shown.shows_modal()
    labels = [one["label"] for one in shown.fields]
    question = ada.submits(shown, {labels[0]: "launch checklist\ngo live", labels[1]: TEXT, labels[2]: ["anyone"]})
    ada.clicks(question.says("Reminder"), "Yes, save it").says("Saved as")
    assert TEXT in reply_to(world, bob.says(ops, "we go live")).text


def test_a_rule_is_made_from_a_message(world, ada, bob, ops):
    said = bob.says(ops, "the rollback rehearsal went badly")
    shown = ada.uses_menu(said, "Remember this")
    shown.shows_modal()
    labels = [one["label"] for one in shown.fields]
    question = ada.submits(shown, {labels[0]: "rollback rehearsal", labels[1]: "Look at it"}).says("Reminder")
    ada.clicks(question, "Yes, save it").says("Saved as")
    assert "Look at it" in reply_to(world, bob.says(ops, "another rollback rehearsal")).text


def test_done_under_a_reminder_is_acknowledged_by_its_owner(world, ada, bob, ops):
    make(ada, ops)
    reminder = reply_to(world, bob.says(ops, "launch checklist?"))
    refused(bob.clicks(reminder, "Done"), "for whoever made the rule")
    assert "Done" in reminder.labels
    ada.clicks(reminder, "Done")
    world.until(lambda: reminder.captions == ["✓ Done – Ada"])
    assert [one["disabled"] for one in reminder.buttons] == [True]


def test_a_reminder_is_put_off_and_comes_again(world, ada, bob, ops):
    make(ada, ops)
    reminder = reply_to(world, bob.says(ops, "launch checklist?"))
    refused(bob.clicks(reminder, "Later"), "Only whom")
    ada.clicks(reminder, "Later")
    world.until(lambda: reminder.labels[-4:] == ["In 1 hour", "In 3 hours", "In a day", "In a week"])
    assert "Done" in reminder.labels, "whoever pressed it by mistake goes on"
    refused(bob.clicks(reminder, "In 1 hour"), "for whoever made the rule")
    ada.clicks(reminder, "In 3 hours")
    world.until(lambda: len(reminder.captions) == 1)
    assert reminder.captions[0].startswith("Again ")
    assert TEXT in told(ada.slash(ops, "remind list"), "r-")


def test_why_is_told_privately_and_mute_here_keeps_it_quiet(world, ada, bob, ops):
    handle = make(ada, ops, "launch", **OFTEN)
    reminder = reply_to(world, bob.says(ops, "launch?"))
    why = told(ada.clicks(reminder, "Why?"), "fired")
    assert f"{handle}** fired" in why
    assert "@Bob said **launch**" in why
    assert "stays quiet here" in told(ada.clicks(reminder, "Mute here"))
    quiet(world, bob.says(ops, "launch again"))
    told(ada.slash(ops, "intent unmute", handle=handle), handle)
    reply_to(world, bob.says(ops, "launch once more"))


def test_the_last_reminder_of_a_rule_can_be_renewed_by_its_owner(world, ada, bob, ops, process):
    handle = make(ada, ops, max=1)
    reminder = reply_to(world, bob.says(ops, "launch checklist"))
    assert "Renew" in reminder.labels
    refused(bob.clicks(reminder, "Renew"), "for whoever made the rule")
    ada.clicks(reminder, "Renew")
    world.until(lambda: reminder.captions[0].startswith("Renewed as"), what="renewed")
    assert str(process.rules()[handle].status) == "done"
    assert HANDLE.findall(reminder.captions[0])[0] in reply_to(world, bob.says(ops, "launch checklist")).text


def test_a_rule_is_edited_paused_woken_and_cancelled(world, ada, bob, ops, process):
    handle = make(ada, ops, **OFTEN)
    told(ada.slash(ops, "intent edit", handle=handle, text="Ask Carol"), "Ask Carol")
    assert "Ask Carol" in reply_to(world, bob.says(ops, "launch checklist")).text
    told(ada.slash(ops, "intent pause", handle=handle), "paused")
    quiet(world, bob.says(ops, "launch checklist"))
    told(ada.slash(ops, "intent resume", handle=handle), handle)
    reply_to(world, bob.says(ops, "launch checklist"))
    told(ada.slash(ops, "intent cancel", handle=handle), "ancelled")
    quiet(world, bob.says(ops, "launch checklist"))


def test_an_owner_is_asked_before_cancelling_what_another_made_who_is_told(world, guild, ada, bob, ops, process):
    managers = guild.role("Managers", manage_guild=True)
    guild.give(bob, managers)
    handle = make(bob, ops)
    question = ada.slash(ops, "intent cancel", handle=handle).says(TEXT)
    assert "@Bob" in question.words
    ada.clicks(question, question.labels[0])
    world.until(lambda: str(process.rules()[handle].status) == "cancelled", what="cancelled")
    assert "Ada cancelled your rule" in world.answer(bob.dm, handle).text


def test_rights_are_asked_when_the_button_is_pressed(guild, ada, bob, ops, process):
    managers = guild.role("Managers", manage_guild=True)
    guild.give(bob, managers)
    question = asked(bob, ops, "gnu", "Graze")
    guild.take(bob, managers)
    bob.clicks(question, "Yes, save it").says("Only owners")
    assert not any(row.description == "Graze" for row in process.rules().values())


def test_a_list_is_for_whoever_asks_and_its_pages_are_turned_by_buttons(world, ada, ops):
    for number in range(11):
        make(ada, ops, f"word{number}", f"Text {number}")
    answer = ada.slash(ops, "intent list")
    page = answer.says("Text 10")
    assert page.ephemeral
    assert "Text 0." not in page.words
    assert page.labels == ["Older ›"]
    ada.clicks(page, "Older ›")
    world.until(lambda: "Text 0." in page.words)
    assert page.labels == ["‹ Newer"]
    assert len(world.bot_messages(ops, answers=True)) == 1, "the hello"


def test_t137_t183_what_was_what_would_be_and_why(world, ada, bob, ops):
    handle = make(ada, ops)
    reply_to(world, bob.says(ops, "launch checklist"))
    history = told(ada.slash(ops, "intent history", handle=handle), WORDS)
    assert "@Bob" in history
    assert f"**{handle}** fired" in told(ada.slash(ops, "intent why"), "fired")
    assert "would have fired once" in told(ada.slash(ops, "intent preview", words="launch", who="anyone"), "would")
    assert TEXT in told(ada.slash(ops, "intent show", handle=handle), TEXT)
    offered = ada.completes(ops, "intent show", "handle", "rollback").suggestions()
    assert [one.value for one in offered] == [handle]


def test_everybody_may_ask_what_is_kept_and_what_the_bot_can_do(ada, bob, ops):
    make(ada, ops)
    kept = told(bob.slash(ops, "remembrancer privacy"), "listen")
    assert kept.startswith("**1 rule listens here; to anyone: 1; to you by name: 0.**")
    assert "never the message itself" in kept
    assert "/intent" not in told(bob.slash(ops, "remembrancer help"), "/remind me")
    assert "/intent add" in told(ada.slash(ops, "remembrancer help"), "/remind me")


def test_settings_are_changed_by_owners_alone(ada, bob, ops):
    command = "remembrancer settings"
    assert "Only owners" in told(bob.slash(ops, command, setting="zone", value="Europe/Berlin"))
    assert "Europe/Berlin" in told(ada.slash(ops, command, setting="zone", value="Europe/Berlin"), "zone")
    assert "Europe/Berlin" in told(ada.slash(ops, command), "zone")
    assert "no time zone Mars" in told(ada.slash(ops, command, setting="zone", value="Mars"), "Mars")


def test_aspirations_are_written_down_listed_and_ticked(ada, ops):
    added = told(ada.slash(ops, "aspire add", text="Improve the checklist", review="90d"), "Kept as an aspiration")
    [handle] = re.findall(r"\*\*(a-[0-9a-z]{4})\*\*", added)
    assert handle in told(ada.slash(ops, "aspire list"), "Improve the checklist")
    told(ada.slash(ops, "aspire review", handle=handle, review="30d"), handle)
    told(ada.slash(ops, "aspire done", handle=handle), handle)
    assert handle not in told(ada.slash(ops, "aspire list"), "No open")


def test_a_member_makes_reminders_by_the_clock_in_words_and_by_command(world, bob, ops):
    made = reply_to(world, bob.says(ops, "remind me in 2 hours to water the plants"))
    assert "ater the plants" in made.text
    assert HANDLE.search(made.text)[0].startswith("r-")
    assert clock(bob, ops).startswith("r-")


def test_t143_a_time_that_is_none_is_refused_and_the_next_one_works(bob, ops):
    assert "“purple” is no time" in told(bob.slash(ops, "remind me", time="purple", text="look"), "For example")
    assert "“at 9 and at 10” is no time" in told(bob.slash(ops, "remind me", time="at 9 and at 10", text="look"))
    assert clock(bob, ops)


def test_t217_a_reminder_stays_in_the_thread_and_threads_inherit_the_channel(world, ada, bob, ops):
    make(ada, ops, **OFTEN)
    thread = bob.opens_thread(bob.says(ops, "about the rollout"), "Rollout")
    said = bob.says(thread, "launch checklist")
    assert reply_to(world, said).channel is thread
    make(ada, thread, "canary", "Only here", scope="thread", **OFTEN)
    quiet(world, bob.says(ops, "the canary"))
    assert "Only here" in reply_to(world, bob.says(thread, "the canary")).text


def test_the_message_that_a_thread_begins_with_fires_once(world, ada, bob, ops):
    make(ada, ops, **OFTEN)
    said = bob.says(ops, "launch checklist")
    reply_to(world, said)
    thread = bob.opens_thread(said, "Launch")
    world.stays(lambda: len(replies(world, said)) == 1 and world.bot_messages(thread) == [], what="once")


def test_an_edit_fires_only_where_the_rule_asks_for_it(world, ada, bob, ops):
    make(ada, ops, "launch", "Deaf to edits")
    make(ada, ops, "rollback", "Hears edits", edits=True)
    said = bob.says(ops, "nothing yet")
    bob.edits(said, "launch and rollback")
    assert "Hears edits" in reply_to(world, said).text
    bob.edits(said, "launch and rollback now")
    world.stays(lambda: len(replies(world, said)) == 1, what="once")


def test_t185_what_a_webhook_posts_asks_for_nothing_and_it_is_told_so_once(world, ada, ops, process):
    before = len(process.rules())
    hook = ops.webhook("Captain Hook")
    assert "posted by a webhook" in reply_to(world, hook.says(SENTENCE, username="Ada")).text
    quiet(world, hook.says(SENTENCE, username="Ada"), 0.3)
    make(ada, ops)
    quiet(world, hook.says("launch checklist", username="Ada"), 0.3)
    quiet(world, hook.says("remind me in 2 hours to look", username="Ada"), 0.3)
    assert len(process.rules()) == before + 1


def test_a_rule_in_a_direct_message_is_refused_with_where_to_make_it(world, bot, ada):
    ada.says(bot, "when someone mentions the launch, remind me to look")
    refusal = world.answer(ada.dm, "in a channel")
    assert "remind" in refusal.text
    ada.says(bot, "remind me in 2 hours to look")
    assert "r-" in world.answer(ada.dm, "by the clock", after=refusal).text


def test_discord_was_told_of_the_commands_once(world):
    assert len(world.syncs) == 1
    assert set(world.commands()) == {"intent", "goal", "remind", "aspire", "remembrancer", "Remember this"}
