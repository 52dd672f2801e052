"""Public reports about bots on Telegram: the real adapter and client library against a loopback Telegram.

The bot does not poll here: each test hands it what came in and sends what is owed. What needs a process of its own is
in `tests/e2e`.
"""

import logging
from datetime import timedelta

import pytest

from adapters.base.contract import Post
from adapters.base.render import post_of
from core.services.dispatch import ClaimParcels, ParcelSent
from core.services.fire_timed import FireTimed
from core.services.read_intents import ListIntents
from core.services.space_settings import ReadSettings
from core.settings import Setting
from core.standing.intent import FireState, Status
from core.turn import ADMIN
from core.wording.lines import Line, Segment
from core.wording.readback import Choice
from tests.contract.adapters.telegram_kit import TelegramKit
from tests.fakes.platform import fire_of
from tests.fakes.reminding import a_context
from tests.fakes.telegram import errors

HOUR = timedelta(hours=1)
AT = "\u2060"
"""Stands behind an @ that pings nobody; not to be seen."""


@pytest.fixture
def kit(sqlite_store, clock, ids, caplog):
    made = TelegramKit(a_context(sqlite_store, clock, ids))
    with caplog.at_level(logging.WARNING):
        yield made
    made.close()
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


def received(kit):
    """What came in last reaches the bot."""
    kit.takes(kit.cast.bot.queue[-1].body)


def says(kit, person, place, text, **more):
    message = person.says(place, text, date=kit.ctx.clock.now(), **more)
    received(kit)
    return message


def delivered(kit):
    """Send what is owed; the messages that came of it."""
    login = kit.adapter.provider, kit.adapter.account
    before = {(one.place, one.id) for one in kit.sent()}
    for parcel in ClaimParcels(kit.ctx)(*login, frozenset(), 9):
        post = post_of(parcel, kit.ctx.clock.now(), kit.ctx.zone_of(parcel.zone))
        ParcelSent(kit.ctx)(parcel, kit.run(kit.adapter.send(post)).message_ids)
    return [one for one in kit.sent() if (one.place, one.id) not in before]


def live(kit):
    return {row.handle for row in ListIntents(kit.ctx)(ADMIN, None).rows if row.status is Status.ARMED}


def operations(kit):
    with kit.ctx.store.read() as tx:
        return {name: tx.operations.head(name) for name in tx.operations.namespaces()}


def test_t075_text_under_a_photo_fires_and_the_reminder_hangs_on_the_photo(kit):
    kit.rule()
    photo = kit.cast.bob.sends(kit.cast.group, "photo", "launch checklist", date=kit.ctx.clock.now())
    received(kit)
    [reminder] = delivered(kit)
    assert reminder.reply_to == str(photo.id)


@pytest.mark.parametrize(("on_edits", "fires"), [(True, 1), (False, 0)])
def test_t085_of_an_edit_the_edited_message_is_used(kit, on_edits, fires):
    kit.rule(on_edits=on_edits)
    message = says(kit, kit.cast.bob, kit.cast.group, "nothing yet")
    kit.cast.bob.edits(message, "the launch checklist")
    received(kit)
    assert [one.reply_to for one in delivered(kit)] == [str(message.id)] * fires


@pytest.mark.parametrize("text", ["@everyone ship it", "@bob and @here ship it"])
def test_t149_a_rule_pings_its_maker_and_nobody_else_whatever_it_says(kit, text):
    kit.rule(description=text)
    says(kit, kit.cast.bob, kit.cast.group, "launch checklist")
    [reminder] = delivered(kit)
    assert reminder.pings == {"ada"}
    assert text in reminder.text.replace(AT, "")


def test_t187_what_was_said_while_the_bot_was_off_is_skipped_and_its_reminders_are_not(kit, clock):
    kit.rule(triggers="status", cooldown=timedelta(0), max_fires=99)
    says(kit, kit.cast.bob, kit.cast.group, "/remind in 1h look at the logs")
    said = [kit.cast.bob.says(kit.cast.group, "status", date=clock.advance(minutes=5)) for _ in range(12)]
    clock.advance(kit.ctx.limits.turn_max_age)
    clock.advance(seconds=1)
    FireTimed(kit.ctx)()
    for update in list(kit.cast.bot.queue)[-len(said) :]:
        kit.takes(update.body)
    assert ["look at the logs" in one.text.casefold() for one in delivered(kit)] == [True]
    says(kit, kit.cast.bob, kit.cast.group, "status")
    assert len(delivered(kit)) == 1


def test_t209_a_command_that_comes_again_after_a_restart_is_not_done_again(kit, clock):
    says(kit, kit.cast.ada, kit.cast.group, "/intent add launch checklist => Confirm it --anyone")
    update = kit.cast.bot.queue[-1].body
    asked = len(kit.sent())
    kit.restarts()
    kit.takes(update)
    assert len(kit.sent()) == asked
    clock.advance(kit.ctx.limits.turn_max_age)
    clock.advance(seconds=1)
    old = kit.cast.ada.says(kit.cast.group, "/settings zone Europe/Berlin", date=clock.now() - timedelta(minutes=11))
    received(kit)
    assert [one.reply_to for one in kit.sent()[asked:]] == [str(old.id)]
    assert ReadSettings(kit.ctx)(kit.places["group"])[Setting.ZONE] != "Europe/Berlin"


def test_t189_no_button_carries_a_name_and_all_fit_into_64_bytes(kit):
    cyrillic = "ж" * 30
    kit.cast.ada.username = ""
    kit.cast.ada.name = cyrillic
    for number in range(12):
        says(kit, kit.cast.ada, kit.cast.group, f"/intent add {cyrillic} {number} => {cyrillic} {number} --anyone")
        kit.answers("ada", Choice.YES)
    says(kit, kit.cast.ada, kit.cast.group, "/intent")
    says(kit, kit.cast.ada, kit.cast.group, f"/intent list {cyrillic}")
    says(kit, kit.cast.bob, kit.cast.group, f"{cyrillic} 3")
    delivered(kit)
    shown = kit.sent()
    assert kit.rules() == 12
    carried = [data for one in shown for data in one.data if data]
    assert len(carried) >= 8
    assert all(len(data.encode()) <= 64 and cyrillic not in data for data in carried)


@pytest.mark.parametrize("refused", [False, True])
def test_t191_signs_are_sent_as_typed_and_plain_where_the_formatting_is_refused(kit, refused):
    kit.rule(description="(a => b) [x] *y*")
    says(kit, kit.cast.bob, kit.cast.group, "launch checklist")
    if refused:
        kit.world.faults.fail("sendMessage", errors.cant_parse_entities())
    [reminder] = delivered(kit)
    assert "(a => b) [x] *y*" in reminder.text
    assert reminder.pings == (frozenset() if refused else {"ada"})


def test_t193_a_display_name_with_brackets_is_mentioned_right(kit):
    kit.cast.ada.username, kit.cast.ada.name = "", "Kim [away] *"
    says(kit, kit.cast.ada, kit.cast.group, "/intent add launch checklist => Confirm it --anyone")
    kit.answers("ada", Choice.YES)
    says(kit, kit.cast.bob, kit.cast.group, "launch checklist")
    [reminder] = delivered(kit)
    assert reminder.text.startswith("Reminder for @Kim [away] *: Confirm it.")
    assert reminder.pings == {"ada"}


def test_t199_a_forwarded_post_that_is_pinned_is_left_alone(kit):
    kit.rule("discussion", triggers="channel")
    before = operations(kit)
    kit.cast.ada.says(kit.cast.news, "says a channel", date=kit.ctx.clock.now())
    received(kit)
    kit.world.pin(kit.cast.discussion.history[-1], by=kit.cast.ada)
    received(kit)
    assert delivered(kit) == []
    assert [call.method for call in kit.world.calls if call.method not in {"getMe", "getChatMember"}] == []
    assert operations(kit) == before


def test_t201_a_text_of_5000_letters_is_split_and_nothing_is_lost(kit):
    words = " ".join(f"{number:04}" for number in range(1_000))
    sent = kit.run(kit.adapter.send(Post(kit.places["group"], (Line((Segment(words, people=True),)),))))
    assert len(words) == 4_999 and len(sent.message_ids) == 2
    assert " ".join(one.text for one in kit.sent()).split() == words.split()


def test_t207_an_unsigned_post_in_a_channel_is_no_crash_and_stores_nothing(kit):
    kit.rule("news")
    before = operations(kit)
    for payload in ("channel_post", "edited_channel_post"):
        kit.receives(payload)
    kit.cast.ada.says(kit.cast.news, "/help", date=kit.ctx.clock.now())
    assert delivered(kit) == []
    assert operations(kit) == before


@pytest.mark.parametrize("times", [1, 2])
def test_t213_t215_a_reminder_whose_message_was_deleted_is_sent_without_a_reply(kit, times):
    kit.rule(cooldown=timedelta(0))
    for _ in range(times):
        message = says(kit, kit.cast.bob, kit.cast.group, "launch checklist")
        kit.cast.bob.deletes(message)
        [reminder] = delivered(kit)
        assert reminder.reply_to == ""
        assert "Confirm the rollback owner" in reminder.text
    [rule] = ListIntents(kit.ctx)(ADMIN, None).rows
    assert rule.fire_count == times
    assert fire_of(kit.ctx, rule.last_fire_id).state is FireState.DELIVERED


@pytest.mark.parametrize("deleted", [False, True])
def test_t217_a_reminder_stands_in_the_topic_of_its_trigger(kit, deleted):
    kit.rule("threads")
    message = says(kit, kit.cast.bob, kit.cast.thread, "launch checklist")
    if deleted:
        kit.cast.bob.deletes(message)
    [reminder] = delivered(kit)
    assert reminder.place == "thread"


def test_t045_the_names_in_a_filtered_list_are_those_of_the_rows(kit):
    for word in ("apple", "budget", "carrot", "dinner", "budget two"):
        kit.rule(triggers=word, description=f"Look at the {word}.")
    says(kit, kit.cast.ada, kit.cast.group, "/intent list budget")
    [listed] = [one for one in kit.sent() if one.place == "direct"]
    rows = {row.handle: row.description for row in ListIntents(kit.ctx)(ADMIN, None).rows}
    shown = [handle for handle in rows if handle in listed.text]
    assert {rows[handle] for handle in shown} == {"Look at the budget.", "Look at the budget two."}
    says(kit, kit.cast.ada, kit.cast.group, "/intent cancel 2")
    assert live(kit) == set(rows)
    says(kit, kit.cast.ada, kit.cast.group, f"/intent cancel {shown[1]}")
    assert live(kit) == set(rows) - {shown[1]}


def test_t037_what_is_past_and_not_done_comes_again_by_its_button(kit, clock):
    says(kit, kit.cast.bob, kit.cast.group, "/remind in 1h look at the logs")
    clock.advance(HOUR)
    FireTimed(kit.ctx)()
    [reminder] = delivered(kit)
    assert reminder.buttons == ("Done", "Later")
    for which in ("Later", "In 1 hour"):
        kit.cast.bob.presses(kit.cast.group.messages[int(reminder.id)], which)
        received(kit)
    clock.advance(HOUR)
    FireTimed(kit.ctx)()
    [again] = delivered(kit)
    assert "look at the logs" in again.text.casefold()
