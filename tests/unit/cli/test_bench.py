"""`remembrancer bench`."""

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

from bots.bench.workload import INTENT_KEYS, read_rows
from core.errors import InvalidInput
from core.services import replay
from tests.unit.cli.conftest import Answer, Terminal

pytestmark = pytest.mark.thorough

WHO = {"provider": "discord", "account_id": "a", "conversation_id": "room", "sender_id": "u"}
INTENT = WHO | {
    "id": "w-1",
    "description": "Confirm the owner.",
    "trigger_keywords": ["launch checklist"],
    "scope": "channel",
    "sender_scope": "anyone",
    "created_at": 1_900_000_000_000,
    "expires_at": 1_910_000_000_000,
    "max_fires": 3,
    "cooldown_seconds": 0,
}
TURNS = [
    WHO | {"turn": number, "now_ms": 1_900_000_100_000 + number * 1_000, "prompt": text}
    for number, text in enumerate(["the launch checklist", "the launch", "a checklist for the launch"])
]
FIRED: list[dict[str, Any]] = [{"turn": 0, "fired": ["w-1"]}, {"turn": 1, "fired": []}, {"turn": 2, "fired": ["w-1"]}]


def written(path: Path, rows: list[dict[str, Any]]) -> str:
    path.write_bytes(gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode()))
    return str(path)


def replayed(terminal: Terminal, expected: list[dict[str, Any]]) -> Answer:
    folder = terminal.folder
    files = ("--intents", written(folder / "i.gz", [INTENT]), "--turns", written(folder / "t.gz", TURNS))
    expect = written(folder / "e.gz", expected)
    return terminal("bench", "replay", "--exact", *files, "--out", str(folder / "out"), "--expect", expect, "--json")


def test_a_replay_that_fires_as_expected_says_so(terminal: Terminal) -> None:
    answer = replayed(terminal, FIRED)
    assert (answer.code, answer.json["differing"], answer.json["fires"]) == (0, 0, 2)
    assert "As expected: 3 turns" in answer.err


def test_a_replay_that_fires_otherwise_counts_the_turns_and_fails(terminal: Terminal) -> None:
    answer = replayed(terminal, [*FIRED[:2], FIRED[2] | {"fired": []}])
    assert (answer.code, answer.json["differing"]) == (1, 1)
    assert "1 of 3 turns" in answer.err


def test_a_file_of_other_turns_is_no_comparison(terminal: Terminal) -> None:
    answer = replayed(terminal, FIRED[:2])
    assert (answer.code, "other turns" in answer.json["error"]["sentence"]) == (1, True)


@pytest.mark.parametrize("option", ["--intents", "--turns", "--expect"])
@pytest.mark.parametrize("link", [None, "symlink_to", "hardlink_to"])
def test_a_result_that_would_replace_what_is_read_is_refused(terminal: Terminal, option: str, link: str | None) -> None:
    folder = terminal.folder
    files = {"--intents": [INTENT], "--turns": TURNS, "--expect": FIRED}
    paths = {key: written(folder / f"{key[2:]}.gz", rows) for key, rows in files.items()}
    before = {path: Path(path).read_bytes() for path in paths.values()}
    out = Path(paths[option])
    if link:
        out = folder / "other"
        getattr(out, link)(paths[option])
    answer = terminal("bench", "replay", *(part for pair in paths.items() for part in pair), "--out", str(out))
    assert (answer.code, "the same file" in answer.err) == (1, True)
    assert {path: Path(path).read_bytes() for path in before} == before


def test_a_replay_that_fails_leaves_the_older_result_and_nothing_beside(terminal: Terminal) -> None:
    folder = terminal.folder
    (folder / "out").write_text("older")
    files = ("--intents", written(folder / "i.gz", [INTENT]), "--turns", written(folder / "t.gz", [{"turn": 1}]))
    assert terminal("bench", "replay", *files, "--out", str(folder / "out")).code == 1
    assert (folder / "out").read_text() == "older"
    assert {path.name for path in folder.iterdir()} == {"i.gz", "t.gz", "out"}


def test_a_result_can_be_thrown_away(terminal: Terminal) -> None:
    folder = terminal.folder
    files = ("--intents", written(folder / "i.gz", [INTENT]), "--turns", written(folder / "t.gz", TURNS))
    assert terminal("bench", "replay", *files, "--out", os.devnull).code == 0
    assert Path(os.devnull).is_char_device()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("scope", "everywhere"),
        ("scope", []),
        ("sender_scope", None),
        ("trigger_keywords", "launch"),
        ("trigger_keywords", ["launch", 5]),
        ("trigger_keywords", []),
        ("trigger_keywords", [""]),
        ("provider", None),
        ("account_id", 7),
        ("conversation_id", ""),
        ("sender_id", True),
        ("description", "\ud800"),
        ("created_at", "soon"),
        ("created_at", 1e30),
        ("expires_at", 10**30),
        ("expires_at", -1),
        ("max_fires", 0),
        ("max_fires", 1_001),
        ("cooldown_seconds", -1),
        ("cooldown_seconds", 10**12),
        ("cooldown_seconds", float("nan")),
        ("id", "w-1"),
    ],
)
def test_a_value_that_cannot_be_used_is_named_with_file_line_and_key(terminal: Terminal, key: str, value: Any) -> None:
    folder = terminal.folder
    intents = [INTENT, INTENT | {"id": "w-2"} | {key: value}]
    files = ("--intents", written(folder / "i.gz", intents), "--turns", written(folder / "t.gz", TURNS))
    answer = terminal("bench", "replay", *files, "--out", str(folder / "out"))
    assert answer.code == 1
    assert f"{folder / 'i.gz'}, line 2: '{key}'" in answer.err


@pytest.mark.parametrize("raw", [b"[" * 100_000, b'{"id": ' + b"1" * 5_000, b"\xff", b"\n"])
def test_a_line_that_is_no_row_is_told(terminal: Terminal, raw: bytes) -> None:
    (terminal.folder / "i").write_bytes(raw)
    turns = written(terminal.folder / "t.gz", TURNS)
    answer = terminal("bench", "replay", "--intents", "i", "--turns", turns, "--out", "out")
    assert answer.code == 1
    assert "Something went wrong" not in answer.err


def test_a_damaged_archive_is_told_wherever_the_damage_is(terminal: Terminal) -> None:
    turns = written(terminal.folder / "t.gz", TURNS)
    file = terminal.folder / "i.gz"
    whole = Path(written(file, [INTENT])).read_bytes()
    for place in range(10, len(whole), 7):
        with pytest.raises(InvalidInput):
            file.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
            list(read_rows(file, INTENT_KEYS))
    file.write_bytes(whole[:40] + bytes([whole[40] ^ 0xFF]) + whole[41:])
    answer = terminal("bench", "replay", "--intents", str(file), "--turns", turns, "--out", "out")
    assert (answer.code, "Something went wrong" in answer.err) == (1, False)


def test_a_private_database_in_a_place_that_is_none_is_told(terminal: Terminal) -> None:
    (terminal.folder / "file").touch()
    answer = terminal("bench", "turns", "--intents", "1", "--turns", "1", "--db", "sqlite:///file/x.db")
    assert (answer.code, "No temporary folder can be made" in answer.err) == (1, True)


SMALL = ("--intents", "100", "--json")


def test_turns_are_told_apart_by_what_they_found(terminal: Terminal) -> None:
    told = terminal("bench", "turns", "--turns", "100", "--hit-rate", "0.2", *SMALL).json
    parts = [told[part]["turns"] for part in ("with_hits", "held_back", "without_hits")]
    assert (sum(parts), told["turns"], told["spaces"]) == (100, 100, 4)
    assert set(told["ratios"]) >= {"without_hits_wall", "without_hits_cpu", "with_hits_wall"}


def test_a_turn_whose_rule_cools_down_is_not_counted_as_one_without_a_hit(terminal: Terminal) -> None:
    folder = terminal.folder
    quiet = INTENT | {"cooldown_seconds": 86_400}
    files = ("--intents", written(folder / "i.gz", [quiet]), "--turns", written(folder / "t.gz", TURNS))
    told = terminal("bench", "replay", *files, "--out", str(folder / "out"), "--json").json
    assert [told[part]["turns"] for part in ("with_hits", "held_back", "without_hits")] == [1, 1, 1]


def test_as_many_spaces_as_are_wanted(terminal: Terminal) -> None:
    assert terminal("bench", "turns", "--turns", "10", "--spaces", "8", *SMALL).json["spaces"] == 8


def test_fires_are_measured_beside_a_transaction(terminal: Terminal) -> None:
    told = terminal("bench", "fires", "--turns", "20", *SMALL).json
    assert [told[f"fires_{number}"]["fires"] for number in (1, 2, 3)] == [20, 40, 60]
    assert set(told["ratios"]) >= {"fires_1_wall", "fires_3_cpu"}


def test_creation_is_measured_beside_the_insert_of_a_row(terminal: Terminal) -> None:
    told = terminal("bench", "create", "--count", "20", *SMALL).json
    assert (told["created"], set(told["ratios"])) == (20, {"create_wall", "create_cpu"})


def test_long_messages_are_measured_in_one_script_and_in_many(terminal: Terminal) -> None:
    told = terminal("bench", "long-message", "--messages", "2", "--characters", "300", *SMALL).json
    assert all(told[kind]["turn_ms"]["p50"] > 0 for kind in ("prose", "many_scripts"))


def test_heartbeats_are_measured_with_nothing_due_and_with_much(terminal: Terminal) -> None:
    told = terminal("bench", "tick", "--ticks", "5", "--due", "30", *SMALL).json
    assert told["idle"]["rows_moved"] == 0
    assert told["expired"]["report"]["expired"] == 30
    assert told["cooled"]["report"]["rearmed"] >= 30
    assert set(told["cooled"]["waited"]) == {"asking_ms", "patient_ms"}


def test_the_walks_over_the_log_are_measured_beside_reading_it(terminal: Terminal) -> None:
    answer = terminal("bench", "log", "--operations", "300", "--json")
    told = answer.json
    assert (answer.code, told["differing"]) == (0, 0)
    assert told["operations"] >= 300
    assert min(told["rows"][kind] for kind in ("standing_intent", "fire", "timed_reminder", "event")) > 0
    assert all(told[walk]["operations_a_second"] > 0 for walk in ("verify", "replay"))
    assert set(told["floors"]) == {"operations", "rows_too"}


def test_a_log_that_replays_otherwise_fails_the_measurement(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay, "STORED", replay.STORED[:1])
    answer = terminal("bench", "log", "--operations", "300", "--json")
    assert (answer.code, answer.json["differing"] > 0) == (1, True)
