"""A connection to Discord that breaks, begins anew or is refused: what was said fires once, and nothing piles up."""

import os
import signal
import time
from pathlib import Path

import pytest

from tests.fakes.discord.bots import running
from tests.fakes.discord.gateway import ABORT
from tests.fakes.discord.scene import Scene
from tests.fakes.discord.talking import replies, reply_to
from tests.fakes.discord.world import World

PLATFORM = "discord"
pytestmark = pytest.mark.thorough


@pytest.fixture
def here(world, process):
    return Scene(world, process)


@pytest.fixture
def gateway(here):
    here.world.connects()
    return here.world.gateway


def resumed(here, before):
    """Wait until the session is taken up again."""
    gateway = here.world.gateway
    here.world.until(lambda: gateway.resumes > before and gateway.connected, 10, "RESUME")


# short breaks: the session goes on


@pytest.mark.parametrize("code", [4000, ABORT])
def test_what_is_said_while_the_connection_is_broken_fires_once(here, gateway, code):
    here.make("launch checklist")
    before = gateway.resumes, gateway.identifies
    with here.world.lock:
        gateway.drop(code)
        said = here.bob.says(here.ops, "launch checklist")
    here.once(said)
    assert (gateway.resumes, gateway.identifies) == (before[0] + 1, before[1])


def test_discord_asks_for_another_connection_and_what_is_said_meanwhile_fires_once(here, gateway):
    here.make("launch checklist")
    before = gateway.resumes
    with here.world.lock:
        gateway.reconnect()
        said = here.bob.says(here.ops, "launch checklist")
    resumed(here, before)
    here.once(said)


def test_a_session_that_is_invalid_for_a_moment_goes_on(here, gateway):
    here.make("launch checklist")
    before = gateway.resumes
    gateway.invalidate(resumable=True)
    said = here.bob.says(here.ops, "launch checklist")
    resumed(here, before)
    here.once(said)


def test_t025_the_same_message_twice_fires_once(here, gateway):
    here.make("launch checklist")
    said = here.bob.says(here.ops, "launch checklist")
    gateway.repeat()
    gateway.repeat()
    here.once(said)
    gateway.repeat()
    here.settled()
    assert len(replies(here.world, said)) == 1


def test_t025_a_sentence_that_comes_twice_is_answered_once(here, gateway):
    said = here.ada.says(here.ops, "when someone mentions zebra, remind me to feed it")
    gateway.repeat()
    reply_to(here.world, said, "zebra")
    here.settled()
    assert len(replies(here.world, said)) == 1


def test_t025_what_is_told_again_after_a_resume_fires_once(here, gateway):
    here.make("launch checklist")
    said = here.bob.says(here.ops, "launch checklist")
    reply_to(here.world, said)
    gateway.repeats_on_resume, before = 5, gateway.resumes
    gateway.drop()
    resumed(here, before)
    gateway.repeats_on_resume = 0
    here.once(said)


# long breaks: another session


@pytest.mark.thorough
@pytest.mark.parametrize("how", ["invalidate", "forget"])
def test_what_is_said_between_two_sessions_is_read_from_the_channels_and_fires_once(here, gateway, how):
    here.make("launch checklist")
    heard = here.bob.says(here.ops, "launch checklist, first")
    reply_to(here.world, heard)
    thread = here.bob.opens_thread(here.bob.says(here.ops, "plans"), "Plans")
    reply_to(here.world, here.bob.says(thread, "launch checklist, in a thread"))
    before = gateway.identifies
    with here.world.lock:
        getattr(gateway, how)()
        gateway.drop()
        missed = [here.bob.says(here.ops, f"launch checklist {number}") for number in range(2)]
        missed.append(here.bob.says(thread, "launch checklist, meanwhile"))
    here.world.until(lambda: gateway.identifies > before and gateway.connected, 15, "IDENTIFY")
    for said in missed:
        reply_to(here.world, said)
    here.settled()
    assert [len(replies(here.world, said)) for said in [heard, *missed]] == [1, 1, 1, 1]
    here.once(here.bob.says(here.ops, "launch checklist, afterwards"))


@pytest.mark.thorough
def test_an_owners_sentence_between_two_sessions_is_answered_once(here, gateway):
    before = gateway.identifies
    with here.world.lock:
        gateway.invalidate()
        gateway.drop()
        said = here.ada.says(here.ops, "when someone mentions zebra, remind me to feed it")
    here.world.until(lambda: gateway.identifies > before and gateway.connected, 15, "IDENTIFY")
    reply_to(here.world, said, "zebra", 10)
    here.settled()
    assert len(replies(here.world, said)) == 1


# nothing piles up


def threads_of(pid):
    return len(list(Path(f"/proc/{pid}/task").iterdir()))


@pytest.mark.thorough
def test_t023_stopped_and_continued_twice_one_loop_delivers(here, gateway):
    here.make("launch checklist")
    here.once(here.bob.says(here.ops, "launch checklist"))
    pid, before, sent = here.process.pid, threads_of(here.process.pid), len(here.world.sends(here.ops))
    for number in range(2):
        resumes = gateway.resumes
        os.kill(pid, signal.SIGSTOP)
        try:
            gateway.drop(ABORT)
            time.sleep(0.3)
            said = here.bob.says(here.ops, f"launch checklist {number}")
        finally:
            os.kill(pid, signal.SIGCONT)
        resumed(here, resumes)
        here.once(said)
    assert len(here.world.sends(here.ops)) == sent + 2
    here.world.until(lambda: threads_of(pid) <= before, 5, "the heartbeats of old connections end")


@pytest.mark.thorough
def test_after_many_reconnections_everything_is_there_once(here, gateway):
    here.make("launch checklist")
    here.once(here.bob.says(here.ops, "launch checklist"))
    before = threads_of(here.process.pid)
    for _ in range(10):
        resumes = gateway.resumes
        gateway.drop()
        resumed(here, resumes)
    here.once(here.bob.says(here.ops, "launch checklist"))
    assert here.process.output().count("is listening") == 1
    here.world.until(lambda: threads_of(here.process.pid) <= before, 5, "the heartbeats of old connections end")


# refused at the door


@pytest.mark.thorough
def test_t017_without_the_content_of_messages_it_says_where_to_switch_it_on_and_ends(tmp_path):
    with World() as world:
        world.application.message_content = False
        with running(world, tmp_path, start=False) as process:
            process.start(wait=False)
            code = process.ended()
            told = process.output()
    assert code == 1
    assert "The Message Content intent is off" in told
    assert "https://discord.com/developers/applications" in told
    assert "Message Content Intent" in told
    assert "Traceback" not in told
    assert world.gateway.identifies == 0


@pytest.mark.thorough
def test_t017_a_message_without_text_is_no_crash(here):
    here.make("launch checklist")
    said = here.bob.says(here.ops, files=[("plan.png", b"png")])
    here.quiet(said)


@pytest.mark.thorough
def test_without_the_members_intent_it_listens_and_reminds(tmp_path):
    with World() as world:
        world.application.members = False
        with running(world, tmp_path) as process:
            here = Scene(world, process)
            here.make("launch checklist")
            here.once(here.bob.says(here.ops, "launch checklist"))


@pytest.mark.thorough
def test_a_token_that_is_reset_while_it_runs_is_said_with_what_to_do_and_ends_it(tmp_path):
    with World() as world, running(world, tmp_path) as process:
        old = world.token
        world.application.resets_token()
        world.gateway.drop()
        assert process.ended(60) == 1
        told = process.output()
        assert "Discord does not take the token of this bot any more" in told
        assert "Reset Token" in told
        assert old not in told
