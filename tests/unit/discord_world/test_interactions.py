"""Commands, buttons, menus and forms: what the client offers, and what comes of the answers."""

import pytest

from tests.fakes.discord.engine import discord
from tests.fakes.discord.probe import Probe
from tests.fakes.discord.smallbot import setup

pytestmark = pytest.mark.thorough


def test_an_answer_put_off_is_seen_by_the_one_who_asked_alone(cast, small) -> None:
    answer = cast.bob.slash(cast.ops, "ping", times=3)
    answer.says("and again")
    answer.until(lambda: answer.edits, 3, "the edit")
    assert (answer.deferred, answer.ephemeral, answer.thinking, answer.failed) == (True, True, False, False)
    assert answer.acknowledged_after < 1
    assert answer.texts == ["pong y3", "and again"]
    assert [one.text for one in cast.world.visible(cast.ops, cast.bob)] == ["pong y3", "and again"]
    assert cast.world.visible(cast.ops, cast.ada) == cast.world.messages(cast.ops) == []


def test_options_of_every_type_arrive_in_a_subcommand_of_a_group(cast, small) -> None:
    options = {"text": "tea", "count": 5, "loud": True, "who": cast.bob, "where": cast.ops}
    answer = cast.ada.slash(cast.ops, "intent rule add", **options)
    assert answer.says().text == "tea 5 True Bob ops"
    with pytest.raises(AssertionError, match="≤ 5"):
        cast.ada.slash(cast.ops, "intent rule add", text="tea", count=6)
    with pytest.raises(AssertionError, match=r"needs \['text'\]"):
        cast.ada.slash(cast.ops, "intent rule add")
    with pytest.raises(AssertionError, match="not of the kind USER"):
        cast.ada.slash(cast.ops, "intent rule add", text="tea", who=cast.ops)


def test_a_command_is_refused_that_was_never_synced_or_is_not_offered(cast, small) -> None:
    with pytest.raises(AssertionError, match="was ever synced"):
        cast.bob.slash(cast.ops, "pong")
    with pytest.raises(AssertionError, match="not offered 'intent'"):
        cast.bob.slash(cast.ops, "intent rule add", text="tea")
    assert "intent rule add" not in cast.bob.offered(cast.ops)
    cast.guild.give(cast.bob, cast.guild.role("Mods", manage_guild=True))
    assert "intent rule add" in cast.bob.offered(cast.ops)
    assert len(cast.world.syncs) == 1


def test_typing_into_an_option_gives_suggestions(cast, small) -> None:
    typed = cast.ada.completes(cast.ops, "intent rule cancel", "handle", "i-")
    assert [one.value for one in typed.suggestions()] == ["i-aaaa", "i-bbbb"]
    with pytest.raises(AssertionError, match="has no autocomplete"):
        cast.ada.completes(cast.ops, "intent rule add", "text", "t")


def test_a_button_works_after_a_restart_of_the_bot(cast) -> None:
    with Probe(cast.world, setup, sync=True):
        shown = cast.bob.slash(cast.ops, "pick").says("pick one")
        assert (shown.ephemeral, shown.answers_interaction) == (False, True)
        assert cast.world.bot_messages(cast.ops) == []
    with Probe(cast.world, setup):
        chosen = cast.bob.selects(shown, "Risk").says("kind=")
        assert (chosen.text, chosen.ephemeral) == ("kind=risk", True)
        cast.ada.clicks(shown, "Done").acknowledges()
        assert (shown.text, shown.components) == ("marked done", [])
    with pytest.raises(AssertionError, match="has no button"):
        cast.ada.clicks(shown, "Done")


def test_a_menu_takes_only_what_it_offers(cast, small) -> None:
    shown = cast.bob.slash(cast.ops, "pick").says("pick one")
    with pytest.raises(AssertionError, match="does not offer"):
        cast.bob.selects(shown, "Wish")
    with pytest.raises(AssertionError, match="1 to 1"):
        cast.bob.selects(shown, "Goal", "Risk")


def test_a_form_is_shown_filled_in_and_sent(cast, small) -> None:
    shown = cast.bob.slash(cast.ops, "form")
    assert shown.shows_modal()["title"] == "Add a goal"
    assert [one["label"] for one in shown.fields] == ["Goal"]
    with pytest.raises(AssertionError, match="0 to 20"):
        cast.bob.submits(shown, {"Goal": "x" * 21})
    with pytest.raises(AssertionError, match="needs 'Goal'"):
        cast.bob.submits(shown, {})
    assert cast.bob.submits(shown, {"Goal": "ship it"}).says().text == "saved: ship it"


def test_a_command_of_the_context_menu_gets_its_message(cast, small) -> None:
    said = cast.ada.says(cast.ops, "the plan")
    assert cast.bob.uses_menu(said, "Remember this").says().text == "remembered the plan"


def test_commands_work_in_direct_messages(cast, small) -> None:
    assert cast.bob.slash(cast.world.bot, "ping").says("pong").text.startswith("pong")


def test_a_token_is_dead_that_was_not_acknowledged_in_time(cast) -> None:
    cast.world.answer_seconds = 0.1
    with Probe(cast.world, setup, sync=True) as small:
        answer = cast.bob.slash(cast.ops, "late", seconds=0.3)
        call = cast.world.until(lambda: cast.world.requests("POST", "/interactions/*"))[0]
        cast.world.until(lambda: call.status)
        assert (call.status, call.code, answer.acknowledged, answer.failed) == (404, 10062, False, True)
        assert small.client is not None


def _interaction(probe):
    return probe.event("interaction")


def test_a_second_acknowledgement_is_refused(cast, probe_with_ping) -> None:
    answer = cast.bob.slash(cast.ops, "ping").acknowledges()
    inter = _interaction(probe_with_ping)

    async def again(client):
        adapter = discord.webhook.async_.async_context.get()
        await adapter.create_interaction_response(
            inter.id,
            inter.token,
            session=inter._session,
            params=discord.webhook.async_.interaction_response_params(type=5),
        )

    with pytest.raises(discord.HTTPException) as refused:
        probe_with_ping.call(again)
    assert (refused.value.status, refused.value.code) == (400, 40060)
    assert answer.deferred


def test_a_token_ages(cast, probe_with_ping) -> None:
    answer = cast.bob.slash(cast.ops, "ping")
    answer.says("and again")
    inter = _interaction(probe_with_ping)
    cast.world.advance(cast.world.token_seconds + 1)
    with pytest.raises(discord.HTTPException) as refused:
        probe_with_ping.call(lambda client: inter.followup.send("too late"))
    assert (refused.value.status, refused.value.code) == (401, 50027)


@pytest.fixture
def probe_with_ping(small):
    return small
