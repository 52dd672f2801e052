"""Discord's messages as turns: what recorded payloads do not show (`tests/contract`)."""

from datetime import UTC, datetime, timedelta

import pytest

from adapters.discord.normalise import kind_of, link_of, text_of, turn_of
from core.text.zones import ZoneKind
from core.turn import Principal, TurnKind, Visibility
from tests.unit.discord.messages import (
    ACCOUNT,
    ADA,
    ADA_ID,
    BOB,
    FORUM,
    GUILD,
    HIDDEN,
    HOOK_ID,
    MODS,
    NOWHERE,
    OPS,
    OURS,
    ROBOT,
    ROBOT_ID,
    SECRETS,
    STRAY,
    THREAD,
    a_direct_message,
    a_message,
)

AT = datetime(2026, 11, 30, 10, tzinfo=UTC)
HOOK = {"author": ROBOT | {"id": HOOK_ID, "username": "Deploys"}, "webhook_id": HOOK_ID}


def turn(message):
    return turn_of(message, ACCOUNT, AT)


@pytest.mark.parametrize("late", [timedelta(0), timedelta(hours=3), timedelta(seconds=-5)])
def test_it_was_sent_when_its_id_was_made_and_not_after_it_came(late):
    assert turn_of(a_message(), ACCOUNT, AT + late).sent_at == min(AT, AT + late)


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({}, TurnKind.USER),
        ({"type": 19}, TurnKind.USER),
        ({"author": ROBOT}, TurnKind.BOT),
        ({"author": ROBOT, "type": 20, "webhook_id": ROBOT_ID}, TurnKind.BOT),
        ({"author": ROBOT, "type": 23, "webhook_id": ROBOT_ID}, TurnKind.BOT),
        (HOOK, TurnKind.WEBHOOK),
        ({"author": OURS}, TurnKind.OWN),
        ({"author": OURS, "type": 6}, TurnKind.OWN),
        ({"author": BOB | {"system": True}}, TurnKind.SERVICE),
        *(({"type": number}, TurnKind.SERVICE) for number in (6, 7, 8, 12, 18, 21, 24, 46)),
    ],
)
def test_what_kind_of_message_it_is(fields, kind):
    assert kind_of(a_message(**fields), ACCOUNT) is kind


def test_a_service_message_has_no_words_whatever_stands_in_it():
    assert turn(a_message("Rollback", type=18)).text.text == ""


def test_a_webhook_is_known_by_its_id_whatever_name_it_posts_under():
    first, second = (
        turn(a_message(**HOOK | {"author": HOOK["author"] | {"username": name, "global_name": None}}))
        for name in ("A", "Bob")
    )
    assert first.sender == second.sender
    assert (first.sender_name, second.sender_name) == ("A", "Bob")
    assert first.sender not in {turn(a_message()).sender, turn(a_message(author=ROBOT | {"id": HOOK_ID})).sender}


def test_a_bot_is_never_taken_for_the_person_with_its_number():
    assert turn(a_message(author=ROBOT)).sender != turn(a_message(author=BOB | {"id": ROBOT_ID})).sender


EMBED = {
    "type": "rich",
    "author": {"name": "CI"},
    "title": "Nightly",
    "description": "the `launch` checklist",
    "fields": [{"name": "Where", "value": "main", "inline": True}],
    "footer": {"text": "at night"},
}


@pytest.mark.parametrize("fields", [{"author": ROBOT}, HOOK])
def test_what_stands_in_the_embeds_of_a_machine_counts_each_with_its_zones(fields):
    message = a_message("Report", embeds=[EMBED, {"type": "rich", "title": "Second"}], **fields)
    found = text_of(message, kind_of(message, ACCOUNT))
    assert found.text == "Report\nCI\nNightly\nthe launch checklist\nWhere\nmain\nSecond"
    [code] = [zone for zone in found.zones if zone.kind is ZoneKind.CODE]
    assert found.text[code.start : code.end] == "launch"


def test_what_discord_shows_below_a_persons_address_is_not_said_by_them():
    preview = {"type": "link", "url": "https://example.com", "title": "launch checklist"}
    assert turn(a_message("see https://example.com", embeds=[preview])).text.text == "see https://example.com"


def test_ids_are_read_as_the_names_that_people_see():
    text = f"<@{ADA_ID}> and <@&{MODS}> in <#{OPS}>, not <@{HOOK_ID}>"
    message = a_message(text, mentions=[ADA], mention_roles=[str(MODS)])
    assert " ".join(turn(message).text.text.split()) == "@Ada and @Mods in #ops, not"


def test_whoever_is_mentioned_twice_is_mentioned_once_and_a_bot_or_who_is_answered_not_at_all():
    message = a_message(f"<@{ADA_ID}> <@!{ADA_ID}> <@{ROBOT_ID}>", mentions=[ADA, ROBOT, BOB], type=19)
    assert turn(message).mentions == (Principal("discord", ACCOUNT, ADA_ID),)


@pytest.mark.parametrize(("author", "ours"), [(OURS, True), (BOB, False), (ROBOT, False)])
def test_a_reply_answers_us_where_what_it_quotes_is_ours(author, ours):
    lists = ("mentions", "mention_roles", "attachments", "embeds", "components")
    quoted = {"id": "3", "channel_id": str(OPS), "content": "x", "author": author} | {name: [] for name in lists}
    quoted |= {"timestamp": AT.isoformat(), "edited_timestamp": None, "type": 0, "pinned": False}
    quoted |= {"tts": False, "mention_everyone": False, "flags": 0}
    reference = {"message_id": "3", "channel_id": str(OPS), "guild_id": str(GUILD)}
    message = a_message(type=19, message_reference=reference, referenced_message=quoted)
    assert turn(message).answers_us is ours
    gone = a_message(type=19, message_reference=reference, referenced_message=None)
    assert turn(gone).answers_us is False


@pytest.mark.parametrize(
    ("channel", "place", "visibility"),
    [
        (OPS, (OPS, OPS), Visibility.PUBLIC),
        (SECRETS, (SECRETS, SECRETS), Visibility.PRIVATE),
        (THREAD, (OPS, THREAD), Visibility.PUBLIC),
        (HIDDEN, (HIDDEN, HIDDEN), Visibility.PRIVATE),
        (STRAY, (STRAY, STRAY), Visibility.PRIVATE),
        (FORUM, (FORUM, FORUM), Visibility.PUBLIC),
    ],
)
def test_a_thread_lies_in_its_channel_and_a_private_one_is_a_place_of_its_own(channel, place, visibility):
    where = turn(a_message(channel=channel)).where
    assert (where.space, where.channel, where.conversation) == (str(GUILD), *map(str, place))
    assert where.visibility is visibility


def test_what_was_said_where_nobody_knows_who_can_read_it_is_no_turn():
    assert turn(a_message(channel=NOWHERE)) is None


def test_messages_of_a_server_have_links_and_direct_ones_have_none():
    message = a_message()
    assert link_of(message) == f"https://discord.com/channels/{GUILD}/{OPS}/{message.id}"
    direct = a_direct_message()
    assert link_of(direct) == ""
    where = turn(direct).where
    assert (where.visibility, where.space, where.conversation) == (Visibility.DIRECT, where.channel, where.channel)


def test_the_name_is_the_one_of_the_place_without_a_sign_of_its_own():
    member = {"roles": [], "joined_at": "2026-11-30T10:00:00+00:00", "deaf": False, "mute": False, "flags": 0}
    assert turn(a_message()).sender_name == "Bob"
    assert turn(a_message(member=member | {"nick": "@Bobby"})).sender_name == "Bobby"
