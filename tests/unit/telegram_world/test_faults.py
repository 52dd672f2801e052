"""What goes wrong on the way, and Telegram's flood limits."""

import socket
import struct
import time

import pytest
from telegram.error import Forbidden, NetworkError, RetryAfter

from tests.fakes.telegram import errors
from tests.fakes.telegram.probe import Probe, refused

pytestmark = pytest.mark.thorough


def test_a_connection_broken_before_the_effect_sends_nothing(cast, probe) -> None:
    fault = cast.world.faults.drop_before("sendMessage")
    with pytest.raises(NetworkError):
        probe.send(cast.ops.id, "one")
    assert cast.world.bot_texts(cast.ops) == []
    assert (fault.happened, cast.bot.calls("sendMessage")[0].effect) == (1, False)
    probe.send(cast.ops.id, "two")
    assert cast.world.bot_texts(cast.ops) == ["two"]


def test_a_connection_broken_after_the_effect_has_sent(cast, probe) -> None:
    cast.world.faults.drop_after("sendMessage", chat=cast.ops)
    with pytest.raises(NetworkError):
        probe.send(cast.ops.id, "one")
    assert cast.world.bot_texts(cast.ops) == ["one"]
    call = cast.bot.calls("sendMessage")[0]
    assert (call.effect, call.status, call.message.text) == (True, None, "one")


def test_a_lost_answer_of_get_updates_brings_the_same_updates_again(cast) -> None:
    cast.bob.says(cast.ops, "once")
    cast.world.faults.drop_after("getUpdates")
    with Probe(cast.world, cast.bot) as probe:
        probe.last("once")
        assert isinstance(probe.errors[0], NetworkError)
        cast.world.settled()
        assert probe.heard == ["once"]


def test_faults_strike_so_many_times_and_only_the_chat_named(cast, probe) -> None:
    other = cast.world.supergroup("Other", creator=cast.ada, members=[cast.bot])
    cast.world.faults.fail("sendMessage", errors.blocked(), times=2, chat=cast.ops)
    assert probe.send(other.id, "fine").text == "fine"
    for _ in range(2):
        with pytest.raises(Forbidden, match="blocked by the user"):
            probe.send(cast.ops.id, "no")
    assert probe.send(cast.ops.id, "yes").text == "yes"


@pytest.mark.parametrize(
    "error", [errors.internal(), errors.bad_gateway(), errors.bad_gateway(page=True)], ids=["500", "502", "page"]
)
def test_faults_of_the_service_are_network_errors(cast, probe, error: errors.ApiError) -> None:
    cast.world.faults.fail("sendMessage", error)
    with pytest.raises(NetworkError):
        probe.send(cast.ops.id, "no")


def test_entities_that_cannot_be_parsed(cast, probe) -> None:
    cast.world.faults.fail("sendMessage", errors.cant_parse_entities())
    with refused("can't parse entities"):
        probe.send(cast.ops.id, "no")


def test_a_wait_that_was_told_holds_and_whoever_comes_early_is_listed(cast, probe) -> None:
    cast.world.faults.retry_after("sendMessage", 1, chat=cast.ops)
    with pytest.raises(RetryAfter) as caught:
        probe.send(cast.ops.id, "one")
    told = time.monotonic()
    assert caught.value.retry_after.total_seconds() == 1
    with pytest.raises(RetryAfter):
        probe.send(cast.ops.id, "too early")
    assert [call.params["text"] for call in cast.world.early] == ["too early"]
    time.sleep(max(0.0, told + 1 - time.monotonic()))
    probe.send(cast.ops.id, "in time")
    assert [call.params["text"] for call in cast.world.sends(cast.ops)] == ["in time"]
    assert len(cast.world.early) == 1


def test_flood_limits_tell_the_true_wait(cast, probe) -> None:
    cast.world.flood.on(chat=(2, 1.0), group=(20, 60.0))
    for number in range(2):
        probe.send(cast.ops.id, f"n{number}")
    with pytest.raises(RetryAfter):
        probe.send(cast.ops.id, "n2")
    assert probe.send(cast.ada.id, "another chat").text == "another chat"
    assert cast.world.flood.refused == 1
    assert [call.params["text"] for call in cast.world.sends(cast.ops)] == ["n0", "n1"]
    cast.world.flood.on(chat=(100, 1.0), group=(2, 60.0))
    other = cast.world.supergroup("Other", creator=cast.ada, members=[cast.bot])
    for number in range(2):
        probe.send(other.id, f"n{number}")
    with pytest.raises(RetryAfter) as caught:
        probe.send(other.id, "n2")
    assert 59 <= caught.value.retry_after.total_seconds() <= 60


def test_the_library_s_limiter_waits_as_long_as_it_was_told(cast) -> None:
    with Probe(cast.world, cast.bot, mode="", limiter=True) as probe:
        cast.world.faults.retry_after("sendMessage", 1)
        probe.send(cast.ops.id, "one")
        refused_call, sent = cast.bot.calls("sendMessage")
        assert (refused_call.status, sent.status) == (429, 200)
        assert sent.at - refused_call.at >= 1
        assert cast.world.early == []


def test_a_delay_holds_a_request_back(cast, probe) -> None:
    cast.world.faults.delay("sendMessage", 0.2)
    began = time.monotonic()
    probe.send(cast.ops.id, "late")
    assert time.monotonic() - began >= 0.2


def test_a_client_that_dies_while_it_writes_has_asked_for_nothing(cast) -> None:
    world, bot = cast.world, cast.bot
    head = f"POST /bot{bot.token}/sendMessage HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n"
    address = world.url.removeprefix("http://").split(":")
    with socket.create_connection((address[0], int(address[1]))) as client:
        client.sendall(f"{head}Content-Type: application/x-www-form-urlencoded\r\n\r\nchat_id=1".encode())
        time.sleep(0.1)  # the service reads, and waits for the rest
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # close with a reset
    world.stays(lambda: not world.calls, what="no call")


def test_a_service_that_is_away_breaks_every_connection_and_loses_nothing(cast, probe) -> None:
    cast.world.until(lambda: cast.bot.polling)
    cast.world.goes_dark()
    cast.bob.says(cast.ops, "said meanwhile")
    with pytest.raises(NetworkError):
        probe.send(cast.ops.id, "no")
    cast.world.until(lambda: probe.errors)
    assert probe.heard == []
    cast.world.comes_back()
    cast.world.until(lambda: probe.heard == ["said meanwhile"])


def test_until_says_what_was_missing(cast) -> None:
    cast.bob.says(cast.ops, "hello?")
    with pytest.raises(AssertionError, match=r"the answer did not come within 0.05 s; .*remembrancer_bot': 1"):
        cast.world.until(lambda: False, 0.05, "the answer")
