"""Reminders by the clock, aspirations and the questions of the heartbeat on Telegram, and their buttons."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from core.standing.intent import Status
from core.timed.reminder import TimedStatus
from tests.fakes.bots import HANDLE, RULE, make, reply_to

pytestmark = pytest.mark.thorough

TEXT = "Water the plants"
SOON, LATER = "/remind in 2 seconds to water the plants", "/remind in 2h to water the plants"


@pytest.fixture(autouse=True)
def alive(process):
    """The next test finds a bot that runs."""
    yield
    if not process.runs:
        process.start()


def ask(world, who, place, words):
    """A reminder that somebody asked for; its handle."""
    made = reply_to(world, who.says(place, words))
    assert TEXT in made.text
    return HANDLE.search(made.text)[0]


def come(world, place, count=1, start="Reminder for"):
    """Reminders by the clock that came."""

    def there():
        found = [one for one in world.bot_messages(place) if one.text.startswith(start)]
        return found if len(found) >= count else None

    return world.until(there, 8, f"{count} reminders")


def put_due(process, handle, at):
    process.put("timed_reminders", "due_at", handle, at)


def told(world, press):
    """What is shown to whoever pressed a button."""
    return world.until(lambda: press.answer is not None and press.answer)["text"]


def restarted(process):
    process.kill()
    process.start()


def test_a_reminder_is_read_back_comes_once_as_a_reply_and_is_done(world, bob, ops):
    asked = bob.says(ops, SOON)
    made = reply_to(world, asked)
    handle = HANDLE.search(made.text)[0]
    assert re.search(r"When: \w{3} \d{1,2} \w{3} \d{4} \d\d:\d\d UTC \(in [012] s\)", made.text)
    assert f"Cancel it: /remind cancel {handle}" in made.text
    [reminder] = come(world, ops)
    assert reminder.text == f"Reminder for @bob: {TEXT}. · {handle}"
    assert reminder.reply_to is asked
    assert reminder.labels == ["Done", "Later"]
    assert told(world, bob.presses(reminder, "Done")) == "✓ Done – bob"
    world.until(lambda: reminder.labels == ["✓ Done – bob"])
    world.stays(lambda: len(come(world, ops)) == 1, what="once")


def test_a_recurring_one_tells_its_next_time_and_the_list_is_private(world, ada, ops, process):
    made = reply_to(world, ada.says(ops, "/remind every weekday at 9:30 water the plants"))
    assert re.search(r"When: every weekday at 09:30.*\w{3} \d{1,2} \w{3} \d{4}", made.text)
    handle = HANDLE.search(made.text)[0]
    put_due(process, handle, datetime.now(UTC))
    [reminder] = come(world, ops)
    assert re.search(r"every weekday at 09:30, next \w{3} \d{1,2} \w{3}", reminder.text)
    told_there = reply_to(world, ada.says(ops, "/remind list"))
    assert told_there.text == "I sent it to you privately."
    assert handle in world.bot_texts(ada)[-1]
    assert "every weekday at 09:30" in world.bot_texts(ada)[-1]


def test_one_that_is_cancelled_does_not_come_and_only_its_own_people_may(world, ada, bob, ops, process):
    eve = world.person("Eve")
    eve.joins(ops)
    handle = ask(world, bob, ops, LATER)
    assert "There is no reminder" in reply_to(world, eve.says(ops, f"/remind cancel {handle}")).text
    assert "cancelled" in reply_to(world, bob.says(ops, f"/remind cancel {handle}")).text
    with process.reading() as tx:
        row = tx.timed.by_handle(handle)
    assert (row.status, row.due_at) == (TimedStatus.CANCELLED, None)


def test_an_owner_is_asked_before_cancelling_that_of_another_who_is_told(world, bot, ada, bob, ops):
    bob.starts(bot)
    handle = ask(world, bob, ops, "/remind in 2h water the plants")
    question = reply_to(world, ada.says(ops, f"/remind cancel {handle}"))
    assert TEXT in question.text
    ada.presses(question, question.labels[0])
    assert handle in world.answer(bob, "cancelled your reminder", timeout=8).text


def test_t049_t051_one_for_another_person_mentions_them_once_and_comes_to_them(world, ada, bob, ops, process):
    bob.says(ops, "hello")
    put_due(process, ask(world, ada, ops, "/remind @bob in 1 min to water the plants"), datetime.now(UTC))
    [reminder] = come(world, ops)
    assert reminder.text.startswith(f"Reminder for @bob, from ada: {TEXT}.")
    assert [one["user"]["id"] for one in reminder.payload["entities"] if "mention" in one["type"]] == [bob.id]
    assert "@@" not in reminder.text


def test_one_that_was_due_while_the_bot_was_off_says_so_and_comes_once(world, ada, ops, process):
    once = ask(world, ada, ops, "/remind in 2h water the plants")
    often = ask(world, ada, ops, "/remind every hour water the plants")
    process.kill()
    for handle in (once, often):
        put_due(process, handle, datetime.now(UTC) - timedelta(hours=3))
    process.start()
    texts = {HANDLE.findall(one.text)[-1]: one.text for one in come(world, ops, 2)}
    assert re.search(r"was due \w{3} \d{1,2} \w{3} \d\d:\d\d", texts[once])
    assert re.search(r"was due .* every hour, next ", texts[often])
    world.stays(lambda: len(come(world, ops)) == 2, 0.7, "once each")


def test_where_only_owners_may_members_are_refused(world, ada, bob, ops):
    reply_to(world, ada.says(ops, "/settings reminders owners"), "owners")
    assert "Only owners" in reply_to(world, bob.says(ops, LATER)).text
    ask(world, ada, ops, LATER)


def test_buttons_of_before_a_restart_still_work(world, ada, bob, ops, process):
    handle = make(world, ada, ops, f"{RULE} --max 1 --cooldown 0s")
    question = reply_to(world, ada.says(ops, "/intent add zebra => Feed it"))
    put_due(process, ask(world, ada, ops, LATER), datetime.now(UTC))
    rule, [timed] = (
        reply_to(world, bob.says(ops, "launch checklist")),
        come(world, ops, start="Reminder for @ada: Water"),
    )
    assert "Renew" in rule.labels
    restarted(process)
    assert "no longer open" in told(world, ada.presses(question, "Yes, save it"))
    ada.presses(timed, "Later")
    world.until(lambda: "In a day" in timed.labels)
    assert told(world, ada.presses(timed, "In a day")).startswith("Again ")
    assert told(world, bob.presses(rule, "Renew")).startswith("That is for whoever made the rule")
    renewed = HANDLE.search(told(world, ada.presses(rule, "Renew")))[0]
    assert process.rules()[handle].status is Status.DONE
    assert renewed in reply_to(world, bob.says(ops, "launch checklist")).text


def test_a_rule_that_is_about_to_end_is_asked_about_and_kept_after_a_restart(world, ada, ops, process):
    handle = make(world, ada, ops, f"{RULE} --expires 30d")
    process.put("standing_intents", "created_at", handle, datetime.now(UTC) - timedelta(days=27))
    process.put("standing_intents", "expires_at", handle, datetime.now(UTC) + timedelta(days=3))
    question = world.answer(ada, "was never needed so far", timeout=8)
    assert question.labels == [f"Keep {handle} 90 days"]
    restarted(process)
    assert f"{handle} is kept until" in told(world, ada.presses(question, question.labels[0]))
    assert process.rules()[handle].expires_at > datetime.now(UTC) + timedelta(days=89)


def test_the_day_of_an_aspiration_is_told_to_its_owner_privately(world, ada, ops, process):
    added = reply_to(world, ada.says(ops, "/aspire add Improve the checklist (review 90d)"))
    [path] = [one for one in (process.folder / "aspirations").glob("*.md") if "Improve" in one.read_text()]
    path.write_text(re.sub(r"\(review [\d-]+\)", "(review 2026-01-02)", path.read_text()))
    notice = world.answer(ada, "It is time to look at", timeout=8)
    assert "Improve the checklist" in notice.text
    assert re.search(r"a-[0-9a-z]{4}", added.text)[0] in notice.text
    assert not world.said(ops, "It is time")
