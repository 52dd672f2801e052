"""Exit codes, errors and what every command has in common."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

from bots.cli import output
from core.catalogue.en import MESSAGES
from tests.unit.cli.conftest import Terminal


def test_nothing_typed_shows_the_help(terminal: Terminal) -> None:
    answer = terminal()
    assert answer.code == 0
    assert "intents" in answer.out


def test_the_version_is_shown(terminal: Terminal) -> None:
    assert terminal("--version").out.startswith("remembrancer 0.")


@pytest.mark.parametrize(
    "arguments",
    [
        ("bogus",),
        ("intents",),
        ("intents", "create"),
        ("intents", "add", "x"),
        ("intents", "list", "--bogus"),
        ("intents", "list", "--status", "asleep"),
        ("intents", "list", "--page", "0"),
        ("intents", "list", "--size", "1001"),
        ("intents", "show"),
        ("try",),
        ("try", "--cases", "missing.jsonl"),
        ("bench", "replay"),
        ("bench", "replay", "--intents", "missing", "--turns", "missing", "--out", "x"),
        ("intents", "explain", "--text", "x"),
        ("intents", "explain", "--text", "x", "--as", "bob", "--in", "console:local:workspace/ops"),
        ("intents", "explain", "--text", "x", "--as", "console:local:bob", "--in", "ops"),
        ("--log-level", "loud", "config", "show"),
        ("--config", "missing.toml", "config", "show"),
    ],
)
def test_wrong_usage_is_exit_code_2_and_a_sentence(terminal: Terminal, arguments: tuple[str, ...]) -> None:
    answer = terminal(*arguments)
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.startswith("remembrancer: ")
    assert not terminal.database.exists()


def test_an_error_is_json_on_request(terminal: Terminal) -> None:
    terminal("db", "upgrade")
    answer = terminal("intents", "show", "i-0000", "--json")
    assert answer.code == 1
    assert answer.json["error"]["hint"] == "List them: remembrancer intents list"
    assert answer.json["error"]["code"] == "not_found"
    assert answer.json["error"]["sentence"]
    usage = terminal("intents", "bogus", "--json")
    assert (usage.code, usage.json["error"]["code"]) == (2, "usage")
    config = terminal("--log-level", "loud", "config", "show", "--json")
    assert (config.code, config.json["error"]["code"]) == (2, "config")


@pytest.mark.parametrize(
    "command",
    [
        ("init",),
        ("config", "show"),
        ("doctor",),
        ("db", "upgrade"),
        ("db", "reindex"),
        ("audit", "verify"),
        ("intents", "list"),
        ("intents", "show"),
        ("intents", "cancel"),
        ("intents", "explain"),
        ("try",),
        ("chat",),
        ("bench", "turns"),
        ("bench", "replay"),
    ],
)
def test_every_command_has_help_and_knows_json(terminal: Terminal, command: tuple[str, ...]) -> None:
    answer = terminal(*command, "--help")
    assert answer.code == 0
    assert "--json" in answer.out


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("bogus",), "remembrancer --help"),
        (("intents", "bogus"), "remembrancer intents --help"),
        (("intents", "show"), "remembrancer intents show --help"),
        (("intents", "list", "--status", "asleep"), "remembrancer intents list --help"),
        (("--bogus", "doctor"), "remembrancer --help"),
    ],
)
def test_wrong_usage_points_to_the_help_that_tells_more(
    terminal: Terminal, arguments: tuple[str, ...], named: str
) -> None:
    told = terminal(*arguments).err
    assert f"  See: {named}\n" in told
    assert "Value error" not in told


@pytest.mark.parametrize("group", ["", "config", "db", "intents", "goals", "audit", "bench"])
def test_no_help_text_is_cut_at_80_columns(terminal: Terminal, monkeypatch: pytest.MonkeyPatch, group: str) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    told = terminal(*group.split(), "--help").out
    assert max(map(len, told.splitlines())) <= 80
    assert "..." not in told.partition("\n")[2]


NAMED = sorted({name for text in MESSAGES.values() for name in re.findall(r"`remembrancer ([a-z ]+)`", text)})


@pytest.mark.parametrize("name", NAMED)
def test_every_command_that_a_text_names_exists(terminal: Terminal, name: str) -> None:
    assert "Usage: remembrancer " + name in terminal(*name.split(), "--help").out


def test_a_defect_is_a_sentence_and_its_traceback_is_for_the_log(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise LookupError("private words")

    monkeypatch.setattr("bots.bootstrap.upgrade_database", broken)
    answer = terminal("db", "upgrade")
    assert answer.code == 1
    assert "LookupError" in answer.err
    assert "private words" not in answer.err


def test_an_interrupt_is_exit_code_130(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("bots.bootstrap.upgrade_database", interrupted)
    assert terminal("db", "upgrade").code == 130


@pytest.mark.parametrize("text", ["\x1b[31mred", "a\rb", "a\tb", "\u202eabc", "\ud800", "\x9b31m", "a\x00b"])
def test_what_people_wrote_cannot_steer_the_terminal(text: str) -> None:
    shown = output.visible(text)
    assert shown.isprintable()
    assert "\\" in shown


def test_joiners_that_scripts_need_and_line_ends_are_kept() -> None:
    assert output.visible("می\u200cخواهم\n👩\u200d🚀") == "می\u200cخواهم\n👩\u200d🚀"


def command(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    plain = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return subprocess.run(
        [sys.executable, "-m", "bots", *arguments],
        cwd=cwd,
        env=plain | {"HOME": str(cwd), "PYTHONPATH": os.pathsep.join(sys.path)} | environment,
        capture_output=True,
        check=False,
        timeout=60,
    )


def test_it_is_a_module_and_prints_in_any_encoding(tmp_path: Path) -> None:
    answer = command("--data-dir", "daté-数", "config", "show", cwd=tmp_path, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert answer.returncode == 0, answer.stderr
    assert b"dat\\xe9-\\u6570" in answer.stdout


def shown_on_a_terminal(cwd: Path, **environment: str) -> bytes:
    child = pexpect.spawn(
        sys.executable,
        ["-m", "bots", "config", "show"],
        cwd=str(cwd),
        env={
            "HOME": str(cwd),
            "PYTHONPATH": os.pathsep.join(sys.path),
            "PATH": os.environ["PATH"],
            "TERM": "xterm-256color",
            **environment,
        },
        timeout=60,
    )
    told: bytes = child.read()
    child.close()
    return told


def test_no_escape_sequence_is_printed_to_a_pipe_or_with_no_color(tmp_path: Path) -> None:
    piped = command("config", "show", cwd=tmp_path, TERM="xterm-256color")
    assert b"\x1b" not in piped.stdout + piped.stderr
    assert b"\x1b[1m" in shown_on_a_terminal(tmp_path)
    assert b"\x1b" not in shown_on_a_terminal(tmp_path, NO_COLOR="1")


def test_a_reader_that_goes_away_is_no_error_message(tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    answer = subprocess.run(
        [sys.executable, "-m", "bots", "config", "show"],
        cwd=tmp_path,
        env={"HOME": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path), "PATH": os.environ["PATH"]},
        stdout=write,
        stderr=subprocess.PIPE,
        check=False,
        timeout=60,
    )
    os.close(write)
    assert answer.returncode == 1
    assert answer.stderr == b""


def started(*arguments: str, shell: str = "", folder: Path) -> subprocess.CompletedProcess[str]:
    """A process of its own, with the shell's redirections."""
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), "REMEMBRANCER_DATA_DIR": str(folder / "data")}
    command = f'"$@" {shell}'
    parts = ["sh", "-c", command, "sh", sys.executable, "-m", "bots", *arguments]
    env["PYTHONPATH"] = str(Path(__file__).parents[3])
    return subprocess.run(parts, env=env, cwd=folder, capture_output=True, text=True, timeout=60, check=False)


STREAMS = (">&-", "<&-", "<&- >&- 2>&-", ">/dev/full", ">/dev/full 2>/dev/full")
COMMANDS = (("intents", "list", "--json"), ("config", "show"), ("chat", "--demo"))


@pytest.mark.thorough
@pytest.mark.parametrize("arguments", COMMANDS)
@pytest.mark.parametrize("shell", STREAMS)
def test_a_stream_that_is_closed_or_full_ends_without_a_traceback(
    tmp_path: Path, arguments: tuple[str, ...], shell: str
) -> None:
    ended = started(*arguments, shell=shell, folder=tmp_path)
    assert ended.returncode == (1 if "full" in shell else 0)
    assert "Traceback" not in ended.stdout + ended.stderr
    assert "Exception" not in ended.stderr


def test_an_interrupt_while_the_program_loads_is_no_traceback(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path), "PYTHONPATH": str(Path(__file__).parents[3])}
    program = (
        "import os, signal, sys, bots.cli\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever starts the tests may ignore it\n"
        "class Interrupter:\n"
        "    def find_spec(self, name, *rest):\n"
        "        if name == 'typer': os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Interrupter())\n"
        "sys.exit(bots.cli.main(['--version']))"
    )
    ended = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")


@pytest.mark.parametrize("option", ["--as", "--in", "--message-id"])
def test_what_is_no_text_is_wrong_usage(terminal: Terminal, option: str) -> None:
    answer = terminal("intents", "explain", "--text", "x", option, "console:local:a/\udcff")
    assert (answer.code, f"{option} is not UTF-8" in answer.err) == (2, True)


@pytest.mark.parametrize("url", ["postgresql://h:port/db", "postgresql://[::1/db", "postgresql://h:70000/db"])
@pytest.mark.parametrize("command", [("config", "show"), ("intents", "list"), ("doctor",)])
def test_an_address_that_cannot_be_read_is_a_configuration_error(
    terminal: Terminal, command: tuple[str, ...], url: str
) -> None:
    answer = terminal("--database-url", url, *command)
    assert (answer.code, "host or port" in answer.out + answer.err) == (2, True)


def test_names_that_are_too_long_are_told(terminal: Terminal) -> None:
    for code, option, command in ((2, "--config", "show"), (1, "--data-dir", "list")):
        answer = terminal(option, "a" * 5_000, "config" if command == "show" else "intents", command)
        assert (answer.code, "File name too long" in answer.err) == (code, True)
