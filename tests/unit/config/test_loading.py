"""Where settings come from, which one wins, and what a wrong one says."""

from pathlib import Path

import pytest

from config.settings import SECONDS, Settings
from core.turn import Principal
from tests.unit.config.conftest import Place


def test_nothing_at_all_gives_the_defaults(place: Place) -> None:
    loaded = place.load()
    assert loaded.file is None
    assert loaded.settings.heartbeat_seconds == 60
    assert set(loaded.origins.values()) == {"default"}


def test_environment_goes_over_the_file_and_a_flag_over_both(place: Place) -> None:
    file = place.write('log_level = "debug"\nzone = "Europe/Berlin"\nlanguage = "de"\n')
    place.env |= {"REMEMBRANCER_ZONE": "Asia/Tokyo", "REMEMBRANCER_LOG_LEVEL": "error"}
    loaded = place.load(log_level="warning")
    assert (loaded.settings.language, loaded.origins["language"]) == ("de", str(file))
    assert (loaded.settings.zone, loaded.origins["zone"]) == ("Asia/Tokyo", "REMEMBRANCER_ZONE")
    assert (loaded.settings.log_level, loaded.origins["log_level"]) == ("warning", "--log-level")


def test_the_named_file_wins_then_the_variable_then_here_then_the_persons_own(place: Place, tmp_path: Path) -> None:
    place.write('language = "ar"', place.user)
    assert place.load().settings.language == "ar"
    place.write('language = "ca"')
    assert place.load().settings.language == "ca"
    by_variable = tmp_path / "variable.toml"
    by_variable.write_text('language = "da"')
    place.env["REMEMBRANCER_CONFIG"] = str(by_variable)
    assert place.load().settings.language == "da"
    by_flag = tmp_path / "flag.toml"
    by_flag.write_text('language = "de"')
    assert place.load(by_flag).settings.language == "de"


def test_a_named_file_that_is_missing_is_an_error(place: Place, tmp_path: Path) -> None:
    assert str(tmp_path / "no.toml") in place.error(tmp_path / "no.toml").sentence


def test_an_unknown_key_names_the_key_the_file_and_the_nearest_one(place: Place) -> None:
    file = place.write("heartbeat_second = 3")
    error = place.error()
    assert "'heartbeat_second'" in error.sentence
    assert str(file) in error.sentence
    assert "'heartbeat_seconds'" in error.hint


def test_an_unknown_key_that_resembles_none_lists_them_all(place: Place) -> None:
    place.write("[qqqq]\nx = 1")
    assert "database_url" in place.error().hint


def test_an_unknown_variable_of_ours_is_an_error(place: Place) -> None:
    place.env["REMEMBRANCER_ZONES"] = "UTC"
    error = place.error()
    assert "REMEMBRANCER_ZONES" in error.sentence
    assert error.hint == "Did you mean REMEMBRANCER_ZONE?"


def test_variables_that_are_no_settings_are_left_alone(place: Place) -> None:
    place.env |= {"REMEMBRANCER_VENV": "x", "REMEMBRANCER_REQUIRE_SERVICES": "1", "REMEMBRANCER_TEST_X": "1"}
    assert set(place.load().origins.values()) == {"default"}


def test_an_empty_variable_is_not_set(place: Place) -> None:
    place.env["REMEMBRANCER_ZONE"] = ""
    assert place.load().settings.zone == "UTC"


@pytest.mark.parametrize(
    ("key", "least", "most"),
    [
        ("heartbeat_seconds", 0.05, 120),
        ("turn_deadline_seconds", 0.05, 30),
        ("busy_timeout_seconds", 0.1, 60),
        ("delivery_poll_seconds", 0.05, 60),
        ("send_lease_seconds", 1, 600),
        ("reservation_seconds", 1, 3600),
        ("turn_max_age_seconds", 1, 86_400),
        ("notice_gap_seconds", 1, 86_400),
    ],
)
def test_a_duration_has_bounds_and_both_ends_are_inside(place: Place, key: str, least: float, most: float) -> None:
    for value in (least, most):
        place.write(f"{key} = {value}")
        assert getattr(place.load().settings, key) == value
    for value in (least / 2, most + 1):
        place.write(f"{key} = {value}")
        assert key in place.error().sentence


@pytest.mark.parametrize("key", SECONDS)
@pytest.mark.parametrize("value", ['"soon"', "nan", "inf", "-1", "true", "[]", "{}"])
def test_a_duration_that_is_no_number_is_refused(place: Place, key: str, value: str) -> None:
    place.write(f"{key} = {value}")
    assert key in place.error().sentence


def test_every_duration_is_held_to_be_a_number() -> None:
    assert {name for name in Settings.model_fields if name.endswith("_seconds")} == set(SECONDS)


@pytest.mark.parametrize("text", ["zone = UTC", "zone = ", '"', "= 1", "zone = 'a'\nzone = 'b'", "\x00", "[operators"])
def test_what_is_no_toml_is_refused_with_the_files_name(place: Place, text: str) -> None:
    file = place.write(text)
    assert str(file) in place.error().sentence


def test_a_file_that_is_no_text_or_too_long_is_refused(place: Place) -> None:
    (place.cwd / "remembrancer.toml").write_bytes(b"\xff\xfe\x00")
    assert "UTF-8" in place.error().sentence
    place.write("#" * 1_000_000)
    place.load()
    place.write("#" * 1_000_001)
    assert "larger" in place.error().sentence


@pytest.mark.parametrize("zone", ["Mars/Olympus", "../../etc/passwd", "", "/etc/localtime", "x" * 65, "\x00"])
def test_an_unknown_zone_is_refused(place: Place, zone: str) -> None:
    assert "zone" in place.error(zone=zone).sentence


@pytest.mark.parametrize("language", ["xx", "EN", "english", "", "ja", "é"])
def test_an_unknown_language_is_refused_with_those_that_are_known(place: Place, language: str) -> None:
    assert "de el en" in place.error(language=language).sentence


def test_a_wrong_value_names_its_source_as_it_was_typed_and_what_to_do_there(place: Place) -> None:
    flag = place.error(log_level="loud")
    assert flag.sentence.startswith("--log-level cannot be used: ")
    place.env["REMEMBRANCER_LOG_LEVEL"] = "loud"
    variable = place.error()
    assert variable.sentence.startswith("The environment variable REMEMBRANCER_LOG_LEVEL cannot be used: ")
    assert "unset" in variable.hint
    del place.env["REMEMBRANCER_LOG_LEVEL"]
    file = place.write('log_level = "loud"')
    assert place.error().sentence.startswith(f"'log_level' in {file} cannot be used: ")


def test_several_problems_are_counted_and_kept(place: Place) -> None:
    place.write('zone = "Mars/Olympus"\nlog_format = "xml"\nlanguage = "english"')
    error = place.error()
    assert "and 2 more" in error.sentence
    assert len(error.details["problems"]) == 3


def test_operators_are_lists_in_the_file_and_commas_in_the_environment(place: Place) -> None:
    place.write('operators = ["console:local:ada", "irc:bot:ben:1"]')
    assert place.load().settings.principals() == (
        Principal("console", "local", "ada"),
        Principal("irc", "bot", "ben:1"),
    )
    place.env["REMEMBRANCER_OPERATORS"] = "console:local:cy, console:local:di,"
    assert [person.user_id for person in place.load().settings.principals()] == ["cy", "di"]


@pytest.mark.parametrize("operator", ["ada", "console:ada", ":local:ada", "console::ada", "console:local:"])
def test_an_operator_without_all_three_parts_is_refused(place: Place, operator: str) -> None:
    place.env["REMEMBRANCER_OPERATORS"] = operator
    assert operator in place.error().sentence


def test_the_database_lies_in_the_data_directory_unless_told_otherwise(place: Place, tmp_path: Path) -> None:
    assert place.load(data_dir=tmp_path / "d").settings.url() == f"sqlite:///{tmp_path / 'd' / 'remembrancer.db'}"


def test_relative_paths_are_relative_to_the_file_that_holds_them(place: Place, tmp_path: Path) -> None:
    folder = tmp_path / "etc"
    folder.mkdir()
    file = place.write('data_dir = "data"\ndatabase_url = "sqlite:///x.db"', folder)
    settings = place.load(file).settings
    assert settings.data_dir == folder / "data"
    assert settings.url() == f"sqlite:///{folder / 'x.db'}"
    place.env["REMEMBRANCER_DATABASE_URL"] = "sqlite:///y.db"
    assert place.load(file).settings.url() == f"sqlite:///{place.cwd / 'y.db'}"


def test_database_url_is_read_from_the_usual_variable_and_ours_wins(place: Place) -> None:
    place.env["DATABASE_URL"] = "postgres://u:secret@h/one"
    loaded = place.load()
    assert loaded.settings.url() == "postgresql+psycopg://u:secret@h/one"
    assert loaded.origins["database_url"] == "DATABASE_URL"
    place.env["REMEMBRANCER_DATABASE_URL"] = "postgresql://h/two"
    assert place.load().settings.url() == "postgresql+psycopg://h/two"


@pytest.mark.parametrize("url", ["mysql://h/d", "remembrancer.db", "sqlite:x.db", "http://h"])
def test_another_kind_of_database_is_refused(place: Place, url: str) -> None:
    assert "sqlite:/// or postgresql://" in place.error(database_url=url).sentence


def test_a_password_in_the_file_or_in_a_flag_is_refused_and_not_repeated(place: Place) -> None:
    url = "postgresql://u:sesame@h/d"
    in_flag = place.error(database_url=url)
    place.write(f'database_url = "{url}"')
    in_file = place.error()
    for error in (in_flag, in_file):
        assert "password" in error.sentence
        assert "sesame" not in str(error)


def test_a_secret_comes_from_a_referenced_file(place: Place) -> None:
    (place.cwd / "secret").write_text("postgresql://u:sesame@h/d\n")
    place.write('database_url_file = "secret"')
    assert place.load().settings.url() == "postgresql+psycopg://u:sesame@h/d"
    place.write("")
    place.env["REMEMBRANCER_DATABASE_URL_FILE"] = "secret"
    assert place.load().settings.url() == "postgresql+psycopg://u:sesame@h/d"


def test_a_secret_file_that_is_missing_empty_or_given_beside_the_value_is_an_error(place: Place) -> None:
    place.write('database_url_file = "secret"')
    assert "secret" in place.error().sentence
    (place.cwd / "secret").write_text(" \n")
    assert "empty" in place.error().sentence
    (place.cwd / "secret").write_text("sqlite:///a.db")
    place.write('database_url_file = "secret"\ndatabase_url = "sqlite:///b.db"')
    assert "twice" in place.error().sentence


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"zone = {'[' * 5_000}{']' * 5_000}", "nested too deeply"),
        (f"heartbeat_seconds = {'1' * 5_000}", "not valid TOML"),
        ('data_dir = "a\\u0000b"', "NUL"),
        ('database_url = "sqlite:///a\\u0000b"', "NUL"),
        ('database_url = "sqlite:///a%00b"', "NUL"),
        ('database_url = "sqlite:///a?mode=memory"', "ends before '?'"),
        ('data_dir = "~nobody-of-that-name/x"', "no home directory"),
    ],
)
def test_a_file_that_no_driver_could_use_is_refused(place: Place, text: str, told: str) -> None:
    place.write(text)
    assert told in place.error().sentence


@pytest.mark.parametrize(
    "rest", ["h:port/d", "[::1/d", "::1]/d", "h:65536/d", "h:99999999999999999999/d", "u:p@h:x/d", "a:1,b:2/d"]
)
def test_a_host_or_port_that_cannot_be_read_is_refused(place: Place, rest: str) -> None:
    place.env["DATABASE_URL"] = f"postgresql://{rest}"
    assert "host or port" in place.error().sentence


@pytest.mark.parametrize("rest", ["[::1]:5432/d", "u:p/q?r#s[@h:1/d", "/d?host=/tmp", "u@h", "h:/d", "u@/d"])
def test_every_address_that_a_driver_can_read_is_accepted(place: Place, rest: str) -> None:
    place.env["DATABASE_URL"] = f"postgresql://{rest}"
    assert place.load().settings.url() == f"postgresql+psycopg://{rest}"


def test_the_variables_of_the_test_server_are_no_settings(place: Place) -> None:
    place.env["REMEMBRANCER_TEST_PG_DIR"] = "/tmp/x"
    assert place.load().origins["data_dir"] == "default"


def test_a_relative_file_beside_a_folder_with_odd_letters_stays_there(place: Place, tmp_path: Path) -> None:
    folder = tmp_path / "w%41?#"
    folder.mkdir()
    file = place.write('database_url = "sqlite:///x%20y.db"', folder)
    assert place.load(file).settings.file() == folder / "x y.db"
