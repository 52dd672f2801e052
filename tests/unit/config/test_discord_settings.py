"""The settings of the Discord bot: where its token may stand, what each address may be, and what is never told."""

import pytest

from config.settings import MASK
from tests.unit.config.conftest import Place

TOKEN = "MTA.test.token"
VARIABLES = ("DISCORD_TOKEN", "REMEMBRANCER_DISCORD_TOKEN")


def token(place: Place) -> str:
    return place.load().settings.discord_token.get_secret_value()


def test_the_token_is_read_from_our_variable_then_from_the_usual_one(place: Place) -> None:
    assert token(place) == ""
    place.env["DISCORD_TOKEN"] = TOKEN
    assert token(place) == TOKEN
    assert place.load().origins["discord_token"] == "DISCORD_TOKEN"
    place.env["REMEMBRANCER_DISCORD_TOKEN"] = "MTA.the.other"
    assert token(place) == "MTA.the.other"
    assert place.load().origins["discord_token"] == "REMEMBRANCER_DISCORD_TOKEN"
    assert place.load().settings.masked()["discord_token"] == MASK


def test_the_token_comes_from_a_file_of_its_own(place: Place) -> None:
    (place.cwd / "secret").write_text(f"{TOKEN}\n")
    place.write('discord_token_file = "secret"')
    assert token(place) == TOKEN
    place.write("")
    place.env["REMEMBRANCER_DISCORD_TOKEN_FILE"] = "secret"
    assert token(place) == TOKEN


def test_a_token_in_the_file_or_in_a_flag_is_refused_and_not_repeated(place: Place) -> None:
    in_flag = place.error(discord_token=TOKEN)
    file = place.write(f'discord_token = "{TOKEN}"')
    in_file = place.error()
    assert in_flag.sentence == "A secret does not belong on the command line (--discord-token)."
    assert in_file.sentence == f"{file} holds the secret 'discord_token' itself."
    for error in (in_flag, in_file):
        assert "REMEMBRANCER_DISCORD_TOKEN" in error.hint
        assert TOKEN not in str(error)


@pytest.mark.parametrize("variable", VARIABLES)
@pytest.mark.parametrize(
    "wrong",
    [
        "sesame",
        "MTA.sesame",
        "MTA..sesame",
        ".sesame.x",
        "MTA.sesame.",
        "MTA.sesame.x.y",
        "MTA.ses ame.x",
        "MTA.ſesame.x",
        "Bearer MTA.sesame.x",
        "x" * 51 + ".sesame.x",
        "MTA." + "x" * 101 + ".sesame",
        "MTA.sesame." + "x" * 101,
    ],
)
def test_a_token_of_another_form_is_refused_and_not_repeated(place: Place, variable: str, wrong: str) -> None:
    place.env[variable] = wrong
    error = place.error()
    assert error.sentence.startswith(f"The environment variable {variable} cannot be used: it is not a bot token")
    assert "developer portal" in error.sentence
    assert wrong not in str(error)
    assert wrong not in repr(error.details)


@pytest.mark.parametrize(
    "good", ["1.x.y", "x" * 50 + ".x.y", "M." + "x" * 100 + "." + "y" * 100, "Mz-_9.aZ-_.0", f" {TOKEN}\n"]
)
def test_a_token_at_the_ends_of_its_form_is_taken(place: Place, good: str) -> None:
    place.env["DISCORD_TOKEN"] = good
    assert token(place) == good.strip()


@pytest.mark.parametrize("written", [f"Bot {TOKEN}", f" Bot  {TOKEN} "])
def test_a_token_that_is_copied_with_the_word_before_it_is_taken_without(place: Place, written: str) -> None:
    place.env["DISCORD_TOKEN"] = written
    assert token(place) == TOKEN


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1:8082/api/v10", "https://discord.example.org/api/v10/", "http://[::1]:8082/api/v10"],
)
def test_the_api_is_a_host_and_the_version_that_is_spoken(place: Place, url: str) -> None:
    assert place.load(discord_api_url=url).settings.discord_api_url == url.rstrip("/")


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8082", "http://host/api", "http://host/api/v9", "http://host/x/api/v10", "ws://host/api/v10",
        "host/api/v10", "http:///api/v10", "http://host/api/v10?x", "http://host/api/v10#x", "http://u:p@host/api/v10",
        "http://host:0/api/v10", "http://host:65536/api/v10", "x" * 301,
    ],
)  # fmt: skip
def test_an_api_that_cannot_be_called_is_refused(place: Place, url: str) -> None:
    assert "--discord-api-url cannot be used" in place.error(discord_api_url=url).sentence


@pytest.mark.parametrize("url", ["ws://127.0.0.1:8082", "wss://gateway.discord.gg/", "ws://[::1]:1/x", "wss://a:65535"])
def test_the_gateway_is_a_websocket(place: Place, url: str) -> None:
    assert place.load(discord_gateway_url=url).settings.discord_gateway_url == url


@pytest.mark.parametrize(
    "url",
    [
        "http://host", "https://host", "host:8082", "ws://", "ws://host?v=10", "ws://host#x", "ws://u:p@host",
        "ws://host:0", "ws://host:65536", "ws://ho st", "x" * 301,
    ],
)  # fmt: skip
def test_a_gateway_that_cannot_be_opened_is_refused(place: Place, url: str) -> None:
    assert "--discord-gateway-url cannot be used" in place.error(discord_gateway_url=url).sentence
