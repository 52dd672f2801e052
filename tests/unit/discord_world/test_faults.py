"""What goes wrong on the way."""

import contextlib
import time

import aiohttp
import pytest

from tests.fakes.discord.engine import discord
from tests.fakes.discord.probe import Probe

pytestmark = pytest.mark.thorough

POSTS = "/channels/*/messages"


def test_a_rate_limit_is_waited_for_and_tried_again(cast, probe) -> None:
    cast.world.faults.rate_limit("POST", POSTS, 0.2, times=2)
    began = time.monotonic()
    probe.send(cast.ops.id, "patient")
    assert time.monotonic() - began >= 0.4
    assert [one.status for one in cast.world.requests("POST", POSTS)] == [429, 429, 200]
    assert cast.world.early == []


def test_a_rate_limit_of_the_whole_bot_holds_everywhere(cast, probe) -> None:
    cast.world.faults.rate_limit("POST", f"/channels/{cast.ops.id}/messages", 0.2, everywhere=True)
    probe.send(cast.ops.id, "patient")
    assert cast.world.bot_texts(cast.ops) == ["patient"]
    assert cast.world.early == []


def test_a_ban_of_the_proxy_and_a_refusal_are_not_tried_again(cast, probe) -> None:
    cast.world.faults.rate_limit("POST", POSTS, 0.2, via=False)
    with pytest.raises(discord.HTTPException) as banned:
        probe.send(cast.ops.id, "no")
    assert banned.value.status == 429
    cast.world.faults.clear()
    cast.world.faults.fail("POST", POSTS, 403, 50013, message="Missing Permissions")
    with pytest.raises(discord.Forbidden):
        probe.send(cast.ops.id, "no")
    assert probe.send(cast.ops.id, "yes").content == "yes"


def test_a_request_in_the_wait_of_a_rate_limit_is_early(cast, probe) -> None:
    cast.world.faults.rate_limit("POST", POSTS, 0.3, via=False)
    for _ in range(2):
        with contextlib.suppress(discord.HTTPException):
            probe.send(cast.ops.id, "x")
    assert [one.status for one in cast.world.early] == [429]
    assert cast.world.bot_texts(cast.ops) == ["x"]


def test_a_server_error_is_tried_again(cast, probe) -> None:
    cast.world.faults.page("POST", POSTS, 502)
    probe.send(cast.ops.id, "again")
    assert cast.world.bot_texts(cast.ops) == ["again"]
    assert [one.status for one in cast.world.requests("POST", POSTS)] == [502, 200]


def test_a_connection_broken_before_sends_nothing_and_one_broken_after_has_sent(cast, probe) -> None:
    cast.world.faults.drop_before("POST", POSTS)
    with pytest.raises((aiohttp.ClientError, OSError)):
        probe.send(cast.ops.id, "one")
    assert cast.world.bot_texts(cast.ops) == []
    cast.world.faults.drop_after("POST", POSTS)
    with pytest.raises((aiohttp.ClientError, OSError)):
        probe.send(cast.ops.id, "two", nonce="fire-2")
    assert cast.world.bot_texts(cast.ops) == ["two"]
    probe.send(cast.ops.id, "two", nonce="fire-2")
    assert cast.world.bot_texts(cast.ops) == ["two"]
    assert [(one.effect, one.status) for one in cast.world.requests("POST", POSTS)] == [
        (False, None),
        (True, None),
        (True, 200),
    ]


def test_answers_can_be_slow_and_requests_late(cast, probe) -> None:
    cast.world.faults.slow("POST", POSTS, 0.2)
    began = time.monotonic()
    probe.send(cast.ops.id, "slow")
    assert time.monotonic() - began >= 0.2
    cast.world.faults.delay("POST", POSTS, 0.2)
    began = time.monotonic()
    probe.send(cast.ops.id, "late")
    assert time.monotonic() - began >= 0.2


def test_a_token_that_died_is_refused(cast, probe) -> None:
    cast.world.application.resets_token()
    with pytest.raises(discord.HTTPException, match="401"):
        probe.send(cast.ops.id, "x")
    with Probe(cast.world, token="MTA.wrong.token", wait=False) as other:
        assert isinstance(other.ended(), discord.LoginFailure)


@pytest.mark.parametrize("intent", ["message_content", "members"])
def test_intents_that_the_portal_does_not_allow_end_the_connection(cast, intent: str) -> None:
    setattr(cast.world.application, intent, False)
    with Probe(cast.world, wait=False) as probe:
        assert isinstance(probe.ended(), discord.PrivilegedIntentsRequired)


def test_a_session_is_resumed_and_told_what_it_missed(cast, probe) -> None:
    cast.world.gateway.drop(4000)
    cast.bob.says(cast.ops, "while away")
    probe.heard("while away", timeout=10)
    probe.event("resumed")
    assert (cast.world.gateway.resumes, cast.world.gateway.identifies) == (1, 1)


def test_an_event_may_come_twice_after_a_resume(cast, probe) -> None:
    cast.bob.says(cast.ops, "twice")
    probe.heard("twice")
    cast.world.gateway.repeats_on_resume = 1
    cast.world.gateway.reconnect()
    probe.event("message", 2)
    assert len({one.id for one in probe.all("message")}) == 1
    cast.world.gateway.repeat("MESSAGE_CREATE")
    probe.event("message", 3)


def test_op_7_and_a_resumable_op_9_lead_to_a_resume_and_any_other_to_a_new_session(cast, probe) -> None:
    gateway = cast.world.gateway
    gateway.reconnect()
    cast.world.until(lambda: gateway.resumes == 1)
    gateway.invalidate(resumable=True)
    cast.world.until(lambda: gateway.resumes == 2)
    assert gateway.identifies == 1
    gateway.invalidate()
    cast.world.until(lambda: gateway.identifies == 2)
    cast.bob.says(cast.ops, "fresh")
    probe.heard("fresh")


def test_a_session_that_was_forgotten_is_begun_anew(cast, probe) -> None:
    cast.world.gateway.forget()
    cast.world.gateway.reconnect()
    cast.world.gateway.drop(4000)
    cast.world.until(lambda: cast.world.gateway.identifies == 2, 10)
    assert cast.world.gateway.resumes == 0


def test_a_token_refused_by_the_gateway_ends_the_client(cast, probe) -> None:
    cast.world.application.resets_token()
    cast.world.gateway.drop(4000)
    error = probe.ended(10)
    assert isinstance(error, discord.ConnectionClosed) and error.code == 4004


def test_everything_may_go_dark_and_come_back(cast, probe) -> None:
    cast.world.goes_dark()
    cast.world.until(lambda: not cast.world.gateway.connected)
    with pytest.raises((aiohttp.ClientError, OSError)):
        probe.send(cast.ops.id, "x")
    cast.world.comes_back()
    cast.bob.says(cast.ops, "back")
    probe.heard("back", timeout=15)


def test_a_route_that_is_not_understood_fails_the_test_unless_it_is_expected(cast, probe) -> None:
    ask = discord.http.Route("GET", "/voice/regions")
    cast.world.expects_unknown("GET", "/voice/*")
    with pytest.raises(discord.HTTPException) as refused:
        probe.call(lambda client: client.http.request(ask))
    assert (refused.value.status, cast.world.complaints) == (501, [])
    with pytest.raises(discord.HTTPException):
        probe.call(lambda client: client.http.request(discord.http.Route("GET", "/sticker-packs")))
    with pytest.raises(AssertionError, match="/sticker-packs"):
        cast.world.raise_complaints()
    cast.world.complaints.clear()


def test_heartbeats_are_acknowledged_late_when_asked_for(discord_service) -> None:
    discord_service.gateway.heartbeat_ms = 100
    discord_service.gateway.ack_seconds = 0.3
    with Probe(discord_service) as probe:
        discord_service.until(lambda: discord_service.gateway.heartbeats >= 2)
        discord_service.until(lambda: probe.client.latency >= 0.2)
