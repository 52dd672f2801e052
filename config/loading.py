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
            raise ConfigError(f"There is no configuration file {path}.", "Make one with `remembrancer init`.")
        return path
    for path in (cwd / FILE_NAME, user_config_dir(env) / FILE_NAME):
        if path.is_file():
            return path
    return None


def _from_file(path: Path) -> dict[str, _Value]:
    try:
        raw = path.read_bytes()
        if len(raw) > MAX_FILE_BYTES:
            raise ConfigError(f"{path} is larger than {MAX_FILE_BYTES} bytes.", "Is it the right file?")
        table = tomllib.loads(raw.decode())
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}.", "Check its permissions.") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not UTF-8 text.", "Save it as UTF-8.") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not valid TOML: {error}.", 'Text needs quotes: zone = "UTC"') from error
    values: dict[str, _Value] = {}
    for key, value in table.items():
        _check_known(key, str(path))
        name, value = _dereference(key, value, str(path), path.parent)
        if key == name and name in SECRET_KEYS and isinstance(value, str) and has_password(value):
            raise ConfigError(
                f"{path} holds a password in '{key}'.",
                f"Put the URL into the variable {PREFIX}{key.upper()}, or into a file of its own that "
                f"'{key}_file' names.",
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
        _check_known(short.lower(), f"the environment variable {variable}")
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
        _check_known(key, "the flags")
        if key in SECRET_KEYS and has_password(str(value)):
            raise ConfigError(
                f"A password does not belong on the command line (--{key.replace('_', '-')}).",
                f"Everybody on this machine can read it there; use the variable {PREFIX}{key.upper()}.",
            )
        values[key] = _Value(value, "flag", cwd)
    return values


def _take(values: dict[str, _Value], name: str, value: _Value) -> None:
    if name in values:
        raise ConfigError(
            f"'{name}' is given twice: in {values[name].origin} and in {value.origin}.",
            f"Keep either '{name}' or '{name}_file'.",
        )
    values[name] = value


def _check_known(key: str, source: str) -> None:
    known = [*Settings.model_fields, *(f"{secret}_file" for secret in SECRET_KEYS)]
    if key in known:
        return
    near = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
    hint = f"Did you mean '{near[0]}'?" if near else f"The keys are: {', '.join(sorted(known))}."
    raise ConfigError(f"Unknown setting '{key}' in {source}.", hint, key=key, source=source)


def _dereference(key: str, value: Any, origin: str, base: Path) -> tuple[str, Any]:
    """Resolve a `*_file` key to the secret that its file holds."""
    name = key.removesuffix("_file")
    if name not in SECRET_KEYS or name == key:
        return key, value
    path = base / Path(str(value)).expanduser()
    try:
        secret = path.read_bytes()[: MAX_SECRET_BYTES + 1].decode().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"The file {path} that '{key}' ({origin}) names cannot be read.") from error
    if not secret or len(secret) > MAX_SECRET_BYTES:
        raise ConfigError(f"The file {path} that '{key}' ({origin}) names is empty or too long.")
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
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    raise ConfigError(
        f"{problems[0]}{more}.",
        "`remembrancer init` writes a file with every key explained.",
        problems=problems,
    )


def _problem(item: Mapping[str, Any], values: Mapping[str, _Value]) -> str:
    key = str(item["loc"][0]) if item["loc"] else "?"
    origin = values[key].origin if key in values else "default"
    message = str(item["msg"]).removeprefix("Value error, ")
    return f"'{key}' in {origin} cannot be used: {message[:1].lower()}{message[1:]}".rstrip(".")
