"""What the errors of the client library mean, and that nothing is sent twice."""

import asyncio
from datetime import timedelta
from types import SimpleNamespace

import aiohttp
import discord
import pytest

from adapters.base.buttons import short_id
from adapters.base.contract import Button, NeverSent, Post, RetryLater
from adapters.discord import sending
from adapters.discord.sending import NONCE_CHARS, TRIES, failure_of, mentions_of, patiently, told
from core.turn import Principal
from core.wording.lines import Line, Named, Segment, line

MESSAGES = "/channels/*/messages"
ANSWERS = {
    (400, 50_035): (NeverSent, "refused"),
    (400, 50_006): (NeverSent, "refused"),
    (400, 50_083): (NeverSent, "closed"),
    (400, 160_005): (NeverSent, "closed"),
    (401, 0): (RetryLater, "token"),
    (403, 50_001): (NeverSent, "forbidden"),
    (403, 50_005): (NeverSent, "forbidden"),
    (403, 50_013): (NeverSent, "forbidden"),
    (403, 50_007): (NeverSent, "blocked"),
    (403, 50_278): (NeverSent, "blocked"),
    (403, 50_083): (NeverSent, "closed"),
    (403, 160_005): (NeverSent, "closed"),
    (404, 10_003): (NeverSent, "gone"),
    (404, 10_004): (NeverSent, "gone"),
    (404, 10_007): (NeverSent, "gone"),
    (404, 10_008): (NeverSent, "gone"),
    (404, 10_013): (NeverSent, "gone"),
    (404, 0): (RetryLater, "server"),
    (503, 0): (RetryLater, "server"),
}
AFTER_A_WHILE = [500, 502, 504, 524]
"""What the library tries for half a minute by itself, and then raises."""
ELSEWHERE = [
    (aiohttp.ServerDisconnectedError(), "network"),
    (aiohttp.ClientPayloadError(), "network"),
    (ConnectionResetError(104, "reset"), "network"),
    (OSError("no route"), "network"),
    (TimeoutError(), "network"),
    (TimeoutError(), "network"),
    (KeyError("id"), "server"),
    (TypeError("string indices"), "server"),
    (ValueError("no JSON"), "server"),
    (AttributeError("id"), "server"),
    (discord.DiscordException(), "server"),
]


def said(text, **fields):
    return Line((Segment(text, people=True, **fields),))


def send(kit, *lines, **more):
    return kit.run(kit.adapter.send(Post(kit.places["group"], lines, **more)))


def failed(kit, *lines, **more):
    with pytest.raises((RetryLater, NeverSent)) as raised:
        send(kit, *lines, **more)
    return type(raised.value), raised.value.why


def texts(kit):
    return [one.text for one in kit.sent()]


def answer(status, body, kind=discord.HTTPException):
    """An error of the library without a connection."""
    return kind(SimpleNamespace(status=status, reason="x"), body)


# what an error means


def test_an_error_means_later_or_never_for_one_reason(kit):
    for (status, code), meaning in ANSWERS.items():
        kit.world.faults.fail("POST", MESSAGES, status, code)
        assert failed(kit, said("x")) == meaning, (status, code)
    assert texts(kit) == []


@pytest.mark.parametrize("status", AFTER_A_WHILE)
def test_a_server_that_stays_broken_means_later(status):
    failure = failure_of(answer(status, "<html>", discord.DiscordServerError))
    assert (type(failure), failure.why, failure.wait) == (RetryLater, "server", None)


def test_a_wait_that_the_library_does_not_wait_is_told_and_so_is_a_ban():
    limited = failure_of(discord.RateLimited(31.5))
    assert (type(limited), limited.why, limited.wait) == (RetryLater, "limited", timedelta(seconds=31.5))
    banned = failure_of(answer(429, "<html>"))
    assert (type(banned), banned.why, banned.wait) == (RetryLater, "limited", None)


def test_a_wait_that_the_library_waits_by_itself_is_no_error(kit):
    kit.world.faults.rate_limit("POST", MESSAGES, 0.05)
    send(kit, said("x"))
    assert texts(kit) == ["x"] and kit.world.early == []


@pytest.mark.parametrize(("error", "why"), ELSEWHERE)
def test_what_is_no_answer_of_discord_means_later(error, why):
    async def act():
        raise error

    with pytest.raises(RetryLater) as raised:
        asyncio.run(told(act))
    assert (raised.value.why, raised.value.__cause__) == (why, error)


def test_a_client_that_is_closed_means_later(kit):
    kit.run(kit.client.close())
    assert failed(kit, said("x")) == (RetryLater, "network")


def test_a_defect_of_ours_is_not_taken_for_an_answer():
    async def act():
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        asyncio.run(told(act))


# nothing twice


def test_a_lost_answer_does_not_double_a_message(kit):
    kit.world.faults.drop_after("POST", MESSAGES)
    assert failed(kit, said("Confirm it."), nonce="f-1") == (RetryLater, "network")
    assert texts(kit) == ["Confirm it."]
    sent = send(kit, said("Confirm it."), nonce="f-1")
    [shown] = kit.sent()
    assert sent.message_ids == (shown.id,)


def test_of_a_long_text_the_parts_that_came_are_not_sent_again(kit):
    long = said("x" * 2_000), said("y" * 2_000), said("z")
    kit.world.faults.drop_after("POST", MESSAGES)
    failed(kit, *long, nonce="f-1")
    sent = send(kit, *long, nonce="f-1")
    assert [text[0] for text in texts(kit)] == ["x", "y", "z"]
    assert len(set(sent.message_ids)) == 3


def test_each_part_has_a_nonce_of_its_own_which_is_the_same_for_a_repetition(kit):
    def nonces():
        return [one.body.get("nonce") for one in kit.world.requests("POST", MESSAGES)]

    send(kit, said("x" * 2_001), nonce="f-1")
    first = nonces()
    assert len(set(first)) == 2 and None not in first
    send(kit, said("x" * 2_001), nonce="f-1")
    assert nonces()[2:] == first
    send(kit, said("x"), nonce="f-2")
    assert nonces()[-1] not in first
    send(kit, said("x"))
    assert nonces()[-1] not in first


def test_a_nonce_of_as_many_characters_as_discord_takes_is_sent_and_a_longer_one_is_not(kit):
    own = NONCE_CHARS - 2
    for length in (own, own + 1):
        send(kit, said("x"), nonce="n" * length)
    longest, other = (one.body["nonce"] for one in kit.world.requests("POST", MESSAGES))
    assert longest == "n" * own + "00"
    assert "n" not in other, "the library makes one of its own"


def test_the_nonce_of_what_is_delivered_leaves_room_for_a_hundred_parts():
    assert len(short_id("5f0c1c1e-6f0f-4a8e-9d52-0a4f6f0b7c11")) + len("00") <= NONCE_CHARS


# how it is sent


def test_a_reply_hangs_under_the_first_part_and_the_buttons_under_the_last(kit):
    message = kit.hears()
    send(kit, said("x" * 2_001), reply_to=message, buttons=((Button("Done", "told:"),),))
    assert [(one.reply_to, one.buttons) for one in kit.sent()] == [(message, ()), ("", ("Done",))]


def test_only_who_is_named_may_be_pinged_and_whoever_is_answered_is_not():
    ada = Principal("discord", "99", "42")
    named = line("reminder.head", creator=Named("ada", ada), text="@everyone", sender="bob", entry="x")
    assert mentions_of([named, named, said("<@7>")]).to_dict() == {
        "parse": [],
        "users": [42],
    }
    assert mentions_of([said("<@7>")]).to_dict() == {"parse": [], "users": []}


def test_no_preview_is_shown_of_an_address(kit):
    send(kit, said("https://example.com"))
    [call] = kit.world.requests("POST", MESSAGES)
    assert call.body["flags"] == discord.MessageFlags(suppress_embeds=True).value


def test_an_edit_shows_what_fits_into_one_message(kit):
    [id_] = send(kit, said("x"), buttons=((Button("Yes", "told:"),),)).message_ids
    kit.run(kit.adapter.edit(kit.places["group"], id_, Post(kit.places["group"], (said("y" * 2_001),))))
    assert [(one.id, one.text, one.buttons) for one in kit.sent()] == [(id_, "y" * 2_000, ())]


def test_buttons_are_taken_away_and_the_words_stay(kit):
    [id_] = send(kit, said("x"), buttons=((Button("Yes", "told:"),),)).message_ids
    kit.run(kit.adapter.sender.unbutton(kit.places["group"], id_, ((Button("Done", "told:"),),)))
    assert [(one.text, one.buttons) for one in kit.sent()] == [("x", ("Done",))]
    kit.run(kit.adapter.sender.unbutton(kit.places["group"], id_))
    assert [(one.text, one.buttons) for one in kit.sent()] == [("x", ())]


def test_who_can_be_reached_is_told_only_as_far_as_discord_tells(kit):
    def reaches(who):
        return kit.run(kit.adapter.sender.reaches(who))

    kit.world.faults.fail("POST", "/users/@me/channels", 403, 50_007)
    assert not reaches(kit.people["bob"])
    kit.world.faults.fail("POST", "/users/@me/channels", 503)
    assert reaches(kit.people["bob"])
    assert reaches(kit.people["bob"])


def tried(times, wait=0.0):
    """How often something is tried that fails so many times with a wait that Discord names."""
    calls = []

    async def act():
        calls.append(1)
        if len(calls) <= times:
            raise discord.RateLimited(wait)

    try:
        asyncio.run(patiently(act))
    except RetryLater:
        return len(calls), "given up"
    return len(calls), "done"


def test_an_answer_is_tried_so_often_and_not_once_more():
    assert tried(TRIES - 1) == (TRIES, "done")
    assert tried(TRIES) == (TRIES, "given up")


def test_an_answer_is_held_back_so_long_and_no_longer(monkeypatch):
    monkeypatch.setattr(sending, "PATIENCE", 0.01)
    assert tried(1, 0.01) == (2, "done")
    assert tried(1, 0.02) == (1, "given up")
