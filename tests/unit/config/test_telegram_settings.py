"""The settings of the Telegram bot: where its token may stand, what each address may be, and what is never told."""

import pytest

from config.settings import MASK
from config.urls import listen_address
from tests.unit.config.conftest import Place

TOKEN = "123456:AbC-dEf_1234567890"
SECRETS = ("telegram_token", "telegram_webhook_secret")


def token(place: Place) -> str:
    return place.load().settings.telegram_token.get_secret_value()


def test_the_token_is_read_from_our_variable_then_from_the_usual_one(place: Place) -> None:
    assert token(place) == ""
    place.env["TELEGRAM_TOKEN"] = TOKEN
    assert token(place) == TOKEN
    assert place.load().origins["telegram_token"] == "TELEGRAM_TOKEN"
    place.env["REMEMBRANCER_TELEGRAM_TOKEN"] = "7:other"
    assert token(place) == "7:other"
    assert place.load().origins["telegram_token"] == "REMEMBRANCER_TELEGRAM_TOKEN"


@pytest.mark.parametrize("key", SECRETS)
def test_a_secret_of_the_bot_comes_from_a_file_of_its_own(place: Place, key: str) -> None:
    (place.cwd / "secret").write_text("7:sesame\n" if key == "telegram_token" else "sesame\n")
    place.write(f'{key}_file = "secret"')
    assert "sesame" in getattr(place.load().settings, key).get_secret_value()
    place.env[f"REMEMBRANCER_{key.upper()}_FILE"] = "secret"
    place.write("")
    assert "sesame" in getattr(place.load().settings, key).get_secret_value()


@pytest.mark.parametrize("key", SECRETS)
def test_a_secret_of_the_bot_in_the_file_or_in_a_flag_is_refused_and_not_repeated(place: Place, key: str) -> None:
    in_flag = place.error(**{key: TOKEN})
    file = place.write(f'{key} = "{TOKEN}"')
    in_file = place.error()
    assert in_flag.sentence == f"A secret does not belong on the command line (--{key.replace('_', '-')})."
    assert in_file.sentence == f"{file} holds the secret '{key}' itself."
    for error in (in_flag, in_file):
        assert f"REMEMBRANCER_{key.upper()}" in error.hint
        assert TOKEN not in str(error)


def test_a_secret_that_is_switched_off_in_the_file_is_none(place: Place) -> None:
    place.write('telegram_token = ""')
    assert token(place) == ""


@pytest.mark.parametrize("variable", ["TELEGRAM_TOKEN", "REMEMBRANCER_TELEGRAM_TOKEN"])
@pytest.mark.parametrize(
    "wrong",
    [
        "sesame",
        "123456",
        "123456:",
        ":sesame",
        "12a:sesame",
        "1:ses ame",
        "1:sesame:x",
        "1" * 21 + ":x",
        "1:" + "x" * 101,
    ],
)
def test_a_token_of_another_form_is_refused_and_not_repeated(place: Place, variable: str, wrong: str) -> None:
    place.env[variable] = wrong
    error = place.error()
    assert error.sentence.startswith(f"The environment variable {variable} cannot be used: it is not a bot token")
    assert wrong.strip(":") not in str(error)
    assert wrong not in repr(error.details)


@pytest.mark.parametrize("good", ["1:x", "1" * 20 + ":x", "1:" + "x" * 100, f" {TOKEN}\n"])
def test_a_token_at_the_ends_of_its_form_is_taken(place: Place, good: str) -> None:
    place.env["TELEGRAM_TOKEN"] = good
    assert token(place) == good.strip()


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8081",
        "https://api.example.org",
        "http://[::1]:8081",
        "http://bot-api:8081/",
        "https://a:65535",
    ],
)
def test_an_api_server_is_a_host_and_nothing_after_it(place: Place, url: str) -> None:
    assert place.load(telegram_api_url=url).settings.telegram_api_url == url.rstrip("/")


@pytest.mark.parametrize(
    "url",
    [
        "127.0.0.1:8081", "ftp://host", "http://", "http://host/bot", "http://host?x", "http://host#x",
        "http://u:p@host", "http://host:0", "http://host:65536", "http://host:x", "http://host:", "http://[::1", "http://[x]",
        "http://ho st", "http://-host", "http://hoſt", "x" * 301,
    ],
)  # fmt: skip
def test_an_api_server_that_cannot_be_called_is_refused(place: Place, url: str) -> None:
    assert "--telegram-api-url cannot be used" in place.error(telegram_api_url=url).sentence


@pytest.mark.parametrize(
    "url",
    [
        "https://bot.example.org",
        "https://bot.example.org/telegram?x=1",
        "https://bot.example.org:8443/t",
        "https://bot.example.org:88",
        "http://127.0.0.1:8443/x",
        "http://127.9.9.9:5000",
        "http://[::1]:5000/x",
        "http://localhost:5000",
    ],
)
def test_a_webhook_is_https_or_on_this_machine(place: Place, url: str) -> None:
    assert place.load(telegram_webhook_url=url).settings.telegram_webhook_url == url


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://bot.example.org/x", "this machine's own addresses only"),
        ("http://127.0.0.1.example.org/x", "this machine's own addresses only"),
        ("http://10.0.0.1/x", "this machine's own addresses only"),
        ("bot.example.org/x", "it must be https://"),
        ("https://u:p@bot.example.org", "it must be https://"),
        ("https://bot.example.org/#x", "it must be https://"),
        ("https:///x", "it must be https://"),
        ("https://bot.example.org:444/x", "443, 80, 88 and 8443"),
        ("https://a/" + "x" * 991, "1000"),
    ],
)
def test_a_webhook_that_telegram_cannot_call_is_refused(place: Place, url: str, why: str) -> None:
    assert why in place.error(telegram_webhook_url=url).sentence


def test_a_server_of_ones_own_calls_every_port(place: Place) -> None:
    place.env["REMEMBRANCER_TELEGRAM_API_URL"] = "http://127.0.0.1:8081"
    url = "https://bot.example.org:444/x"
    assert place.load(telegram_webhook_url=url).settings.telegram_webhook_url == url


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("127.0.0.1:1", ("127.0.0.1", 1)),
        ("0.0.0.0:65535", ("0.0.0.0", 65_535)),
        ("[::1]:8443", ("::1", 8443)),
        ("bot-1.local:80", ("bot-1.local", 80)),
    ],
)
def test_it_listens_at_a_host_and_a_port(place: Place, text: str, found: tuple[str, int]) -> None:
    assert place.load(telegram_webhook_listen=text).settings.telegram_webhook_listen == text
    assert listen_address(text) == found


@pytest.mark.parametrize(
    "text", ["", "8443", ":8443", "host:", "host:0", "host:65536", "host:８０", "::1:80", "[x]:80"]
)
def test_where_it_cannot_listen_is_refused(place: Place, text: str) -> None:
    assert "host:port" in place.error(telegram_webhook_listen=text).sentence


@pytest.mark.parametrize(
    ("word", "good"), [("a", True), ("aZ0_-" * 51 + "a", True), ("a" * 257, False), ("a b", False)]
)
def test_the_word_of_the_webhook_has_bounds(place: Place, word: str, good: bool) -> None:
    place.env["REMEMBRANCER_TELEGRAM_WEBHOOK_SECRET"] = word
    if good:
        assert place.load().settings.telegram_webhook_secret.get_secret_value() == word
        assert place.load().settings.masked()["telegram_webhook_secret"] == MASK
    else:
        assert word not in str(place.error())


def test_who_owns_a_direct_message_is_one_of_two(place: Place) -> None:
    assert place.load().settings.dm_owners == "operators"
    assert place.load(dm_owners="self").settings.dm_owners == "self"
    assert "dm-owners" in place.error(dm_owners="everybody").sentence
