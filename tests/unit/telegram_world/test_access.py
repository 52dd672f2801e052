"""Who is where: membership, rights, migration, and the refusals that go with them."""

import pytest
from telegram import ChatMemberAdministrator, ChatMemberOwner
from telegram.error import BadRequest, ChatMigrated, Forbidden, TelegramError

from tests.fakes.telegram.probe import Probe, refused


def test_members_and_administrators_are_asked_from_the_platform(cast, probe) -> None:
    def status(who) -> str:
        return probe.call(lambda client: client.get_chat_member(cast.ops.id, who.id)).status

    assert [status(cast.ada), status(cast.bob), status(cast.bot)] == ["creator", "member", "member"]
    cast.world.sets(cast.ops, cast.bob, "administrator", anonymous=True)
    found = probe.call(lambda client: client.get_chat_administrators(cast.ops.id))
    assert [type(one) for one in found] == [ChatMemberOwner, ChatMemberAdministrator]
    assert found[1].is_anonymous
    for status_now in ("restricted", "left", "kicked"):
        cast.world.sets(cast.ops, cast.bob, status_now)
        assert status(cast.bob) == status_now
    with refused("invalid user_id specified"):
        probe.call(lambda client: client.get_chat_member(cast.ops.id, 42))
    with refused("there are no administrators in the private chat"):
        probe.call(lambda client: client.get_chat_administrators(cast.ada.id))
    assert probe.call(lambda client: client.get_chat_member(cast.ops.id, 1087968824)).status == "left"


def test_a_chat_can_be_looked_at(cast, probe) -> None:
    news = cast.world.channel("News", creator=cast.ada, members=[cast.bot], discussion=cast.ops, username="news")
    cast.ada.pins(cast.bob.says(cast.ops, "read this"))
    ops = probe.call(lambda client: client.get_chat(cast.ops.id))
    assert (ops.type, ops.title, ops.linked_chat_id, ops.pinned_message.text) == (
        "supergroup",
        "Ops",
        news.id,
        "read this",
    )
    assert probe.call(lambda client: client.get_chat("@news")).id == news.id
    assert probe.call(lambda client: client.get_chat(cast.ada.id)).first_name == "Ada"
    with refused("chat not found"):
        probe.call(lambda client: client.get_chat(-100777))


def test_a_person_is_reached_after_start_and_until_the_bot_is_blocked(cast, probe) -> None:
    stranger = cast.world.person("Stranger")
    with refused("chat not found"):
        probe.send(stranger.id, "hello")
    with refused("bot can't initiate conversation with a user", Forbidden):
        probe.send(cast.bob.id, "hello")
    cast.bob.starts(cast.bot, "link7")
    assert probe.last("/start").message.text == "/start link7"
    assert probe.send(cast.bob.id, "hello").chat.type == "private"
    cast.bob.blocks(cast.bot)
    change = cast.world.until(lambda: next((one.my_chat_member for one in probe.updates if one.my_chat_member), None))
    assert (change.old_chat_member.status, change.new_chat_member.status) == ("member", "kicked")
    with refused("bot was blocked by the user", Forbidden):
        probe.send(cast.bob.id, "hello")
    cast.bob.starts(cast.bot)
    assert probe.send(cast.bob.id, "again").text == "again"
    cast.bob.deletes_account()
    with refused("user is deactivated", Forbidden):
        probe.send(cast.bob.id, "hello")
    with refused("bot can't send messages to bots", Forbidden):
        probe.send(cast.bot.id, "hello me")


def test_a_bot_that_was_removed_or_restricted_is_told_so(cast, probe) -> None:
    cast.ada.restricts(cast.ops, cast.bot)
    with refused("not enough rights to send text messages to the chat"):
        probe.send(cast.ops.id, "hello")
    cast.ada.removes(cast.ops, cast.bot)
    with refused("bot was kicked from the supergroup chat", Forbidden):
        probe.send(cast.ops.id, "hello")
    cast.ada.adds(cast.ops, cast.bot)
    assert probe.call(lambda client: client.leave_chat(cast.ops.id))
    with refused("bot is not a member of the supergroup chat", Forbidden):
        probe.send(cast.ops.id, "hello")
    seen = [one.my_chat_member.new_chat_member.status for one in probe.wait(5) if one.my_chat_member]
    assert seen == ["restricted", "kicked", "member", "left"]
    added = [one.message for one in probe.updates if one.message and one.message.new_chat_members]
    assert [one.id for one in added[0].new_chat_members] == [cast.bot.id]


def test_members_who_come_and_go_are_announced(cast, probe) -> None:
    cast.world.until(lambda: cast.bot.allowed and "chat_member" in cast.bot.allowed)
    cast.ada.promotes(cast.ops, cast.bot, can_delete_messages=True)
    cleo = cast.world.person("Cleo")
    cleo.joins(cast.ops)
    cast.ada.promotes(cast.ops, cleo, title="Deputy")
    cleo.leaves(cast.ops)
    probe.wait(6)
    changes = [one.chat_member for one in probe.updates if one.chat_member]
    assert [one.new_chat_member.status for one in changes] == ["member", "administrator", "left"]
    assert changes[1].new_chat_member.custom_title == "Deputy"
    services = [one.message for one in probe.updates if one.message]
    assert services[0].new_chat_members[0].first_name == "Cleo"
    assert services[1].left_chat_member.first_name == "Cleo"


def test_a_bot_in_a_channel_posts_as_the_channel(cast, probe) -> None:
    news = cast.world.channel("News", creator=cast.ada, members=[cast.bot])
    sent = probe.send(news.id, "hello all")
    assert sent.from_user is None and sent.sender_chat.id == news.id
    cast.world.sets(news, cast.bot, "member")
    with refused("need administrator rights in the channel chat"):
        probe.send(news.id, "hello all")


def test_a_group_made_with_a_bot_in_it_says_so(cast, probe) -> None:
    group = cast.world.group("Team", creator=cast.ada, members=[cast.bob, cast.bot], told=True)
    added, created = probe.wait(2)
    assert (added.my_chat_member.old_chat_member.status, added.my_chat_member.new_chat_member.status) == (
        "left",
        "member",
    )
    assert created.message.group_chat_created and created.message.chat.id == group.id


@pytest.mark.parametrize("told", [True, False])
def test_a_group_that_becomes_a_supergroup_tells_its_new_id(cast, probe, told: bool) -> None:
    group = cast.world.group("Team", creator=cast.ada, members=[cast.bob, cast.bot])
    probe.send(group.id, "before")
    new = cast.world.upgrade(group, told=told)
    with pytest.raises(ChatMigrated) as caught:
        probe.send(group.id, "after")
    assert caught.value.new_chat_id == new.id
    assert probe.send(new.id, "after").chat.type == "supergroup"
    assert probe.call(lambda client: client.get_chat_member(new.id, cast.ada.id)).status == "creator"
    if told:
        old_side, new_side = (one.message for one in probe.wait(2))
        assert (old_side.chat.id, old_side.migrate_to_chat_id) == (group.id, new.id)
        assert (new_side.chat.id, new_side.migrate_from_chat_id) == (new.id, group.id)
    else:
        cast.world.stays(lambda: not probe.updates)


def test_what_is_not_understood_fails_the_test(cast) -> None:
    with Probe(cast.world, cast.bot, mode="") as probe:
        for call, words in (
            (lambda client: client.get_user_profile_photos(cast.ada.id), "getUserProfilePhotos is not understood"),
            (lambda client: client.send_message(cast.ops.id, "*x*", parse_mode="MarkdownV2"), "parse_mode MarkdownV2"),
            (lambda client: client.do_api_request("inventedMethod"), "documents no method inventedMethod"),
            (lambda client: client.get_my_commands(api_kwargs={"colour": "red"}), "getMyCommands.colour"),
            (lambda client: client.get_chat([1]), "getChat was called wrongly"),
        ):
            with pytest.raises(TelegramError):
                probe.call(call)
            with pytest.raises(AssertionError, match=words):
                cast.world.until(lambda: True)
            cast.world.complaints.clear()


def test_a_message_can_be_deleted_by_its_bot_or_with_the_right_to(cast, probe) -> None:
    message = cast.bob.says(cast.ops, "spam")
    with refused("message can't be deleted"):
        probe.call(lambda client: client.delete_message(cast.ops.id, message.id))
    cast.world.sets(cast.ops, cast.bot, "administrator")
    probe.call(lambda client: client.delete_message(cast.ops.id, message.id))
    with pytest.raises(BadRequest):
        probe.call(lambda client: client.delete_message(cast.ops.id, message.id))
    assert "spam" not in cast.ops.texts
