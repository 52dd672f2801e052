"""The limits of the API, each at its bound and one beyond."""

import pytest

from tests.fakes.discord import limits
from tests.fakes.discord.engine import BackendError, discord
from tests.fakes.discord.probe import Probe

pytestmark = pytest.mark.thorough


def command(**more):
    return {"name": "one", "description": "text", "type": 1, **more}


def option(kind: int = 3, **more):
    return {"name": "one", "description": "text", "type": kind, **more}


def many(count: int, make=option, **more):
    return [make(**more) | {"name": f"n{number}"} for number in range(count)]


def choices(count: int, size: int = 1):
    return [{"name": f"{number}", "value": "v" * size} for number in range(count)]


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        (many(100, command), many(101, command)),
        (
            [{"name": f"Menu {number}", "type": 3} for number in range(15)],
            [{"name": f"Menu {number}", "type": 3} for number in range(16)],
        ),
        ([command(options=many(25, kind=1))], [command(options=many(26, kind=1))]),
        ([command(options=many(25))], [command(options=many(26))]),
        ([command(name="x" * 32)], [command(name="x" * 33)]),
        ([command(description="x" * 100)], [command(description="x" * 101)]),
        ([command(options=[option(choices=choices(25))])], [command(options=[option(choices=choices(26))])]),
        (
            [command(options=[option(choices=choices(1, 100))])],
            [command(options=[option(choices=choices(1, 101))])],
        ),
        ([command(name="fine")], [command(name="Loud")]),
        ([command()], [command(), command()]),
        ([command(options=[option(2, options=[option(1)])])], [command(options=[option(2, options=[option(2)])])]),
        ([command(options=[option(1)])], [command(options=[option(1), option(3, name="two")])]),
        (
            [command(options=[option(required=True), option(name="two")])],
            [command(options=[option(), option(name="two", required=True)])],
        ),
        (
            [command(options=[option(autocomplete=True)])],
            [command(options=[option(autocomplete=True, choices=choices(1))])],
        ),
    ],
)
def test_commands_keep_the_limits(good, bad) -> None:
    limits.check_commands(good)
    with pytest.raises(BackendError) as refused:
        limits.check_commands(bad)
    assert (refused.value.status, refused.value.code) == (400, 50035)


def test_a_command_has_eight_thousand_characters_at_most() -> None:
    rest = limits.COMMAND_CHARACTERS - len("onetext")
    full = [option(2, name=f"g{number}", description="x" * 98, options=[]) for number in range(25)]
    for group in full:
        group["options"] = [option(1, name="s1", description="y" * 98), option(1, name="s2", description="y" * 98)]
    size = sum(len(group["name"]) + 98 + 2 * 100 for group in full)
    full[0]["options"] += [option(1, name=f"t{n}", description="z" * 98) for n in range((rest - size) // 100)]
    limits.check_commands([command(options=full)])
    full[1]["options"] += [option(1, name="more", description="z" * 98)]
    with pytest.raises(BackendError):
        limits.check_commands([command(options=full)])


def test_a_sync_beyond_a_limit_is_refused_over_http(cast) -> None:
    def crowded(client) -> None:
        @client.tree.command(description="x" * 100)
        async def one(inter: discord.Interaction) -> None: ...

        one.description = "x" * 101

    with Probe(cast.world, crowded, sync=True, wait=False) as probe:
        assert isinstance(probe.ended(), discord.HTTPException)
    assert (cast.world.requests("PUT", "/applications/*")[0].code, cast.world.syncs) == (50035, [])


@pytest.mark.parametrize(("size", "refused"), [(25, False), (26, True)])
def test_a_nonce_has_twenty_five_characters_at_most(cast, probe, size: int, refused: bool) -> None:
    if not refused:
        assert probe.send(cast.ops.id, "x", nonce="n" * size).content == "x"
        return
    with pytest.raises(discord.HTTPException):
        probe.send(cast.ops.id, "x", nonce="n" * size)


@pytest.mark.parametrize(("size", "refused"), [(1, False), (100, False), (101, True), (0, True)])
def test_a_page_of_history_has_a_hundred_messages_at_most(cast, probe, size: int, refused: bool) -> None:
    if not refused:
        assert probe.call(lambda client: client.http.logs_from(cast.ops.id, size)) == []
        return
    with pytest.raises(discord.HTTPException):
        probe.call(lambda client: client.http.logs_from(cast.ops.id, size))


def post(cast, probe, **body):
    """By HTTP alone: the library keeps some limits itself."""
    route = discord.http.Route("POST", "/channels/{channel_id}/messages", channel_id=cast.ops.id)
    return probe.call(lambda client: client.http.request(route, json=body))


def row(*parts):
    return {"type": 1, "components": list(parts)}


def button(name: str):
    return {"type": 2, "style": 1, "label": "x", "custom_id": name}


def select(count: int):
    return {"type": 3, "custom_id": "s", "options": [{"label": f"{n}", "value": f"{n}"} for n in range(count)]}


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ([row(button("x" * 100))], [row(button("x" * 101))]),
        ([row(*map(button, "abcde"))], [row(*map(button, "abcdef"))]),
        ([row(button(one)) for one in "abcde"], [row(button(one)) for one in "abcdef"]),
        ([row(select(25))], [row(select(26))]),
    ],
)
def test_components_keep_the_limits(cast, probe, good, bad) -> None:
    assert post(cast, probe, content="x", components=good)["content"] == "x"
    with pytest.raises(discord.HTTPException) as refused:
        post(cast, probe, content="x", components=bad)
    assert refused.value.code == 50035


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ([{"title": "x" * 256}], [{"title": "x" * 257}]),
        ([{"description": "x" * 4096}], [{"description": "x" * 4097}]),
        ([{"title": "x"}] * 10, [{"title": "x"}] * 11),
        ([{"fields": [{"name": "a", "value": "b"}] * 25}], [{"fields": [{"name": "a", "value": "b"}] * 26}]),
        ([{"description": "x" * 3000}] * 2, [{"description": "x" * 3000}, {"description": "x" * 3001}]),
    ],
)
def test_embeds_keep_the_limits(cast, probe, good, bad) -> None:
    assert post(cast, probe, embeds=good)["embeds"] == good
    with pytest.raises(discord.HTTPException) as refused:
        post(cast, probe, embeds=bad)
    assert refused.value.code == 50035
