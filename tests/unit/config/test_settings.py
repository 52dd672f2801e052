"""What settings are: their defaults, their file, and what of them may be shown."""

import json
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest
from pydantic import ValidationError

from config.paths import user_config_dir, user_data_dir
from config.settings import LANGUAGES, MASK, SECRETS, Settings, mask_url
from core.text import commonwords, forms

TEMPLATE = files("config").joinpath("defaults.toml").read_text(encoding="utf-8")


def switched_on() -> dict[str, object]:
    lines = [line.removeprefix("# ") for line in TEMPLATE.splitlines() if " = " in line and line.startswith("# ")]
    return tomllib.loads("\n".join(line for line in lines if line.split(" = ")[0].isidentifier()))


def test_the_default_file_as_written_changes_nothing() -> None:
    assert tomllib.loads(TEMPLATE) == {}


def test_the_default_file_holds_every_setting_with_its_default() -> None:
    told = switched_on()
    assert told.pop("database_url_file")
    assert told.pop("data_dir")
    actual = json.loads(Settings().model_dump_json())
    actual.pop("data_dir")
    for secret in SECRETS:  # the file names only the files that hold them
        assert told.pop(f"{secret}_file")
        assert actual.pop(secret) == ""
    assert told == actual | {"database_url": ""}


def test_the_default_file_explains_every_setting_in_its_own_words() -> None:
    for name, field in Settings.model_fields.items():
        assert field.description, name
        assert f"{field.description}" in TEMPLATE, name


def test_the_example_environment_names_every_setting() -> None:
    example = files("config").joinpath("example.env").read_text(encoding="utf-8")
    for name in Settings.model_fields:
        assert f"# REMEMBRANCER_{name.upper()}=" in example
    assert all(line.startswith("#") or not line for line in example.splitlines())


def test_settings_never_change_after_loading() -> None:
    with pytest.raises(ValidationError):
        Settings().zone = "Europe/Berlin"


def test_the_languages_are_those_that_the_analyser_knows() -> None:
    assert set(LANGUAGES) == set(forms._ALGORITHMS) | set(commonwords.LISTS)
    assert list(LANGUAGES) == sorted(LANGUAGES)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://u:p@h/d", f"postgresql://u:{MASK}@h/d"),
        ("postgresql://u:p/q?r#s@h/d", f"postgresql://u:{MASK}@h/d"),
        ("postgresql://u:a@b@h/d", f"postgresql://u:{MASK}@h/d"),
        ("postgresql:///d?host=/tmp&password=p&x=1", f"postgresql:///d?host=/tmp&password={MASK}&x=1"),
        ("postgresql:///d?PASSWORD=p", f"postgresql:///d?PASSWORD={MASK}"),
        ("postgresql://u@h:5432/d", "postgresql://u@h:5432/d"),
        ("sqlite:////data/x.db", "sqlite:////data/x.db"),
        ("sqlite:///:memory:", "sqlite:///:memory:"),
    ],
)
def test_a_shown_url_has_no_password(url: str, shown: str) -> None:
    assert mask_url(url) == shown


def test_nothing_that_shows_settings_shows_a_password() -> None:
    settings = Settings(database_url="postgresql://u:sesame@h/d")  # type: ignore[arg-type]
    assert "sesame" in settings.url()
    for shown in (repr(settings), str(settings), settings.model_dump_json(), json.dumps(settings.masked())):
        assert "sesame" not in shown


def test_nothing_that_shows_settings_shows_a_token_or_whether_it_is_long() -> None:
    secrets = {"telegram_token": "7:sesame", "telegram_webhook_secret": "sesame", "discord_token": "MTA.sesame.open"}
    settings = Settings(**secrets)  # type: ignore[arg-type]
    assert set(settings.secrets()) == set(secrets.values())
    for shown in (repr(settings), str(settings), settings.model_dump_json(), json.dumps(settings.masked())):
        assert "sesame" not in shown
    assert {name: settings.masked()[name] for name in secrets} == dict.fromkeys(SECRETS, MASK)
    assert [Settings().masked()[name] for name in SECRETS] == [""] * len(SECRETS)


def test_directories_follow_the_platform() -> None:
    env = {"HOME": "/home/ada"}
    assert user_config_dir(env, "linux") == Path("/home/ada/.config/remembrancer")
    assert user_data_dir(env, "linux") == Path("/home/ada/.local/share/remembrancer")
    assert user_data_dir(env | {"XDG_DATA_HOME": "/data"}, "linux") == Path("/data/remembrancer")
    assert user_data_dir(env | {"XDG_DATA_HOME": "data"}, "linux") == Path("/home/ada/.local/share/remembrancer")
    assert user_data_dir(env, "darwin") == Path("/home/ada/Library/Application Support/remembrancer")
    assert user_data_dir({"APPDATA": "/roam"}, "win32") == Path("/roam/remembrancer")
