"""How settings are found: the defaults, then one TOML file, then the environment, then flags.

Every problem is a ConfigError that names the key, where it was read and what to do. Secrets come from the
environment or from a file that a `*_file` key names; a password or token in the TOML file or in a flag is refused.
"""

import difflib
import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from config.paths import user_config_dir
from config.settings import SECRETS, Settings, has_password
from config.urls import sqlite_path, sqlite_url
from core.catalogue import say
from core.errors import ConfigError

FILE_NAME = "remembrancer.toml"
PREFIX = "REMEMBRANCER_"
# Variables with our prefix that are not settings.
RESERVED = frozenset({"CONFIG", "VENV", "REQUIRE_SERVICES"})
RESERVED_PREFIX = "TEST_"
SECRET_KEYS = ("database_url", *SECRETS)
# Variables without our prefix, read where ours is not set: what hosting services call them.
PLAIN = {"DATABASE_URL": "database_url", "TELEGRAM_TOKEN": "telegram_token", "DISCORD_TOKEN": "discord_token"}
MAX_FILE_BYTES = 1_000_000
MAX_SECRET_BYTES = 10_000


@dataclass(frozen=True, slots=True)
class Loaded:
    """Settings with where each value came from: `default`, a file's path, a variable's name or a flag."""

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
    variable = f"{PREFIX}CONFIG"
    named = config_file or (Path(env[variable]) if env.get(variable) else None)
    if named is not None:
        path = _path(cwd, named)
        if not _is_file(path):
            source = "--config" if config_file else variable
            raise ConfigError(say("config.missing", path=path, source=source), say("config.missing.hint", path=path))
        return path
    for path in (cwd / FILE_NAME, user_config_dir(env) / FILE_NAME):
        if _is_file(path):
            return path
    return None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError as error:  # a name that is too long, a folder that may not be entered
        raise _unreadable(path, error) from None


def _unreadable(path: Path, error: OSError) -> ConfigError:
    return ConfigError(say("config.unreadable", path=path, why=error.strerror), say("config.unreadable.hint"))


def _path(base: Path, path: str | Path) -> Path:
    """A path as typed, `~` included, made absolute."""
    try:
        return base / Path(path).expanduser()
    except (RuntimeError, ValueError):
        raise ConfigError(say("config.home", path=path), say("config.home.hint")) from None


def _from_file(path: Path) -> dict[str, _Value]:
    try:
        raw = path.read_bytes()
        if len(raw) > MAX_FILE_BYTES:
            raise ConfigError(say("config.large", path=path, limit=MAX_FILE_BYTES), say("config.large.hint"))
        table = tomllib.loads(raw.decode())
    except OSError as error:
        raise _unreadable(path, error) from error
    except UnicodeDecodeError as error:
        raise ConfigError(say("config.not_text", path=path), say("config.not_text.hint")) from error
    except RecursionError:
        raise ConfigError(say("config.deep", path=path), say("config.deep.hint")) from None
    except ValueError as error:  # no TOML, or a number of thousands of digits
        raise ConfigError(say("config.not_toml", path=path, why=error), say("config.not_toml.hint")) from error
    values: dict[str, _Value] = {}
    for key, value in table.items():
        _check_known(key, str(path))
        name, value = _dereference(key, value, str(path), path.parent)
        if key == name and isinstance(value, str) and (kind := _secret(key, value)):
            raise ConfigError(
                say(f"config.{kind}.file", path=path, key=key),
                say(f"config.{kind}.file.hint", variable=_variable(key), key=key),
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
        _check_known(short.lower(), say("config.source.variable", name=variable), _variable)
        name, value = _dereference(short.lower(), env[variable], variable, cwd)
        _take(values, name, _Value(value, variable, cwd))
    for variable, key in PLAIN.items():
        if key not in values and env.get(variable):
            values[key] = _Value(env[variable], variable, cwd)
    return values


def _from_flags(flags: Mapping[str, Any], cwd: Path) -> dict[str, _Value]:
    values: dict[str, _Value] = {}
    for key, value in flags.items():
        if value is None:
            continue
        _check_known(key, say("config.source.flags"))
        if kind := _secret(key, str(value)):
            raise ConfigError(
                say(f"config.{kind}.flag", flag=key.replace("_", "-")),
                say("config.password.flag.hint", variable=_variable(key)),
            )
        values[key] = _Value(value, f"--{key.replace('_', '-')}", cwd)
    return values


def _secret(key: str, value: str) -> str:
    """What kind of secret a value is that stands where everybody may read it; "" for none."""
    if key == "database_url":
        return "password" if has_password(value) else ""
    return "token" if key in SECRET_KEYS and value else ""


def _take(values: dict[str, _Value], name: str, value: _Value) -> None:
    if name in values:
        spelt = _variable if value.origin.startswith(PREFIX) else str
        raise ConfigError(
            say("config.twice", key=name, one=values[name].origin, other=value.origin),
            say("config.twice.hint", key=spelt(name), other=spelt(f"{name}_file")),
        )
    values[name] = value


def _variable(key: str) -> str:
    """The environment variable of a key."""
    return f"{PREFIX}{key.upper()}"


def _check_known(key: str, source: str, spelt: Callable[[str], str] = repr) -> None:
    """ConfigError for a key that is none; `spelt` writes a key as its source does."""
    known = [*Settings.model_fields, *(f"{secret}_file" for secret in SECRET_KEYS)]
    if key in known:
        return
    near = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
    if near:
        hint = say("config.unknown.near.hint", key=spelt(near[0]))
    else:
        hint = say("config.unknown.hint", keys=", ".join(map(spelt, sorted(known))))
    raise ConfigError(say("config.unknown", key=key, source=source), hint, key=key, source=source)


def _dereference(key: str, value: Any, origin: str, base: Path) -> tuple[str, Any]:
    """Resolve a `*_file` key to the secret that its file holds."""
    name = key.removesuffix("_file")
    if name not in SECRET_KEYS or name == key:
        return key, value
    path = _path(base, str(value))
    try:
        secret = path.read_bytes()[: MAX_SECRET_BYTES + 1].decode().strip()
    except (OSError, ValueError) as error:
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
        value = str(_path(item.base, value))
    if key == "database_url" and isinstance(value, str) and value.startswith("sqlite"):
        head, _, query = value.partition("?")
        path = sqlite_path(head)
        if path and not path.startswith((":memory:", "file:")):
            scheme = head.partition(":")[0]
            rest = sqlite_url(_path(item.base, path)).removeprefix("sqlite")
            value = f"{scheme}{rest}?{query}" if "?" in value else f"{scheme}{rest}"
    return _Value(value, item.origin, item.base)


def _validated(values: Mapping[str, _Value]) -> Settings:
    try:
        return Settings(**{key: item.value for key, item in values.items()})
    except ValidationError as error:
        found = [dict(item) for item in error.errors(include_input=False)]
    problems = [_problem(item, values) for item in found]
    key = "config.values.more" if len(problems) > 1 else "config.values"
    sentence = say(key, first=problems[0], count=len(problems) - 1)
    _, _, source = _source(found[0], values)
    raise ConfigError(sentence, say(f"config.value.{source}.hint"), problems=problems)


def _problem(item: Mapping[str, Any], values: Mapping[str, _Value]) -> str:
    key, origin, source = _source(item, values)
    why = str(item["msg"]).removeprefix("Value error, ")
    if str(item["type"]).startswith("float_"):
        why = say("config.seconds")
    return say(f"config.value.{source}", key=key, origin=origin, why=why[:1].lower() + why[1:]).rstrip(".")


def _source(item: Mapping[str, Any], values: Mapping[str, _Value]) -> tuple[str, str, str]:
    """The key of a problem, where its value was read, and what kind of place that is."""
    key = str(item["loc"][0]) if item["loc"] else "?"
    origin = values[key].origin if key in values else "default"
    if origin.startswith("--"):
        return key, origin, "flag"
    return key, origin, "variable" if origin in PLAIN or origin.startswith(PREFIX) else "file"
