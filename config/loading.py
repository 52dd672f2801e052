"""How settings are found: the defaults, then one TOML file, then the environment, then flags.

Every problem is a ConfigError that names the key, where it was read and what to do. Secrets come from the
environment or from a file that a `*_file` key names; a password in the TOML file or in a flag is refused.
"""

import difflib
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from config.paths import user_config_dir
from config.settings import Settings, has_password
from core.catalogue import say
from core.errors import ConfigError

FILE_NAME = "remembrancer.toml"
PREFIX = "REMEMBRANCER_"
# Variables with our prefix that are not settings.
RESERVED = frozenset({"CONFIG", "VENV", "REQUIRE_SERVICES"})
RESERVED_PREFIX = "TEST_"
SECRET_KEYS = ("database_url",)
MAX_FILE_BYTES = 1_000_000
MAX_SECRET_BYTES = 10_000


@dataclass(frozen=True, slots=True)
class Loaded:
    """Settings with where each value came from: `default`, a file's path, a variable's name or `flag`."""

    settings: Settings
    origins: Mapping[str, str]
    file: Path | None


@dataclass(frozen=True, slots=True)
class _Value:
    value: Any
    origin: str
    base: Path  # what a relative path is relative to


def load(
    flags: Mapping[str, Any] | None = None,
    config_file: Path | None = None,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> Loaded:
    """Find, merge and check the settings.

    `flags` are values given on the command line (None stands for "not given"), `config_file` the one that
    `--config` names. Raises ConfigError.
    """
    env = os.environ if env is None else env
    cwd = Path.cwd() if cwd is None else cwd
    file = find_file(config_file, env, cwd)
    values: dict[str, _Value] = {}
    if file is not None:
        values |= _from_file(file)
    values |= _from_environment(env, cwd)
    values |= _from_flags(flags or {}, cwd)
    values = {key: _absolute(key, value) for key, value in values.items()}
    settings = _validated(values)
    origins = dict.fromkeys(Settings.model_fields, "default") | {k: v.origin for k, v in values.items()}
    return Loaded(settings, origins, file)


def find_file(config_file: Path | None, env: Mapping[str, str], cwd: Path) -> Path | None:
    """The configuration file: the named one, `REMEMBRANCER_CONFIG`, the current folder's, the person's own.

    A file that was named must be there; the other two may be missing.
    """
    named = config_file or (Path(env[f"{PREFIX}CONFIG"]) if env.get(f"{PREFIX}CONFIG") else None)
    if named is not None:
        path = cwd / named.expanduser()
        if not path.is_file():
            raise ConfigError(say("config.missing", path=path), say("config.missing.hint"))
        return path
    for path in (cwd / FILE_NAME, user_config_dir(env) / FILE_NAME):
        if path.is_file():
            return path
    return None


def _from_file(path: Path) -> dict[str, _Value]:
    try:
        raw = path.read_bytes()
        if len(raw) > MAX_FILE_BYTES:
            raise ConfigError(say("config.large", path=path, limit=MAX_FILE_BYTES), say("config.large.hint"))
        table = tomllib.loads(raw.decode())
    except OSError as error:
        raise ConfigError(
            say("config.unreadable", path=path, why=error.strerror), say("config.unreadable.hint")
        ) from error
    except UnicodeDecodeError as error:
        raise ConfigError(say("config.not_text", path=path), say("config.not_text.hint")) from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(say("config.not_toml", path=path, why=error), say("config.not_toml.hint")) from error
    values: dict[str, _Value] = {}
    for key, value in table.items():
        _check_known(key, str(path))
        name, value = _dereference(key, value, str(path), path.parent)
        if key == name and name in SECRET_KEYS and isinstance(value, str) and has_password(value):
            raise ConfigError(
                say("config.password.file", path=path, key=key),
                say("config.password.file.hint", variable=f"{PREFIX}{key.upper()}", key=key),
            )
        _take(values, name, _Value(value, str(path), path.parent))
    return values


def _from_environment(env: Mapping[str, str], cwd: Path) -> dict[str, _Value]:
    values: dict[str, _Value] = {}
    for variable in sorted(env):
        if not variable.startswith(PREFIX) or env[variable] == "":
            continue
        short = variable.removeprefix(PREFIX)
        if short in RESERVED or short.startswith(RESERVED_PREFIX):
            continue
        _check_known(short.lower(), say("config.source.variable", name=variable))
        name, value = _dereference(short.lower(), env[variable], variable, cwd)
        _take(values, name, _Value(value, variable, cwd))
    if "database_url" not in values and env.get("DATABASE_URL"):
        values["database_url"] = _Value(env["DATABASE_URL"], "DATABASE_URL", cwd)
    return values


def _from_flags(flags: Mapping[str, Any], cwd: Path) -> dict[str, _Value]:
    values: dict[str, _Value] = {}
    for key, value in flags.items():
        if value is None:
            continue
        _check_known(key, say("config.source.flags"))
        if key in SECRET_KEYS and has_password(str(value)):
            raise ConfigError(
                say("config.password.flag", flag=key.replace("_", "-")),
                say("config.password.flag.hint", variable=f"{PREFIX}{key.upper()}"),
            )
        values[key] = _Value(value, "flag", cwd)
    return values


def _take(values: dict[str, _Value], name: str, value: _Value) -> None:
    if name in values:
        raise ConfigError(
            say("config.twice", key=name, one=values[name].origin, other=value.origin),
            say("config.twice.hint", key=name),
        )
    values[name] = value


def _check_known(key: str, source: str) -> None:
    known = [*Settings.model_fields, *(f"{secret}_file" for secret in SECRET_KEYS)]
    if key in known:
        return
    near = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
    if near:
        hint = say("config.unknown.near.hint", key=near[0])
    else:
        hint = say("config.unknown.hint", keys=", ".join(sorted(known)))
    raise ConfigError(say("config.unknown", key=key, source=source), hint, key=key, source=source)


def _dereference(key: str, value: Any, origin: str, base: Path) -> tuple[str, Any]:
    """Resolve a `*_file` key to the secret that its file holds."""
    name = key.removesuffix("_file")
    if name not in SECRET_KEYS or name == key:
        return key, value
    path = base / Path(str(value)).expanduser()
    try:
        secret = path.read_bytes()[: MAX_SECRET_BYTES + 1].decode().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(
            say("config.secret.unreadable", path=path, key=key, origin=origin), say("config.secret.unreadable.hint")
        ) from error
    if not secret or len(secret) > MAX_SECRET_BYTES:
        raise ConfigError(
            say("config.secret.length", path=path, key=key, origin=origin), say("config.secret.length.hint")
        )
    return name, secret


def _absolute(key: str, item: _Value) -> _Value:
    """Paths are relative to the file that holds them, or to the current directory."""
    value = item.value
    if key == "data_dir" and isinstance(value, str | Path):
        value = str(item.base / Path(value).expanduser())
    if key == "database_url" and isinstance(value, str) and value.startswith("sqlite"):
        head, separator, path = value.partition(":///")
        if separator and path and not path.startswith((":memory:", "file:")):
            value = f"{head}:///{item.base / Path(path).expanduser()}"
    return _Value(value, item.origin, item.base)


def _validated(values: Mapping[str, _Value]) -> Settings:
    try:
        return Settings(**{key: item.value for key, item in values.items()})
    except ValidationError as error:
        problems = [_problem(dict(item), values) for item in error.errors(include_input=False)]
    key = "config.values.more" if len(problems) > 1 else "config.values"
    sentence = say(key, first=problems[0], count=len(problems) - 1)
    raise ConfigError(sentence, say("config.values.hint"), problems=problems)


def _problem(item: Mapping[str, Any], values: Mapping[str, _Value]) -> str:
    key = str(item["loc"][0]) if item["loc"] else "?"
    origin = values[key].origin if key in values else "default"
    message = str(item["msg"]).removeprefix("Value error, ")
    return say("config.value", key=key, origin=origin, why=message[:1].lower() + message[1:]).rstrip(".")
