"""`init`, `config show`, `doctor` and `db`."""

import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from bots import doctor
from bots.doctor import State
from bots.runtime import SystemClock
from core.services.tick import LAST_SUCCESS
from tests.unit.cli.conftest import Answer, Terminal


def states(answer: Answer) -> dict[str, str]:
    return {check["check"]: check["state"] for check in answer.json["checks"]}


def test_init_writes_a_file_that_changes_nothing_and_is_private(terminal: Terminal) -> None:
    before = terminal("config", "show", "--json").json["settings"]
    assert terminal("init").code == 0
    file = terminal.folder / "remembrancer.toml"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    after = terminal("config", "show", "--json").json
    assert after["file"] == str(file)
    assert after["settings"] == before


def test_init_refuses_to_overwrite(terminal: Terminal) -> None:
    file = terminal.folder / "remembrancer.toml"
    file.write_text('zone = "Asia/Tokyo"')
    answer = terminal("init")
    assert answer.code == 2
    assert "exists already" in answer.err
    assert file.read_text() == 'zone = "Asia/Tokyo"'


def test_init_writes_where_it_is_told(terminal: Terminal) -> None:
    answer = terminal("init", "etc/my.toml", "--json")
    assert answer.json == {"written": str(terminal.folder / "etc" / "my.toml")}
    (terminal.folder / "folder").mkdir()
    terminal("init", "folder")
    assert (terminal.folder / "folder" / "remembrancer.toml").is_file()
    (terminal.folder / "file").touch()
    assert terminal("init", "file/x.toml").code == 2


def test_config_show_tells_where_each_value_comes_from_and_masks_secrets(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://u:sesame@h/d")
    for answer in (terminal("config", "show"), terminal("config", "show", "--json")):
        assert answer.code == 0
        assert "sesame" not in answer.out + answer.err
        assert "DATABASE_URL" in answer.out
        assert "********" in answer.out


def test_a_connection_that_fails_shows_no_password(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://u:sesame@127.0.0.1:1/d")
    for command in (("doctor",), ("doctor", "--json"), ("intents", "list"), ("db", "upgrade")):
        answer = terminal(*command)
        assert answer.code == 1
        assert "sesame" not in answer.out + answer.err


def test_doctor_is_content_with_a_fresh_machine_and_makes_nothing(terminal: Terminal) -> None:
    answer = terminal("doctor", "--json")
    assert answer.code == 0
    assert set(states(answer).values()) == {"ok"}
    assert not terminal.database.parent.exists()


def test_doctor_is_content_after_an_upgrade(terminal: Terminal) -> None:
    assert terminal("db", "upgrade", "--json").json["upgraded"] is True
    assert terminal("db", "upgrade", "--json").json["upgraded"] is False
    assert "is up to date" in terminal("db", "upgrade").out
    answer = terminal("doctor", "--json")
    assert answer.code == 0
    assert {
        "database",
        "migrations",
        "writing",
        "rules",
        "trigger index",
        "log triggers",
        "log chains",
        "heartbeat",
        "zone data",
    } <= states(answer).keys()
    assert set(states(answer).values()) == {"ok"}
    assert terminal("doctor").out.endswith("All is well.\n")


def test_t247_on_a_fresh_installation_the_doctor_says_that_there_is_no_rule_yet(terminal: Terminal) -> None:
    terminal("db", "upgrade")
    told = terminal("doctor").out
    assert "none yet: nothing is watched for" in told
    assert "remembrancer chat" in told
    [check] = [check for check in terminal("doctor", "--json").json["checks"] if check["check"] == "rules"]
    assert check["state"] == "ok"


def test_doctor_changes_nothing(terminal: Terminal) -> None:
    terminal("db", "upgrade")
    with closing(sqlite3.connect(terminal.database)) as database:
        before = list(database.iterdump())
    terminal("doctor")
    with closing(sqlite3.connect(terminal.database)) as database:
        assert list(database.iterdump()) == before


def test_doctor_names_a_wrong_setting_and_still_looks_at_the_rest(terminal: Terminal) -> None:
    (terminal.folder / "remembrancer.toml").write_text("heartbeat = 3")
    answer = terminal("doctor", "--json")
    assert answer.code == 2
    assert states(answer)["config"] == "fail"
    assert states(answer)["zone data"] == "ok"


def test_doctor_fails_on_a_file_that_is_no_database(terminal: Terminal) -> None:
    terminal.database.parent.mkdir()
    terminal.database.write_text("this is no database at all, it is text of some length" * 100)
    answer = terminal("doctor", "--json")
    assert answer.code == 1
    assert states(answer)["database"] == "fail"


def test_a_newer_database_is_refused_and_not_touched(terminal: Terminal) -> None:
    terminal("db", "upgrade")
    with closing(sqlite3.connect(terminal.database)) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.commit()
    before = terminal.database.read_bytes()
    for command in (("db", "upgrade"), ("intents", "list"), ("doctor",)):
        answer = terminal(*command)
        assert answer.code == 1
        assert "newer" in answer.out + answer.err
    assert terminal.database.read_bytes() == before


def test_doctor_fails_when_a_trigger_or_a_chain_of_the_log_is_broken(terminal: Terminal) -> None:
    terminal.create()
    with closing(sqlite3.connect(terminal.database)) as database:
        database.execute("DROP TRIGGER operations_no_update")
        database.execute("UPDATE operations SET actor_id = 'mallory'")
        database.commit()
    answer = terminal("doctor", "--json")
    assert answer.code == 1
    assert (states(answer)["log triggers"], states(answer)["log chains"]) == ("fail", "fail")
    assert "operations_no_update" in next(c["found"] for c in answer.json["checks"] if c["check"] == "log triggers")
    assert terminal("doctor").out.endswith("2 failures.\n")


def test_doctor_says_how_much_of_a_long_log_it_checked(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(3):
        terminal.create(triggers=f"word{number}")
    for bound, found in ((2, "the first 2 rows of 3 hold"), (3, "rows: 3, chains: 2"), (4, "rows: 3, chains: 2")):
        monkeypatch.setattr(doctor, "CHAIN_ROWS", bound)
        told = terminal("doctor", "--json")
        [check] = [check for check in told.json["checks"] if check["check"] == "log chains"]
        assert (check["state"], found in check["found"]) == ("ok", True), check


def test_doctor_warns_of_a_late_heartbeat(terminal: Terminal) -> None:
    app = terminal.opened()
    with app.store.write() as tx:
        tx.records.put_fact(LAST_SUCCESS, "1800000000000000")
        tx.commit()
    app.close()
    answer = terminal("doctor", "--json")
    assert states(answer)["heartbeat"] in {"warn"}
    assert answer.code == 0
    assert terminal("doctor").out.endswith("1 warning.\n")


@pytest.mark.parametrize(
    ("fact", "state"),
    [(None, "ok"), ("now", "ok"), ("nonsense", "warn"), ("9" * 40, "warn"), ("253402300799000000", "warn")],
)
def test_every_last_success_can_be_told(fact: str | None, state: str) -> None:
    now = SystemClock().now()
    told = str(int(now.timestamp() * 1_000_000)) if fact == "now" else fact
    assert doctor.heartbeat(told, now, 60).state == state


def test_a_clock_before_the_release_fails() -> None:
    assert doctor.clock_sane(doctor.RELEASED).state is State.OK
    assert doctor.clock_sane(doctor.RELEASED.replace(year=1970)).state is State.FAIL


def test_a_data_directory_must_be_one(tmp_path: Path) -> None:
    assert doctor.data_dir(tmp_path / "new" / "deep").state is State.OK
    assert not (tmp_path / "new").exists()
    (tmp_path / "file").touch(mode=0o777)
    for unmakable in (tmp_path / "file", tmp_path / "file" / "sub", tmp_path / "new" / ("x" * 300), tmp_path / "\0"):
        assert doctor.data_dir(unmakable).state is State.FAIL
    assert not (tmp_path / "new").exists()
    open_to_all = tmp_path / "open"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    assert doctor.data_dir(open_to_all).state is State.WARN
    assert doctor.disk(tmp_path / "new").found.endswith("GB free")


def test_a_reindex_with_nothing_to_do_says_so(terminal: Terminal) -> None:
    terminal("db", "upgrade")
    assert terminal("db", "reindex", "--json").json["reindexed"] == 0
    assert "up to date" in terminal("db", "reindex").out


def test_init_says_why_a_file_cannot_be_made(terminal: Terminal) -> None:
    (terminal.folder / "file").touch()
    for path in ("file/x", "file/x/y"):
        answer = terminal("init", path)
        assert (answer.code, "Not a directory" in answer.err) == (2, True)


def test_a_folder_whose_name_looks_like_a_url_holds_the_database(terminal: Terminal) -> None:
    name = "w%41?mode=memory#x"
    assert terminal("--data-dir", name, "db", "upgrade").code == 0
    assert (terminal.folder / name / "remembrancer.db").is_file()
    assert terminal("--data-dir", name, "intents", "list").out.startswith("There are no intents")
    assert [path.name for path in terminal.folder.iterdir()] == [name]
