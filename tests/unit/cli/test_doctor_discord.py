"""What `doctor` finds at Discord, by the real library over real sockets."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from aiohttp import ClientPayloadError
from discord import Permissions
from discord.errors import DiscordException
from discord.gateway import DiscordWebSocket
from discord.http import Route

from adapters.discord.endpoints import point_at
from adapters.discord.invite import NEEDED, lacking
from bots import doctor_discord
from bots.doctor import State
from bots.doctor_discord import A_PAGE, SERVERS_SHOWN, UNVERIFIED_SERVERS, joined, permitted, refusal
from core.catalogue import say
from tests.architecture.sources import ROOT
from tests.fakes import discord_http
from tests.fakes.discord_http import (
    ALL_NEEDED,
    CONTENT_INTENT,
    CONTENT_LIMITED,
    MEMBERS_INTENT,
    MEMBERS_LIMITED,
    DiscordHttp,
    Fault,
)
from tests.fakes.telegram.probe import free_port
from tests.unit.cli.conftest import Terminal

Checks = dict[str, Any]
GUIDE = ROOT / "docs" / "discord.md"
ME = "/users/@me"
SEND, ADMINISTRATOR, HISTORY = 1 << 11, 1 << 3, 1 << 16


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch, terminal: Terminal) -> Iterator[DiscordHttp]:
    monkeypatch.setattr(Route, "BASE", Route.BASE)  # put back in the end: the library keeps it for the process
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", DiscordWebSocket.DEFAULT_GATEWAY)
    with discord_http.running() as made:
        made.server("Ops")
        made.commands.extend({"name": name} for name in ("remind", "intent", "goal", "aspire", "remembrancer"))
        monkeypatch.setenv("DISCORD_TOKEN", made.token)
        monkeypatch.setenv("REMEMBRANCER_DISCORD_API_URL", made.url)
        yield made


@pytest.fixture
def doctor(terminal: Terminal, service: DiscordHttp) -> Callable[..., Checks]:
    """Runs `doctor`: its checks of Discord by name, with `code`; the token is nowhere and nothing was changed."""

    def run(*, token: str = service.token) -> Checks:
        answer = terminal("--log-level", "debug", "doctor", "--json")
        assert {method for method, _ in service.calls} <= {"GET"}
        assert token not in answer.out + answer.err
        found = {check["check"]: check for check in answer.json["checks"] if check["check"].startswith("discord")}
        return found | {"code": answer.code}

    return run


def test_a_bot_that_is_set_up_is_well(doctor: Callable[..., Checks]) -> None:
    found = doctor()
    assert found.pop("code") == 0
    assert {name: (check["state"], check["advice"]) for name, check in found.items()} == dict.fromkeys(
        [
            "discord token", "discord content", "discord members", "discord commands", "discord servers",
            "discord permissions",
        ],
        ("ok", ""),
    )  # fmt: skip
    assert found["discord token"]["found"] == "remembrancer"
    assert found["discord commands"]["found"] == "aspire, goal, intent, remembrancer, remind"
    assert found["discord servers"]["found"] == "it is on 1 server"


def test_without_a_token_of_discord_its_library_is_not_loaded(terminal: Terminal) -> None:
    seen = "import sys, bots.cli.doctor, bots.cli.app; sys.exit('discord' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", seen], check=False).returncode == 0
    [check] = [check for check in terminal("doctor", "--json").json["checks"] if check["check"] == "bots"]
    assert "DISCORD_TOKEN" in check["advice"]


def test_both_bots_are_looked_at_where_both_have_a_token(
    terminal: Terminal, doctor: Callable[..., Checks], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TELEGRAM_TOKEN", "123456789:AAH-abcdefghijklmnopqrstuvwxyz_0123")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("REMEMBRANCER_TELEGRAM_API_URL", f"http://127.0.0.1:{free_port()}")
    names = [check["check"] for check in terminal("doctor", "--json").json["checks"]]
    assert "telegram service" in names
    assert "discord token" in names


@pytest.mark.parametrize(
    ("flags", "servers", "state"),
    [
        (CONTENT_INTENT, UNVERIFIED_SERVERS, "ok"),
        (CONTENT_LIMITED, UNVERIFIED_SERVERS - 1, "ok"),
        (CONTENT_LIMITED, UNVERIFIED_SERVERS, "warn"),
        (MEMBERS_INTENT, 1, "fail"),
    ],
)
def test_without_the_message_content_intent_it_fails_with_every_click(
    doctor: Callable[..., Checks], service: DiscordHttp, flags: int, servers: int, state: str
) -> None:
    service.flags = flags
    for number in range(servers - 1):
        service.server(f"server {number}")
    found = doctor()
    check = found["discord content"]
    assert (check["state"], found["code"]) == (state, int(state == "fail"))
    if state == "fail":
        clicks = ("discord.com/developers", "your application", "Bot", "Privileged", "Message Content Intent", "Save")
        places = [check["advice"].index(click) for click in clicks]
        assert places == sorted(places)


@pytest.mark.parametrize(
    ("flags", "state"), [(MEMBERS_INTENT, "ok"), (MEMBERS_LIMITED, "ok"), (CONTENT_INTENT, "warn")]
)
def test_without_the_server_members_intent_it_warns_of_who_leaves(
    doctor: Callable[..., Checks], service: DiscordHttp, flags: int, state: str
) -> None:
    service.flags = flags | CONTENT_INTENT
    check = doctor()["discord members"]
    assert (check["state"], "leave" in check["found"]) == (state, True)
    assert ("Server Members Intent" in check["advice"]) is (state == "warn")


def test_commands_that_go_elsewhere_and_an_invite_that_nobody_can_use_are_warnings(
    doctor: Callable[..., Checks], service: DiscordHttp
) -> None:
    service.application = {
        "interactions_endpoint_url": "https://example.org/secret-path",
        "bot_require_code_grant": True,
    }
    found = doctor()
    assert "Interactions Endpoint URL" in found["discord interactions"]["advice"]
    assert "OAuth2 Code Grant" in found["discord invite"]["advice"]
    assert "secret-path" not in str(found)
    assert found["code"] == 0


def test_commands_that_nobody_registered_yet_are_a_warning(doctor: Callable[..., Checks], service: DiscordHttp) -> None:
    service.commands.clear()
    check = doctor()["discord commands"]
    assert (check["state"], "for the first time" in check["advice"]) == ("warn", True)


def test_a_bot_that_is_nowhere_is_a_warning_with_a_link_that_asks_for_what_it_needs(
    doctor: Callable[..., Checks], service: DiscordHttp
) -> None:
    service.servers.clear()
    found = doctor()
    link = urlsplit(found["discord servers"]["advice"].split()[-1])
    asked = parse_qs(link.query)
    assert found["discord servers"]["state"] == "warn"
    assert (link.hostname, link.path) == ("discord.com", "/oauth2/authorize")
    assert asked["client_id"] == [discord_http.BOT_ID]
    assert asked["scope"] == ["bot applications.commands"]
    assert asked["permissions"] == [str(ALL_NEEDED)]
    assert "discord permissions" not in found


def test_the_guide_shows_that_link_and_names_every_permission() -> None:
    guide = GUIDE.read_text(encoding="utf-8")
    assert f"scope=bot+applications.commands&permissions={NEEDED.value}" in guide
    for name, needed in NEEDED:
        assert not needed or say(f"doctor.discord.permission.{name}") in guide


@pytest.mark.parametrize(
    ("servers", "told"), [(2, "on 2 servers"), (A_PAGE - 1, "on 199 servers"), (A_PAGE, "200 servers or more")]
)
def test_servers_are_counted_up_to_a_page(servers: int, told: str) -> None:
    check = joined(None, servers)  # type: ignore[arg-type]  # only needed for the link
    assert (check.state, told in check.found) == (State.OK, True)


def test_what_it_may_not_do_is_told_for_each_server_by_name(
    doctor: Callable[..., Checks], service: DiscordHttp
) -> None:
    service.server("Quiet", ALL_NEEDED & ~(SEND | HISTORY))
    service.server("Open", ADMINISTRATOR)
    check = doctor()["discord permissions"]
    assert (check["state"], check["found"]) == ("warn", "on Quiet it lacks: Send Messages, Read Message History")
    assert "Server Settings" in check["advice"]


@pytest.mark.parametrize(("poor", "lines"), [(SERVERS_SHOWN, SERVERS_SHOWN), (SERVERS_SHOWN + 1, SERVERS_SHOWN + 1)])
def test_of_many_poor_servers_the_first_are_named_and_the_rest_is_counted(poor: int, lines: int) -> None:
    found = list(permitted([(f"s{number}", Permissions.none()) for number in range(poor)]))
    assert len(found) == lines
    assert ("on 1 more servers" in found[-1].found) is (poor > SERVERS_SHOWN)


@pytest.mark.parametrize("name", [name for name, needed in NEEDED if needed])
def test_each_permission_that_is_needed_is_missed_alone(name: str) -> None:
    allowed = Permissions(NEEDED.value)
    assert lacking(allowed) == ()
    setattr(allowed, name, False)
    assert lacking(allowed) == (name,)
    [check] = permitted([("Ops", allowed)])
    assert check.state is State.WARN


def test_a_wrong_token_fails_and_is_not_shown(doctor: Callable[..., Checks], monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = "MTA.wrong.token-of-nobody"
    monkeypatch.setenv("DISCORD_TOKEN", wrong)
    found = doctor(token=wrong)
    assert (found["code"], found["discord token"]["state"]) == (1, "fail")
    assert "Reset Token" in found["discord token"]["advice"]


LIMITED = {"message": "You are being rate limited.", "retry_after": 60.0, "global": False}


@pytest.mark.parametrize(
    ("path", "fault", "state", "told"),
    [
        (ME, Fault(429, LIMITED, {"Via": "1.1 proxy"}), "warn", "asks to wait"),
        (ME, Fault(429, "banned for a while"), "warn", "asks to wait"),
        (ME, Fault(503, "<html>MTA.test.token</html>"), "fail", "HTTP 503"),
        (ME, Fault(403, {"message": "Missing Access", "code": 50001}), "fail", "(HTTP 403)"),
        (ME, Fault(200, "<html>a page of a hotel</html>"), "fail", "does not answer as Discord does"),
        (ME, Fault(200, {"id": "x"}), "fail", "does not answer as Discord does"),
        (ME, Fault(200, None), "fail", "does not answer as Discord does"),
        ("/users/@me/guilds", Fault(200, [{"id": "1"}]), "fail", "does not answer as Discord does"),
        ("/users/@me/guilds", Fault(200, {"a": 1}), "fail", "does not answer as Discord does"),
        (f"/applications/{discord_http.BOT_ID}/commands", Fault(503, "away"), "fail", "HTTP 503"),
    ],
)
def test_what_the_service_refuses_is_explained_in_short_time(
    doctor: Callable[..., Checks], service: DiscordHttp, path: str, fault: Fault, state: str, told: str
) -> None:
    service.faults[path] = fault
    began = time.monotonic()
    check = doctor()["discord service"]
    assert time.monotonic() - began < 10
    assert (check["state"], told in check["found"]) == (state, True)
    assert check["advice"]


def test_what_was_found_before_the_service_failed_is_kept(doctor: Callable[..., Checks], service: DiscordHttp) -> None:
    service.faults["/users/@me/guilds"] = Fault(503, "away")
    found = doctor()
    assert found["discord token"]["state"] == "ok"
    assert found["discord service"]["state"] == "fail"


@pytest.mark.parametrize("fault", [Fault(200, {}, wait=2), Fault(502, "<html>bad gateway</html>")])
def test_a_service_that_is_slow_or_errs_again_and_again_is_given_up_in_time(
    doctor: Callable[..., Checks], service: DiscordHttp, monkeypatch: pytest.MonkeyPatch, fault: Fault
) -> None:
    monkeypatch.setattr(doctor_discord, "SECONDS", 0.3)
    service.faults[ME] = fault
    began = time.monotonic()
    check = doctor()["discord service"]
    assert time.monotonic() - began < 5
    assert (check["state"], "cannot be reached" in check["found"]) == ("fail", True)


def test_a_service_that_is_away_fails_and_says_what_to_check(
    doctor: Callable[..., Checks], monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"http://127.0.0.1:{free_port()}/api/v10"
    monkeypatch.setenv("REMEMBRANCER_DISCORD_API_URL", address)
    check = doctor()["discord service"]
    assert check["state"] == "fail"
    assert check["found"] == f"Discord cannot be reached at {address} (ClientConnectorError)"


@pytest.mark.parametrize(
    "error", [KeyError("secret"), TypeError("secret"), DiscordException("secret"), ClientPayloadError("secret")]
)
def test_no_words_of_an_error_are_shown(error: Exception) -> None:
    check = refusal(error, "http://h")
    assert (check.state, "secret" in f"{check}") == (State.FAIL, False)


def test_the_library_is_pointed_only_where_an_address_is_given(service: DiscordHttp) -> None:
    api, gateway = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    point_at("", "")
    assert (api, gateway) == (Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY)
    point_at("http://127.0.0.1:1/api/v10", "ws://127.0.0.1:2/x")
    assert Route("GET", ME).url == "http://127.0.0.1:1/api/v10/users/@me"
    assert str(DiscordWebSocket.DEFAULT_GATEWAY) == "ws://127.0.0.1:2/x"
