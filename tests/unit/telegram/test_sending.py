"""What the errors of the client library mean, and how long an answer is tried."""

import asyncio
import inspect
from datetime import timedelta

import pytest
from telegram.error import TelegramError

from adapters.base.contract import NeverSent, RetryLater
from adapters.telegram.sending import PATIENCE, TRIES, failure_of, patiently
from tests.fakes.fasttime import JumpingLoop, run
from tests.fakes.telegram import errors
from tests.fakes.telegram.probe import Probe
from tests.fakes.telegram.world import World

SECONDS = timedelta(seconds=1)
MEANS = {
    "bad_request": (errors.bad_request("PEER_ID_INVALID"), NeverSent, "gone"),
    "forbidden": (errors.forbidden("bot can't send messages to bots"), NeverSent, "kicked"),
    "unauthorized": (errors.unauthorized(), RetryLater, "token"),
    "not_found": (errors.not_found(), RetryLater, "token"),
    "chat_not_found": (errors.chat_not_found(), NeverSent, "gone"),
    "blocked": (errors.blocked(), NeverSent, "blocked"),
    "never_started": (errors.never_started(), NeverSent, "blocked"),
    "deactivated": (errors.deactivated(), NeverSent, "blocked"),
    "kicked": (errors.kicked("supergroup"), NeverSent, "kicked"),
    "not_a_member": (errors.not_a_member("channel"), NeverSent, "kicked"),
    "may_not_write": (errors.may_not_write(), NeverSent, "forbidden"),
    "upgraded": (errors.upgraded(-1002200000009), RetryLater, "server"),
    "reply_not_found": (errors.reply_not_found(), NeverSent, "refused"),
    "thread_not_found": (errors.thread_not_found(), NeverSent, "gone"),
    "not_modified": (errors.not_modified(), NeverSent, "unchanged"),
    "query_too_old": (errors.query_too_old(), NeverSent, "refused"),
    "cant_parse_entities": (errors.cant_parse_entities(), NeverSent, "entities"),
    "too_many_requests": (errors.too_many_requests(40), RetryLater, "limited"),
    "other_poller": (errors.other_poller(), RetryLater, "server"),
    "webhook_active": (errors.webhook_active(), RetryLater, "server"),
    "ended_by_webhook": (errors.ended_by_webhook(), RetryLater, "server"),
    "internal": (errors.internal(), RetryLater, "network"),
    "bad_gateway": (errors.bad_gateway(page=True), RetryLater, "network"),
}
MORE = {
    "topic closed": (errors.bad_request("TOPIC_CLOSED"), NeverSent, "closed"),
    "topic deleted": (errors.bad_request("TOPIC_DELETED"), NeverSent, "gone"),
    "no rights": (errors.bad_request("have no rights to send a message"), NeverSent, "forbidden"),
    "may not write": (errors.bad_request("CHAT_WRITE_FORBIDDEN"), NeverSent, "forbidden"),
    "restricted": (errors.bad_request("CHAT_RESTRICTED"), NeverSent, "forbidden"),
    "channel": (errors.bad_request("need administrator rights in the channel chat"), NeverSent, "forbidden"),
    "edit of what is gone": (errors.bad_request("message to edit not found"), NeverSent, "gone"),
    "edit of another": (errors.bad_request("message can't be edited"), NeverSent, "gone"),
    "mention": (errors.bad_request("USER_INVALID"), NeverSent, "entities"),
    "empty": (errors.bad_request("message text is empty"), NeverSent, "refused"),
}


@pytest.fixture(scope="module")
def probe():
    with World() as world:
        bot = world.bot()
        with Probe(world, bot, mode="") as made:
            yield made


@pytest.fixture
def chat(probe):
    """A group of its own: a wait that Telegram asks for counts for all of a group."""
    return probe.world.supergroup("Ops", creator=probe.world.person("Ada"), members=[probe.bot])


def test_every_error_of_the_loopback_telegram_is_in_the_table():
    made = {
        name for name, found in inspect.getmembers(errors, inspect.isfunction) if found.__module__ == errors.__name__
    }
    assert made == set(MEANS)


@pytest.mark.parametrize("name", [*MEANS, *MORE])
def test_an_error_means_later_or_never_for_one_reason(probe, chat, name):
    error, kind, why = (MEANS | MORE)[name]
    probe.world.faults.fail("setMessageReaction", error)
    with pytest.raises(TelegramError) as raised:
        probe.call(lambda client: client.set_message_reaction(chat.id, 1, "👍"))
    failure = failure_of(raised.value)
    assert (type(failure), failure.why) == (kind, why)
    if kind is RetryLater:
        assert failure.wait == (40 * SECONDS if why == "limited" else None)


def test_a_lost_connection_means_later(probe, chat):
    probe.world.faults.drop_before("sendMessage")
    with pytest.raises(TelegramError) as raised:
        probe.send(chat.id, "x")
    assert (type(failure_of(raised.value)), failure_of(raised.value).why) == (RetryLater, "network")


def tried(*answers, patience=PATIENCE):
    """At which seconds it was tried, and what came of it."""
    loop, at, left = JumpingLoop(), [], list(answers)

    async def act():
        at.append(asyncio.get_running_loop().time())
        answer = left.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def work():
        try:
            return await patiently(act, patience)
        except (RetryLater, NeverSent) as failed:
            return failed

    return run(loop, work()), at


def test_the_wait_of_the_platform_is_waited():
    assert tried(RetryLater("limited", 40 * SECONDS), "done") == ("done", [0, 40])


def test_without_a_wait_it_is_a_second_and_then_two():
    assert tried(RetryLater("network"), RetryLater("network"), "done") == ("done", [0, 1, 3])


def test_a_wait_of_as_long_as_somebody_waits_is_waited_and_a_longer_one_is_not():
    assert tried(RetryLater("limited", PATIENCE), "done")[0] == "done"
    later = RetryLater("limited", PATIENCE + SECONDS)
    assert tried(later, "done") == (later, [0])


def test_it_is_tried_so_many_times_and_never_again_where_it_cannot_work():
    later = [RetryLater("network") for _ in range(TRIES)]
    found, at = tried(*later, "done")
    assert (found, len(at)) == (later[-1], TRIES)
    never = NeverSent("blocked")
    assert tried(never, "done") == (never, [0])
