"""`remembrancer bundle` and `remembrancer bench bundle`."""

import json
from collections.abc import Callable
from xml.etree import ElementTree

import pytest

from core.goals.objects import GoalDraft, IntentObject, IntentType
from core.limits import LIMITS
from core.services.add_goal import AddGoal
from core.services.goal_moves import CompleteGoal
from core.standing.intent import Priority
from tests.builders import HOME, an_owner
from tests.unit.cli.conftest import Answer, Terminal

PLACE = ("--in", "console:local:home/general")
Add = Callable[..., IntentObject]


@pytest.fixture
def add(terminal: Terminal) -> Add:
    """Adds intents of goal memory to the terminal's database."""

    def made(value: str, kind: IntentType = IntentType.GOAL, priority: Priority = Priority.MEDIUM) -> IntentObject:
        app = terminal.opened()
        try:
            return AddGoal(app.context)(GoalDraft(kind, value, priority), an_owner(), HOME, "message-0")
        finally:
            app.close()

    return made


def asked(terminal: Terminal, *more: str) -> Answer:
    return terminal("bundle", *PLACE, *more)


@pytest.mark.parametrize("budget", ["0", "-1", "1", "199"])
def test_too_small_a_budget_is_an_error_that_says_what_to_choose(terminal: Terminal, budget: str) -> None:
    answer = asked(terminal, "--budget", budget)
    assert (answer.code, answer.out) == (1, "")
    assert f"{budget} tokens is too small" in answer.err
    assert "at least 200" in answer.err


def test_too_large_a_budget_is_one_too(terminal: Terminal) -> None:
    answer = asked(terminal, "--budget", str(LIMITS.bundle_most + 1), "--json")
    assert (answer.code, answer.json["error"]["code"]) == (1, "limit_exceeded")


def test_the_least_budget_works(terminal: Terminal, add: Add) -> None:
    row = add("Contract ends", IntentType.RISK, Priority.CRITICAL)
    answer = asked(terminal, "--budget", "200", "--text", "hello")
    assert answer.code == 0
    [risk] = ElementTree.fromstring(answer.out)
    assert risk.get("handle") == row.handle
    assert "of 200 tokens; 1 intents shown" in answer.err


def test_what_is_left_out_is_counted_and_named_when_asked(terminal: Terminal, add: Add) -> None:
    high, low = add("Ship the API", priority=Priority.HIGH), add("Tidy", priority=Priority.LOW)
    medium = add("Renew Acme")
    plain = asked(terminal, "--text", "hello")
    assert "Left out: 1 not about anything that was said, 1 of low priority." in plain.err
    assert high.handle in plain.out
    assert low.handle not in plain.out
    listed = asked(terminal, "--text", "hello", "--all")
    assert low.handle in listed.out
    assert medium.handle in listed.out
    told = asked(terminal, "--text", "acme?", "--all", "--json").json
    assert [item["handle"] for item in told["items"]] == [high.handle, medium.handle]
    assert [item["met"] for item in told["items"]] == [False, True]
    assert told["left_out"] == [{"handle": low.handle, "reason": "low"}]
    assert low.handle in asked(terminal, "--low").out


def test_the_standing_block_is_shown_for_a_named_sender_and_nothing_fires(terminal: Terminal) -> None:
    terminal.create()
    for _ in range(2):
        answer = asked(terminal, "--text", "the launch checklist", "--as", "console:local:bob")
        assert "Confirm the rollback owner." in answer.out
    assert terminal("intents", "list", "--json").json["intents"][0]["fires"] == 0
    assert "Nothing of this place" in asked(terminal, "--text", "the launch checklist").err


def test_what_was_completed_is_recalled_and_can_be_asked_for(terminal: Terminal, add: Add) -> None:
    row = add("Ship it with Acme")
    app = terminal.opened()
    CompleteGoal(app.context)(row.handle, an_owner(), HOME)
    app.close()
    answer = asked(terminal, "--text", "acme")
    assert "<recalled" in answer.out
    assert "tokens more for what is recalled" in answer.err
    for more in (("--id", row.handle), ("--state", "completed"), ("--type", "goal"), ("--search", "acme")):
        told = asked(terminal, "--mode", "explicit", *more, "--json").json
        assert [item["state"] for item in told["items"]] == ["COMPLETED"]
    owner = asked(terminal, "--mode", "explicit", "--owner", "console:local:bob", "--json").json
    assert owner["items"] == []


def test_critical_risks_that_do_not_fit_are_told(terminal: Terminal, add: Add) -> None:
    for number in range(30):
        add(f"risk {number}", IntentType.RISK, Priority.CRITICAL)
    answer = asked(terminal, "--budget", "200")
    assert "critical risks did not fit" in answer.err
    told = asked(terminal, "--budget", "200", "--json").json
    assert told["overflow"]["count"] == len(told["overflow"]["handles"]) > 0


@pytest.mark.parametrize(
    "wrong",
    [
        ("--id", "g-7f2k"),
        ("--state", "active"),
        ("--mode", "explicit", "--owner", "bob"),
        ("--as", "bob"),
        ("--text", "\udcff"),
        ("--mode", "explicit", "--search", "\udcff"),
        ("--mode", "other"),
        ("--budget", "many"),
    ],
)
def test_wrong_usage_is_told(terminal: Terminal, add: Add, wrong: tuple[str, ...]) -> None:
    add("Ship it")
    assert asked(terminal, *wrong).code == 2


def test_a_handle_that_is_not_there_is_told(terminal: Terminal, add: Add) -> None:
    add("Ship it")
    answer = asked(terminal, "--mode", "explicit", "--id", "g-zzzz")
    assert (answer.code, "g-zzzz" in answer.err) == (1, True)


@pytest.mark.thorough
def test_the_bench_gives_percentiles_beside_a_floor(terminal: Terminal) -> None:
    told = json.loads(terminal("bench", "bundle", "--intents", "60", "--turns", "40").out)
    for figures in (told["bundle"], told["after_a_change"], told["floors"]["point_read"]):
        assert set(figures["wall_us"]) == {"p50", "p95", "p99"}
    assert told["bundles"] == 40
    assert told["last"]["tokens"] <= LIMITS.bundle_tokens
    assert set(told["ratios"]) == {"bundle_wall", "bundle_cpu"}
