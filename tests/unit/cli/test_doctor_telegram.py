"""What `doctor` finds at Telegram, by the real library over real sockets."""

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from telegram.error import NetworkError, TelegramError

from bots.doctor import State
from bots.doctor_telegram import MANY_PENDING, pending, reached, refusal
from bots.runtime import SystemClock
from tests.fakes.telegram import errors
from tests.fakes.telegram.errors import ApiError
from tests.fakes.telegram.fixtures import telegram_world  # noqa: F401 - a fixture
from tests.fakes.telegram.probe import Probe, free_port
from tests.fakes.telegram.robots import Bot, Webhook
from tests.fakes.telegram.world import World
from tests.unit.cli.conftest import Terminal

pytestmark = pytest.mark.thorough

Checks = dict[str, Any]
CHANGING = {"setWebhook", "deleteWebhook", "setMyCommands", "logOut", "close"}


@pytest.fixture
def bot(telegram_world: World, monkeypatch: pytest.MonkeyPatch, terminal: Terminal) -> Bot:  # noqa: F811 - the fixture
    made = telegram_world.bot("reminder_bot", privacy=False)
    monkeypatch.setenv("TELEGRAM_TOKEN", made.token)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("REMEMBRANCER_TELEGRAM_API_URL", telegram_world.url)
    return made


@pytest.fixture
def doctor(terminal: Terminal, bot: Bot) -> Callable[..., Checks]:
    """Runs `doctor`: its checks of Telegram by name, with `code`; the token is nowhere and nothing was changed."""

    def run(*, token: str = bot.token) -> Checks:
        before = len(bot.world.calls)
        answer = terminal("--log-level", "debug", "doctor", "--json")
        assert not CHANGING & {call.method for call in bot.world.calls[before:]}
        assert token not in answer.out + answer.err
        found = {check["check"]: check for check in answer.json["checks"] if check["check"].startswith("telegram")}
        return found | {"code": answer.code}

    return run


def test_a_bot_that_is_set_up_is_well(doctor: Callable[..., Checks]) -> None:
    found = doctor()
    assert found.pop("code") == 0
    assert {name: check["state"] for name, check in found.items()} == dict.fromkeys(
        ["telegram token", "telegram privacy", "telegram updates", "telegram waiting", "telegram poller"], "ok"
    )
    assert found["telegram token"]["found"] == "@reminder_bot"


def test_t247_without_any_token_it_says_that_no_bot_can_run_and_how_to_get_one(terminal: Terminal) -> None:
    answer = terminal("doctor", "--json")
    [check] = [check for check in answer.json["checks"] if check["check"] == "bots"]
    assert (answer.code, check["state"], check["found"]) == (0, "ok", "none has a token")
    assert "/newbot" in check["advice"]


def test_t211_privacy_mode_is_a_warning_with_every_click(doctor: Callable[..., Checks], bot: Bot) -> None:
    bot.privacy = True
    check = doctor()["telegram privacy"]
    assert (check["state"], "commands and replies only" in check["found"]) == ("warn", True)
    clicks = ("@BotFather", "/mybots", "@reminder_bot", "Bot Settings", "Group Privacy", "Turn off", "add it again")
    places = [check["advice"].index(click) for click in clicks]
    assert places == sorted(places)
    assert "administrator" in check["advice"]


def test_a_bot_that_may_not_join_groups_is_a_warning(
    doctor: Callable[..., Checks], bot: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    me = bot.me() | {"can_join_groups": False}
    monkeypatch.setattr(bot, "me", lambda: me)
    assert "Allow Groups" in doctor()["telegram groups"]["advice"]


def test_t219_a_second_poller_is_seen_and_explained_and_loses_nothing(
    doctor: Callable[..., Checks],
    bot: Bot,
    telegram_world: World,  # noqa: F811 - the fixture
) -> None:
    ada = telegram_world.person("Ada")
    group = telegram_world.supergroup("Ops", creator=ada, members=[bot])
    with Probe(telegram_world, bot) as other:
        telegram_world.until(lambda: bot.polling == 1)
        check = doctor()["telegram poller"]
        ada.says(group, "still there?")
        telegram_world.until(lambda: any(update.message for update in other.updates))
        other.errors.clear()
    assert (check["state"], "another process polls" in check["found"]) == ("warn", True)
    assert "Revoke" in check["advice"]
    assert "`remembrancer run` waits" in check["advice"]


def test_a_poller_of_this_database_is_not_disturbed(
    doctor: Callable[..., Checks], bot: Bot, terminal: Terminal
) -> None:
    app = terminal.opened()
    app.store.register_process(app.process, "any", app.context.clock.now())
    bot.poller = 7
    assert "runs on this database" in doctor()["telegram poller"]["found"]
    app.close()
    assert bot.poller == 7
    assert "no other process" in doctor()["telegram poller"]["found"]


def test_what_waits_is_counted_and_not_taken(
    doctor: Callable[..., Checks],
    bot: Bot,
    telegram_world: World,  # noqa: F811 - the fixture
) -> None:
    ada = telegram_world.person("Ada")
    group = telegram_world.supergroup("Ops", creator=ada, members=[bot])
    for number in range(3):
        ada.says(group, f"word {number}")
    waiting = bot.pending
    assert waiting >= 3
    assert doctor()["telegram waiting"]["found"] == f"{waiting} updates wait to be taken"
    assert bot.pending == waiting


@pytest.mark.parametrize(
    ("count", "running", "state"),
    [(MANY_PENDING - 1, 1, State.OK), (MANY_PENDING, 1, State.WARN), (MANY_PENDING, 0, State.OK)],
)
def test_many_that_wait_are_a_warning_while_a_bot_runs(count: int, running: int, state: State) -> None:
    assert pending(count, running).state is state


def test_a_webhook_elsewhere_is_told_by_its_host_alone_while_polling_is_set(
    doctor: Callable[..., Checks], bot: Bot
) -> None:
    bot.webhook = Webhook(f"http://127.0.0.1:{free_port()}/secret-path")
    found = doctor()
    assert found["telegram updates"]["state"] == "warn"
    assert "Telegram calls 127.0.0.1" in found["telegram updates"]["found"]
    assert "secret-path" not in str(found)
    assert "telegram poller" not in found


A, B = "https://a.example.org/x", "https://b.example.org/y"


@pytest.mark.parametrize(
    ("wanted", "there", "running", "state", "told"),
    [
        ("", "", 0, State.OK, "long polling"),
        ("", A, 0, State.WARN, "but Telegram calls a.example.org"),
        (A, "", 0, State.OK, "nobody yet"),
        (A, "", 1, State.WARN, "nobody yet"),
        (A, B, 1, State.WARN, "calls b.example.org, at another address"),
        (A, A, 1, State.OK, "calls a.example.org"),
    ],
)
def test_how_updates_reach_the_bot_is_held_against_the_settings(
    wanted: str, there: str, running: int, state: State, told: str
) -> None:
    check = reached(wanted, there, running)
    assert (check.state, told in check.found) == (state, True)


@pytest.mark.parametrize(("age", "told"), [(timedelta(hours=23), True), (timedelta(hours=25), False)])
def test_the_last_error_of_a_webhook_is_told_for_a_day(
    doctor: Callable[..., Checks], bot: Bot, monkeypatch: pytest.MonkeyPatch, age: timedelta, told: bool
) -> None:
    url = f"http://127.0.0.1:{free_port()}/t"
    monkeypatch.setenv("REMEMBRANCER_TELEGRAM_WEBHOOK_URL", url)
    bot.webhook = Webhook(url, error="Wrong response from the webhook: 502 Bad Gateway")
    bot.webhook.error_date = int((SystemClock().now() - age).timestamp())
    found = doctor()
    assert ("telegram webhook" in found) is told
    if told:
        assert found["telegram webhook"]["found"].endswith("UTC: Wrong response from the webhook: 502 Bad Gateway")


def test_a_wrong_token_fails_and_is_not_shown(doctor: Callable[..., Checks], monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = "7100000001:BBB-a-token-of-nobody-at-all-in-the-world"
    monkeypatch.setenv("TELEGRAM_TOKEN", wrong)
    found = doctor(token=wrong)
    assert (found["code"], found["telegram token"]["state"]) == (1, "fail")
    assert "API Token" in found["telegram token"]["advice"]


@pytest.mark.parametrize(
    ("error", "state", "told"),
    [
        (errors.too_many_requests(7), "warn", "asks to wait"),
        (errors.bad_gateway(page=True), "fail", "cannot be reached"),
        (errors.internal(), "fail", "cannot be reached"),
        (ApiError(400, "Bad Request: odd"), "fail", "does not answer as Telegram does"),
    ],
)
def test_what_the_service_refuses_is_explained(
    doctor: Callable[..., Checks], bot: Bot, error: ApiError, state: str, told: str
) -> None:
    bot.world.faults.fail("getMe", error)
    check = doctor()["telegram service"]
    assert (check["state"], told in check["found"]) == (state, True)
    assert check["advice"]


def test_a_service_that_is_away_fails_in_short_time_and_says_what_to_check(
    doctor: Callable[..., Checks], monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"http://127.0.0.1:{free_port()}"
    monkeypatch.setenv("REMEMBRANCER_TELEGRAM_API_URL", address)
    began = time.monotonic()
    check = doctor()["telegram service"]
    assert time.monotonic() - began < 15
    assert (check["state"], check["found"]) == ("fail", f"{address} cannot be reached (ConnectError)")


@pytest.mark.parametrize("error", [KeyError("result"), TypeError("x"), TelegramError("Invalid server response")])
def test_what_is_no_bot_api_is_told_without_its_words(error: Exception) -> None:
    check = refusal(error, "http://h")
    assert (check.state, str(error) in check.found) == (State.FAIL, False)


def test_no_text_of_a_network_error_is_shown() -> None:
    assert "123:ABC" not in str(refusal(NetworkError("POST http://h/bot123:ABC/getMe"), "http://h"))
